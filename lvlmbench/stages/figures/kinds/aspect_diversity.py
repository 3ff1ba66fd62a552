"""How different aspects are from each other, and descriptions (AutoDavis, table 1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lvlmbench.analysis.labels import plain
from lvlmbench.core.seeding import item_id
from lvlmbench.stages.figures import latex, tabular
from lvlmbench.stages.figures.exams import described, levels_in, planned
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.tabular import Cell, Column, Heading, Row, Table
from lvlmbench.stages.score.encoder import SentenceEncoder

F64: TypeAlias = npt.NDArray[np.float64]

#: Digits of what is printed and kept: below, sums differ by processor.
_DIGITS = 4
#: Texts from which an interval is told: the error of fewer is hardly known.
_FEWEST = 5
#: Descriptions of a request and level that are compared: their interval tells what more would add.
_MOST = 20
_ASPECTS, _ALL = "names of aspects", "descriptions, all levels"
_SCHEMA = pa.schema(
    [
        ("request", pa.string()),
        ("texts", pa.string()),
        ("n", pa.int64()),
        *((name, pa.float64()) for name in ("diversity", "low", "high", "vendi")),
    ]
)
_NOTES = (
    "Diversity: 1 less the mean cosine of the vectors of two texts, by the encoder that captions "
    "are compared with; the 95% interval, from five texts on, is by leaving out one at a time. The "
    "paper does not name its measure, so its numbers need not be on this scale.",
    "Vendi score (Friedman, Dieng, 2023): how many texts that have nothing in common would be as "
    "diverse; at most the number of texts.",
    f"Of a request's descriptions of a level, {_MOST} are compared at most, drawn at random.",
)


@dataclass(frozen=True)
class Diversity:
    """How different some texts are: the mean of 1 - cosine over pairs, its interval, and the
    effective number of texts. The ends are None for fewer than five texts."""

    value: float
    low: float | None
    high: float | None
    vendi: float


def diversity(vectors: F64) -> Diversity | None:
    """Return how different texts are by their vectors, shape (n, width); None for fewer than two.

    The interval is Student's at the error that the jackknife gives for a mean over pairs.
    """
    from scipy.special import stdtrit

    n = len(vectors)
    if n < 2:
        return None
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosine = unit @ unit.T
    values = np.clip(np.linalg.eigvalsh(cosine / n), 0.0, None)
    spread = values[values > 1e-12]
    vendi = math.exp(-float((spread * np.log(spread)).sum()))
    np.fill_diagonal(cosine, 0.0)
    total, rows = float(cosine.sum()), cosine.sum(axis=1)
    value = 1 - total / (n * (n - 1))
    low = high = None
    if n >= _FEWEST:
        without = 1 - (total - 2 * rows) / ((n - 1) * (n - 2))
        error = math.sqrt((n - 1) / n * float(((without - without.mean()) ** 2).sum()))
        half = float(stdtrit(n - 1, 0.975)) * error
        low, high = (
            round(min(max(end, 0.0), 2.0), _DIGITS) for end in (value - half, value + half)
        )
    return Diversity(round(value, _DIGITS) + 0.0, low, high, round(vendi, 2))


@figure(
    "aspect_diversity",
    "Diversity of aspects and of descriptions, by request",
    "AutoDavis, table 1",
)
def aspect_diversity(sources: Sources) -> Drawn:
    """How different names of aspects are, and descriptions of each level (AutoDavis, table 1).

    The suite of ``figures.beside``, say one whose aspects a model has thought of without general
    ones (``raw``), has a line of its own.
    """
    groups = _texts(sources)
    known = sorted({text for _, _, texts in groups for text in texts})
    score = sources.snapshot.params.score
    vectors = SentenceEncoder(score.caption_encoder).exact(known, score.batch_size)
    place = {text: at for at, text in enumerate(known)}
    rows: list[dict[str, Any]] = []
    lines: list[Row | Heading] = []
    before = ""
    for request, what, texts in groups:
        found = diversity(vectors[[place[text] for text in texts]])
        if found is None:
            continue
        lines += [Heading(plain(request))] if request != before else []
        before = request
        lines.append(_line(what, len(texts), found))
        rows.append(
            {
                "request": request, "texts": what, "n": len(texts), "diversity": found.value,
                "low": found.low, "high": found.high, "vendi": found.vendi,
            }
        )  # fmt: skip
    if not rows:
        raise NotApplicable("Diversity needs two aspects, or two descriptions, of a request.")
    columns = [Column("Of", "left"), Column("n"), Column("Diversity"), Column("95% interval"),
               Column("Vendi score")]  # fmt: skip
    table = Table("Diversity of aspects and descriptions", columns, lines, _NOTES)
    return Drawn(tabular.draw(table), pa.Table.from_pylist(rows, _SCHEMA), latex.tabular(table))


def _texts(sources: Sources) -> list[tuple[str, str, list[str]]]:
    """Of each request, its texts of each sort."""
    rows, made = planned(sources.snapshot), described(sources.snapshot)
    seed = sources.snapshot.params.snapshot.seed
    found: list[tuple[str, str, list[str]]] = []
    for request in dict.fromkeys(row["subtask"] for row in rows):
        named = dict.fromkeys(row["called"] for row in rows if row["subtask"] == request)
        mine = [row for row in made if row["subtask"] == request]
        drawn = {
            level: _drawn([row for row in mine if row["level"] == level], seed)
            for level in levels_in(made)
        }
        every = [text for texts in drawn.values() for text in texts]
        found += [(request, _ASPECTS, [*named]), *_beside(sources, request)]
        found.append((request, _ALL, every))
        found += [
            (request, f"descriptions, {plain(level).lower()}", texts)
            for level, texts in drawn.items()
        ]
    return found


def _beside(sources: Sources, request: str) -> list[tuple[str, str, list[str]]]:
    """Names of a request's aspects in the suite of ``figures.beside``, e.g. one without general
    aspects."""
    if sources.beside is None:
        return []
    rows = [row for row in planned(sources.beside) if row["subtask"] == request]
    named = dict.fromkeys(row["called"] for row in rows)
    what = f"{_ASPECTS}, {sources.beside.params.suite}"
    return [(request, what, [*named])] if named else []


def _drawn(rows: Sequence[Any], seed: int) -> list[str]:
    """The descriptions of rows, or so many of them, in their order."""
    if len(rows) > _MOST:
        keys = [item_id(seed, "diversity", row["description"]) for row in rows]
        last = sorted(keys)[_MOST - 1]
        rows = [row for row, key in zip(rows, keys, strict=True) if key <= last]
    return [row["description"] for row in rows]


def _line(what: str, n: int, found: Diversity) -> Row:
    spread = "" if found.low is None else f"{found.low:.3f} to {found.high:.3f}"
    return Row(
        (
            Cell(what[:1].upper() + what[1:], indent=True), Cell(f"{n:,}"),
            Cell(f"{found.value:.3f}"), Cell(spread), Cell(f"{found.vendi:.1f}"),
        )
    )  # fmt: skip
