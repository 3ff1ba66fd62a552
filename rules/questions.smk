from lvlmbench.stages.questions.shards import shown_parts


rule questions:
    input:
        scenes=dag.of(
            "questions", lambda params, w: [f"data/{w.suite}/scenes/part-{w.shard}.parquet"]
        ),
        layouts=dag.of(
            "questions",
            lambda params, w: [
                f"data/{w.suite}/layouts/clean/{part}"
                for part in shown_parts(params, int(w.shard))
            ],
        ),
        checks=dag.of(
            "questions",
            lambda params, w: [
                f"data/{w.suite}/attempt_checks/{part}"
                for part in shown_parts(params, int(w.shard))
            ],
        ),
        proposals=dag.reads("questions", "data/{suite}/proposals"),
    output:
        questions="{build}/data/{suite}/questions/part-{shard}.parquet",
        truth="{build}/data/{suite}/truth/part-{shard}.parquet",
        validation="{build}/data/{suite}/validation/part-{shard}.parquet",
    log:
        "{build}/log/questions-{suite}-{shard}.log",
    benchmark:
        "{build}/benchmark/questions-{suite}-{shard}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("questions", "threads")
    resources:
        mem_mb=dag.needs("questions", "memory_mb"),
        runtime=dag.needs("questions", "minutes"),
    params:
        job=dag.job("questions"),
        about=dag.about,
    message:
        "Ask questions about scenes: shard {wildcards.shard}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --shard {wildcards.shard} --scenes {input.scenes:q} --layouts {input.layouts:q}"
        " --checks {input.checks:q}"
        " --proposals {input.proposals:q}"
        " --out {output.questions:q} --truth-out {output.truth:q}"
        " --validation-out {output.validation:q}"
