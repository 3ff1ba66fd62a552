from lvlmbench.stages.render.choice import chosen
from lvlmbench.stages.render.resources import reads_weights


rule render:
    input:
        scenes=dag.reads("render", "data/{suite}/scenes"),
        entries=dag.reads("render", "data/{suite}/entries"),
        descriptions=dag.reads("render", "data/{suite}/descriptions"),
    output:
        images="{build}/data/{suite}/rendered/part-{shard}.parquet",
        verdicts="{build}/data/{suite}/verdicts/render/part-{shard}.parquet",
        attempts="{build}/data/{suite}/attempts/part-{shard}.parquet",
        layouts="{build}/data/{suite}/layouts/clean/part-{shard}.parquet",
        requests="{build}/data/{suite}/image_requests/part-{shard}.parquet",
        checks="{build}/data/{suite}/attempt_checks/part-{shard}.parquet",
        check_requests="{build}/data/{suite}/attempt_requests/part-{shard}.parquet",
    log:
        "{build}/log/render-{suite}-{shard}.log",
    benchmark:
        "{build}/benchmark/render-{suite}-{shard}.tsv"
    conda:
        "../envs/diffusion.yaml" if reads_weights(dag.params) else "../envs/core.yaml"
    threads: dag.needs("render", "threads")
    resources:
        gpu=dag.needs("render", "gpus"),
        mem_mb=dag.needs("render", "memory_mb"),
        runtime=dag.needs("render", "minutes"),
    params:
        job=dag.job("render"),
        about=dag.about,
        renderer=chosen(dag.params).renderer,
        checkpoints="{build}/training/render-{suite}-{shard}",
    message:
        "Render images by {params.renderer}: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --shard {wildcards.shard} --scenes {input.scenes:q} --entries {input.entries:q}"
        " --renderer {params.renderer:q}"
        " --checkpoints {params.checkpoints:q} --images-out {output.images:q}"
        " --verdicts-out {output.verdicts:q} --attempts-out {output.attempts:q}"
        " --layouts-out {output.layouts:q} --requests-out {output.requests:q}"
        " --descriptions {input.descriptions:q} --checks-out {output.checks:q}"
        " --check-requests-out {output.check_requests:q}"
