"""Several examiners: who asks what, what it changes, and what none of them can do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from lvlmbench.config import validate
from lvlmbench.config.identity import params_id
from lvlmbench.core.errors import UserError
from lvlmbench.stages.metrics.independent import own_examiners
from lvlmbench.suites.autodavis.asked import OPTIONS
from lvlmbench.suites.autodavis.assigning import dealt
from lvlmbench.suites.autodavis.check_plan import check_plan
from lvlmbench.suites.autodavis.examiner import EXAMINERS, scope
from lvlmbench.suites.autodavis.plan import Item, Planner
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.suite import suite_of
from support.exam.judging import faults, pictures
from support.exam.made import Exam, drawn, params_of
from support.render_scenes import vocabulary

NAMES = tuple(kind.name for kind in EXAMINERS.ordered() if kind.name in EXAMINERS.ours())
SOME: dict[str, Any] = {
    "size": 256, "seed": 11, "requests": ("spatial_understanding",), "scenes": 12,
    "only": ["left_and_right", "nearest_neighbor"],
}  # fmt: skip


@cache
def exam(*names: str) -> Exam:
    """Return a small exam by these examiners."""
    return drawn(params_of(**{**SOME, **({"examiners": [*names]} if names else {})}))


def _planner(names: Sequence[str], **own: Any) -> Planner:
    return Planner(params_of(examiners=[*names], **own), vocabulary())


@pytest.mark.parametrize("examiners", [1, 2, 3, 5])
def test_each_has_as_many_items_and_each_letter_as_often(examiners: int) -> None:
    """Whatever the order of letters in each run."""
    for at in range(60):
        draws = Draws(at, "test", "deal")
        letters = [each for _ in range(examiners) for each in draws.shuffled(range(OPTIONS))]
        found = dealt(draws, letters, examiners)
        for row in range(OPTIONS):
            assert sorted(found[row * examiners : (row + 1) * examiners]) == [*range(examiners)]
        assert {*Counter(zip(found, letters, strict=True)).values()} == {1}


def test_of_odd_numbers_of_items_no_examiner_has_two_more() -> None:
    """Of any number of items of a request and level, so that it can be any number of aspects."""
    planner = _planner(NAMES)
    for request, aspects in planner.aspects.items():
        for level in planner.own.asked:
            items = [Item(aspect, level, number) for number in range(3) for aspect in aspects]
            who = [planner.examiner(item, OPTIONS) for item in items]
            letters = [planner.place(item, OPTIONS) for item in items]
            for n in range(1, len(items) + 1):
                times = Counter(who[:n])
                assert max(times.values()) - min(times[name] for name in NAMES) <= 1, (request, n)
                for name in NAMES:
                    at = Counter(p for w, p in zip(who[:n], letters[:n], strict=True) if w == name)
                    assert max(at.values(), default=0) - min(at[p] for p in range(OPTIONS)) <= 2
            whole = len(items) // (OPTIONS * len(NAMES)) * OPTIONS * len(NAMES)
            both = Counter(zip(who[:whole], letters[:whole], strict=True))
            assert {*both.values()} == {whole // (OPTIONS * len(NAMES))}


def test_each_has_each_letter_as_often_of_twins_too() -> None:
    planner, alone = _planner(NAMES, twins=True), _planner(NAMES[:1], twins=True)
    aspects = planner.aspects["spatial_understanding"]
    same = 0
    for level in planner.own.asked:
        items = [Item(a, level, number, twin=True) for number in range(3) for a in aspects]
        assert len(items) % (OPTIONS * len(NAMES)) == 0
        letters = [planner.place(item, OPTIONS) for item in items]
        assert letters == [alone.place(item, OPTIONS) for item in items]
        who = [planner.examiner(item, OPTIONS) for item in items]
        first = [item._replace(twin=False) for item in items]
        assert who == [planner.examiner(item, OPTIONS) for item in first]  # one asks about both
        assert len({*Counter(zip(who, letters, strict=True)).values()}) == 1
        same += letters == [planner.place(item, OPTIONS) for item in first]
    assert same < len(planner.own.asked)


def test_the_default_asks_what_it_asked_alone() -> None:
    first = EXAMINERS.first().name
    rows = exam().questions.to_pylist()
    assert {row["examiner"] for row in rows} == {first}
    assert rows == exam(first).questions.to_pylist()
    assert all(first not in row["key"].split("/") for row in rows)


def test_another_examiner_changes_only_what_it_asks() -> None:
    """Scenes, letters and all that the first one still asks stay; ids tell who asked."""
    alone, several = exam(), exam(*NAMES)
    assert several.scenes == alone.scenes and several.descriptions == alone.descriptions
    before = {row["scene_id"]: row for row in alone.questions.to_pylist()}
    after = {row["scene_id"]: row for row in several.questions.to_pylist()}
    assert {row["examiner"] for row in after.values()} == {*NAMES}
    first = EXAMINERS.first().name
    for scene, row in after.items():
        if row["examiner"] == first:
            assert row == before[scene]
        else:
            assert row["question_id"] != before[scene]["question_id"]
            assert row["examiner"] in row["key"].split("/")
            assert row["answer_index"] == before[scene]["answer_index"]


def test_order_and_ranges_change_no_question() -> None:
    one = exam(*NAMES)
    suite, layouts = suite_of(one.params), one.layouts
    whole = one.questions.to_pylist()
    backwards = one.scenes.take([*range(len(one.scenes))][::-1])
    again = suite.questions(one.params, vocabulary(), backwards, layouts).to_pylist()
    assert again[::-1] == whole
    parts = [
        suite.questions(one.params, vocabulary(), one.scenes.slice(at, 5), layouts).to_pylist()
        for at in range(0, len(one.scenes), 5)
    ]
    assert [row for part in parts for row in part] == whole


@pytest.mark.parametrize("name", NAMES)
def test_what_each_asks_is_true_by_the_oracle(name: str) -> None:
    one = exam(name)
    assert [fault.line for fault in faults(one.questions.to_pylist(), pictures(one))] == []
    assert len(one.questions) >= 10


def test_they_ask_otherwise() -> None:
    """The plain one offers less that is there, the dense one takes more steps and words."""

    def mean(name: str, factor: str) -> float:
        rows = exam(name).questions.to_pylist()
        return sum(row["factors"][factor] for row in rows) / len(rows)

    rules, plain, dense = NAMES
    assert mean(plain, "near") < mean(rules, "near")
    assert mean(dense, "hops") > mean(rules, "hops") == mean(plain, "hops")
    texts = {name: {row["question"] for row in exam(name).questions.to_pylist()} for name in NAMES}
    assert not texts[plain] & texts[dense]


def test_a_program_grows_with_what_it_names() -> None:
    small = ["is", "color", ["with", "label", "fox", ["all"]], "?"]
    large = [
        "is",
        "color",
        ["standing", "left_of", ["with", "label", "fox", ["all"]], ["all"]],
        "?",
    ]
    scopes = [scope(Ask(family="", program=p, questions=(), show=str, answer=0, wrong=()))
              for p in (small, large)]  # fmt: skip
    assert scopes == [3, 5]


class Liar:
    """An examiner that takes a wrong option for the answer, and offers the answer as wrong."""

    def steps(self, hops: int) -> Sequence[int]:
        return (hops,)

    def shown(self, least: int, most: int) -> int:
        return most

    def ranked(self, asks: Sequence[Ask]) -> list[Ask]:
        lies = [
            replace(one, answer=one.wrong[0], wrong=[one.answer, *one.wrong[1:]]) for one in asks
        ]
        twice = [replace(one, wrong=[one.answer, *one.wrong]) for one in asks]
        return [*lies, *twice]


def test_no_examiner_can_ask_what_is_not_true() -> None:
    """What it makes of asks is held against their programs."""
    with EXAMINERS.temporarily({"liar": EXAMINERS.of("liar", Liar)}):
        one = drawn(params_of(**{**SOME, "examiners": ["liar"]}))
    assert [fault.line for fault in faults(one.questions.to_pylist(), pictures(one))] == []
    assert all(len({*row["options"]}) == OPTIONS for row in one.questions.to_pylist())


def test_who_is_not_known_is_told_in_one_line() -> None:
    params = params_of(examiners=["rules_plane"])
    with pytest.raises(UserError, match=r"examiners: 'rules_plane' is not known.*did you mean"):
        check_plan(params, "my.yaml")
    with pytest.raises(UserError, match="twice"):
        params_of(examiners=[NAMES[0], NAMES[0]])
    endpoint = {"base_url": "http://localhost:1/v1", "model": "m"}
    model = {"name": NAMES[0], "engine": "openai_chat", "endpoint": endpoint}
    section = validate({"examiner": {"examiners": [model]}}).examiner
    with pytest.raises(UserError, match=f"'{NAMES[0]}' is the name of an embedded examiner"):
        check_plan(params_of().model_copy(update={"examiner": section}), "my.yaml")


def test_embedded_examiners_are_of_no_family() -> None:
    params = params_of(examiners=[*NAMES])
    assert suite_of(params).examiners(params) == dict.fromkeys(NAMES)


def test_a_plain_examiner_offers_what_is_not_there_and_counts_what_is() -> None:
    own = {**SOME, "only": ["colors_of_things"], "requests": ("basic_understanding",)}
    plain = drawn(params_of(**{**own, "examiners": [NAMES[1]]}))
    layouts = plain.scenes.to_pylist()
    colors = {scene["scene_id"]: {each["color"] for each in scene["objects"]} for scene in layouts}
    rows = plain.questions.to_pylist()
    assert len(rows) > 6
    for row in rows:
        wrong = {option for option in row["options"] if option != row["answer"]}
        assert len(wrong & colors[row["scene_id"]]) == row["factors"]["near"]
        # Where few colors are left that the picture does not show, others are offered, too.
        assert row["factors"]["near"] == 0 or len(colors[row["scene_id"]]) > 5


def test_served_examiners_have_the_families_that_parameters_say() -> None:
    endpoint = {"base_url": "http://localhost:1/v1", "model": "m"}
    model = {"name": "gpt-ex", "family": "gpt", "engine": "openai_chat", "endpoint": endpoint}
    asked = {"name": "gpt-x", "family": "gpt", "engine": "openai_chat", "endpoint": endpoint}
    other = {"name": "else", "family": "else", "engine": "chance"}
    sections = validate({"examiner": {"examiners": [model]}, "answer": {"models": [asked, other]}})
    params = params_of()
    served = params.model_copy(update={"examiner": sections.examiner, "answer": sections.answer})
    assert suite_of(served).examiners(served) == {NAMES[0]: None, "gpt-ex": "gpt"}
    assert own_examiners(served) == {"gpt-x": ("gpt-ex",)}
    assert own_examiners(params) == {}
    assert params_id(served) != params_id(params)
