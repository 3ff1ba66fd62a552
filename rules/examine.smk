rule examine:
    input:
        scenes=dag.reads("examine", "data/{suite}/scenes"),
        layouts=dag.reads("examine", "data/{suite}/layouts/clean"),
        truth=dag.reads("examine", "data/{suite}/truth"),
    output:
        exam="{build}/data/{suite}/judge_exam/part-00000.parquet",
    log:
        "{build}/log/examine-{suite}.log",
    benchmark:
        "{build}/benchmark/examine-{suite}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("examine", "threads")
    resources:
        mem_mb=dag.needs("examine", "memory_mb"),
        runtime=dag.needs("examine", "minutes"),
    params:
        job=dag.job("examine"),
        about=dag.about,
    message:
        "Examine the judges on answers with planted truth"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --scenes {input.scenes:q} --layouts {input.layouts:q} --truth {input.truth:q}"
        " --out {output.exam:q}"
