"""What a question asks of a scene: a stable key, from which its id follows, and its sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lvlmbench.core import seeding
from lvlmbench.scene import ids

_BETWEEN = "/"


@dataclass(frozen=True)
class Key:
    """What is asked of a scene, and how; a scene is asked each key at most once.

    Attributes
    ----------
    aspect
        What is asked: an aspect of the scene, or the name of a program over its graph.
    question_type
        How the answer is given.
    about
        What tells two such questions about one scene apart: ids of its objects, a relation, a
        level. A scene with one object needs nothing here.
    """

    aspect: str
    question_type: str
    about: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(not part or _BETWEEN in part for part in self.parts):
            raise ValueError(f"{self.parts}: parts of a key are words without '{_BETWEEN}'")

    @property
    def parts(self) -> tuple[str, ...]:
        """All that is hashed after the scene's id."""
        return (self.aspect, self.question_type, *self.about)

    def __str__(self) -> str:
        return _BETWEEN.join(self.parts)

    @classmethod
    def read(cls, text: str) -> Key:
        """Return the key that a row of the questions holds."""
        aspect, question_type, *about = text.split(_BETWEEN)
        return cls(aspect, question_type, tuple(about))

    def question_id(self, scene_id: str) -> str:
        """Return the id of this question about a scene."""
        return seeding.item_id(scene_id, *self.parts)

    def digests(self, scene_ids: Iterable[bytes]) -> ids.Digests:
        """Return the ids of this question about many scenes, shape (n, 16)."""
        return ids.digests((), scene_ids, self.parts)
