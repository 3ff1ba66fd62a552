"""Which entries of the vocabulary make wrong samples (Dysca, section 3.3, step 4).

The audit proposes; a person decides, by listing entries under ``vocabulary.exclude``.
docs/filters.md has the columns.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from lvlmbench.config.cleaning import Audit
from lvlmbench.stages.audit.blame import DECIMALS, Blame, Selection
from lvlmbench.stages.audit.counts import Key, keys_of
from lvlmbench.stages.audit.samples import STYLE, Sample, samples_of
from lvlmbench.stats.estimate import wilson
from lvlmbench.tables import ATTRIBUTES

#: Columns before the counts by filter, each of which is called this and the filter's name.
COLUMNS = (
    "list",
    "label",
    "in_style",
    "role",
    "n",
    "n_wrong",
    "rate",
    "low",
    "high",
    "n_alone",
    "n_wrong_alone",
    "n_comparable",
    "rate_comparable",
    "excess",
    "excess_low",
    "excess_high",
    "p",
    "proposed",
    "excluded",
    "exclude",
    "n_rejected",
    "n_with_drops",
    "n_questions",
    "n_dropped",
)
REJECTED_BY = "rejected_by_"

Row = dict[str, str | int | float | bool | None]


def role(name: str) -> str:
    """What entries of a list do in a scene: background, style, attribute, text or foreground."""
    if name in ("background", STYLE, "text"):
        return name
    return "attribute" if name in ATTRIBUTES.names else "foreground"


def _asked(consensus: pa.Table, questions: pa.Table) -> list[tuple[str, str, bool]]:
    """(scene, list, whether it was dropped) of each question that the consensus looked at.

    A question about a subtask asks about the entry that the scene shows of that list.
    """
    ids = zip(questions["question_id"].to_pylist(), questions["subtask"].to_pylist(), strict=True)
    subtasks = dict(ids)
    columns = (consensus[name].to_pylist() for name in ("question_id", "scene_id", "keep"))
    rows = zip(*columns, strict=True)
    return [(scene, subtasks[question], not keep) for question, scene, keep in rows]


class _Counts:
    """How often each entry, and each pair of an entry and a style, is in what."""

    def __init__(
        self,
        samples: Mapping[str, Sample],
        asked: Iterable[tuple[str, str, bool]],
        filters: Sequence[str],
    ) -> None:
        self.found: dict[Key, Counter[str]] = {}
        for sample in samples.values():
            told = {
                "n": int(sample.judged),
                "n_wrong": int(sample.judged and sample.wrong),
                "n_rejected": int(bool(sample.rejected_by)),
                "n_with_drops": int(sample.dropped),
                **{REJECTED_BY + f: int(f in sample.rejected_by) for f in filters},
            }
            for key in keys_of(sample.entries):
                self.found.setdefault(key, Counter()).update(told)
        for scene, name, dropped in asked:
            for key in keys_of(samples[scene].entries) if scene in samples else ():
                if key[0][0] == name:
                    self.found[key].update(n_questions=1, n_dropped=int(dropped))

    def of(self, key: Key) -> Counter[str]:
        """Return what is counted of a key."""
        return self.found.get(key, Counter())


def audit_rows(
    scenes: pa.Table,
    questions: pa.Table,
    verdicts: pa.Table,
    consensus: pa.Table,
    *,
    filters: Sequence[str],
    exclude: Mapping[str, Sequence[str]],
    audit: Audit,
) -> list[Row]:
    """One row for each entry that an image shows or that is excluded, and each proposed pair.

    Proposed ones come first, the highest lower end of the excess first; entries without judged
    images come last. Rates are shares in [0, 1] of the entry's judged images, None where there are
    none. Each image is one trial, so its interval is a plain Wilson interval.

    Parameters
    ----------
    scenes, questions, verdicts, consensus
        Rows of the tables of these names; verdicts of the renderer and of all filters.
    filters
        Names of the filters that judged the images.
    exclude
        Labels that the snapshot leaves out, by list.

    Raises
    ------
    UserError
        A verdict is missing.
    """
    samples = samples_of(scenes, verdicts, consensus, filters=filters)
    counts = _Counts(samples, _asked(consensus, questions), filters)
    blames = Selection(samples.values(), audit.false_proposals, audit.threshold).blames()
    left_out = {(name, label) for name, labels in exclude.items() for label in labels}
    keys = {*blames, *((entry,) for entry in left_out)}
    keys |= {(entry,) for sample in samples.values() for entry in sample.entries}
    rows = [
        _row(key, counts.of(key), blames.get(key), key[0] in left_out, filters)
        for key in sorted(keys)
    ]
    return sorted(rows, key=_order)


def _row(
    key: Key, told: Counter[str], blame: Blame | None, excluded: bool, filters: Sequence[str]
) -> Row:
    (name, label), proposed = key[0], blame is not None and blame.proposed
    n, n_wrong = told["n"], told["n_wrong"]
    rate = low = high = None
    if n:
        rate = round(n_wrong / n, DECIMALS)
        low, high = (round(end, DECIMALS) for end in wilson(n_wrong / n, n))
    row: Row = {
        "list": name, "label": label, "in_style": key[1][1] if len(key) > 1 else "",
        "role": role(name), "n": n, "n_wrong": n_wrong, "rate": rate, "low": low, "high": high,
    }  # fmt: skip
    row |= _beside(blame)
    row |= {
        "proposed": proposed,
        "excluded": excluded,
        "exclude": line(key) if proposed else "",
    }
    counted = ("n_rejected", "n_with_drops", "n_questions", "n_dropped")
    return row | {each: told[each] for each in (*counted, *(REJECTED_BY + f for f in filters))}


def _beside(blame: Blame | None) -> Row:
    """Columns that compare an entry with comparable samples."""
    found = Blame() if blame is None else blame
    told: Row = {
        "n_alone": found.own.n, "n_wrong_alone": found.own.wrong, "n_comparable": found.others.n,
    }  # fmt: skip
    if not found.own.n:
        return told | dict.fromkeys(("rate_comparable", "excess", "excess_low", "excess_high", "p"))
    difference, low, high = found.excess
    return told | {
        "rate_comparable": round(found.expected, DECIMALS),
        "excess": difference, "excess_low": low, "excess_high": high,
        "p": float(f"{found.p:.{DECIMALS}g}"),
    }  # fmt: skip


def line(key: Key) -> str:
    """Return what to write below ``vocabulary.exclude`` of params.yaml; of a pair, its thing."""
    name, label = key[0]
    return f"{name}: [{json.dumps(label, ensure_ascii=False)}]"


def _order(row: Row) -> tuple[bool, float, str, str, str]:
    low = row["excess_low"]
    assert low is None or isinstance(low, float)
    first = 2.0 if low is None else -low
    return (not row["proposed"], first, str(row["list"]), str(row["label"]), str(row["in_style"]))


def csv_bytes(rows: Iterable[Row], filters: Sequence[str]) -> bytes:
    """The rows as UTF-8 CSV: rates with six decimals, true and false, nothing for None."""
    sink = io.StringIO(newline="")
    writer = csv.writer(sink, lineterminator="\n")
    names = [*COLUMNS, *(REJECTED_BY + name for name in filters)]
    writer.writerow(names)
    writer.writerows([_cell(name, row[name]) for name in names] for row in rows)
    return sink.getvalue().encode()


def _cell(name: str, value: str | int | float | bool | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.{DECIMALS}g}" if name == "p" else f"{value:.{DECIMALS}f}"
    return str(value)
