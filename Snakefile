# The whole DAG. Which stages there are and what they read and make stands in lvlmbench/stages; what is
# up to date, and why the paths below start with {build}, is told in docs/running.md.
import os
import sys
from itertools import chain
from pathlib import Path

from snakemake import benchmark
from snakemake.utils import min_version

from lvlmbench.engine import warm
from lvlmbench.engine.failures import say_at_exit, say_last, say_of_a_plan
from lvlmbench.engine.forced import check_targets, dry_run, forced, meant_lines, nothing
from lvlmbench.engine.outcome import failure_lines
from lvlmbench.engine.preflight.kinds import lacking
from lvlmbench.engine.process import Interrupts
from lvlmbench.engine.resources import gpus_here
from lvlmbench.engine.setup import Dag
from lvlmbench.engine.storage import Storage
from lvlmbench.engine.under_way import left_out, note_begun, trial_left
from lvlmbench.engine.messages import (
    Teller,
    jobs_of,
    left_lines,
    made_line,
    plan_lines,
    reason_lines,
)
from lvlmbench.stages.stage import declared

min_version("9.0")

ROOT = Path(workflow.basedir)

# What a job takes is counted by the kernel (lvlmbench/engine/measured.py). Snakemake would go through
# all processes of the machine twice a second besides, for each job.
benchmark.BENCHMARK_INTERVAL_SHORT = benchmark.BENCHMARK_INTERVAL

# Wrong parameters end here, with one line, before there is a DAG.
asked = os.environ.get("LVLMBENCH_STAGE", "").splitlines() or None
files = workflow.overwrite_configfiles if workflow.is_main_process else ()
force = forced(sys.argv) if workflow.is_main_process else nothing
dag = Dag.open(ROOT, config, asked, lambda: Storage.of(workflow, local), map(Path, files), force)

dag.timeless = ancient
if "conda" in map(str, getattr(workflow.deployment_settings, "deployment_method", ())):
    dag.python = "python"

# Who wants no word of Snakemake (make report) is told in one line how the run goes.
teller, interrupts = None, Interrupts()
if workflow.is_main_process:
    check_targets(sys.argv, dag.plan.status)
    teller = Teller.listening(logger, workflow)
    for line in (*left_out(dag.layers.given()), *trial_left(ROOT)) if asked is None else ():
        print(line, file=sys.stderr)
    reasons = reason_lines(dag.plan.status, short=True) if dry_run(sys.argv) else []
    for line in reason_lines(dag.plan.status) if teller is None else ():
        if line not in reasons:  # which a dry run ends with
            print(line, file=sys.stderr)
    to_do = asked is None and dag.plan.sources()
    last = lacking(dag.params, dag.source, dag.layers) if to_do else ()
    left = left_lines(workflow, dag.plan.status)
    told = (line for line in chain(reasons, left, last) if workflow.dryrun)
    plan_ends = say_of_a_plan(told, meant_lines(sys.argv, dag.plan.stages.values()), logger)
    workflow.register_envvars(*dag.hand_over())
else:
    dag.follow()

# A job that wants a GPU starts once one is free. Where none is to be seen, Snakemake knows no limit:
# such a job then runs on the CPU, or says in one line what it lacks. On a cluster, the scheduler
# gives out GPUs.
if (
    workflow.is_main_process
    and workflow.local_exec
    and "gpu" not in workflow.global_resources
    and (found := gpus_here(dag.project))
):
    workflow.register_resource("gpu", found)


onstart:
    plan_ends()
    interrupts.heed(workflow.local_exec)
    try:
        dag.start(here=workflow.local_exec)
    except SystemExit:
        if dag.storage is not None:
            workflow.scheduler._executor.cancel()  # or a cluster would keep the run's Secret
        raise
    jobs = jobs_of(workflow)
    note_begun(jobs, dag.layers.given())
    if workflow.local_exec:
        # Under a limit of jobs a second, Snakemake looks for jobs again a second after each look, and
        # once more for each job that ended: of hundreds of jobs that takes a core, and none nears it.
        workflow.scheduler.job_rate_limiter = None
        cores = workflow.resource_settings.cores or 1
        dag.begun = jobs
        for line in plan_lines(dag.project, jobs, cores):
            print(line, file=sys.stderr)
        if teller is not None:
            teller.begin(dag.project, jobs, cores)
        if dag.python == sys.executable:
            dag.warmed = warm.begin(ROOT, len(jobs))


onsuccess:
    warm.end(dag.warmed)
    if teller is not None:
        teller.succeeded(Path("results/report.html"))
    else:
        say_last([*([made_line(dag.begun)] if dag.begun else []), *failure_lines(dag.project)])


onerror:
    warm.end(dag.warmed)
    if teller is not None:
        teller.failed(interrupts)
    else:
        say_at_exit(interrupts.came)
    if dag.storage is not None:
        print(dag.storage.told, file=sys.stderr)


wildcard_constraints:
    build=r"\.lvlmbench/build/[0-9a-f]{16}",
    shard=r"\d{5}",
    suite=dag.one_of(dag.suites),
    filter=dag.one_of(dag.project.filter.names),
    examiner=dag.one_of(m.name for m in dag.project.examiner.examiners),
    validator=dag.one_of(m.name for m in dag.project.validator.validators),
    planner=dag.one_of(dag.project.examiner.planners),
    model=dag.one_of(m.name for m in dag.project.answer.models),
    judge=dag.one_of({j.name for p in dag.suites.values() for j in p.judge.judges}),
    reference=dag.one_of(dag.project.reference.models),
    export=dag.one_of(dag.project.exports.formats),
    batch=r"\d+",
    scenario=dag.one_of({"clean", *(n for p in dag.suites.values() for n in p.scenarios.names)}),


localrules:
    all,
    asked,
    publish,
    publish_audit,
    publish_metrics,
    publish_report,
    figures,
    exports,
    references,
    offer,


rule all:
    input:
        local("results/report.html"),


# What DVC asks for.
rule asked:
    input:
        [local(seal) for seal in dag.seals_asked()],


for stage in declared():

    include: f"rules/{stage}.smk"


include: "rules/publish.smk"
include: "rules/contact_sheets.smk"
include: "rules/storage.smk"
