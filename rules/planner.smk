rule planner:
    output:
        aspects="{build}/data/{suite}/planned_aspects/{planner}/part-00000.parquet",
        descriptions="{build}/data/{suite}/planned_descriptions/{planner}/part-00000.parquet",
        requests="{build}/data/{suite}/plan_requests/{planner}/part-00000.parquet",
    log:
        "{build}/log/planner-{suite}-{planner}.log",
    benchmark:
        "{build}/benchmark/planner-{suite}-{planner}.tsv"
    conda:
        "../envs/core.yaml"
    threads: dag.needs("planner", "threads")
    resources:
        mem_mb=dag.needs("planner", "memory_mb"),
        runtime=dag.needs("planner", "minutes"),
    params:
        job=dag.job("planner"),
        about=dag.about,
    message:
        "Have {wildcards.planner} plan aspects and pictures"
    shell:
        "exec {params.job:q} {wildcards.build:q} {log:q} {params.about:q}"
        " --aspects {output.aspects:q} --descriptions {output.descriptions:q}"
        " --requests {output.requests:q}"
