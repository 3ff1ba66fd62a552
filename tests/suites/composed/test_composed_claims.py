"""What the oracle reads about four panels, on pictures made by hand: layouts and id buffers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from support.composed_sample import FOLDER, Row
from support.oracle.buffers import measured
from support.oracle.names import names_in
from support.oracle.phrases import SKILLS, Unread
from support.oracle.picture import Picture, from_layout
from support.oracle.truth import Truth
from support.oracle.verdict import judged

_SIDE = 100
#: Left upper corners of panels.
_CORNERS = ((0, 0), (52, 0), (0, 52), (52, 52))
#: Where things stand in a panel: left, top, right, bottom.
_A, _B = (2, 2, 12, 12), (30, 2, 40, 12)
_C, _D = (2, 30, 12, 40), (30, 30, 40, 40)
#: Hardly to be seen: none of its sides reaches 8 % of the picture's.
_SPECK = (44, 44, 47, 47)

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Put:
    """A thing in a panel.

    ``seen`` is the box of what is left of it behind others, all of which it fills; ``hides`` holds
    shares of things, by how many places before this one they were put there.
    """

    label: str
    box: Box
    color: str | None = None
    seen: Box | None = None
    hides: dict[int, float] = field(default_factory=dict)


#: How a picture is made of what stands in its panels.
Shows = Callable[..., Picture]


def _moved(box: Box, panel: int) -> Box:
    x, y = _CORNERS[panel]
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _row(number: int, panel: int, put: Put) -> Row:
    box = _moved(put.seen or put.box, panel)
    return {
        "instance": number, "object": f"o{number}", "part": None, "panel": panel,
        "box": dict(zip(("left", "top", "right", "bottom"), box, strict=True)),
        "pixels": _area(box), "visible": _area(box) / _area(put.box),
        "hides": [{"instance": number - by, "share": s} for by, s in put.hides.items()],
    }  # fmt: skip


def _scene(puts: Sequence[tuple[int, Put]], background: str | None) -> Row:
    return {
        "objects": [
            {"id": f"o{number}", "label": put.label, "color": put.color, "text": None,
             "facing": None, "panel": panel, "person": None, "chart": None}
            for number, (panel, put) in enumerate(puts)
        ],
        "setting": {"background": background, "style": None, "weather": None},
    }  # fmt: skip


def _buffer(boxes: Sequence[Box]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    found = np.zeros((_SIDE, _SIDE), np.uint8)
    for number, (left, top, right, bottom) in enumerate(boxes):
        found[top:bottom, left:right] = 2 * number + 2
    return found


@pytest.fixture(params=["layout", "buffer"])
def shows(request: pytest.FixtureRequest) -> Shows:
    """Makes pictures by their layout, or by their id buffer alone."""

    def picture(*panels: Sequence[Put], background: str | None = None) -> Picture:
        puts = [(panel, put) for panel, found in enumerate(panels) for put in found]
        scene, names = _scene(puts, background), names_in(FOLDER)
        if request.param == "layout":
            rows = [_row(number, *put) for number, put in enumerate(puts)]
            return from_layout(scene, rows, _SIDE, names)
        boxes = [_moved(put.box, panel) for panel, put in puts]
        objects = [(f"o{number}", panel) for number, (panel, _) in enumerate(puts)]
        return measured(scene, _buffer(boxes), [_buffer([b]) for b in boxes], names, objects)

    return picture


def _stated(skill: str, statement: str, picture: Picture) -> Truth:
    return SKILLS[skill].answers(statement, "", picture)


def _counted(skill: str, clause: str, picture: Picture) -> list[Truth]:
    """Whether a claim holds in one, two, three, four panels; by whatever wording, the same."""
    capital = clause[0].upper() + clause[1:]
    asked = {
        tuple(SKILLS[skill].answers(question, str(n), picture) for n in range(1, 5))
        for question in (
            f"{capital}. In how many of the four pictures is that true?",
            f"In how many of the four pictures is this true: {clause}?",
        )
    }
    asked.add(
        tuple(
            _stated(skill, f"In {those} pictures, {clause}.", picture)
            for those in (
                "exactly one of the four", "exactly two of the four",
                "exactly three of the four", "all four",
            )
        )
    )  # fmt: skip
    (found,) = asked
    return list(found)


def _yes(number: int) -> list[Truth]:
    return [n == number for n in range(1, 5)]


def _cast(*colors: str, at: Sequence[Box] = (_A, _B, _C)) -> list[Put]:
    """A car, an umbrella and a chair, each at its place."""
    labels = ("car", "umbrella", "chair")
    return [Put(*each) for each in zip(labels, at, colors or ("red", "blue", "green"), strict=True)]


def test_existence_is_counted_by_panels(shows: Shows) -> None:
    pear, car, chair = (Put(label, at) for label, at in (("pear", _A), ("car", _B), ("chair", _C)))
    picture = shows([pear, car], [pear], [pear, car, chair], [chair])
    for clause, number in {
        "both a pear and a car can be seen": 2,
        "both a car and a chair can be seen": 1,
    }.items():
        assert _counted("existence", clause, picture) == _yes(number), clause
    assert _counted("existence", "both an umbrella and a car can be seen", picture) == [False] * 4


def test_an_unsure_panel_makes_a_number_unsure(shows: Shows) -> None:
    pear, car, speck = Put("pear", _A), Put("car", _B), Put("car", _SPECK)
    picture = shows([pear, car], [pear, speck], [pear], [car])
    both = "both a pear and a car can be seen"
    assert _counted("existence", both, picture) == [None, None, False, False]
    # Without a pear it does not matter whether there is a car.
    picture = shows([pear, car], [speck], [pear], [car])
    assert _counted("existence", both, picture) == _yes(1)


def test_what_a_panel_may_show_beside_its_things_is_unsure(shows: Shows) -> None:
    car, tree = Put("car", _B), Put("palm tree", _A)
    panels = [[car, tree], [car], [tree], [tree]]
    plain, jungle = shows(*panels), shows(*panels, background="jungle")
    clause = "both a car and a palm tree can be seen"
    assert _counted("existence", clause, plain) == _yes(1)
    assert _counted("existence", clause, jungle) == [None, None, False, False]
    # What a toolbox holds may be seen in its panel only.
    parts = shows([Put("toolbox", _B), tree], [tree], [tree], [tree])
    clause = "both a palm tree and a hammer can be seen"
    assert _counted("existence", clause, parts) == [None, False, False, False]


def test_colors_are_those_of_the_panel(shows: Shows) -> None:
    red, blue = _cast("red", "blue", "green"), _cast("blue", "red", "green")
    clause = "the car is red and the umbrella is blue"
    assert _counted("color_binding", clause, shows(red, blue, red, blue)) == _yes(2)
    assert _counted("color_binding", clause, shows(red, red, red, red)) == _yes(4)
    assert _counted("color_binding", clause, shows(red, red[:1], red, blue)) == _yes(2)
    two = [*red, Put("car", _D, "red")]
    found = _counted("color_binding", clause, shows(red, two, blue, blue))
    assert found == [None, None, False, False], "which car?"
    plain = [Put("car", _A), *red[1:]]
    found = _counted("color_binding", clause, shows(red, plain, red, blue))
    assert found == [False, None, None, False], "a color that nobody told"


def test_a_part_that_does_not_hold_is_enough(shows: Shows) -> None:
    red = _cast("red", "blue", "green")
    unsure = [Put("car", _A, "red"), Put("car", _D, "red"), Put("umbrella", _B, "pink")]
    for clause in (
        "the car is red and the umbrella is blue",
        "the umbrella is blue and the car is red",
    ):
        assert _counted("color_binding", clause, shows(red, unsure, red, red)) == _yes(3)


def test_things_are_meant_by_their_color(shows: Shows) -> None:
    one = _cast("red", "blue", "green")
    other = _cast("red", "blue", "green", at=(_B, _A, _D))
    picture = shows(one, other, one, one)
    for clause, number in {
        "the red thing is to the left of the blue thing": 3,
        "the blue thing is to the left of the red thing": 1,
        "the red thing is above the green thing": 4,
    }.items():
        assert _counted("attribute_binding", clause, picture) == _yes(number), clause
    clause = "the green thing is below the red thing"
    assert _counted("attribute_binding", clause, shows(one, one[:2], other, other)) == _yes(3)
    below = "the blue thing is below the red thing"
    assert _counted("attribute_binding", below, picture) == [False] * 4
    for doubtful in (
        [*one, Put("pear", _D, "red")],
        [*one, Put("pear", _D)],
        [Put("car", _SPECK, "red"), *one[1:]],
    ):
        found = _counted("attribute_binding", clause, shows(one, doubtful, other, other))
        assert found == [False, False, None, None], "which red thing?"
    gone = [*one[:2], Put("pear", _D, "red")]
    for same in (clause, "the red thing is above the green thing"):
        assert _counted("attribute_binding", same, shows(one, gone, other, other)) == _yes(3)


def test_places_are_those_in_the_panel(shows: Shows) -> None:
    one, other = _cast(at=(_A, _B, _C)), _cast(at=(_B, _A, _D))
    picture = shows(one, other, other, one)
    for clause, number in {
        "the car is to the left of the umbrella and above the chair": 2,
        "the car is to the right of the umbrella and above the chair": 2,
        "the car is above the chair and to the right of the umbrella": 2,
    }.items():
        assert _counted("spatial", clause, picture) == _yes(number), clause
    level = _cast(at=(_A, _B, (2, 16, 12, 26)))
    near = _cast(at=(_A, (7, 2, 17, 12), _C))
    clause = "the car is to the left of the umbrella and above the chair"
    assert _counted("spatial", clause, shows(one, other, other, level)) == _yes(2)
    found = _counted("spatial", clause, shows(one, other, other, near))
    assert found == [None, None, False, False], "hardly to the left"


def _pair(front: str, back: str, top: int) -> list[Put]:
    """A thing that hides a quarter of another one."""
    ahead, behind = (6, top, 22, top + 16), (18, top, 34, top + 16)
    return [Put(back, behind, seen=(22, top, 34, top + 16)), Put(front, ahead, hides={1: 0.25})]


def test_what_hides_what_is_told_by_panels(shows: Shows) -> None:
    one = [*_pair("car", "umbrella", 2), *_pair("chair", "pear", 26)]
    other = [*_pair("umbrella", "car", 2), *_pair("chair", "pear", 26)]
    third = [*_pair("car", "umbrella", 2), *_pair("pear", "chair", 26)]
    picture = shows(one, other, third, one)
    for clause, number in {
        "the car is in front of the umbrella and the pear is behind the chair": 2,
        "the pear is behind the chair and the car is in front of the umbrella": 2,
        "the car is behind the umbrella and the pear is behind the chair": 1,
        "the umbrella is behind the car and the pear is in front of the chair": 1,
    }.items():
        assert _counted("depth", clause, picture) == _yes(number), clause
    apart = [Put("car", _A), Put("umbrella", _B), *_pair("chair", "pear", 26)]
    clause = "the car is in front of the umbrella and the pear is behind the chair"
    found = _counted("depth", clause, shows(one, other, third, apart))
    assert found == [None, None, False, False], "neither hides the other"


def _cars(*boxes: Box) -> list[Put]:
    colors = ("red", "blue", "green")
    return [Put("car", box, color) for box, color in zip(boxes, colors, strict=True)]


def test_sizes_are_compared_in_the_panel(shows: Shows) -> None:
    small, middle, large = (2, 2, 11, 11), (20, 2, 33, 15), (2, 20, 22, 40)
    one = _cars(middle, small, large)
    other = _cars(small, middle, large)
    clause = "the red car is larger than the blue car, but smaller than the green car"
    assert _counted("size", clause, shows(one, other, one, one)) == _yes(3)
    like = _cars(middle, (20, 20, 32, 32), large)
    found = _counted("size", clause, shows(one, other, like, one))
    assert found == [False, None, None, False], "nearly of one size"
    # A thing that is large in one panel and small in another is judged by its own.
    whole = [_cars(middle, small, large), _cars(large, middle, small)]
    assert _counted("size", clause, shows(*whole, *whole)) == _yes(2)


def _fruit(pears: int, cars: int) -> list[Put]:
    at = [(x, y, x + 9, y + 9) for y in (1, 11, 21, 31) for x in (1, 11, 21, 31)]
    names = ["pear"] * pears + ["car"] * cars
    return [Put(name, box) for name, box in zip(names, at, strict=False)]


def test_numbers_are_compared_in_the_panel(shows: Shows) -> None:
    picture = shows(_fruit(3, 2), _fruit(2, 3), _fruit(2, 2), _fruit(4, 1))
    for clause, number in {
        "there are more pears than cars": 2,
        "there are fewer pears than cars": 1,
        "there are as many pears as cars": 1,
        "there are fewer cars than pears": 2,
    }.items():
        assert _counted("comparison", clause, picture) == _yes(number), clause
    speck = [*_fruit(3, 2), Put("car", _SPECK)]
    picture = shows(speck, _fruit(2, 3), _fruit(2, 2), _fruit(4, 1))
    found = _counted("comparison", "there are more pears than cars", picture)
    assert found == [None, None, False, False]


def test_things_of_four_panels_are_counted_together(shows: Shows) -> None:
    picture = shows(_fruit(3, 2), _fruit(1, 2), _fruit(4, 2), _fruit(4, 1))
    unsure = shows(_fruit(3, 2), _fruit(1, 2), _fruit(4, 2), [*_fruit(4, 1), Put("pear", _SPECK)])
    for question in (
        "How many pears are there in the four pictures together?",
        "How many pears can you count in the four pictures together?",
        "What is the number of pears in all four pictures?",
    ):
        answers = SKILLS["counting"].answers
        found = {n: answers(question, str(n), picture) for n in (3, 11, 12, 13)}
        assert found == {3: False, 11: False, 12: True, 13: False}
        assert answers(question, "12", unsure) is None
    for said, number in (("cars", "seven"), ("pears", "12"), ("chairs", "no")):
        for statement in (
            f"There are exactly {number} {said} in the four pictures together.",
            f"The four pictures together show exactly {number} {said}.",
        ):
            assert _stated("counting", statement, picture) is True
            assert _stated("counting", statement.replace(number, "six"), picture) is False
    one = shows(_fruit(1, 0), _fruit(0, 1), _fruit(0, 1), _fruit(0, 1))
    statement = "There is exactly one pear in the four pictures together."
    assert _stated("counting", statement, one) is True
    assert _stated("counting", statement, picture) is False


def test_a_thing_is_in_the_panel_that_shows_it() -> None:
    """Whichever panel the layout says."""
    puts = [(panel, Put("car", _A)) for panel in range(4)]
    puts += [(2, Put("pear", _B)), (3, Put("pear", _C))]
    rows = [_row(number, *put) for number, put in enumerate(puts)]
    rows[4] |= {"box": rows[4]["box"] | {"top": 3, "bottom": 13}}  # drawn in panel 0
    picture = from_layout(_scene(puts, None), rows, _SIDE, names_in(FOLDER))
    assert [len(picture.within(panel).things) for panel in range(4)] == [2, 1, 1, 2]


@pytest.mark.parametrize(
    ("skill", "text", "option"),
    [
        ("spatial", "the car is above the chair and below the pear. In how many of the four "
         "pictures is that true?", "1"),
        ("spatial", "In how many of the four pictures is this true: The car is above the chair "
         "and below the pear?", "1"),
        ("spatial", "In exactly four of the four pictures, the car is above the chair and below "
         "the pear.", ""),
        ("spatial", "In all four pictures, the car is behind the chair and below the pear.", ""),
        ("depth", "In all four pictures, the car is above the chair and the pear is behind the "
         "dog.", ""),
        ("size", "In all four pictures, the car is red and the chair is blue.", ""),
        ("size", "In all four pictures, the car is larger than the pear.", ""),
        ("existence", "In how many of the four pictures is this true: both a car and a pear can be "
         "seen?", "none"),
        ("counting", "How many pears are there in the four pictures together?", "twelve"),
        ("counting", "There are exactly 7 pears in the four pictures together.", ""),
        ("counting", "There are exactly one pears in the four pictures together.", ""),
    ],
)  # fmt: skip
def test_other_words_are_not_read(skill: str, text: str, option: str, shows: Shows) -> None:
    picture = shows(*[_cast()] * 4)
    with pytest.raises(Unread):
        SKILLS[skill].answers(text, option, picture)


@pytest.mark.parametrize("panels", [1, 2])
def test_four_pictures_are_four(panels: int, shows: Shows) -> None:
    picture = shows(*[_fruit(2, 1)] * panels)
    for skill, text in (
        ("comparison", "In all four pictures, there are more pears than cars."),
        ("counting", "The four pictures together show exactly two pears."),
    ):
        with pytest.raises(Unread):
            _stated(skill, text, picture)


def test_rows_of_questions_are_judged_with_these_words(shows: Shows) -> None:
    picture = shows(_fruit(3, 2), _fruit(2, 3), _fruit(2, 2), _fruit(4, 1))
    asked = {
        "subtask": "comparison", "question_type": "multiple_choice",
        "question": "In how many of the four pictures is this true: there are more pears "
        "than cars?",
        "options": ["3", "2", "4", "1"], "answer": "2", "answer_index": 1,
    }  # fmt: skip
    assert judged(asked, picture).faults == ()
    wrong = judged({**asked, "answer": "3", "answer_index": 0}, picture)
    assert wrong.faults == ("wrong answer", "second truth")
    said = {
        **asked, "question_type": "true_false", "options": ["True", "False"],
        "question": "True or false? In exactly three of the four pictures, there are more pears "
        "than cars.",
    }  # fmt: skip
    assert judged({**said, "answer": "False", "answer_index": 1}, picture).faults == ()
    assert judged({**said, "answer": "True", "answer_index": 0}, picture).faults != ()
