"""A sheet as one HTML file: it needs no network, runs no foreign script, and saves JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2

from lvlmbench import tables
from lvlmbench.analysis.thumbnails import image_bytes
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.seeding import digest
from lvlmbench.core.untrusted import plain_text, script_hash
from lvlmbench.labelling.given import FORMAT
from lvlmbench.labelling.sheet import LABELS, Item, SheetKind
from lvlmbench.snapshot.reader import Snapshot


def _asset(name: str) -> str:
    return files("lvlmbench.labelling").joinpath("templates", name).read_text(encoding="utf-8")


def _shown(item: Item) -> dict[str, Any]:
    """What the page holds of an item: never its group, nor which label is held right."""
    shown: dict[str, Any] = {
        "id": item.item_id,
        "image": item.image_id,
        "asks": item.asks,
        "lines": [plain_text(line) for line in item.lines],
    }
    if item.says:
        shown["says"] = [[label, plain_text(words)] for label, words in item.says]
    return shown


def _data(snapshot: Snapshot, sheet: SheetKind, items: Sequence[Item]) -> str:
    """What the page shows, as JSON that no element of HTML can end."""
    folder = snapshot.folder(tables.IMAGES, scenario=CLEAN)
    pictures = {
        image_id: "data:image/png;base64," + base64.b64encode(data).decode("ascii")
        for image_id, data in image_bytes(folder, {item.image_id for item in items})
    }
    data = {
        "format": FORMAT,
        "sheet": sheet.name,
        "suite": snapshot.params.suite,
        "says": [[label, sheet.says[label]] for label in LABELS],
        "key": digest(*(item.item_id for item in items)).hex(),
        "pictures": pictures,
        "items": [_shown(item) for item in items],
    }
    return json.dumps(data).replace("<", "\\u003c")


def write_page(snapshot: Snapshot, sheet: SheetKind, items: Sequence[Item], out: Path) -> None:
    """Write a sheet. It shows images in their own pixels and never what the benchmark holds.

    Raises
    ------
    UserError
        There is such a file, or there is nothing to label.
    """
    if out.exists():
        raise UserError(f"--out {out}", "is there already", "remove it, or give another name")
    if not items:
        raise UserError(
            f"suite '{snapshot.params.suite}'", f"has nothing for the sheet {sheet.name}",
            "run 'make report' first, or name another suite",
        )  # fmt: skip
    script = _asset("label.js").strip()
    env = jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset), autoescape=True, undefined=jinja2.StrictUndefined
    )
    page = env.get_template("label.html.j2").render(
        words=sheet.words,
        suite=snapshot.params.suite,
        n=len(items),
        css=_asset("label.css"),
        script=script,
        script_hash=script_hash(script),
        data=_data(snapshot, sheet, items),
    )
    atomic_bytes(out, page.encode())
