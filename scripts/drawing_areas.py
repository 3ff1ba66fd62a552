"""Measure how much of the square around it the drawing of each thing covers, and how long it is.

Writes ``data/drawings/areas.csv``; scenes about sizes are planned with it. Run it again where the
vocabulary has new things, or draws them otherwise.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.distance import pdist

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.render import first_renderer
from lvlmbench.scene.graph import Object
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.render.kinds.pictograph.raster import StickerCache
from lvlmbench.stages.render.kinds.pictograph.subjects import Subjects
from lvlmbench.suites.graphs.stock import Kind, stock_of

FILE = PROJECT_ROOT / "data" / "drawings" / "areas.csv"
#: Longest side of a drawing, in pixels.
_SIDE = 256


def percents(kind: Kind, subjects: Subjects, cache: StickerCache) -> tuple[float, float]:
    """Return the area and the greatest length of a drawing, in percent of the square around it.

    The length is that between the two points that are farthest apart, in percent of the square's
    side: a pen that lies across the square is longer than the square is wide.
    """
    thing = Object("o1", kind.list, kind.label, span=240)
    art = subjects.subject(thing, np.random.default_rng(0)).art
    mask = np.asarray(cache.sticker(art, _SIDE).mask) >= 128
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    side = max(int(rows[-1] - rows[0]), int(columns[-1] - columns[0])) + 1
    outline = np.argwhere(mask)
    outline = outline[ConvexHull(outline).vertices]
    length = float(pdist(outline).max()) + 1
    return round(100 * float(mask.sum()) / side / side, 1), round(100 * length / side, 1)


def measured(vocabulary: Vocabulary) -> list[tuple[str, str, float, float]]:
    """Return list, label, area and length of all things that stand among others."""
    subjects, cache = Subjects(vocabulary), StickerCache()
    kinds = stock_of(vocabulary, first_renderer()).kinds
    return [(kind.list, kind.label, *percents(kind, subjects, cache)) for kind in kinds]


def main(file: Path = FILE) -> None:
    """Write the file."""
    rows = measured(load_vocabulary(PROJECT_ROOT / "data" / "vocabulary"))
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(("list", "label", "area", "length"))
        writer.writerows(rows)
    print(f"{file}: {len(rows)} things", file=sys.stderr)


if __name__ == "__main__":
    main()
