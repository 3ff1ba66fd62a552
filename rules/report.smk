rule report:
    input:
        metrics=lambda w: dag.given("report", "results/metrics.parquet"),
        audit=lambda w: dag.given("report", "results/vocabulary_audit.csv"),
        comparisons=lambda w: dag.given("report", "results/comparisons.parquet"),
        tables=lambda w: dag.given("report", parts.report_tables(dag.params)),
        figures=lambda w: dag.given("report", parts.stage_files(dag.params, "figures")),
        validity=lambda w: dag.given("report", parts.validity_files()),
        exports=lambda w: dag.given("report", parts.stage_files(dag.params, "exports")),
    output:
        html=local("{build}/results/report.html"),
    log:
        "{build}/log/report.log",
    benchmark:
        "{build}/benchmark/report.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        job=dag.job("report"),
        config=dag.config,
        root=dag.root,
        state=".lvlmbench",
    message:
        "Write the report"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --data {wildcards.build:q}/above/data --results {wildcards.build:q}/above/results"
        " --figures {wildcards.build:q}/above/results/figures"
        " --validity {wildcards.build:q}/above/results/validity"
        " --exports {wildcards.build:q}/above/results/exports"
        " --published {params.root:q}/data/published --state {params.state:q}"
        " --build {wildcards.build:q} --out {output.html:q}"
