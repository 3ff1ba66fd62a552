"""The question about a picture: one of four options, which names nothing that went wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from lvlmbench.config import SUBTASKS
from lvlmbench.scene.asking import Key
from lvlmbench.scene.programs import holds
from lvlmbench.scene.quoting import quotes
from lvlmbench.scene.sets import Program, Value
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.adjusting import adjusted
from lvlmbench.suites.autodavis.family import ExamKit, Family
from lvlmbench.suites.autodavis.plan import STAGE, Item, Planner
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.graphs.making import choice
from lvlmbench.tables.questions import CHECK

Row = dict[str, Any]

TYPE = "multiple_choice"
OPTIONS = 4


class Question(NamedTuple):
    """A question, as a row of the table ``questions`` and as what was asked.

    Attributes
    ----------
    replaced
        Options of the draft that others took the place of.
    """

    row: Row
    ask: Ask
    replaced: tuple[Value, ...]


def about(
    planner: Planner, scene: Mapping[str, Any], item: Item, world: World, defects: Sequence[str]
) -> Iterator[Question]:
    """Yield the questions about a picture, as many as the settings say at most, no program twice.

    None where nothing can be asked that is sure, names no defect and quotes no description, or by
    no embedded family.
    """
    family = planner.family(item.aspect)
    if family is None:
        return
    examiner = planner.examiner(item, OPTIONS)
    question_id = key_of(planner, item, examiner).question_id(scene["scene_id"])
    kit = planner.kit(item.level, "question", question_id, examiner=examiner)
    draws = Draws(planner.seed, f"{STAGE} adjust", question_id)
    taken: list[Program] = []
    for one in _possible(kit, family, world, taken):
        made = _made(planner, item, one, draws, kit, world, defects)
        if made is not None and not quotes(made.row["question"], scene["prompt"]):
            row = row_of(planner, scene, item, examiner, len(taken), made.row)
            taken.append(one.program)
            yield made._replace(row=row)
        if len(taken) == planner.own.questions:
            return


def key_of(planner: Planner, item: Item, examiner: str, number: int = 0) -> Key:
    """Return the key of the question of a number about an item."""
    more = (str(number + 1),) if number else ()
    about = (*planner.signed(examiner), *more, item.aspect.fine.name)
    return Key(item.aspect.request, TYPE, about)


def row_of(
    planner: Planner,
    scene: Mapping[str, Any],
    item: Item,
    examiner: str,
    number: int,
    asked: Row,
) -> Row:
    """Return a row of ``questions``, with the right option at its place."""
    key = key_of(planner, item, examiner, number)
    return {
        "question_id": key.question_id(scene["scene_id"]),
        "scene_id": scene["scene_id"],
        "subtask": scene["subtask"],
        "granularity": SUBTASKS[scene["subtask"]].granularity,
        "question_type": TYPE,
        "key": str(key),
        "level": item.level,
        "examiner": examiner,
        **placed(asked, planner.place(item, OPTIONS, number)),
    }


def _made(
    planner: Planner,
    item: Item,
    one: Ask,
    draws: Draws,
    kit: ExamKit,
    world: World,
    defects: Sequence[str],
) -> Question | None:
    """A question with adjusted options; None where one is not sure or names a defect."""

    def refused(value: Value) -> bool:
        false = holds(one.program, world, value) is False
        return not false or names([one.show(value)], defects)

    if one.options != OPTIONS:
        return None
    prior = planner.prior.get(item.aspect.fine.name, {})
    found = adjusted(one, draws, prior, planner.own.replaced, refused, planner.own.habit)
    made = found and choice(found.ask, kit.draws, [world], [one.answer])
    if found is None or not made:
        return None
    row = made[0]
    if names([row["question"], *row["options"]], defects):
        return None
    before = {one.show(new): one.show(old) for new, old in found.replaced.items()}
    replaced = [before.get(option) for option in row["options"]] if before else None
    return Question({**row, "replaced": replaced}, found.ask, tuple(found.replaced.values()))


def _possible(
    kit: ExamKit, family: Family, world: World, taken: Sequence[Program]
) -> Iterator[Ask]:
    """What can be asked and is not ``taken`` yet, in the order in which the examiner would.

    Fewer steps are for where nothing can be asked from so many.
    """
    for steps in kit.examiner.steps(kit.steps):
        asks = family.ask(replace(kit, steps=steps), world)
        for one in kit.examiner.ranked(kit.draws.shuffled(asks)):
            if one.program not in taken:
                yield one
        if taken:
            return


def checked(
    planner: Planner, scene: Mapping[str, Any], item: Item, world: World, defects: Collection[str],
    question: Question,
) -> list[Row]:  # fmt: skip
    """Return the atomic checks of a question as rows of ``questions`` (AutoDavis, appendix R).

    None of them names a defect.
    """
    from lvlmbench.suites.autodavis.atom_questions import atoms

    row = question.row
    kit = planner.kit(item.level, "atoms", row["question_id"], examiner=row["examiner"])
    own = Key.read(row["key"])
    rows: list[Row] = []
    found = (
        atom
        for atom in atoms(kit, world, question.ask)
        if not names([atom.row["question"], *atom.row["options"]], defects)
    )
    for number, atom in enumerate(found, 1):
        about = (*own.about, CHECK, atom.element, str(number))
        key = Key(own.aspect, own.question_type, about)
        shared = ("scene_id", "subtask", "granularity", "question_type", "level", "examiner")
        rows.append(
            {
                **{name: row[name] for name in shared},
                "question_id": key.question_id(scene["scene_id"]),
                "key": str(key),
                **atom.row,
            }
        )
    return rows


def placed(row: Row, place: int) -> Row:
    """Return a question with its right option at a place; the others keep their order."""
    right = row["answer_index"]
    order = [at for at in range(len(row["options"])) if at != right]
    order.insert(place, right)
    moved = {
        name: row[name] and [row[name][at] for at in order] for name in ("options", "replaced")
    }
    return {**row, **moved, "answer_index": place}


def names(texts: Sequence[str], defects: Collection[str]) -> bool:
    """Return whether a question or an option names something that is not as described."""
    said = " ".join(texts).casefold()
    return any(defect.casefold() in said for defect in defects)
