"""Reading: which word stands on which of several things; at a hard level, on how many of them."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.programs import holds
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs.ask import NUMBERS, Ask, Short, exchanged
from lvlmbench.suites.graphs.draws import partner
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.word_families import SIZE, families
from lvlmbench.suites.graphs.wording import NUMBERS as IN_WORDS

#: Longest side of what a word is written on, by how many there are.
_SPANS = {1: 520, 2: 400, 3: 330, 4: 280}
#: The same at a hard level, where words differ in one letter.
_HARD_SPANS = {5: 255, 6: 235}
_HARD = 2
#: On how many things a word may stand there.
_COUNTS = (1, 2, 3, 4)


def _plan(kit: Kit) -> Graph:
    setting = kit.setting("shape", "text")
    if kit.level.hops >= _HARD:
        n = kit.draws.pick(list(_HARD_SPANS))
        words, span = _alike(kit, n), _HARD_SPANS[n]
        known = [each for each in kit.stock.carriers if each.extra.get("small", True)]
    else:
        n = {0: 2, 1: 3}[kit.level.hops]
        words, span = kit.words_apart(n), _SPANS[n]
        known = list(kit.stock.carriers)
    carriers = kit.draws.some(known, n)
    things = tuple(
        Object(f"o{at + 1}", "carrier", carrier.label, text=words[at], span=span)
        for at, carrier in enumerate(carriers)
    )
    return Graph(things, setting=setting)


def _alike(kit: Kit, n: int) -> list[str]:
    """Words of one family: one of them as often as was drawn, first, and others of it."""
    known = families(kit.stock.words)
    if not known:
        which = f"has no {SIZE} words of which any two differ in one letter"
        raise UserError("vocabulary: text", which, "allow more in text.yaml")
    word, *others = kit.draws.shuffled(kit.draws.pick(known))
    times = kit.draws.pick(_COUNTS)
    rest = (others * n)[: n - times]
    return [word, *kit.draws.shuffled([*[word] * (times - 1), *rest])]


def _ask(kit: Kit, world: World) -> list[Ask]:
    things = [one for one in world.things if one.seen and one.seen.visible > 0.95]
    if len(things) < 2:
        return []
    if kit.level.hops >= _HARD:
        return _ask_alike(kit, world)
    one = kit.draws.pick(things)
    name, word = one.object.label, str(one.object.text)
    others = kit.draws.shuffled([str(each.object.text) for each in things if each != one])
    wrong = [*others, *kit.words_apart(3, [word, *others])][:3]
    return [
        _word(name, word, wrong, others),
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


def _word(name: str, word: str, wrong: list[str], claims: list[str]) -> Ask:
    questions = (
        f"What does the {name} say?",
        f"What word is written on the {name}?",
        f"Read the {name}. What word is written on it?",
    )
    return Ask(
        family="word",
        program=["is", "text", labelled(name), "?"],
        questions=questions,
        statements=lambda said: (
            f'The {name} says "{said}".',
            f'The word "{said}" is written on the {name}.',
        ),
        show=str,
        answer=word,
        wrong=wrong,
        claims=claims,
        near=len(claims),
        short=Short(wrong, questions[1:]),
    )


def _ask_alike(kit: Kit, world: World) -> list[Ask]:
    """On how many things the first one's word stands; which word of its family one carries."""
    word = str(world.graph.main.text)
    here = {str(one.text) for one in world.graph.objects}
    family = next(each for each in families(kit.stock.words) if here <= {*each})
    asks = _how_often(world, word)
    for one in world.things:
        own = str(one.object.text)
        wrong = kit.draws.shuffled([each for each in family if each != own])
        asks.append(_word(one.object.label, own, wrong, wrong))
    return asks


def _how_often(world: World, word: str) -> list[Ask]:
    program: Program = ["count", ["with", "text", word, ["all"]], "?"]
    found = [n for n in _COUNTS if holds(program, world, n)]
    if not found:
        return []
    return [
        Ask(
            family="number",
            program=program,
            questions=(
                f'On how many objects in the picture is the word "{word}" written?',
                f'How many objects in the picture have the word "{word}" on them?',
            ),
            statements=lambda n: (
                f'The word "{word}" is written on exactly {_objects(int(n))} in the picture.',
                f"In the picture, exactly {_objects(int(n))} {'has' if n == 1 else 'have'} the "
                f'word "{word}" on {"it" if n == 1 else "them"}.',
            ),
            show=str,
            answer=found[0],
            wrong=[n for n in _COUNTS if n != found[0]],
            claims=[partner(found[0])],
            near=len(_COUNTS) - 1,
            hops=1,
            short=Short(NUMBERS),
        )
    ]


def _objects(n: int) -> str:
    return f"{IN_WORDS[n]} {'object' if n == 1 else 'objects'}"


def _twin(kit: Kit, graph: Graph) -> Graph:
    """Two things carry each other's word; at a hard level one more or fewer has the first one's."""
    if kit.level.hops < _HARD:
        first, second = kit.draws.some(range(len(graph.objects)), 2)
        return exchanged(graph, first, second, "text")
    main, things = graph.main, list(graph.objects)
    same = [at for at, one in enumerate(things) if at and one.text == main.text]
    others = [at for at, one in enumerate(things) if one.text != main.text]
    more = partner(len(same) + 1) > len(same) + 1
    at = kit.draws.pick(others if more else same)
    word = main.text if more else kit.draws.pick([things[o].text for o in others])
    things[at] = replace(things[at], text=word)
    return replace(graph, objects=tuple(things))


@SUBTASKS.register("reading")
def reading() -> Skill:
    """Return the skill: which word stands on what."""
    return skill("reading", 9, _plan, _ask, _twin, written=True)
