"""Holding the questions of exams against the oracle."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from support.exam.made import Exam
from support.exam.oracle.verdict import aspect_of, families, judged
from support.exam.oracle.world import picture_of
from support.oracle.phrases import Unread
from support.oracle.picture import Picture

Row = Mapping[str, Any]

UNREAD = "not read"


class Fault(NamedTuple):
    """What is wrong with a question, and of which aspect, family and level it is."""

    what: str
    aspect: str
    family: str
    level: str
    question: Row

    @property
    def line(self) -> str:
        """All of it, in a line."""
        options = " | ".join(self.question["options"])
        return (
            f"{self.what}: {self.family}/{self.aspect}/{self.level} {self.question['question']} "
            f"[{options}] -> {self.question['answer']} (scene {self.question['scene_id']})"
        )


def pictures(one: Exam) -> dict[str, Picture]:
    """Return what the oracle sees of each scene that was drawn, by id."""
    layouts: dict[str, list[Row]] = defaultdict(list)
    for row in one.layouts.to_pylist():
        layouts[row["scene_id"]].append(row)
    side = one.params.render.size
    return {
        scene["scene_id"]: picture_of(scene, layouts[scene["scene_id"]], side)
        for scene in one.scenes.to_pylist()
        if scene["scene_id"] in layouts
    }


def faults(questions: Iterable[Row], seen: Mapping[str, Picture]) -> list[Fault]:
    """Return what is wrong with questions, one fault each at most of a kind."""
    found = []
    for row in questions:
        try:
            wrong = sorted({*judged(row, seen[row["scene_id"]]).faults})
        except Unread as error:
            wrong = [f"{UNREAD} ({error})"]
        aspect = aspect_of(row)
        found += [Fault(what, aspect, families()[aspect], row["level"], row) for what in wrong]
    return found


def counted(found: Iterable[Fault]) -> Counter[tuple[str, str, str]]:
    """Return how often what is wrong in which aspect of which family."""
    return Counter((one.what.partition(" (")[0], one.family, one.aspect) for one in found)
