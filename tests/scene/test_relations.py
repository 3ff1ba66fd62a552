"""Relations between things that were seen: clearly so, clearly not, and what nobody can tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lvlmbench.scene.directions import FARTHER
from lvlmbench.scene.relations import (
    BINARY,
    CELLS,
    CONVERSE,
    CORNERS,
    PREDICATES,
    STATED,
    VISIBLE,
    Box,
    Seen,
    extreme,
    judge,
    spot,
    spot_of,
)


def seen(
    number: int, x: float, y: float, width: float = 0.1, height: float | None = None, **more: object
) -> Seen:
    """A thing by its middle and its sides, filling its box."""
    height = width if height is None else height
    box = Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    return Seen(number, box, width * height, **more)  # type: ignore[arg-type]


A = seen(0, 0.2, 0.5)

#: Relation -> two things for which it holds, does not hold, and is not clear.
PLACES: dict[str, tuple[tuple[Seen, Seen], ...]] = {
    "left_of": ((A, seen(1, 0.5, 0.5)), (A, seen(1, 0.1, 0.5)), (A, seen(1, 0.23, 0.5))),
    "right_of": ((A, seen(1, 0.1, 0.5)), (A, seen(1, 0.5, 0.5)), (A, seen(1, 0.17, 0.5))),
    "above": ((A, seen(1, 0.2, 0.7)), (A, seen(1, 0.2, 0.3)), (A, seen(1, 0.2, 0.53))),
    "below": ((A, seen(1, 0.2, 0.3)), (A, seen(1, 0.2, 0.7)), (A, seen(1, 0.2, 0.47))),
    "next_to": ((A, seen(1, 0.32, 0.5)), (A, seen(1, 0.6, 0.5)), (A, seen(1, 0.41, 0.5))),
    "in_front_of": (
        (replace(A, hides={1: 0.3}), seen(1, 0.25, 0.5)),
        (A, seen(1, 0.25, 0.5, hides={0: 0.3})),
        (replace(A, hides={1: 0.6}), seen(1, 0.25, 0.5)),
    ),
    "behind": (
        (A, seen(1, 0.25, 0.5, hides={0: 0.3})),
        (replace(A, hides={1: 0.3}), seen(1, 0.25, 0.5)),
        (A, seen(1, 0.25, 0.5)),
    ),
    "hides": (
        (replace(A, hides={1: 0.2}), seen(1, 0.25, 0.5)),
        (A, seen(1, 0.25, 0.5)),
        (replace(A, hides={1: 0.08}), seen(1, 0.25, 0.5)),
    ),
    "larger": (
        (A, seen(1, 0.5, 0.5, 0.07)),
        (A, seen(1, 0.5, 0.5, 0.14)),
        (A, seen(1, 0.5, 0.5, 0.11)),
    ),
    "smaller": (
        (A, seen(1, 0.5, 0.5, 0.14)),
        (A, seen(1, 0.5, 0.5, 0.07)),
        (A, seen(1, 0.5, 0.5, 0.11)),
    ),
    "same_size": (
        (A, seen(1, 0.5, 0.5, 0.102)),
        (A, seen(1, 0.5, 0.5, 0.14)),
        (A, seen(1, 0.5, 0.5, 0.115)),
    ),
    "nearer": (
        (seen(0, 0.2, 0.8, 0.2), seen(1, 0.6, 0.5)),
        (seen(0, 0.2, 0.3, 0.1), seen(1, 0.6, 0.6, 0.2)),
        (seen(0, 0.2, 0.8, 0.1), seen(1, 0.6, 0.5, 0.2)),
    ),
    "farther": (
        (seen(0, 0.2, 0.3, 0.1), seen(1, 0.6, 0.6, 0.2)),
        (seen(0, 0.2, 0.8, 0.2), seen(1, 0.6, 0.5)),
        (seen(0, 0.2, 0.8, 0.2), seen(1, 0.6, 0.86, 0.1)),
    ),
    "in_row": ((A, seen(1, 0.7, 0.52)), (A, seen(1, 0.7, 0.7)), (A, seen(1, 0.7, 0.56))),
    "in_column": ((A, seen(1, 0.21, 0.8)), (A, seen(1, 0.4, 0.8)), (A, seen(1, 0.26, 0.8))),
    "inside": (
        (A, seen(1, 0.21, 0.5, 0.3)),
        (A, seen(1, 0.5, 0.5, 0.3)),
        (A, seen(1, 0.2, 0.54, 0.1)),
    ),
    "on": (
        (A, seen(1, 0.2, 0.7, 0.4, 0.3)),
        (A, seen(1, 0.2, 0.9, 0.4, 0.1)),
        (A, seen(1, 0.2, 0.735, 0.4, 0.3)),
    ),
}

EXAMPLES = [
    (name, *pair, wanted)
    for name, pairs in PLACES.items()
    for pair, wanted in zip(pairs, (True, False, None), strict=True)
]


def test_every_relation_between_two_has_examples() -> None:
    assert set(PLACES) == set(BINARY)
    assert {*BINARY, *CORNERS, *FARTHER, *CELLS, "between"} == PREDICATES and len(CELLS) == 9


@pytest.mark.parametrize(("name", "a", "b", "wanted"), EXAMPLES)
def test_what_holds_what_does_not_and_what_is_not_clear(
    name: str, a: Seen, b: Seen, wanted: bool | None
) -> None:
    found = judge(name, a, b)
    assert found.holds is wanted
    if wanted is not None:
        assert found.margin >= 1 if wanted else found.margin <= -1


@pytest.mark.parametrize("name", STATED)
def test_a_side_is_clear_along_the_main_direction_alone(name: str) -> None:
    """The same 0.3 along the axis, and more and more aside of it, up to what is the main one."""
    across = name in ("left_of", "right_of")
    sign = -1 if name in ("left_of", "above") else 1
    found = []
    for aside in (0.0, 0.12, 0.2, 0.29, 0.45):
        by = (0.3 * sign, aside) if across else (aside, 0.3 * sign)
        one = seen(0, 0.5 + by[0], 0.5 + by[1])
        found.append(judge(name, one, seen(1, 0.5, 0.5)).holds)
        assert judge(STATED[name], one, seen(1, 0.5, 0.5)).holds is True
        assert judge(CONVERSE[name], one, seen(1, 0.5, 0.5)).holds is False
    assert found == [True, True, True, None, None]
    far = (0.035 * sign, 0.4) if across else (0.4, 0.035 * sign)
    assert judge(name, seen(0, 0.5 + far[0], 0.5 + far[1]), seen(1, 0.5, 0.5)).holds is False


@pytest.mark.parametrize(("name", "dx", "dy"), [
    ("above+left_of", -1, -1), ("above+right_of", 1, -1),
    ("below+left_of", -1, 1), ("below+right_of", 1, 1),
])  # fmt: skip
def test_a_corner_is_about_as_far_along_either_axis(name: str, dx: int, dy: int) -> None:
    there = seen(1, 0.5, 0.5)
    clear, steep = ((0.3, 0.3), (0.3, 0.17)), ((0.4, 0.12), (0.12, 0.4))
    cases = {True: clear, None: steep, False: ((0.3, 0.0), (-0.3, 0.3))}
    for across, down, wanted in ((*by, holds) for holds, found in cases.items() for by in found):
        one = seen(0, 0.5 + dx * across, 0.5 + dy * down)
        assert judge(name, one, there).holds is wanted
        assert judge(CONVERSE[name], there, one) == judge(name, one, there)


def test_what_is_under_a_thing_is_not_on_it_and_what_is_before_it_is_not_clear() -> None:
    table = seen(1, 0.5, 0.4, 0.4, 0.3)
    assert judge("on", seen(0, 0.5, 0.65), table).holds is False
    assert judge("on", seen(0, 0.5, 0.5), table).holds is None


@pytest.mark.parametrize(("name", "a", "b", "wanted"), EXAMPLES)
def test_the_converse_says_the_same_the_other_way_round(
    name: str, a: Seen, b: Seen, wanted: bool | None
) -> None:
    if name in CONVERSE:
        assert CONVERSE[CONVERSE[name]] == name
        assert judge(CONVERSE[name], b, a) == judge(name, a, b)


@pytest.mark.parametrize(("name", "a", "b", "wanted"), EXAMPLES)
def test_nothing_is_clear_about_what_is_hidden_or_in_another_panel(
    name: str, a: Seen, b: Seen, wanted: bool | None
) -> None:
    hidden = replace(a, visible=VISIBLE - 0.01)
    assert judge(name, hidden, b).holds is None
    assert judge(name, a, replace(b, visible=0.0)).holds is None
    assert judge(name, a, replace(b, panel=1)).holds is None


@pytest.mark.parametrize("name", ["larger", "smaller", "same_size", "nearer", "farther"])
def test_sizes_are_told_of_whole_things_alone(name: str) -> None:
    for a, b in PLACES[name][:2]:
        assert judge(name, replace(a, visible=0.85), b).holds is None
        assert judge(name, a, replace(b, visible=0.85)).holds is None


def test_a_long_thing_and_a_bulky_one_have_no_order_of_size() -> None:
    assert judge("larger", seen(0, 0.3, 0.3, 0.4, 0.04), seen(1, 0.6, 0.6, 0.2)).holds is None


def test_opposites_never_hold_together() -> None:
    for one, other in (("left_of", "right_of"), ("above", "below"), ("larger", "same_size")):
        for a, b in (pair for pairs in PLACES.values() for pair in pairs):
            assert not (judge(one, a, b).holds and judge(other, a, b).holds)


def test_between_is_near_the_line_and_not_at_its_ends() -> None:
    b, c = seen(1, 0.1, 0.5), seen(2, 0.9, 0.5)
    assert judge("between", seen(0, 0.5, 0.52), b, c).holds is True
    assert judge("between", seen(0, 0.5, 0.9), b, c).holds is False
    assert judge("between", seen(0, 0.98, 0.5), b, c).holds is False
    assert judge("between", seen(0, 0.13, 0.5), b, c).holds is None
    assert judge("between", seen(0, 0.5, 0.72), b, c).holds is None
    assert judge("between", seen(0, 0.1, 0.5), b, seen(2, 0.15, 0.5)).holds is None
    assert judge("between", seen(0, 0.5, 0.5), b, replace(c, visible=0.3)).holds is None


def test_a_thing_is_at_a_spot_or_off_it() -> None:
    where = spot(40, 7)
    assert spot_of(where) == (40, 7)
    for x, y, holds in ((0.4, 0.07, True), (0.42, 0.09, True), (0.44, 0.07, None)):
        assert judge(where, seen(0, x, y)).holds is holds
    assert judge(where, seen(0, 0.4, 0.2)).holds is judge(where, seen(0, 0.3, 0.07)).holds is False
    for other in ("spot", "spot 4", "spot 100 3", "spot 04 7", "spot a b", "left_of", *CELLS):
        assert spot_of(other) is None
    with pytest.raises(KeyError):
        judge("spot 100 3", seen(0, 0.4, 0.07))


def test_a_thing_lies_in_one_cell_or_near_a_border() -> None:
    for row in range(3):
        for column in range(3):
            one = seen(0, (2 * column + 1) / 6, (2 * row + 1) / 6)
            held = [cell for cell in CELLS if judge(cell, one).holds]
            assert held == [CELLS[3 * row + column]]
            assert all(judge(cell, one).holds is False for cell in CELLS if cell not in held)
    edge = seen(0, 1 / 3, 1 / 6)
    assert [judge(cell, edge).holds for cell in ("top left", "top center")] == [None, None]
    assert judge("bottom left", edge).holds is False


def test_the_nearest_is_clearly_nearer_than_all_others() -> None:
    b, near, far = seen(1, 0.5, 0.5), seen(2, 0.62, 0.5), seen(3, 0.9, 0.5)
    assert extreme(near, b, [far], nearest=True).holds is True
    assert extreme(far, b, [near], nearest=True).holds is False
    assert extreme(far, b, [near], nearest=False).holds is True
    assert extreme(near, b, [far], nearest=False).holds is False
    assert extreme(near, b, [seen(4, 0.5, 0.64)], nearest=True).holds is None
    # The middle of a large thing is far, its edge is near.
    assert extreme(near, b, [seen(4, 0.2, 0.5, 0.46)], nearest=True).holds is None


def test_an_unknown_relation_or_a_missing_thing_is_an_error() -> None:
    for name, things in (
        ("beside", (A, A)),
        ("beside", (A, A, A)),
        ("left_of", (A,)),
        ("between", (A, A)),
    ):
        with pytest.raises(KeyError):
            judge(name, *things)
