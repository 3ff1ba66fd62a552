rule filter:
    input:
        images=dag.reads("filter", "data/{suite}/rendered"),
        scenes=dag.reads("filter", "data/{suite}/scenes"),
        weights=dag.weights("filter"),
    output:
        verdicts="{build}/data/{suite}/verdicts/{filter}/part-{shard}.parquet",
    log:
        "{build}/log/filter-{suite}-{filter}-{shard}.log",
    benchmark:
        "{build}/benchmark/filter-{suite}-{filter}-{shard}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("filter", "threads")
    resources:
        mem_mb=dag.needs("filter", "memory_mb"),
        runtime=dag.needs("filter", "minutes"),
    params:
        job=dag.job("filter"),
        about=dag.about,
    message:
        "Filter images by {wildcards.filter}: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --images {input.images:q} --scenes {input.scenes:q} --weights {input.weights:q}"
        " --out {output.verdicts:q}"
