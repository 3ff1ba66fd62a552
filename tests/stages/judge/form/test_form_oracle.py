"""Structured descriptions are counted as an oracle counts them that knows the plants alone."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from lvlmbench.scene.claims import (
    KINDS,
    TRUE,
    WRONG,
    Feature,
    Scope,
    Truth,
    counting,
    tally,
)
from lvlmbench.scene.truth.names import Names, names_of
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.judge.judge import Answer
from lvlmbench.stages.judge.kinds.form.judge import FormJudge
from support.planted_forms import Case, case

N = 5000


@pytest.fixture(scope="module")
def judge() -> FormJudge:
    return FormJudge(names())


def names() -> Names:
    return names_of(load_vocabulary(Path("data/vocabulary")), "pictograph")


def scored(judge: FormJudge, text: str, truth: Truth) -> tuple[Counter, Counter, list[str]]:
    """What is counted by kind and truth, what is covered by kind, and the other verdicts."""
    answer = Answer("k", "q", text, truth)
    [(_, reading)] = judge.read([answer])
    assert reading.status == "judged", reading.why
    [(_, holding)] = judge.hold([(answer, reading.claims)])
    counts, others = Counter(), []
    for claim, match in counting(reading.claims, holding.matches):
        if match.verdict in (*TRUE, *WRONG):
            counts[claim.kind, match.verdict in TRUE] += 1
        else:
            others.append(match.verdict)
    covered = Counter({
        kind: tally(reading.claims, holding.matches, truth, Scope((kind,))).covered
        for kind in KINDS
    })  # fmt: skip
    return counts, +covered, others


def truth_of(made: Case) -> Truth:
    return Truth(tuple(Feature(**each) for each in made.features))


def without_repeats(made: Case) -> tuple[Counter, Counter]:
    """Objects count once a word: several people are one."""
    people = len(made.answer["people"])
    counts = Counter(made.counts)
    counts["object", True] -= max(0, people - 1)
    covered = Counter(made.covered)
    covered["object"] -= max(0, people - 1)
    return +counts, +covered


def test_planted_errors_are_counted_exactly(judge: FormJudge) -> None:
    for seed in range(N):
        made = case(Random(seed), seed % 7)
        counts, covered, others = scored(judge, made.text, truth_of(made))
        assert (counts, covered) == without_repeats(made), (seed, made.text)
        assert not others


def test_each_plant_lowers_faithfulness_exactly(judge: FormJudge) -> None:
    for seed in range(200):
        made = case(Random(seed), 0)
        things = made.answer["things"]
        m = len(things)
        shown = {each["subject"] for each in made.features}
        absent = [n for n in ("fork", "snail", "kite", "owl") if n not in shown]
        for k in range(len(absent) + 1):
            more = [{"name": name} for name in absent[:k]]
            text = json.dumps({"things": things + more})
            answer = Answer("k", "q", text, truth_of(made))
            [(_, reading)] = judge.read([answer])
            [(_, holding)] = judge.hold([(answer, reading.claims)])
            found = tally(reading.claims, holding.matches, answer.truth, Scope(("object",)))
            assert (found.true, found.wrong) == (m, k)
            assert found.faithfulness == (m / (m + k) if m + k else None)


def test_order_spelling_and_synonyms_move_nothing(judge: FormJudge) -> None:
    synonyms = {"bicycle": "bike", "scissors": "pair of scissors",
                "teapot": "Tea-Pot", "butterfly": "butterflies", "sweater": "pullover"}  # fmt: skip
    for seed in range(300):
        made = case(Random(seed), seed % 5)
        truth = truth_of(made)
        before = scored(judge, made.text, truth)
        text = made.text.replace('"gray"', '"grey"')
        for word, other in synonyms.items():
            text = text.replace(f'"{word}"', f'"{other}"')
        answer = json.loads(text)
        for entries in answer.values():
            Random(seed + 1).shuffle(entries)
        assert scored(judge, json.dumps(answer), truth) == before, (seed, text)
