"""A made-up snapshot to export, and its forms as the jobs write them."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Params, load_params, validate
from lvlmbench.stages.exports.export import Source
from lvlmbench.stages.exports.run import write
from support import report_snapshot, submissions_snapshot

#: One image a scene, one a question, several a scene.
SCENARIOS = ("clean", "print_attack", "corruption_curve")

#: Text that breaks a file whose writer does not quote: tabs, quotes, markup, right-to-left.
HOSTILE = 'A "fox"\tor,\r\n<script>|`x` \u202e\u05d0 {{% raw %}} ---\n\ud83e\udd8a'.encode(
    "utf-16", "surrogatepass"
).decode("utf-16")


def with_exports(params: Params, scenarios: Sequence[str] = SCENARIOS) -> Params:
    """The same parameters with other scenarios to export."""
    data: dict[str, Any] = params.model_dump(mode="json")
    data["exports"]["scenarios"] = list(scenarios)
    return validate(data)


def build(root: Path, shard: int = 3) -> Source:
    """A snapshot below ``root``, in shards of so many rows."""
    params = with_exports(submissions_snapshot.params())
    report_snapshot.build(root, params, shard=shard)
    return Source(load_params(root / "config.json"), root / "data" / params.suite)


def copy(source: Source, root: Path) -> Source:
    """The same snapshot elsewhere, to change."""
    shutil.copytree(source.data, root / "data")
    return Source(source.params, root / "data")


def spoil_text(source: Source) -> None:
    """Give every question and caption hostile text."""
    for folder, schema, column in (
        ("questions", tables.QUESTIONS, "question"),
        ("scenes", tables.SCENES, "caption"),
    ):
        for path in sorted((source.data / folder).iterdir()):
            rows = tables.read([path], schema).to_pylist()
            changed = [row | {column: f"{HOSTILE} {i}"} for i, row in enumerate(rows)]
            tables.write_rows(changed, path, schema, report_snapshot.SNAPSHOT)


def export(source: Source, folder: Path, *names: str) -> Path:
    """The forms, each in its folder below ``folder``."""
    for name in names:
        write(name, source, folder / name)
    return folder


def hashes(folder: Path) -> dict[str, str]:
    """SHA-256 of each file below a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
