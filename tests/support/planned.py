"""What a corpus will show and ask in each scenario, before there is an image; Table 2 beside it.

Counted with the code that a run plans with: which questions print attack takes, which ways
corruption has, and which questions go with which image (:func:`make_items`). Nothing is filtered
yet, so these are the most that a run can ask.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.stages.answer.answering import make_items
from lvlmbench.stages.scenario.kinds.corruption.scenario import Corruptions
from lvlmbench.stages.scenario.kinds.corruption.settings import Corruption
from lvlmbench.stages.scenario.kinds.print_attack.printed_text import attacked
from lvlmbench.suites.instructions import prompts_of
from lvlmbench.suites.suite import suite_of

#: Where the shares of a paper's table are held against the planned ones: most points apart.
POINTS = 0.5

#: Rows of Dysca's Table 2, and why what is planned is apart.
_A_SCENE = "3.34 questions a scene; the paper prints thousands, after cleaning"
_SHARE = "shares are set to a thousandth; print attack leaves some out"
WHY = {
    "questions": "the sum of the four scenarios",
    "clean": _A_SCENE,
    "print_attack": "no question about a written word, in whichever subtask",
    "adversarial": _A_SCENE,
    "corruption": _A_SCENE,
    "multiple_choice": _SHARE,
    "true_false": _SHARE,
    "free_form": _SHARE,
    "resolution": "",
    "images": "one a scene in three scenarios, one a question in print attack",
}
#: Those about single texts, of another vocabulary and wording: not held to :data:`POINTS`.
WHY_TEXTS = {
    "distinct_questions": "by text and options; the paper has more than a scenario asks",
    "distinct_answers": "another vocabulary",
    "question_length": "words, with options and instruction; the paper names no unit",
    "answer_length": "words, whole captions among them; the paper names no unit",
    "choices": "some lists have fewer than four entries to offer",
}


@dataclass
class Planned:
    """Images and questions of one scenario; questions by type and by the subtask asked about."""

    images: int = 0
    types: Counter[str] = field(default_factory=Counter)
    subtasks: Counter[str] = field(default_factory=Counter)

    @property
    def questions(self) -> int:
        """Questions of all types."""
        return self.types.total()


@dataclass(frozen=True)
class Line:
    """A statistic as a paper prints it, and as it is planned.

    Shares are in percent; ``apart`` is how far the shares are apart in points, or the numbers in
    percent of the printed one.
    """

    statistic: str
    number: float
    percent: float | None
    printed: float
    printed_percent: float | None

    @property
    def apart(self) -> float:
        """Positive where more is planned."""
        if self.percent is not None and self.printed_percent is not None:
            return self.percent - self.printed_percent
        return 100 * (self.number / self.printed - 1)

    @property
    def holds(self) -> bool:
        """Whether the two agree to within :data:`POINTS`, where they should."""
        return self.statistic in WHY_TEXTS or abs(self.apart) <= POINTS

    def cells(self) -> str:
        """The line as a row of a table in Markdown, with why it is apart."""
        shares = ["" if p is None else f"{p:.2f} %" for p in (self.percent, self.printed_percent)]
        unit = "%" if self.percent is None else "points"
        why = (WHY | WHY_TEXTS).get(self.statistic, "")
        return (
            f"| {self.statistic.replace('_', ' ')} | {self.number:,} | {shares[0]} "
            f"| {self.printed:,} | {shares[1]} | {self.apart:+.2f} {unit} | {why} |"
        )


def table(lines: Iterable[Line]) -> str:
    """All lines as a table in Markdown."""
    head = "| statistic | planned | share | Table 2 | share | apart | why |"
    return "\n".join([head, "| --- " * 7 + "|", *(line.cells() for line in lines)])


def _shown(
    params: Params, scenario: str, scenes: pa.Table, questions: pa.Table
) -> Iterator[tuple[str, str | None]]:
    """Scene and question (None: all of the scene) of each image of a scenario."""
    spec = None if scenario == CLEAN else params.scenarios.spec(scenario)
    kind = None if spec is None else spec.made_by()
    if kind is not None and kind.a_question:
        subtask = dict(zip(*(scenes[c].to_pylist() for c in ("scene_id", "subtask")), strict=True))
        asked = questions.select(["question_id", "scene_id", "subtask", "question_type"])
        for question in asked.to_pylist():
            if attacked(question, {"subtask": subtask[question["scene_id"]]}):
                yield question["scene_id"], question["question_id"]
        return
    columns = (scenes[c].to_pylist() for c in ("scene_id", "ordinal", "subtask"))
    settings = None if spec is None else spec.find(Corruption)
    if spec is None or settings is None:
        yield from ((scene, None) for scene, *_ in zip(*columns, strict=True))
        return
    corruptions, limit = Corruptions(params, spec), settings.scenes_per_subtask
    for scene, ordinal, about in zip(*columns, strict=True):
        if limit is None or ordinal < limit:
            yield from ((scene, None) for _ in corruptions.ways(scene, about))


def _images(shown: Sequence[tuple[str, str | None]]) -> pa.Table:
    """Rows of ``tables.IMAGES`` without pictures."""
    scenes, questions = [scene for scene, _ in shown], [question for _, question in shown]
    known = {
        "image_id": pa.array(map(str, range(len(scenes))), pa.string()),
        "scene_id": pa.array(scenes, pa.string()),
        "question_id": pa.array(questions, pa.string()),
    }
    columns = [known.get(f.name, pa.nulls(len(scenes), f.type)) for f in tables.IMAGES.schema]
    return pa.Table.from_arrays(columns, names=tables.IMAGES.names)


def planned(params: Params, shards: Iterable[tuple[pa.Table, pa.Table]]) -> dict[str, Planned]:
    """Images and questions of each scenario of ``scenarios.names``.

    Parameters
    ----------
    shards
        Tables of scenes and of their questions, as many scenes at a time as one likes: memory
        follows the largest shard.
    """
    found = {name: Planned() for name in params.scenarios.names}
    verdicts = tables.VERDICTS.empty_table()
    for scenes, questions in shards:
        alike: dict[tuple[tuple[str, str | None], ...], Planned] = {}
        for name, counted in found.items():
            shown = tuple(_shown(params, name, scenes, questions))
            if shown not in alike:
                items = make_items(_images(shown), verdicts, questions, [], prompts_of(params))
                types = Counter(item.question_type for item in items)
                subtasks = Counter(item.subtask for item in items)
                alike[shown] = Planned(len(shown), types, subtasks)
            counted.images += alike[shown].images
            counted.types.update(alike[shown].types)
            counted.subtasks.update(alike[shown].subtasks)
    return found


def texts(params: Params, shards: Iterable[tuple[pa.Table, pa.Table]]) -> dict[str, float]:
    """The rows of :data:`WHY_TEXTS`: distinct texts, and means over all questions of a corpus.

    Lengths are in words: of prompts as models get them, and of right answers.
    """
    suite = suite_of(params)
    questions, answers = set[tuple[str, ...]](), set[str]()
    sums = Counter[str]()
    for _, asked in shards:
        columns = (asked[c].to_pylist() for c in ("question_type", "question", "options", "answer"))
        for kind, question, options, answer in zip(*columns, strict=True):
            questions.add((question, *(options or ())))
            answers.add(answer)
            sums["asked"] += 1
            sums["closed"] += bool(options)
            sums["question"] += len(suite.prompt(params, kind, question, options or []).split())
            sums["answer"] += len(answer.split())
            sums["choices"] += len(options or ())
    return {
        "distinct_questions": len(questions),
        "distinct_answers": len(answers),
        "question_length": round(sums["question"] / sums["asked"], 2),
        "answer_length": round(sums["answer"] / sums["asked"], 2),
        "choices": round(sums["choices"] / sums["closed"], 2),
    }


def printed_scenarios(printed: Path) -> set[str]:
    """The scenarios that a table like ``data/published/dysca_table2.csv`` has."""
    with printed.open(encoding="utf-8", newline="") as file:
        return {row["statistic"] for row in csv.DictReader(file) if row["of"] == "scenario"}


def beside(
    found: Mapping[str, Planned], printed: Path, more: Mapping[str, float] | None = None
) -> list[Line]:
    """What is planned beside what a table like ``data/published/dysca_table2.csv`` prints.

    Scenarios that the table does not have count nowhere: Dysca's blind setting asks the questions
    of its clean scenario once more. ``more`` has further statistics by name; rows of the table
    that are neither there nor counted are left out.
    """
    found = {name: found[name] for name in found if name in printed_scenarios(printed)}
    types = sum((each.types for each in found.values()), Counter[str]())
    numbers: dict[str, float] = {
        **{name: each.questions for name, each in found.items()},
        **types,
        "questions": types.total(),
        "images": sum(each.images for each in found.values()),
        **(more or {}),
    }
    with printed.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["statistic"] in numbers]
    return [
        Line(
            statistic=row["statistic"],
            number=(number := numbers[row["statistic"]]),
            percent=100 * number / types.total() if row["percent"] else None,
            printed=float(row["number"]) if "." in row["number"] else int(row["number"]),
            printed_percent=float(row["percent"]) if row["percent"] else None,
        )
        for row in rows
    ]
