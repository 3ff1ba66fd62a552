rule validity:
    input:
        metrics=dag.reads("validity", "results/{suite}/metrics.parquet"),
        scores=dag.reads("validity", "data/{suite}/scores"),
        consensus=dag.reads("validity", "data/{suite}/consensus"),
        hallucination=dag.reads("validity", "results/{suite}/hallucination.parquet"),
        dialogue=dag.reads("validity", "results/{suite}/dialogue.parquet"),
        rendered=dag.reads("validity", "data/{suite}/rendered"),
    output:
        correlations="{build}/results/{suite}/validity/correlations.csv",
        rankings="{build}/results/{suite}/validity/rankings.csv",
    log:
        "{build}/log/validity-{suite}.log",
    benchmark:
        "{build}/benchmark/validity-{suite}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("validity", "threads")
    resources:
        mem_mb=dag.needs("validity", "memory_mb"),
        runtime=dag.needs("validity", "minutes"),
    params:
        job=dag.job("validity"),
        about=dag.about,
    message:
        "Hold the ranking of the models against published ones"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --metrics {input.metrics:q} --scores {input.scores:q}"
        " --hallucination {input.hallucination:q} --dialogue {input.dialogue:q}"
        " --consensus {input.consensus:q} --rendered {input.rendered:q}"
        " --correlations-out {output.correlations:q} --rankings-out {output.rankings:q}"
