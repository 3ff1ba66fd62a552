"""The page beside the report that tells about the run: time, memory, machine, versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lvlmbench.config import Project
from lvlmbench.stages.report import timings
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.formatting import environment
from lvlmbench.stages.report.page import style
from lvlmbench.stages.report.per_item import PerItem


def _facts(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the provenance says, in words; unknown where it says nothing."""
    code, host = found["code"], found["host"]
    commit = code["commit"] or "unknown: not a git checkout"
    if code["uncommitted_changes"]:
        commit += ", with changes that were not committed"
    facts = {
        "Snapshot": found["snapshot_id"],
        "Written": found["written"],
        "Commit": commit,
        "Machine": f"{host['name']} ({host['machine']}, {host['cores']} cores)",
        "System": host["system"],
        "Python": found["python"],
    }
    return [(name, str(value)) for name, value in facts.items()]


def render(
    params: Project,
    beside: Beside,
    provenance: Mapping[str, Any],
    per_item: Mapping[str, PerItem] | None = None,
) -> str:
    """The page as HTML text.

    Parameters
    ----------
    provenance
        As :func:`lvlmbench.stages.report.provenance.collect` gives it.
    per_item
        What an item of each exam took, as :func:`lvlmbench.stages.report.per_item.of_run` gives it.
    """
    stages = timings.build(beside.state, beside.build)
    template = environment().get_template("run_page.html.j2")
    return template.render(
        params=params,
        css=style(),
        stages=stages,
        per_item=per_item or {},
        total=timings.total(stages),
        facts=_facts(provenance),
        packages=provenance["packages"],
    )
