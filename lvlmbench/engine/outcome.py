"""What a finished run has come to: scores, what was not answered, what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Project, validate
from lvlmbench.core.errors import UserError
from lvlmbench.snapshot.kept import WITHOUT

#: Models whose scores are told; the others are in the report.
_TOLD = 8
#: Columns that count answers without a score -> why they have none.
_REASONS = {"n_refused": "refused", "n_truncated": "cut off", "n_failed": "failed"}
_ALL = ("question_type", "subtask", "style", "perturbation", "severity", "level")


def outcome_lines(project: Project, report: Path) -> Iterator[str]:
    """The scores beside ``report``, what is to be asked again, where to look, what to do next."""
    for suite in project.suites:
        try:
            rows = tables.read([report.parent / suite / "metrics.parquet"], tables.METRICS)
        except UserError:
            continue
        totals = [
            row
            for row in rows.to_pylist()
            if row["metric"] == "total" and all(row[key] == "all" for key in _ALL)
        ]
        about = f"{suite}: " if len(project.suites) > 1 else ""
        params = project.suite(suite)
        which = params.statistics.questions
        told = [row for row in totals if row["questions"] == which]
        said = "" if which == "all" else f", {WITHOUT}"
        scenario = next(iter(params.scenarios.counted), "")
        yield from (about + line for line in _scores(scenario, told, said))
        asked = [row for row in totals if row["questions"] == "all"]
        yield from (about + line for line in _unanswered(asked))
    yield f"open in a browser: {report.resolve()}"
    own = {model.engine for model in project.answer.models}
    if own <= {model.engine for model in validate({}).answer.models}:
        yield 'next: ask your own model (README.md, "Evaluate your own model")'
    yield "read on: docs/report.md (what it shows), docs/configuration.md (what can be changed)"


def _scores(scenario: str, totals: Sequence[Mapping[str, Any]], what: str) -> Iterator[str]:
    found = {row["model"]: row["value"] for row in totals if row["scenario"] == scenario}
    order = sorted(found, key=lambda name: (found[name] is None, -(found[name] or 0.0)))
    said = [f"{n} {'none' if found[n] is None else format(found[n], '.1f')}" for n in order]
    if said:
        more = f" and {len(said) - _TOLD} more" if len(said) > _TOLD else ""
        yield f"scores ({scenario}, of 100{what}): {', '.join(said[:_TOLD])}{more}"


def _unanswered(totals: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each model some of whose answers are not scored, and what to do about them."""
    again = False
    for model in dict.fromkeys(row["model"] for row in totals):
        own = [row for row in totals if row["model"] == model]
        count = {key: sum(row[key] for row in own) for key in ("n", "n_unscored", *_REASONS)}
        left, reasons = count["n_unscored"], {_REASONS[key]: count[key] for key in _REASONS}
        reasons["with no answer that could be read"] = left - sum(reasons.values())
        said = ", ".join(f"{n:,} {reason}" for reason, n in reasons.items() if n > 0)
        if left:
            yield f"{model}: {left:,} of {count['n'] + left:,} answers are not scored: {said}"
        again = again or bool(count["n_truncated"] or count["n_failed"])
    if again:
        yield "'lvlmbench retry' has those asked again that failed or were cut off: docs/models.md"
