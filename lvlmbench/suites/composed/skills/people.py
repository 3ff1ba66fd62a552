"""People: who wears what, holds what and does what; at a hard level how many do, of a crowd."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lvlmbench.scene.figures import labels, phrases
from lvlmbench.scene.figures import telling as told
from lvlmbench.scene.figures.people import figure_of, person_of
from lvlmbench.scene.figures.rules import refuses
from lvlmbench.scene.figures.sampling import several
from lvlmbench.scene.graph import Graph, Object, Person
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.programs import holds
from lvlmbench.scene.sets import Program, Value
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed import crowds
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs.ask import NUMBERS, Ask, Short
from lvlmbench.suites.graphs.draws import partner
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.wording import NUMBERS as IN_WORDS

#: Height of the view box, in thousandths of the side: below, garments cannot be told.
_SPAN = 515
_NUMBER = {0: (2, 2), 1: (3, 4)}
#: The same of crowds, by how many people there are.
_SPANS = {5: 470, 6: 415}
_HARD = 2
_ALL: Program = ["all"]
_STANDING = "standing"


def _plan(kit: Kit) -> Graph:
    setting = kit.setting("shape", "color", plain=True, without=(PERSON,))
    if kit.level.hops >= _HARD:
        n = kit.draws.pick(list(_SPANS))
        people, span = crowds.crowd(kit, n), _SPANS[n]
    else:
        n = kit.draws.within(*_NUMBER[kit.level.hops])
        people, span = [person_of(each) for each in several(kit.draws.generator, n)], _SPAN
    things = tuple(
        Object(
            f"o{at + 1}", PERSON, PERSON, "main" if at == 0 else "secondary",
            span=span, person=person,
        )
        for at, person in enumerate(people)
    )  # fmt: skip
    return Graph(things, setting=replace(setting, weather=None))


def _twin(kit: Kit, graph: Graph) -> Graph:
    """Two people do what the other did, or hold what the other held; or a garment's color.

    In a crowd a garment's color, so that one more or one fewer has what is asked about.
    """
    things = list(graph.objects)
    if kit.level.hops >= _HARD:
        people = [one.person for one in things if one.person is not None]
        number = crowds.number_of(people)
        assert number is not None, "a crowd is planned so that its number is clear"
        found = crowds.recolored(kit, people, partner(number))
        assert found is not None, "and so that it has a twin"
        alike = zip(things, found, strict=True)
        return replace(graph, objects=tuple(replace(o, person=person) for o, person in alike))
    for first, second in kit.draws.shuffled(_pairs(len(things))):
        for field in kit.draws.shuffled(("action", "held", "color")):
            changed = _exchanged(kit, things[first].person, things[second].person, field)
            if changed is not None:
                things[first] = replace(things[first], person=changed[0])
                things[second] = replace(things[second], person=changed[1])
                return replace(graph, objects=tuple(things))
    return graph


def _pairs(n: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(n) for b in range(n) if a != b]


def _exchanged(
    kit: Kit, a: Person | None, b: Person | None, field: str
) -> tuple[Person, Person] | None:
    """Two people after one fact is another; None where they cannot be drawn so."""
    assert a is not None and b is not None
    if field == "color":
        at = kit.draws.below(len(a.garments))
        others = [c for c in labels.COLORS if c != a.garments[at].color]
        garments = list(a.garments)
        garments[at] = replace(garments[at], color=kit.draws.pick(others))
        found = replace(a, garments=tuple(garments)), b
    elif field == "action":
        found = replace(a, action=b.action), replace(b, action=a.action)
    else:
        found = (
            replace(a, held=b.held, held_color=b.held_color),
            replace(b, held=a.held, held_color=a.held_color),
        )
    figures = [figure_of(person) for person in found]
    if found == (a, b) or any(figure is None or refuses(figure) for figure in figures):
        return None
    return found


def _people(world: World) -> list[Person]:
    return [one.object.person for one in world.things if one.object.person is not None]


def _named(kit: Kit, crowd: Sequence[Person], one: Person) -> tuple[str, Program] | None:
    """Name a person by a garment in a color that nobody else wears."""
    for kind, color in kit.draws.shuffled(told.outfit(one)):
        value = f"{color} {kind}"
        if all(told.has(o, "wears colored", value) is False for o in crowd if o is not one):
            of: Program = ["with", "wears colored", value, _ALL]
            return f"the person {phrases.wearing(kind, color)}", of
    return None


def _filled(kit: Kit, here: Sequence[str], known: Sequence[str], answer: str) -> list[str]:
    """Wrong options: first what others in the picture do or hold, then anything else."""
    first = kit.draws.shuffled(sorted({*here} - {answer}))
    rest = [value for value in known if value != answer and value not in first]
    return [*first, *kit.draws.shuffled(rest)]


def _does(kit: Kit, crowd: Sequence[Person], one: Person, who: str, of: Program) -> Ask:
    """What a person does who does more than stand.

    Who waves stands as well: "standing" could hardly ever be offered as wrong, so that it would be
    right wherever it is offered. Nobody is asked about it.
    """
    return _asked(
        kit,
        ("action", of),
        str(one.action),
        [str(person.action) for person in crowd if person.action != _STANDING],
        [action for action in labels.ACTIONS if action != _STANDING],
        lambda value: phrases.ACTIONS[str(value)],
        (f"What is {who} doing?", f"Look at {who}. What is this person doing?"),
        (f"{who[0].upper()}{who[1:]} is {{}}.", f"In the picture, {who} is {{}}."),
    )


def _holds(kit: Kit, crowd: Sequence[Person], one: Person, who: str, of: Program) -> Ask:
    return _asked(
        kit,
        ("held", of),
        str(one.held),
        [person.held for person in crowd if person.held is not None],
        labels.THINGS,
        lambda value: phrases.an(str(value)),
        (f"What is {who} holding?", f"Look at {who}. What is this person holding?"),
        (f"{who[0].upper()}{who[1:]} is holding {{}}.", f"In the picture, {who} is holding {{}}."),
    )


def _asked(
    kit: Kit,
    what: tuple[str, Program],
    answer: str,
    here: Sequence[str],
    known: Sequence[str],
    show: Callable[[Value], str],
    questions: tuple[str, ...],
    statements: tuple[str, ...],
) -> Ask:
    """An attribute of one person; others in the picture have some of the wrong ones."""
    attribute, of = what
    return Ask(
        family=attribute,
        program=["is", attribute, of, "?"],
        questions=questions,
        statements=lambda value: tuple(form.format(show(value)) for form in statements),
        show=show,
        answer=answer,
        wrong=_filled(kit, here, known, answer),
        near=min(3, len({*here}) - 1),
        hops=1,
    )


def _color(kit: Kit, crowd: Sequence[Person], one: Person) -> list[Ask]:
    """The color of a garment that one person alone wears."""
    here = [color for person in crowd for _, color in told.outfit(person)]
    return [
        _color_of(kind, color, _filled(kit, here, told.colors(), color))
        for kind, color in told.outfit(one)
        if all(told.has(o, "wears", kind) is False for o in crowd if o is not one)
    ]


def _color_of(kind: str, color: str, wrong: list[str]) -> Ask:
    are = "are" if phrases.is_plural(kind) else "is"
    worn = phrases.called(kind)

    def statements(value: Value) -> tuple[str, ...]:
        return (
            f"One of the people is {phrases.wearing(kind, str(value))}.",
            f"The picture shows a person {phrases.wearing(kind, str(value))}.",
        )

    return Ask(
        family=f"color of {kind}",
        program=["is", f"{told.COLOR_OF}{kind}", ["with", "wears", kind, _ALL], "?"],
        questions=(
            f"What color {are} the {worn} that one of the people is wearing?",
            f"One person is {phrases.wearing(kind)}. What color {are} the {worn}?",
        ),
        statements=statements,
        show=str,
        answer=color,
        wrong=wrong,
        near=3,
        short=Short(told.colors()),
    )


def _how_many(world: World) -> list[Ask]:
    """How many of a crowd have what the first of them shows."""
    main = world.graph.main.person
    assert main is not None
    first, second = crowds.facts(main)
    program: Program = ["count", first.among(second.among(_ALL) if second else _ALL), "?"]
    found = [n for n in crowds.NUMBERS if holds(program, world, n)]
    if not found:
        return []
    questions, statements = _said(first, second)
    return [
        Ask(
            family="number",
            program=program,
            questions=questions,
            statements=lambda n: tuple(
                form.format(IN_WORDS[int(n)], "is" if n == 1 else "are") for form in statements
            ),
            show=str,
            answer=found[0],
            wrong=[n for n in crowds.NUMBERS if n != found[0]],
            claims=[partner(found[0])],
            near=len(crowds.NUMBERS) - 1,
            hops=2 if second else 1,
            short=Short(NUMBERS),
        )
    ]


def _said(
    first: crowds.Fact, second: crowds.Fact | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """How a number is asked for, and how it is claimed."""
    what, who = first.said, f"the people {second.said if second else 'in the picture'}"
    return (
        (f"How many of {who} are {what}?", f"Look at all {who}. How many of them are {what}?"),
        (
            f"Exactly {{0}} of {who} {{1}} {what}.",
            f"Of all {who}, exactly {{0}} {{1}} {what}.",
        ),
    )


def _ask(kit: Kit, world: World) -> list[Ask]:
    if kit.level.hops >= _HARD:
        return _how_many(world)
    crowd, found = _people(world), list[Ask]()
    for one in crowd:
        found += _color(kit, crowd, one)
        named = _named(kit, crowd, one)
        if named is not None:
            if one.action != _STANDING:
                found.append(_does(kit, crowd, one, *named))
            if one.held is not None:
                found.append(_holds(kit, crowd, one, *named))
    return found


@SUBTASKS.register("people")
def people() -> Skill:
    """Return the skill: who wears, holds and does what."""
    return skill("people", 10, _plan, _ask, _twin)
