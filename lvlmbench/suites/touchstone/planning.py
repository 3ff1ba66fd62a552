"""What several tasks plan alike: a setting that does not answer for the things, and people."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.scene.figures.people import person_of
from lvlmbench.scene.figures.sampling import several
from lvlmbench.scene.graph import Object, Setting
from lvlmbench.scene.lists import PERSON
from lvlmbench.suites.graphs.stock import Kind
from lvlmbench.suites.touchstone.kit import TaskKit


def setting_without(
    kit: TaskKit, names: Sequence[str], *keeps: str, also: Sequence[str] = ()
) -> Setting:
    """Return a plain setting whose background shows no entry of some lists by itself, and nothing
    ``also`` named."""
    labels = [label for name in names for label in kit.names.entries(name)]
    without = {form for label in labels for form in (label, label.lower())} | {*also}
    return kit.setting(*keeps, plain=True, without=without)


def inanimate(kit: TaskKit, setting: Setting) -> list[Kind]:
    """Return the kinds of things that take any color, without animals: all of them are objects."""
    pool = kit.stock.pool(recolorable=True, span=kit.level.span[0], barred=kit.barred(setting))
    return [kind for kind in pool if kind.list != "animal"]


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
