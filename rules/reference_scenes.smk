rule reference_scenes:
    output:
        scenes="{build}/data/reference/scenes/part-{shard}.parquet",
    log:
        "{build}/log/reference_scenes-{shard}.log",
    benchmark:
        "{build}/benchmark/reference_scenes-{shard}.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        job=dag.job("reference_scenes"),
        config=dag.config,
    message:
        "Draw scenes for the reference models: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --shard {wildcards.shard} --out {output.scenes:q}"
