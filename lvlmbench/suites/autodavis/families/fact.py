"""What is known of a thing that a question does not name: what it is used for, where it lives."""

from __future__ import annotations

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.sets import Program, labelled, the_one
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.autodavis.asking import reference, value
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.knowledge import Property, apart, parted
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.stock import Kind

#: Options of a question, and kinds that a value needs: one alone would be used up soon.
_OPTIONS, _LEAST = 4, 2
#: By hops: how many things may be meant, and how many others there are at least.
_NUMBERS = ((2, 0), (2, 1), (3, 3))
#: Of two things the one that stands so to the other, in words.
_PLACES = {
    "left_of": "the {} on the left",
    "right_of": "the {} on the right",
    "above": "the upper of the two {}s",
    "below": "the lower of the two {}s",
    "larger": "the {} that is drawn larger",
    "smaller": "the {} that is drawn smaller",
}


def _place(kit: ExamKit, world: World, one: Instance, noun: str) -> tuple[str, Program] | None:
    """How one of at most two things is named without any label."""
    others = [each for each in world.instances if each != one]
    if not others:
        return f"the {noun} in the picture", ["all"]
    for relation in kit.draws.shuffled(list(_PLACES)) if len(others) == 1 else ():
        of: Program = ["standing", relation, labelled(others[0].object.label), ["all"]]
        if the_one(of, world) == one.number:
            return f"{_PLACES[relation].format(noun)} in the picture", of
    return None


@FAMILIES.register("fact", settings=Property)
class Fact(Family):
    """Things of each of which something else is so; one of them is meant, by where it stands."""

    def __init__(self, about: Property) -> None:
        self._about = about

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan things of different values, each value as likely, and others to name them from.

        Of those others nothing is known: what is so of a thing that is named is ruled out.
        """
        setting, n = kit.setting("shape", bare=True), kit.size()
        n_meant, beside = _NUMBERS[min(kit.level.hops, 2)]
        n_meant = n_meant if kit.level.hops else min(n, n_meant)
        pools = self._about.pools(kit, setting, _LEAST)
        if len(pools) < _OPTIONS:
            return None
        kinds: list[Kind] = []
        for each in kit.values.some(list(pools), n_meant):
            kinds += apart(kit, pools[each], 1, kinds)
        if len(kinds) < n_meant:
            return None
        known = self._about.known(kit)
        rest = kit.stock.pool(span=kit.level.span[0], barred=kit.barred(setting))
        unknown = [kind for kind in rest if kind.label not in known]
        kinds += apart(kit, unknown, max(n - n_meant, beside) if beside else 0, kinds)
        relations = parted(kit, n_meant, beside)
        return picture(kit, kinds, setting, relations, most=len(kinds))

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask what is so of one thing; what is so of others that may be meant is offered first."""
        known = self._about.known(kit)
        here = [one for one in world.things if one.object.label in known]
        values = list(self._about.pools(kit, world.graph.setting, _LEAST))
        hops = kit.steps if kit.level.hops else 0
        noun, wording = self._about.called(kit)[0], self._about.wording
        found: list[Ask] = []
        for one in kit.draws.shuffled(here):
            if hops:
                named = reference(kit, world, one, hops, tuple(known), noun)
            else:
                named = _place(kit, world, one, noun)
            if named is None:
                continue
            said, of = named
            first = [known[other.object.label] for other in here if other != one]
            found += value(
                kit,
                world,
                ["fact", self._about.what, of, "?"],
                tuple(form.format(said) for form in wording.asked),
                values,
                family="fact",
                show=lambda each: wording.option.format(each),
                first=kit.draws.shuffled(first),
                hops=hops,
                near=min(len(first), _OPTIONS - 1),
            )
        return found
