from lvlmbench.stages.consensus.stage import scored


rule consensus:
    input:
        scores=dag.of("consensus", scored),
        questions=dag.reads("consensus", "data/{suite}/questions"),
    output:
        consensus="{build}/data/{suite}/consensus/part-00000.parquet",
    log:
        "{build}/log/consensus-{suite}.log",
    benchmark:
        "{build}/benchmark/consensus-{suite}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("consensus", "threads")
    resources:
        mem_mb=dag.needs("consensus", "memory_mb"),
        runtime=dag.needs("consensus", "minutes"),
    params:
        job=dag.job("consensus"),
        about=dag.about,
    message:
        "See which questions the best models get wrong together"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --scores {input.scores:q} --questions {input.questions:q} --out {output.consensus:q}"
