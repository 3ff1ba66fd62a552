"""Writing one form whole, with its manifest; and the index of all that were written."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.stages.exports.export import EXPORTS, MANIFEST, Source
from lvlmbench.stages.exports.facts import facts
from lvlmbench.stages.exports.rights import write_rights


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def _file(folder: Path, path: Path) -> dict[str, Any]:
    with path.open("rb") as f:
        sha256 = hashlib.file_digest(f, "sha256").hexdigest()
    name = path.relative_to(folder).as_posix()
    return {"path": name, "bytes": path.stat().st_size, "sha256": sha256}


def write(name: str, source: Source, folder: Path) -> None:
    """Write the form ``name`` into ``folder``, whose earlier content goes.

    Licence and credits are put beside what the form itself writes. The manifest comes last: a
    folder without one is not whole. Of a private suite nothing is written but an empty manifest.

    Raises
    ------
    UserError
        There is no such form, a table is missing, or the snapshot cannot be told in this form.
    """
    kind = EXPORTS.get(name, "exports.formats")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rows: dict[str, int] = {}
    if source.params.private:
        suite = source.params.suite
        print(f"{name}: nothing is written of the suite {suite}, a user's own data", flush=True)
    else:
        rows |= kind(source, folder)
        write_rights(source.params, facts(source), folder)
    paths = sorted(p for p in folder.rglob("*") if p.is_file())
    manifest = {
        "name": name,
        "title": kind.title,
        "load": kind.load,
        "needs": list(kind.needs),
        "rows": rows,
        "files": [_file(folder, path) for path in paths],
    }
    atomic_bytes(folder / MANIFEST, _json(manifest))


def read_manifest(path: Path) -> dict[str, Any]:
    """What :func:`write` left.

    Raises
    ------
    UserError
        It is missing or damaged.
    """
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        fix = "run 'snakemake exports'"
        raise UserError(str(path), "is missing or damaged", fix) from None
    return found


def write_index(manifests: Iterable[Path], out: Path) -> None:
    """List the forms that were written, with sizes, but not file by file."""
    listed = []
    for path in manifests:
        found = read_manifest(path)
        sizes = [f["bytes"] for f in found.pop("files")]
        if sizes:  # none of a private suite
            listed.append(found | {"n_files": len(sizes), "bytes": sum(sizes)})
    atomic_bytes(out, _json({"exports": listed}))
