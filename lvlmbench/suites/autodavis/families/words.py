"""Words that are written on things: what one of them says."""

from __future__ import annotations

from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Graph, Object, Setting
from lvlmbench.scene.vocabulary import Entry
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.autodavis.asking import reference, value
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import plain
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.word_families import SIZE, families

#: Longest sides of what words are written on, by how many there are.
_SPANS = {1: 520, 2: 400, 3: 330, 4: 280, 5: 255, 6: 235}
#: Of several things by hops: how many there are.
_NUMBERS = ((1, 1), (3, 4), (4, 6))
#: From so many things on, only letters that are large enough can be read.
_MANY = 4
_HARD = 2

_QUESTIONS = (
    "What does {} say?",
    "Which word is written on {}?",
    "Read {}. Which word is written on it?",
)
#: What is named by its place has to be found first.
_FOUND = (
    "Look at {}. Which word is written on it?",
    "Find {}. What does it say?",
    "Which word is written on {}?",
)


@FAMILIES.register("words")
class Words(Family):
    """One thing with a word on it; several; or several whose words differ in one letter."""

    def __init__(self, about: None) -> None:
        del about

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan things with a word each, any word as likely on any of them."""
        setting = plain(kit.setting("shape", "text", bare=kit.level.hops >= _HARD))
        n = kit.draws.within(*_NUMBERS[min(kit.level.hops, _HARD)])
        words = _alike(kit, n) if kit.level.hops >= _HARD else kit.words_apart(n)
        things = tuple(
            Object(
                f"o{at + 1}", "carrier", label, "main" if at == 0 else "secondary",
                text=words[at], span=_SPANS[n],
            )
            for at, label in enumerate(_carriers(kit, setting, n))
        )  # fmt: skip
        return Graph(things, setting=setting) if len(things) == n else None

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask for the word on each thing; what stands on the others is offered first."""
        found: list[Ask] = []
        for one in kit.draws.shuffled(world.things):
            found += _about(kit, world, one)
        return found


def _carriers(kit: ExamKit, setting: Setting, n: int) -> list[str]:
    """Labels of n things with words on them, whose names share no word.

    None of them may be meant by what the backdrop shows by itself: a sign there is a sign, too.
    """
    shown = {word for noun in kit.barred(setting) for word in noun.casefold().split()}
    found: list[Entry] = []
    for each in kit.draws.shuffled(kit.stock.carriers):
        legible = n < _MANY or each.extra.get("small", True)
        apart = not any(each.words & other.words for other in found)
        if legible and apart and not each.words & shown:
            found.append(each)
    return [each.label for each in found[:n]]


def _alike(kit: ExamKit, n: int) -> list[str]:
    """Words of one family, each of which stands somewhere before any stands there twice."""
    known = families(kit.stock.words)
    if not known:
        which = f"has no {SIZE} words of which any two differ in one letter"
        raise UserError("vocabulary: text", which, "allow more in text.yaml")
    words = kit.draws.shuffled(kit.draws.pick(known))
    return kit.draws.shuffled((words * n)[:n])


def _about(kit: ExamKit, world: World, one: Instance) -> list[Ask]:
    """The question about one thing, at a hard level named by its place where that fits it alone."""
    label, word = one.object.label, str(one.object.text)
    here = [str(each.object.text) for each in world.things if each.object.text != word]
    others = kit.draws.shuffled(sorted({*here}))
    named = reference(kit, world, one, kit.steps) if kit.level.hops >= _HARD else None
    said, of = named or (f"the {label}", ["with", "label", label, ["all"]])
    if kit.level.hops >= _HARD:
        alike = {word, *others}
        known = next(each for each in families(kit.stock.words) if alike <= {*each})
        rest = [each for each in known if each not in alike]
    else:
        rest = kit.words_apart(3, [word, *others])
    return value(
        kit,
        world,
        ["is", "text", of, "?"],
        tuple(form.format(said) for form in (_FOUND if named else _QUESTIONS)),
        [word, *others, *rest],
        family="words",
        first=others,
        hops=kit.level.hops,
        near=min(len(others), 3),
    )
