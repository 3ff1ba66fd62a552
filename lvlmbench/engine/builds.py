"""Build folders: what is in them beside the files of their stage, and whether those are sound."""

from __future__ import annotations

import glob
import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.core.files import UNFINISHED, atomic_bytes
from lvlmbench.engine.hashing import Hashes, digest, files_below, source_digests

STATE = ".lvlmbench"
BUILDS = f"{STATE}/build"
HASHES = f"{STATE}/hashes.json"
PLAN = "plan.json"
#: Folders of a build with what is published.
TOPS = ("data", "results")
#: Folder of a build that links to the stage's inputs, for jobs that read whole folders.
ABOVE = "above"
#: Folder of a build in which a job leaves what it goes on from after a kill; never published.
CHECKPOINTS = "training"
#: Below it lies what is published, by the hash of the out, for jobs that cannot see it elsewhere.
OFFERED = f"{STATE}/offered"
#: Folder of a build with one note a job: what it made, and the hashes.
MADE = "made"
#: What :func:`read_plan` returns has these keys at least.
_PLANNED = {"stage", "root", "seal", "reuse", "above", "publish", "keep", "sweep"}


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        try:
            shutil.rmtree(path)
        except OSError as error:  # older Pythons tell the last part of the path alone
            if (name := str(error.filename)) == Path(name).name:
                error.filename = str(next(path.rglob(glob.escape(name)), path))
            raise
    else:
        path.unlink(missing_ok=True)


def read_plan(build: Path) -> dict[str, Any]:
    """What :meth:`Plan.write` left in a build folder.

    Raises
    ------
    UserError
        It is gone or damaged.
    """
    try:
        plan = json.loads((build / PLAN).read_text())
    except (OSError, ValueError):
        plan = None
    if not isinstance(plan, dict) or not set(plan) >= _PLANNED:
        raise UserError(str(build), "was removed or damaged while it was in use", "run again")
    return plan


def check_code(plan: dict[str, Any]) -> None:
    """Make sure that the code is still what the build folder's name says.

    Raises
    ------
    UserError
        It was edited meanwhile.
    """
    sealed = plan["seal"]["code"]
    now = source_digests(Path(plan["root"]), sealed, Hashes(Path(HASHES)))
    for name in sorted(sealed):
        if now[name] != sealed[name]:
            raise UserError(name, f"was edited while stage '{plan['stage']}' ran", "run again")


def discard(build: Path, paths: Iterable[Path]) -> None:
    """Remove files or folders of a build, and the marks, any of which may stand for one."""
    for path in (*paths, *build.glob("*.done")):
        remove(path)


#: Name of a file that was still being written.
_UNFINISHED = re.compile(rf"\..+\.[0-9a-f]{{32}}{re.escape(UNFINISHED)}")


def is_unfinished(path: Path) -> bool:
    """Whether it is a file that :func:`lvlmbench.core.files.atomic_bytes` left when it was
    killed.
    """
    return _UNFINISHED.fullmatch(path.name) is not None


def drop_unfinished(paths: Iterable[Path]) -> None:
    """Remove what :func:`lvlmbench.core.files.atomic_bytes` and the like left when they were
    killed.

    Such a file beside an output would be published with it.

    Parameters
    ----------
    paths
        Outputs, files or folders, of the one job that writes them.
    """
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            left = [*path.rglob(f".*{UNFINISHED}")]
        else:
            left = [*path.parent.glob(f".{glob.escape(path.name)}.*{UNFINISHED}")]
        for file in left:
            remove(file)


def note_made(build: Path, made: Iterable[Path], hashes: Hashes) -> None:
    """Note the hashes of what a job made."""
    note = {str(path.relative_to(build)): hashes.tree(path) for path in made}
    atomic_bytes(build / MADE / f"{digest(sorted(note), size=8)}.json", json.dumps(note).encode())


def _read_note(note: Path) -> dict[str, str] | None:
    """What a job has noted; None where the note is damaged."""
    try:
        made = json.loads(note.read_bytes())
    except ValueError:
        return None
    return made if isinstance(made, dict) else None


def drop_spoilt(build: Path, hashes: Hashes) -> list[Path]:
    """Remove what is not as its job left it, with all that the job made; returns the paths.

    A published file is a hard link of the built one: whoever writes into it in place changes both.
    Nothing may ask for just the file that goes, so its job would not run again if others stayed.
    Where a note is damaged, all goes that no other note speaks for.
    """
    notes = {note: _read_note(note) for note in sorted((build / MADE).glob("*.json"))}
    made: dict[Path, str] = {}
    spoilt: list[Path] = []
    for note in filter(None, notes.values()):
        of_job = {build / name: value for name, value in note.items()}
        wrong = [path for path, value in of_job.items() if hashes.tree(path) != value]
        if wrong:
            together = dict.fromkeys([*wrong, *of_job])
            spoilt += [path for path in together if path.exists()]
        made |= of_job
    if damaged := [note for note, value in notes.items() if value is None]:
        files = [build / top / name for top in TOPS for name in files_below(build / top)]
        unknown = [file for file in files if not {file, *file.parents} & set(made)]
        spoilt += [*unknown, *damaged]
    if spoilt:
        discard(build, spoilt)
    return spoilt


def drop_copies(valid: Iterable[str]) -> None:
    """Remove builds of up-to-date stages whose published files are no links of the built ones.

    DVC links what it is told to keep to its cache instead; the build is then a second copy.
    """
    stages = set(valid)
    for build in sorted(Path(BUILDS).glob("*")):
        try:
            plan = read_plan(build)
        except UserError:
            continue
        outs = plan["seal"]["outs"] if plan["stage"] in stages else ()
        files = [Path(out, name) for out in outs for name in files_below(build / out)]
        if any(file.is_file() and not file.samefile(build / file) for file in files):
            remove(build)
