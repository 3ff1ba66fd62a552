rule references:
    input:
        [local(f"data/seals/reference/{name}.json") for name in dag.params.reference.models],


rule reference:
    input:
        scenes=lambda w: dag.given(f"reference/{w.reference}", parts.reference_parts(dag.params)),
    output:
        *[f"{{build}}/data/reference/{{reference}}/{name}" for name in parts.FILES],
        metrics="{build}/results/reference/{reference}/metrics.json",
        loss="{build}/results/reference/{reference}/loss.csv",
    log:
        "{build}/log/reference-{reference}.log",
    benchmark:
        "{build}/benchmark/reference-{reference}.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=600,
    params:
        job=dag.job("reference"),
        config=dag.config,
        folder="{build}/data/reference/{reference}",
    message:
        "Train {wildcards.reference}; its progress is in {log}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --model {wildcards.reference:q} --scenes {input.scenes:q} --out {params.folder:q}"
        " --metrics-out {output.metrics:q} --loss-out {output.loss:q}"
