rule figures:
    input:
        local("data/seals/figures.json"),


rule figures_tables:
    # One mark stands for all tables: twenty figures times thousands of shards take long to plan.
    input:
        lambda w: dag.given("figures", parts.report_tables(dag.params)),
    output:
        touch("{build}/figures_tables.done"),
    localrule: True
    message:
        "The tables of the figures are there"


rule figure:
    input:
        metrics=lambda w: dag.given("figures", "results/metrics.parquet"),
        comparisons=lambda w: dag.given("figures", "results/comparisons.parquet"),
        tables=lambda w: dag.tables("figures", w.build, parts.report_tables(dag.params)),
        validity=lambda w: dag.given("figures", parts.validity_files()),
    output:
        pdf="{build}/results/figures/{figure}.pdf",
        svg="{build}/results/figures/{figure}.svg",
        csv="{build}/results/figures/{figure}.csv",
        tex="{build}/results/figures/{figure}.tex",
        json="{build}/results/figures/{figure}.json",
    log:
        "{build}/log/figure-{figure}.log",
    benchmark:
        "{build}/benchmark/figure-{figure}.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        job=dag.job("figures"),
        config=dag.config,
        root=dag.root,
    message:
        "Draw the figure {wildcards.figure}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --figure {wildcards.figure:q} --data {wildcards.build:q}/above/data"
        " --results {wildcards.build:q}/above/results"
        " --validity {wildcards.build:q}/above/results/validity"
        " --published {params.root:q}/data/published"
        # All files by name, not their folder: others draw into it at the same time.
        " --out {output:q}"
