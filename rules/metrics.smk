rule metrics:
    input:
        scores=lambda w: dag.given("metrics", parts.score_parts(dag.params)),
        consensus=lambda w: dag.given("metrics", parts.part("data/consensus", 0)),
        questions=lambda w: dag.given("metrics", parts.corpus_parts(dag.params, "questions")),
    output:
        table="{build}/results/metrics.parquet",
        json="{build}/results/metrics.json",
        plots=[f"{{build}}/results/plots/{name}" for name in parts.PLOTS],
    log:
        "{build}/log/metrics.log",
    benchmark:
        "{build}/benchmark/metrics.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        job=dag.job("metrics"),
        config=dag.config,
        plots=lambda w: f"{w.build}/results/plots",
    message:
        "Compute the metrics"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --scores {input.scores:q} --consensus {input.consensus:q}"
        " --questions {input.questions:q}"
        " --out-parquet {output.table:q} --out-json {output.json:q} --out-plots {params.plots:q}"


rule comparisons:
    input:
        scores=lambda w: dag.given("metrics", parts.score_parts(dag.params)),
    output:
        table="{build}/results/comparisons.parquet",
    log:
        "{build}/log/comparisons.log",
    benchmark:
        "{build}/benchmark/comparisons.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        job=dag.job("comparisons"),
        config=dag.config,
    message:
        "Compare models and scenarios"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --scores {input.scores:q} --out {output.table:q}"
