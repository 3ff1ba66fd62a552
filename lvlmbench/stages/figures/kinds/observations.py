"""The paper's observations, with the numbers of one's own run."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.stages.figures import latex, observations, published, tabular
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.observations import Observation
from lvlmbench.stages.figures.subjects import printed_subjects
from lvlmbench.stages.figures.tabular import Cell, Column, Heading, Row, Table
from lvlmbench.stages.figures.typeset import wrap

_SIZE, _SAYS, _FOUND = 9.0, 200.0, tabular.WIDEST
_SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("section", pa.string()),
        ("says", pa.string()),
        ("found", pa.string()),
        ("n", pa.int64()),
    ]
)


def _cell(text: str, room: float) -> Cell:
    """A text of several lines."""
    first, *rest = wrap(text, room, _SIZE, most=9) or [""]
    return Cell(first, notes=tuple(rest), running=True)


def _row(one: Observation) -> Row:
    """A line of the table."""
    found = _cell(one.found, _FOUND)
    return Row((Cell(one.place), _cell(one.says, _SAYS), found, Cell(str(one.n))))


@figure(
    "paper_observations",
    "The paper's observations, checked on this run",
    "Dysca, sections 4.1-4.3",
    place=16,
    counted=True,
)
def paper_observations(sources: Sources) -> Drawn:
    """What Dysca says of its models, with the numbers of this run, and, where published results are
    asked for, with those of its own Table 3.

    Raises
    ------
    UserError
        Published results are asked for and their file is missing or damaged.
    """
    params = sources.snapshot.params
    found = {"snapshot": observations.of_run(sources.snapshot, sources.leaderboard)}
    if not found["snapshot"]:
        raise NotApplicable("No model that looks at pictures has a clean headline.")
    if params.figures.published:
        subjects = printed_subjects(published.read(sources.published))
        made = observations.common(subjects, params.snapshot.seed, params.validity.resamples)
        found["published"] = made
    lines: list[Row | Heading] = [_row(one) for one in found["snapshot"]]
    if "published" in found:
        lines += [Heading("The same of the paper's Table 3"), *map(_row, found["published"])]
    heads = [Column("Section", "left"), Column("The paper says", "left"),
             Column("Found", "left"), Column("n")]  # fmt: skip
    table = Table("The paper's observations, checked on this run", heads, lines, _NOTES)
    rows = [{"source": source, "section": one.place, "says": one.says, "found": one.found,
             "n": one.n} for source, of in found.items() for one in of]  # fmt: skip
    return Drawn(tabular.draw(table), pa.Table.from_pylist(rows, _SCHEMA), latex.tabular(table))


_NOTES = (
    "n: models, pairs of a model and a question type, or pairs of models. Models that guess are "
    "left out. Ranges in brackets: 95% intervals. docs/validity.md tells where the paper's text "
    "and its own tables differ.",
    "Which of two families of language models is the more capable one is not measured: of a pair "
    "the better model is named, and more than the language model may set the two apart.",
)
