"""Counterfactual twins: the same picture but for one fact, asked the same with another answer.

Who is right about both has seen the fact; who knows what is likely is right about one at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from lvlmbench.scene.programs import holds, text_of
from lvlmbench.scene.quoting import quotes
from lvlmbench.scene.sets import Program, Value
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.adjusting import adjusted
from lvlmbench.suites.autodavis.asked import OPTIONS, Question, key_of, names, row_of
from lvlmbench.suites.autodavis.plan import STAGE, Item, Planner
from lvlmbench.suites.autodavis.restyled import MOVED
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.graphs.making import choice
from lvlmbench.suites.graphs.pairing import together

Row = dict[str, Any]


class Shown(NamedTuple):
    """A scene of a pair, and what its picture shows; ``defects`` are named by no question."""

    scene: Row
    item: Item
    world: World
    defects: frozenset[str]


def paired(planner: Planner, both: Sequence[Shown]) -> Iterator[list[Question]]:
    """Yield each question about a picture with that about its twin, as many as the settings say.

    None where no question has another answer in the twin, names no defect and quotes neither
    description, or the two differ in more than one fact: then each is asked for itself.
    """
    worlds = [each.world for each in both]
    first = both[0]
    family = planner.family(first.item.aspect)
    if family is None or not same_but_one(*worlds):
        return
    examiner = planner.examiner(first.item, OPTIONS)
    pair = key_of(planner, first.item, examiner).question_id(first.scene["scene_id"])
    own, again = (
        planner.kit(first.item.level, "question", pair, examiner=examiner) for _ in range(2)
    )
    draws = Draws(planner.seed, f"{STAGE} adjust", pair)
    taken: list[Program] = []
    for steps in own.examiner.steps(own.steps):
        asks = own.draws.shuffled(family.ask(replace(own, steps=steps), worlds[0]))
        others = family.ask(replace(again, steps=steps), worlds[1])
        # An animal in one picture may be a thing in the other: then the words are not the same.
        words = {text_of(other.program): other.questions for other in others}
        for one, rights in together(own.examiner.ranked(asks), others, worlds):
            if one.program in taken or words.get(text_of(one.program)) != one.questions:
                continue
            found = _adjusted(planner, both, one, rights, draws)
            rows = found and choice(found[0], own.draws, worlds, rights)
            if found and rows and not _named(rows, both):
                yield _questions(planner, both, examiner, len(taken), rights, found, rows)
                taken.append(one.program)
            if len(taken) == planner.own.questions:
                return
        if taken:
            return


def same_but_one(first: World, twin: World) -> bool:
    """Return whether all things that are the same in both lie in the twin where they do first."""
    kept = {*first.graph.objects} & {*twin.graph.objects}
    for thing in kept:
        boxes = [
            [one.seen.box for one in world.instances if one.object.id == thing.id and one.seen]
            for world in (first, twin)
        ]
        if len(boxes[0]) != len(boxes[1]):
            return False
        pairs = zip(*boxes, strict=True)
        if any(abs(x - y) > MOVED for a, b in pairs for x, y in zip(a, b, strict=True)):
            return False
    return True


def _adjusted(
    planner: Planner, both: Sequence[Shown], one: Ask, rights: Sequence[Value], draws: Draws
) -> tuple[Ask, dict[Value, Value]] | None:
    """A question that offers what is right of either, and what took the place of what."""

    def refused(value: Value) -> bool:
        return any(holds(one.program, each.world, value) is not False for each in both)

    other = rights[1]
    rest = [value for value in one.wrong if value not in rights]
    near, least = min(one.near, len(rest)), one.least
    if other in one.wrong[: one.near]:
        near, least = one.near - 1, max(least - 1, 0)
    elif one.near and other not in one.wrong:  # it looks like the first, in whose place it stands
        rest, near, least = rest[1:], one.near - 1, max(least - 1, 0)
    prior = planner.prior.get(both[0].item.aspect.fine.name, {})
    fewer = replace(one, wrong=rest, near=near, least=least, options=one.options - 1)
    found = adjusted(fewer, draws, prior, planner.own.replaced, refused, planner.own.habit)
    if found is None or one.options != OPTIONS:
        return None
    wrong = [other, *found.ask.wrong]
    return replace(one, wrong=wrong, near=min(one.near, found.ask.near + 1)), found.replaced


def _named(rows: Sequence[Row], both: Sequence[Shown]) -> bool:
    """Whether the question names what is not as described in a picture, or quotes a description."""
    said = rows[0]["question"]
    return any(
        names([said, *rows[0]["options"]], each.defects) or quotes(said, each.scene["prompt"])
        for each in both
    )


def _questions(
    planner: Planner, both: Sequence[Shown], examiner: str, number: int, rights: Sequence[Value],
    found: tuple[Ask, dict[Value, Value]], rows: Sequence[Row],
) -> list[Question]:  # fmt: skip
    ask, replaced = found
    before = {ask.show(new): ask.show(old) for new, old in replaced.items()}
    key = key_of(planner, both[0].item, examiner, number)
    questions = []
    for each, right, fields in zip(both, rights, rows, strict=True):
        kept = [before.get(option) for option in fields["options"]] if before else None
        said = {**fields, "replaced": kept, "pair": key.question_id(both[0].scene["scene_id"])}
        row = row_of(planner, each.scene, each.item, examiner, number, said)
        wrong = [value for value in (ask.answer, *ask.wrong) if value != right]
        asked = replace(ask, answer=right, wrong=wrong)
        questions.append(Question(row, asked, tuple(replaced.values())))
    return questions
