"""What two snapshots share: scenes, questions, pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from lvlmbench.core.errors import UserError
from lvlmbench.snapshot.place import Place
from lvlmbench.tables import QUESTIONS, SCENES
from lvlmbench.versions.chance import chance_for
from lvlmbench.versions.content import QUESTION_LEVELS, SCENE_LEVELS, Rows, Scenes, read_questions
from lvlmbench.versions.images import SharedPictures, read_pictures, shared_pictures
from lvlmbench.versions.perceptual import ALIKE


@dataclass(frozen=True)
class Example:
    """A row of B and one of A that a level takes for the same."""

    a: str
    b: str
    a_shows: str
    b_shows: str


@dataclass(frozen=True)
class Shared:
    """How many rows of B agree with some row of A at one level.

    Attributes
    ----------
    n_b
        Rows of B that the level is about.
    shared
        Those that A has, too.
    by_chance
        How many it was on average when the scenes of A were drawn anew; None where that is not
        known.
    inside
        Rows of B that agree with another row of B.
    examples
        The first of them, by the ids of B.
    """

    level: str
    n_a: int
    n_b: int
    shared: int
    by_chance: float | None
    inside: int
    examples: list[Example]


@dataclass(frozen=True)
class Side:
    """One of the two snapshots: its name as the user gave it, what it calls itself, its seed."""

    name: str
    snapshot: str | None
    seed: int | None
    scenes: int
    questions: int
    pictures: int


@dataclass(frozen=True)
class Overlap:
    """All that was compared; ``pictures`` is None where one of the two has none.

    ``notes`` say what could not be told, and why.
    """

    a: Side
    b: Side
    scenes: list[Shared]
    questions: list[Shared]
    pictures: SharedPictures | None
    notes: list[str]


def shared_rows(
    a: Rows, b: Rows, level: str, by_chance: float | None = None, listed: int = 3
) -> Shared:
    """Compare two tables at one level, whatever the order of their rows."""
    keys_a, keys_b = a.keys[level], b.keys[level]
    applies = keys_b != 0
    hits = np.flatnonzero(applies & np.isin(keys_b, keys_a))
    first = sorted(hits.tolist(), key=b.ids.__getitem__)[:listed]
    examples = []
    for i in first:
        j = min(np.flatnonzero(keys_a == keys_b[i]).tolist(), key=a.ids.__getitem__)
        examples.append(Example(a.ids[j], b.ids[i], a.shown[j], b.shown[i]))
    _, inverse, counts = np.unique(keys_b[applies], return_inverse=True, return_counts=True)
    return Shared(
        level=level,
        n_a=int(np.count_nonzero(keys_a)),
        n_b=int(np.count_nonzero(applies)),
        shared=len(hits),
        by_chance=by_chance,
        inside=int(np.count_nonzero(counts[inverse] > 1)),
        examples=examples,
    )


def shared_scenes(
    a: Scenes, b: Scenes, by_chance: Mapping[str, float], listed: int = 3
) -> list[Shared]:
    """Scenes at every level, the ids first."""
    rows_a, rows_b = a.rows, b.rows
    return [
        shared_rows(rows_a, rows_b, level, by_chance.get(level), listed)
        for level in ("id", *SCENE_LEVELS)
    ]


def shared_questions(a: Rows, b: Rows, listed: int = 3) -> list[Shared]:
    """Questions at every level, the ids first."""
    return [shared_rows(a, b, level, listed=listed) for level in ("id", *QUESTION_LEVELS)]


def _side(view: Place, scenes: Scenes, questions: Rows, pictures: int) -> Side:
    about = view.params.get("snapshot")
    about = about if isinstance(about, dict) else {}
    return Side(
        view.name, about.get("name"), about.get("seed"), len(scenes.scenes), len(questions.ids),
        pictures,
    )  # fmt: skip


def _whole(view: Place) -> tuple[Scenes, Rows]:
    """Scenes and questions of a snapshot.

    Raises
    ------
    UserError
        It has none.
    """
    for table in (SCENES, QUESTIONS):
        if not view.files(view.where(table)):
            raise UserError(
                f"{view.name}: {view.where(table)}",
                "is missing",
                "run the pipeline there, or 'dvc pull' it; scenes and questions are enough",
            )
    scenes = Scenes.read(view)
    if not scenes.scenes:
        where = f"{view.name}: {view.where(SCENES)}"
        raise UserError(where, "holds no scene", "run the stage scenes there")
    return scenes, read_questions(view, scenes)


def overlap(
    view_a: Place,
    view_b: Place,
    max_distance: int = ALIKE,
    listed: int = 10,
    tell: Callable[[str, int], None] = lambda name, n: None,
) -> Overlap:
    """Compare two snapshots: what of A does B have?

    Parameters
    ----------
    view_a, view_b
        The older one and the fresh one.
    max_distance
        Bits in which the hashes of two pictures may differ that count as alike.
    listed
        How many of the nearest pairs of pictures to name.
    tell
        Is told now and then how many pictures of which snapshot have been hashed.

    Raises
    ------
    UserError
        One has no scenes or questions, or files of it are damaged.
    """
    notes = []
    (scenes_a, questions_a), (scenes_b, questions_b) = _whole(view_a), _whole(view_b)
    by_chance, why = chance_for(view_a, scenes_a, scenes_b)
    if why:
        notes.append(f"what chance would give is not known: {why}")
    pictures_a = read_pictures(view_a, lambda n: tell(view_a.name, n))
    pictures_b = read_pictures(view_b, lambda n: tell(view_b.name, n))
    pictures = None
    for view, found in ((view_a, pictures_a), (view_b, pictures_b)):
        if found is None:
            notes.append(f"{view.name} has no images, so none were compared")
    if pictures_a is not None and pictures_b is not None:
        pictures = shared_pictures(
            pictures_a, pictures_b, scenes_a.captions, scenes_b.captions, max_distance, listed
        )
    counts = [len(found.ids) if found else 0 for found in (pictures_a, pictures_b)]
    return Overlap(
        a=_side(view_a, scenes_a, questions_a, counts[0]),
        b=_side(view_b, scenes_b, questions_b, counts[1]),
        scenes=shared_scenes(scenes_a, scenes_b, by_chance),
        questions=shared_questions(questions_a, questions_b),
        pictures=pictures,
        notes=notes,
    )
