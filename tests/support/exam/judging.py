"""Holding the questions of exams against the oracle."""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from support.exam.made import Exam, drawn, params_of
from support.exam.oracle.verdict import aspect_of, families, judged
from support.exam.oracle.world import picture_of
from support.oracle.phrases import Unread
from support.oracle.picture import Picture

Row = Mapping[str, Any]

UNREAD = "not read"
#: What can be wrong with the options of a question.
FAULTS = ("wrong answer", "second truth", "unclear answer", "unclear option", UNREAD)


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


def judge_exam(
    seed: int, examiners: Sequence[str] = ()
) -> tuple[Counter[tuple[str, str]], list[Fault]]:
    """Draw one round of all requests; return questions by family and aspect, and their faults."""
    one = drawn(params_of(seed=seed, **({"examiners": [*examiners]} if examiners else {})))
    asked = one.questions.to_pylist()
    names = [aspect_of(row) for row in asked]
    return Counter((families()[name], name) for name in names), faults(asked, pictures(one))


def main(argv: Sequence[str]) -> int:
    """Judge exams and print counts; return 1 where anything is wrong."""
    parser = argparse.ArgumentParser(description="Hold questions of exams against an oracle.")
    parser.add_argument("--items", type=int, default=3000, help="questions to judge, at least")
    parser.add_argument("--seed", type=int, default=1, help="of the first exam")
    parser.add_argument("--examiners", nargs="+", default=(), help="who asks, by default one")
    given = parser.parse_args(argv)
    asked: Counter[tuple[str, str]] = Counter()
    found: list[Fault] = []
    seed = given.seed
    while asked.total() < given.items:
        names, wrong = judge_exam(seed, given.examiners)
        seed += 1
        asked += names
        found += wrong
        print(f"{asked.total()} questions, {len(found)} faults", flush=True)
        for one in wrong:
            print(f"  {one.line}", flush=True)
    by = counted(found)
    for family, aspect in sorted(asked):
        wrong_here = {w: n for (w, *of), n in by.items() if of == [family, aspect]}
        said = ", ".join(f"{n} {what}" for what, n in sorted(wrong_here.items())) or "no fault"
        print(f"{family:10} {aspect:34} {asked[family, aspect]:5} questions, {said}")
    kinds = Counter(one.what.partition(" (")[0] for one in found)
    print(f"{asked.total()} questions of {len(asked)} aspects judged")
    for what in (*FAULTS, *sorted({*kinds} - {*FAULTS})):
        print(f"{what}: {kinds[what]}")
    return int(bool(found))
