"""Read the files of a snapshot, wherever they are: in a folder, or at a revision of git.

At a revision, files come from DVC's cache, or else from its remote; nothing is checked out.
"""

from __future__ import annotations

import atexit
import json
import os
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from lvlmbench.config import several
from lvlmbench.core.errors import UserError, first_line, meant_or
from lvlmbench.core.yaml_file import check_yaml
from lvlmbench.tables import DATA, RESULTS, Table

_PULL = "run 'dvc pull' there, or add the remote that has it (dvc remote add)"


def commit_of(name: str, project: Path) -> str | None:
    """The commit that a tag, a branch or another name of git stands for; None where it is none.

    Raises
    ------
    UserError
        There is no git.
    """
    if not name or "\0" in name:
        return None
    command = ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"]
    try:
        found = subprocess.run(command, cwd=project, capture_output=True, text=True)
    except FileNotFoundError as error:
        if error.filename != "git":
            raise
        raise UserError("git", "is not installed", "install it") from None
    return found.stdout.strip() if found.returncode == 0 else None


def no_repository(project: Path) -> tuple[str, str] | None:
    """What keeps git from working in the project, and what to do; None where nothing does."""
    command, words = ["git", "rev-parse", "--git-dir"], os.environ | {"LC_ALL": "C"}
    asked = subprocess.run(command, cwd=project, capture_output=True, text=True, env=words)
    if "dubious ownership" in asked.stderr:
        fix = (
            f"run 'git config --global --add safe.directory {shlex.quote(str(project.resolve()))}'"
        )
        return "git refuses this folder, which another user owns", fix
    if asked.returncode:
        fix = "work in a clone ('git clone'), or 'git init' and commit it"
        return "git finds no repository in this folder", fix
    return None


def _one_line(error: Exception) -> str:
    """What is wrong, of an error of DVC or of the library that speaks to a remote, and why."""
    cause = f": {_one_line(error.__cause__)}" if isinstance(error.__cause__, Exception) else ""
    return first_line(error) + cause


class Place:
    """Files of one snapshot, by their paths in the project, and the tables among them.

    Attributes
    ----------
    name
        As the user named it: a folder, or a tag, branch or commit.
    commit
        What the name stands for in the project's own git; None for a folder or another repository.
    folder
        The folder, absolute; None for a revision.
    suite
        Name of the suite to look at; None where it is alone.
    """

    def __init__(
        self, name: str, files: Any, commit: str | None = None, folder: Path | None = None
    ) -> None:
        self.name, self.commit, self.folder, self._files = name, commit, folder, files
        self.suite: str | None = None

    @classmethod
    def open(cls, name: str, project: Path, suite: str | None = None) -> Place:
        """The folder ``name`` if it holds params.yaml, else that revision of the project.

        ``REPOSITORY@REVISION`` names a revision of another repository, by its URL or path. Of its
        suites ``suite`` is looked at.

        Raises
        ------
        UserError
            Neither is there.
        """
        found = cls._find(name, project)
        found.suite = suite
        return found

    @classmethod
    def _find(cls, name: str, project: Path) -> Place:
        from fsspec.implementations.dirfs import DirFileSystem
        from fsspec.implementations.local import LocalFileSystem

        if "\0" not in name and name and (Path(name) / "params.yaml").is_file():
            folder = Path(name).resolve()
            files = DirFileSystem(str(folder), LocalFileSystem())
            return cls(name, files, folder=folder)
        if commit := commit_of(name, project):
            return cls._at(name, str(project), commit, commit)
        url, _, revision = name.rpartition("@")
        if revision and ("/" in url or ":" in url):
            return cls._at(name, url, revision, None)
        what, fix = no_repository(project) or (
            "no revision of git here",
            "see 'git tag'; tags of others come with 'git fetch --tags'",
        )
        raise UserError(f"'{name}'", f"is no folder that holds params.yaml, and {what}", fix)

    @classmethod
    def _at(cls, name: str, url: str, revision: str, commit: str | None) -> Place:
        """A revision of a repository."""
        from dvc.api import DVCFileSystem
        from dvc.exceptions import DvcException
        from dvc.scm import SCMError

        try:
            if commit is None:
                from dvc.repo.open_repo import clean_repos

                atexit.register(clean_repos)
            files = DVCFileSystem(url=url, rev=revision)
            found = cls(name, files, commit)
            if not files.repo or not found.exists("params.yaml"):
                raise UserError(f"'{name}'", "holds no params.yaml", "name a revision that does")
        except (DvcException, SCMError) as error:
            raise UserError(
                f"'{name}'",
                f"cannot be looked at ({_one_line(error)})",
                "name a folder, a revision, or REPOSITORY@REVISION of a repository with DVC",
            ) from None
        return found

    @contextmanager
    def _asking(self, path: str) -> Iterator[None]:
        """Turn what DVC and the libraries of its remotes raise into one line.

        Each remote's library has errors of its own, so the block must hold no code of ours.
        """
        where = f"{self.name}: {path}"
        try:
            yield
        except FileNotFoundError:
            raise UserError(where, "is missing", _PULL) from None
        except Exception as error:  # whatever it is, the remote's or DVC's, it is not our defect
            if type(error).__name__ == "DataIndexDirError":
                raise UserError(where, "is missing, here and at the remote", _PULL) from None
            raise UserError(where, f"cannot be read ({_one_line(error)})", _PULL) from None

    def exists(self, path: str) -> bool:
        """Whether a file or folder is there, or is known to be at the remote."""
        with self._asking(path):
            return bool(self._files.exists(path))

    def files(self, folder: str) -> list[str]:
        """Paths of all files below a folder, sorted; none where nothing is.

        Raises
        ------
        UserError
            The folder is DVC's, and what it holds is known neither here nor at the remote.
        """
        with self._asking(folder):
            if not self._files.exists(folder):
                return []
            found = self._files.find(folder, detail=True)
        return sorted(path for path, info in found.items() if _is_there(info))

    def open_file(self, path: str) -> IO[bytes]:
        """A file to read from.

        Raises
        ------
        UserError
            It is not there, neither here nor at the remote.
        """
        with self._asking(path):
            return cast(IO[bytes], self._files.open(path, "rb"))

    def read(self, path: str) -> bytes:
        """The bytes of a file; see :meth:`open_file`."""
        with self.open_file(path) as f, self._asking(path):
            return f.read()

    @cached_property
    def params(self) -> dict[str, Any]:
        """What params.yaml says, which another version may not accept.

        Raises
        ------
        UserError
            It is no YAML.
        """
        found = self.yaml("params.yaml")
        return found if isinstance(found, dict) else {}

    def yaml(self, path: str) -> Any:
        """What a YAML file says, in the types of JSON: a date, say, is text.

        Raises
        ------
        UserError
            It is no YAML, or would take too much to read.
        """
        data, where = self.read(path), f"{self.name}: {path}"
        check_yaml(data, where)
        try:
            return json.loads(json.dumps(yaml.safe_load(data), default=str))
        except (yaml.YAMLError, ValueError, TypeError) as error:
            raise UserError(where, f"is no YAML ({_one_line(error)})", "mend it") from None

    @property
    def own(self) -> dict[str, Any]:
        """Settings of the suite that is looked at, with its name; none where there are no suites.

        Raises
        ------
        UserError
            There are several and none was named, or none of that name.
        """
        listed = self.params.get("suites")
        listed = listed if isinstance(listed, dict) else {}
        suites = {name: own for name, own in listed.items() if own is not None}
        if not suites:
            return {}
        if self.suite is None and len(suites) > 1:
            raise several(self.name, suites)
        name = self.suite or next(iter(suites))
        if name not in suites:
            raise UserError(self.name, f"has no suite '{name}'", meant_or(name, suites))
        return {**suites[name], "name": name}

    def where(self, table: Table, **names: str) -> str:
        """Return the path of a table's folder or file; without names, of all its folders.

        Raises
        ------
        UserError
            See :attr:`own`.
        """
        root, own = RESULTS if table.root == RESULTS else DATA, self.own
        return (
            f"{root}/{own['name']}/{table.path(**names)}"
            if own
            else f"{root}/{table.path(**names)}"
        )

    def batches(
        self,
        table: Table,
        columns: list[str],
        rows: int = 4096,
        newer: Sequence[str] = (),
        **names: str,
    ) -> Iterator[pa.Table]:
        """The rows of a table, shard by shard.

        They are not held against the table's declaration: another version may have written them.

        Parameters
        ----------
        columns
            Which ones to read; pictures are large.
        newer
            More columns, which are left out where a shard lacks them.
        names
            Which of the table's folders; all without any.

        Raises
        ------
        UserError
            A shard is damaged, or lacks a column.
        """
        for path in self.files(self.where(table, **names)):
            if not path.endswith(".parquet"):
                continue
            where = f"{self.name}: {path}"
            try:
                with (
                    self.open_file(path) as f,
                    pq.ParquetFile(f, page_checksum_verification=True) as shard,
                ):
                    names = shard.schema_arrow.names
                    if lacking := [c for c in columns if c.split(".")[0] not in names]:
                        raise UserError(
                            where, f"has no column '{lacking[0]}'", "use a version that has it"
                        )
                    there = [*columns, *(c for c in newer if c in names)]
                    for batch in shard.iter_batches(batch_size=rows, columns=there):
                        yield pa.Table.from_batches([batch])
            except (OSError, pa.ArrowException) as error:
                raise UserError(
                    where,
                    f"cannot be read as Parquet ({_one_line(error)})",
                    "'lvlmbench verify' says how to restore it",
                ) from None


def _is_there(info: dict[str, Any]) -> bool:
    """Whether an entry is a file, and not an out that DVC has no record of at this revision."""
    if info.get("type") != "file":
        return False
    of_dvc = info.get("dvc_info")
    return of_dvc is None or "fs_info" in info or "md5" in info
