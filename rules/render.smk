rule render:
    input:
        scenes=lambda w: dag.given(
            "render", parts.corpus_overlapping(dag.params, "scenes", int(w.shard))
        ),
    output:
        images="{build}/data/images/clean/part-{shard}.parquet",
        verdicts="{build}/data/verdicts/render/part-{shard}.parquet",
    log:
        "{build}/log/render-{shard}.log",
    benchmark:
        "{build}/benchmark/render-{shard}.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        job=dag.job("render"),
        config=dag.config,
    message:
        "Render images: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --shard {wildcards.shard} --scenes {input.scenes:q}"
        " --images-out {output.images:q} --verdicts-out {output.verdicts:q}"
