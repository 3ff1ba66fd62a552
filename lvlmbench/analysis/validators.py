"""How well a validator tells pictures that are not as described, where a layout knows the truth.

A check of a picture is a **defect** where the picture, as measured, shows another option than the
description gives, and a **call** where the validator says so. Recall is the share of defects that
are called, false alarms the share of checks without a defect that are, precision the share of calls
that are defects. The last depends on how many defects there are among what was asked. What is not
clear by the layout, or was not answered, is in none of them. Shares are clustered by picture.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.ratios import share

Row = Mapping[str, Any]
#: (hits, trials) of each picture.
_Counts = Mapping[str, list[int]]


@dataclass(frozen=True)
class Quality:
    """What a validator is worth, over some of its checks.

    Attributes
    ----------
    kind, name
        What these checks have in common: ``all``; ``pictures``, those of the pictures themselves
        or those that are ``planted``; ``element``, by what they are about; ``request``.
    n, defects
        Checks that were answered and whose truth is known, and the defects among them.
    right
        Share of them whose answer is what the picture shows.
    recall, alarms, precision
        As above; None where nothing is to be found, or nothing was called. Precision is None, too,
        where all checks are defects, or none is.
    """

    kind: str
    name: str
    n: int
    defects: int
    right: Estimate
    recall: Estimate | None
    alarms: Estimate | None
    precision: Estimate | None


@dataclass(frozen=True)
class Validated:
    """What one validator has seen in a suite.

    Attributes
    ----------
    pictures
        Those that it was shown with checks of their own.
    statuses
        What became of all that it was asked.
    unclear
        Checks that were answered and whose truth the layout does not tell.
    alignment
        Mean over pictures of the share of their own checks that are answered as described.
    quality
        Over all, then by kinds and names; nothing where no truth is known.
    """

    pictures: int
    statuses: Counter[str]
    unclear: int
    alignment: float | None
    quality: list[Quality]


def validated(rows: Iterable[Row]) -> Validated | None:
    """Return what rows of the table ``check_answers`` of one validator tell; None for no rows."""
    found = list(rows)
    if not found:
        return None
    answered = [row for row in found if row["status"] == "answered"]
    known = [row for row in answered if row["shown_index"] is not None]
    by_picture: dict[str, list[bool]] = defaultdict(list)
    for row in answered:
        if not row["planted"]:
            by_picture[row["image_id"]].append(row["correct"])
    scores = [sum(right) / len(right) for right in by_picture.values()]
    return Validated(
        len({row["image_id"] for row in found if not row["planted"]}),
        Counter(row["status"] for row in found),
        len(answered) - len(known),
        sum(scores) / len(scores) if scores else None,
        [_quality(*name, rows) for name, rows in _groups(known)],
    )


def _groups(rows: Sequence[Row]) -> Iterator[tuple[tuple[str, str], list[Row]]]:
    """Rows by kind and name, those without rows left out."""
    if not rows:
        return
    yield ("all", "all"), list(rows)
    kinds: dict[str, Callable[[Row], str]] = {
        "pictures": lambda row: "planted" if row["planted"] else "own",
        "element": lambda row: str(row["element_type"]),
        "request": lambda row: str(row["subtask"]),
    }
    for kind, name_of in kinds.items():
        by_name: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            by_name[name_of(row)].append(row)
        for name in sorted(by_name):
            yield (kind, name), by_name[name]


def _quality(kind: str, name: str, rows: Sequence[Row]) -> Quality:
    right, recall, alarms, precision = (defaultdict[str, list[int]](lambda: [0, 0]) for _ in "rrap")

    def count(counts: _Counts, row: Row, hit: bool) -> None:
        of = counts[row["image_id"]]
        of[0] += hit
        of[1] += 1

    defects = 0
    for row in rows:
        defect = row["shown_index"] != row["answer_index"]
        called = not row["correct"]
        defects += defect
        count(right, row, row["answered_index"] == row["shown_index"])
        count(recall if defect else alarms, row, called)
        if called:
            count(precision, row, defect)
    shares = [_share(counts) for counts in (right, recall, alarms, precision)]
    assert shares[0] is not None  # there is a row at least
    if defects in (0, len(rows)):
        shares[-1] = None
    return Quality(kind, name, len(rows), defects, shares[0], *shares[1:])


def _share(counts: _Counts) -> Estimate | None:
    return share((hits, trials) for hits, trials in counts.values())
