"""Scores beside references as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from lvlmbench.analysis.hallucinated import ALL, Number
from lvlmbench.analysis.leaderboard_rows import RANKS
from lvlmbench.core.amounts import amount
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import latex, published_touchstone, tabular
from lvlmbench.stages.figures.compared import SCHEMA, First, first
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.published_touchstone import PUBLISHED, Published
from lvlmbench.stages.figures.tabular import DOWN, UP, Cell, Column, Heading, Row, Table, by_rank
from lvlmbench.suites.dialogue import ABILITIES

_DASH = "\N{EN DASH}"


def _short(ability: str) -> str:
    """The word of an ability's name that tells it from the others."""
    first, last = ability.split()
    return first if last == "analysis" else last.capitalize()


#: Columns: heading, measure, stratum, whether the highest is the best.
_COLUMNS: Sequence[tuple[str, str, str, bool | None]] = (
    (f"Score {UP}", "score", ALL, True),
    (f"Relative {UP}", "relative", ALL, True),
    *((_short(words), "score", name, True) for name, words in ABILITIES.items()),
    (f"Made up {DOWN}", "hallucination", ALL, False),
    (f"Counted {DOWN}", "exact_hallucination", ALL, False),
)  # fmt: skip
_NOTES = (
    "Scores from 100 to 1,000, relative ones in percent of the references', both hallucination "
    "scores of 1,000, with 95% intervals, clustered by scene. Not judged: of the answers asked "
    "for. The more color, the better the rank in the column.",
    "Published rows are printed without intervals and were measured on photographs with another "
    "judge: they are not ranked against the rows above.",
)


@figure(
    "dialogue_results",
    "Scores beside references, by ability, and how much is made up",
    "TouchStone, figure 5 and table 2",
)
def dialogue_results(sources: Sources) -> Drawn:
    """Scores of every model, by ability, with hallucination (TouchStone, figure 5 and table 2).

    Raises
    ------
    UserError
        Published results are asked for and their file is missing or damaged.
    """
    found, board = first(sources), sources.leaderboard
    models = sorted(found.numbers.models, key=lambda m: (RANKS[board.kind(m)], -_score(found, m)))
    grid = [[_number(found, m, name, stratum) for _, name, stratum, _ in _COLUMNS] for m in models]
    if not any(number is not None and number.value is not None for row in grid for number in row):
        raise NotApplicable("No answer has a score.")
    guess = [board.kind(model) == "guesser" for model in models]
    lines: list[Row | Heading] = list(_lines(models, grid, guess))
    published = sources.snapshot.params.figures.published
    given = published_touchstone.read(sources.published) if published else []
    if given:
        lines += [Heading(PUBLISHED), *map(_beside, given)]
    heads = [
        Column("Model", "left"),
        *(Column(words, group="Score by ability" if about != ALL else "")
          for words, _, about, _ in _COLUMNS),
    ]  # fmt: skip
    columns = [*heads, Column(f"Not judged {DOWN}")]
    notes = [*_NOTES[: 2 if given else 1], *_left_out(sources.snapshot)]
    table = Table("Dialogue", columns, lines, notes)
    rows = [*_rows(found, models, grid), *_published(given)]
    schema = SCHEMA.insert(0, pa.field("source", pa.string()))
    return Drawn(tabular.draw(table), pa.Table.from_pylist(rows, schema), latex.tabular(table))


def _left_out(snapshot: Snapshot) -> list[str]:
    """A note of how many planned scenes are asked about, where not all are."""
    planned = len(snapshot.scenes)
    asked = len(snapshot.asked[snapshot.first_scenario]["scene_id"].unique())
    if asked == planned:
        return []
    are = "is" if asked == 1 else "are"
    return [f"{asked:,} of {amount(planned, 'planned scene')} {are} asked about."]


def _number(found: First, model: str, measure: str, stratum: str) -> Number | None:
    return found.numbers.number(found.judge, model, found.scenario, measure, stratum)


def _score(found: First, model: str) -> float:
    number = _number(found, model, "score", ALL)
    return (number.value or 0.0) if number is not None else 0.0


def _lines(
    models: Sequence[str], grid: Sequence[Sequence[Number | None]], guess: Sequence[bool]
) -> list[Row]:
    shades = []
    for i, (_, _, _, highest) in enumerate(_COLUMNS):
        values = [
            None if no or (number := row[i]) is None else number.value
            for row, no in zip(grid, guess, strict=True)
        ]
        shades.append(by_rank(values, highest=highest))
    out = []
    for at, (model, numbers) in enumerate(zip(models, grid, strict=True)):
        cells = [_cell(number, shade[at]) for number, shade in zip(numbers, shades, strict=True)]
        told = next((number for number in numbers if number is not None), None)
        lost = Cell(f"{told.unjudged:,}", notes=(f"of {told.answers:,}",)) if told else Cell(_DASH)
        name = Cell(model, notes=("guesses",) if guess[at] else ())
        out.append(Row((name, *cells, lost), muted=guess[at]))
    return out


def _cell(number: Number | None, shade: float | None) -> Cell:
    if number is None or number.value is None:
        return Cell(_DASH)
    notes = [] if number.low is None else [f"{number.low:.0f} to {number.high:.0f}"]
    return Cell(f"{number.value:.1f}", notes=(*notes, f"n {number.n:,}"), shade=shade)


def _beside(row: Published) -> Row:
    given = {"score": row.score, "hallucination": row.hallucination}
    values = [given.get(name) if about == ALL else None for _, name, about, _ in _COLUMNS]
    cells = [Cell(_DASH if value is None else f"{value:.1f}") for value in values]
    return Row((Cell(row.named), *cells, Cell(_DASH)), muted=True)


def _rows(
    found: First, models: Sequence[str], grid: Sequence[Sequence[Number | None]]
) -> list[dict[str, Any]]:
    return [
        {"source": "snapshot", "judge": found.judge, "model": model, "stratum": about,
         "measure": name, **vars(number)}
        for model, numbers in zip(models, grid, strict=True)
        for (_, name, about, _), number in zip(_COLUMNS, numbers, strict=True)
        if number is not None
    ]  # fmt: skip


def _published(given: Sequence[Published]) -> list[dict[str, Any]]:
    return [
        {"source": "touchstone_paper", "model": row.named, "stratum": ALL, "measure": measure,
         "value": value}
        for row in given
        for measure, value in (("score", row.score), ("hallucination", row.hallucination))
        if value is not None
    ]  # fmt: skip
