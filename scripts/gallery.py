"""Write docs/gallery.md: every figure of a snapshot, as drawn, with what it shows.

The pictures are those of results/dysca/figures, so draw them first: snakemake figures.
"""

from __future__ import annotations

import argparse
import inspect
import io
from pathlib import Path

import resvg_py
from PIL import Image

from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.figures.figure import FIGURES, FigureKind
from lvlmbench.stages.figures.run import read_about
from lvlmbench.stages.report import thumbnails as pictures

#: Width of the pictures in pixels.
WIDTH = 1400

_HEAD = """\
# Gallery

<!-- Written by 'python scripts/gallery.py'. Do not edit. -->

Tables and figures that `snakemake figures` draws of the suite `dysca`, from the default snapshot:
pictographs, two small reference models and chance. Those of exams, descriptions and dialogue are
listed in [autodavis](autodavis.md), [valor](valor.md) and [touchstone](touchstone.md). Each is
a PDF, an SVG, a CSV file with its numbers and a LaTeX file (the table, or a float that shows the
PDF) below `results/dysca/figures`. `figures.names` in `params.yaml` chooses some of them; a new one
is [one file](extending.md#a-figure).
"""


def _entry(kind: FigureKind, figures: Path, folder: Path) -> str:
    """Text about a figure; its picture goes into ``folder``."""
    about = read_about(figures, kind.name)
    lines = [f"## {kind.name}", ""]
    lines += [*(inspect.getdoc(kind.make) or "").splitlines(), ""]
    if about.why_not is not None:
        return "\n".join([*lines, f"Not shown here: {about.why_not}", ""])
    svg = (figures / f"{kind.name}.svg").read_text(encoding="utf-8")
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH, dpi=96.0, background="#ffffff"))
    with Image.open(io.BytesIO(png)) as image:
        picture = pictures.shrink(image.convert("RGB"), WIDTH)
    atomic_bytes(folder / f"{kind.name}.png", picture)
    lines += [f"![{kind.title}]({folder.name}/{kind.name}.png)", ""]
    return "\n".join(lines)


@main_guard
def main() -> None:
    """Read the figures, write docs/gallery.md and docs/gallery."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", type=Path, default=Path("results/dysca/figures"))
    parser.add_argument("--out", type=Path, default=Path("docs/gallery.md"))
    args = parser.parse_args()
    if not args.figures.is_dir():
        raise UserError(str(args.figures), "is missing", "run 'snakemake figures'")
    folder = args.out.with_suffix("")
    kinds = [FIGURES.get(name, "figure") for name in FIGURES]
    ours = sorted(kinds, key=lambda k: (k.source is None, k.source or "", k.name))
    text = "\n".join([_HEAD, *(_entry(kind, args.figures, folder) for kind in ours)])
    atomic_bytes(args.out, (text.rstrip() + "\n").encode())


if __name__ == "__main__":
    main()
