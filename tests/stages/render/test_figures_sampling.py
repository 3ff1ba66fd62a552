"""Figures drawn at random: independent attributes, refusals, what is unclear, words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from lvlmbench.core.seeding import generator
from lvlmbench.scene.figures import labels as known
from lvlmbench.scene.figures import phrases
from lvlmbench.scene.figures.figure import Figure
from lvlmbench.scene.figures.rules import refuses, unclear
from lvlmbench.scene.figures.sampling import sample, several
from lvlmbench.stages.render.kinds.pictograph.figures import figure_svg

N = 6000


@cache
def many() -> tuple[Figure, ...]:
    rng = generator(11, "figures", "many")
    return tuple(sample(rng) for _ in range(N))


def grown() -> tuple[Figure, ...]:
    return tuple(f for f in many() if f.age != "child")


def chi_square_excess(pairs: Counter[tuple[str, str]]) -> float:
    """How many standard deviations the chi-square of independence lies above its mean."""
    rows, columns, n = Counter[str](), Counter[str](), sum(pairs.values())
    for (a, b), count in pairs.items():
        rows[a] += count
        columns[b] += count
    total = 0.0
    for a, x in rows.items():
        for b, y in columns.items():
            expected = x * y / n
            total += (pairs[a, b] - expected) ** 2 / expected
    degrees = (len(rows) - 1) * (len(columns) - 1)
    assert degrees > 0
    return (total - degrees) / (2 * degrees) ** 0.5


def kinds(figure: Figure) -> frozenset[str]:
    return frozenset(kind for kind, _ in figure.garments)


PARTS: dict[str, Callable[[Figure], str]] = {
    "age": lambda f: f.age,
    "gender": lambda f: f.gender,
    "skin": lambda f: f.skin,
    "expression": lambda f: f.expression,
    "hair": lambda f: f.hair,
    "action": lambda f: f.action,
    "garments": lambda f: str(len(f.garments)),
    "top": lambda f: next(k for k in f.garments if k[0] in known.TOPS)[0],
    "top's color": lambda f: next(k for k in f.garments if k[0] in known.TOPS)[1],
}


@pytest.mark.parametrize(("a", "b"), list(combinations(PARTS, 2)))
def test_attributes_are_independent(a: str, b: str) -> None:
    # Hair and clothes are what shows a child's gender.
    figures = grown() if {a, b} & {"hair", "top"} else many()
    if {a, b} in ({"garments", "top"}, {"action", "top"}, {"action", "garments"}):
        # a dress goes without trousers; crossed arms exclude a vest
        figures = tuple(
            f for f in figures
            if f.action != "arms crossed" and "dress" not in kinds(f) and "coat" not in kinds(f)
            and "jacket" not in kinds(f)
        )  # fmt: skip
    if {a, b} == {"garments", "top"}:
        return
    pairs = Counter((PARTS[a](f), PARTS[b](f)) for f in figures)
    assert chi_square_excess(pairs) < 4.5


@pytest.mark.parametrize("kind", known.GARMENTS)
def test_a_garment_tells_nothing_about_who_wears_it(kind: str) -> None:
    for part in ("age", "gender", "skin", "expression", "hair"):
        pairs = Counter((str(kind in kinds(f)), PARTS[part](f)) for f in grown())
        assert chi_square_excess(pairs) < 5, part
    assert sum(kind in kinds(f) for f in many()) > 150


def test_hair_and_clothes_show_whether_a_child_is_a_girl_or_a_boy() -> None:
    children = [f for f in many() if f.age == "child"]
    assert all(f.hair in known.CHILD_HAIR[f.gender] for f in children)
    boys = [f for f in children if f.gender == "man"]
    assert not any(known.GIRLISH & kinds(f) for f in boys)
    assert 0.46 < len(boys) / len(children) < 0.54
    for gender, styles in known.CHILD_HAIR.items():
        ours = [f for f in children if f.gender == gender]
        assert {f.hair for f in ours} == set(styles)
        pairs = Counter((f.hair, PARTS["top"](f)) for f in ours)
        assert chi_square_excess(pairs) < 4.5


def test_what_is_fixed_of_a_child_decides_its_gender_and_is_never_changed() -> None:
    rng = generator(3, "figures", "children")
    for _ in range(50):
        assert sample(rng, age="child", hair="pigtails").gender == "woman"
        assert sample(rng, age="child", hair="short").gender == "man"
        assert sample(rng, age="child", garments=(("skirt", "red"),)).gender == "woman"
        assert sample(rng, age="child", gender="man", hair="long").hair == "long"
        dressed = sample(rng, age="child", gender="man", garments=(("dress", "red"),))
        assert dressed.gender == "man" and dressed.color_of("dress") == "red"


def test_the_chi_square_finds_what_depends() -> None:
    pairs = Counter((f.age, f.hair_color) for f in many())
    assert chi_square_excess(pairs) > 50


def test_hair_color_and_held_thing_depend_on_one_attribute_alone() -> None:
    young = [f for f in many() if f.age != "elderly"]
    assert chi_square_excess(Counter((f.hair_color, f.age) for f in young)) < 4.5
    assert chi_square_excess(Counter((f.hair_color, f.gender) for f in young)) < 4.5
    free = [f for f in many() if f.action in known.ONE_HANDED]
    held = [f for f in free if f.held]
    assert 0.45 < len(held) / len(free) < 0.55
    for part in ("age", "gender", "action"):
        pairs = Counter((f.held[0], PARTS[part](f)) for f in held if f.held)
        assert chi_square_excess(pairs) < 4.5


def test_garments_of_every_color_and_number() -> None:
    colors = Counter(color for f in many() for _, color in f.garments)
    assert set(colors) == set(known.COLORS)
    assert max(colors.values()) < 1.12 * min(colors.values())
    assert set(Counter(len(f.garments) for f in many())) == {3, 4, 5}


def test_what_is_sampled_is_never_refused() -> None:
    assert [refuses(f) for f in many() if refuses(f)] == []
    assert len(known.GARMENTS) >= 16 and len(known.COLORS) >= 11


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"garments": (("coat", "red"), ("jacket", "red"), ("trousers", "red"))}, "same place"),
        ({"garments": (("dress", "red"), ("skirt", "red"), ("cap", "red"))}, "a dress is worn"),
        ({"garments": (("sweater", "red"), ("cap", "red"), ("belt", "red"))}, "a dress is worn"),
        ({"garments": (("dress", "red"), ("top hat", "red"), ("cap", "red"))}, "same place"),
        ({"garments": (("coat", "red"), ("skirt", "red"), ("cap", "red"))}, "hide each other"),
        ({"garments": (("sweater", "red"), ("skirt", "red"))}, "three to five"),
        ({"garments": (("sweater", "red"), ("skirt", "red"), ("crown", "red"))}, "no garment"),
        ({"garments": (("sweater", "mauve"), ("skirt", "red"), ("cap", "red"))}, "no color"),
        ({"action": "arms crossed", "held": ("book", "red")}, "leaves no hand"),
        ({"held": ("sword", "red")}, "no held thing"),
        ({"hair_color": "gray"}, "gray hair"),
        ({"beard": "mustache", "gender": "woman"}, "grown men"),
        ({"action": "flying"}, "no action"),
        ({"age": "teenager"}, "no age"),
    ],
)
def test_refusals(change: dict[str, object], reason: str) -> None:
    fine = Figure(
        "adult", "man", "1F3FB", "happy", "short", "red", "none",
        (("sweater", "red"), ("skirt", "blue"), ("cap", "black")), "standing",
    )  # fmt: skip
    assert refuses(fine) is None
    found = refuses(replace(fine, **change))  # type: ignore[arg-type]
    assert found is not None and reason in found and "\n" not in found


def test_fixed_attributes_are_kept() -> None:
    rng = generator(3, "figures", "fixed")
    for _ in range(200):
        f = sample(rng, age="child", garments=(("scarf", "red"),), held=("book", "blue"))
        assert (f.age, f.color_of("scarf"), f.held) == ("child", "red", ("book", "blue"))
        assert f.color_of("cape") is None
        g = sample(rng, hair_color="gray", action="arms crossed")
        assert (g.age, g.action, g.held) == ("elderly", "arms crossed", None)
        assert g.color_of("vest") is None
        h = sample(rng, beard="full beard", holding=True)
        assert h.gender == "man" and h.age != "child" and h.held is not None
        assert not any(map(refuses, (f, g, h)))


def test_garments_that_do_not_go_together_cannot_be_fixed() -> None:
    with pytest.raises(ValueError, match="worn together"):
        sample(generator(1, "figures", "x"), garments=(("dress", "red"), ("skirt", "red")))


def test_the_same_draw_gives_the_same_figure_and_drawing() -> None:
    a, b = (several(generator(8, "figures", "same"), 6) for _ in range(2))
    assert a == b
    assert [figure_svg(f) for f in a] == [figure_svg(f) for f in b]


def test_several_are_distinct() -> None:
    for i in range(100):
        group = several(generator(9, "figures", str(i)), 6)
        assert len({(f.age, f.gender, f.garments, f.action) for f in group}) == 6


def test_what_cannot_be_seen_is_unclear() -> None:
    rng = generator(4, "figures", "unclear")
    assert "gender" in unclear(sample(rng, age="child"))
    assert "hair" in unclear(sample(rng, hair="bun", garments=(("cap", "red"),)))
    assert "hair_color" in unclear(sample(rng, hair="bun", garments=(("cap", "red"),)))
    assert "hair_color" not in unclear(sample(rng, hair="long", garments=(("cap", "red"),)))
    assert "hair_color" in unclear(sample(rng, hair="bald"))
    same = (("sweater", "red"), ("scarf", "red"), ("skirt", "blue"))
    figure = sample(rng, age="adult", gender="woman", hair="long", skin="1F3FB", action="waving")
    neck = {"scarf", "tie", "bow tie"}
    assert unclear(replace(figure, garments=same)) == neck
    assert unclear(replace(figure, garments=(*same[:1], ("belt", "blue"), *same[2:]))) == set()
    brown = (("sweater", "red"), ("shorts", "brown"), ("cape", "blue"))
    assert unclear(replace(figure, garments=brown, skin="1F3FF")) == {"trousers", "shorts", "skirt"}


def test_most_of_what_can_be_asked_is_clear() -> None:
    shares = Counter(name for f in many() for name in unclear(f) & ({"gender", *kinds(f)}))
    assert shares["gender"] < 0.36 * N
    garments = sum(count for name, count in shares.items() if name != "gender")
    assert 0.02 < garments / sum(len(f.garments) for f in many()) < 0.12
    assert {*known.ASKED} <= set(Figure.__dataclass_fields__)


def test_words() -> None:
    assert phrases.wearing("scarf", "red") == "wearing a red scarf"
    assert phrases.wearing("trousers", "blue") == "wearing blue trousers"
    assert phrases.wearing("T-shirt", "orange") == "wearing an orange T-shirt"
    assert phrases.holding("umbrella") == "holding an umbrella"
    assert set(phrases.ACTIONS) == set(known.ACTIONS)
    assert phrases.someone(sample(generator(1, "f", ""), age="elderly", gender="woman")) == (
        "an elderly woman"
    )
