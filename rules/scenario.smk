rule scenario:
    input:
        images=lambda w: dag.given(
            f"scenario/{w.scenario}", parts.part("data/images/clean", int(w.shard))
        ),
        questions=lambda w: dag.given(
            f"scenario/{w.scenario}",
            parts.corpus_overlapping(dag.params, "questions", int(w.shard)),
        ),
    output:
        images="{build}/data/images/{scenario}/part-{shard}.parquet",
    log:
        "{build}/log/scenario-{scenario}-{shard}.log",
    benchmark:
        "{build}/benchmark/scenario-{scenario}-{shard}.tsv"
    wildcard_constraints:
        scenario=dag.one_of(s for s in dag.params.scenarios.names if s != "clean"),
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=120,
    params:
        job=dag.job("scenario"),
        config=dag.config,
    message:
        "Apply the scenario {wildcards.scenario} to images: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --scenario {wildcards.scenario:q} --images {input.images:q}"
        " --questions {input.questions:q} --out {output.images:q}"
