"""Checks that are planted in pictures: nothing behind the things may pass for what is asked."""

from __future__ import annotations

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.lists import PERSON
from lvlmbench.suites.autodavis.checks import Check, turned
from lvlmbench.suites.graphs.stock import stock_of
from lvlmbench.suites.suite import suite_of
from support.exam.made import drawn, params_of
from support.render_scenes import vocabulary


def test_a_picture_with_a_crowd_behind_is_not_said_to_show_nobody() -> None:
    own = {"only": ["worn_garments", "counting"], "scenes": 120}
    exam = drawn(params_of(requests=("basic_understanding",), size=192, **own))
    stock, crowded, asked = stock_of(vocabulary(), "pictograph"), set(), 0
    for scene in exam.scenes.to_pylist():
        setting = Graph.of(scene).setting
        if PERSON in stock.shown(setting.background):
            crowded.add(scene["scene_id"])
    found = suite_of(exam.params).posed(exam.params, vocabulary(), exam.scenes, exam.layouts, 9)
    for check in found:
        if check.planted and check.element_type == "human":
            asked += 1
            assert check.shown_id not in crowded
    assert crowded and asked > 5


def test_what_stands_so_is_turned_and_nothing_else() -> None:
    fox, owl = (["with", "label", name, ["all"]] for name in ("fox", "owl"))
    check = Check("spatial", "fox above the owl", "Is the fox above the owl?", ("yes", "no"), "yes",
                  ["stands", "above", fox, owl], ("fox", "owl"))  # fmt: skip
    other = turned(check)
    assert other is not None
    assert (other.element, other.question) == ("fox below the owl", "Is the fox below the owl?")
    assert other.program == ["stands", "below", fox, owl] and other.answer == "yes"
    assert turned(other) == check
    for program in (["stands", "next_to", fox, owl], ["stands", "top left", fox],
                    ["exists", fox], ["count", fox, "?"]):  # fmt: skip
        assert turned(check._replace(program=program)) is None
