from lvlmbench.stages.reference.folder import FILES


rule references:
    input:
        [local(f"data/seals/reference/{name}.json") for name in dag.project.reference.models],


rule reference:
    input:
        scenes=dag.reads("reference", "data/reference/scenes"),
    output:
        *[f"{{build}}/data/reference/{{reference}}/{name}" for name in FILES],
        metrics="{build}/results/reference/{reference}/metrics.json",
        loss="{build}/results/reference/{reference}/loss.csv",
    log:
        "{build}/log/reference-{reference}.log",
    benchmark:
        "{build}/benchmark/reference-{reference}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("reference", "threads")
    resources:
        mem_mb=dag.needs("reference", "memory_mb"),
        runtime=dag.needs("reference", "minutes"),
    params:
        job=dag.job("reference"),
        about=dag.about,
        folder="{build}/data/reference/{reference}",
    message:
        "Train {wildcards.reference}; its progress is in {log}"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --model {wildcards.reference:q} --scenes {input.scenes:q} --out {params.folder:q}"
        " --metrics-out {output.metrics:q} --loss-out {output.loss:q}"
