"""Keeping what Snakemake has measured of a stage's jobs once their build folder may go."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from lvlmbench.dag.builds import STATE, remove
from lvlmbench.report.timings import MEASURED, OUTS, jobs_of
from lvlmbench.tables import atomic_bytes


def keep_measured(build: Path, stage: str, outs: Mapping[str, str | None]) -> None:
    """Have the measurements of a published stage beside the state, with the hashes of its files.

    A job that took published files was not measured at making them; what was measured then stays,
    if it is about the same files.
    """
    folder = Path(STATE, MEASURED, stage)
    made, taken = jobs_of(build)
    note = json.dumps(outs, sort_keys=True).encode()
    about = folder / OUTS
    same = about.is_file() and about.read_bytes() == note
    for old in folder.glob("*.tsv"):
        if not (same and old.name in taken):
            remove(old)
    folder.mkdir(parents=True, exist_ok=True)
    for path in made:
        shutil.copyfile(path, folder / path.name)
    atomic_bytes(about, note)
