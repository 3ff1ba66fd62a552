"""The commonest kind: of which things there are most."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.programs import holds
from lvlmbench.scene.sets import Program
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.knowledge import apart
from lvlmbench.suites.autodavis.sorts import Sort, tried
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.stock import Kind

#: Kinds that are offered.
_OPTIONS = 4
#: By hops: how many there are of each kind; the first of at most four kinds are offered. Where
#: these look alike two and two there are four: of three one would have lost its like, and what
#: nobody sees would be known by it.
_NUMBERS = (
    ((3, 1), (2, 1), (2, 1, 1)),
    ((3, 1, 1, 1), (2, 1, 1, 1)),
    ((3, 2, 1, 1, 1), (2, 1, 1, 1, 1), (2, 1, 1, 1, 1, 1), (3, 2, 2, 1)),
)


@FAMILIES.register("commonest", settings=Sort)
class Commonest(Family):
    """Several of one kind, fewer of the others."""

    def __init__(self, about: Sort) -> None:
        self._about = about

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan kinds, two pairs of look-alikes where the level wants such; any may be commonest."""
        setting = kit.setting("shape")
        pool = self._about.pool(kit, setting)
        numbers = kit.draws.pick(_NUMBERS[min(kit.level.hops, 2)])
        shown: list[Kind] = []
        if kit.level.near:
            shown = tried(lambda: kit.alike(setting, of=pool)) or []
            shown += tried(lambda: kit.alike(setting, shown, of=pool)) or []
        shown = kit.draws.shuffled(shown)[: len(numbers)]
        shown += apart(kit, pool, len(numbers) - len(shown), shown)
        if len(shown) < len(numbers):
            return None
        offered = kit.draws.shuffled(numbers[:_OPTIONS])
        n = sum(numbers)
        things = kit.objects(shown, [kit.spans(n)[n // 2]] * len(shown))
        counts = [*offered, *numbers[_OPTIONS:]]
        counted = (replace(t, count=c) for t, c in zip(things, counts, strict=True))
        return Graph(tuple(counted), (), setting)

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask of which kind there are most; kinds that are not there come last."""
        there = [thing.label for thing in world.graph.objects]
        shown = there[:_OPTIONS]
        program: Program = ["commonest", "?"]
        right = [label for label in shown if holds(program, world, label)]
        kinds = [kit.stock.by_label[label] for label in there]
        pool = self._about.pool(kit, world.graph.setting)
        absent = apart(kit, pool, _OPTIONS - len(shown), kinds)
        if len(right) != 1 or len(shown) + len(absent) < _OPTIONS:
            return []
        wrong = kit.draws.shuffled([label for label in shown if label != right[0]])
        return [
            Ask(
                family="commonest",
                program=program,
                questions=(
                    "Which of these are there the most of in the picture?",
                    "Which of these appear most often in the picture?",
                    "Count how many there are of each kind. Which are there the most of?",
                ),
                show=lambda label: kit.words.plural(str(label)),
                answer=right[0],
                wrong=[*wrong, *(kind.label for kind in absent)],
                near=len(shown) - 1,
                hops=1,
            )
        ]
