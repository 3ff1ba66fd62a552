rule check:
    input:
        scenes=dag.reads("check", "data/{suite}/scenes"),
        layouts=dag.reads("check", "data/{suite}/layouts/clean"),
        images=dag.reads("check", "data/{suite}/rendered"),
        checks=dag.reads("check", "data/{suite}/attempt_checks"),
    output:
        answers="{build}/data/{suite}/check_answers/{validator}/part-00000.parquet",
        requests="{build}/data/{suite}/check_requests/{validator}/part-00000.parquet",
    log:
        "{build}/log/check-{suite}-{validator}.log",
    benchmark:
        "{build}/benchmark/check-{suite}-{validator}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("check", "threads")
    resources:
        mem_mb=dag.needs("check", "memory_mb"),
        runtime=dag.needs("check", "minutes"),
    params:
        job=dag.job("check"),
        about=dag.about,
    message:
        "Have {wildcards.validator} check pictures"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --scenes {input.scenes:q} --layouts {input.layouts:q} --images {input.images:q}"
        " --checks {input.checks:q}"
        " --answers {output.answers:q} --requests {output.requests:q}"
