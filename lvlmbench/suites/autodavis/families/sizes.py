"""Sizes: which thing is drawn largest or smallest, and which comes next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.programs import holds
from lvlmbench.scene.relations import LARGER, Seen
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import plain
from lvlmbench.suites.graphs.ask import Ask

Which = Literal["largest", "smallest", "order"]

#: Options of a question.
_OPTIONS = 4
#: Longest sides, in thousandths, of two things of any kinds: one is clearly larger than the other,
#: whatever their shapes.
_TWO = (180, 470)
#: The same of four: three are about as large, one stands out, as the largest or as the smallest.
_LARGE, _SMALL = (140, 148, 156, 370), (125, 300, 315, 330)
#: The same of things of one kind, whose shapes do not matter, by hops: each is clearly larger than
#: the one before.
_STEPS = {1: (130, 180, 250, 345), 2: (112, 148, 196, 258, 340)}


class Sizes(Section):
    """Which size is asked for."""

    which: Which = Field(
        description="`largest`; `smallest`; `order`: the second or third in order of size."
    )


class Place(NamedTuple):
    """A place in the order of size, in words, and how many things are larger, or smaller."""

    said: str
    relation: str
    by: int

    def program(self, one: Program) -> Program:
        """Return that something has this place, as a statement."""
        if not self.by:
            return ["largest" if self.relation == "larger" else "smallest", one, ["all"]]
        return ["count", ["standing", self.relation, one, ["all"]], self.by]


_ENDS = {"largest": Place("largest", "larger", 0), "smallest": Place("smallest", "smaller", 0)}
#: Places by hops.
_PLACES = (
    (Place("larger", "larger", 0), Place("smaller", "smaller", 0)),
    (Place("second largest", "larger", 1), Place("second smallest", "smaller", 1)),
    (
        Place("second largest", "larger", 1),
        Place("third largest", "larger", 2),
        Place("second smallest", "smaller", 1),
        Place("third smallest", "smaller", 2),
    ),
)


def _either_way(seen: Sequence[Seen]) -> bool:
    """Whether the larger of two neighbors would be it with any of these shapes.

    A full shape is larger than a thin one of the same span. Were things asked about only where
    their own shapes leave no doubt, full ones would be the larger ones more often than not.
    """
    fills = [one.area / one.span / one.span for one in seen]
    spans = sorted(one.span for one in seen)
    steps = max(b / a for a, b in pairwise(spans))
    return steps * steps * min(fills) >= LARGER * LARGER * max(fills)


@FAMILIES.register("sizes", settings=Sizes)
class Size(Family):
    """Things of clearly different sizes, of any kinds or of one kind in other colors."""

    def __init__(self, about: Sizes) -> None:
        self._which = about.which

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan things that have any of the sizes, whatever their sizes in the world."""
        hops = min(kit.level.hops, 2)
        if hops > 1 or (hops and self._which == "order"):
            return self._of_one_kind(kit, _STEPS[hops])
        spans: Sequence[int] = _TWO
        if hops:
            spans = _LARGE if self._which == "largest" else _SMALL
        setting = kit.setting("shape")
        things = kit.objects(kit.kinds(len(spans), setting), kit.draws.shuffled(spans))
        return Graph(things, (), setting)

    def _of_one_kind(self, kit: ExamKit, steps: Sequence[int]) -> Graph:
        setting, n = plain(kit.setting("shape", "color")), len(steps)
        kinds = kit.kinds(1, setting, recolorable=True) * n
        things = kit.objects(kinds, kit.draws.shuffled(steps), kit.colors(n))
        return Graph(things, (), setting)

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which thing has a place in the order of size."""
        hops = min(kit.level.hops, 2)
        places = _PLACES[hops] if self._which == "order" else (_ENDS[self._which],)
        seen = [one.seen for one in world.things if one.seen is not None]
        labels = [one.object.label for one in world.things]
        same = len({*labels}) == 1
        if len(seen) < 2 or not (same or _either_way(seen)):
            return []
        found: list[Ask] = []
        for place in kit.draws.shuffled(places):
            values = [str(one.object.color) for one in world.things] if same else labels
            one: Program = ["with", "color", "?", labelled(labels[0])] if same else labelled("?")
            program = place.program(one)
            right = [each for each in values if holds(program, world, each)]
            wrong = [each for each in values if holds(program, world, each) is False]
            if not same:
                wrong += kit.strangers(labels, world.graph.setting, _OPTIONS - 1 - len(wrong))
            if len(right) != 1:
                continue
            found.append(
                Ask(
                    family=self._which,
                    program=program,
                    questions=_questions(kit, place, labels[0] if same else None),
                    show=lambda each: f"the {each} one" if same else f"the {each}",
                    answer=right[0],
                    wrong=kit.draws.shuffled(wrong) if same else wrong,
                    near=min(len(seen), _OPTIONS) - 1,
                    hops=place.by,
                )
            )
        return found


def _questions(kit: ExamKit, place: Place, label: str | None) -> tuple[str, ...]:
    """How a place is asked for: among any things, or among those of a kind."""
    if place in _PLACES[0]:
        return (
            f"Two of these are in the picture. Which of the two is {place.said}?",
            f"Two of these are in the picture. Which one is {place.said} there?",
        )
    things = "these" if label is None else f"the {kit.words.plural(label)}"
    return (
        f"Which of {things} is the {place.said} in the picture?",
        f"In the picture, which of {things} is the {place.said}?",
        f"Compare how large {things} are in the picture. Which one is the {place.said}?",
    )
