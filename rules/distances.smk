rule distances:
    input:
        images=dag.reads("distances", "data/{suite}/images", "data/{suite}/verdicts"),
        scenes=dag.reads("distances", "data/{suite}/scenes"),
        weights=dag.weights("distances"),
    output:
        distances="{build}/results/{suite}/validity/distances.csv",
        sets="{build}/results/{suite}/validity/image_sets.csv",
    log:
        "{build}/log/distances-{suite}.log",
    benchmark:
        "{build}/benchmark/distances-{suite}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("distances", "threads")
    resources:
        mem_mb=dag.needs("distances", "memory_mb"),
        runtime=dag.needs("distances", "minutes"),
    params:
        job=dag.job("distances"),
        about=dag.about,
    message:
        "Measure how far image sets are from each other"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --data {wildcards.build:q}/above/data/{wildcards.suite} --weights {input.weights:q}"
        " --distances-out {output.distances:q} --sets-out {output.sets:q}"
