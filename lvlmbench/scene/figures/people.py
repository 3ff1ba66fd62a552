"""Figures in a scene's graph, and back."""

from __future__ import annotations

from lvlmbench.scene.figures.figure import Figure
from lvlmbench.scene.figures.labels import SKIN_LABELS
from lvlmbench.scene.graph import Garment, Person

_TONES = {label: tone for tone, label in SKIN_LABELS.items()}


def person_of(figure: Figure) -> Person:
    """Return a figure as a scene's graph holds it; its skin tone is one that can be told."""
    held, held_color = figure.held or (None, None)
    return Person(
        age=figure.age,
        gender=figure.gender,
        race=SKIN_LABELS[figure.skin],
        expression=figure.expression,
        garments=tuple(Garment(*each) for each in figure.garments),
        action=figure.action,
        hair=figure.hair,
        hair_color=figure.hair_color,
        beard=figure.beard,
        held=held,
        held_color=held_color,
    )


def figure_of(person: Person) -> Figure | None:
    """Return a full-length figure; None for a person of whom a scene says less."""
    if person.hair is None or not person.garments:
        return None
    held = None
    if person.held is not None:
        held = (person.held, person.held_color or "")
    return Figure(
        age=person.age or "",
        gender=person.gender or "",
        skin=_TONES.get(person.race or "", ""),
        expression=person.expression or "",
        hair=person.hair,
        hair_color=person.hair_color or "",
        beard=person.beard or "none",
        garments=tuple((each.label, each.color or "") for each in person.garments),
        action=person.action or "",
        held=held,
    )
