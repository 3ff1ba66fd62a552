"""What a snapshot holds, in the form of Dysca's Table 2."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.labels import TYPE_LABELS, plain
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.tables import QUESTION_TYPES, judged, offers


@dataclass(frozen=True)
class Statistic:
    """One line of the table; ``indent`` marks a part of the line above.

    ``number`` is the value as a number and ``share`` that part of all questions, between 0 and 1,
    where it is one; None where it is none.
    """

    label: str
    value: str
    indent: bool = False
    number: float | None = None
    share: float | None = None


def _count(label: str, number: int) -> Statistic:
    return Statistic(label, f"{number:,}", number=number)


def _part(label: str, part: int, whole: int) -> Statistic:
    """A part of all questions."""
    if not whole:
        return Statistic(label, f"{part:,}", True, part)
    return Statistic(label, f"{part:,} ({100 * part / whole:.1f}%)", True, part, part / whole)


def _mean(label: str, values: pa.ChunkedArray, indent: bool = False) -> Statistic:
    if not len(values):
        return Statistic(label, "none", indent)
    mean = pc.mean(values).as_py()
    return Statistic(label, f"{mean:.1f}", indent, mean)


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


def _shown(images: pa.Table, questions: pa.Table) -> pa.Table:
    """Images that these questions are about: of those that belong to one question (print attack)
    the ones of these questions, of all others those of their scenes."""
    own = pc.is_valid(images["question_id"])
    mine = pc.is_in(images["question_id"], value_set=pc.unique(questions["question_id"]))
    of_scene = pc.is_in(images["scene_id"], value_set=pc.unique(questions["scene_id"]))
    return images.filter(pc.if_else(own, mine, of_scene))


def counted(snapshot: Snapshot) -> dict[str, pa.Table]:
    """Return the questions that Tables 1 and 2 of the paper would count, by scenario.

    Those are the scenarios that are conditions of the image (Dysca, section 3.3), and in them the
    questions that ``statistics.questions`` counts.
    """
    conditions = snapshot.params.scenarios.conditions
    return {name: snapshot.counted(snapshot.asked[name]) for name in conditions}


def notes(snapshot: Snapshot) -> list[str]:
    """Return what :func:`counted` leaves out, as sentences that say how much; none where it is
    nothing."""
    conditions = snapshot.params.scenarios.conditions
    others = [name for name in snapshot.asked if name not in conditions]
    rest = [f"{plain(n)} {len(snapshot.asked[n]):,}" for n in others if len(snapshot.asked[n])]
    out = []
    if rest:
        out.append(
            "Left out, as no conditions of the image (controls, severity curves, scenes shown "
            f"again in other styles): {', '.join(rest)} questions."
        )
    if snapshot.without:
        asked = sum(len(snapshot.asked[name]) for name in conditions)
        lost = asked - sum(map(len, counted(snapshot).values()))
        out.append(f"The consensus dropped {lost:,} of {asked:,} questions, which are not counted.")
    return out


def table2(snapshot: Snapshot) -> list[Statistic]:
    """Key statistics of the questions asked, over the scenarios that are conditions of the image
    (Dysca, Table 2); :func:`notes` says what they leave out.

    Lengths are in words of the question itself, without its options and without the instruction;
    the number of choices is a mean over closed questions.
    """
    asked = counted(snapshot)
    every = pa.concat_tables([tables.QUESTIONS.empty_table(), *asked.values()])
    total = len(every)
    lines = [_count("Total questions", total)]
    for name, questions in asked.items():
        lines.append(_part(plain(name), len(questions), total))
    lines.append(Statistic("Question type", ""))
    for kind in QUESTION_TYPES:
        count = pc.sum(pc.equal(every["question_type"], kind)).as_py() or 0
        lines.append(_part(TYPE_LABELS[kind], count, total))
    closed = every.filter(offers(every["question_type"]))
    short = every.filter(pc.equal(every["question_type"], "short_answer"))
    captions = every.filter(pc.invert(judged(every["question_type"])))
    images = [_shown(table, asked[n]) for n, table in snapshot.images.items() if n in asked]
    hashes = pa.chunked_array([c for t in images for c in t["sha256"].chunks], pa.string())
    return [
        *lines,
        Statistic("Image resolution", _resolution(images)),
        _count("Unique images", pc.count_distinct(hashes).as_py()),
        _count("Unique questions (text and options)", _distinct_questions(every)),
        _count("Unique answers", pc.count_distinct(every["answer"]).as_py()),
        _mean("Average question length (words)", _words(every["question"])),
        _mean("Average answer length (words)", _words(every["answer"])),
        _mean("Closed questions", _words(closed["answer"]), indent=True),
        *([_mean("Short answers", _words(short["answer"]), indent=True)] if len(short) else []),
        _mean("Reference captions", _words(captions["answer"]), indent=True),
        _mean("Average choice number", pc.list_value_length(closed["options"])),
    ]
