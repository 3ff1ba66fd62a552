"""Which pictures of a user's annotation are chosen, and by which statistic (selection.csv)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.suites.valor.association.counts import STATISTICS
from lvlmbench.suites.valor.association.selection import Selection
from lvlmbench.suites.valor.association.settings import Associating
from lvlmbench.suites.valor.association.sources import read


def rows(source: Path, support: int | None) -> Iterator[Mapping[str, Any]]:
    """Yield the pictures of C, a row for each statistic that chooses one.

    Raises
    ------
    UserError
        The source cannot be read, or holds counts alone.
    """
    own = Associating.model_validate({} if support is None else {"support": support})
    counts = read(source)
    if not counts.shown:
        fix = "give instances of COCO, scene graphs of GQA, or CSV with a column 'image'"
        raise UserError(str(source), "says nothing of single pictures", fix)
    found = Selection(counts, own.support, own.features, own.rare, own.expected)
    for statistic in STATISTICS:
        for each in found.chosen(found.anchors(statistic)[: own.anchors]):
            yield {
                "image": each.image,
                "statistic": statistic,
                "anchor": each.anchor.object,
                "value": round(each.anchor.value, 6),
                "support": each.anchor.support,
                "shown": each.shown,
                "lacks": "; ".join(each.lacks),
            }
