"""Hold files against the manifest of a version: each is read afresh, nothing is remembered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError
from lvlmbench.engine.hashing import files_below
from lvlmbench.tables import open_shard
from lvlmbench.versions.facts import hash_files, left_out, table_facts
from lvlmbench.versions.manifest import Manifest

#: Rows with pictures that are read at once.
_ROWS = 32


@dataclass(frozen=True)
class Fault:
    """A file that is not as the manifest says, or a table whose rows are not.

    Attributes
    ----------
    path
        In the project.
    what
        What is wrong, in words.
    kind
        ``pinned``: the bytes are those of the manifest, which contradicts itself; no other copy
        helps.
    """

    path: str
    what: str
    kind: Literal["missing", "damaged", "surplus", "pinned"]


#: What 'lvlmbench score' writes: no stage reads it, no version holds it.
_SUBMITTED = re.compile(r"results/[^/]+/submissions/")


def watched(files: Iterable[str]) -> list[str]:
    """Folders in which nothing but these files may lie: ``data/dysca``, ``results/dysca`` ...

    Some stages read such a folder whole.
    """
    return sorted({"/".join(f.split("/")[:2]) for f in files if f.count("/") > 1})


def check_files(folder: Path, manifest: Manifest) -> list[Fault]:
    """What is wrong with the files below ``folder``, sorted by path."""
    found: list[Fault] = []
    whole: list[str] = []
    for name, facts in manifest.files.items():
        path = folder / name
        if not path.is_file():
            what = "is no file" if path.exists() or path.is_symlink() else "is missing"
            found.append(Fault(name, what, "missing"))
            continue
        size = path.stat().st_size
        if size < facts.size:
            what = f"is truncated: {size:,} of {facts.size:,} bytes"
            found.append(Fault(name, what, "damaged"))
        elif size > facts.size:
            found.append(Fault(name, f"has {size - facts.size:,} bytes too many", "damaged"))
        else:
            whole.append(name)
    hashes = hash_files(folder / name for name in whole)
    for name in whole:
        if hashes[str(folder / name)].blake2b != manifest.files[name].blake2b:
            found.append(Fault(name, "is damaged: its size is right, its bytes are not", "damaged"))
    for top in watched(manifest.files):
        below = [f"{top}/{name}" for name in files_below(folder / top)]
        found += [
            Fault(name, "is surplus: the version has no such file", "surplus")
            for name in below
            if name not in manifest.files and not _SUBMITTED.match(name)
        ]
    wrong = {fault.path for fault in found}
    for name in manifest.tables:
        if not any(path.startswith(f"{name}/") for path in wrong):
            found += _check_table(folder, name, manifest)
    return sorted(found, key=lambda fault: fault.path)


def _check_table(folder: Path, name: str, manifest: Manifest) -> list[Fault]:
    """What is wrong with a table whose files have the bytes of the manifest: rows, pages."""
    sealed = manifest.tables[name]
    try:
        facts = table_facts(folder / name)
        for part in sorted((folder / name).glob("part-*.parquet")):
            with open_shard(part) as shard:
                unread = sorted(left_out(shard.schema_arrow.names))
                for _ in shard.iter_batches(batch_size=_ROWS, columns=unread):
                    pass
    except UserError as error:
        path = Path(error.where).relative_to(folder)
        return [Fault(str(path), f"was pinned so: {error.what}", "pinned")]
    if facts.rows != sealed.rows:
        what = f"holds {amount(facts.rows, 'row')}, the manifest says {sealed.rows:,}"
    elif facts.content != sealed.content:
        what = "holds other rows than the manifest says"
    else:
        return []
    return [Fault(name, what, "pinned")]
