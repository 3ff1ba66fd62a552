from lvlmbench.stages.metrics.plots import FILES as PLOTS


rule metrics:
    input:
        scores=dag.reads("metrics", "data/{suite}/scores"),
        consensus=dag.reads("metrics", "data/{suite}/consensus"),
        questions=dag.reads("metrics", "data/{suite}/questions"),
        scenes=dag.reads("metrics", "data/{suite}/scenes"),
        hallucination=dag.reads("metrics", "results/{suite}/hallucination.parquet"),
        dialogue=dag.reads("metrics", "results/{suite}/dialogue.parquet"),
        requests=dag.reads(
            "metrics",
            "data/{suite}/plan_requests",
            "data/{suite}/image_requests",
            "data/{suite}/attempt_requests",
            "data/{suite}/check_requests",
            "data/{suite}/exam_requests",
            "data/{suite}/requests",
            "data/{suite}/answers",
        ),
    output:
        table="{build}/results/{suite}/metrics.parquet",
        agreement="{build}/results/{suite}/agreement.parquet",
        costs="{build}/results/{suite}/costs.parquet",
        json="{build}/results/{suite}/metrics.json",
        plots=[f"{{build}}/results/{{suite}}/plots/{name}" for name in PLOTS],
    log:
        "{build}/log/metrics-{suite}.log",
    benchmark:
        "{build}/benchmark/metrics-{suite}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("metrics", "threads")
    resources:
        mem_mb=dag.needs("metrics", "memory_mb"),
        runtime=dag.needs("metrics", "minutes"),
    params:
        job=dag.job("metrics"),
        about=dag.about,
        plots="{build}/results/{suite}/plots",
    message:
        "Compute the metrics"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --scores {input.scores:q} --consensus {input.consensus:q}"
        " --questions {input.questions:q} --scenes {input.scenes:q}"
        " --hallucination {input.hallucination:q} --dialogue {input.dialogue:q}"
        " --data {wildcards.build:q}/above/data/{wildcards.suite}"
        " --out-agreement {output.agreement:q} --out-costs {output.costs:q}"
        " --out-parquet {output.table:q} --out-json {output.json:q} --out-plots {params.plots:q}"


rule comparisons:
    input:
        scores=dag.reads("metrics", "data/{suite}/scores"),
        consensus=dag.reads("metrics", "data/{suite}/consensus"),
        questions=dag.reads("metrics", "data/{suite}/questions"),
        scenes=dag.reads("metrics", "data/{suite}/scenes"),
        judgements=dag.reads("metrics", "data/{suite}/judgements"),
        pairwise=dag.reads("metrics", "data/{suite}/pairwise"),
    output:
        table="{build}/results/{suite}/comparisons.parquet",
    log:
        "{build}/log/comparisons-{suite}.log",
    benchmark:
        "{build}/benchmark/comparisons-{suite}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("metrics", "threads")
    resources:
        mem_mb=dag.needs("metrics", "memory_mb"),
        runtime=60,
    params:
        job=dag.job("comparisons"),
        about=dag.about,
    message:
        "Compare models and scenarios"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --scores {input.scores:q} --consensus {input.consensus:q} --scenes {input.scenes:q}"
        " --questions {input.questions:q} --out {output.table:q}"
        " --data {wildcards.build:q}/above/data/{wildcards.suite}"
