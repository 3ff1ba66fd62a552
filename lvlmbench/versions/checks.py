"""What must hold before a version is pinned, each in one line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from pathlib import Path

from lvlmbench.config import Project
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError, not_here
from lvlmbench.engine.hashing import files_below
from lvlmbench.engine.plan import Plan
from lvlmbench.engine.preflight.private import private_suites
from lvlmbench.engine.stages import Makers, lies_in
from lvlmbench.engine.under_way import given
from lvlmbench.snapshot.place import no_repository
from lvlmbench.versions import manifest
from lvlmbench.versions.programs import git, git_says

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_])?")

#: Tracked files that pinning commits itself, if they were changed.
COMMITTED = ("params.yaml", "dvc.lock", ".dvc/config", manifest.FOLDER.as_posix())


def check_name(name: str) -> None:
    """``name`` can be that of a tag and of a file.

    Raises
    ------
    UserError
        It cannot.
    """
    # Git itself calls commits HEAD, FETCH_HEAD, ORIG_HEAD, ...
    if not _NAME.fullmatch(name) or ".." in name or name.endswith((".lock", "HEAD")):
        raise UserError(
            f"'{name}'",
            "cannot be the name of a version",
            "use letters, digits, dots, dashes and underscores, as in: make snapshot NAME=v1",
        )


def check_project(project: Path) -> None:
    """The folder is a project of ours, in git, and the code that runs is its own.

    Raises
    ------
    UserError
        It is not.
    """
    for file in ("dvc.yaml", "params.yaml"):
        if not (project / file).is_file():
            raise not_here(file)
    if project.resolve() != PROJECT_ROOT:
        raise UserError(
            str(project.resolve()),
            f"is not the checkout whose lvlmbench runs here, {PROJECT_ROOT}",
            "use 'make snapshot', or activate the .venv of this folder",
        )
    if not git_says(project, "rev-parse", "--verify", "HEAD^{commit}"):
        what, fix = no_repository(project) or ("git has no commit here", "commit what is here")
        raise UserError(str(project.resolve()), what, fix)
    who = "run 'git config user.name NAME' and 'git config user.email ADDRESS'"
    git(project, "var", "GIT_COMMITTER_IDENT", fix=who)


def _some(names: Iterable[str], most: int = 3) -> str:
    """The first few names, and how many more."""
    found = list(names)
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return ", ".join(found[:most]) + more


def check_committed(project: Path) -> None:
    """All tracked files are as committed, but for those that pinning commits itself.

    A tag names a commit. What is changed and not in it, code above all, would not be in the
    version, and who checks it out would have other code than made the data.

    Raises
    ------
    UserError
        Some are not.
    """
    prefix = git(project, "rev-parse", "--show-prefix").strip()
    told = git(project, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=no", ".")
    paths = [entry[3:].removeprefix(prefix) for entry in told.split("\0") if entry]
    changed = sorted(p for p in paths if not any(lies_in(p, own) for own in COMMITTED))
    if changed:
        raise UserError(
            _some(changed),
            "differs from what git has, so the version would not hold it",
            "commit it, or undo it ('git restore'), and run again",
        )


def check_shared(params: Project) -> None:
    """No suite is of a user's own data, which a version would hand on.

    Raises
    ------
    UserError
        One is.
    """
    for name in private_suites(params):
        raise UserError(
            f"params.yaml: suites.{name}",
            "is of a user's own data, which no version holds",
            "write it into a file of its own, to be laid over params.yaml, and run again",
        )


def check_pipeline(plan: Plan, project: Path) -> None:
    """Nothing is to do.

    Raises
    ------
    UserError
        Some stages are not up to date.
    """
    stale = [name for name, status in plan.status.items() if not status.valid]
    if stale:
        why = next(status.why for status in plan.status.values() if status.why)
        fix = "run 'make report' ('snakemake' in an activated environment), then again"
        files, _ = given(project) or ([], {})
        if files[1:]:
            names = " ".join(shlex.quote(str(file)) for file in files[1:])
            fix = (
                "a version is what params.yaml says, and the last run was given more: 'lvlmbench "
                f"config write {names}' writes that into it; {fix}"
            )
        raise UserError(_some(stale), f"not up to date ({why[0]})", fix)


def _listed(project: Path, *arguments: str) -> set[str]:
    """Paths that ``git ls-files`` lists."""
    return set(filter(None, git(project, "ls-files", "-z", *arguments).split("\0")))


def check_given(project: Path, plan: Plan) -> list[str]:
    """What stages read and no stage makes is in git, code and vocabulary first.

    Returns
    -------
    list
        A line about each dep with files that git is told to ignore, such as large image sets:
        a version can be pinned without them, but not all of it is up to date elsewhere.

    Raises
    ------
    UserError
        A file is not in git, and git does not ignore it; or it lies outside.
    """
    readers: dict[str, list[str]] = {}
    makers = Makers(plan.stages)
    for stage in plan.stages.values():
        for dep in makers.sources(stage):
            readers.setdefault(dep, []).append(stage.name)
    notes = []
    kept = [file.removesuffix(".dvc") for file in _listed(project, "--", "*.dvc")]  # by 'dvc add'
    for dep in sorted(readers):
        if Path(dep).is_absolute() or ".." in Path(dep).parts:
            raise UserError(
                dep,
                f"lies outside the project, and {_some(readers[dep])} reads it",
                "move it into the project and name it in params.yaml by its path there",
            )
        tracked = _listed(project, "--", dep)
        found = [dep if n == "." else f"{dep}/{n}" for n in files_below(project / dep)]
        missing = [
            file
            for file in found
            if file not in tracked
            and "__pycache__" not in file
            and not any(lies_in(file, path) for path in kept)
        ]
        plain = sorted(_listed(project, "--others", "--exclude-standard", "--", dep) & {*missing})
        if plain:
            raise UserError(
                _some(plain),
                f"is not in git, and {_some(readers[dep])} reads it",
                "'git add' and commit it, or remove it and run 'make report'",
            )
        if missing:
            notes.append(
                f"{_some(missing)}: neither git nor DVC keeps it; where the version is pulled "
                f"without it, {_some(readers[dep])} and what follows is not up to date"
            )
    return notes


def tag_there(project: Path, name: str) -> bool:
    """Whether a tag has this name.

    Raises
    ------
    UserError
        A branch has it, so that git would not know which of the two is meant.
    """
    if git_says(project, "show-ref", "--verify", "--quiet", f"refs/heads/{name}"):
        raise UserError(f"'{name}'", "is the name of a branch", "take another name")
    return git_says(project, "show-ref", "--verify", "--quiet", f"refs/tags/{name}")
