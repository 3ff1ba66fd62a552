"""An oracle that shares no code with the suite agrees with it on every question."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from lvlmbench.suites.autodavis.catalogue import catalogue_of
from support import oracle as shared
from support.exam import oracle
from support.exam.faulty import Faulty
from support.exam.judging import counted, faults, judge_exam
from support.exam.made import params_of
from support.exam.mutants import MUTANTS, plan_taken_for_layout
from support.exam.oracle.reading import FAMILIES
from support.exam.oracle.verdict import families, judged
from support.exam.sampled import Drawn, Sample
from support.oracle import places
from support.oracle.phrases import Unread
from support.planting import imported
from support.render_scenes import vocabulary

#: Exams in which a planted mistake is looked for, one after the other.
_SEEDS = range(40, 43)


@cache
def sample(seed: int) -> Sample:
    """Return an exam that is planned."""
    return Sample(seed)


@cache
def drawn(seed: int, family: str) -> Drawn:
    """Return the pictures of a family in an exam."""
    return sample(seed).of([family])


def test_the_oracle_imports_nothing_of_the_package() -> None:
    files = sorted(Path(next(iter(oracle.__path__))).glob("*.py"))
    assert len(files) > 8
    # What is there besides is held to the same by the tests of composed scenes.
    files += sorted(Path(next(iter(shared.__path__))).glob("*.py"))
    names = {name for file in files for name in imported(file)}
    assert {name for name in names if name.partition(".")[0] == "lvlmbench"} == set()
    own = {name for name in names if name.partition(".")[0] in ("support", "tests")}
    assert {n for n in own if not n.startswith(("support.exam.oracle", "support.oracle"))} == set()


def test_the_oracle_reads_every_family() -> None:
    known = catalogue_of(params_of())
    asked = {
        fine.name: fine.family
        for request in known.requests.values()
        for general in request.general
        for fine in general.fine
        if fine.family
    }
    assert asked == families()
    assert {*asked.values()} == {*FAMILIES}


def test_every_answer_is_true_and_all_else_false() -> None:
    one = sample(40).in_turn()
    asked = one.asked()
    assert [fault.line for fault in faults(asked, one.pictures)] == []
    assert len(asked) >= 0.9 * len(families())


@pytest.mark.long
@pytest.mark.parametrize("seed", range(50, 56))
def test_whole_exams_without_a_fault(seed: int) -> None:
    asked, found = judge_exam(seed)
    print(asked.total(), "questions", dict(asked))
    assert [fault.line for fault in found] == []
    assert {family for family, _ in asked} == {*FAMILIES}


def test_words_that_are_not_known_are_a_failure() -> None:
    one = drawn(40, "between")
    row = one.asked()[0]
    seen = one.pictures[row["scene_id"]]
    assert judged(row, seen).faults == ()
    for change in (
        {"question": "Which is it?"},
        {"question_type": "free_form"},
        {"options": ["a thingamajig", *row["options"][1:]]},
    ):
        with pytest.raises(Unread):
            judged({**row, **change}, seen)


def test_nobody_is_next_to_oneself() -> None:
    """Who is named as next to the one in a vest is another person: who wears it is not meant."""
    for picture in drawn(40, "people").pictures.values():
        assert {places.stands(one, "right next to", one) for one in picture.things} == {False}


def test_an_answer_at_another_place_is_a_fault() -> None:
    one = drawn(40, "between")
    for row in one.asked():
        at = (row["answer_index"] + 1) % len(row["options"])
        seen = one.pictures[row["scene_id"]]
        assert judged({**row, "answer_index": at}, seen).faults != ()
        other = {**row, "answer_index": at, "answer": row["options"][at]}
        assert {*judged(other, seen).faults} == {"wrong answer", "second truth"}


def _found(name: str, family: str) -> bool:
    for seed in _SEEDS:
        one = drawn(seed, family)  # before anything is planted
        with pytest.MonkeyPatch.context() as patch:
            MUTANTS[name].plant(patch)
            asked = one.asked()
        if faults(asked, one.pictures):
            return True
    return False


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", MUTANTS)
def test_the_oracle_finds_planted_mistakes(name: str) -> None:
    assert [family for family in MUTANTS[name].shows if not _found(name, family)] == []


def test_a_plan_taken_for_the_layout_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    planned = sample(42)
    scenes = planned.scenes_of(["color", "absent"])

    def otherwise() -> Drawn:
        """Return pictures of which many show other things than planned, or other colors."""
        return Drawn(planned.params, scenes, lambda: Faulty(planned.params, vocabulary(), 0.7))

    one = otherwise()
    assert faults(one.asked(), one.pictures) == []
    plan_taken_for_layout(monkeypatch)
    blind = otherwise()
    found = counted(faults(blind.asked(), blind.pictures))
    assert Counter(what for what, *_ in found)["wrong answer"] > 0
