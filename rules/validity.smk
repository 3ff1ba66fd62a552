rule validity:
    input:
        metrics=lambda w: dag.given("validity", "results/metrics.parquet"),
        scores=lambda w: dag.given("validity", parts.score_parts(dag.params)),
    output:
        correlations="{build}/results/validity/correlations.csv",
        rankings="{build}/results/validity/rankings.csv",
    log:
        "{build}/log/validity.log",
    benchmark:
        "{build}/benchmark/validity.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        job=dag.job("validity"),
        config=dag.config,
    message:
        "Hold the ranking of the models against published ones"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --metrics {input.metrics:q} --scores {input.scores:q}"
        " --correlations-out {output.correlations:q} --rankings-out {output.rankings:q}"
