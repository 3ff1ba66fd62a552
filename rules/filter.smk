rule filter:
    input:
        images=lambda w: dag.given(
            f"filter/{w.filter}", parts.part("data/images/clean", int(w.shard))
        ),
        scenes=lambda w: dag.given(
            f"filter/{w.filter}",
            parts.corpus_overlapping(dag.params, "scenes", int(w.shard)),
        ),
        weights=lambda w: dag.given(
            f"filter/{w.filter}", parts.filter_weights(dag.params, w.filter)
        ),
    output:
        verdicts="{build}/data/verdicts/{filter}/part-{shard}.parquet",
    log:
        "{build}/log/filter-{filter}-{shard}.log",
    benchmark:
        "{build}/benchmark/filter-{filter}-{shard}.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        job=dag.job("filter"),
        config=dag.config,
    message:
        "Filter images by {wildcards.filter}: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --filter {wildcards.filter} --images {input.images:q}"
        " --scenes {input.scenes:q} --weights {input.weights:q} --out {output.verdicts:q}"
