from lvlmbench.stages.exports.stage import needed


rule exports:
    input:
        [local(f"data/seals/exports/{suite}.json") for suite in dag.suites],


rule exports_tables:
    input:
        dag.all_tables("exports"),
    output:
        touch("{build}/exports-{suite}.done"),
    localrule: True
    message:
        "The tables of the exports are there"


rule export:
    input:
        tables=lambda w: dag.tables("exports", w),
        needed=lambda w: [
            local(f"{w.build}/results/{w.suite}/exports/{name}/manifest.json")
            for name in needed(dag.params, w.export)
        ],
    output:
        # It stands for the files beside it, which no storage gets.
        manifest=local("{build}/results/{suite}/exports/{export}/manifest.json"),
    log:
        "{build}/log/export-{suite}-{export}.log",
    benchmark:
        "{build}/benchmark/export-{suite}-{export}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("exports", "threads")
    resources:
        mem_mb=dag.needs("exports", "memory_mb"),
        runtime=dag.needs("exports", "minutes"),
    params:
        job=dag.job("exports"),
        about=dag.about,
        folder=subpath(output.manifest, parent=True),
    message:
        "Write the snapshot for {wildcards.export}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --data {wildcards.build:q}/above/data/{wildcards.suite} --out {params.folder:q}"


rule exports_index:
    input:
        manifests=[
            local(f"{{build}}/results/{{suite}}/exports/{export}/manifest.json")
            for export in dag.project.exports.formats
        ],
    output:
        index=local("{build}/results/{suite}/exports/index.json"),
    log:
        "{build}/log/exports_index-{suite}.log",
    benchmark:
        "{build}/benchmark/exports_index-{suite}.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        job=dag.job("exports_index"),
        config=dag.config,
    message:
        "List the exports"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --manifests {input.manifests:q} --out {output.index:q}"
