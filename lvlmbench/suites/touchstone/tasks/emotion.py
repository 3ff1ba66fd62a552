"""Emotion: how somebody among several people feels, by the face."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.scene.answers import accepted
from lvlmbench.scene.figures import labels, phrases
from lvlmbench.scene.figures import telling as told
from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.sets import LEGIBLE, Program
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.graphs.wording import NUMBERS
from lvlmbench.suites.touchstone.asking import OUTERMOST, answered, one_of, outermost
from lvlmbench.suites.touchstone.describing import someone
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.planning import people
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn
from lvlmbench.suites.touchstone.values import miscounted

#: Height of the view box by how many people there are, in thousandths of the side.
_SPANS = {2: 560, 3: 515, 4: 515}
#: Expression -> by what it is told, even behind glasses, as faces are drawn.
_TOLD = {
    "happy": "the mouth is open in a broad smile",
    "sad": "the corners of the mouth turn down, and there are tears on the cheeks",
    "angry": "the teeth are clenched and bared",
    "neutral": "the mouth is a straight line, neither a smile nor a frown",
}
#: Expression -> what else is said of it, beside what the lexicon knows.
_ALSO = {
    "happy": ("happiness", "joy", "joyful", "amusement"),
    "sad": ("sadness", "sorrow", "unhappiness"),
    "angry": ("anger", "rage", "fury"),
    "neutral": ("neutrality", "calmness"),
}
_EXPRESSION = "expression"
_SIDES = ("farther_left", "farther_right")


def _plan(kit: TaskKit, ordinal: int) -> Graph:
    """Plan people from head to foot; not all of them have one expression."""
    setting, n = kit.setting("shape", "color", plain=True, without=(PERSON,)), kit.size()
    for _ in range(20):
        found = people(kit, n, _SPANS[n])
        if len({one.person.expression for one in found if one.person is not None}) > 1:
            break
    return Graph(found, (), setting)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    if any(one.seen is None or one.seen.visible < LEGIBLE for one in world.instances):
        return None
    return one_of(kit, [*_by_clothes(kit, world)], [*_by_place(kit, world)], _many(world))


def _feels(one: Instance) -> str:
    assert one.object.person is not None
    return str(one.object.person.expression)


def _forms(kit: TaskKit, expression: str) -> tuple[str, ...]:
    """Words for an expression that are said of no other one."""
    called = {
        name: (*kit.names.of(_EXPRESSION, name).forms, *_ALSO[name]) for name in labels.EXPRESSIONS
    }
    others = {w for name, words in called.items() if name != expression for w in words}
    own = (w for w in called[expression] if w not in others)
    return tuple(dict.fromkeys((expression, *own)))


def _one(kit: TaskKit, one: Instance, who: str, before: tuple[Turn, ...] = ()) -> Asked:
    feels = _feels(one)
    return Asked(
        question=kit.draws.pick(
            (
                f"How does {who} seem to feel? Tell also what shows it.",
                f"What emotion does the face of {who} show?",
                f"Look at {who}. Does this person look {_listed(kit)}?",
            )
        ),
        answer=f"{capitalized(feels)}: that is how {who} looks, as {_TOLD[feels]}.",
        accepted=_forms(kit, feels),
        rivals=tuple(w for each in labels.EXPRESSIONS if each != feels for w in _forms(kit, each)),
        before=before,
        behind=kit.draws.pick(
            ("And how does this person seem to feel?", "What does the face of this person express?")
        ),
        hops=1,
        near=len(labels.EXPRESSIONS) - 1,
    )


def _listed(kit: TaskKit) -> str:
    *first, last = kit.draws.shuffled(labels.EXPRESSIONS)
    return f"{', '.join(first)}, or {last}"


def _by_clothes(kit: TaskKit, world: World) -> Iterator[Asked]:
    """How somebody feels who alone wears something in a color."""
    crowd = [one.object.person for one in world.things if one.object.person is not None]
    for one in world.things:
        about = one.object.person
        assert about is not None
        for kind, color in told.outfit(about):
            value = f"{color} {kind}"
            others = [person for person in crowd if person is not about]
            if all(told.has(o, "wears colored", value) is False for o in others):
                worn = phrases.garment(kind, color)
                turn = Turn(f"Who wears {worn}?", f"{capitalized(someone(about))} does.")
                yield _one(kit, one, f"the person {phrases.wearing(kind, color)}", (turn,))


def _by_place(kit: TaskKit, world: World) -> Iterator[Asked]:
    """How somebody feels who is outermost."""
    for side in _SIDES:
        one = outermost(world, side)
        if one is not None and one.object.person is not None:
            who = someone(one.object.person)
            turn = Turn(f"Who is {OUTERMOST[side]}?", f"That is {who}.")
            yield _one(kit, one, f"the person {OUTERMOST[side]}", (turn,))


def _many(world: World) -> list[Asked]:
    """How many people feel so."""
    found = []
    for feels in labels.EXPRESSIONS[1:]:
        of: Program = ["with", _EXPRESSION, feels, ["all"]]
        number = answered(["count", of, "?"], world, range(len(NUMBERS)))
        if number is None or int(number) < 1 or len(world.things) < len(_SPANS):
            continue
        n, one = int(number), int(number) == 1
        said = f"{capitalized(NUMBERS[n])} of the {NUMBERS[len(world.things)]} people"
        found.append(
            Asked(
                question=f"How many of the people in this picture look {feels}?",
                answer=f"{said} {'looks' if one else 'look'} {feels}: {_TOLD[feels]}.",
                accepted=tuple(accepted(str(n))),
                rivals=miscounted(n, len(world.things)),
                hops=1,
                near=len(world.things) - n,
            )
        )
    return found


@SUBTASKS.register("touchstone_emotion")
def emotion() -> DrawnTask:
    """Return the task: how somebody feels."""
    return drawn(
        "touchstone_emotion",
        things=(2, 4), span=(240, 400), placed=True, hops=1,
        plan=_plan, ask=_ask,
    )  # fmt: skip
