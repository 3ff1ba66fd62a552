"""What checks of dialogue are asked for, and answers as a judge of points sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lvlmbench.analysis.dialogue.compared import Compared
from lvlmbench.analysis.dialogue.numbers import Number, numbers
from lvlmbench.scene.claims import Truth
from lvlmbench.stages.dialogue.run import joined
from lvlmbench.stages.judge.judge import Judge
from lvlmbench.stages.judge.judging import Judging, Question
from lvlmbench.suites.dialogue import TASKS
from support.judge_checks import asked as judges

_ABILITIES = {name: task.ability for name, task in TASKS.items()}
_RATED = {name for name, task in TASKS.items() if task.rated}
#: Questions about one picture.
_EACH = 3


@dataclass(frozen=True)
class Asked(judges.Asked):
    """What checks are asked for.

    Attributes
    ----------
    replies
        That a judge behind a server gives, most of them broken.
    """

    replies: int = 4000

    @cached_property
    def questions(self) -> Mapping[str, Question]:
        """One question an answer, of all tasks in turn, three a picture."""
        tasks = list(TASKS)
        return {
            f"q{at}": Question(
                f"scene{at // _EACH}", tasks[at % len(tasks)], f"What of {at}?", f"reference {at}"
            )
            for at in range(self.answers)
        }


def compared(
    judge: Judge, questions: Mapping[str, Question], texts: Mapping[str, str]
) -> tuple[list[Compared], list[dict[str, Any]]]:
    """Return what a judge says of answers, by their questions, and the rows of ``pairwise``."""
    rows = [
        {
            "model": "m", "scenario": "clean", "question_id": key, "image_id": "i",
            "text": text, "status": "answered",
        }
        for key, text in texts.items()
    ]  # fmt: skip
    truths = dict.fromkeys({question.scene_id for question in questions.values()}, Truth(()))
    found = Judging(judge, "j", questions, truths, tasks=TASKS).rows(rows)
    return joined(found.judgements, found.pairwise, TASKS), found.pairwise


def measured(answers: list[Compared]) -> dict[str, Number]:
    """The numbers of all answers by their measures."""
    every = numbers(answers, _ABILITIES, _RATED, frozenset())
    return {number.measure: number for number in every if number.stratum == "all"}


def value(found: Mapping[str, Number], measure: str) -> float:
    """A number that must be there."""
    number = found[measure].value
    if number is None:
        raise AssertionError(f"nothing was scored for {measure}")
    return number


def chunks(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Lists of so many items."""
    held: list[Any] = []
    for item in items:
        held.append(item)
        if len(held) == size:
            yield held
            held = []
    if held:
        yield held
