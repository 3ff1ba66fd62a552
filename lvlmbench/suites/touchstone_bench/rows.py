"""A user's questions as rows of tables, for as many of them as the parameters ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.shards import subtask_ranges
from lvlmbench.core.decoding import Held
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import item_id
from lvlmbench.scene.asking import Key
from lvlmbench.scene.graph import Setting
from lvlmbench.suites.touchstone_bench.settings import OwnQuestions
from lvlmbench.suites.touchstone_bench.table import Asked, Table, numbers, open_table
from lvlmbench.tables import QUESTIONS, SCENES

#: What this suite hashes ids with.
STAGE = "touchstone_bench"
_FREE_FORM = "free_form"
_STYLE = "photograph"


def table_of(params: Params, source: str = "params.yaml") -> Table:
    """Return the table that parameters name.

    Raises
    ------
    UserError
        They name none.
    """
    own = params.corpus.own(OwnQuestions)
    if own.file is None:
        where = f"{source}: suites.{params.suite}.corpus.touchstone_bench"
        raise UserError(where, "names no file", "write 'file: ...', that of your own copy")
    path = PROJECT_ROOT / own.file
    if not path.is_file():
        where = f"{source}: suites.{params.suite}.corpus.touchstone_bench.file"
        fix = "put your copy of the table there, or name where it lies"
        raise UserError(where, f"there is no file '{path}'", fix)
    return open_table(path, own.tasks)


def check(params: Params, source: str) -> None:
    """Check that a table is whole and holds as many questions as are asked for.

    Raises
    ------
    UserError
        The first mistake.
    """
    table = table_of(params, source)
    if table.told.mistakes:
        raise table.told.mistakes[0]
    for name in params.corpus.subtasks:
        found, wanted = len(table.asked[name]), params.corpus.count(name)
        if wanted > found:
            where = f"{source}: suites.{params.suite}.corpus"
            what = f"asks for {wanted} questions of {name}, and {table.path.name} has {found}"
            raise UserError(where, what, f"'lvlmbench suite check {table.path}' says what to write")


def left_out(params: Params) -> list[str]:
    """Return a line where a table has more questions than are asked for."""
    table = table_of(params)
    there = dict(numbers(table.asked))
    fewer = {name: params.corpus.count(name) for name in there}
    fewer = {name: wanted for name, wanted in fewer.items() if wanted < there[name]}
    if not fewer:
        return []
    shown = ", ".join(f"{wanted} of {there[name]} of {name}" for name, wanted in fewer.items())
    return [f"suite {params.suite}: {shown}; suites.{params.suite}.corpus.scenes says how many"]


def _wanted(params: Params) -> dict[str, tuple[int, Asked]]:
    """Scene id -> its ordinal and question, in the order of scenes."""
    table = table_of(params)
    found: dict[str, tuple[int, Asked]] = {}
    for name, (first, last) in subtask_ranges(params).items():
        for ordinal, asked in enumerate(table.asked[name][: last - first]):
            key = item_id(params.snapshot.seed, STAGE, name, asked.index)
            found[key] = (ordinal, asked)
    return found


def scenes(params: Params, start: int, stop: int) -> pa.Table:
    """Return the scenes of a range, rows of :data:`lvlmbench.tables.SCENES`: one a question.

    Nothing was planned: there are no objects, the foreground is the question's index, and the
    caption is what people wrote about the picture.
    """
    wanted = list(_wanted(params).items())[start:stop]
    return SCENES.of(_scene(key, ordinal, asked) for key, (ordinal, asked) in wanted)


def _scene(scene_id: str, ordinal: int, asked: Asked) -> dict[str, Any]:
    return {
        "scene_id": scene_id,
        "subtask": asked.task,
        "ordinal": ordinal,
        "foreground_list": "picture",
        "foreground": asked.index,
        "style": _STYLE,
        "caption": asked.annotation,
        "objects": [],
        "relations": [],
        "setting": vars(Setting()),
    }


def _by_scene(params: Params) -> Callable[[Mapping[str, Any]], Asked]:
    """What gives the question of a row of scenes; the table is read when it is first asked."""
    wanted = cache(lambda: _wanted(params))

    def find(scene: Mapping[str, Any]) -> Asked:
        if (found := wanted().get(scene["scene_id"])) is not None:
            return found[1]
        table = table_of(params)
        if table.told.mistakes:
            raise table.told.mistakes[0]
        what = f"no longer has the question of which scene {scene['scene_id']} was made"
        raise UserError(str(table.path), what, "put the table back, or create the snapshot again")

    return find


def picture_of(params: Params) -> Callable[[Mapping[str, Any]], Held]:
    """Return what gives the picture of a row of scenes."""
    asked = _by_scene(params)
    return lambda scene: table_of(params).held(asked(scene))


def row_of(params: Params) -> Callable[[Mapping[str, Any]], Mapping[str, str]]:
    """Return what gives the table's own row of a row of scenes."""
    asked = _by_scene(params)
    return lambda scene: table_of(params).row(asked(scene))


def questions(params: Params, scenes: pa.Table) -> pa.Table:
    """Return the question of each scene, rows of :data:`.QUESTIONS`."""
    asked = _by_scene(params)
    return QUESTIONS.of(_question(scene, asked(scene)) for scene in scenes.to_pylist())


def _question(scene: Mapping[str, Any], asked: Asked) -> dict[str, Any]:
    key = Key(asked.task, _FREE_FORM)
    return {
        "question_id": key.question_id(scene["scene_id"]),
        "scene_id": scene["scene_id"],
        "subtask": asked.task,
        "granularity": "fine",
        "question_type": _FREE_FORM,
        "question": asked.question,
        "options": [],
        "answer": asked.reference,
        "description": asked.annotation,
        "key": str(key),
    }
