"""From a scene's graph to the art that shows it, or the reason why none does."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lvlmbench.core.errors import UserError
from lvlmbench.scene.charts import Chart, check
from lvlmbench.scene.figures.figure import VIEW, Figure
from lvlmbench.scene.figures.people import figure_of
from lvlmbench.scene.figures.rules import refuses as refuses_figure
from lvlmbench.scene.graph import Object, Person
from lvlmbench.scene.props import PROP
from lvlmbench.scene.vocabulary import Entry, Vocabulary
from lvlmbench.stages.render.kinds.pictograph import art, lettering, people
from lvlmbench.stages.render.kinds.pictograph.carriers import CARRIERS, Carrier
from lvlmbench.stages.render.kinds.pictograph.figures import figure_svg
from lvlmbench.stages.render.kinds.pictograph.landmarks import LANDMARKS
from lvlmbench.stages.render.kinds.pictograph.props import PROPS, Prop
from lvlmbench.stages.render.kinds.pictograph.raster import Art

#: Width of OpenMoji's view box.
GLYPH_VIEW = 72

#: Foregrounds that stand: they hardly lean and are never mirrored, or would be another thing.
_UPRIGHT = {"landmark": 3.0}

#: Foregrounds told apart by small things (tools, clothes): shown larger.
_DETAILED = frozenset(("landmark", "clothes", "action", "profession"))

#: Labels of the vocabulary -> how :mod:`people` calls it.
_GENDERS = {"male": "man", "man": "man", "female": "woman", "woman": "woman"}


@dataclass(frozen=True)
class Subject:
    """What to draw, and how freely.

    Parameters
    ----------
    art
        The art of one copy.
    object
        Which object of the scene's graph it is.
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
    whole
        Whether its span is that of its view box, so that figures share one scale.
    chart
        A chart, which is drawn at its size.
    faces
        Where its art faces: ``left``, ``right`` or ``viewer``; None where that is not clear.
    prop
        What things can be on or inside of.
    """

    art: Art
    object: str = "o1"
    copies: int = 1
    tilt: float = 12.0
    mirror: bool = True
    large: bool = False
    lettering: tuple[Carrier, str, str, str] | None = None
    whole: bool = False
    chart: Chart | None = None
    faces: str | None = None
    prop: Prop | None = None


class Subjects:
    """Looks scenes up in a vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._lists = vocabulary.lists

    def _entry(self, name: str, label: str | None) -> Entry | None:
        entry = self._lists[name].by_label.get(label or "") if name in self._lists else None
        return entry if entry is not None and "pictograph" in entry.renderers else None

    def refuses(self, thing: Object, subtask: str) -> str | None:
        """Return why something cannot be drawn; None when it can."""
        if thing.chart is not None:
            return _refuses_chart(thing.chart)
        if thing.person is not None:
            figure = figure_of(thing.person)
            reason = None if figure is None else refuses_figure(figure)
            if reason is not None:
                return f"pictograph does not draw such a person: {reason}"
            return None if figure is not None else self._refuses_person(thing.person)
        name, label = thing.list, thing.label
        if name == PROP:
            return None if label in PROPS else f"pictograph does not draw the prop '{label}'"
        if name not in self._lists or "pictograph" not in self._lists[name].renderers:
            return f"pictograph does not draw the subtask {subtask}"
        entry = self._entry(name, label)
        if entry is None:
            return f"pictograph does not draw the {name} '{label}'"
        if name == "carrier":
            if entry.extra.get("pictograph_carrier") not in CARRIERS:
                return f"pictograph does not draw the carrier '{label}'"
            if not thing.text:
                return "pictograph draws no carrier without a word"
            return None
        own = entry.extra.get("pictograph_landmark")
        if own not in LANDMARKS and not any(map(art.resolve, entry.pictograph)):
            return f"pictograph has no art for the {name} '{label}'"
        if thing.color is not None:
            if not entry.fills:
                return f"pictograph cannot recolor the {name} '{label}'"
            if self._entry("color", thing.color) is None:
                return f"pictograph does not draw the color '{thing.color}'"
        if thing.facing is not None and not _turns(entry, thing.facing):
            return f"pictograph cannot turn the {name} '{label}' to the {thing.facing}"
        if thing.span is None and not 1 <= thing.instances <= 3:
            return f"pictograph draws one to three things, not {thing.instances}"
        return None

    def _refuses_person(self, person: Person) -> str | None:
        known = {
            "age": people.AGES,
            "gender": tuple(_GENDERS),
            "expression": people.EXPRESSIONS,
        }
        for name, labels in known.items():
            if getattr(person, name) not in labels:
                return f"pictograph does not draw the {name} '{getattr(person, name)}'"
        if person.race is not None and self._skin(person.race) is None:
            return f"pictograph does not draw the race '{person.race}'"
        return None

    def _skin(self, label: str | None) -> str | None:
        """The skin modifier that the race list gives for a label."""
        entry = self._entry("race", label)
        parts = [part for code in entry.pictograph for part in code.split("-")] if entry else []
        return next((part for part in parts if part in art.SKIN_TONES), None)

    def subject(self, thing: Object, rng: np.random.Generator) -> Subject:
        """Return the art for something that :meth:`refuses` lets pass."""
        if thing.chart is not None:
            found = Subject(_NO_ART, tilt=0.0, mirror=False, chart=thing.chart)
        elif thing.person is not None:
            figure = figure_of(thing.person)
            found = self._person(thing.person, rng) if figure is None else _figure(figure)
        elif thing.list == PROP:
            prop = PROPS[thing.label]
            found = Subject(prop.art(), tilt=0.0, mirror=False, prop=prop)
        else:
            entry = self._lists[thing.list].by_label[thing.label]
            if thing.list == "carrier":
                found = _carrier(entry.extra["pictograph_carrier"], thing.text or "", rng)
            elif own := entry.extra.get("pictograph_landmark"):
                found = _landmark(own)
            else:
                found = self._thing(thing, entry, rng)
        return replace(found, object=thing.id)

    def _thing(self, thing: Object, entry: Entry, rng: np.random.Generator) -> Subject:
        codes = [code for code in map(art.resolve, entry.pictograph) if code]
        code = codes[int(rng.integers(len(codes)))]
        if thing.list in ("action", "profession"):
            choices = art.person_variants(code)
            code = choices[int(rng.integers(len(choices)))]
        color = thing.color
        rgb = tuple(self._lists["color"].by_label[color].extra["rgb"]) if color else None
        fills = entry.fills if color else ()

        def source() -> str:
            svg = art.svg(code)
            return art.recolored(svg, fills, rgb) if rgb is not None else svg

        stands = thing.list in _UPRIGHT
        return Subject(
            Art((code, fills, rgb), source, (GLYPH_VIEW, GLYPH_VIEW)),
            copies=thing.instances,
            tilt=_UPRIGHT.get(thing.list, 12.0),
            large=thing.list in _DETAILED,
            faces=entry.extra.get("faces"),
            mirror=not stands and not art.NEVER_MIRRORED.intersection(code.split("-")),
        )

    def _person(self, about: Person, rng: np.random.Generator) -> Subject:
        any_skin = art.SKIN_TONES[int(rng.integers(len(art.SKIN_TONES)))]
        skin = self._skin(about.race) or any_skin
        age, gender, expression = about.age, about.gender, about.expression
        assert age is not None and gender is not None and expression is not None
        person = people.sample(rng, age, _GENDERS[gender], skin, expression)
        return Subject(
            Art(person, lambda: people.person_svg(person), (people.VIEW, people.VIEW)),
            tilt=6.0,
            large=True,
        )


def _turns(entry: Entry, facing: str) -> bool:
    """Whether an entry's art can be drawn so that it faces there."""
    faces = entry.extra.get("faces")
    if faces == facing:
        return True
    mirrored = {faces, facing} == {"left", "right"}
    return mirrored and not any(
        art.NEVER_MIRRORED.intersection(code.split("-"))
        for code in map(art.resolve, entry.pictograph)
        if code
    )


#: Of what is no single piece of vector art.
_NO_ART = Art(None, lambda: "", (1, 1))


def _refuses_chart(chart: Chart) -> str | None:
    try:
        check(chart)
    except UserError as error:
        return f"pictograph does not draw such a chart: {error.what}"
    return None


def _figure(figure: Figure) -> Subject:
    art = Art(figure, lambda: figure_svg(figure), VIEW)
    # Actions have a side that is called left or right: nobody is mirrored.
    return Subject(art, tilt=0.0, mirror=False, large=True, whole=True)


def _landmark(name: str) -> Subject:
    drawn = LANDMARKS[name]
    art = Art(("landmark", name), drawn.svg, drawn.view)
    return Subject(art, tilt=_UPRIGHT["landmark"], mirror=False, large=True)


def _carrier(name: str, word: str, rng: np.random.Generator) -> Subject:
    carrier = CARRIERS[name]
    palette = carrier.palettes[int(rng.integers(len(carrier.palettes)))]
    face = lettering.FACES[int(rng.integers(len(lettering.FACES)))]
    return Subject(
        Art((name, palette), lambda: lettering.carrier_svg(carrier, palette), carrier.view),
        tilt=7.0,
        mirror=False,
        large=True,
        lettering=(carrier, word, palette[2], face),
    )
