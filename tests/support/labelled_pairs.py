"""Pairs of answers to one question, with the better one: what judges of pairs are measured on.

A file of ``tests/data/pairs`` holds the pairs of one half::

    == pair-001 | wrong_count | a
    How many apples are there?
    -- features
    o1 apple; o1.count 4
    -- a
    There are four apples.
    -- b
    There are six apples.

The heading names the pair, how its answers differ, and which is better: ``a``, ``b`` or ``tie``.
Features are written as those of captions (caption_features).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.scene.claims import Feature
from support.caption_features import read_features
from support.labelled_captions import blocks, pieces, sections

FOLDER = Path(__file__).resolve().parents[1] / "data" / "pairs"
#: How the answers of a pair differ.
DIFFERENCES = (
    "one_error", "omission", "invention", "wrong_count", "wrong_relation", "verbosity", "wording",
    "refusal", "injection", "flattery",
)  # fmt: skip
BETTER = ("a", "b", "tie")


@dataclass(frozen=True)
class Pair:
    """Two answers to a question about a picture, and which is better."""

    id: str
    difference: str
    better: str
    question: str
    features: tuple[Feature, ...]
    a: str
    b: str


def read_pairs(path: Path) -> list[Pair]:
    """Return the pairs of a file.

    Raises
    ------
    UserError
        Where a pair does not read.
    """
    return [_pair(heading, lines) for heading, lines in blocks(path)]


def _pair(heading: str, lines: list[tuple[str, str]]) -> Pair:
    where = lines[0][0]
    parts = [part.strip() for part in heading.split("|")]
    if len(parts) != 3 or parts[1] not in DIFFERENCES or parts[2] not in BETTER:
        raise UserError(where, f"'{heading}' is no heading", "write 'id | difference | better'")
    found = sections(lines[1:], ("features", "a", "b"))
    texts = {name: "\n".join(line for _, line in found[name]).strip() for name in ("", "a", "b")}
    if empty := [name or "question" for name, text in texts.items() if not text]:
        raise UserError(where, f"the {empty[0]} is empty", "write it")
    features = read_features(pieces(found["features"]))
    return Pair(parts[0], parts[1], parts[2], texts[""], tuple(features), texts["a"], texts["b"])


def pairs(which: str) -> list[Pair]:
    """Return the pairs of a half (``dev`` or ``test``), in the order of the file."""
    return read_pairs(FOLDER / f"{which}.txt")
