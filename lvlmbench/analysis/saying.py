"""What a model says where it sees what: associations of its own, from its judged answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.errors import UserError
from lvlmbench.scene.claims import STATES
from lvlmbench.snapshot.reader import Snapshot

_JUDGED = ["question_id", "image_id", "scene_id", "status"]
_CLAIMED = ["question_id", "image_id", "claim", "kind", "subject", "negated"]
_MATCHED = ["question_id", "image_id", "claim", "feature", "verdict"]
_SHOWN = ["scene_id", "feature", "kind", "subject", "source"]


def said_with(
    judgements: pa.Table, claims: pa.Table, matches: pa.Table, truth: pa.Table
) -> Iterator[dict[str, Any]]:
    """Yield how often things are claimed where a thing is shown, in order.

    What a claim states has the name that the truth has for it: who calls a cat a kitten has seen
    a cat. A broader word than a thing that is there (an animal) names nothing.

    Parameters
    ----------
    judgements, claims, matches, truth
        Of one model and judge, with at least the columns that are used here.

    Yields
    ------
    dict
        ``object``: a thing that is shown; ``images``: judged answers about pictures that show it;
        ``feature``: a thing that ``together`` of these answers claim.
    """
    shown: dict[str, set[str]] = defaultdict(set)
    names: dict[tuple[str, str], str] = {}
    for row in truth.select(_SHOWN).to_pylist():
        if row["kind"] == "object":
            names[row["scene_id"], row["feature"]] = row["subject"]
            if row["source"] != "listed":
                shown[row["scene_id"]].add(row["subject"])
    became = {_key(row, "claim"): row for row in matches.select(_MATCHED).to_pylist()}
    claimed: dict[tuple[Any, ...], list[Mapping[str, Any]]] = defaultdict(list)
    for row in claims.select(_CLAIMED).to_pylist():
        match = became.get(_key(row, "claim"), {"feature": None, "verdict": None})
        if row["kind"] == "object" and not row["negated"] and match["verdict"] != "broader":
            claimed[_key(row)].append(row | match)
    images, together = Counter[str](), defaultdict[str, Counter[str]](Counter)
    for row in judgements.select(_JUDGED).to_pylist():
        if row["status"] == "judged":
            said = {
                names.get((row["scene_id"], each["feature"]), each["subject"])
                if each["verdict"] in STATES
                else each["subject"]
                for each in claimed[_key(row)]
            }
            for one in shown[row["scene_id"]]:
                images[one] += 1
                together[one].update(said - {one})
    for one in sorted(images):
        for feature, number in sorted(together[one].items()):
            yield {
                "object": one, "images": images[one], "kind": "object", "feature": feature,
                "together": number,
            }  # fmt: skip


def _key(row: Mapping[str, Any], *more: str) -> tuple[Any, ...]:
    """What names an answer of one model, or a part of it."""
    return tuple(row[name] for name in ("question_id", "image_id", *more))


def said_by(snapshot: Snapshot, model: str) -> list[Mapping[str, Any]]:
    """Return the same of a model's answers to clean pictures, by the judge that is listed first.

    Raises
    ------
    UserError
        There is no such model, or no answer of it was judged.
    """
    known = [each.name for each in snapshot.params.answer.models]
    judges = [each.name for each in snapshot.params.judge.judges]
    if model not in known:
        raise UserError(f"--model {model}", "is not known", f"use one of: {', '.join(known)}")
    names = {"judge": next(iter(judges), ""), "model": model, "scenario": CLEAN}
    found: list[Mapping[str, Any]] = [
        *said_with(
            snapshot.read(tables.JUDGEMENTS, _JUDGED, **names),
            snapshot.read(tables.CLAIMS, _CLAIMED, **names),
            snapshot.read(tables.MATCHES, _MATCHED, **names),
            snapshot.read(tables.TRUTH, _SHOWN),
        )
    ]
    if not found:
        fix = "name a suite in which pictures are described"
        raise UserError(f"--model {model}", "no answer that names a thing was judged", fix)
    return found
