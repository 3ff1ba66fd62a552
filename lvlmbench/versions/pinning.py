"""Pinning what lies here as a version: data, code and parameters under one git tag.

The order is what keeps a tag from naming data that nobody can pull: DVC records the data, the
remote gets it and is asked whether it has all of it, and only then git gets a commit and a tag.
Each step may be done already: after a kill the same command again finishes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lvlmbench import tables
from lvlmbench.config import Project
from lvlmbench.config.layers import load_layers
from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError
from lvlmbench.engine.hashing import source_digests
from lvlmbench.engine.plan import Plan
from lvlmbench.engine.process import RUN_LOCK, take_lock
from lvlmbench.engine.publish import STRAYS, sweep
from lvlmbench.engine.stages import pipeline
from lvlmbench.snapshot.identity import project_id
from lvlmbench.versions import checks
from lvlmbench.versions.environment import environment
from lvlmbench.versions.exactness import exactness_of_all
from lvlmbench.versions.facts import (
    artifacts,
    check_sealed,
    file_facts,
    hash_files,
    table_facts,
    table_folders,
)
from lvlmbench.versions.manifest import (
    FORMAT,
    LOCKS,
    Manifest,
    SnapshotFacts,
    StageFacts,
    manifest_path,
    write_manifest,
)
from lvlmbench.versions.programs import dvc, find_programs, git, git_says
from lvlmbench.versions.recording import record
from lvlmbench.versions.remotes import Remote, checked_settings, choose_remote, push


@dataclass(frozen=True)
class Pinned:
    """What was pinned.

    Attributes
    ----------
    commit
        Short id of the commit that the tag names.
    already
        The tag was there before.
    remote
        Where the data was pushed; None where it was not.
    """

    commit: str
    already: bool
    remote: Remote | None


def compute_manifest(project: Path, name: str, params: Project, plan: Plan) -> Manifest:
    """The manifest of what lies in the current directory, all of whose stages are up to date.

    Every byte is read. The same state gives the same manifest, whenever and wherever it is pinned
    with the same packages and hardware.

    Raises
    ------
    UserError
        A file is not what its stage's seal says, or a table is damaged.
    """
    exact = exactness_of_all(plan.stages, params)
    outs = [out for stage in plan.stages.values() for out in (*stage.outs, stage.seal)]
    files = hash_files(artifacts(outs))
    stages = {}
    for stage in plan.stages.values():
        seal = plan.status[stage.name].seal
        check_sealed(seal["outs"], files)
        promise, why = exact[stage.name]
        stages[stage.name] = StageFacts(
            exact=promise, why=why, code=seal["code"], inputs=seal["inputs"], outs=seal["outs"]
        )
    vocabulary = params.vocabulary.folder
    return Manifest(
        format=FORMAT,
        name=name,
        snapshot=SnapshotFacts(
            name=params.snapshot.name,
            seed=params.snapshot.seed,
            id=project_id(params, Path(tables.DATA)),
        ),
        params=params.model_dump(mode="json"),
        vocabulary=source_digests(project, [vocabulary])[vocabulary],
        locks=_locks(project),
        environment=environment(),
        stages=stages,
        files=files,
        tables={folder: table_facts(Path(folder)) for folder in table_folders(files)},
    )


def _locks(project: Path) -> dict[str, str]:
    return {
        name: file_facts(project / name).blake2b for name in LOCKS if (project / name).is_file()
    }


def _record(project: Path, plan: Plan, say: Callable[[str], None]) -> None:
    """Move aside what no stage makes any more; have dvc.lock name the data."""
    outs = [out for stage in plan.stages.values() for out in (*stage.outs, stage.seal)]
    for path in sweep(plan.folders, outs):
        say(f"moved to {STRAYS}, as no stage makes it any more: {path}")
    record(project, say)
    say("recorded: dvc.lock names the data")


def _check_unchanged(project: Path) -> None:
    changed = dvc(project, "status", "--json", fix="mend that and run again")
    if changed.strip() not in ("", "{}"):
        raise UserError("DVC", "finds the data changed", "run 'dvc status' to see what, and again")


def _write(found: Manifest, say: Callable[[str], None]) -> None:
    """Write the manifest, and say what it holds."""
    path = manifest_path(found.name)
    write_manifest(path, found)
    size = sum(file.size for file in found.files.values()) / 1e6
    held = (
        f"{amount(len(found.files), 'file')}, {size:,.1f} MB, {amount(len(found.tables), 'table')}"
    )
    say(f"manifest: {path}: {held}")


def pin(
    name: str,
    remote: str | None = None,
    *,
    pushing: bool = True,
    message: str | None = None,
    say: Callable[[str], None] = print,
) -> Pinned:
    """Pin what lies in the current directory as the version ``name``.

    Parameters
    ----------
    remote
        Name of the remote of DVC to push to; None: the default one.
    pushing
        Whether to push; else the data stays in this machine's DVC cache until the command is given
        again without it.
    message
        Of the tag and the commit.
    say
        Gets a line about each step.

    Raises
    ------
    UserError
        Something is not as it must be, or a program failed. No tag was made.
    """
    project = Path()
    message = (message or "").strip()  # git takes no empty one, and says so after the push
    checks.check_name(name)
    find_programs()
    checks.check_project(project)
    take_lock(RUN_LOCK)
    checks.check_committed(project)
    checks.check_shared(params := load_layers([project / "params.yaml"]))
    plan = Plan(project.resolve(), pipeline(params, project.resolve()))
    checks.check_pipeline(plan, project)
    notes = checks.check_given(project, plan)
    checked_settings(project)  # git is about to keep them, also where nothing is pushed
    to = choose_remote(project, remote) if pushing else None
    already = checks.tag_there(project, name)
    say(f"checked: {len(plan.stages)} stages up to date, nothing to commit but what is pinned")
    for note in notes:
        say(f"note: {note}")

    if already:
        _check_same(project, name)
    else:
        _record(project, plan, say)
    _check_unchanged(project)

    if not already:
        _write(found := compute_manifest(project, name, params, plan), say)
    if to is not None:
        push(project, to)
        say(f"pushed: the remote '{to.name}' has all of it")
    if not already:
        _commit_and_tag(project, name, params, found, message)
    commit = git(project, "rev-parse", "--short", f"refs/tags/{name}^{{commit}}").strip()
    return Pinned(commit, already, to)


def _check_same(project: Path, name: str) -> None:
    """The tag names what lies here.

    Raises
    ------
    UserError
        It names something else.
    """
    if not git_says(project, "cat-file", "-e", f"refs/tags/{name}:./{manifest_path(name)}"):
        raise UserError(
            f"'{name}'", "is a tag of git, but of no version", "take another name, or remove it"
        )
    files = ("params.yaml", *LOCKS)
    if not git_says(project, "diff", "--quiet", f"refs/tags/{name}", "--", *files):
        raise UserError(
            f"'{name}'",
            "is the tag of another version already",
            "take another name; a version that others may have pulled does not change",
        )


def _commit_and_tag(
    project: Path, name: str, params: Project, found: Manifest, message: str
) -> None:
    """Have git keep what was pinned, under the tag; what was changed meanwhile ends it.

    Raises
    ------
    UserError
        A file is not the one any more that the manifest was made with, or git failed.
    """
    message = message or f"Pin version {name} of the snapshot '{params.snapshot.name}'"
    checks.check_committed(project)
    now = load_layers([project / "params.yaml"])
    if _locks(project) != found.locks or now != params:
        raise UserError(
            "params.yaml or dvc.lock", "was changed while the version was pinned", "run again"
        )
    again = "mend that, then run the same command again"
    paths = [
        p for p in (*checks.COMMITTED[:-1], str(manifest_path(name))) if (project / p).exists()
    ]
    git(project, "add", "--", *paths, fix=again)
    if not git_says(project, "diff", "--quiet", "HEAD", "--", *paths):
        git(project, "commit", "--quiet", "--message", message, "--", *paths, fix=again)
    git(project, "tag", "--annotate", "--message", message, name, fix=again)
