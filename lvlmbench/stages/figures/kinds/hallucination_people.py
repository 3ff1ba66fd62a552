"""How faithful and complete answers are by the judge and by people, and how far both agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from lvlmbench.analysis.hallucinated import ALL
from lvlmbench.analysis.judged import first_judge, told_of
from lvlmbench.analysis.labels import plain
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.labelling.agreement import most_say
from lvlmbench.labelling.given import read_folder
from lvlmbench.labelling.kinds import claims, features
from lvlmbench.labelling.sheet import RIGHT, UNCLEAR
from lvlmbench.scene.claims import TRUE
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import latex, tabular
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.published_table import read_table
from lvlmbench.stages.figures.published_valor import SUBSETS
from lvlmbench.stages.figures.tabular import Cell, Column, Heading, Row, Table
from lvlmbench.stats.correlation import pearson
from lvlmbench.stats.ratios import mean

_DASH = "\N{EN DASH}"
_FAITHFUL, _COVERED = "faithfulness", "coverage"
_HEADS = {_FAITHFUL: "Faithfulness", _COVERED: "Coverage"}
_PUBLISHED = "published by VALOR-Eval (answers of InstructBLIP to photographs)"
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("source", "judge", "model", "subtask", "measure")),
        *((name, pa.int64()) for name in ("answers", "partly_labelled")),
        *((name, pa.float64()) for name in ("by_judge", "by_people", "pearson", "low", "high")),
    ]
)
_NOTES = (
    "By the judge and by people: means over answers, in percent, of the same claims or features. r "
    "is Pearson's correlation of both over answers, with 95% intervals clustered by scene; a dash: "
    "fewer than three answers, or one side is the same for all.",
    "Faithfulness: people say of each claim that the judge reads whether it is true. Coverage: "
    "they say of each feature that an answer owes whether the answer states it. What more than "
    "half say counts; what is unclear is left out on both sides. n is the answers of which people "
    "have labelled all claims or all features; others do not count.",
)


@dataclass(frozen=True)
class _Answer:
    """Shares of one answer, by the judge and by people; None where not all of it is labelled."""

    model: str
    subtask: str
    cluster: str
    measure: str
    shares: tuple[float, float] | None


@figure(
    "hallucination_people",
    "How far the judge agrees with people on how faithful and complete answers are",
    "VALOR-Eval, table 4",
)
def hallucination_people(sources: Sources) -> Drawn:
    """Correlate the first judge's faithfulness and coverage of answers with people's, by what was
    to be described and by model (VALOR-Eval, table 4).

    Raises
    ------
    UserError
        A file of labels is damaged, or published results are asked for and theirs is missing.
    """
    snapshot = sources.snapshot
    judge = first_judge(snapshot)
    if judge is None:
        raise NotApplicable("No free answer was held against its picture.")
    found = list(_answers(snapshot, judge, PROJECT_ROOT / snapshot.params.labels.folder))
    if not any(each.shares for each in found):
        raise NotApplicable(
            "Of no answer have people labelled all claims or all features: 'lvlmbench label export "
            f"{claims.SHEET}' and 'lvlmbench label export {features.SHEET}' write the sheets."
        )
    rows: list[dict[str, Any]] = []
    lines: list[Row | Heading] = []

    def line(name: str, model: str, subtask: str) -> None:
        mine = [
            {"source": "snapshot", "judge": judge, "model": model, "subtask": subtask}
            | _row(measure, found, model, subtask)
            for measure in _HEADS
        ]
        rows.extend(mine)
        lines.append(_line(name, mine))

    for subtask in sorted({each.subtask for each in found}, key=subtask_order):
        line(plain(subtask), ALL, subtask)
    line("All", ALL, ALL)
    lines.append(Heading("By model"))
    for model in dict.fromkeys(each.model for each in found):
        line(model, model, ALL)
    if snapshot.params.figures.published:
        given = _published(sources.published)
        rows += given
        lines.append(Heading(_PUBLISHED))
        for name in dict.fromkeys(row["subtask"] for row in given):
            own = [row for row in given if row["subtask"] == name]
            lines.append(_line(SUBSETS.get(name, name), own, muted=True))
    columns = [Column("Answers about", "left")]
    for head in _HEADS.values():
        columns += [Column(name, group=head) for name in ("Judge", "People", "r")]
    made = Table("Agreement with people", columns, lines, _NOTES)
    return Drawn(tabular.draw(made), pa.Table.from_pylist(rows, _SCHEMA), latex.tabular(made))


def _answers(snapshot: Snapshot, judge: str, labels: Path) -> Iterator[_Answer]:
    """Faithfulness and coverage of each judged answer of which people have labelled something."""
    of_claims, of_features = (
        most_say(read_folder(labels, snapshot.params.suite, sheet))
        for sheet in (claims.SHEET, features.SHEET)
    )
    if not of_claims and not of_features:
        return
    key = ("model", "question_id", "image_id")
    said = {
        (*(row[name] for name in key), row["claim"]): item.item_id
        for row, item in claims.said(snapshot, judge)
        if item.item_id in of_claims
    }
    for row, told in told_of(snapshot, judge):
        answer = tuple(row[name] for name in key)
        about = row["model"], row["subtask"], snapshot.clusters.get(told.scene, told.scene)
        stated = [
            (match.verdict in TRUE, of_claims.get(said.get((*answer, claim.number), "")))
            for claim, match in told.scored
        ]
        owed = [
            (covers, of_features.get(item.item_id))
            for covers, item in features.owed(row, told)
            if covers is not None
        ]
        for measure, both in ((_FAITHFUL, stated), (_COVERED, owed)):
            if any(label is not None for _, label in both):
                yield _Answer(*about, measure, _shares(both))


def _shares(both: Sequence[tuple[bool, str | None]]) -> tuple[float, float] | None:
    """The share that the judge finds right and that people do, of what people can tell; None where
    a label is missing, or nothing can be told."""
    told = [(yes, label == RIGHT) for yes, label in both if label != UNCLEAR]
    if not told or any(label is None for _, label in both):
        return None
    by_judge, by_people = (sum(side) / len(told) for side in zip(*told, strict=True))
    return by_judge, by_people


def _row(measure: str, found: Sequence[_Answer], model: str, subtask: str) -> dict[str, Any]:
    mine = [
        each
        for each in found
        if each.measure == measure and model in (ALL, each.model) and subtask in (ALL, each.subtask)
    ]
    pairs = [(each.shares, each.cluster) for each in mine if each.shares is not None]
    row: dict[str, Any] = {
        "measure": measure, "answers": len(pairs), "partly_labelled": len(mine) - len(pairs)
    }  # fmt: skip
    if pairs:
        shares, clusters = (list(side) for side in zip(*pairs, strict=True))
        means = (round(100 * mean(side), 6) for side in zip(*shares, strict=True))
        row |= zip(("by_judge", "by_people"), means, strict=True)
        r = pearson(shares, clusters)
        ends = (None, None, None) if r is None else (r.value, r.low, r.high)
        rounded = (None if end is None else round(end, 6) + 0.0 for end in ends)
        row |= zip(("pearson", "low", "high"), rounded, strict=True)
    return row


def _line(name: str, rows: Sequence[Mapping[str, Any]], muted: bool = False) -> Row:
    cells = [Cell(name)]
    for row in rows:
        n = () if row.get("answers") is None else (f"n {row['answers']:,}",)
        for column in ("by_judge", "by_people"):
            value = row.get(column)
            cells.append(Cell(_DASH if value is None else f"{value:.1f}"))
        r, low, high = (row.get(column) for column in ("pearson", "low", "high"))
        ends = () if low is None or high is None else (f"{low:.2f} to {high:.2f}",)
        cells.append(Cell(_DASH if r is None else f"{r:.2f}", notes=(*ends, *n)))
    return Row(tuple(cells), muted=muted)


def _published(folder: Path) -> list[dict[str, Any]]:
    """The paper's correlations."""
    path = folder / "valor_table4.csv"
    table = read_table(path, lambda row: (row["subset"], *(float(row[name]) for name in _HEADS)))
    return [
        {"source": "valor_eval", "subtask": subset, "measure": measure, "pearson": value}
        for subset, *values in table
        for measure, value in zip(_HEADS, values, strict=True)
    ]
