"""Judged answers with what they say, read in one pass over three tables of one order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.scene.claims import Claim, Match
from lvlmbench.snapshot.reader import Snapshot

#: Rows that are made of Arrow columns at a time.
_BATCH = 1 << 14

_KEY = ("question_id", "image_id")
_JUDGEMENTS = (*_KEY, "scene_id", "subtask", "status", "unsure_features")
_CLAIMS = (
    *(*_KEY, "claim", "kind", "subject", "relation", "object", "value", "about", "other"),
    *("start", "end", "negated", "hedged"),
)
_MATCHES = (*_KEY, "claim", "feature", "verdict", "how", "score")


def judged_models(snapshot: Snapshot, judge: str, scenario: str) -> list[str]:
    """Return the models whose answers in a scenario a judge was given; one that is brought by its
    answers may have some scenarios alone."""
    place = partial(snapshot.folder, tables.JUDGEMENTS, judge=judge, scenario=scenario)
    return [m.name for m in snapshot.params.answer.models if place(model=m.name).exists()]


class Judged(NamedTuple):
    """An answer, with what a judge says of it; nothing where it was not judged."""

    question_id: str
    image_id: str | None
    scene_id: str
    subtask: str
    judged: bool
    claims: list[Claim]
    matches: list[Match]
    unsure: list[str]


def answers(snapshot: Snapshot, **names: str) -> Iterator[Judged]:
    """Yield the answers of a model in a scenario, as a judge sees them, in their order.

    Parameters
    ----------
    names
        ``judge``, ``model`` and ``scenario``.

    Raises
    ------
    UserError
        A file is missing or damaged, or claims and matches are not those of the judgements.
    """
    judgements = snapshot.read(tables.JUDGEMENTS, _JUDGEMENTS, **names)
    if not len(judgements):
        return
    said = _Runs(snapshot.read(tables.CLAIMS, _CLAIMS, **names))
    held = _Runs(snapshot.read(tables.MATCHES, _MATCHES, **names))
    for row in _rows(judgements):
        judged = row["status"] == "judged"
        claims = [_claim(each) for each in said.of(row)]
        matches = [_match(each) for each in held.of(row)]
        if judged and [c.number for c in claims] != sorted(m.claim for m in matches):
            raise _other(snapshot, names, f"claims of question {row['question_id']}")
        if not judged:
            claims, matches = [], []
        about = {name: row[name] for name in _JUDGEMENTS[:4]}
        unsure = row["unsure_features"] or []
        yield Judged(**about, judged=judged, claims=claims, matches=matches, unsure=unsure)
    if said.left or held.left:
        raise _other(snapshot, names, "claims of answers that are not among its judgements")


def _other(snapshot: Snapshot, names: dict[str, str], what: str) -> UserError:
    where = str(snapshot.folder(tables.MATCHES, **names))
    return UserError(
        where, f"does not match {what}", "delete claims, matches and judgements and run again"
    )


def _rows(table: pa.Table) -> Iterator[dict[str, Any]]:
    for batch in table.to_batches(max_chunksize=_BATCH):
        yield from batch.to_pylist()


class _Runs:
    """Rows by answer, of a table in the order of the answers."""

    def __init__(self, table: pa.Table) -> None:
        self._runs = groupby(_rows(table), key=itemgetter(*_KEY))
        self._next = next(self._runs, None)

    @property
    def left(self) -> bool:
        return self._next is not None

    def of(self, answer: dict[str, Any]) -> list[dict[str, Any]]:
        """The rows of an answer, where they are next."""
        if self._next is None or self._next[0] != (answer["question_id"], answer["image_id"]):
            return []
        rows = list(self._next[1])
        self._next = next(self._runs, None)
        return rows


def _claim(row: dict[str, Any]) -> Claim:
    return Claim(*(row[name] for name in _CLAIMS[2:]))


def _match(row: dict[str, Any]) -> Match:
    return Match(*(row[name] for name in _MATCHES[2:]))
