rule report:
    input:
        tables=dag.all_tables("report"),
        results=dag.reads(
            "report",
            "results/{suite}/metrics.parquet",
            "results/{suite}/vocabulary_audit.csv",
            "results/{suite}/comparisons.parquet",
            "results/{suite}/agreement.parquet",
            "results/{suite}/costs.parquet",
            "results/{suite}/hallucination.parquet",
            "results/{suite}/dialogue.parquet",
            "results/{suite}/figures",
            "results/{suite}/validity",
            "results/{suite}/exports",
        ),
    output:
        html=local("{build}/results/report.html"),
    log:
        "{build}/log/report.log",
    benchmark:
        "{build}/benchmark/report.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("report", "threads")
    resources:
        mem_mb=dag.needs("report", "memory_mb"),
        runtime=dag.needs("report", "minutes"),
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
        " --published {params.root:q}/data/published --state {params.state:q}"
        " --build {wildcards.build:q} --out {output.html:q}"
