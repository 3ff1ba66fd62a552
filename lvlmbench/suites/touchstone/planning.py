"""What several tasks plan alike: a setting that does not answer for the things, and people."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.scene.figures.people import person_of
from lvlmbench.scene.figures.sampling import several
from lvlmbench.scene.graph import Object, Setting
from lvlmbench.scene.lists import PERSON
from lvlmbench.suites.touchstone.kit import TaskKit


def setting_without(kit: TaskKit, names: Sequence[str], *keeps: str) -> Setting:
    """Return a plain setting whose background shows no entry of some lists by itself."""
    labels = [label for name in names for label in kit.names.entries(name)]
    without = {form for label in labels for form in (label, label.lower())}
    return kit.setting(*keeps, plain=True, without=without)


def people(kit: TaskKit, n: int, span: int) -> tuple[Object, ...]:
    """Return so many people from head to foot, no two alike."""
    return tuple(
        Object(
            f"o{at + 1}",
            PERSON,
            PERSON,
            "main" if at == 0 else "secondary",
            span=span,
            person=person_of(each),
        )
        for at, each in enumerate(several(kit.draws.generator, n))
    )
