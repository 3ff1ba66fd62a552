rule consensus:
    input:
        scores=lambda w: dag.given("consensus", parts.consensus_scores(dag.params)),
        questions=lambda w: dag.given("consensus", parts.corpus_parts(dag.params, "questions")),
    output:
        consensus="{build}/data/consensus/part-00000.parquet",
    log:
        "{build}/log/consensus.log",
    benchmark:
        "{build}/benchmark/consensus.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        job=dag.job("consensus"),
        config=dag.config,
    message:
        "See which questions the best models get wrong together"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --scores {input.scores:q} --questions {input.questions:q} --out {output.consensus:q}"
