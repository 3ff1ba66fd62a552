"""Checks of pictures of texts for validators, some of them planted: asked of another picture.

No one knows what such a picture shows. Of a planted check it is known that the picture of another
text is shown, which has none of the words that the check is about. Of the others the answer of
most validators stands for what is shown, from three validators on.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.core.seeding import item_id
from lvlmbench.scene.quoting import words
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.autodavis.confirming import UNTOLD, Seen, last_seen
from lvlmbench.suites.autodavis.plan import STAGE, Planner
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.posed import Posed

#: Validators from which most of them are taken to tell what a picture shows.
_ENOUGH = 3
#: Words shorter than this tell no thing from another.
_LETTERS = 4


@dataclass(frozen=True)
class _Picture:
    scene: Mapping[str, Any]
    checks: tuple[Seen, ...]
    words: frozenset[str]


def posed(
    params: Params, vocabulary: Vocabulary, scenes: pa.Table, seen: pa.Table | None, planted: int
) -> Iterator[Posed]:
    """Yield the checks of all pictures that were drawn, and so many planted ones of each."""
    last, seed = last_seen(seen), Planner(params, vocabulary).seed
    pictures = [
        _Picture(row, last[row["scene_id"]].checks, _told(row["prompt"]))
        for row in scenes.to_pylist()
        if row["scene_id"] in last
    ]
    order = sorted(
        (p for p in pictures if p.scene["base"] is None),
        key=lambda p: item_id(seed, "planted", p.scene["scene_id"]),
    )
    for picture in pictures:
        for check in picture.checks:
            yield _posed(picture, check)
        if picture.scene["base"] is None and planted:
            yield from _planted(seed, picture, order, planted)


def _told(text: str) -> frozenset[str]:
    """Words that tell things apart, without the ending of a plural."""
    return frozenset(w.removesuffix("s") for w in words(text) if len(w) >= _LETTERS)


def _posed(picture: _Picture, check: Seen, shown: _Picture | None = None) -> Posed:
    row, other = check.row, shown or picture
    options = tuple(row["options"])
    known = check.answer if len(check.validators) >= _ENOUGH else None
    return Posed(
        check_id=row["check_id"],
        scene_id=picture.scene["scene_id"],
        shown_id=other.scene["scene_id"],
        subtask=other.scene["subtask"],
        element_type=row["element_type"],
        question=row["question"],
        options=options,
        answer_index=row["answer_index"],
        shown_index=known if shown is None else _absent(options),
        planted=shown is not None,
        element=row["element"],
    )


def _absent(options: Sequence[str]) -> int:
    """The option that holds where nothing of what is asked about is there."""
    plain = [option.casefold().rstrip(".") for option in options]
    return plain.index("no") if "no" in plain else options.index(UNTOLD)


def _planted(
    seed: int, picture: _Picture, order: Sequence[_Picture], wanted: int
) -> Iterator[Posed]:
    """Checks of a picture, each with the next picture whose text has none of its words."""
    scene_id = picture.scene["scene_id"]
    keys = [item_id(seed, "planted", each.scene["scene_id"]) for each in order]
    for check in Draws(seed, f"{STAGE} planted", scene_id).shuffled(picture.checks):
        about = _told(f"{check.row['element']} {check.row['question']}") - _told(_ASKED)
        start = bisect(keys, item_id(seed, "place", scene_id, check.row["question"]))
        round_from = [*order[start:], *order[:start]]
        options = check.row["options"]
        other = next(
            (o for o in round_from if o is not picture and about and not about & o.words), None
        )
        if other is not None and _absent(options) != check.row["answer_index"]:
            yield _posed(picture, check, other)
            wanted -= 1
        if not wanted:
            return


#: Words that questions are made of.
_ASKED = "what which where there many does color colour picture shown kind have this that with"
