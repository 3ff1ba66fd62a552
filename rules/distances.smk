rule distances:
    input:
        images=lambda w: dag.given("distances", parts.validity_images(dag.params)),
        scenes=lambda w: dag.given("distances", parts.corpus_parts(dag.params, "scenes")),
        weights=lambda w: dag.given("distances", parts.validity_weights(dag.params)),
    output:
        distances="{build}/results/validity/distances.csv",
        sets="{build}/results/validity/image_sets.csv",
    log:
        "{build}/log/distances.log",
    benchmark:
        "{build}/benchmark/distances.tsv"
    conda:
        "../envs/core.yaml"
    threads: 2
    resources:
        mem_mb=3000,
        runtime=120,
    params:
        job=dag.job("distances"),
        config=dag.config,
    message:
        "Measure how far image sets are from each other"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --data {wildcards.build:q}/above/data --weights {input.weights:q}"
        " --distances-out {output.distances:q} --sets-out {output.sets:q}"
