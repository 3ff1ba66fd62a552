"""Reports of the made-up snapshot: how tests have them written, and how they read them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench.config import Params
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import page
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.validity.files import COLUMNS, encode
from support.report_snapshot import build, noisy_params, params

#: The suite of the made-up snapshot.
SUITE = "dysca"
ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts"
#: What the script of the report takes beside tables and metrics.
EXTRA = ["--published", str(ROOT / "data" / "published")]
#: A name that nobody vouches for: of a benchmark, a model, a folder of images, a tool.
HOSTILE_NAME = '<img src=x onerror="window.pwned=1"> \u202etext'

#: Draws the figures that the page shows, as the rule does one by one.
_DRAW = """
from pathlib import Path
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.config import load_params
from lvlmbench.stages.figures.figure import FIGURES, Sources
from lvlmbench.stages.figures.run import draw
from lvlmbench.core.registry import LAST
from lvlmbench.stages.figures.figure import FIGURES
results = Path("results/dysca")
snapshot = Snapshot(load_params(Path("config.json")), Path("data/dysca"), results)
for name in [kind.name for kind in FIGURES.ordered() if kind.place < LAST]:
    if name in FIGURES.names():
        draw(name, Sources(snapshot, results / "validity", Path(PUBLISHED)), results / "figures")
"""


def correlation(benchmark: str, styles: str, models: int, rho: float | None) -> dict[str, Any]:
    """A row of correlations.csv; nothing is known where ``rho`` is None."""
    low, high = (None, None) if rho is None else (round(rho - 0.6, 3), round(rho + 0.1, 3))
    return {
        "benchmark": benchmark, "styles": styles, "basis": "whole", "models": models,
        "measure": "accuracy", "made": "", "left_out": 0, "subtasks": "", "types": "",
        "why_not": "2 models in common, fewer than 3" if rho is None else "",
        "spearman": rho, "spearman_low": low, "spearman_high": high,
        "kendall": rho, "kendall_low": low, "kendall_high": high,
        "spearman_p": None if rho is None else 0.2, "kendall_p": None if rho is None else 0.3,
    }  # fmt: skip


def _ranking(model: str, rank: float) -> dict[str, Any]:
    return {
        "benchmark": "Dysca", "styles": "all", "basis": "whole", "model": model,
        "their_name": HOSTILE_NAME,
        "ours": 60.0 - rank, "theirs": 1234.5 - rank, "our_rank": rank, "their_rank": rank,
    }  # fmt: skip


VALIDITY: dict[str, list[dict[str, Any]]] = {
    "correlations.csv": [
        correlation("Dysca", "all", 3, 0.5),
        correlation("Dysca", "realistic", 3, -0.5),
        correlation(HOSTILE_NAME, "all", 2, None),
        correlation("Tasks", "all", 3, 0.4) | {
            "basis": "tasks", "subtasks": "animal;tv_show", "types": "multiple_choice",
        },
    ],
    "rankings.csv": [_ranking("model-a", 1.0), _ranking("hostile", 2.0)],
    "distances.csv": [
        {"a": "clean", "b": "photos", "mmd2": 0.0123, "null_low": -0.001, "null_high": 0.002,
         "p": 0.001, "bandwidth": 1.1, "n_a": 47, "n_b": 30},
        {"a": "clean", "b": "corruption", "mmd2": -0.0004, "null_low": -0.001, "null_high": 0.002,
         "p": 0.61, "bandwidth": 1.1, "n_a": 47, "n_b": 47},
    ],
    "image_sets.csv": [
        {"name": "clean", "label": "Clean", "own": True, "images": 47, "used": 47, "skipped": 0},
        {"name": "corruption", "label": "Corruption", "own": True, "images": 47, "used": 47,
         "skipped": 0},
        {"name": "photos", "label": HOSTILE_NAME, "own": False, "images": 31, "used": 30,
         "skipped": 1},
    ],
}  # fmt: skip

EXPORTS = [
    {"name": "huggingface", "title": "Hugging Face datasets", "load": "load_dataset('.')",
     "needs": [], "rows": {"clean": 1041}, "n_files": 4, "bytes": 12_345_678},
    {"name": "croissant", "title": "Croissant <1.0>", "load": "mlcroissant validate",
     "needs": ["huggingface"], "rows": {}, "n_files": 2, "bytes": 2048},
]  # fmt: skip


def write_beside(root: Path) -> None:
    """What the stages validity and exports would have left below ``root``."""
    for name, rows in VALIDITY.items():
        path = root / "results" / SUITE / "validity" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(name, pa.Table.from_pylist(rows, schema=COLUMNS[name])))
    index = root / "results" / SUITE / "exports" / "index.json"
    index.parent.mkdir(parents=True, exist_ok=True)
    index.write_text(json.dumps({"exports": EXPORTS}))


def python(root: Path, *arguments: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
    """Run Python in ``root``, with a hash seed and a time zone of its own."""
    env = os.environ | {
        "PYTHONHASHSEED": seed,
        "TZ": "Asia/Tokyo" if seed == "0" else "UTC",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)


def run(root: Path, *arguments: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
    """Run the script of the report on the snapshot in ``root``, as the pipeline does."""
    given = ["--config", "config.json", "--data", "data", "--results", "results"]
    return python(root, str(SCRIPTS / "report.py"), *given, *EXTRA, *arguments, seed=seed)


def make(root: Path, seed: str = "0") -> None:
    """Figures, what lies beside them, and report of the snapshot in ``root``."""
    write_beside(root)
    code = _DRAW.replace("PUBLISHED", repr(str(ROOT / "data" / "published")))
    done = python(root, "-c", code, seed=seed)
    assert done.returncode == 0, done.stderr
    done = run(root, "--out", "results/report.html", seed=seed)
    assert done.returncode == 0, done.stderr


def shared(factory: pytest.TempPathFactory, noisy: bool = False) -> Path:
    """The made-up snapshot with its report, in clean or in every scenario: made once for all
    tests, none of which changes it."""
    return _shared(factory.getbasetemp(), noisy)


@cache
def _shared(folder: Path, noisy: bool) -> Path:
    root = folder / ("shared-noisy" if noisy else "shared")
    build(root, noisy_params() if noisy else None)
    make(root)
    return root


def read(root: Path, p: Params | None = None) -> Snapshot:
    """The snapshot that :func:`build` wrote to ``root``."""
    return Snapshot(p or params(), root / "data" / SUITE, root / "results" / SUITE)


def beside(results: Path, labels: Path | None = None) -> Beside:
    """What lies in a folder of results beside the report."""
    published = ROOT / "data" / "published"
    folders = (results / "figures", results / "validity", results / "exports")
    return Beside(*folders, published, labels=labels)


def render(snapshot: Snapshot, results: Path) -> str:
    """The page of a snapshot with what lies in the results of another one, mostly."""
    return page.render(snapshot, beside(results))


def page_of(root: Path, figures: Path, p: Params | None = None) -> str:
    """The page of another snapshot with the figures of the first one."""
    return render(read(root, p), figures / "results" / SUITE)


class Outline(HTMLParser):
    """Tags, attributes and visible text of a page; complains about tags left open."""

    VOID = frozenset({"meta", "link", "img", "br", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.stack: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, k, v) for k, v in attrs]
        if tag not in self.VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, k, v) for k, v in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.stack[-1:] != ["script"]:
            self.words.append(data)


def words(html: str) -> str:
    """What a reader of a page or of a part of one reads, without the data of its script."""
    return re.sub(r"\s+", " ", "".join(Outline(html).words))


def section(html: str, name: str) -> str:
    """One section of a page."""
    start = html.index(f'<section id="{name}"')
    return html[start : html.index("</section>", start) + len("</section>")]


def head(html: str) -> dict[str, Any]:
    """The data of the sample browser in a page."""
    found = re.search(r'<script type="application/json" id="browser-data">(.*?)</script>', html)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data
