"""From a scene's metadata to the art that shows it, or the reason why none does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lvlmbench.scene.vocabulary import (
    Entry,
    Vocabulary,
)
from lvlmbench.stages.render.kinds.pictograph import (
    art,
    lettering,
    people,
)
from lvlmbench.stages.render.kinds.pictograph.carriers import (
    CARRIERS,
    Carrier,
)
from lvlmbench.stages.render.kinds.pictograph.raster import Art
from lvlmbench.stages.render.renderer import Scene

#: Width of OpenMoji's view box.
GLYPH_VIEW = 72

#: Foregrounds that stand: they hardly lean and are never mirrored, or would be another thing.
_UPRIGHT = {"landmark": 3.0}

#: Foregrounds told apart by small things (tools, clothes): shown larger.
_DETAILED = frozenset(("landmark", "clothes", "action", "profession"))

_PERSON_SUBTASKS = ("age", "gender", "race", "expression")

#: Labels of the vocabulary -> how :mod:`people` calls it.
_GENDERS = {"male": "man", "man": "man", "female": "woman", "woman": "woman"}


@dataclass(frozen=True)
class Subject:
    """What to draw, and how freely.

    Parameters
    ----------
    art
        The art of one copy.
    copies
        How often it is shown.
    tilt
        Largest tilt in degrees.
    mirror
        Whether it may be mirrored.
    large
        Whether it fills more of the canvas than other things, so that words and faces can be read.
    lettering
        (carrier, word, ink) where a word is written on it.
    """

    art: Art
    copies: int = 1
    tilt: float = 12.0
    mirror: bool = True
    large: bool = False
    lettering: tuple[Carrier, str, str] | None = None


def is_person(scene: Scene) -> bool:
    """Whether the foreground is a person described by attributes."""
    return scene["foreground_list"] == "person" or scene["subtask"] in _PERSON_SUBTASKS


class Subjects:
    """Looks scenes up in a vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._lists = vocabulary.lists

    def _entry(self, name: str, label: str | None) -> Entry | None:
        entry = self._lists[name].by_label.get(label or "") if name in self._lists else None
        return entry if entry is not None and "pictograph" in entry.renderers else None

    def refuses(self, scene: Scene) -> str | None:
        """Why the foreground cannot be drawn; None when it can."""
        if is_person(scene):
            return self._refuses_person(scene)
        name, label = scene["foreground_list"], scene["foreground"]
        if name not in self._lists or not any(
            "pictograph" in entry.renderers for entry in self._lists[name].entries
        ):
            return f"pictograph does not draw the subtask {scene['subtask']}"
        entry = self._entry(name, label)
        if entry is None:
            return f"pictograph does not draw the {name} '{label}'"
        if name == "carrier":
            if entry.extra.get("pictograph_carrier") not in CARRIERS:
                return f"pictograph does not draw the carrier '{label}'"
            if not scene["text"]:
                return "pictograph draws no carrier without a word"
            return None
        if not any(art.resolve(code) for code in entry.pictograph):
            return f"pictograph has no art for the {name} '{label}'"
        attributes = scene["attributes"] or {}
        color = attributes.get("color")
        if color is not None:
            if not entry.extra.get("recolor"):
                return f"pictograph cannot recolor the {name} '{label}'"
            if self._entry("color", color) is None:
                return f"pictograph does not draw the color '{color}'"
        number = attributes.get("number") or 1
        if not 1 <= number <= 3:
            return f"pictograph draws one to three things, not {number}"
        return None

    def _refuses_person(self, scene: Scene) -> str | None:
        attributes = scene["attributes"] or {}
        known = {
            "age": people.AGES,
            "gender": tuple(_GENDERS),
            "expression": people.EXPRESSIONS,
        }
        for name, labels in known.items():
            if attributes.get(name) not in labels:
                return f"pictograph does not draw the {name} '{attributes.get(name)}'"
        if attributes.get("race") is not None and self._skin(attributes["race"]) is None:
            return f"pictograph does not draw the race '{attributes.get('race')}'"
        return None

    def _skin(self, label: str | None) -> str | None:
        """The skin modifier that the race list gives for a label."""
        entry = self._entry("race", label)
        parts = [part for code in entry.pictograph for part in code.split("-")] if entry else []
        return next((part for part in parts if part in art.SKIN_TONES), None)

    def subject(self, scene: Scene, rng: np.random.Generator) -> Subject:
        """The art for a scene that :meth:`refuses` lets pass."""
        if is_person(scene):
            return self._person(scene, rng)
        name = scene["foreground_list"]
        entry = self._lists[name].by_label[scene["foreground"]]
        if name == "carrier":
            return _carrier(entry.extra["pictograph_carrier"], scene["text"], rng)
        found = [code for code in map(art.resolve, entry.pictograph) if code]
        code = found[int(rng.integers(len(found)))]
        if name in ("action", "profession"):
            choices = art.person_variants(code)
            code = choices[int(rng.integers(len(choices)))]
        attributes = scene["attributes"] or {}
        color = attributes.get("color")
        rgb = tuple(self._lists["color"].by_label[color].extra["rgb"]) if color else None
        fills = tuple(entry.extra["recolor"]) if color else ()

        def source() -> str:
            svg = art.svg(code)
            return art.recolored(svg, fills, rgb) if rgb is not None else svg

        return Subject(
            Art((code, fills, rgb), source, (GLYPH_VIEW, GLYPH_VIEW)),
            copies=attributes.get("number") or 1,
            tilt=_UPRIGHT.get(name, 12.0),
            large=name in _DETAILED,
            mirror=name not in _UPRIGHT and not art.NEVER_MIRRORED.intersection(code.split("-")),
        )

    def _person(self, scene: Scene, rng: np.random.Generator) -> Subject:
        attributes = scene["attributes"]
        any_skin = art.SKIN_TONES[int(rng.integers(len(art.SKIN_TONES)))]
        skin = self._skin(attributes["race"]) or any_skin
        person = people.sample(
            rng, attributes["age"], _GENDERS[attributes["gender"]], skin, attributes["expression"]
        )
        return Subject(
            Art(person, lambda: people.person_svg(person), (people.VIEW, people.VIEW)),
            tilt=6.0,
            large=True,
        )


def _carrier(name: str, word: str, rng: np.random.Generator) -> Subject:
    carrier = CARRIERS[name]
    palette = carrier.palettes[int(rng.integers(len(carrier.palettes)))]
    return Subject(
        Art((name, palette), lambda: lettering.carrier_svg(carrier, palette), carrier.view),
        tilt=7.0,
        mirror=False,
        large=True,
        lettering=(carrier, word, palette[2]),
    )
