"""What a snapshot holds, in the form of Dysca's Table 2."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis.inputs import Snapshot
from lvlmbench.analysis.labels import TYPE_LABELS, scenario_label
from lvlmbench.config import QUESTION_TYPES


@dataclass(frozen=True)
class Statistic:
    """One line of the table; ``indent`` marks a part of the line above."""

    label: str
    value: str
    indent: bool = False


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({100 * part / whole:.1f}%)" if whole else f"{part:,}"


def _mean(values: pa.ChunkedArray) -> str:
    return f"{pc.mean(values).as_py():.1f}" if len(values) else "none"


def _words(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Number of words (runs of characters without white space) of each text."""
    return pc.count_substring_regex(texts, r"\S+")


def _distinct_questions(questions: pa.Table) -> int:
    """Distinct pairs of question text and list of options."""
    options = pc.binary_join(questions["options"], "\x1f")
    pairs = pc.binary_join_element_wise(questions["question"], options, "\x1e")
    return int(pc.count_distinct(pairs).as_py())


def _resolution(images: list[pa.Table]) -> str:
    sizes = set()
    for table in images:
        pairs = table.select(["width", "height"]).group_by(["width", "height"]).aggregate([])
        found = {(row["width"], row["height"]) for row in pairs.to_pylist()}
        sizes |= {size for size in found if None not in size}  # without an image, no size
    return ", ".join(f"{w}\u00d7{h}" for w, h in sorted(sizes)) or "none"


def table2(snapshot: Snapshot) -> list[Statistic]:
    """Key statistics of the questions asked, over all scenarios (Dysca, Table 2).

    Lengths are in words of the question itself, without its options and without the instruction;
    the number of choices is a mean over closed questions.
    """
    asked = snapshot.asked
    every = pa.concat_tables(asked.values())
    total = len(every)
    lines = [Statistic("Total questions", f"{total:,}")]
    for name, questions in asked.items():
        lines.append(Statistic(scenario_label(name), _share(len(questions), total), indent=True))
    lines.append(Statistic("Question type", ""))
    for kind in QUESTION_TYPES:
        count = pc.sum(pc.equal(every["question_type"], kind)).as_py() or 0
        lines.append(Statistic(TYPE_LABELS[kind], _share(count, total), indent=True))
    closed = every.filter(pc.not_equal(every["question_type"], "free_form"))
    captions = every.filter(pc.equal(every["question_type"], "free_form"))
    images = [
        table.filter(pc.is_in(table["scene_id"], value_set=pc.unique(asked[name]["scene_id"])))
        for name, table in snapshot.images.items()
    ]
    hashes = pa.chunked_array([c for t in images for c in t["sha256"].chunks], pa.string())
    return [
        *lines,
        Statistic("Image resolution", _resolution(images)),
        Statistic("Unique images", f"{pc.count_distinct(hashes).as_py():,}"),
        Statistic("Unique questions (text and options)", f"{_distinct_questions(every):,}"),
        Statistic("Unique answers", f"{pc.count_distinct(every['answer']).as_py():,}"),
        Statistic("Average question length (words)", _mean(_words(every["question"]))),
        Statistic("Average answer length (words)", _mean(_words(every["answer"]))),
        Statistic("Closed questions", _mean(_words(closed["answer"])), indent=True),
        Statistic("Reference captions", _mean(_words(captions["answer"])), indent=True),
        Statistic("Average choice number", _mean(pc.list_value_length(closed["options"]))),
    ]
