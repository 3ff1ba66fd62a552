"""Planted faults of the renderer: how many the validator finds, and what is kept after rework."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lvlmbench.config import Params
from support.exam.faulty import Faulty
from support.exam.made import ROUND, drawn, params_of
from support.render_scenes import vocabulary

REASON = "not as described"


@dataclass(frozen=True)
class Found:
    """What became of pictures, some of which were drawn otherwise than described.

    Attributes
    ----------
    pictures
        (what was done, or None; whether it was told to be not as described) -> how many.
    asked, asked_faulty
        Questions, and those about a picture that is not as described.
    given_up
        Scenes whose last picture was not taken.
    """

    pictures: Counter[tuple[str | None, bool]]
    asked: int
    asked_faulty: int
    given_up: int

    @property
    def planted(self) -> int:
        """Pictures that were drawn otherwise."""
        return sum(n for (fault, _), n in self.pictures.items() if fault)

    @property
    def missed(self) -> int:
        """Those of them that the validator took for right."""
        return sum(n for (fault, told), n in self.pictures.items() if fault and not told)

    @property
    def false(self) -> int:
        """Pictures that were drawn as described, of which it said that they were not."""
        return self.pictures[None, True]


def checked(params: Params, share: float = 0.3) -> Found:
    """Draw an exam with faults, and hold what the validator said against them."""
    renderer = Faulty(params, vocabulary(), share)
    exam = drawn(params, renderer)
    said: dict[str, list[str]] = {}
    for attempt in exam.attempts.to_pylist():
        if attempt["outcome"] != "refused":
            said.setdefault(attempt["scene_id"], []).append(attempt["reason"] or "")
    pictures: Counter[tuple[str | None, bool]] = Counter()
    faulty = set()
    for scene, faults in renderer.faults.items():
        for fault, reason in zip(faults, said[scene], strict=True):
            pictures[fault, reason.startswith(REASON)] += 1
        if faults[-1]:
            faulty.add(scene)
    asked = exam.questions["scene_id"].to_pylist()
    given_up = sum(bool(reasons[-1]) for reasons in said.values())
    return Found(pictures, len(asked), sum(one in faulty for one in asked), given_up)


def main(arguments: Sequence[str]) -> int:
    """Print figures of some pictures; 1 where a fault was missed or asked about."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted drawn", description=__doc__)
    parser.add_argument("--rounds", type=int, default=4, help="72 scenes a request each (4)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--requests", nargs="+", default=["basic_understanding",
                        "spatial_understanding", "reasoning_capacity"])  # fmt: skip
    args = parser.parse_args(arguments)
    found = checked(params_of(args.rounds, tuple(args.requests), args.seed))
    n = found.pictures.total()
    print(f"{len(args.requests) * args.rounds * ROUND} scenes planned, {n} pictures drawn")
    for fault in sorted({name for name, _ in found.pictures if name}):
        told = found.pictures[fault, True]
        print(f"{fault}: {told} of {told + found.pictures[fault, False]} found")
    clean = n - found.planted
    print(f"false: {found.false} of {clean} pictures without a fault (things hidden by chance)")
    print(f"asked: {found.asked}, about a faulty picture: {found.asked_faulty}")
    print(f"given up: {found.given_up} scenes")
    return int(found.missed > 0 or found.asked_faulty > 0)
