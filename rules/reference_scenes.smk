rule reference_scenes:
    output:
        scenes="{build}/data/reference/scenes/part-{shard}.parquet",
    log:
        "{build}/log/reference_scenes-{shard}.log",
    benchmark:
        "{build}/benchmark/reference_scenes-{shard}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("reference_scenes", "threads")
    resources:
        mem_mb=dag.needs("reference_scenes", "memory_mb"),
        runtime=dag.needs("reference_scenes", "minutes"),
    params:
        job=dag.job("reference_scenes"),
        about=dag.about,
    message:
        "Draw scenes for the reference models: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --shard {wildcards.shard} --out {output.scenes:q}"
