"""Features of people: who they are, what they wear, do and hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lvlmbench.scene.graph import Garment, Graph, Object, Person, Setting
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.truth_words import phrase
from support.planted_truth import by_name, drawn, truth

CLOTHES = (Garment("cap", "red"), Garment("sweater", "blue"), Garment("trousers", "gray"))
MAN = Person(
    age="adult",
    gender="man",
    race="dark",
    expression="happy",
    garments=CLOTHES,
    action="waving",
    hair="long",
    hair_color="black",
    beard="mustache",
    held="mug",
    held_color="green",
)
ROW = drawn(0, "o1", (300, 500), 400)
BESIDE = drawn(1, "o2", (750, 500), 400)


def someone(person: Person, number: int = 1) -> Object:
    return Object(f"o{number}", PERSON, PERSON, person=person, span=400)


def test_all_of_a_person_is_told() -> None:
    found = truth(Graph((someone(MAN),)), ROW)
    named = by_name(found)
    person = named["o1"]
    assert person.forms[0] == "person" and {"man", "guy"} <= {*person.forms}
    assert {"woman", "boy", "child"}.isdisjoint(person.forms)
    told = {
        name: named[f"o1.{name}"].value
        for name in ("age", "gender", "expression", "race", "hair_color", "does")
    }
    assert told == {
        "age": "adult",
        "gender": "male",
        "expression": "happy",
        "race": "dark",
        "hair_color": "black",
        "does": "wave",
    }
    assert "o1.hair" not in named  # under a cap
    owed = [name for name in ("age", "gender", "expression") if not named[f"o1.{name}"].optional]
    assert owed == ["gender", "expression"]  # a man is an adult
    assert (named["o1.wears.head"].object, named["o1.wears.head"].value) == ("cap", "red")
    assert named["o1.beard"].optional and "facial hair" in named["o1.beard"].forms
    assert (named["o1.held"].subject, named["o1.held.color"].value) == ("mug", "green")
    holds = named["o1.holds"]
    assert (holds.relation, holds.about, holds.other) == ("holds", "o1", "o1.held")
    assert found.geometry is not None
    assert found.geometry.holds("holds", "o1", "o1.held") is True


def test_who_holds_what() -> None:
    empty = replace(MAN, held=None, held_color=None)
    found = truth(Graph((someone(MAN), someone(empty, 2))), ROW, BESIDE)
    assert found.geometry is not None
    assert found.geometry.holds("holds", "o2", "o1.held") is False
    assert found.geometry.holds("holds", "o1.held", "o1") is None
    face = truth(Graph((someone(Person("adult", "male", None, "sad")),)), ROW)
    assert face.geometry is not None and face.geometry.holds("holds", "o1", "o9") is None


def test_what_cannot_be_told_is_left_open() -> None:
    child = replace(MAN, age="child", beard="none", action="standing", held=None)
    named = by_name(truth(Graph((someone(child),)), ROW))
    assert {"o1.gender", "o1.does"}.isdisjoint(named)
    assert {"boy", "girl", "child"} <= {*named["o1"].forms}
    assert {"man", "elderly man"}.isdisjoint(named["o1"].forms)
    belted = replace(MAN, garments=(*CLOTHES, Garment("belt", "blue")))
    belt = by_name(truth(Graph((someone(belted),)), ROW))["o1.wears.waist"]
    assert belt.optional and belt.value == "blue"  # as blue as the sweater
    crossed = replace(MAN, action="arms crossed", held=None)
    top = by_name(truth(Graph((someone(crossed),)), ROW))["o1.wears.top"]
    assert top.optional and top.value == "blue" and {"sweater", "jacket"} <= {*top.forms}


@pytest.mark.parametrize(("age", "shown"), [("adult", "green"), ("child", None)])
def test_the_color_of_a_backpack_is_told_where_it_shows(age: str, shown: str | None) -> None:
    carrying = replace(
        MAN, age=age, beard="none", garments=(*CLOTHES, Garment("backpack", "green"))
    )
    pack = by_name(truth(Graph((someone(carrying),)), ROW))["o1.wears.back"]
    assert pack.optional and pack.value == shown


def test_men_women_and_children_are_counted() -> None:
    woman = replace(MAN, gender="woman", beard="none")
    graph = Graph((someone(MAN), someone(woman, 2)))
    named = by_name(truth(graph, ROW, BESIDE))
    counted = {word: named[f"all.{word}.count"].value for word in ("person", "man", "woman")}
    assert counted == {"person": "2", "man": "1", "woman": "1"}
    hidden = replace(MAN, beard="none", garments=(*CLOTHES, Garment("glasses", "red")))
    named = by_name(truth(Graph((someone(MAN), someone(hidden, 2))), ROW, BESIDE))
    assert "all.man.count" not in named and named["all.person.count"].value == "2"


def test_styles_hide_who_it_is() -> None:
    face = someone(Person("elderly", "female", "light", "sad"))
    plain = by_name(truth(Graph((face,)), ROW))
    assert {"grandmother", "old woman"} <= {*plain["o1"].forms}
    assert plain["o1.wears.necklace"].optional
    relief = by_name(truth(Graph((face,), (), Setting(None, "toy bricks")), ROW))
    assert not {"o1.age", "o1.gender", "o1.race"} & {*relief}
    assert {"man", "girl"} <= {*relief["o1"].forms}


@pytest.mark.parametrize(
    ("name", "label", "verb", "part"),
    [("action", "playing golf", "play golf", "golf club"), ("action", "hugging", "hug", "couple")],
)
def test_an_action_is_one_of_a_person(name: str, label: str, verb: str, part: str) -> None:
    found = truth(Graph((Object("o1", name, label),)), ROW)
    named = by_name(found)
    assert named["o1"].subject == "person" and named["o1.does"].value == verb
    assert named[f"listed.{part}"].optional
    assert ("o1.count" in named) == (label == "hugging")


def test_a_profession_may_be_called_a_person() -> None:
    named = by_name(truth(Graph((Object("o1", "profession", "doctor"),)), ROW))
    assert (named["o1"].subject, named["o1"].optional) == ("doctor", False)
    assert named["o1.person"].optional and "woman" in named["o1.person"].forms
    assert named["o1.wears.lab coat"].kind == "garment" and "listed.stethoscope" in named


def test_people_are_told_apart_by_who_they_are() -> None:
    woman = replace(MAN, gender="woman", beard="none", held=None)
    found = truth(Graph((someone(MAN), someone(woman, 2))), ROW, BESIDE).features
    named = {each.feature: phrase(each, found) for each in found}
    assert named["o1.holds"] == "the man holds a mug"
    assert named["o2.does"] == "the woman waves"
    assert named["o1.wears.top"] == "the man wears a blue sweater"
    assert named["o1.wears.legs"] == "the man wears gray trousers"
