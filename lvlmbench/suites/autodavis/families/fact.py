"""What is known of a thing that a question does not name: what it is used for, where it lives."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.programs import text_of
from lvlmbench.scene.sets import Program, labelled, the_one
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.autodavis.asking import reference, value
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.knowledge import Property, apart
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.stock import Kind

#: Options of a question, and kinds that a value needs: one alone would be used up soon.
_OPTIONS, _LEAST = 4, 2
#: Ways in which a thing is tried to be named.
_TRIES = 8
#: Of two things the one that stands so to the other, in words.
_PLACES = {
    "left_of": "the thing on the left",
    "right_of": "the thing on the right",
    "above": "the upper one of the two things",
    "below": "the lower one of the two things",
    "larger": "the larger one of the two things",
    "smaller": "the smaller one of the two things",
}


def _place(kit: ExamKit, world: World, one: Instance) -> tuple[str, Program] | None:
    """How one of at most two things is named without any label."""
    others = [each for each in world.instances if each != one]
    if not others:
        return "the thing in the picture", ["all"]
    for relation in kit.draws.shuffled(list(_PLACES)) if len(others) == 1 else ():
        of: Program = ["standing", relation, labelled(others[0].object.label), ["all"]]
        if the_one(of, world) == one.number:
            return f"{_PLACES[relation]} in the picture", of
    return None


@FAMILIES.register("fact", settings=Property)
class Fact(Family):
    """Things of each of which something else is so; one of them is meant, by where it stands."""

    def __init__(self, about: Property) -> None:
        self._about = about

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan things of different values, each value as likely, and others to name them from."""
        setting, n = kit.setting("shape"), kit.size()
        n = max(n, _OPTIONS + 2) if kit.level.hops > 1 else n
        pools = self._about.pools(kit, setting, _LEAST)
        if len(pools) < _OPTIONS:
            return None
        kinds: list[Kind] = []
        for each in kit.draws.some(list(pools), self._meant(kit, n)):
            found = apart(kit, pools[each], 1, kinds)
            if not found:
                return None
            kinds += found
        return picture(kit, kinds, setting, least=n)

    @staticmethod
    def _meant(kit: ExamKit, n: int) -> int:
        """How many of n things, the first ones, may be meant."""
        return min(n - min(kit.level.hops, 2), _OPTIONS)

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask what is so of one thing; what is so of others that may be meant is offered first."""
        known, objects = self._about.known(kit), world.graph.objects
        ids = {thing.id for thing in objects[: self._meant(kit, len(objects))]}
        here = [one for one in world.things if one.object.id in ids]
        values = list(self._about.pools(kit, world.graph.setting, _LEAST))
        found: list[Ask] = []
        for one in kit.draws.shuffled(here):
            named = self._reference(kit, world, one, values)
            if named is None:
                continue
            said, of, offered = named
            others = [known[other.object.label] for other in here if other != one]
            first = [each for each in kit.draws.shuffled(others) if each in offered]
            found += value(
                kit,
                world,
                ["fact", self._about.what, of, "?"],
                tuple(form.format(said) for form in self._about.wording.asked),
                offered,
                family="fact",
                first=first,
                hops=kit.level.hops,
                near=min(len(first), _OPTIONS - 1),
            )
        return found

    def _reference(
        self, kit: ExamKit, world: World, one: Instance, values: Sequence[str]
    ) -> tuple[str, Program, list[str]] | None:
        """How a thing is named, and what can be offered: nothing that is so of what is named."""
        if kit.level.hops == 0:
            named = _place(kit, world, one)
            return None if named is None else (*named, [*values])
        known = self._about.known(kit)
        for _ in range(_TRIES):
            named = reference(kit, world, one, kit.level.hops)
            if named is None:
                return None
            text = text_of(named[1])
            labels = [each.object.label for each in world.things]
            gone = {known.get(label) for label in labels if f'"{label}"' in text}
            offered = [each for each in values if each not in gone]
            if len(offered) >= _OPTIONS and known[one.object.label] in offered:
                return *named, offered
        return None
