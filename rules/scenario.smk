rule scenario:
    input:
        images=lambda w: dag.given(
            f"scenario/{w.scenario}", parts.part("data/images/clean", int(w.shard))
        ),
        around=lambda w: dag.given(
            f"scenario/{w.scenario}", parts.scenario_around(dag.params, w.scenario, int(w.shard))
        ),
        scenes=lambda w: dag.given(
            f"scenario/{w.scenario}", parts.scenario_scenes(dag.params, w.scenario, int(w.shard))
        ),
        questions=lambda w: dag.given(
            f"scenario/{w.scenario}",
            parts.corpus_overlapping(dag.params, "questions", int(w.shard)),
        ),
        weights=lambda w: dag.given(
            f"scenario/{w.scenario}", parts.scenario_weights(dag.params, w.scenario)
        ),
    output:
        images="{build}/data/images/{scenario}/part-{shard}.parquet",
    log:
        "{build}/log/scenario-{scenario}-{shard}.log",
    benchmark:
        "{build}/benchmark/scenario-{scenario}-{shard}.tsv"
    wildcard_constraints:
        scenario=dag.one_of(spec.name for spec in dag.params.scenarios.noisy),
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=240,
    params:
        job=dag.job("scenario"),
        config=dag.config,
    message:
        "Show images in the scenario {wildcards.scenario}: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --scenario {wildcards.scenario:q} --images {input.images:q} --around {input.around:q}"
        " --scenes {input.scenes:q} --questions {input.questions:q}"
        " --weights {input.weights:q} --out {output.images:q}"
