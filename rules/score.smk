rule score:
    input:
        answers=dag.reads("score", "data/{suite}/answers/{model}/{scenario}"),
        questions=dag.reads("score", "data/{suite}/questions"),
        scenes=dag.reads("score", "data/{suite}/scenes"),
        images=dag.reads("score", "data/{suite}/images/{scenario}"),
    output:
        scores="{build}/data/{suite}/scores/{model}/{scenario}/part-00000.parquet",
    log:
        "{build}/log/score-{suite}-{model}-{scenario}.log",
    benchmark:
        "{build}/benchmark/score-{suite}-{model}-{scenario}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("score", "threads")
    resources:
        mem_mb=dag.needs("score", "memory_mb"),
        runtime=dag.needs("score", "minutes"),
    params:
        job=dag.job("score"),
        about=dag.about,
    message:
        "Score the answers of {wildcards.model} in the scenario {wildcards.scenario}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --answers {input.answers:q} --questions {input.questions:q}"
        " --scenes {input.scenes:q} --images {input.images:q} --out {output.scores:q}"
