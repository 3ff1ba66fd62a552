"""Self-validation: pictures that are not as described are drawn anew (AutoDavis, section 2.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lvlmbench.config import Params
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asked import Question, about
from lvlmbench.suites.autodavis.checks import Check, all_checks, checks_of
from lvlmbench.suites.autodavis.measured import misses
from lvlmbench.suites.autodavis.plan import Item, Planner
from lvlmbench.suites.drawing import Fault
from lvlmbench.suites.graphs.kit import Kit

#: What was asked, what the picture answers.
Answered = tuple[Check, Any]


class Alignment(NamedTuple):
    """How a picture agrees with its description.

    Attributes
    ----------
    answers
        Each check with what the picture answers.
    score
        Share of the checks that it answers as described.
    """

    answers: tuple[Answered, ...]

    @property
    def score(self) -> float:
        """Share of the checks that are answered as described; 1 where there are none."""
        right = [answer == check.answer for check, answer in self.answers]
        return sum(right) / len(right) if right else 1.0


class Passed(NamedTuple):
    """A picture that is near enough to its description: what it shows, and labels of what of it
    is not as described."""

    item: Item
    world: World
    defects: frozenset[str]


def differs(graph: Graph, kit: Kit, world: World) -> list[Check]:
    """Return all checks that fail: what a layout decides exactly, it need not sample."""
    return [check for check in all_checks(kit, graph) if check.answered(world) != check.answer]


def aligned(planner: Planner, item: Item, graph: Graph, world: World) -> Alignment:
    """Return how a picture that was measured agrees with what was described."""
    checks = checks_of(planner, item, graph)
    return Alignment(tuple((check, check.answered(world)) for check in checks))


class LayoutValidator:
    """Decides by what was measured of the picture."""

    name = "alignment"
    #: What decides, in the table ``validation``.
    decides_by = "layout"

    def __init__(self, params: Params, vocabulary: Vocabulary) -> None:
        self._planner = Planner(params, vocabulary)
        self._side = params.render.size
        self.attempts = self._planner.own.attempts

    def judge(self, scene: Mapping[str, Any], layout: Sequence[Mapping[str, Any]]) -> Fault | None:
        """Return what is wrong: not as described, not of its level, or nothing sure to ask.

        What no family asks about a model does, once it is drawn.
        """
        passed = self.passed(scene, layout)
        if isinstance(passed, Fault):
            return passed
        if self._planner.family(passed.item.aspect) is None:
            return None
        for _ in self._asked(scene, passed):
            return None
        return Fault("nothing sure to ask")

    def asked(
        self, scene: Mapping[str, Any], layout: Sequence[Mapping[str, Any]]
    ) -> Iterator[Question]:
        """Yield the questions about a picture; none where something is wrong with it."""
        found = self.passed(scene, layout)
        if not isinstance(found, Fault):
            yield from self._asked(scene, found)

    def _asked(self, scene: Mapping[str, Any], found: Passed) -> Iterator[Question]:
        return about(self._planner, scene, found.item, found.world, sorted(found.defects))

    def passed(
        self, scene: Mapping[str, Any], layout: Sequence[Mapping[str, Any]]
    ) -> Passed | Fault:
        """Return a picture that is as described and of its level; or what is wrong with it."""
        planner, graph = self._planner, Graph.of(scene)
        item = planner.item(scene["subtask"], scene["ordinal"])
        world = planner.world(graph, layout, self._side)
        level = planner.levels[item.level]
        score = aligned(planner, item, graph, world).score
        wrong = differs(graph, planner.kit(item.level, "check", scene["scene_id"]), world)
        if score < level.threshold or (wrong and planner.own.whole):
            what = ", ".join(dict.fromkeys(check.element for check in wrong))
            return Fault(f"not as described: {what}", round(score, 4), level.threshold)
        missed = misses(level, world)
        if missed is not None:
            return Fault(f"not of its level: {missed}")
        return Passed(item, world, frozenset(label for check in wrong for label in check.labels))
