rule examiner:
    input:
        scenes=dag.reads("examiner", "data/{suite}/scenes"),
        layouts=dag.reads("examiner", "data/{suite}/layouts/clean"),
        aspects=dag.reads("examiner", "data/{suite}/planned_aspects"),
        checks=dag.reads("examiner", "data/{suite}/attempt_checks"),
    output:
        proposals="{build}/data/{suite}/proposals/{examiner}/part-00000.parquet",
        requests="{build}/data/{suite}/exam_requests/{examiner}/part-00000.parquet",
    log:
        "{build}/log/examiner-{suite}-{examiner}.log",
    benchmark:
        "{build}/benchmark/examiner-{suite}-{examiner}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("examiner", "threads")
    resources:
        mem_mb=dag.needs("examiner", "memory_mb"),
        runtime=dag.needs("examiner", "minutes"),
    params:
        job=dag.job("examiner"),
        about=dag.about,
    message:
        "Have {wildcards.examiner} write questions"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --scenes {input.scenes:q} --layouts {input.layouts:q}"
        " --aspects {input.aspects:q} --checks {input.checks:q}"
        " --proposals {output.proposals:q} --requests {output.requests:q}"
