"""Reading: which word stands on which of several things."""

from __future__ import annotations

from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.suites.composed.kit import Kit
from lvlmbench.suites.composed.programs import labelled
from lvlmbench.suites.composed.skill import Ask, Skill, exchanged, skill
from lvlmbench.suites.composed.world import World

#: Longest side of what a word is written on, by how many there are.
_SPANS = {1: 520, 2: 400, 3: 330, 4: 280}


def _plan(kit: Kit) -> Graph:
    setting = kit.setting("shape", "text")
    n = {0: 2, 1: 3}.get(kit.level.hops, 4)
    words = kit.words_apart(n)
    carriers = kit.draws.some(kit.stock.carriers, n)
    things = tuple(
        Object(f"o{at + 1}", "carrier", carrier.label, text=words[at], span=_SPANS[n])
        for at, carrier in enumerate(carriers)
    )
    return Graph(things, setting=setting)


def _ask(kit: Kit, world: World) -> list[Ask]:
    things = [one for one in world.things if one.seen and one.seen.visible > 0.95]
    if len(things) < 2:
        return []
    one = kit.draws.pick(things)
    name, word = one.object.label, str(one.object.text)
    others = kit.draws.shuffled([str(each.object.text) for each in things if each != one])
    wrong = [*others, *kit.words_apart(3, [word, *others])][:3]
    return [
        Ask(
            family="word",
            program=["is", "text", labelled(name), "?"],
            questions=(
                f"What does the {name} say?",
                f"Which word is written on the {name}?",
                f"Read the {name}. Which word is written on it?",
            ),
            statements=lambda said: (
                f'The {name} says "{said}".',
                f'The word "{said}" is written on the {name}.',
            ),
            show=str,
            answer=word,
            wrong=wrong,
            claims=others,
            near=len(others),
        ),
        Ask(
            family="carrier",
            program=["is", "text", labelled("?"), word],
            questions=(
                f'On which of these is the word "{word}" written?',
                f'What is the word "{word}" written on?',
            ),
            statements=lambda label: (
                f'The word "{word}" is written on the {label}.',
                f'The {label} says "{word}".',
            ),
            show=lambda label: f"the {label}",
            answer=name,
            wrong=kit.other_carriers(name, [each.object.label for each in things]),
            claims=[each.object.label for each in things if each != one][:1],
            near=len(others),
        ),
    ]


def _twin(kit: Kit, graph: Graph) -> Graph:
    """Two things carry each other's word."""
    first, second = kit.draws.some(range(len(graph.objects)), 2)
    return exchanged(graph, first, second, "text")


@SUBTASKS.register("reading")
def reading() -> Skill:
    """Return the skill: which word stands on what."""
    return skill("reading", 9, "which words there are", _plan, _ask, _twin, written=True)
