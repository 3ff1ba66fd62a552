rule judge:
    input:
        answers=dag.reads("judge", "data/{suite}/answers/{model}/{scenario}"),
        questions=dag.reads("judge", "data/{suite}/questions"),
        scenes=dag.reads("judge", "data/{suite}/scenes"),
        layouts=dag.reads("judge", "data/{suite}/layouts/clean"),
        truth=dag.reads("judge", "data/{suite}/truth"),
    output:
        claims="{build}/data/{suite}/claims/{judge}/{model}/{scenario}/part-00000.parquet",
        matches="{build}/data/{suite}/matches/{judge}/{model}/{scenario}/part-00000.parquet",
        judgements="{build}/data/{suite}/judgements/{judge}/{model}/{scenario}/part-00000.parquet",
        pairwise="{build}/data/{suite}/pairwise/{judge}/{model}/{scenario}/part-00000.parquet",
        requests="{build}/data/{suite}/requests/{judge}/{model}/{scenario}/part-00000.parquet",
    log:
        "{build}/log/judge-{suite}-{judge}-{model}-{scenario}.log",
    benchmark:
        "{build}/benchmark/judge-{suite}-{judge}-{model}-{scenario}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("judge", "threads")
    resources:
        mem_mb=dag.needs("judge", "memory_mb"),
        runtime=dag.needs("judge", "minutes"),
    params:
        job=dag.job("judge"),
        about=dag.about,
    message:
        "Have {wildcards.judge} judge {wildcards.model} in the scenario {wildcards.scenario}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --answers {input.answers:q} --questions {input.questions:q} --scenes {input.scenes:q}"
        " --layouts {input.layouts:q} --truth {input.truth:q} --claims {output.claims:q}"
        " --matches {output.matches:q} --judgements {output.judgements:q}"
        " --pairwise {output.pairwise:q} --requests {output.requests:q}"
