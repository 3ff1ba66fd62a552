rule dialogue:
    input:
        tables=dag.all_tables("dialogue"),
    output:
        table="{build}/results/{suite}/dialogue.parquet",
    log:
        "{build}/log/dialogue-{suite}.log",
    benchmark:
        "{build}/benchmark/dialogue-{suite}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("dialogue", "threads")
    resources:
        mem_mb=dag.needs("dialogue", "memory_mb"),
        runtime=dag.needs("dialogue", "minutes"),
    params:
        job=dag.job("dialogue"),
        about=dag.about,
    message:
        "Compare answers of a dialogue with references"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --data {wildcards.build:q}/above/data/{wildcards.suite} --out {output.table:q}"
