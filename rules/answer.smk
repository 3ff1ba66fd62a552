rule answer:
    input:
        images=dag.reads("answer", "data/{suite}/images/{scenario}"),
        verdicts=dag.reads("answer", "data/{suite}/verdicts"),
        questions=dag.reads("answer", "data/{suite}/questions"),
        weights=dag.weights("answer"),
        elsewhere=dag.of("answer", dag.paths.elsewhere("answer")),
    output:
        answers="{build}/data/{suite}/answers/{model}/{scenario}/part-{shard}.parquet",
    log:
        "{build}/log/answer-{suite}-{model}-{scenario}-{shard}.log",
    benchmark:
        "{build}/benchmark/answer-{suite}-{model}-{scenario}-{shard}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("answer", "threads")
    resources:
        gpu=dag.needs("answer", "gpus"),
        mem_mb=dag.needs("answer", "memory_mb"),
        runtime=dag.needs("answer", "minutes"),
    params:
        job=dag.job("answer"),
        about=dag.about,
    message:
        "Ask {wildcards.model} about the scenario {wildcards.scenario}: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --images {input.images:q} --verdicts {input.verdicts:q}"
        " --questions {input.questions:q} --weights {input.weights:q}"
        " --elsewhere {input.elsewhere:q} --out {output.answers:q}"
