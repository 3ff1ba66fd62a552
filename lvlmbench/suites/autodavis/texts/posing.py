"""Checks of pictures of texts for validators, some of them planted: asked of another picture.

No one has measured such a picture. A planted check asks whether something is there that the text
of another picture does not speak of: the answer is very likely no. Of the other checks, what most
of the other validators say stands for what is shown, where there are two at least.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.core.seeding import item_id
from lvlmbench.scene.quoting import telling, words
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.autodavis.confirming import Seen, last_seen, most_given
from lvlmbench.suites.autodavis.plan import STAGE, Planner
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.posed import Posed

#: Other validators from which most of them are taken to tell what a picture shows.
_ENOUGH = 2
#: What checks are about that can be planted: whether a thing or a living being is there.
_THERE = ("object", "human", "animal", "food")


@dataclass(frozen=True)
class _Picture:
    scene: Mapping[str, Any]
    checks: tuple[Seen, ...]
    words: frozenset[str]


def posed(
    params: Params,
    vocabulary: Vocabulary,
    scenes: pa.Table,
    seen: pa.Table | None,
    planted: int,
    validator: str,
) -> Iterator[Posed]:
    """Yield the checks of all pictures that were drawn, and so many planted ones of each."""
    last, seed = last_seen(seen), Planner(params, vocabulary).seed
    pictures = [
        _Picture(row, last[row["scene_id"]].checks, telling(row["prompt"]))
        for row in scenes.to_pylist()
        if row["scene_id"] in last
    ]
    order = sorted(
        (p for p in pictures if p.scene["base"] is None),
        key=lambda p: item_id(seed, "planted", p.scene["scene_id"]),
    )
    for picture in pictures:
        for check in picture.checks:
            yield _posed(picture, check, _others(check, validator))
        if picture.scene["base"] is None and planted:
            yield from _planted(seed, picture, order, planted)


def _others(check: Seen, validator: str) -> int | None:
    """The option that most of the other validators give; None where they are too few."""
    given = [answer for name, answer in check.answers.items() if name != validator]
    return most_given(given) if len(given) >= _ENOUGH else None


def _posed(
    picture: _Picture, check: Seen, shown: int | None, other: _Picture | None = None
) -> Posed:
    row, seen = check.row, other or picture
    return Posed(
        check_id=row["check_id"],
        scene_id=picture.scene["scene_id"],
        shown_id=seen.scene["scene_id"],
        subtask=seen.scene["subtask"],
        element_type=row["element_type"],
        question=row["question"],
        options=tuple(row["options"]),
        answer_index=row["answer_index"],
        shown_index=shown,
        planted=other is not None,
        element=row["element"],
    )


def _no(row: Mapping[str, Any]) -> int | None:
    """The option that says no, of a check whether something is there that is described as so."""
    first = [(words(option) or [""])[0] for option in row["options"]]
    if row["element_type"] not in _THERE or first[row["answer_index"]] != "yes":
        return None
    return first.index("no") if "no" in first else None


def _planted(
    seed: int, picture: _Picture, order: Sequence[_Picture], wanted: int
) -> Iterator[Posed]:
    """Checks of a picture, each with the next picture whose text has none of its words."""
    scene_id = picture.scene["scene_id"]
    keys = [item_id(seed, "planted", each.scene["scene_id"]) for each in order]
    for check in Draws(seed, f"{STAGE} planted", scene_id).shuffled(picture.checks):
        no, about = _no(check.row), telling(f"{check.row['element']} {check.row['question']}")
        if no is None or not about:
            continue
        start = bisect(keys, item_id(seed, "place", scene_id, check.row["question"]))
        others = (o for o in [*order[start:], *order[:start]] if not about & o.words)
        other = next((o for o in others if o is not picture), None)
        if other is not None:
            yield _posed(picture, check, no, other)
            wanted -= 1
        if not wanted:
            return
