rule corpus:
    output:
        scenes="{build}/data/corpus/scenes/part-{shard}.parquet",
        questions="{build}/data/corpus/questions/part-{shard}.parquet",
    log:
        "{build}/log/corpus-{shard}.log",
    benchmark:
        "{build}/benchmark/corpus-{shard}.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        job=dag.job("corpus"),
        config=dag.config,
    message:
        "Plan scenes and ask questions: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --shard {wildcards.shard}"
        " --scenes-out {output.scenes:q} --questions-out {output.questions:q}"
