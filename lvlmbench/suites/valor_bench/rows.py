"""A user's copy as rows of tables, for as many of its pictures as the parameters ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.shards import subtask_ranges
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import item_id
from lvlmbench.scene.asking import Key
from lvlmbench.scene.graph import Setting
from lvlmbench.scene.truth import row_of
from lvlmbench.suites.valor_bench.copy import Copy, Shown, open_copy
from lvlmbench.suites.valor_bench.features import features_of
from lvlmbench.suites.valor_bench.settings import OwnCopy
from lvlmbench.suites.valor_bench.telling import description
from lvlmbench.tables import QUESTIONS, SCENES, TRUTH

#: What this suite hashes ids with.
STAGE = "valor_bench"
_FREE_FORM = "free_form"
_STYLE = "photograph"


def copy_of(params: Params, source: str = "params.yaml") -> Copy:
    """Return the copy that parameters name.

    Raises
    ------
    UserError
        They name none.
    """
    own = params.corpus.own(OwnCopy)
    if own.folder is None:
        where = f"{source}: suites.{params.suite}.corpus.valor_bench"
        raise UserError(where, "names no folder", "write 'folder: ...', that of your own copy")
    images = None if own.images is None else PROJECT_ROOT / own.images
    return open_copy(PROJECT_ROOT / own.folder, images, params.corpus.subtasks)


def check(params: Params, source: str) -> None:
    """Check that a copy is whole and holds as many pictures as are asked for.

    Raises
    ------
    UserError
        The first mistake.
    """
    copy = copy_of(params, source)
    if copy.told.mistakes:
        raise copy.told.mistakes[0]
    numbers = {name: len(found) for name, found in copy.shown.items()}
    for name, number in numbers.items():
        wanted = params.corpus.count(name)
        if wanted > number:
            where = f"{source}: suites.{params.suite}.corpus.scenes"
            what = f"asks for {wanted} pictures of {name}, and {copy.folder} has {number}"
            fix = ", ".join(f"{n}: {k}" for n, k in numbers.items() if k)
            raise UserError(where, what, f"write scenes: {{{fix}}}")


def left_out(params: Params) -> list[str]:
    """Return a line where a copy has more pictures than are asked for."""
    found = copy_of(params).shown
    fewer = [
        f"{params.corpus.count(name)} of {len(each)} of {name}"
        for name, each in found.items()
        if params.corpus.count(name) < len(each)
    ]
    key = f"suites.{params.suite}.corpus.scenes"
    return [f"suite {params.suite}: {', '.join(fewer)}; {key} says how many"] if fewer else []


def _wanted(params: Params) -> dict[str, tuple[int, Shown]]:
    """Scene id -> its ordinal and picture, in the order of scenes."""
    copy = copy_of(params)
    found: dict[str, tuple[int, Shown]] = {}
    for name, (first, last) in subtask_ranges(params).items():
        for ordinal, shown in enumerate(copy.shown[name][: last - first]):
            key = item_id(params.snapshot.seed, STAGE, name, shown.entry.picture)
            found[key] = (ordinal, shown)
    return found


def scenes(params: Params, start: int, stop: int) -> pa.Table:
    """Return the scenes of a range, rows of :data:`lvlmbench.tables.SCENES`.

    Nothing was planned: there are no objects, the foreground is the picture's name, and the style,
    of which no vocabulary knows, is what all such pictures are.
    """
    wanted = list(_wanted(params).items())[start:stop]
    return SCENES.of(_scene(key, ordinal, shown) for key, (ordinal, shown) in wanted)


def _scene(scene_id: str, ordinal: int, shown: Shown) -> dict[str, Any]:
    entry = shown.entry
    return {
        "scene_id": scene_id,
        "subtask": entry.subset,
        "ordinal": ordinal,
        "foreground_list": "picture",
        "foreground": entry.picture,
        "style": _STYLE,
        "caption": description(entry),
        "objects": [],
        "relations": [],
        "setting": vars(Setting()),
    }


def picture_of(params: Params) -> Callable[[Mapping[str, Any]], Path]:
    """Return what gives the file of a row of scenes; the copy is read when it is first asked."""
    wanted = cache(lambda: _wanted(params))
    return lambda scene: wanted()[scene["scene_id"]][1].path


def questions(params: Params, scenes: pa.Table) -> pa.Table:
    """Return a request for a description of each scene, rows of :data:`.QUESTIONS`."""
    prompts = copy_of(params).prompts
    return QUESTIONS.of(_question(scene, prompts) for scene in scenes.to_pylist())


def _question(scene: Mapping[str, Any], prompts: Mapping[str, str]) -> dict[str, Any]:
    key = Key(scene["subtask"], _FREE_FORM)
    return {
        "question_id": key.question_id(scene["scene_id"]),
        "scene_id": scene["scene_id"],
        "subtask": scene["subtask"],
        "granularity": "fine",
        "question_type": _FREE_FORM,
        "question": prompts[scene["subtask"]],
        "options": [],
        "answer": scene["caption"],
        "key": str(key),
    }


def truth(params: Params, scenes: pa.Table) -> pa.Table:
    """Return what is annotated of scenes, rows of :data:`.TRUTH`, in the scenes' order.

    It is closed: as VALOR-Eval has it, what a subset does not list counts as made up.
    """
    wanted = _wanted(params)
    return TRUTH.of(
        row_of(scene_id, feature, closed=True)
        for scene_id in scenes["scene_id"].to_pylist()
        for feature in features_of(wanted[scene_id][1].entry)
    )
