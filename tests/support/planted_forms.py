"""Structured descriptions with planted errors, and what they must count: nothing of the scorer.

A picture is made here as plain rows, an answer is written from it with planted errors of every
kind, and what follows for the counts is worked out from the plants alone.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

#: Things that nobody takes for each other, and colors that are no shades of each other.
THINGS = (
    "anchor", "apple", "balloon", "bicycle", "book", "broom", "bus", "butterfly", "camel", "candle",
    "carrot", "clock", "crab", "drum", "elephant", "fork", "giraffe", "guitar", "hammer",
    "jellyfish",
    "kite", "ladder", "lemon", "mushroom", "owl", "penguin", "piano", "rocket", "scissors", "snail",
    "teapot", "tractor", "umbrella", "violin", "zebra",
)  # fmt: skip
COLORS = ("red", "green", "blue", "yellow", "black", "white")
PLACES = ("top left", "top right", "bottom left", "bottom right")
SIDES = {"left of": "right of", "right of": "left of", "above": "below", "below": "above"}
CANONICAL = {"left of": "left_of", "right of": "right_of", "above": "above", "below": "below"}
GARMENTS = ("scarf", "cape", "belt", "cap", "skirt", "sweater", "boots", "tie")
ACTIONS = ("waving", "running", "sitting", "kneeling", "arms crossed")
AGES, GENDERS = ("child", "adult", "elderly"), ("female", "male")

#: What is counted: kind of claim -> whether it is true.
Counts = Counter[tuple[str, bool]]


@dataclass
class Case:
    """A picture, an answer about it, and what must be counted."""

    features: list[dict[str, Any]] = field(default_factory=list)
    answer: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counter)
    covered: Counter[str] = field(default_factory=Counter)
    owed: Counter[str] = field(default_factory=Counter)

    @property
    def text(self) -> str:
        """The answer as a model writes it."""
        return json.dumps(self.answer)


def _feature(name: str, kind: str, subject: str, **parts: Any) -> dict[str, Any]:
    return {"feature": name, "kind": kind, "subject": subject, "source": "layout", **parts}


def case(rng: Random, plants: int) -> Case:
    """Return a case with about so many planted errors in it."""
    made = Case()
    names = rng.sample(THINGS, 12)
    shown, absent = names[: rng.randint(2, 6)], names[6:]
    left = [plants]

    def errs() -> bool:
        """Whether the next field is planted wrong."""
        if left[0] and rng.random() < 0.35:
            left[0] -= 1
            return True
        return False

    things, relations = _things(made, rng, shown, absent, errs)
    for _ in range(left[0] if rng.random() < 0.5 else 0):  # things that are not there
        name = absent.pop()
        things.append({"name": name, "color": rng.choice(COLORS), "size_rank": 1})
        made.counts.update([("object", False), ("attribute", False), ("rank", False)])
    people = [_person(made, rng, f"p{at}", errs) for at in range(rng.randint(0, 3))]
    for entries in (things, relations, people):
        rng.shuffle(entries)
    made.answer = {"things": things, "relations": relations, "people": [p for p in people if p]}
    return made


def _things(made: Case, rng: Random, shown: list[str], absent: list[str], errs: Any) -> Any:
    """Entries of things and relations, each told, left out, or told wrong."""
    things, told = [], dict[str, bool]()
    for rank, name in enumerate(shown, 1):
        color, place, feature = rng.choice(COLORS), rng.choice(PLACES), f"o{rank}"
        made.features += [
            _feature(feature, "object", name, forms=(name,)),
            _feature(f"{feature}.color", "attribute", name, relation="color", value=color,
                     about=feature, forms=(color,)),
            _feature(f"{feature}.at", "place", name, relation="at", value=place, about=feature),
            _feature(f"{feature}.rank", "rank", name, relation="rank", value=str(rank),
                     about=feature, forms=(str(rank), str(rank - len(shown) - 1))),
        ]  # fmt: skip
        made.owed.update(("object", "attribute", "place", "rank"))
        if rng.random() < 0.15:  # left out
            continue
        there = not errs()
        entry: dict[str, Any] = {"id": rank, "name": name if there else absent.pop()}
        made.counts["object", there] += 1
        made.covered["object"] += there
        for kind, key, true, wrong in (
            ("attribute", "color", color, rng.choice([c for c in COLORS if c != color])),
            ("place", "place", place, rng.choice([p for p in PLACES if p != place])),
            ("rank", "size_rank", rank, rank + 1 + rng.randint(len(shown), 2 * len(shown))),
        ):
            right = not errs()
            entry[key] = true if right else wrong
            made.counts[kind, there and right] += 1
            made.covered[kind] += there and right
        told[feature] = there
        things.append(entry)
    return things, _relations(made, rng, shown, told, errs)


def _relations(made: Case, rng: Random, shown: list[str], told: Any, errs: Any) -> Any:
    relations = []
    for one, other in zip(range(1, len(shown)), range(2, len(shown) + 1), strict=True):
        how, a, b = rng.choice([*SIDES]), f"o{one}", f"o{other}"
        made.features.append(
            _feature(f"{a}.{how}.{b}", "relation", shown[one - 1], relation=CANONICAL[how],
                     object=shown[other - 1], about=a, other=b)
        )  # fmt: skip
        made.owed["relation"] += 1
        if a not in told or b not in told:
            continue
        right = not errs()
        there = told[a] and told[b]
        said = how if right else SIDES[how]
        first, second = (one, other) if rng.random() < 0.5 else (other, one)
        said = said if first == one else SIDES[said]
        relations.append({"from": first, "is": said, "to": second})
        made.counts["relation", there and right] += 1
        made.covered["relation"] += there and right
    return relations


def _person(made: Case, rng: Random, name: str, errs: Any) -> dict[str, Any] | None:
    """One person with at most one error, so that it is known who is meant."""
    at, wrong = int(name[1:]), list[bool]()

    def once() -> bool:
        if not wrong and errs():
            wrong.append(True)
            return True
        return False

    looks = {"age": rng.choice(AGES), "gender": rng.choice(GENDERS)}
    worn = {GARMENTS[2 * at]: COLORS[at], GARMENTS[2 * at + 1]: COLORS[at + 3]}
    action = ACTIONS[at]
    made.features.append(_feature(name, "object", "person", forms=("person",)))
    for key, value in looks.items():
        made.features.append(
            _feature(f"{name}.{key}", "attribute", "person", relation=key, value=value, about=name,
                     forms=(value,))
        )  # fmt: skip
    for garment, color in worn.items():
        made.features.append(
            _feature(f"{name}.wears.{garment}", "garment", "person", relation="wears",
                     object=garment, value=color, about=name, forms=(garment,))
        )  # fmt: skip
    made.features.append(
        _feature(f"{name}.does", "action", "person", relation="does", value=action, about=name,
                 forms=(action,))
    )  # fmt: skip
    made.owed.update({"object": 1, "attribute": 2, "garment": 2, "action": 1})
    if rng.random() < 0.15:
        return None
    made.counts["object", True] += 1
    made.covered["object"] += 1
    entry: dict[str, Any] = {"garments": []}
    for key, value in looks.items():
        right = not once()
        choices = AGES if key == "age" else GENDERS
        entry[key] = value if right else next(v for v in choices if v != value)
        made.counts["attribute", right] += 1
        made.covered["attribute"] += right
    for garment, color in worn.items():
        right = not once()
        entry["garments"].append(
            {"name": garment, "color": color if right else COLORS[(COLORS.index(color) + 1) % 6]}
        )
        made.counts["garment", right] += 1
        made.covered["garment"] += right
    right = not once()
    entry["action"] = action if right else ACTIONS[(at + 1) % len(ACTIONS)]
    made.counts["action", right] += 1
    made.covered["action"] += right
    return entry
