"""Moving built stages into place, whole, with their seals.

The last stage goes first. A run that is killed in between leaves the earlier stages as they were,
so the next run finds every build folder under the name it had and only publishes again.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lvlmbench.core.cache import locked
from lvlmbench.core.errors import UserError
from lvlmbench.engine.builds import (
    ABOVE,
    BUILDS,
    CHECKPOINTS,
    HASHES,
    STATE,
    check_code,
    drop_spoilt,
    drop_unfinished,
    is_unfinished,
    read_plan,
    remove,
)
from lvlmbench.engine.clocks import bring_back
from lvlmbench.engine.hashing import Hashes, files_below
from lvlmbench.engine.measured import keep_measured
from lvlmbench.engine.seals import Seal, build_of, write_seal
from lvlmbench.engine.stages import SEALS, lies_in

STRAYS = f"{STATE}/strays"
LOCK = f"{STATE}/publish.lock"
#: How the names of folders end that are being put in place.
_PLACING = (".publish-new", ".publish-old")


def link(source: Path, target: Path) -> None:
    """Hard link of a file, or a copy where the file system has none: whole, or not there."""
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno not in (errno.EXDEV, errno.EPERM, errno.EMLINK, errno.ENOTSUP):
            raise
        new = target.with_name(f".{target.name}{_PLACING[0]}")
        shutil.copy2(source, new)
        new.replace(target)


def link_tree(source: Path, target: Path) -> None:
    """:func:`link` of a file or of all files of a folder; ``target`` does not exist yet."""
    for name in files_below(source):
        file = target / name
        file.parent.mkdir(parents=True, exist_ok=True)
        link(source / name, file)


def place(source: Path, target: Path, hashes: Hashes) -> None:
    """Have ``target`` hold exactly what ``source`` holds; what was there before goes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    new, old = (target.with_name(f".{target.name}{ending}") for ending in _PLACING)
    for left in (new, old):  # of a publishing that was killed
        remove(left)
    if hashes.tree(target) == hashes.tree(source):
        return
    link_tree(source, new)
    if target.is_dir() and not target.is_symlink():
        target.rename(old)
    new.replace(target)
    remove(old)


def give_way(paths: Iterable[str]) -> None:
    """Have published files not keep Snakemake from what puts others in their place.

    DVC makes what it keeps read-only, and Snakemake refuses to replace such a file. It is copied,
    since the same file is in DVC's cache, which is to stay as it is. And what bears a time stamp of
    the future is newer than any input.

    Raises
    ------
    OSError
        Nothing can be put in the place of one: its folder, or the disk, cannot be written.
    """
    for path in map(Path, paths):
        if not path.is_file() or path.is_symlink():
            continue
        if not os.access(path, os.W_OK):
            new = path.with_name(f".{path.name}{_PLACING[0]}")
            shutil.copyfile(path, new)
            os.utime(new, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
            new.replace(path)
        bring_back(path)


def drop_leftovers(targets: Iterable[str]) -> None:
    """Remove what a publishing that was killed has left beside outs and seals.

    Publishing them again would do the same, but other parameters may have other outs by then.
    """
    with locked(Path(LOCK)):
        for target in map(Path, targets):
            for ending in _PLACING:
                remove(target.with_name(f".{target.name}{ending}"))
            if not target.is_dir():  # folders are put in place whole
                drop_unfinished([target])


def _sealed(build: Path, plan: dict[str, Any], hashes: Hashes) -> Seal:
    """The seal of a built stage."""
    seal: Seal = plan["seal"]
    seal["inputs"] = {out: hashes.tree(Path(b, out)) for out, b in plan["above"].items()}
    seal["outs"] = {out: hashes.tree(build / out) for out in seal["outs"]}
    missing = [out for out, value in seal["outs"].items() if value is None]
    if missing:
        raise UserError(str(build / missing[0]), "was not made", "run again")
    return seal


def publish_stage(build: Path, plan: dict[str, Any], seal: Seal, hashes: Hashes) -> None:
    """Put the files of a stage into place, then its seal."""
    target = Path(SEALS, f"{plan['stage']}.json")
    target.unlink(missing_ok=True)
    for out in seal["outs"]:
        place(build / out, Path(out), hashes)
    for name in files_below(build):
        beside = not any(lies_in(name, out) for out in seal["outs"])
        unfinished = is_unfinished(Path(name))  # by a job that was killed, of no declared output
        if beside and not unfinished and name.startswith(("data/", "results/")):
            place(build / name, Path(name), hashes)
    write_seal(target, seal)
    keep_measured(build, plan["stage"], seal["outs"])


def _second_name(build: Path, plan: dict[str, Any], seal: Seal) -> Path:
    """Have the files of a build also under the name it has once its inputs are published.

    So DVC, which looks at a stage when the ones before it are published, finds Snakemake's work.
    Links of the files, not of the folder: a job that is run again in one leaves the other alone.
    The folder is there whole or not at all, and before the seal is: where Snakemake was killed
    while a stage was published, it has the stage published again though its seal holds.
    """
    other = build_of(plan["stage"], seal)
    if other.resolve() != build.resolve():
        new = other.with_name(f".{other.name}{_PLACING[0]}")
        remove(new)
        for name in files_below(build):
            if not lies_in(name, ABOVE) and not lies_in(name, CHECKPOINTS):
                link_tree(build / name, new / name)
        remove(other)
        new.rename(other)
    return other


def _collect(published: dict[str, set[Path]]) -> None:
    """Remove the build folders of these stages other than the published ones."""
    keep = set().union(*published.values())
    for build in Path(BUILDS).iterdir():
        try:
            stage = read_plan(build)["stage"]
        except UserError:  # nothing that a run would take
            remove(build)
            continue
        if build not in keep and stage in published:
            remove(build)


def sweep(folders: Iterable[str], keep: Iterable[str]) -> list[str]:
    """Move away what lies in a folder that a stage reads whole and no stage makes any more.

    Parameters
    ----------
    folders
        Those folders.
    keep
        The outs of all stages.

    Returns
    -------
    list
        The files that were moved, by where they lay.
    """
    kept, moved = list(keep), []
    for folder in folders:
        for name in files_below(Path(folder)):
            path = Path(folder, name)
            if not any(lies_in(str(path), out) for out in kept):
                aside = Path(STRAYS, path)
                aside.parent.mkdir(parents=True, exist_ok=True)
                path.replace(aside)
                moved.append(str(path))
                for parent in path.parents:
                    if any(parent.iterdir()):
                        break
                    parent.rmdir()
    return moved


def publish(build: Path) -> list[str]:
    """Publish the stage built in ``build`` and the ones it was built from; returns their names.

    Raises
    ------
    UserError
        The code or a built file was changed since the build began.
    """
    with locked(Path(LOCK)):
        builds = [Path(b) for b in read_plan(build)["publish"]]
        plans = {b: read_plan(b) for b in builds}
        hashes = Hashes(Path(HASHES))
        for b, plan in plans.items():
            check_code(plan)
            if spoilt := drop_spoilt(b, hashes):
                raise UserError(str(spoilt[0]), "was changed after it was made", "run again")
        seals = {b: _sealed(b, plan, hashes) for b, plan in plans.items()}
        keep = {plans[b]["stage"]: {b, _second_name(b, plans[b], seals[b])} for b in builds}
        for b in reversed(builds):
            publish_stage(b, plans[b], seals[b], hashes)
        _collect(keep)
        plan = read_plan(build)
        sweep(plan["sweep"], plan["keep"])
        hashes.save()
        return [str(plan["stage"]) for plan in plans.values()]
