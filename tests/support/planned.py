"""What a corpus will show and ask in each scenario, before there is an image.

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
from lvlmbench.suites.suite import prompts_of

#: Where the shares of a paper's table are held against the planned ones: most points apart.
POINTS = 0.5


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
    number: int
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
        """Whether the two agree to within :data:`POINTS`."""
        return abs(self.apart) <= POINTS


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


def beside(found: Mapping[str, Planned], printed: Path) -> list[Line]:
    """What is planned beside what a table like ``data/published/dysca_table2.csv`` prints.

    Its statistics of single texts, such as lengths, are left out: they are of another vocabulary.
    """
    types = sum((each.types for each in found.values()), Counter[str]())
    numbers = {
        **{name: each.questions for name, each in found.items()},
        **types,
        "questions": types.total(),
        "images": sum(each.images for each in found.values()),
    }
    with printed.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["statistic"] in numbers]
    return [
        Line(
            statistic=row["statistic"],
            number=(number := numbers[row["statistic"]]),
            percent=100 * number / types.total() if row["percent"] else None,
            printed=float(row["number"]),
            printed_percent=float(row["percent"]) if row["percent"] else None,
        )
        for row in rows
    ]
