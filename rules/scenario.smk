from lvlmbench.stages.scenario.stage import around, scene_parts


rule scenario:
    input:
        images=dag.reads("scenario", "data/{suite}/rendered"),
        around=dag.of(
            "scenario",
            lambda params, w: [
                f"data/{w.suite}/rendered/{part}"
                for part in around(params, w.scenario, int(w.shard))
            ],
        ),
        scenes=dag.of(
            "scenario",
            lambda params, w: [
                f"data/{w.suite}/scenes/{part}"
                for part in scene_parts(params, w.scenario, int(w.shard))
            ],
        ),
        questions=dag.reads("scenario", "data/{suite}/questions"),
        weights=dag.weights("scenario"),
    output:
        images="{build}/data/{suite}/images/{scenario}/part-{shard}.parquet",
    log:
        "{build}/log/scenario-{suite}-{scenario}-{shard}.log",
    benchmark:
        "{build}/benchmark/scenario-{suite}-{scenario}-{shard}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("scenario", "threads")
    resources:
        mem_mb=dag.needs("scenario", "memory_mb"),
        runtime=dag.needs("scenario", "minutes"),
    params:
        job=dag.job("scenario"),
        about=dag.about,
    message:
        "Show images in the scenario {wildcards.scenario}: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --images {input.images:q} --around {input.around:q} --scenes {input.scenes:q}"
        " --questions {input.questions:q} --weights {input.weights:q} --out {output.images:q}"
