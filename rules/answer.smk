from lvlmbench.engine.resources import answer_gpus, answer_memory_mb, answer_threads


rule answer:
    input:
        images=lambda w: dag.given(
            f"answer/{w.model}/{w.scenario}",
            parts.part(f"data/images/{w.scenario}", int(w.shard)),
        ),
        verdicts=lambda w: dag.given(
            f"answer/{w.model}/{w.scenario}",
            parts.verdict_parts(dag.params, int(w.shard)),
        ),
        questions=lambda w: dag.given(
            f"answer/{w.model}/{w.scenario}",
            parts.corpus_overlapping(dag.params, "questions", int(w.shard)),
        ),
        weights=lambda w: dag.given(
            f"answer/{w.model}/{w.scenario}", parts.model_weights(dag.params, w.model)
        ),
    output:
        answers="{build}/data/answers/{model}/{scenario}/part-{shard}.parquet",
    log:
        "{build}/log/answer-{model}-{scenario}-{shard}.log",
    benchmark:
        "{build}/benchmark/answer-{model}-{scenario}-{shard}.tsv"
    conda:
        "../envs/core.yaml"
    threads: lambda w: answer_threads(dag.params, w.model)
    resources:
        gpu=lambda w: answer_gpus(dag.params, w.model),
        mem_mb=lambda w: answer_memory_mb(dag.params, w.model, w.scenario),
        runtime=240,
    params:
        job=dag.job("answer"),
        config=dag.config,
    message:
        "Ask {wildcards.model} about the scenario {wildcards.scenario}: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --model {wildcards.model:q} --scenario {wildcards.scenario:q}"
        " --images {input.images:q} --verdicts {input.verdicts:q}"
        " --questions {input.questions:q} --weights {input.weights:q} --out {output.answers:q}"
