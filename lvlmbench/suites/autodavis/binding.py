"""From a model's description to a graph that can be drawn, or one line on why it cannot."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence

from lvlmbench.scene.figures import labels
from lvlmbench.scene.figures.people import person_of
from lvlmbench.scene.figures.rules import refuses
from lvlmbench.scene.figures.sampling import sample
from lvlmbench.scene.graph import Graph, Object, Person, Relation, Setting
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.relations import CONVERSE, CORNERS
from lvlmbench.suites.autodavis.family import ExamKit
from lvlmbench.suites.autodavis.persons import SPANS
from lvlmbench.suites.autodavis.plan import KEY_WORDS, Item, Planner
from lvlmbench.suites.graphs.stock import SMALL, Kind
from lvlmbench.suites.planned import Description, Stands, Thing

#: How things can be said to stand, each along one axis or none.
STANDS = ("left_of", "right_of", "above", "below", "next_to", "in_front_of")
_AXES: Mapping[str, tuple[int, int]] = {
    "left_of": (0, 1), "right_of": (0, -1), "above": (1, 1), "below": (1, -1),
}  # fmt: skip
#: People of a picture, at most.
MOST_PEOPLE = 3
#: Tries at somebody with what is said of them.
_TRIES = 200
#: Of what is told of a person, what is nothing to see.
_PLAIN = ("standing", "neutral")
#: What things are told by.
_KEEPS = ("shape", "color")


class _Wrong(Exception):
    """Why a description cannot be drawn, in one line."""


def bound(planner: Planner, item: Item, banned: frozenset[str], said: Description) -> Graph | str:
    """Return the graph of a description; or in one line why it is not of its level, cannot be
    drawn, or uses a word that is banned.

    Sizes, and what is not said of people, are drawn for the scene.
    """
    kit = planner.kit(item.level, "describe", planner.scene_id(item), 1)
    try:
        _check_words(said, banned)
        setting = _setting(kit, said)
        kinds = [_kind(kit, thing, setting) for thing in said.things]
        _check_together(kit, said, [kind for kind in kinds if kind is not None])
        relations = tuple(_relations(kit, said))
        things = tuple(_objects(kit, said.things, kinds))
    except _Wrong as wrong:
        return str(wrong)
    return Graph(things, relations, setting)


def shown(said: Description) -> list[str]:
    """Return the words for what a description shows, each once: things, and what people do."""
    found: dict[str, None] = {}
    for thing in said.things:
        own = [thing.label]
        if thing.label == PERSON:
            told = (thing.action, thing.expression, thing.holds)
            own = [each for each in told if each and each not in _PLAIN] or [PERSON]
        found |= dict.fromkeys(own)
    return list(found)


def _check_words(said: Description, banned: Collection[str]) -> None:
    """Nothing banned is used, and words tell what is shown."""
    here = shown(said)
    around = [each for each in (said.background, said.weather) if each]
    barred = {word.casefold() for word in banned}
    for word in (said.topic_word, *said.key_words, *here, *around):
        if word.casefold() in barred:
            raise _Wrong(f"'{word}' is banned: leave it out, and what it names")
    if said.topic_word.casefold() not in {word.casefold() for word in (*here, *around)}:
        raise _Wrong(f"topic_word: '{said.topic_word}' names nothing that the picture shows")
    words = [word.casefold() for word in (said.topic_word, *said.key_words)]
    if len({*words}) < len(words):
        raise _Wrong("key_words: each must be there once, and none be the topic word")
    missing = [word for word in here if word.casefold() not in words]
    if missing and len(said.key_words) < KEY_WORDS:
        raise _Wrong(f"key_words: '{missing[0]}' is shown and is no key word")


def _setting(kit: ExamKit, said: Description) -> Setting:
    level, stock = kit.level, kit.stock
    style = stock.styles_that_keep(_KEEPS)[0]
    places = [entry.label for entry in stock.backgrounds]
    if (said.background is not None) != level.background:
        wanted = "name one from the list" if level.background else "this level has none: null"
        raise _Wrong(f"background: {wanted}")
    if said.background is not None and said.background not in places:
        raise _Wrong(f"background: {_unknown(said.background, places)}")
    if said.weather is not None:
        suits = kit.weathers(said.background, _KEEPS) if level.weather else []
        if said.weather not in suits:
            can = f"one of {', '.join(suits)}, or null" if suits else "null"
            raise _Wrong(f"weather: here it can be {can}, not '{said.weather}'")
    return Setting(said.background, style, weather=said.weather)


def _kind(kit: ExamKit, thing: Thing, setting: Setting) -> Kind | None:
    """The kind of a thing; None for a person."""
    told = (thing.action, thing.expression, thing.holds)
    if thing.label == PERSON:
        known = (labels.ACTIONS, labels.EXPRESSIONS, labels.THINGS)
        for value, values in zip(told, known, strict=True):
            if value is not None and value not in values:
                raise _Wrong(f"person: {_unknown(value, values)}")
        if thing.color is not None or thing.count != 1:
            raise _Wrong("person: has no color, and a count of 1; add another person for two")
        if PERSON in kit.barred(setting):
            raise _Wrong(f"person: '{setting.background}' shows people by itself; choose another")
        return None
    if any(told):
        raise _Wrong(f"'{thing.label}': only a person has action, expression or holds")
    kind = kit.stock.by_label.get(thing.label)
    if kind is None:
        raise _Wrong(_unknown(thing.label, [PERSON, *kit.stock.by_label]))
    if kit.level.span[0] < SMALL and not kind.plain:
        raise _Wrong(f"'{kind.label}' cannot be told where it is small; choose another thing")
    if thing.color is not None and not kind.recolorable:
        raise _Wrong(f"'{kind.label}' has its own colors; its color is null")
    if thing.color is not None and thing.color not in kit.stock.colors:
        raise _Wrong(f"color: {_unknown(thing.color, kit.stock.colors)}")
    if kind not in kit.stock.pool(barred=kit.barred(setting)):
        raise _Wrong(f"'{kind.label}' can be taken for what the background or weather shows")
    return kind


def _check_together(kit: ExamKit, said: Description, kinds: Sequence[Kind]) -> None:
    """As many things as the level wants, which nobody takes for each other."""
    low, high = kit.level.things
    people = len(said.things) - len(kinds)
    sorts = len({kind.label for kind in kinds}) + (people > 0)
    if sorts < len(kinds) + (people > 0):
        raise _Wrong("things: name each kind once, and say by count how many there are")
    if not low <= sorts <= high:
        raise _Wrong(f"things: {sorts} kinds of things, and this level wants {low} to {high}")
    total = sum(thing.count for thing in said.things)
    if total > kit.level.instances:
        raise _Wrong(f"things: {total} in all, and this level has {kit.level.instances} at most")
    if people > MOST_PEOPLE:
        raise _Wrong(f"things: {people} people, and there can be {MOST_PEOPLE}")
    for at, kind in enumerate(kinds):
        for other in kinds[:at]:
            if not kit.stock.apart(kind, [other]):
                raise _Wrong(f"'{kind.label}' can be taken for '{other.label}'; leave one out")


def _relations(kit: ExamKit, said: Description) -> Iterator[Relation]:
    """Relations by the objects' ids; all can hold at once, as far as sides go."""
    pairs = set()
    for one in said.relations:
        for end in (one.subject, one.object):
            if end >= len(said.things):
                raise _Wrong(f"relations: there is no thing {end}; the first thing is 0")
            if said.things[end].count > 1:
                raise _Wrong(f"relations: '{said.things[end].label}' is there more than once")
        if one.subject == one.object:
            raise _Wrong("relations: a thing stands in none to itself")
        if one.predicate == "in_front_of" and not kit.level.overlap:
            raise _Wrong("relations: at this level nothing stands in front of another thing")
        key = (frozenset((one.subject, one.object)), _AXES.get(one.predicate, (2, 1))[0])
        if key in pairs:
            raise _Wrong("relations: say once along each axis how two things stand")
        pairs.add(key)
    for axis in (0, 1):
        if _circular(said.relations, axis):
            raise _Wrong("relations: they contradict each other")
    for first, second, ways in _joined(said.relations):
        corner = next((each for each in CORNERS if {*each.split("+")} == ways), None)
        for way in [corner] if corner else sorted(ways):
            yield Relation(f"o{first + 1}", way, f"o{second + 1}")


def _joined(relations: Sequence[Stands]) -> Iterator[tuple[int, int, set[str]]]:
    """Two things, and on which sides of the second the first is; all else stands by itself."""
    sides: dict[tuple[int, int], set[str]] = {}
    for one in relations:
        key = one.subject, one.object
        if one.predicate not in _AXES:
            yield one.subject, one.object, {one.predicate}
        elif key[::-1] in sides:
            sides[key[::-1]].add(CONVERSE[one.predicate])
        else:
            sides.setdefault(key, set()).add(one.predicate)
    for (first, second), ways in sides.items():
        yield first, second, ways


def _circular(relations: Sequence[Stands], axis: int) -> bool:
    """Whether some things would all have to stand before each other along an axis."""
    after: dict[int, set[int]] = {}
    for one in relations:
        own, sign = _AXES.get(one.predicate, (-1, 1))
        if own == axis:
            first, second = (one.subject, one.object)[::sign]
            after.setdefault(first, set()).add(second)
    while after:
        ends = {each for found in after.values() for each in found} - after.keys()
        left = {first: found - ends for first, found in after.items()}
        left = {first: found for first, found in left.items() if found}
        if left == after:
            return True
        after = left
    return False


def _objects(
    kit: ExamKit, things: Sequence[Thing], kinds: Sequence[Kind | None]
) -> Iterator[Object]:
    """Objects in the order given, large ones first."""
    total = sum(thing.count for thing in things)
    spans = kit.spans(total)
    for at, (thing, kind) in enumerate(zip(things, kinds, strict=True)):
        role = "main" if at == 0 else "secondary"
        if kind is None:
            span = SPANS[min(total, max(SPANS))]
            one = _person(kit, thing)
            yield Object(f"o{at + 1}", PERSON, PERSON, role, span=span, person=one)  # type: ignore[arg-type]
            continue
        count = thing.count if thing.count > 1 else None
        yield Object(
            f"o{at + 1}", kind.list, kind.label, role,  # type: ignore[arg-type]
            color=thing.color, count=count, span=spans[at],
        )  # fmt: skip


def _person(kit: ExamKit, said: Thing) -> Person:
    """Somebody of whom that is so; the rest is drawn."""
    color = kit.draws.pick(tuple(labels.COLORS))
    if said.holds and said.action not in (None, *labels.ONE_HANDED):
        raise _Wrong(f"person: who has '{said.action}' holds nothing; holds is null")
    for _ in range(_TRIES):
        try:
            figure = sample(
                kit.draws.generator,
                expression=said.expression,
                action=said.action or (None if said.holds else "standing"),
                held=(said.holds, color) if said.holds else None,
                holding=bool(said.holds),
            )
        except ValueError:
            continue  # these are not worn together
        if not refuses(figure):
            return person_of(figure)
    raise _Wrong("person: nobody can be drawn so; say less of them")


def _unknown(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=3)
    fix = f"the nearest are {', '.join(near)}" if near else "take one from the list"
    return f"'{name}' is not in the list; {fix}"
