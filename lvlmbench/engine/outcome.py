"""What a finished run has come to: scores, what was not answered, what to do next."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.funnel import nothing_asked
from lvlmbench.analysis.headlines import (
    HEADLINE,
    KEYS,
    STRICT,
    HeadlineRow,
    headline_rows,
    ordered,
    silent_parts,
)
from lvlmbench.config import Params, Project, validate
from lvlmbench.config.headline import headline_of
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.models import guessing
from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError, printable
from lvlmbench.engine.retry import asked_again, outcomes
from lvlmbench.snapshot.kept import WITHOUT
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.replies.data import finish_meaning

#: Models whose scores are told; the others are in the report.
_TOLD = 8
#: Columns that count answers without a score -> why they have none.
_REASONS = {"n_refused": "refused", "n_truncated": "cut off", "n_failed": "failed"}
#: Columns of the answers table that tell of odd replies.
_REPLY = ["status", "finish_reason", "text", "reasoning"]
#: Reasons of failures that are told, the most frequent ones.
_WHY = 3
_CUT = "lvlmbench retry{} --truncated --max-tokens N"
_THEN = "then the same command once more (docs/models.md)"
#: What is said of failures that were asked again.
_NO_USE = (
    "asking once more will hardly help: look at the log of its server; they stay without a score "
    "(docs/models.md)"
)
#: What to do where no image is left to ask about.
_LOOSEN = (
    "see in the report's funnel where the images were lost, and change that (of filters: "
    "filter.filters, docs/filters.md), then the same command once more"
)
#: A metric whose row over everything counts all answers, whatever the headline counts.
_COUNTED = "n_refused"


def outcome_lines(project: Project, report: Path) -> Iterator[str]:
    """The scores beside ``report``, where to look, what to do next, what is to be asked again."""
    failed, guessers = set[str](), guessing(project.answer.models)
    cut, lost = set[str](), 0
    for suite in project.suites:
        try:
            rows = tables.read([report.parent / suite / "metrics.parquet"], tables.METRICS)
        except UserError:
            continue
        wanted = pa.array([HEADLINE, STRICT, _COUNTED])
        whole = rows.filter(pc.is_in(rows["metric"], value_set=wanted)).to_pylist()
        whole = [row for row in whole if all(row[key] == "all" for key in KEYS)]
        about = f"{suite}: " if len(project.suites) > 1 else ""
        params = project.suite(suite)
        which = params.statistics.questions
        silent = silent_parts(params, report.parent / suite)
        told = headline_rows(whole, params, which, silent)
        said = ", percent" if headline_of(params).percent else ""
        said += "" if which == "all" else f", {WITHOUT}"
        scenario = next(iter(params.scenarios.counted), "")
        yield from (about + line for line in _scores(scenario, told, said, guessers))
        if not told:
            why = why_none(params, report.parents[1])
            yield f"{about}no scores: {why or 'the report says what became of all questions'}"
            lost += bool(why)
        asked = [row for row in whole if row["questions"] == "all" and row["metric"] == _COUNTED]
        failed |= {row["model"] for row in asked if row["n_failed"]}
        cut |= {row["model"] for row in asked if row["n_truncated"]}
        yield from (about + line for line in _unanswered(asked))
    yield f"open in a browser: {report.resolve()}"
    own = {model.engine for model in project.answer.models}
    if lost:
        yield f"next: {_LOOSEN}"
    elif own <= {model.engine for model in validate({}).answer.models}:
        yield 'next: ask your own model (README.md, "Evaluate your own model")'
    if lost < len(project.suites):
        yield "read on: docs/report.md (what it shows), docs/configuration.md (what can be changed)"
    if cut:
        command = _CUT.format(_there("directory", report.parents[1]))
        yield f"'{command}' ({_number(project, cut)}) asks again what was cut off, {_THEN}"
    yield from remarks(project, report.parent.parent)
    yield from failure_lines(project, report.parent.parent, failed)


def _there(option: str, root: Path) -> str:
    """Return an option that names the folder of a run; empty where it is the project's own, in
    which commands are typed."""
    if (root / "dvc.yaml").is_file():
        return ""
    here = os.path.relpath(root.resolve(), PROJECT_ROOT)
    return f" --{option} {shlex.quote(str(root.resolve()) if here.startswith('..') else here)}"


def _number(project: Project, cut: Collection[str]) -> str:
    """Which number of tokens is to be named: one that is above what was tried in vain."""
    ends = [m.find(Endpoint) for m in project.answer.models if m.name in cut]
    asked = [end.sampling for end in ends if end is not None]
    tried = [each.max_tokens_if_cut or each.max_tokens for each in asked]
    return f"with a number above {max(tried):,}, the limit so far" if tried else "with a number"


def why_none(params: Params, root: Path) -> str:
    """Return why nothing was asked of a suite below ``root``; empty where something was, or where
    its tables lie elsewhere.
    """
    try:
        return nothing_asked(Snapshot(params, root / tables.DATA / params.suite))
    except UserError:
        return ""


def failure_lines(
    project: Project, root: Path = Path(), models: Collection[str] | None = None
) -> list[str]:
    """Return a line for each model some of whose requests failed: how many, why, what to do.

    Parameters
    ----------
    root
        Folder that holds what was published.
    models
        Those to look at; None: all.
    """
    lines, before, there = [], asked_again(root), _there("directory", root)
    for model in project.answer.models:
        if models is not None and model.name not in models:
            continue
        folders = [root / "data" / suite / "answers" / model.name for suite in project.suites]
        came, failed = outcomes(each for folder in folders for each in sorted(folder.glob("*")))
        if not failed:
            continue
        why = Counter(failed.values())
        said = "; ".join(f"{printable(reason)} ({n:,})" for reason, n in why.most_common(_WHY))
        more = "; ..." if len(why) > _WHY else ""
        n, every = why.total(), amount(came + why.total(), "question")
        line = f"{every} asked, {n:,} failed"
        then = f"'lvlmbench retry{there} --model {model.name}' asks these again, {_THEN}"
        known = before.get(model.name, {})
        if known.keys() == failed.keys() and not why.keys().isdisjoint(known.values()):
            same = ", in the same way" if known == failed else ""
            line, then = f"{n:,} of {every} failed again{same}", _NO_USE
        lines.append(f"{model.name}: {line}: {said}{more}; {then}")
    return lines


def remarks(project: Project, root: Path) -> Iterator[str]:
    """Yield what to know of replies that count: finish reasons that no list holds, answers that
    stand in the field for thoughts, judges that judged nothing.

    Parameters
    ----------
    root
        Folder that holds what was published.
    """
    for model in project.answer.models:
        kind = model.made_by()
        if kind is not None and kind.served:
            folders = [root / "data" / suite / "answers" / model.name for suite in project.suites]
            yield from _odd_replies(model.name, folders)
    for suite in project.suites:
        for judge in project.judge.judges:
            folder = root / "data" / suite / "judgements" / judge.name
            yield from _judged_nothing(f"{suite}: judge {judge.name}", folder)


def _tables(folder: Path, columns: list[str]) -> Iterator[pa.Table]:
    """Columns of the shards below a folder; what cannot be read is left out."""
    for file in sorted(folder.glob("**/part-*.parquet")):
        with suppress(UserError), tables.open_shard(file) as shard:
            yield shard.read(columns=columns)


def _odd_replies(name: str, folders: Sequence[Path]) -> Iterator[str]:
    reasons: Counter[str] = Counter()
    hidden = 0
    for rows in (found for folder in folders for found in _tables(folder, _REPLY)):
        reasons.update(rows["finish_reason"].drop_null().to_pylist())
        bare = pc.equal(pc.utf8_trim_whitespace(pc.fill_null(rows["text"], "")), "")
        whole = pc.equal(rows["status"], "answered")
        hidden += pc.sum(pc.and_(pc.and_(bare, whole), pc.is_valid(rows["reasoning"]))).as_py() or 0
    unknown = {why: n for why, n in reasons.items() if finish_meaning(why) is None}
    if unknown:
        said = ", ".join(f"'{printable(why)}' ({n:,})" for why, n in sorted(unknown.items()))
        yield (
            f"{name}: {amount(sum(unknown.values()), 'answer')} ended with a finish reason that is "
            f"not known: {said}; they count as whole; add it to data/replies/finish_reasons.yaml"
        )
    if hidden:
        yield (
            f"{name}: {amount(hidden, 'answer is', 'answers are')} empty, with text in the field "
            "for reasoning; set its server's reasoning parser, or its limit of tokens "
            "(docs/models.md)"
        )


def _judged_nothing(name: str, folder: Path) -> Iterator[str]:
    statuses: Counter[str] = Counter()
    why: Counter[str] = Counter()
    for rows in _tables(folder, ["status", "why"]):
        asked = rows.filter(pc.not_equal(rows["status"], "unanswered"))
        statuses.update(asked["status"].to_pylist())
        why.update(asked["why"].drop_null().to_pylist())
    if statuses and not statuses["judged"]:
        said = "; ".join(f"{printable(each)} ({n:,})" for each, n in why.most_common(_WHY))
        yield f"{name}: judged none of {amount(statuses.total(), 'answer')}: {said}"


def _scores(
    scenario: str, found: Sequence[HeadlineRow], what: str, guessers: Collection[str]
) -> Iterator[str]:
    """The headlines of a scenario, the best first, in the words of the report."""
    own, why = ordered((row for row in found if row.scenario == scenario), guessers)
    if not own:
        return
    more = f" and {len(own) - _TOLD} more" if len(own) > _TOLD else ""
    if len({row.text for row in own}) == 1 and own[0].value is None:
        said = own[0].text
    else:
        said = "; ".join(f"{row.model} {row.text}" for row in own[:_TOLD]) + more
    yield f"{own[0].label} ({scenario}{what}): {said}"
    if why:
        yield f"models stand {why}"


def _unanswered(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each model some of whose answers are not scored."""
    for model in dict.fromkeys(row["model"] for row in rows):
        own = [row for row in rows if row["model"] == model]
        count = {key: sum(row[key] for row in own) for key in ("n", "n_unscored", *_REASONS)}
        left, reasons = count["n_unscored"], {_REASONS[key]: count[key] for key in _REASONS}
        reasons["with no answer that could be read (docs/models.md)"] = left - sum(reasons.values())
        said = ", ".join(f"{n:,} {reason}" for reason, n in reasons.items() if n > 0)
        if left:
            yield f"{model}: {left:,} of {count['n'] + left:,} answers are not scored: {said}"
