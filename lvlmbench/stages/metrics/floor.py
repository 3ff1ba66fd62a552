"""What captions that say nothing of a picture get by similarity: the floor of that number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.stages.metrics.counts import Counts
from lvlmbench.stages.metrics.rows import Key, Rows
from lvlmbench.stages.score.run import comparing

#: A caption that is true of every picture.
VAGUE = "A picture."
#: Metrics: what it gets, and what the caption of another scene gets.
OF_VAGUE, OF_OTHER = "floor_vague", "floor_other"
#: References that are looked at, at most: a mean over so many is known to 0.3 points.
MOST = 2000
_COLUMNS = ["question_id", "scene_id", "subtask", "question_type", "answer", "key"]


def floors(
    params: Params, questions: Sequence[Path], scenes: Sequence[Path], cache: Path
) -> dict[str, tuple[float, Counts]]:
    """Return metric -> its value in percent and how many references it rests on.

    Each is averaged as the score of captions is: within subtasks, then over them. The other scene
    is the next one in the order of the questions' ids, which are random.

    Parameters
    ----------
    questions, scenes
        Shards of these tables; of scenes the prompts, where ``score.reference`` says so.
    cache
        File of similarities and vectors computed before.

    Raises
    ------
    UserError
        A file is missing or damaged, or the encoder cannot be loaded.
    """
    asked = tables.of_scenario(tables.read(questions, tables.QUESTIONS, _COLUMNS))
    free = asked.filter(pc.invert(tables.judged(asked["question_type"])))
    free = free.sort_by("question_id").slice(0, MOST)
    rows = free.to_pylist()
    if len({row["scene_id"] for row in rows}) < 2:
        return {}
    if params.score.reference == "prompt":
        known = tables.read(scenes, tables.SCENES, ["scene_id", "prompt"])
        at = pc.index_in(free["scene_id"], value_set=known["scene_id"].combine_chunks())
        references = known["prompt"].take(at).to_pylist()
    else:
        references = free["answer"].to_pylist()
    others = _others([row["scene_id"] for row in rows], references)
    compare = comparing(params, cache)
    subtasks = [row["subtask"] for row in rows]
    return {
        metric: (_mean(subtasks, compare([*zip(references, said, strict=True)])), counts)
        for counts in [Counts(len(rows))]
        for metric, said in ((OF_VAGUE, [VAGUE] * len(rows)), (OF_OTHER, others))
    }


def _others(scenes: Sequence[str], references: Sequence[str]) -> list[str]:
    """The reference of the next question about another scene, for each; the last has the first."""
    n = len(scenes)
    return [
        next(
            references[(i + step) % n]
            for step in range(1, n)
            if scenes[(i + step) % n] != scenes[i]
        )
        for i in range(n)
    ]


def _mean(subtasks: Sequence[str], percent: Sequence[float]) -> float:
    means = pa.table({"subtask": subtasks, "percent": percent}).group_by("subtask")
    return float(pc.mean(means.aggregate([("percent", "mean")])["percent_mean"]).as_py())


def floor_rows(
    rows: Iterable[Mapping[str, object]], found: Mapping[str, tuple[float, Counts]]
) -> list[dict[str, object]]:
    """Return a row of each floor beside every score of captions among some rows."""
    added: list[dict[str, object]] = []
    for row in rows:
        kind = str(row["question_type"])
        parts = (row[name] for name in Key._fields if name != "question_type")
        free = kind in tables.TYPES and not tables.TYPES[kind].judged
        if row["metric"] == "score" and free and all(part == "all" for part in parts):
            out = Rows(str(row["questions"]), str(row["model"]), str(row["scenario"]))
            for metric, (value, counts) in found.items():
                out.add(Key(kind), metric, value, None, counts)
            added += out.rows
    return added
