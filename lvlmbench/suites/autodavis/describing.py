"""What a model that describes pictures is told: aspect, level, banned words, what can be drawn.

Chains of one aspect and level run side by side, a picture of each at a time, so that what one
shows can be banned from the next (AutoDavis, section 2.2, Algorithm 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from lvlmbench.config import Params
from lvlmbench.scene.figures import labels
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.autodavis.binding import MOST_PEOPLE, STANDS, bound
from lvlmbench.suites.autodavis.family import ExamKit
from lvlmbench.suites.autodavis.plan import KEY_WORDS, Item, Planner
from lvlmbench.suites.autodavis.semantic import SemanticGraph
from lvlmbench.suites.planned import PictureBrief, Planned

#: Smallest span of things, in thousandths of the side, from which they are called large, and below
#: which they are called small.
_LARGE, _SMALL = 280, 180
#: Things, and places, that a model is given as ideas for a text.
_IDEAS = 4

Row: TypeAlias = Mapping[str, Any]
Chain: TypeAlias = tuple[str, str]


def pictures_wanted(
    params: Params, vocabulary: Vocabulary, planned: Planned
) -> Iterator[PictureBrief]:
    """Yield the next picture of each chain that no family plans, in the order of the items."""
    planner = Planner(params, vocabulary, planned)
    chains: dict[Chain, list[Row]] = {}
    excluded = [label for labels in params.vocabulary.exclude.values() for label in labels]
    for row in planner.by_model.values():
        chains.setdefault((row["aspect"], row["level"]), []).append(row)
    for request, aspects in planner.aspects.items():
        rounds = params.corpus.count(request) // (len(aspects) * len(planner.levels))
        for aspect in aspects if any(planner.family(each) is None for each in aspects) else ():
            for level in planner.levels:
                done = chains.get((aspect.fine.name, level), [])
                if planner.family(aspect) is None and len(done) < rounds:
                    yield _brief(planner, Item(aspect, level, len(done)), done, excluded)


def banned(done: Sequence[Row], planner: Planner) -> list[str]:
    """Return what a picture must do without that comes after these of its chain."""
    graph, found = SemanticGraph(), list[str]()
    for row in sorted(done, key=lambda row: row["number"]):
        if row["status"] == "made":
            graph.add(row["topic_word"], row["key_words"])
        found = graph.banned(row["number"] + 1, planner.own.exclusion.mode)
    return found


def _brief(
    planner: Planner, item: Item, done: Sequence[Row], excluded: Sequence[str]
) -> PictureBrief:
    fine, scene_id = item.aspect.fine, planner.scene_id(item)
    brief = partial(PictureBrief, scene_id, item.aspect.request, fine.name, item.level, item.number)
    if (why := planner.lacking.get(fine.name)) is not None:
        return brief(lacks="no_aspect", why=why)
    if planner.own.exclusion.mode != "none":
        for row in done:
            # What is banned hangs on it; `lvlmbench retry` asks again.
            if row["status"] in ("error", "timeout"):
                why = f"one before it was not answered: {row['why']}"
                return brief(lacks=row["status"], why=why)
    kit, without = planner.kit(item.level, "describe", scene_id), banned(done, planner)
    brief = partial(brief, about=(f"{fine.called}. {fine.introduction}", fine.guidance))
    if planner.own.by_text:
        return brief(
            guidance=tuple(_text_guidance(kit)),
            banned=tuple(dict.fromkeys([*without, *excluded])),
            known=tuple(_ideas(kit, excluded)),
            checks=planner.own.checks,
        )
    return brief(
        banned=tuple(without),
        guidance=tuple(_guidance(kit)),
        known=tuple(_known(kit)),
        bound=partial(bound, planner, item, frozenset(without)),
        said=planner.description,
    )


def _guidance(kit: ExamKit) -> Iterator[str]:
    """What a level wants of a picture."""
    level, (low, high) = kit.level, kit.level.things
    sorts = f"{low} different kinds" if low == high else f"{low} to {high} different kinds"
    yield f"{sorts} of things, and at most {level.instances} things in all."
    yield f"At most {MOST_PEOPLE} people; all people together are one kind, called person."
    if level.background:
        yield "A background from the list: background must not be null."
    else:
        yield "No background: background is null."
    if level.weather:
        yield "Weather or light where it helps, one that suits the background; else null."
    else:
        yield "No weather: weather is null."
    stands = [name for name in STANDS if level.overlap or name != "in_front_of"]
    yield f"Relations, each between two things that are there once: {', '.join(stands)}."
    yield f"4 to {KEY_WORDS} key words."


def _text_guidance(kit: ExamKit) -> Iterator[str]:
    """What a level wants of a picture that a text describes (AutoDavis, section 2.2)."""
    level, (low, high) = kit.level, kit.level.things
    kinds = f"{low} kinds" if low == high else f"{low} to {high} kinds"
    yield f"{kinds} of main things or living beings, and at most {level.instances} of them in all."
    if level.span[0] >= _LARGE:
        yield "Each of them is large and near the middle; nothing else draws the eye."
    elif level.span[0] < _SMALL:
        yield "Some of them are small or farther back, and other things are around them."
    if level.background:
        yield "They stand in a place that is shown, and have to do with each other and with it."
    else:
        yield "The backdrop is plain and quiet."
    if level.overlap:
        yield "One thing hides a part of another."
    if level.weather:
        yield "Light, weather, shadows or reflections change how the scene looks."


def _ideas(kit: ExamKit, excluded: Sequence[str]) -> Iterator[str]:
    """A few things and places, drawn for this picture alone: others get other ones."""
    things = [each.label for each in kit.stock.pool() if each.label not in excluded]
    yield f"things: {', '.join(kit.draws.some(things, _IDEAS))}"
    places = [each.label for each in kit.stock.backgrounds if each.label not in excluded]
    yield f"places: {', '.join(kit.draws.some(places, _IDEAS))}"


def _known(kit: ExamKit) -> Iterator[str]:
    """What can be drawn, each sort in an order of this picture's own: it favors nothing."""
    lists: dict[str, list[str]] = {}
    for kind in kit.draws.shuffled(kit.stock.pool(span=kit.level.span[0])):
        lists.setdefault(kind.list, []).append(f"{kind.label}{'*' if kind.recolorable else ''}")
    for name, found in sorted(lists.items()):
        yield f"{name}: {', '.join(found)}"
    yield f"color, for things with a * alone: {', '.join(kit.stock.colors)}"
    said = (labels.ACTIONS, labels.EXPRESSIONS, labels.THINGS)
    action, expression, holds = (", ".join(kit.draws.shuffled(each)) for each in said)
    yield f"person, action: {action}"
    yield f"person, expression: {expression}"
    yield f"person, holds: {holds}"
    if not kit.level.background:
        return
    places = kit.draws.shuffled([entry.label for entry in kit.stock.backgrounds])
    yield f"background: {', '.join(places)}"
    peopled = [place for place in places if PERSON in kit.stock.shown(place)]
    yield f"background without a person among the things: {', '.join(peopled) or 'none'}"
    for weather, where in _weathers(kit, places):
        yield f"weather, {weather}: before {', '.join(where)}"


def _weathers(kit: ExamKit, places: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for place in places if kit.level.weather else ():
        for weather in kit.weathers(place, ("shape", "color")):
            found.setdefault(weather, []).append(place)
    yield from sorted(found.items())
