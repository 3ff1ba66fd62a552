"""References of reasoning, and of several pictures, hold by a second reader of boxes and rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from lvlmbench.scene.lists import COUNTABLE
from support.render_scenes import vocabulary
from support.touchstone_oracle import NUMBERS, OUT, REL, Picture, Row, bare
from support.touchstone_scenes import asked

N, SEED = 24, 9
JOINED = ("touchstone_products", "touchstone_summary", "touchstone_differences")
WHERE = {
    "left": 0, "right": 1, "the left picture": 0, "the right picture": 1,
    "the picture at the top left": 0, "the picture at the top right": 1,
    "the picture at the bottom left": 2, "the picture at the bottom right": 3,
}  # fmt: skip


@cache
def plurals() -> dict[str, str]:
    lists = vocabulary().lists
    return {
        entry.label: entry.plural
        for name in (*COUNTABLE, "clothes")
        for entry in lists[name].entries
    }


@dataclass(frozen=True)
class Thing:
    """One thing, where it lies within its own picture, in shares of that picture's sides."""

    label: str
    color: str | None
    text: str | None
    at: tuple[float, float]
    size: float


def pictures_of(scene: Row, layout: list[Row], question: Row, side: int) -> list[list[Thing]]:
    """What each picture shows: a thing belongs to the panel of the question that holds its box."""
    objects = {each["id"]: each for each in scene["objects"]}
    found: list[list[Thing]] = [[] for _ in question["panels"]]
    for row in (row for row in layout if row["part"] is None):
        about, box = objects[row["object"]], row["box"]
        edges = [box[name] / side for name in ("left", "top", "right", "bottom")]
        holds = [
            n
            for n, p in enumerate(question["panels"])
            if p["left"] - 0.01 <= edges[0] and edges[2] <= p["right"] + 0.01
            and p["top"] - 0.01 <= edges[1] and edges[3] <= p["bottom"] + 0.01
        ]  # fmt: skip
        assert len(holds) == 1, "each thing lies within one panel"
        panel = question["panels"][holds[0]]
        x = (edges[0] + edges[2]) / 2 - panel["left"]
        y = (edges[1] + edges[3]) / 2 - panel["top"]
        size = max(edges[2] - edges[0], edges[3] - edges[1])
        thing = Thing(about["label"], about["color"], about["text"], (x, y), size)
        found[holds[0]].append(thing)
        assert (about["panel"] or 0) == holds[0]
    return found


def joined(task: str) -> Iterator[tuple[list[list[Thing]], Row]]:
    found = asked((task,), N, SEED)
    assert len(found.questions) >= N - 3
    for scene, layout, question in found.pairs():
        yield pictures_of(scene, layout, question, found.params.render.size), question


def _reasoned(p: Picture, asks: str) -> str:
    """The answer to a question of reasoning, from words and boxes alone."""
    if m := re.search(r"How many more (.+) than (.+) are there", asks):
        return str(len(p.kind(m[1])) - len(p.kind(m[2])))
    if m := re.search(r"pair each (.+) with one (.+?), how many", asks):
        few, many = ([t for t in p.things if t.label == m[at]] for at in (1, 2))
        return str(len(many) - len(few))
    if m := re.search(r"how many more (.+) than (.+) are there\?", asks):
        return str(len(p.kind(m[1])) - len(p.kind(m[2])))
    if m := re.search(rf"How many of the (.+) are {REL} the (.+)\?", asks):
        return _beside(p, m[1], m[2], m[3])
    if m := re.search(rf"Find the (.+)\. How many (.+) are {REL} it\?", asks):
        return _beside(p, m[2], m[3], m[1])
    if m := re.search(
        rf"How many (.+) are there in the picture\?.*of them are {REL} the (.+)\?", asks
    ):
        return _beside(p, m[1], m[2], m[3])
    if m := re.search(
        r"if every (\w+) object|all the (\w+) objects\.|without the (\w+) ones\?", asks
    ):
        gone = next(group for group in m.groups() if group)
        return str(sum(t.color != gone for t in p.things))
    if m := re.search(rf"color (?:as|is) the (.+?)(?:\.|\?| is).*? {OUT}\?", asks):
        one = p.one(m[1])
        mates = [t for t in p.things if t.color == one.color and t is not one]
        return Picture(tuple(mates), None, None).outer(m[2]).label
    m = re.search(
        r"(?:more (\w+) (.+) or more \w+ (.+) in the|more of: (\w+) (.+) or \w+ (.+)\?)", asks
    )
    assert m is not None, asks
    color, *names = (group for group in m.groups() if group)
    if m[4]:
        color, *names = m[4], m[5], m[6]
    first, second = (sum(t.color == color for t in p.kind(name)) for name in names)
    assert first != second and min(first, second) > 0
    return names[0] if first > second else names[1]


def _beside(p: Picture, things: str, side: str, other: str) -> str:
    to = p.one(other)
    return str(sum(each.beside(side, to) for each in p.kind(things)))


def test_reasoning_leads_to_what_decides() -> None:
    found = asked(("touchstone_reasoning",), 2 * N, SEED)
    assert len(found.questions) >= 2 * N - 4
    for scene, layout, question in found.pairs():
        picture = Picture.of(scene, layout, found.params.render.size, plurals())
        turns = [f"{turn['question']} {turn['answer']}" for turn in question["turns"] or ()]
        right = _reasoned(picture, " ".join([*turns, question["question"]]))
        assert question["accepted"][0] == right, question
        said = NUMBERS[int(right)] if right.isdecimal() else right
        both = ("both", "all") if right.isdecimal() else ()
        assert any(each in question["answer"].lower() for each in (said.lower(), right, *both))


def _offer(things: list[Thing]) -> tuple[Thing, int, list[Thing]]:
    (tag,) = (each for each in things if each.text)
    rest = [each for each in things if each is not tag]
    return rest[0], int(str(tag.text)), rest[1:]


def _facts(left: list[Thing], right: list[Thing]) -> set[str]:
    """What is to be said of two offers, in words of the test."""
    (one, a, gifts), (other, b, gifts2) = _offer(left), _offer(right)
    assert one.label == other.label and a != b
    cheap, dear = ("left", "right") if a < b else ("right", "left")
    facts = {
        f"the {cheap} one is cheaper: it costs {min(a, b)} and the {dear} one {max(a, b)}, a "
        f"difference of {abs(a - b)}"
    }
    if one.color == other.color:
        facts.add(f"both pictures show {one.color} {one.label}")
    else:
        facts.add(
            f"the left picture shows {one.color} {one.label}, and the right picture shows "
            f"{other.color} {other.label}"
        )
    ratio = other.size / one.size
    assert ratio < 0.8 or 0.93 < ratio < 1.07 or ratio > 1.25
    if 0.93 < ratio < 1.07:
        facts.add("both are the same size")
    else:
        facts.add(f"the {one.label} in the {'right' if ratio > 1 else 'left'} picture is larger")
    if not gifts and not gifts2:
        return facts | {"neither comes with anything else"}
    for side, given in (("left", gifts), ("right", gifts2)):
        what = f"{given[0].color} {given[0].label}" if given else "nothing else"
        facts.add(f"the {side} one comes with {what}")
    return facts


def test_offers_are_compared_as_they_were_drawn() -> None:
    kinds = set()
    for (left, right), question in joined("touchstone_products"):
        facts = _facts(left, right)
        first, *told = re.split(r"(?<=\w)\. ", question["answer"].rstrip("."))
        said = {
            re.sub(r"(comes with|shows?) an? ", r"\1 ", each[:1].lower() + each[1:])
            for each in told
        }
        product, (a, b) = _offer(left)[0], (_offer(each)[1] for each in (left, right))
        cheap = _offer(left if a < b else right)[0]
        if "color is th" in question["question"]:
            kinds.add("color")
            assert (
                question["accepted"][0] == cheap.color != _offer(right if a < b else left)[0].color
            )
        elif question["accepted"]:
            kinds.add("price")
            assert question["accepted"][0] == str(abs(a - b))
        else:
            kinds.add("all")
            assert bare(first.removeprefix("Both offers are for ")) == product.label
            assert said == facts, question["answer"]
        described = question["description"].split(" Of the offers: ")[1].rstrip(".").split(". ")
        assert {
            re.sub(r"(comes with|shows?) an? ", r"\1 ", each[:1].lower() + each[1:])
            for each in described
        } == facts
    assert kinds == {"color", "price", "all"}


def test_a_summary_names_what_all_show_and_what_each_shows() -> None:
    plain = exact = 0
    for pictures, question in joined("touchstone_summary"):
        labels = [{thing.label for thing in each} for each in pictures]
        (common,) = set.intersection(*labels)
        number = "both" if len(pictures) == 2 else f"all {NUMBERS[len(pictures)]}"
        thing = rf"(?:an? )?{common}\b"
        told = rf"{thing} is in {number} pictures|{number} pictures show {thing}"
        assert re.match(told, question["answer"], re.I)
        assert question["question"].count("both") == 0 or len(pictures) == 2
        if question["accepted"]:
            exact += 1
            assert question["accepted"][0] == common
            continue
        plain += 1
        told = question["answer"].split(". ", 1)[1].rstrip(".").split("; ")
        assert len(told) == len(pictures)
        for each in told:
            where, shown = each.split(" shows ")
            said = [bare(one) for one in re.split(r", and | and |, ", shown)]
            own = pictures[WHERE[where[:1].lower() + where[1:]]]
            assert sorted(said) == sorted(f"{thing.color} {thing.label}" for thing in own)
    assert plain and exact


def _changes(one: list[Thing], other: list[Thing]) -> set[tuple[str, str]]:
    """How things differ between two pictures: (how, label)."""
    first, second = ({thing.label: thing for thing in each} for each in (one, other))
    assert len(first) == len(one) and len(second) == len(other)
    found = {("missing", label) for label in first.keys() - second.keys()}
    found |= {("new", label) for label in second.keys() - first.keys()}
    for label in first.keys() & second.keys():
        a, b = first[label], second[label]
        found |= {("color", label)} if a.color != b.color else set()
        found |= {("larger", label)} if b.size / a.size > 1.2 else set()
        assert b.size / a.size > 0.9
        assert max(abs(p - q) for p, q in zip(a.at, b.at, strict=True)) < 0.04
    return found


def _said(text: str, here: str, one: list[Thing], other: list[Thing]) -> set[tuple[str, str]]:
    """The differences that a reference tells; their colors are those that were drawn."""
    first, second = ({thing.label: thing for thing in each} for each in (one, other))
    found = set()
    for part in text.split("; "):
        if m := re.fullmatch(rf"the (.+) is only in {here}", part):
            found.add(("new", m[1]))
        elif m := re.fullmatch(r"the (.+) is only in the (?:left picture|other three)", part):
            found.add(("missing", m[1]))
        elif m := re.fullmatch(rf"the (.+) is larger in {here}", part):
            found.add(("larger", m[1]))
        else:
            m = re.fullmatch(rf"{here} shows an? (\w+) (.+), and the .+ shows? an? (\w+) one", part)
            assert m is not None, part
            assert (second[m[2]].color, first[m[2]].color) == (m[1], m[3])
            found.add(("color", m[2]))
    return found


def test_differences_are_those_that_were_drawn() -> None:
    kinds, counted = set(), 0
    for pictures, question in joined("touchstone_differences"):
        if len(pictures) == 4:
            alike = [
                [not _changes_either(pictures[a], pictures[b]) for b in range(4)] for a in range(4)
            ]
            (odd,) = (at for at, row in enumerate(alike) if sum(row) == 1)
            m = re.fullmatch(r"(.+) is different: (.+)\.", question["answer"])
            assert m is not None
            place, here = m[1][:1].lower() + m[1][1:], "that picture"
            assert WHERE[place] == odd and question["accepted"][0] in place
            one, other, listed = pictures[(odd + 1) % 4], pictures[odd], m[2]
        else:
            (one, other), here = pictures, "the right picture"
            m = re.match(r"There (?:is one|are (\w+)) differences?: (.+?)\.", question["answer"])
            assert m is not None
            listed, number = m[2], NUMBERS.index(m[1] or "one")
            assert number == len(listed.split("; "))
            counted += bool(question["accepted"])
            assert (question["accepted"] or [str(number)])[0] == str(number)
        changes = _changes(one, other)
        assert _said(listed, here, one, other) == changes, question
        assert listed in question["description"]
        kinds |= {how for how, _ in changes}
    assert kinds == {"missing", "new", "color", "larger"} and counted


def _changes_either(one: list[Thing], other: list[Thing]) -> set[tuple[str, str]]:
    """As _changes, in whichever direction things are larger."""
    try:
        return _changes(one, other)
    except AssertionError:
        return _changes(other, one)


@pytest.mark.parametrize("task", JOINED)
def test_descriptions_name_each_thing_in_its_picture(task: str) -> None:
    for pictures, question in joined(task):
        sentences = question["description"].split(". ")
        assert f"made up of {NUMBERS[len(pictures)]} pictures" in sentences[0]
        for own, sentence in zip(pictures, sentences[1:], strict=False):
            where = re.match(r"(The .*?picture.*?) shows ", sentence)
            assert where is not None
            assert pictures[WHERE[where[1][:1].lower() + where[1][1:]]] is own
            for thing in own:
                color = f"{thing.color} " if thing.color else ""
                assert f"{color}{thing.label}" in sentence
                assert not thing.text or f'"{thing.text}"' in sentence


@pytest.mark.parametrize("task", JOINED)
def test_some_scenes_are_asked_about_in_turns_that_are_true(task: str) -> None:
    held = 0
    for pictures, question in joined(task):
        for turn in question["turns"] or ():
            held += 1
            asks, said = turn["question"], turn["answer"]
            if asks.startswith("How many pictures"):
                assert said == f"There are {NUMBERS[len(pictures)]}."
            elif asks.startswith("What do both"):
                assert bare(said.rstrip(".")).lower() == _offer(pictures[0])[0].label.lower()
            elif asks.startswith("Which of the two offers"):
                prices = [_offer(each)[1] for each in pictures]
                side = ("left", "right")[prices.index(min(prices))]
                assert said == f"The one on the {side}. It costs {min(prices)}."
            elif len(pictures) == 4:
                assert asks.startswith("Are all four") and said.startswith("No, one of them")
                assert " is different: " in question["answer"]
            else:
                assert asks.startswith("Are the two pictures") and said.startswith("No,")
                assert _changes(*pictures)
    assert held >= 3


def test_panels_are_cut_where_nothing_is() -> None:
    """The boxes hold the pictures whole; what is between them is paper."""
    for pictures, question in joined("touchstone_summary"):
        boxes: list[dict[str, Any]] = question["panels"]
        assert len(boxes) == len(pictures) in (2, 4)
        assert boxes[0]["left"] == boxes[0]["top"] == 0
        assert boxes[-1]["right"] == boxes[-1]["bottom"] == 1
        assert boxes[0]["right"] < boxes[1]["left"]
