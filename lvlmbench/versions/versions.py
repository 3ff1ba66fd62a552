"""Find a pinned version, and lay it out beside the user's own files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.engine.builds import STATE, remove
from lvlmbench.engine.process import take_lock
from lvlmbench.snapshot.place import commit_of, no_repository
from lvlmbench.versions.manifest import (
    FOLDER,
    Manifest,
    manifest_path,
    parse_manifest,
    read_manifest,
)
from lvlmbench.versions.programs import dvc, git, git_says

#: Folder below which versions are laid out and made again; nothing in it outlives its command.
ASIDE = Path(STATE, "verify")


@dataclass(frozen=True)
class Version:
    """A pinned version.

    Attributes
    ----------
    name
        Of its tag and its manifest.
    commit
        Of its tag; None where git has no such tag, and the manifest that lies here is all there is.
    """

    name: str
    manifest: Manifest
    commit: str | None


def names(project: Path) -> list[str]:
    """Names of the versions whose manifests lie in the project."""
    return sorted(path.stem for path in (project / FOLDER).glob("*.json"))


def find_version(name: str, project: Path) -> Version:
    """The version that is called so: by its tag, or else by the manifest that lies here.

    Raises
    ------
    UserError
        There is none, or its manifest cannot be read.
    """
    path = manifest_path(name)
    plain = path.parent == FOLDER
    commit = commit_of(f"refs/tags/{name}", project) if plain else None
    if commit is None:
        if plain and (project / path).is_file():
            return _version(name, read_manifest(project / path), None)
        known = ", ".join(names(project))
        fix = f"the versions here are: {known}" if known else "pin one with 'lvlmbench snapshot'"
        what, fix = no_repository(project) or (
            "git has no such tag",
            f"{fix}; or 'git fetch --tags'",
        )
        raise UserError(f"'{name}'", f"is no version: {what}", fix)
    try:
        data = git(project, "show", f"{commit}:./{path}").encode("utf-8", "surrogateescape")
    except UserError:
        raise UserError(
            f"'{name}'", f"is a tag without {path}", "pin versions with 'lvlmbench snapshot'"
        ) from None
    return _version(name, parse_manifest(data, f"{name}: {path}"), commit)


def _version(name: str, manifest: Manifest, commit: str | None) -> Version:
    if manifest.name != name:
        raise UserError(
            str(manifest_path(name)), f"is the manifest of '{manifest.name}'", "restore it with git"
        )
    return Version(name, manifest, commit)


@contextmanager
def aside(project: Path) -> Iterator[Path]:
    """A folder for the length of the block, absolute, below the state of the project.

    What a killed command has left there goes first. It is on the same file system as the data, so
    that hard links do.

    Raises
    ------
    UserError
        Another process is at work there.
    """
    folder = (project / ASIDE).resolve()
    lock = take_lock(project / STATE / "verify.lock")
    try:
        _clear(project, folder)
        folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            _clear(project, folder)
    finally:
        os.close(lock)


def _clear(project: Path, folder: Path) -> None:
    """Remove the folder, and have git forget the work trees in it."""
    remove(folder)
    git_says(project, "worktree", "prune")


def lay_out(version: Version, project: Path, folder: Path) -> Path:
    """The code of a version as it was pinned, in a work tree below ``folder``.

    It shares DVC's cache and settings with the project, so ``dvc checkout`` there costs no space.

    Raises
    ------
    UserError
        The version has no tag.
    """
    if version.commit is None:
        raise UserError(
            f"'{version.name}'", "has no tag here that says its code", "run 'git fetch --tags'"
        )
    top = folder / "version"
    # Whatever the user has git do on a checkout is not for a copy that goes.
    quiet = ("-c", f"core.hooksPath={os.devnull}", "worktree", "add", "--quiet", "--force")
    git(project, *quiet, "--detach", str(top), version.commit)
    tree = top / git(project, "rev-parse", "--show-prefix").strip()
    local = project / ".dvc" / "config.local"
    if local.is_file():
        shutil.copyfile(local, tree / ".dvc" / "config.local")
    _share_storage(project, tree)
    return tree


def _share_storage(project: Path, tree: Path) -> None:
    """Have DVC in ``tree`` use the project's cache and remotes, whose paths may be relative.

    DVC reads any letters, but writes a configuration in ASCII alone.
    """
    from configobj import ConfigObj, ConfigObjError
    from dvc.config import Config, ConfigError

    file = tree / ".dvc" / "config.local"
    try:
        remotes = Config(str(project.resolve() / ".dvc"))["remote"]
        settings = ConfigObj(str(file), encoding="utf-8")
        settings.setdefault("cache", {})["dir"] = str(cache_folder(project))
        settings.merge({f'remote "{name}"': remote for name, remote in remotes.items()})
    except (ConfigError, ConfigObjError) as error:
        raise UserError("DVC", str(error), "mend .dvc/config") from None
    settings.write()


def cache_folder(project: Path) -> Path:
    """Folder of DVC's cache.

    Raises
    ------
    UserError
        The project has no DVC.
    """
    found = dvc(project, "cache", "dir", fix="work in a clone of the project").strip()
    return (project / found).resolve()


def check_out(tree: Path, say: Callable[[str], None]) -> None:
    """Bring a version's files into its work tree, from the cache, and else from the remote.

    What neither has is missing there afterwards; ``say`` gets why, if DVC says so.
    """
    fix = "see 'dvc doctor'"
    try:
        dvc(tree, "checkout", "--quiet", fix=fix)
    except UserError:
        try:
            dvc(tree, "pull", "--quiet", fix=fix, show=True)
        except UserError as error:
            say(str(error))
