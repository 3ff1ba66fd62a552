"""Drawing figures into files: NAME.pdf, NAME.svg, NAME.csv, NAME.tex and NAME.json."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.stages.figures import latex, legend, plotting
from lvlmbench.stages.figures.figure import FIGURES, Drawn, NotApplicable, Sources

#: Files that every figure has, by suffix; the last one is written last.
SUFFIXES = ("pdf", "svg", "csv", "tex", "json")


@dataclass(frozen=True)
class About:
    """What NAME.json holds: ``why_not`` is set where the figure has nothing to show."""

    name: str
    title: str
    source: str | None
    why_not: str | None


def _csv(table: pa.Table) -> bytes:
    out = io.BytesIO()
    pa.csv.write_csv(table, out, pa.csv.WriteOptions(quoting_style="needed"))
    return out.getvalue()


def _told(drawn: Drawn, said: str) -> Drawn:
    """The figure with words at its foot, and in the LaTeX table where it is one."""
    sentence = f"{said[0].upper()}{said[1:]}."
    plotting.foot(drawn.figure, sentence)
    tex = None if drawn.tex is None else f"% {sentence}\n{drawn.tex}"
    return replace(drawn, tex=tex)


def files(name: str, sources: Sources) -> tuple[About, dict[str, bytes]]:
    """Return what a figure shows, and its files; where it has nothing to show, they say so.

    Raises
    ------
    UserError
        There is no such figure, or a table is missing.
    """
    kind = FIGURES.get(name, "figure")
    title, why_not = kind.title, None
    said = sources.snapshot.without if kind.counted else ""
    with plotting.settings():
        try:
            drawn = kind(sources)
            if said:
                title, drawn = f"{title}, {said}", _told(drawn, said)
        except NotApplicable as error:
            why_not = str(error)
            drawn = Drawn(legend.empty(why_not), pa.table({}))
        forms = plotting.forms(drawn.figure)
    about = About(kind.name, title, kind.source, why_not)
    forms["csv"] = _csv(drawn.table) if drawn.table.num_columns else b""
    forms["tex"] = (drawn.tex or latex.figure(name, title)).encode()
    forms["json"] = (json.dumps(vars(about), indent=1, ensure_ascii=False) + "\n").encode()
    return about, {f"{name}.{suffix}": forms[suffix] for suffix in SUFFIXES}


def draw(name: str, sources: Sources, folder: Path) -> About:
    """Write the files of one figure into a folder; returns what it shows.

    Raises
    ------
    UserError
        There is no such figure, or a table is missing.
    """
    about, found = files(name, sources)
    for file, data in found.items():
        atomic_bytes(folder / file, data)
    return about


def read_about(folder: Path, name: str) -> About:
    """What a folder of figures says of one.

    Raises
    ------
    UserError
        It was not drawn.
    """
    path = folder / f"{name}.json"
    try:
        return About(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        raise UserError(str(path), "is missing or damaged", "run 'snakemake figures'") from None
