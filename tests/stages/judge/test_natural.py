"""What the embedded judge is worth on natural descriptions; docs/judges.md has the figures."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from itertools import combinations

import pytest

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.scene.claims import Tally, tally
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.judge.exam.natural import FOLDER, Described, Part, descriptions, flags
from lvlmbench.stages.judge.kinds.lexical.lexical import Lexical, words_in

VOCABULARY = PROJECT_ROOT / "data" / "vocabulary"
#: Least shares, in percent, and most that may stay open.
LEAST = {
    "dev": {"made_up": 94, "left_out": 93, "found": 76},
    "test": {"made_up": 90, "left_out": 82, "found": 66},
}
OPEN = 25
#: Points by which the judge's F1 may differ from that of people.
NEAR = 3.0


def labelled(part: Part) -> list[Described]:
    return descriptions(PROJECT_ROOT / FOLDER, part, load_vocabulary(VOCABULARY))


@pytest.mark.parametrize("part", LEAST)
def test_flags_are_right(part: Part) -> None:
    judged = flags(Lexical(words_in(VOCABULARY)), labelled(part))["all"]
    found = {number.measure: number for number in judged.numbers()}
    for measure, least in LEAST[part].items():
        assert (found[measure].value or 0) * 100 >= least, found[measure]
    assert (found["undecided"].value or 1) * 100 <= OPEN


def test_f1_of_careful_descriptions_is_that_of_people() -> None:
    some = labelled("faithful")
    sums = tallies(some)
    rows = (PROJECT_ROOT / FOLDER / "faithful.jsonl").read_text(encoding="utf-8").splitlines()
    stated = {row["id"]: row["stated"] for row in map(json.loads, rows)}
    for style in ("plain", "model"):
        mine = [each for each in some if each.style == style]
        assert len(mine) == 40
        wrong = sum(kind in one.scope.kinds for one in mine for kind, _ in one.errors)
        owed = sum(not f.optional for one in mine for f in one.answer.truth.features)
        people = Tally(
            true=sum(stated[one.answer.key] for one in mine),
            wrong=wrong,
            covered=owed - sum(len(one.left_out) for one in mine),
            owed=owed,
        )
        assert abs(f1(sums[style]) - f1(people)) <= NEAR, (style, sums[style], people)


def tallies(some: list[Described]) -> dict[str, Tally]:
    """What the judge makes of descriptions, by style."""
    judge, by_key = Lexical(words_in(VOCABULARY)), {each.answer.key: each for each in some}
    read = list(judge.read(each.answer for each in some))
    claims = {answer.key: reading.claims for answer, reading in read}
    given = [(replace(answer, unread=found.unread), found.claims) for answer, found in read]
    sums: dict[str, Tally] = defaultdict(Tally)
    for answer, held in judge.hold(given):
        assert held.status == "judged"
        one = by_key[answer.key]
        sums[one.style] += tally(
            claims[answer.key], held.matches, answer.truth, one.scope, held.unsure
        )
    return sums


def f1(sums: Tally) -> float:
    """F1 of faithfulness and coverage, in points."""
    faithful, covered = sums.faithfulness or 0.0, sums.coverage or 0.0
    return 200 * faithful * covered / (faithful + covered)


def test_parts_share_no_picture() -> None:
    parts = {part: labelled(part) for part in ("dev", "test", "faithful")}
    for one, other in combinations(parts.values(), 2):
        assert not {each.scene for each in one} & {each.scene for each in other}
    assert {part: len(some) for part, some in parts.items()} == {
        "dev": 308, "test": 100, "faithful": 80,
    }  # fmt: skip
