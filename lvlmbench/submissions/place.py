"""The folder ``results/SUITE/submissions`` of a snapshot: renewed as a whole, or left as it was."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lvlmbench.config import Params
from lvlmbench.config.section import NAME, NAME_IN_WORDS
from lvlmbench.core.errors import UserError
from lvlmbench.engine.builds import STATE, remove
from lvlmbench.engine.process import take_lock
from lvlmbench.engine.publish import link_tree

SUBMISSIONS = "submissions"
#: What a submitted model's folder holds beside its tables: to which questions it has answers.
RECORD = "submission.json"
#: Files that lie beside the folders of the models.
FILES = (
    "metrics.parquet", "metrics.json", "agreement.parquet", "comparisons.parquet",
    "costs.parquet", "hallucination.parquet", "dialogue.parquet", "report.html",
)  # fmt: skip


def check_name(name: str, params: Params, data: Path) -> None:
    """Make sure that a submitted model may be called so.

    Raises
    ------
    UserError
        A model of the snapshot has the name, or a file of the leaderboard.
    """
    where, fix = f"--model {name}", "give another name"
    if re.fullmatch(NAME, name) is None:
        raise UserError(where, NAME_IN_WORDS, fix)
    own = {m.name for m in params.answer.models}
    if name in own or any((data / table / name).exists() for table in ("answers", "scores")):
        raise UserError(where, "is the name of a model of the snapshot itself", fix)
    if name in FILES:
        raise UserError(where, "is the name of a file of the leaderboard", fix)


def submitted_models(folder: Path) -> list[str]:
    """Names of the submitted models below ``folder``, sorted."""
    return sorted(path.parent.name for path in folder.glob(f"*/{RECORD}"))


@contextmanager
def renewed(results: Path) -> Iterator[Path]:
    """A copy of the folder to change; it takes the old one's place when the block ends.

    Files are linked, not copied: replace them, never write into them. If the block fails, all is as
    before. A copy without any file leaves no folder.

    Raises
    ------
    UserError
        Another process is at it.
    """
    names = (SUBMISSIONS, f".{SUBMISSIONS}.new", f".{SUBMISSIONS}.old")
    target, new, old = (results / name for name in names)
    descriptor = take_lock(results.parents[1] / STATE / "submissions.lock")
    try:
        if old.exists() and not target.exists():  # killed between the two renames below
            old.rename(target)
        remove(new)
        remove(old)
        results.mkdir(parents=True, exist_ok=True)
        new.mkdir()
        link_tree(target, new)
        yield new
        if target.exists():
            target.rename(old)
        if any(new.iterdir()):
            new.rename(target)
        remove(old)
    finally:
        remove(new)
        os.close(descriptor)
