"""``python -m tests.planted labels``: how well texts are read, by labels of hand."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from lvlmbench.scene.claims import Claim
from lvlmbench.stages.judge.kinds.lexical.reading import read_many
from support.claim_f1 import GROUPS, Agreement, Interval, f1_interval, score
from support.labelled_captions import captions, read_only
from support.reading import words

#: F1 that the half that nobody looks at is asked for.
WANTED = {"objects": 0.81, "attributes": 0.57, "people": 0.66, "relations": 0.56}
PARTS = ("dev", "read", "test")


def labelled(part: str) -> Iterator[tuple[str, tuple[Claim, ...]]]:
    """Yield the texts of a part with their claims: a half, or the captions without a picture."""
    for each in read_only() if part == "read" else captions(part):
        yield each.text, each.claims


def agreements(part: str) -> list[dict[str, Agreement]]:
    """Return how the claims of each text of a part agree with its labels; no vocabulary helps."""
    texts, wanted = zip(*labelled(part), strict=True)
    found = read_many(texts, words(vocabulary=False))
    return [score(one, other) for one, other in zip(wanted, found, strict=True)]


def f1(part: str) -> dict[str, Interval]:
    """Return the F1 of each group over a part, with intervals."""
    texts = agreements(part)
    return {group: f1_interval(texts, group) for group in GROUPS}


def main(arguments: Sequence[str]) -> int:
    """Print a line a group; return 1 where one is below what is wanted."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted labels", description=__doc__)
    parser.add_argument("part", choices=PARTS, help="test: to measure only, never to tune on")
    failed = False
    for group, found in f1(parser.parse_args(arguments).part).items():
        wanted = WANTED.get(group)
        if found.f1 is None or found.low is None or found.high is None:
            continue
        holds = wanted is None or found.f1 >= wanted
        failed |= not holds
        least = "" if wanted is None else f", {wanted:.2f} wanted"
        figure = f"{found.f1:.3f} ({found.low:.3f} to {found.high:.3f}{least})"
        print(f"{'ok  ' if holds else 'FAIL'} F1 of claims, {group}: {figure}", flush=True)
    return int(failed)
