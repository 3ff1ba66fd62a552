"""Answers with planted truth: what they say is what their claims say, and so are the verdicts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from lvlmbench.scene.claims import KINDS, TRUE, WRONG, Scope, tally
from lvlmbench.stages.judge.exam.planted import ONCE, Planted
from lvlmbench.stages.judge.exam.planting.ground import Ground
from lvlmbench.stages.judge.exam.planting.nouns import lexis_of
from lvlmbench.stages.judge.exam.planting.pairs import WORSE, pairs
from lvlmbench.stages.judge.exam.planting.plant import TREATMENTS, grounds, planted
from lvlmbench.stages.judge.exam.planting.sentences import INJECTIONS
from lvlmbench.stages.judge.exam.wording.kinds import WORDINGS
from support.drawn_truths import RENDERER, drawn_truths
from support.planted_truth import vocabulary

SEED, ANSWERS = 5, 40
CELLS = [(name, kind) for name, each in TREATMENTS.items() for kind in each.kinds]


@pytest.fixture(scope="module")
def scenes() -> list[Ground]:
    return grounds(drawn_truths(60, SEED), lexis_of(vocabulary(), RENDERER), SEED)


def answers(scenes: list[Ground], treatment: str, kind: str = "all") -> Iterator[Planted]:
    return planted(scenes, TREATMENTS[treatment], kind, ANSWERS, SEED)


@pytest.mark.parametrize(("treatment", "kind"), CELLS)
def test_claims_stand_where_the_text_says_them(
    scenes: list[Ground], treatment: str, kind: str
) -> None:
    found = list(answers(scenes, treatment, kind))
    assert len(found) >= 20
    assert len({each.key for each in found}) == len(found)
    for answer in found:
        features = {feature.feature for feature in answer.truth.features}
        assert [claim.number for claim in answer.claims] == [*range(len(answer.claims))]
        for each in answer.expected:
            claim = each.claim
            assert claim.kind in KINDS
            said = answer.text[claim.start : claim.end]
            assert said and said == said.strip()
            assert each.feature is None or each.feature in features
            for about in (claim.about, claim.other):
                assert about is None or answer.claims[about].kind == "object"


def test_a_perfect_answer_says_all_and_nothing_else(scenes: list[Ground]) -> None:
    wordings = set()
    for answer in answers(scenes, "perfect"):
        found = tally(answer.claims, answer.matches, answer.truth)
        assert (found.faithfulness, found.coverage) == (1.0, 1.0)
        wordings.add(answer.wording)
    assert wordings == {*WORDINGS}


@pytest.mark.parametrize("kind", TREATMENTS["hallucinate"].kinds)
def test_plants_lower_faithfulness_by_as_much_as_they_are(scenes: list[Ground], kind: str) -> None:
    for answer in answers(scenes, "hallucinate", kind):
        wrong = [each for each in answer.expected if each.verdict in WRONG]
        assert len(wrong) == answer.plants > 0
        assert {each.claim.kind for each in wrong} == {kind}
        right = [match for match in answer.matches if match.verdict in TRUE]
        m = tally(answer.claims, right, answer.truth).true
        found = tally(answer.claims, answer.matches, answer.truth).faithfulness
        assert found == pytest.approx(m / (m + answer.plants), abs=1e-9)


def test_what_is_planted_is_named_by_nothing_that_is_there(scenes: list[Ground]) -> None:
    for answer in answers(scenes, "hallucinate", "object"):
        there = {
            word
            for feature in answer.truth.features
            for form in (feature.subject, *feature.forms)
            for word in re.findall(r"\w+", form.lower())
        }
        for each in answer.expected:
            if each.verdict == "hallucinated":
                assert there.isdisjoint({*each.claim.subject.split()} - {"of"})


def test_turned_relations_are_measured_not_to_hold(scenes: list[Ground]) -> None:
    for answer in answers(scenes, "hallucinate", "relation"):
        geometry = answer.truth.geometry
        assert geometry is not None
        true = {feature.feature: feature for feature in answer.truth.features}
        for each in answer.expected:
            if each.verdict == "contradicted":
                feature, relation = true[each.feature or ""], each.claim.relation or ""
                assert relation != feature.relation
                assert geometry.holds(relation, feature.about or "", feature.other or "") is False


def test_omissions_lower_coverage_by_as_much_as_they_are(scenes: list[Ground]) -> None:
    for answer in answers(scenes, "omit"):
        found = tally(answer.claims, answer.matches, answer.truth)
        assert found.owed - found.covered == answer.omitted > 0
        assert found.faithfulness == 1.0


@pytest.mark.parametrize(
    "treatment", ["reorder", "synonyms", "deny_absent", "verbose", "repeat", "inject"]
)
def test_harmless_treatments_change_no_truth(scenes: list[Ground], treatment: str) -> None:
    for answer in answers(scenes, treatment):
        base = answer.base
        assert base is not None and base.text != answer.text
        one, other = (
            tally(each.claims, each.matches, answer.truth, Scope(answer.alike))
            for each in (answer, base)
        )
        assert (one.faithfulness, one.coverage) == (other.faithfulness, other.coverage)


def test_a_denial_of_what_is_there_is_one(scenes: list[Ground]) -> None:
    for answer in answers(scenes, "deny_present"):
        denied = [each for each in answer.expected if each.claim.negated]
        assert [each.verdict for each in denied] == ["false_denial"]
        assert tally(answer.claims, answer.matches, answer.truth).denied == 1


def test_mirrored_sides_are_all_wrong(scenes: list[Ground]) -> None:
    for answer in answers(scenes, "mirror"):
        for each in answer.expected:
            if each.claim.kind == "place":
                assert each.verdict == "contradicted"


def test_another_scene_is_wrong_throughout(scenes: list[Ground]) -> None:
    for answer in answers(scenes, "other_scene"):
        assert answer.expected
        assert tally(answer.claims, answer.matches, answer.truth).true == 0


def test_things_are_no_claims(scenes: list[Ground]) -> None:
    for answer in answers(scenes, "things"):
        assert answer.text and not answer.expected


def test_the_truth_ten_times_is_said_ten_times(scenes: list[Ground]) -> None:
    for answer in answers(scenes, "repeat"):
        assert answer.base is not None
        assert answer.text.count(answer.base.text) == 10
        assert len(answer.expected) == 10 * len(answer.base.expected)
        later = answer.expected[len(answer.base.expected) :]
        assert all((each.verdict is None) == (each.claim.kind not in ONCE) for each in later)


def test_orders_to_the_judge_stand_around_the_answer(scenes: list[Ground]) -> None:
    said = set()
    for answer in answers(scenes, "inject"):
        assert answer.base is not None and answer.base.text in answer.text
        said.update(order for order in INJECTIONS if order in answer.text)
    assert len(said) >= 1
    many = list(planted(scenes, TREATMENTS["inject"], "all", 100, SEED))
    assert {order for order in INJECTIONS for each in many if order in each.text} == {*INJECTIONS}


def test_one_answer_a_scene_has_any_number_of_plants(scenes: list[Ground]) -> None:
    number = min(len(scenes), 40)
    found = list(planted(scenes, TREATMENTS["hallucinate"], "object", number, SEED))
    assert {each.plants for each in found} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("worse", [*WORSE])
def test_pairs_are_about_one_scene_and_differ(scenes: list[Ground], worse: str) -> None:
    found = list(pairs(scenes, worse, 20, SEED))
    assert len(found) == 20
    for good, bad in found:
        assert good.scene == bad.scene and good.text != bad.text
        one, other = (tally(each.claims, each.matches, bad.truth) for each in (good, bad))
        if worse == "injected":
            assert one == other
        elif worse == "half":
            assert one.covered > other.covered and other.faithfulness == 1.0
        else:
            assert (one.faithfulness or 0) > (other.faithfulness or 0)


def test_the_order_of_scenes_changes_no_answer() -> None:
    truths = drawn_truths(20, SEED)
    names = random.Random(1).sample(sorted(truths), len(truths))
    lexis = lexis_of(vocabulary(), RENDERER)
    one = grounds(truths, lexis, SEED)
    other = grounds({name: truths[name] for name in names}, lexis, SEED)
    for treatment, kind in CELLS:
        texts = [
            [(each.key, each.text) for each in planted(of, TREATMENTS[treatment], kind, 8, SEED)]
            for of in (one, other)
        ]
        assert texts[0] == texts[1]


def test_fewer_answers_are_the_first_of_more(scenes: list[Ground]) -> None:
    treatment = TREATMENTS["hallucinate"]
    many = [each.text for each in planted(scenes, treatment, "count", 30, SEED)]
    few = [each.text for each in planted(scenes, treatment, "count", 11, SEED)]
    assert many[:11] == few


def test_another_seed_plants_other_answers(scenes: list[Ground]) -> None:
    one, other = (
        [each.text for each in planted(scenes, TREATMENTS["hallucinate"], "object", 20, seed)]
        for seed in (1, 2)
    )
    assert one != other


def test_scenes_that_are_not_closed_are_left_out() -> None:
    from dataclasses import replace

    truths = drawn_truths(4, SEED)
    name = sorted(truths)[0]
    truths[name] = replace(truths[name], closed=False)
    found = grounds(truths, lexis_of(vocabulary(), RENDERER), SEED)
    assert name not in {each.scene for each in found} and len(found) == 3
