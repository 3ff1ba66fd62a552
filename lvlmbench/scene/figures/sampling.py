"""Drawing figures at random: every attribute independent of all others.

Only what one attribute makes impossible ties two together: gray hair to old age, beards to grown
men, held things to actions that leave a hand free, garments to garments that they would hide; and
a child's hair, dress or skirt to its gender, which nothing else would show.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lvlmbench.scene.figures import labels
from lvlmbench.scene.figures.figure import Figure
from lvlmbench.scene.figures.rules import clothes

Garments = tuple[tuple[str, str], ...]

_COLORS = tuple(labels.COLORS)
#: What is worn above and below, and sets of accessories of which one is worn.
_CLOTHES = {
    place: tuple(kind for kind in labels.GARMENTS if labels.PLACES[kind] == place)
    for place in ("top", "legs")
}
_SETS = tuple(tuple(kinds) for kinds in labels.ACCESSORIES.values())
_ORDER = {kind: at for at, kind in enumerate(labels.GARMENTS)}


def _pick(rng: np.random.Generator, choices: Sequence[str], fixed: str | None = None) -> str:
    """Draw one choice; the draw is made even where it is fixed, so that nothing else moves."""
    drawn = choices[int(rng.integers(len(choices)))]
    return drawn if fixed is None else fixed


def _outfit(rng: np.random.Generator, fixed: Garments) -> Garments:
    """Return garments that can be worn together, those that are fixed among them."""
    worn = list(fixed)
    target = max(int(rng.integers(3, 6)), len(fixed))
    for place, kinds in _CLOTHES.items():
        if any(labels.PLACES[k] == place for k, _ in worn):
            continue
        if place == "legs" and any(k == "dress" for k, _ in worn):
            continue
        worn.append((_pick(rng, kinds), _pick(rng, _COLORS)))
    for i in rng.permutation(len(_SETS)).tolist():
        if len(worn) < target and not any(k in _SETS[i] for k, _ in worn):
            worn.append((_pick(rng, _SETS[i]), _pick(rng, _COLORS)))
    return tuple(sorted(worn, key=lambda item: _ORDER[item[0]]))


def outfit(
    rng: np.random.Generator, fixed: Garments = (), without: frozenset[str] = frozenset()
) -> Garments:
    """Return three to five garments, those that are fixed among them, and none ``without``.

    Raises
    ------
    ValueError
        The fixed garments cannot be worn together.
    """
    for _ in range(1000):
        worn = _outfit(rng, fixed)
        if clothes(worn) is None and not without & {kind for kind, _ in worn}:
            return worn
    raise ValueError(f"cannot be worn together: {fixed}")


def _of_child(hair: str | None, garments: Garments) -> str | None:
    """Return the gender that fixed hair or clothes show of a child; None where none does."""
    if any(kind in labels.GIRLISH for kind, _ in garments):
        return "woman"
    return next((who for who, styles in labels.CHILD_HAIR.items() if hair in styles), None)


def sample(
    rng: np.random.Generator,
    *,
    age: str | None = None,
    gender: str | None = None,
    skin: str | None = None,
    expression: str | None = None,
    hair: str | None = None,
    hair_color: str | None = None,
    beard: str | None = None,
    garments: Garments = (),
    action: str | None = None,
    held: tuple[str, str] | None = None,
    holding: bool | None = None,
) -> Figure:
    """Return a figure with these attributes; all others are drawn independently of them.

    Parameters
    ----------
    garments
        Worn for certain; others are added up to three to five.
    held, holding
        What is in the hand; or whether anything is, the rest left to chance (None: this, too).
    """
    if hair_color == "gray" or (beard or "none") != "none":
        fits = ("elderly",) if hair_color == "gray" else ("adult", "elderly")
        age = age or _pick(rng, fits)
    if (beard or "none") != "none":
        gender = gender or "man"
    is_age = _pick(rng, labels.AGES, age)
    child = is_age == "child"
    is_gender = _pick(rng, labels.GENDERS, gender or (_of_child(hair, garments) if child else None))
    drawn_color = _pick(rng, [c for c in labels.HAIR_COLORS if c != "gray"])
    drawn_beard = _pick(rng, [b for b in labels.BEARDS if b != "none"], beard)
    bearded = is_gender == "man" and not child
    holds = bool(rng.integers(2)) if holding is None else holding
    thing = (_pick(rng, labels.THINGS), _pick(rng, _COLORS))
    actions = labels.ONE_HANDED if held or holding else labels.ACTIONS
    is_action = _pick(rng, actions, action)
    if held is None and holds and is_action in labels.ONE_HANDED:
        held = thing
    without = frozenset(("vest",) if is_action == "arms crossed" else ())
    if child and is_gender == "man":
        without |= labels.GIRLISH - {kind for kind, _ in garments}
    return Figure(
        age=is_age,
        gender=is_gender,
        skin=_pick(rng, tuple(labels.SKIN_LABELS), skin),
        expression=_pick(rng, labels.EXPRESSIONS, expression),
        hair=_pick(rng, labels.CHILD_HAIR[is_gender] if child else labels.HAIR_STYLES, hair),
        hair_color=hair_color or ("gray" if is_age == "elderly" else drawn_color),
        beard=drawn_beard if bearded else "none",
        garments=outfit(rng, garments, without),
        action=is_action,
        held=held,
    )


def several(rng: np.random.Generator, n: int) -> tuple[Figure, ...]:
    """Return ``n`` figures, no two alike in age, gender, garments and action together."""
    out: list[Figure] = []
    seen = set()
    while len(out) < n:
        figure = sample(rng)
        key = (figure.age, figure.gender, figure.garments, figure.action)
        if key not in seen:
            seen.add(key)
            out.append(figure)
    return tuple(out)
