"""Which of four things is there, or stands somewhere, of all of which the same is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.programs import holds
from lvlmbench.scene.props import PROP
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.knowledge import Property, apart, parted
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.wording import SIDES, standing

#: Options of a question; so many kinds a value needs.
_OPTIONS = 4
#: Questions about one picture: the program of the first is nearly always sound.
_ENOUGH = 3


def _wheres(kit: ExamKit, world: World, beside: Sequence[str]) -> Iterator[tuple[str, Program]]:
    """Yield how something can stand to one thing or two, in words and with a hole for it.

    Things of the labels ``beside`` are not named.
    """
    labels = [one.object.label for one in world.things if one.object.list != PROP]
    others = [each for each in labels if labels.count(each) == 1 and each not in beside]
    ways = [(relation, other) for relation in SIDES for other in others]
    ones = [[way] for way in ways]
    twos = [[a, b] for at, a in enumerate(ways) for b in ways[at + 1 :] if a[0] != b[0]]
    pairs = kit.draws.shuffled(twos) if kit.level.hops > 1 else []
    for found in [*pairs, *kit.draws.shuffled(ones)]:
        parts = [["stands", relation, labelled("?"), labelled(to)] for relation, to in found]
        yield standing(found), parts[0] if len(parts) == 1 else ["and", *parts]


@FAMILIES.register("fact_seen", settings=Property)
class FactSeen(Family):
    """Things of all of which the same is so: one is there, or stands as a question says."""

    def __init__(self, about: Property) -> None:
        self._about = about

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan one, two or three kinds of one value, and others that are of none or of another."""
        setting, hops = kit.setting("shape"), min(kit.level.hops, 2)
        pools = self._about.pools(kit, setting, _OPTIONS)
        for each in kit.values.shuffled(list(pools)):
            kinds = apart(kit, pools[each], _OPTIONS)
            if len(kinds) == _OPTIONS:
                shown = kinds[: 1 + hops]
                beside = [kind for kind in pools[each] if kind not in shown]
                relations = parted(kit, len(shown), hops)
                others = self._about.unlike(kit, setting, each)
                shown += kit.kinds(hops, setting, beside=[*shown, *beside], of=others)
                return picture(kit, shown, setting, relations, beside=beside, of=others)
        return None

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which of four such things is there, or which of them stands somewhere."""
        known = self._about.known(kit)
        each = known[world.graph.main.label]
        so, noun = self._about.wording.says.format(each), self._about.called(kit, each)[0]
        fact: Program = ["fact", self._about.what, labelled("?"), each]
        same = [thing.label for thing in world.graph.objects if known.get(thing.label) == each]
        if kit.level.hops == 0:
            questions = (
                f"Which {noun} in the picture {so}?",
                f"One {noun} in the picture {so}. What is it?",
            )
            return self._offer(kit, world, fact, questions, same[:1])
        found: list[Ask] = []
        for where, stands in _wheres(kit, world, same):
            judged = {label: holds(stands, world, label) for label in same}
            right = [label for label in same if judged[label]]
            wrong = [label for label in same if judged[label] is False]
            unclear = len(right) + len(wrong) < len(same)
            if len(right) == 1 and wrong and not unclear and len(found) < _ENOUGH:
                questions = (
                    f"Which {noun} {where} {so}?",
                    f"One {noun} {where} {so}. Which one is it?",
                )
                found += self._offer(kit, world, ["and", fact, stands], questions, [*right, *wrong])
        return found

    def _offer(
        self,
        kit: ExamKit,
        world: World,
        program: Program,
        questions: tuple[str, ...],
        shown: Sequence[str],
    ) -> list[Ask]:
        """The question, with the right one first of those that are shown; others are not there."""
        known, there = (
            self._about.known(kit),
            [kit.stock.by_label[t.label] for t in world.graph.objects],
        )
        pools = self._about.pools(kit, world.graph.setting, _OPTIONS)
        pool = pools.get(known[shown[0]], [])
        absent = apart(kit, pool, _OPTIONS - len(shown), there)
        if len(shown) + len(absent) < _OPTIONS:
            return []
        seen = kit.level.hops == 0
        return [
            Ask(
                family="fact_seen",
                program=program,
                questions=questions,
                show=lambda each: kit.words.a(str(each)) if seen else f"the {each}",
                answer=shown[0],
                wrong=[*shown[1:], *(kind.label for kind in absent)],
                near=_OPTIONS - 1,
                hops=kit.level.hops,
            )
        ]
