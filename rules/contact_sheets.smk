rule contact_sheets:
    output:
        local(touch(f"results/contact_sheets/.made-{dag.sheets}")),
    log:
        ".lvlmbench/log/contact_sheets.log",
    benchmark:
        ".lvlmbench/benchmark/contact_sheets.tsv"
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        script=dag.script("contact_sheets"),
        config=dag.config,
        folder=lambda w, output: str(Path(output[0]).parent),
        root=dag.root,
    message:
        "Draw the contact sheets"
    shell:
        "rm -rf {params.folder:q} && mkdir -p {params.folder:q}"
        " && PYTHONPATH={params.root:q} {params.script:q} --config {params.config:q}"
        " --out {params.folder:q} > {log:q} 2>&1"
        " || {{ tail -n 1 {log:q} >&2; exit 1; }}"
