"""What a model says where it sees what: associations of its own, from its judged answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.analysis.judged import first_judge
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.errors import UserError
from lvlmbench.snapshot.reader import Snapshot

_JUDGED = ["question_id", "image_id", "scene_id", "status"]
_CLAIMED = ["question_id", "image_id", "kind", "subject", "negated"]
_SHOWN = ["scene_id", "kind", "subject", "source"]


def said_with(judgements: pa.Table, claims: pa.Table, truth: pa.Table) -> Iterator[dict[str, Any]]:
    """Yield how often things are claimed where a thing is shown, in order.

    Parameters
    ----------
    judgements, claims, truth
        Of one model and judge, with at least the columns that are used here.

    Yields
    ------
    dict
        ``object``: a thing that is shown; ``images``: judged answers about pictures that show it;
        ``feature``: a thing that ``together`` of these answers claim.
    """
    shown: dict[str, set[str]] = defaultdict(set)
    for row in truth.select(_SHOWN).to_pylist():
        if row["kind"] == "object" and row["source"] != "listed":
            shown[row["scene_id"]].add(row["subject"])
    claimed: dict[tuple[str, str | None], set[str]] = defaultdict(set)
    for row in claims.select(_CLAIMED).to_pylist():
        if row["kind"] == "object" and not row["negated"]:
            claimed[row["question_id"], row["image_id"]].add(row["subject"])
    images, together = Counter[str](), defaultdict[str, Counter[str]](Counter)
    for row in judgements.select(_JUDGED).to_pylist():
        if row["status"] == "judged":
            for one in shown[row["scene_id"]]:
                images[one] += 1
                said = claimed[row["question_id"], row["image_id"]]
                together[one].update(said - {one})
    for one in sorted(images):
        for feature, number in sorted(together[one].items()):
            yield {
                "object": one, "images": images[one], "kind": "object", "feature": feature,
                "together": number,
            }  # fmt: skip


def said_by(snapshot: Snapshot, model: str) -> list[Mapping[str, Any]]:
    """Return the same of a model's answers to clean pictures, by the judge that is listed first.

    Raises
    ------
    UserError
        There is no such model, or no answer of it was judged.
    """
    known = [each.name for each in snapshot.params.answer.models]
    judge = first_judge(snapshot)
    if model not in known:
        raise UserError(f"--model {model}", "is not known", f"use one of: {', '.join(known)}")
    names = {"judge": judge or "", "model": model, "scenario": CLEAN}
    found: list[Mapping[str, Any]] = [
        *said_with(
            snapshot.read(tables.JUDGEMENTS, _JUDGED, **names),
            snapshot.read(tables.CLAIMS, _CLAIMED, **names),
            snapshot.read(tables.TRUTH, _SHOWN),
        )
    ]
    if not found:
        fix = "name a suite in which pictures are described"
        raise UserError(f"--model {model}", "no answer that names a thing was judged", fix)
    return found
