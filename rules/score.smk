rule score:
    input:
        answers=lambda w: dag.given(
            f"score/{w.model}/{w.scenario}",
            parts.image_parts(dag.params, f"data/answers/{w.model}/{w.scenario}"),
        ),
        questions=lambda w: dag.given(
            f"score/{w.model}/{w.scenario}", parts.corpus_parts(dag.params, "questions")
        ),
        scenes=lambda w: dag.given(
            f"score/{w.model}/{w.scenario}", parts.corpus_parts(dag.params, "scenes")
        ),
        images=lambda w: dag.given(
            f"score/{w.model}/{w.scenario}",
            parts.image_parts(dag.params, f"data/images/{w.scenario}"),
        ),
    output:
        scores="{build}/data/scores/{model}/{scenario}/part-00000.parquet",
    log:
        "{build}/log/score-{model}-{scenario}.log",
    benchmark:
        "{build}/benchmark/score-{model}-{scenario}.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=120,
    params:
        job=dag.job("score"),
        config=dag.config,
    message:
        "Score the answers of {wildcards.model} in the scenario {wildcards.scenario}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --model {wildcards.model:q} --scenario {wildcards.scenario:q}"
        " --answers {input.answers:q} --questions {input.questions:q}"
        " --scenes {input.scenes:q} --images {input.images:q} --out {output.scores:q}"
