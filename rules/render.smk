from lvlmbench.engine.resources import diffuses, render_gpus, render_memory_mb, render_threads
from lvlmbench.stages.render.choice import chosen


rule render:
    input:
        scenes=lambda w: dag.given(
            "render", parts.corpus_overlapping(dag.params, "scenes", int(w.shard))
        ),
    output:
        images="{build}/data/images/clean/part-{shard}.parquet",
        verdicts="{build}/data/verdicts/render/part-{shard}.parquet",
        attempts="{build}/data/attempts/part-{shard}.parquet",
        layouts="{build}/data/layouts/clean/part-{shard}.parquet",
    log:
        "{build}/log/render-{shard}.log",
    benchmark:
        "{build}/benchmark/render-{shard}.tsv"
    conda:
        "../envs/diffusion.yaml" if diffuses(dag.params) else "../envs/core.yaml"
    threads: render_threads(dag.params)
    resources:
        gpu=render_gpus(dag.params),
        mem_mb=render_memory_mb(dag.params),
        runtime=720,
    params:
        job=dag.job("render"),
        config=dag.config,
        renderer=chosen(dag.params).renderer,
        checkpoints="{build}/training/render-{shard}",
    message:
        "Render images by {params.renderer}: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --shard {wildcards.shard} --scenes {input.scenes:q} --renderer {params.renderer:q}"
        " --checkpoints {params.checkpoints:q} --images-out {output.images:q}"
        " --verdicts-out {output.verdicts:q} --attempts-out {output.attempts:q}"
        " --layouts-out {output.layouts:q}"
