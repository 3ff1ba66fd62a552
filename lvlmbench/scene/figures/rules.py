"""Which figures cannot be drawn, and what of a figure cannot be told."""

from __future__ import annotations

from itertools import combinations

from lvlmbench.scene.figures import labels
from lvlmbench.scene.figures.figure import Figure

#: Pairs of garments of which one hides the other, besides two at one place.
_HIDING = {
    frozenset(pair)
    for pair in (
        ("coat", "shorts"), ("coat", "skirt"), ("coat", "vest"), ("coat", "tie"), ("coat", "boots"),
        ("jacket", "vest"), ("jacket", "tie"), ("dress", "vest"),
        ("vest", "tie"), ("vest", "belt"), ("jacket", "belt"),
        ("cape", "scarf"), ("cape", "tie"), ("cape", "bow tie"),
    )
}  # fmt: skip


_NEXT_TO_SKIN = frozenset(("T-shirt", "dress", "trousers", "shorts", "gloves", "boots", "sneakers"))
_ON_THE_TOP = frozenset(("gloves", "scarf", "tie", "bow tie", "belt", "vest"))

#: Tops that leave the forearms bare.
_BARE = frozenset(("T-shirt", "dress"))


def refuses(figure: Figure) -> str | None:
    """Return why a figure cannot be drawn so that all of it shows; None when it can."""
    return _unknown(figure) or clothes(figure.garments) or _person(figure)


def _unknown(f: Figure) -> str | None:
    known = {
        "age": labels.AGES,
        "gender": labels.GENDERS,
        "skin": labels.SKIN_TONES,
        "expression": labels.EXPRESSIONS,
        "hair": labels.HAIR_STYLES,
        "hair_color": tuple(labels.HAIR_COLORS),
        "beard": labels.BEARDS,
        "action": labels.ACTIONS,
    }
    for name, choices in known.items():
        if getattr(f, name) not in choices:
            return f"there is no {name.replace('_', ' ')} '{getattr(f, name)}'"
    for kind, color in (*f.garments, *([f.held] if f.held else [])):
        if color not in labels.COLORS:
            return f"there is no color '{color}'"
        if kind not in labels.PLACES and (kind, color) != f.held:
            return f"there is no garment '{kind}'"
    if f.held and f.held[0] not in labels.THINGS:
        return f"there is no held thing '{f.held[0]}'"
    return None


def clothes(garments: tuple[tuple[str, str], ...]) -> str | None:
    """Return why garments cannot be worn together; None when they can."""
    kinds = [kind for kind, _ in garments]
    if not 3 <= len(kinds) <= 5:
        return f"a figure wears three to five garments, not {len(kinds)}"
    for a, b in combinations(kinds, 2):
        if labels.PLACES[a] == labels.PLACES[b]:
            return f"{a} and {b} are worn at the same place"
        if frozenset((a, b)) in _HIDING:
            return f"{a} and {b} hide each other"
    places = {labels.PLACES[kind] for kind in kinds}
    if "top" not in places:
        return "nothing covers the trunk"
    if ("dress" in kinds) == ("legs" in places):
        return "a dress is worn without, all else with trousers, shorts or a skirt"
    return None


def _person(f: Figure) -> str | None:
    if (f.hair_color == "gray") != (f.age == "elderly"):
        return "gray hair belongs to elderly people, and they have no other"
    if f.beard != "none" and (f.gender, f.age) not in (("man", "adult"), ("man", "elderly")):
        return "only grown men have a beard"
    if f.action == "arms crossed" and f.color_of("vest"):
        return "crossed arms hide a vest"
    if f.held and f.action not in labels.ONE_HANDED:
        return f"{f.action} leaves no hand for a {f.held[0]}"
    return None


def unclear(figure: Figure) -> frozenset[str]:
    """Return what this drawing does not show beyond doubt: never to be asked, nor counted on.

    Names of attributes, and kinds of garments: whether they are worn, and their color. The
    gender of a child is never clear. Which beard a man has is never asked (labels.ASKED).
    """
    out = set()
    worn = {kind for kind, _ in figure.garments}
    plain = figure.hair == "bald" if figure.gender == "woman" else figure.beard == "none"
    if figure.age == "child" or (plain and worn & {"glasses", "sunglasses"}):
        out.add("gender")
    if figure.skin not in labels.SKIN_LABELS:
        out.add("skin")
    if worn & set(labels.ACCESSORIES["head"]):
        out.add("hair")
    if worn & labels.HATS and figure.hair in labels.UNDER_A_HAT:
        out.add("hair_color")
    if figure.hair == "bald":
        out.add("hair_color")
    return frozenset(out | _unclear_garments(figure))


def _unclear_garments(figure: Figure) -> set[str]:
    """Return kinds that look like what they lie on, or that crossed arms make doubtful."""
    out = set()
    top, top_color = next(item for item in figure.garments if item[0] in labels.TOPS)
    if figure.action == "arms crossed" and top in ("sweater", "jacket"):
        out.add(top)
    for kind, color in figure.garments:
        # Bare legs and arms look brown, too.
        if color == "brown" and figure.skin in labels.SKIN_TONES[3:] and kind in _NEXT_TO_SKIN:
            out.add(kind)
        if color == top_color and kind in _ON_THE_TOP and not (kind == "gloves" and top in _BARE):
            out.add(kind)
    if figure.age == "child" and figure.action == "sitting":
        out.update(kind for kind in ("skirt", "shorts") if kind in dict(figure.garments))
    if figure.hair in ("long", "pigtails") and figure.color_of("backpack"):
        out.add("backpack")
    # Where it is not clear what is worn, nothing can be ruled out at that place either.
    places = {labels.PLACES[kind] for kind in out}
    return {kind for kind, place in labels.PLACES.items() if place in places}
