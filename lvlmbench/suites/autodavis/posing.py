"""Checks that validators behind endpoints are asked, and pictures that are known to fail them."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.core.seeding import item_id
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.autodavis.checks import Check, checks_of, turned
from lvlmbench.suites.autodavis.plan import STAGE, Planner
from lvlmbench.suites.autodavis.questions import Drawn, drawn
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.posed import Posed

#: Head of a check that asks whether a thing is there.
_THERE = "exists"
#: Checks about what people do not have, such as a color: no program asks it where people are.
_OF_THINGS = ("color", "other")


def posed(
    params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table, planted: int
) -> Iterator[Posed]:
    """Yield the checks of all pictures that were drawn, in their order.

    So many checks of each picture are planted: asked of another one, of which the layout says that
    it shows another of the options; or, of how things stand, asked the other way round. Nobody has
    to draw such a fault.
    """
    planner = Planner(params, vocabulary)
    found = [*drawn(planner, params, scenes, layouts)]
    others = _Others(planner, [one for one in found if one.scene["base"] is None])
    for one in found:
        checks = checks_of(planner, one.item, one.graph)
        for number, check in enumerate(checks):
            yield _posed(one, number, check, one)
        if one.scene["base"] is None:
            yield from others.planted(one, checks, planted)


def _posed(one: Drawn, number: int, check: Check, shown: Drawn, planted: bool = False) -> Posed:
    row = check.row(one.scene["scene_id"], number)
    answer = check.answered(shown.world)
    return Posed(
        check_id=row["check_id"],
        scene_id=row["scene_id"],
        shown_id=shown.scene["scene_id"],
        subtask=shown.scene["subtask"],
        element_type=check.element_type,
        question=check.question,
        options=tuple(check.options),
        answer_index=row["answer_index"],
        shown_index=None if answer is None else check.values.index(answer),
        planted=planted,
    )


class _Others:
    """Pictures by what they show, in an order of their own, so that more change few choices."""

    def __init__(self, planner: Planner, pictures: Sequence[Drawn]) -> None:
        self._planner = planner
        keyed = {item_id(planner.seed, "planted", one.scene["scene_id"]): one for one in pictures}
        self._keys = sorted(keyed)
        self._order = [keyed[key] for key in self._keys]
        self._with: dict[str, list[int]] = defaultdict(list)
        self._told: dict[tuple[str, ...], frozenset[str]] = {}
        for at, one in enumerate(self._order):
            for label in dict.fromkeys(thing.label for thing in one.graph.objects):
                self._with[label].append(at)

    def planted(self, one: Drawn, checks: Sequence[Check], wanted: int) -> Iterator[Posed]:
        """Yield so many checks of a picture that some picture is known to fail.

        Nearly all other pictures lack a thing, few show another number of it: half of the time
        what asks for more than whether it is there comes first.
        """
        draws = Draws(self._planner.seed, f"{STAGE} planted", one.scene["scene_id"])
        order = draws.shuffled(range(len(checks)))
        if draws.chance():
            order.sort(key=lambda number: checks[number].program[0] == _THERE)
        for number in order if wanted else ():
            found = self._planted(one, number, checks[number])
            if found is not None:
                yield found
                wanted -= 1
            if not wanted:
                return

    def _planted(self, one: Drawn, number: int, check: Check) -> Posed | None:
        """A check with a picture that fails it: its own where it can be turned round."""
        other_way = turned(check)
        if other_way is not None:
            if other_way.answered(one.world) in (None, other_way.answer):
                return None
            found = _posed(one, number, other_way, one, True)
            return replace(found, check_id=item_id(found.check_id, "turned"))
        other = self._failing(one, check)
        return None if other is None else _posed(one, number, check, other, True)

    def _failing(self, one: Drawn, check: Check) -> Drawn | None:
        """The next picture behind a place of the check's own that clearly shows another option."""
        start = item_id(self._planner.seed, "place", one.scene["scene_id"], check.question)
        for at in self._candidates(check, bisect(self._keys, start)):
            other = self._order[at]
            if other is one or not self._sure(check, other):
                continue
            if check.answered(other.world) not in (None, check.answer):
                return other
        return None

    def _candidates(self, check: Check, start: int) -> Iterable[int]:
        """Places of pictures, from one on and round: of all, where a check asks whether a thing is
        there; else of those that show the things that it is about."""
        if check.program[0] == _THERE:
            places: Sequence[int] = range(len(self._order))
        else:
            shown = [{*self._with.get(label, ())} for label in check.labels]
            places = sorted(set.intersection(*shown))
        at = bisect(places, start - 1)
        return chain(places[at:], places[:at])

    def _sure(self, check: Check, other: Drawn) -> bool:
        """Whether a check can be answered of a picture, and nothing behind its things may pass for
        what it is about."""
        if check.element_type in _OF_THINGS and any(t.person for t in other.graph.objects):
            return False
        stock, setting = self._planner.stock, other.graph.setting
        barred = stock.shown(setting.background, setting.style, setting.weather)
        if barred not in self._told:
            self._told[barred] = frozenset(kind.label for kind in stock.pool(barred=barred))
        return not {*barred} & {*check.labels} and all(
            label in self._told[barred] or label not in stock.by_label for label in check.labels
        )
