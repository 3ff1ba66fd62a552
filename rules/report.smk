rule figures:
    input:
        metrics=lambda w: dag.given("report", "results/metrics.parquet"),
        tables=lambda w: dag.given("report", parts.report_tables(dag.params)),
    output:
        # Not directory(): Snakemake would leave a file of its own among the figures.
        done=touch("{build}/figures.done"),
    log:
        "{build}/log/figures.log",
    benchmark:
        "{build}/benchmark/figures.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        job=dag.job("figures"),
        config=dag.config,
        figures=lambda w: f"{w.build}/results/figures",
    message:
        "Draw the figures"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --data {wildcards.build:q}/above/data --metrics {input.metrics:q}"
        " --out {params.figures:q}"


rule report:
    input:
        metrics=lambda w: dag.given("report", "results/metrics.parquet"),
        audit=lambda w: dag.given("report", "results/vocabulary_audit.csv"),
        comparisons=lambda w: dag.given("report", "results/comparisons.parquet"),
        tables=lambda w: dag.given("report", parts.report_tables(dag.params)),
        done="{build}/figures.done",
    output:
        html="{build}/results/report.html",
    log:
        "{build}/log/report.log",
    benchmark:
        "{build}/benchmark/report.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        job=dag.job("report"),
        config=dag.config,
        figures=lambda w: f"{w.build}/results/figures",
    message:
        "Write the report"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --data {wildcards.build:q}/above/data --metrics {input.metrics:q}"
        " --audit {input.audit:q} --comparisons {input.comparisons:q}"
        " --figures {params.figures:q} --out {output.html:q}"
