"""What colors things have (VALOR-Eval: attributes of objects)."""

from __future__ import annotations

from lvlmbench.scene.grammar import enumeration
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.structured import Form
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.spots import rows
from lvlmbench.suites.valor.subset import Site, Subset, subset

_QUESTIONS = (
    "Go through this picture from left to right, and say what everything is and what color it is.",
    "Name everything that this picture shows, and give the color of each.",
    "Describe what this image shows row by row, with all the colors.",
    "Name everything in this image in reading order, with its color.",
    "Not counting the background, list all the objects, animals, and plants, and give the color "
    "of each one.",
)
#: From so many things on, some are of one kind: their colors tell them apart.
_DOUBLES = 3
#: Things that are called as colors are: "a green rose" may be read as two colors.
_COLORS = ("rose",)


def _plan(site: Site) -> Graph:
    """Plan recolored things in rows; some are of a kind, and then of different colors."""
    kit = site.kit
    setting, n = kit.setting("shape", "color", plain=True), kit.size()
    doubles = kit.draws.within(0, n // _DOUBLES)
    pool = kit.stock.pool(recolorable=True, barred=(*kit.barred(setting), *_COLORS))
    kinds = kit.kinds(n - doubles, setting, of=pool)
    kinds = kit.draws.shuffled([*kinds, *kit.draws.some(kinds, doubles)])
    colors: list[str] = []
    for kind in kinds:
        taken = {c for other, c in zip(kinds, colors, strict=False) if other == kind}
        free = [c for c in kit.stock.colors if c not in taken]
        colors.append(kit.draws.pick(free))
    span = min(kit.level.span[1], 780 // -(-n // (1 if n < 4 else 2)))
    things = kit.objects(kinds, [span] * n, colors)
    return Graph(things, rows(kit, things), setting)


def said(kit: Kit, world: World) -> str:
    """Return the color of each thing, in the order of the rows."""
    things = [kit.words.colored(str(o.object.color), o.object.label) for o in world.things]
    return f"From left to right and from top to bottom, there are {enumeration(things)}."


@SUBTASKS.register("valor_attributes")
def attributes() -> Subset:
    """Return the subset: what colors things have."""
    return subset(
        "valor_attributes", 2,
        things=(2, 8), span=(160, 300),
        form=Form(things=("name", "count", "color")),
        questions=_QUESTIONS, plan=_plan, said=said,
    )  # fmt: skip
