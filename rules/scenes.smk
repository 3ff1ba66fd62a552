rule scenes:
    input:
        aspects=dag.reads("scenes", "data/{suite}/planned_aspects"),
        planned=dag.reads("scenes", "data/{suite}/planned_descriptions"),
    output:
        scenes="{build}/data/{suite}/scenes/part-{shard}.parquet",
        entries="{build}/data/{suite}/entries/part-{shard}.parquet",
        descriptions="{build}/data/{suite}/descriptions/part-{shard}.parquet",
        designs="{build}/data/{suite}/designs/part-{shard}.parquet",
    log:
        "{build}/log/scenes-{suite}-{shard}.log",
    benchmark:
        "{build}/benchmark/scenes-{suite}-{shard}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("scenes", "threads")
    resources:
        mem_mb=dag.needs("scenes", "memory_mb"),
        runtime=dag.needs("scenes", "minutes"),
    params:
        job=dag.job("scenes"),
        about=dag.about,
    message:
        "Plan scenes: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --shard {wildcards.shard} --out {output.scenes:q} --entries-out {output.entries:q}"
        " --aspects {input.aspects:q} --descriptions {input.planned:q}"
        " --descriptions-out {output.descriptions:q} --designs-out {output.designs:q}"
