rule publish:
    input:
        lambda w: dag.to_publish(w.stage),
    output:
        seal=local("data/seals/{stage}.json"),
    log:
        ".lvlmbench/log/publish/{stage}.log",
    benchmark:
        ".lvlmbench/benchmark/publish/{stage}.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=30,
    params:
        publish=dag.script("publish"),
        build=lambda w: dag.build(w.stage),
    message:
        "Publish {wildcards.stage}"
    shell:
        "{params.publish:q} {params.build:q} > {log:q} 2>&1"
        " || {{ tail -n 1 {log:q} >&2; exit 1; }}"


# Published files are links of the built ones, and Snakemake sets the time of each output, one after
# the other, then wants none to be older than an input. So at most the first output is an input by
# another name, and seals come last.
use rule publish as publish_metrics with:
    input:
        lambda w: [
            file
            for file in dag.to_publish(f"metrics/{w.suite}")
            if not file.endswith(("metrics.parquet", "metrics.json"))
        ],
    output:
        table=local("results/{suite}/metrics.parquet"),
        json=local("results/{suite}/metrics.json"),
        seal=local("data/seals/metrics/{suite}.json"),
    log:
        ".lvlmbench/log/publish/metrics/{suite}.log",
    benchmark:
        ".lvlmbench/benchmark/publish/metrics/{suite}.tsv"
    params:
        publish=dag.script("publish"),
        build=lambda w: dag.build(f"metrics/{w.suite}"),
    message:
        "Publish the metrics"


use rule publish as publish_audit with:
    input:
        lambda w: dag.to_publish(f"audit/{w.suite}"),
    output:
        table=local("results/{suite}/vocabulary_audit.csv"),
        seal=local("data/seals/audit/{suite}.json"),
    log:
        ".lvlmbench/log/publish/audit/{suite}.log",
    benchmark:
        ".lvlmbench/benchmark/publish/audit/{suite}.tsv"
    params:
        publish=dag.script("publish"),
        build=lambda w: dag.build(f"audit/{w.suite}"),
    message:
        "Publish the vocabulary audit"


use rule publish as publish_report with:
    input:
        dag.to_publish("report"),
    output:
        html=local("results/report.html"),
        seal=local("data/seals/report.json"),
    log:
        ".lvlmbench/log/publish/report.log",
    benchmark:
        ".lvlmbench/benchmark/publish/report.tsv"
    params:
        publish=dag.script("publish"),
        build=lambda w: dag.build("report"),
    message:
        "Publish the report"


ruleorder: publish_metrics > publish
ruleorder: publish_report > publish
ruleorder: publish_audit > publish
