"""Text: what is written where, among words that differ in a letter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from lvlmbench.scene.answers import COLOR_WORDS, NUMBER_WORDS
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.palette import names_of
from lvlmbench.scene.sets import LEGIBLE, labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.graphs.word_families import families
from lvlmbench.suites.touchstone.asking import OUTERMOST, answered, one_of, outermost
from lvlmbench.suites.touchstone.describing import place, single, where
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.planning import setting_without
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn
from lvlmbench.suites.touchstone.values import things

#: Longest side of what a word is written on, by how many there are, in thousandths.
_SPANS = {3: 320, 4: 285, 5: 255}

#: Words for a part of the picture -> other ones.
_ALSO = (("top", "upper"), ("bottom", "lower"), ("middle center", "center"), ("center", "middle"))
#: What words stand on: no background shows it by itself.
_SIGNS = ("carrier",)
#: One of so many words is too frequent: "been", "west", "left", "first". Of words that differ in a
#: letter there are fewer.
_FREQUENT, _FREQUENT_ALIKE = 4, 20
#: Rarer words that answers are made of all the same.
_SAID = frozenset((
    *COLOR_WORDS, *NUMBER_WORDS,
    "ahead", "amid", "anybody", "anyhow", "anyone", "aside", "banner", "bottom", "card", "center",
     "central", "corner", "east", "gone", "gave", "lead", "male", "near", "nearby", "onto",
    "past", "picture", "poster", "readable", "same", "sell", "tell", "upon", "vast", "warm", "wear",
    "went", "worn",
    "displayed", "eighth", "else", "fifth", "foreground", "hers", "hereby", "inscribed", "label",
    "labeled", "largest", "leftmost", "legible", "lest", "letter", "likewise", "lower", "lowest",
    "middle", "neither", "nobody", "ours", "printed", "reads", "rightmost", "seventh",
    "sixth", "smallest", "somewhat", "sticker", "tenth", "text", "thereby", "thereof", "third",
    "thus", "till", "topmost", "underneath", "unto", "upper", "upright", "upward", "uppermost",
    "whence", "whereas", "whereby", "whichever", "whom", "word", "written", "yours",
))  # fmt: skip


@lru_cache(maxsize=4)
def unusual(words: tuple[str, ...], share: int = _FREQUENT) -> tuple[str, ...]:
    """Return the words that hardly stand in an answer unless they are read out.

    Words come by how frequent they are; what remains has no color, number or place, and nothing
    that grammar needs.
    """
    rest = words[len(words) // share :]
    return tuple(word for word in rest if word not in _SAID)


def _plan(kit: TaskKit) -> Graph:
    """Plan things with a word each: in half of the scenes words that differ in one letter."""
    setting, n = setting_without(kit, _SIGNS, "shape", "text"), kit.size()
    pool = unusual(kit.stock.words)
    known = families(unusual(kit.stock.words, _FREQUENT_ALIKE))
    if kit.in_turn((False, True)) and known:
        family = kit.draws.pick(known)
        words = kit.draws.some(family, n)
        words += kit.words_apart(n - len(words), words, pool) if len(words) < n else []
    else:
        words = kit.words_apart(n, (), pool)
    carriers = [each for each in kit.stock.carriers if each.extra.get("small", True)]
    things = tuple(
        Object(f"o{at + 1}", "carrier", carrier.label, text=words[at], span=_SPANS[n])
        for at, carrier in enumerate(kit.draws.some(carriers, n))
    )
    return Graph(things, (), setting)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    if any(one.seen is None or one.seen.visible < LEGIBLE for one in world.instances):
        return None
    makers = (_word, _outer, _carrier)
    return one_of(kit, *([*make(kit, world)] for make in makers))


def _forms(one: Instance) -> tuple[str, ...]:
    return (str(one.object.text),)


def _others(world: World, one: Instance) -> tuple[str, ...]:
    """The other words that are written in the picture."""
    return tuple(str(each.object.text) for each in world.instances if each is not one)


def _word(kit: TaskKit, world: World) -> Iterator[Asked]:
    """Which word is written on a thing that is named."""
    for one in world.things:
        label, word = one.object.label, str(one.object.text)
        if not single(world, label):
            continue
        rest = [o for o in world.things if o is not one]
        other = kit.draws.pick(rest) if rest else None
        turn = other and Turn(
            f"What does the {other.object.label} say?", f'It says "{other.object.text}".'
        )
        yield Asked(
            question=kit.draws.pick(
                (
                    f"What is written on the {label}?",
                    f"What does the {label} say?",
                    f"Which word can you read on the {label}?",
                )
            ),
            answer=f'The {label} says "{word}".',
            accepted=_forms(one),
            rivals=_others(world, one),
            before=(turn,) if turn else (),
            behind=kit.draws.pick((f"And the {label}?", f"And what does the {label} say?")),
            near=len(rest),
        )


def _outer(kit: TaskKit, world: World) -> Iterator[Asked]:
    """Which word is outermost, on whatever it stands."""
    for side, how in OUTERMOST.items():
        one = outermost(world, side)
        if one is not None:
            label, word = one.object.label, str(one.object.text)
            yield Asked(
                question=f"There are several words in this picture. Which one is {how}?",
                answer=f'The word that is {how} is "{word}". It is written on the {label}.',
                accepted=_forms(one),
                rivals=_others(world, one),
                before=(
                    Turn(
                        f"What is the word that is {how} written on?",
                        f"It is written on {kit.words.a(label)}.",
                    ),
                ),
                behind="And which word is it?",
                near=len(world.things) - 1,
            )


def _carrier(kit: TaskKit, world: World) -> Iterator[Asked]:
    """What a word is written on."""
    for one in world.things:
        word = str(one.object.text)
        labels = [each.object.label for each in world.things]
        label = answered(["is", "text", labelled("?"), word], world, labels)
        if label is None:
            continue
        rest = [each for each in world.things if each is not one]
        on, at = kit.forms("carrier", str(label)), where(world, one)
        here, there = _spots(world, one), [spot for each in rest for spot in _spots(world, each)]
        yield Asked(
            question=f'What is the word "{word}" written on?',
            answer=f'The word "{word}" is written on the {label}{at}.',
            accepted=on,
            rivals=things(kit, world, str(label)),
            near=len(rest),
        )
        yield Asked(
            question=f'Where in this picture is the word "{word}"?',
            answer=f"It is on the {label}{at}.",
            accepted=(*on, *(each for each in here if each not in there)),
            rivals=(*things(kit, world, str(label)), *(each for each in there if each not in here)),
            near=len(rest),
        )


def _spots(world: World, one: Instance) -> tuple[str, ...]:
    """How else people say which of several things one is: by its colors, and by its place."""
    found, hues = place(world, one), names_of(one.mean) if one.mean else ()
    if found is None:
        return hues
    apart = found.replace(" ", "-")
    also = [found.replace(*each) for each in _ALSO if each[0] in found]
    return (*hues, *dict.fromkeys((found, apart, *also)))


@SUBTASKS.register("touchstone_text")
def text() -> DrawnTask:
    """Return the task: what is written where."""
    return drawn(
        "touchstone_text",
        things=(3, 5), span=(255, 320), background=True, placed=True, written=True,
        plan=_plan, ask=_ask,
    )  # fmt: skip
