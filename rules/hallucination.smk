rule hallucination:
    input:
        tables=dag.all_tables("hallucination"),
    output:
        table="{build}/results/{suite}/hallucination.parquet",
    log:
        "{build}/log/hallucination-{suite}.log",
    benchmark:
        "{build}/benchmark/hallucination-{suite}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("hallucination", "threads")
    resources:
        mem_mb=dag.needs("hallucination", "memory_mb"),
        runtime=dag.needs("hallucination", "minutes"),
    params:
        job=dag.job("hallucination"),
        about=dag.about,
    message:
        "Tell what free answers make up and what they leave out"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --data {wildcards.build:q}/above/data/{wildcards.suite} --out {output.table:q}"
