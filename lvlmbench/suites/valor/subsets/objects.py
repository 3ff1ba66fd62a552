"""Which things there are (VALOR-Eval: object existence)."""

from __future__ import annotations

from typing import Any

from lvlmbench.scene.grammar import enumeration
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.structured import Form
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.spots import scattered
from lvlmbench.suites.valor import design
from lvlmbench.suites.valor.association.drawable import Associated, associated
from lvlmbench.suites.valor.settings import Hallucinating
from lvlmbench.suites.valor.subset import Site, Subset, subset

_QUESTIONS = (
    "What can be seen in this picture? Name everything that you see.",
    "Not counting the background, list all the objects, animals, and plants in this picture.",
    "Describe this picture. Mention everything that it shows.",
    "What does this image contain? Leave nothing out.",
    "Look carefully at the image, and name everything that is in it.",
    "Give a complete list of what this image shows.",
)


def _first(own: Hallucinating, ordinal: int) -> int | None:
    return design.first_of(ordinal) if own.design else None


def _known(site: Site) -> Associated:
    return associated(site.own.association, site.kit.stock)


def _plan(site: Site) -> Graph:
    """Plan different things before a background, at spots that no two share."""
    if _first(site.own, site.ordinal) is not None:
        return design.planned(site.kit, _known(site), site.ordinal)[1]
    kit = site.kit
    setting, n = kit.setting("shape"), kit.size()
    things = kit.objects(kit.kinds(n, setting), [kit.draws.within(*kit.level.span)] * n)
    return Graph(things, scattered(kit, things), setting)


def _designed(site: Site) -> dict[str, Any]:
    """Return which association a scene is about."""
    if _first(site.own, site.ordinal) is None:
        return design.at_random(_known(site), _plan(site), site.kit.stock)
    return design.row(site.kit, _known(site), site.ordinal)


def said(kit: Kit, world: World) -> str:
    """Return that all things of a picture are there."""
    things = [kit.words.a(one.object.label) for one in world.things]
    return f"The picture shows {enumeration(things)}."


@SUBTASKS.register("valor_objects")
def objects() -> Subset:
    """Return the subset: which things there are."""
    return subset(
        "valor_objects", 1,
        things=(3, 7), span=(190, 240), background=True,
        form=Form(things=("name", "count")),
        questions=_QUESTIONS, plan=_plan, said=said,
        first=_first, designed=_designed, probed=True,
    )  # fmt: skip
