# With a storage, which docs/clusters.md is about, what is published and jobs elsewhere read is put
# there once, by its hash. Without one, nothing asks for this.
rule offer:
    input:
        lambda w: ancient(local(w.path)),
    output:
        ".lvlmbench/offered/{hash}/{path}",
    log:
        local(".lvlmbench/log/offer/{hash}/{path}.log"),
    wildcard_constraints:
        hash=r"[0-9a-f]{32}",
        path=r"(data|results)/.+",
    conda:
        "../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=30,
    message:
        "Offer {wildcards.path}"
    # A copy: Snakemake sets the time of what it has stored.
    shell:
        "cp {input:q} {output:q} 2> {log:q}"
