from lvlmbench.stages.figures.stage import files_of, together


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
    # Some figures a job: most take a second, no more than a job takes to begin and to end.
    input:
        metrics=dag.reads("figures", "results/{suite}/metrics.parquet"),
        agreement=dag.reads("figures", "results/{suite}/agreement.parquet"),
        comparisons=dag.reads("figures", "results/{suite}/comparisons.parquet"),
        hallucination=dag.reads("figures", "results/{suite}/hallucination.parquet"),
        costs=dag.reads("figures", "results/{suite}/costs.parquet"),
        dialogue=dag.reads("figures", "results/{suite}/dialogue.parquet"),
        tables=lambda w: dag.tables("figures", w),
        beside=dag.of("figures", dag.paths.elsewhere("figures")),
        validity=dag.reads("figures", "results/{suite}/validity"),
    output:
        drawn="{build}/figures/{suite}-{batch}.zip",
    log:
        "{build}/log/figure-{suite}-{batch}.log",
    benchmark:
        "{build}/benchmark/figure-{suite}-{batch}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("figures", "threads")
    resources:
        mem_mb=dag.needs("figures", "memory_mb"),
        runtime=dag.needs("figures", "minutes"),
    params:
        job=dag.job("figures"),
        about=dag.about,
        names=lambda w: together(dag.params)[int(w.batch)],
        root=dag.root,
    message:
        "Draw figures: {params.names}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --figures {params.names:q}"
        " --data {wildcards.build:q}/above/data/{wildcards.suite}"
        " --results {wildcards.build:q}/above/results/{wildcards.suite}"
        " --published {params.root:q}/data/published --out {output.drawn:q}"


rule figures_unpacked:
    input:
        [f"{{build}}/figures/{{suite}}-{n}.zip" for n in range(len(together(dag.params)))],
    output:
        [
            f"{{build}}/results/{{suite}}/figures/{file}"
            for names in together(dag.params)
            for file in files_of(names)
        ],
    log:
        "{build}/log/figures_unpacked-{suite}.log",
    localrule: True
    conda:
        "../envs/core.yaml"
    params:
        script=dag.script("figures_unpacked"),
    message:
        "The figures are there"
    shell:
        "{params.script:q} --drawn {input:q} --out {output:q} > {log:q} 2>&1"
        " || {{ tail -n 1 {log:q} >&2; exit 1; }}"
