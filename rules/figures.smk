rule figures:
    input:
        [local(f"data/seals/figures/{suite}.json") for suite in dag.suites],


rule figures_tables:
    # One mark stands for all tables: twenty figures times thousands of shards take long to plan.
    input:
        dag.all_tables("figures"),
    output:
        touch("{build}/figures-{suite}.done"),
    localrule: True
    message:
        "The tables of the figures are there"


rule figure:
    input:
        metrics=dag.reads("figures", "results/{suite}/metrics.parquet"),
        comparisons=dag.reads("figures", "results/{suite}/comparisons.parquet"),
        hallucination=dag.reads("figures", "results/{suite}/hallucination.parquet"),
        tables=lambda w: dag.tables("figures", w),
        validity=dag.reads("figures", "results/{suite}/validity"),
    output:
        pdf="{build}/results/{suite}/figures/{figure}.pdf",
        svg="{build}/results/{suite}/figures/{figure}.svg",
        csv="{build}/results/{suite}/figures/{figure}.csv",
        tex="{build}/results/{suite}/figures/{figure}.tex",
        json="{build}/results/{suite}/figures/{figure}.json",
    log:
        "{build}/log/figure-{suite}-{figure}.log",
    benchmark:
        "{build}/benchmark/figure-{suite}-{figure}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("figures", "threads")
    resources:
        mem_mb=dag.needs("figures", "memory_mb"),
        runtime=dag.needs("figures", "minutes"),
    params:
        job=dag.job("figures"),
        about=dag.about,
        root=dag.root,
    message:
        "Draw the figure {wildcards.figure}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --data {wildcards.build:q}/above/data/{wildcards.suite}"
        " --results {wildcards.build:q}/above/results/{wildcards.suite}"
        " --published {params.root:q}/data/published"
        # All files by name, not their folder: others draw into it at the same time.
        " --out {output:q}"
