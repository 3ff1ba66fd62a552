"""An oracle that shares no code with the suite agrees with it on every question."""

from __future__ import annotations

import json
import os
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.suites.composed.skill import Skill
from support import oracle
from support.composed_mutants import plan_taken_for_layout
from support.composed_mutants_panels import MUTANTS
from support.composed_sample import Crowded, Jostled, Sample, drawn, params_of, vocabulary
from support.oracle.phrases import SKILLS, Unread
from support.oracle.verdict import judged
from support.oracle_checks import faults, only, pictures
from support.planting import imported

_LONG = bool(os.environ.get("LVLMBENCH_LONG"))
#: Scenes a skill: enough for each level, and for both of a pair.
_SCENES = 32 if _LONG else 12
_SAMPLES = ("planned", "jostled", "crowded", "panels", "arranged")
#: Seeds of questions about them.
_SEEDS = range(3 if _LONG else 1)
#: What the oracle may import of the package: reading Parquet.
_ALLOWED = "lvlmbench.tables"


@pytest.fixture(scope="module")
def planned() -> Sample:
    """Scenes as the solver places them."""
    return drawn(params_of(_SCENES, seed=1))


@pytest.fixture(scope="module")
def jostled(planned: Sample) -> Sample:
    """The same scenes with their things elsewhere."""
    return drawn(planned.params, Jostled(planned.params, vocabulary()))


@pytest.fixture(scope="module")
def crowded() -> Sample:
    """Scenes in which many things are hidden."""
    params = params_of(4 * _SCENES, ["counting", "comparison"], seed=3)
    return drawn(params, Crowded(params, vocabulary()))


@pytest.fixture(scope="module")
def panels() -> Sample:
    """Scenes of panels that differ in all ways."""
    return drawn(params_of(6 * _SCENES, ["differences"], seed=2))


@pytest.fixture(scope="module")
def arranged() -> Sample:
    """Scenes of which many have things on or inside others, or things that face somewhere."""
    return drawn(params_of(4 * _SCENES, ["spatial"], seed=2))


def test_the_oracle_imports_nothing_of_the_package() -> None:
    files = sorted(Path(next(iter(oracle.__path__))).rglob("*.py"))
    names = {(file.name, name) for file in files for name in imported(file)}
    assert len(files) > 15
    own = {name for _, name in names if name.partition(".")[0] in ("support", "tests")}
    assert {name for name in own if not name.startswith("support.oracle")} <= {"support"}
    assert {
        (file, name)
        for file, name in names
        if name.partition(".")[0] == "lvlmbench" and not name.startswith(_ALLOWED)
    } == set()


def test_the_oracle_knows_every_skill() -> None:
    skills = {name for name, each in SUBTASKS.items() if isinstance(each, Skill)}
    assert skills == {*SKILLS}


@pytest.mark.scaled
@pytest.mark.parametrize(
    "which", ["planned", *(pytest.param(name, marks=pytest.mark.long) for name in _SAMPLES[1:])]
)
def test_every_answer_is_true_and_all_else_false(
    which: str, request: pytest.FixtureRequest
) -> None:
    sample: Sample = request.getfixturevalue(which)
    asked = sample.asked(_SEEDS)
    assert faults(sample, asked) == Counter()
    counts = Counter((row["subtask"], row["level"]) for row in asked)
    if which == "planned":
        assert {skill for skill, _ in counts} == {*SKILLS}
        if _LONG:
            assert len(counts) == 4 * len(SKILLS)
            assert min(counts.values()) >= 6
    if which == "panels":
        hard = Counter(json.loads(row["program"])[0] for row in asked if row["level"] == "hard")
        assert min(hard[head] for head in ("differ", "odd", "change")) > 20
    if which == "arranged":
        families = Counter(json.loads(row["program"])[0] for row in asked)
        assert min(families[each] for each in ("stands", "place", "is")) >= 20
    if which == "jostled":
        assert {skill for skill, _ in counts} == {*SKILLS}


def test_words_that_are_not_known_are_a_failure(planned: Sample) -> None:
    asked, seen = planned.asked(), pictures(planned)
    for change in (
        {"question": "Which is it?"},
        {"subtask": "juggling"},
        {"question_type": "free_form"},
        {"options": ["a thingamajig", *asked[0]["options"][1:]]},
    ):
        with pytest.raises(Unread):
            judged({**asked[0], **change}, seen[asked[0]["scene_id"]])


def test_an_answer_at_another_place_is_a_fault(planned: Sample) -> None:
    (row, *_), seen = planned.asked(), pictures(planned)
    moved = {**row, "answer_index": (row["answer_index"] + 1) % len(row["options"])}
    assert judged(row, seen[row["scene_id"]]).faults == ()
    assert judged(moved, seen[row["scene_id"]]).faults != ()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", MUTANTS)
def test_the_oracle_finds_planted_mistakes(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = [request.getfixturevalue(which) for which in _SAMPLES]
    plant, skills = MUTANTS[name]
    plant(monkeypatch)
    left = {*skills}
    for sample, seed in product(samples, _SEEDS):
        kept = only(sample, tuple(left))
        left -= {skill for skill, _ in faults(kept, kept.asked([seed]))}
        if not left:
            return
    pytest.fail(f"not found in {left}")


@pytest.mark.long
def test_the_oracle_finds_a_plan_taken_for_the_layout(
    planned: Sample, jostled: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    skills = ("spatial", "depth", "color_binding", "differences")
    by_scene = {scene["scene_id"]: rows for scene, rows in planned.rows()}
    plan_taken_for_layout(monkeypatch, by_scene)
    sample = only(jostled, skills)
    assert {skill for skill, _ in faults(sample, sample.asked(_SEEDS))} == {*skills}


@pytest.mark.long
@pytest.mark.parametrize("seed", [11, 12])
def test_ten_thousand_questions_without_a_fault(seed: int) -> None:
    params = params_of(300, seed=seed)
    found, numbers = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for kind in (None, Jostled):
        sample = drawn(params, kind and kind(params, vocabulary()))
        asked = sample.asked()
        found += faults(sample, asked)
        numbers += Counter((row["subtask"], row["level"]) for row in asked)
    print(numbers.total(), "questions", dict(numbers))
    assert found == Counter()
    assert numbers.total() >= 10_000
    assert len(numbers) == 4 * len(SKILLS)
