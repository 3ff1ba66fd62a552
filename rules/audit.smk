rule audit:
    input:
        scenes=lambda w: dag.given("audit", parts.corpus_parts(dag.params, "scenes")),
        questions=lambda w: dag.given("audit", parts.corpus_parts(dag.params, "questions")),
        verdicts=lambda w: dag.given("audit", parts.all_verdicts(dag.params)),
        consensus=lambda w: dag.given("audit", parts.part("data/consensus", 0)),
    output:
        audit="{build}/results/vocabulary_audit.csv",
    log:
        "{build}/log/audit.log",
    benchmark:
        "{build}/benchmark/audit.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        job=dag.job("audit"),
        config=dag.config,
    message:
        "Audit the vocabulary"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} --config {params.config:q}"
        " --scenes {input.scenes:q} --questions {input.questions:q}"
        " --verdicts {input.verdicts:q} --consensus {input.consensus:q} --out {output.audit:q}"
