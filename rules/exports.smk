rule exports:
    input:
        local("data/seals/exports.json"),


rule exports_tables:
    input:
        lambda w: dag.given("exports", parts.export_tables(dag.params)),
    output:
        touch("{build}/exports_tables.done"),
    localrule: True
    message:
        "The tables of the exports are there"


rule export:
    input:
        tables=lambda w: dag.tables("exports", w.build, parts.export_tables(dag.params)),
        needed=lambda w: [
            local(f"{w.build}/{f}") for f in parts.needed_exports(dag.params, w.export)
        ],
    output:
        # It stands for the files beside it, which no storage gets.
        manifest=local("{build}/results/exports/{export}/manifest.json"),
    log:
        "{build}/log/export-{export}.log",
    benchmark:
        "{build}/benchmark/export-{export}.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=240,
    params:
        job=dag.job("exports"),
        config=dag.config,
        folder=subpath(output.manifest, parent=True),
    message:
        "Write the snapshot for {wildcards.export}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --export {wildcards.export:q} --data {wildcards.build:q}/above/data"
        " --out {params.folder:q}"


rule exports_index:
    input:
        manifests=[
            local(f"{{build}}/results/exports/{export}/manifest.json")
            for export in dag.params.exports.formats
        ],
    output:
        index=local("{build}/results/exports/index.json"),
    log:
        "{build}/log/exports_index.log",
    benchmark:
        "{build}/benchmark/exports_index.tsv"
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
