rule audit:
    input:
        scenes=dag.reads("audit", "data/{suite}/scenes"),
        questions=dag.reads("audit", "data/{suite}/questions"),
        verdicts=dag.reads("audit", "data/{suite}/verdicts"),
        consensus=dag.reads("audit", "data/{suite}/consensus"),
    output:
        audit="{build}/results/{suite}/vocabulary_audit.csv",
    log:
        "{build}/log/audit-{suite}.log",
    benchmark:
        "{build}/benchmark/audit-{suite}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("audit", "threads")
    resources:
        mem_mb=dag.needs("audit", "memory_mb"),
        runtime=dag.needs("audit", "minutes"),
    params:
        job=dag.job("audit"),
        about=dag.about,
    message:
        "Audit the vocabulary"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --scenes {input.scenes:q} --questions {input.questions:q}"
        " --verdicts {input.verdicts:q} --consensus {input.consensus:q} --out {output.audit:q}"
