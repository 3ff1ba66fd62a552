"""What a model describes is drawn as it says, or refused in one line that says what to do."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from lvlmbench.scene.graph import Graph
from lvlmbench.suites.autodavis.binding import bound
from lvlmbench.suites.autodavis.plan import Item, Planner
from lvlmbench.suites.planned import Description, Stands, Thing
from support.planned_exam import planned_params
from support.render_scenes import vocabulary

#: A picture of the medium level: three or four kinds, a background, no weather.
GOOD = Description(
    (Thing("lion"), Thing("umbrella", "blue"), Thing("apple", count=2)),
    (Stands(0, "left_of", 1), Stands(0, "above", 1)),
    "meadow", None, "lion", ("umbrella", "apple", "meadow", "calm"),
)  # fmt: skip
PERSON = Thing("person", action="waving", expression="sad", holds="book")


@cache
def planner() -> Planner:
    """A planner of an exam."""
    return Planner(planned_params({"base_url": "http://h/v1", "model": "m"}), vocabulary())


def tried(said: Description, level: str = "medium", banned: frozenset[str] = frozenset()) -> Any:
    """What becomes of a description."""
    aspect = planner().aspects["semantic_understanding"][0]
    return bound(planner(), Item(aspect, level, 0), banned, said)


def test_a_description_is_a_graph() -> None:
    graph = tried(GOOD)
    assert isinstance(graph, Graph)
    assert [(t.id, t.label, t.color, t.count) for t in graph.objects] == [
        ("o1", "lion", None, None), ("o2", "umbrella", "blue", None), ("o3", "apple", None, 2),
    ]  # fmt: skip
    assert [(r.subject, r.predicate, r.object) for r in graph.relations] == [
        ("o1", "above+left_of", "o2"),
    ]  # fmt: skip
    assert graph.setting.background == "meadow" and graph.setting.weather is None
    spans = [t.span or 0 for t in graph.objects]
    assert spans == sorted(spans, reverse=True) and 200 <= spans[-1] <= spans[0] <= 340
    assert tried(GOOD) == graph


def test_people_are_as_is_said_and_the_rest_is_drawn() -> None:
    words = ("umbrella", "apple", "waving", "sad", "book")
    graph = tried(GOOD._replace(things=(*GOOD.things[:2], Thing("apple"), PERSON), key_words=words))
    one = graph.objects[-1].person
    assert (one.action, one.expression, one.held) == ("waving", "sad", "book")
    assert one.garments and one.hair


SAID: list[tuple[str, dict[str, Any], str]] = [
    ("unknown", {"things": (Thing("lyon"), *GOOD.things[1:])}, "'lyon' is not in the list; the ne"),
    ("color", {"things": (Thing("lion", "blue"), *GOOD.things[1:])}, "its color is null"),
    ("hue", {"things": (GOOD.things[0], Thing("umbrella", "teal"), GOOD.things[2])}, "'teal' is"),
    ("twice", {"things": (*GOOD.things, Thing("apple"))}, "name each kind once"),
    ("few", {"things": GOOD.things[:2], "relations": ()}, "2 kinds of things, and this level"),
    ("many", {"things": (*GOOD.things[:2], Thing("apple", count=5))}, "7 in all, and this level"),
    ("no place", {"background": None}, "background: name one from the list"),
    ("place", {"background": "medow"}, "background: 'medow' is not in the list; the nearest are"),
    ("weather", {"weather": "rain"}, "weather: here it can be null, not 'rain'"),
    ("topic", {"topic_word": "irony"}, "topic_word: 'irony' names nothing"),
    ("untold", {"key_words": ("umbrella", "calm", "row", "pair")}, "'apple' is shown and is no"),
    ("again", {"key_words": ("umbrella", "apple", "Lion", "calm")}, "key_words: each must be"),
    ("who", {"things": (*GOOD.things, Thing("person", action="flying"))}, "person: 'flying' is"),
    ("two", {"things": (*GOOD.things, Thing("person", count=2))}, "add another person for two"),
    ("lion waves", {"things": (Thing("lion", action="waving"), *GOOD.things[1:])}, "only a person"),
    ("no end", {"relations": (Stands(0, "above", 3),)}, "there is no thing 3"),
    ("several", {"relations": (Stands(0, "above", 2),)}, "'apple' is there more than once"),
    ("itself", {"relations": (Stands(1, "above", 1),)}, "stands in none to itself"),
    ("in front", {"relations": (Stands(0, "in_front_of", 1),)}, "nothing stands in front"),
    ("both", {"relations": (Stands(0, "left_of", 1), Stands(1, "left_of", 0))}, "say once along"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "why"), [s[1:] for s in SAID], ids=[s[0] for s in SAID])
def test_what_cannot_be_drawn_is_one_line(changes: dict[str, Any], why: str) -> None:
    if "things" in changes and "key_words" not in changes:
        words = [t.label for t in changes["things"] if t.label != "person"][1:]
        people = [t.action or "person" for t in changes["things"] if t.label == "person"]
        changes["key_words"] = tuple(dict.fromkeys([*words, *people, "waving", "calm", "row"]))
        changes["topic_word"] = changes["things"][0].label
    found = tried(GOOD._replace(**changes))
    assert isinstance(found, str) and why in found and "\n" not in found


def test_relations_that_form_a_circle_are_refused() -> None:
    things = (Thing("lion"), Thing("umbrella"), Thing("apple"))
    round_it = tuple(Stands(at, "left_of", (at + 1) % 3) for at in range(3))
    said = GOOD._replace(things=things, relations=round_it)
    assert tried(said) == "relations: they contradict each other"
    assert isinstance(tried(said._replace(relations=round_it[:2])), Graph)
    mirrored = (*round_it[:2], Stands(0, "right_of", 2))
    assert tried(said._replace(relations=mirrored)) == "relations: they contradict each other"


def test_what_looks_alike_or_is_in_the_background_does_not_stand_beside_it() -> None:
    sea = planner().stock
    one, other = next(
        (a.label, b.label)
        for a in sea.kinds
        for b in sea.kinds
        if a != b and sea.clash(a.label, b.label)
    )
    said = GOOD._replace(
        things=(Thing(one), Thing(other), Thing("apple")), relations=(), topic_word=one,
        background="desert", key_words=(other, "apple", "calm", "row"),
    )  # fmt: skip
    assert tried(said) == f"'{other}' can be taken for '{one}'; leave one out"
    place, label = next(
        (e.label, shown)
        for e in sea.backgrounds
        for shown in sea.shown(e.label)
        if shown in sea.by_label
    )
    things = (Thing(label), Thing("umbrella"), Thing("apple"))
    said = GOOD._replace(
        things=things, relations=(), background=place, topic_word=label,
        key_words=("umbrella", "apple", "calm", "row"),
    )  # fmt: skip
    assert tried(said) == f"'{label}' can be taken for what the background or weather shows"


@pytest.mark.parametrize("word", ["LION", "umbrella", "calm", "meadow"])
def test_banned_words_are_named(word: str) -> None:
    found = tried(GOOD, banned=frozenset([word]))
    assert "is banned: leave it out" in found and word.casefold() in found


def test_an_easy_picture_has_no_background() -> None:
    easy = GOOD._replace(things=(Thing("lion"),), relations=(), background=None,
                         key_words=("calm", "row", "pair", "rest"))  # fmt: skip
    assert isinstance(tried(easy, "easy"), Graph)
    assert tried(easy._replace(background="meadow"), "easy").startswith("background: this level")
    person = easy._replace(things=(replace(PERSON, action="arms crossed"),), topic_word="sad",
                           key_words=("book", "arms crossed", "calm", "row"))  # fmt: skip
    assert "holds nothing" in tried(person, "easy")
