"""What scenes show and questions ask, as keys that two snapshots can be compared by.

A key is the first 64 bits of a BLAKE2b hash: among a million rows, two different ones have the
same key with a probability of 3e-8. Key 0 means that the level does not apply to the row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lvlmbench.scene.lists import PERSON
from lvlmbench.snapshot.place import Place
from lvlmbench.tables import QUESTIONS, SCENES, of_scenario

U64 = NDArray[np.uint64]

#: Which aspects each level of comparison holds against each other, besides the foreground's list.
#: Scenes that lack one of a level's :data:`NEEDED` aspects do not take part in it.
SCENE_LEVELS: dict[str, tuple[str, ...]] = {
    "content": ("subtask", "foreground", "attributes", "background", "style", "text"),
    "but_style": ("subtask", "foreground", "attributes", "background", "text"),
    "foreground_background": ("foreground", "background"),
}
NEEDED = {"foreground_background": ("foreground", "background")}

#: Levels of comparison of questions.
QUESTION_LEVELS = ("same_scene", "same_scene_words", "words")


class Scene(NamedTuple):
    """What one scene holds; ``foreground`` is None for a person, whose attributes say it all.

    ``attributes`` are pairs of a name and a value, those that the scene has.
    """

    scene_id: str
    subtask: str
    foreground_list: str
    foreground: str | None
    attributes: tuple[tuple[str, Any], ...]
    background: str | None
    style: str | None
    text: str | None
    caption: str


def _key(parts: object) -> int:
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "little")


def aspects(scene: Scene, level: str) -> tuple[Any, ...] | None:
    """What a level compares of a scene; None where it does not apply."""
    if any(getattr(scene, name) is None for name in NEEDED.get(level, ())):
        return None
    return (scene.foreground_list, *(getattr(scene, name) for name in SCENE_LEVELS[level]))


def scene_of(row: Mapping[str, Any]) -> Scene:
    """A scene from its row of ``tables.SCENES``."""
    held = row["attributes"] or {}
    return Scene(
        scene_id=row["scene_id"],
        subtask=row["subtask"],
        foreground_list=row["foreground_list"],
        foreground=None if row["foreground_list"] == PERSON else row["foreground"],
        attributes=tuple(sorted((k, v) for k, v in held.items() if v is not None)),
        background=row["background"],
        style=row["style"],
        text=row["text"],
        caption=row["caption"],
    )


#: Columns that :func:`scene_of` reads.
_SCENE_COLUMNS = [
    "scene_id", "subtask", "foreground_list", "foreground", "attributes", "background", "style",
    "text", "caption",
]  # fmt: skip


@dataclass(frozen=True)
class Rows:
    """Rows of one table of one snapshot.

    Attributes
    ----------
    ids
        Their ids.
    keys
        Level -> a key a row; shape (n,).
    shown
        What each row says, for people.
    """

    ids: list[str]
    keys: dict[str, U64]
    shown: list[str]


@dataclass(frozen=True)
class Scenes:
    """All scenes of a snapshot, with the keys of every level."""

    scenes: list[Scene]
    keys: dict[str, U64]

    @classmethod
    def of(cls, tables: Iterable[pa.Table]) -> Scenes:
        """From rows of ``tables.SCENES``, in whatever batches."""
        scenes = [scene_of(row) for table in tables for row in table.to_pylist()]
        keys = {}
        for level in SCENE_LEVELS:
            held = [aspects(scene, level) for scene in scenes]
            keys[level] = np.array([0 if h is None else _key(h) for h in held], dtype=np.uint64)
        return cls(scenes, keys)

    @classmethod
    def read(cls, view: Place) -> Scenes:
        """Those of a snapshot; none where it has no such table."""
        return cls.of(view.batches(SCENES, _SCENE_COLUMNS))

    @property
    def captions(self) -> dict[str, str]:
        """Scene -> what it shows, in words."""
        return {scene.scene_id: scene.caption for scene in self.scenes}

    @property
    def rows(self) -> Rows:
        """The same as rows with captions."""
        ids = np.array([_key(scene.scene_id) for scene in self.scenes], dtype=np.uint64)
        return Rows(
            [scene.scene_id for scene in self.scenes],
            {"id": ids, **self.keys},
            [scene.caption for scene in self.scenes],
        )


_QUESTION_COLUMNS = [
    "question_id", "scene_id", "subtask", "question_type", "question", "options", "answer", "claim",
    "key",
]  # fmt: skip


def question_keys(row: Mapping[str, Any], content: int | str) -> Iterator[int]:
    """Keys of a question in the order of :data:`QUESTION_LEVELS`.

    ``content`` is the key of what its scene shows, or the id of a scene that is not there. Options
    count as a set: their order is drawn.
    """
    asked = (content, row["subtask"], row["question_type"], row["claim"])
    words = (row["question_type"], row["question"], sorted(row["options"] or ()), row["answer"])
    yield _key(asked)
    yield _key((asked, words))
    yield _key(words)


def questions_of(tables: Iterable[pa.Table], scenes: Scenes) -> Rows:
    """Questions from rows of ``tables.QUESTIONS``, and the scenes that they are about.

    Atomic checks are none.
    """
    content = {
        scene.scene_id: int(key)
        for scene, key in zip(scenes.scenes, scenes.keys["content"], strict=True)
    }
    ids: list[str] = []
    shown: list[str] = []
    found: list[tuple[int, ...]] = []
    for table in map(of_scenario, tables):
        for row in table.to_pylist():
            ids.append(row["question_id"])
            shown.append(f"{row['question']} {row['answer']}")
            about = content.get(row["scene_id"], row["scene_id"])
            found.append((_key(row["question_id"]), *question_keys(row, about)))
    keys = np.array(found, dtype=np.uint64).reshape(len(found), 1 + len(QUESTION_LEVELS))
    return Rows(ids, dict(zip(("id", *QUESTION_LEVELS), keys.T, strict=True)), shown)


def read_questions(view: Place, scenes: Scenes) -> Rows:
    """Those of a snapshot; none where it has no such table."""
    return questions_of(view.batches(QUESTIONS, _QUESTION_COLUMNS), scenes)
