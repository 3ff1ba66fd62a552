"""Look at the files of a snapshot, wherever they are: in a folder, or at a revision of git.

At a revision, files come from DVC's cache, or else from its remote; nothing is checked out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from lvlmbench.errors import UserError
from lvlmbench.snapshots.manifest import Manifest, manifest_path, parse_manifest


class View:
    """Files of one snapshot, by their paths in the project.

    Attributes
    ----------
    name
        As the user named it: a folder, or a tag, branch or commit.
    """

    def __init__(self, name: str, files: Any) -> None:
        self.name, self._files = name, files

    @classmethod
    def open(cls, name: str, project: Path) -> View:
        """The folder ``name`` if there is one that holds params.yaml, else the revision ``name``.

        Raises
        ------
        UserError
            Neither is there.
        """
        from fsspec.implementations.dirfs import DirFileSystem
        from fsspec.implementations.local import LocalFileSystem

        folder = Path(name)
        if (folder / "params.yaml").is_file():
            return cls(name, DirFileSystem(str(folder.resolve()), LocalFileSystem()))
        from dvc.api import DVCFileSystem
        from dvc.exceptions import DvcException
        from dvc.scm import RevError

        try:
            files = DVCFileSystem(url=str(project), rev=name)
            files.exists("params.yaml")
        except (DvcException, RevError):
            raise UserError(
                name, "is no folder of a snapshot and no revision of git", "see 'git tag'"
            ) from None
        return cls(name, files)

    def exists(self, path: str) -> bool:
        """Whether a file or folder is there."""
        return bool(self._files.exists(path))

    def files(self, folder: str) -> list[str]:
        """Paths of all files below a folder, sorted; none where nothing is."""
        return sorted(self._files.find(folder)) if self.exists(folder) else []

    def open_file(self, path: str) -> IO[bytes]:
        """A file to read from.

        Raises
        ------
        UserError
            It is not there, neither here nor at the remote.
        """
        try:
            return cast(IO[bytes], self._files.open(path, "rb"))
        except FileNotFoundError:
            raise UserError(
                f"{self.name}: {path}", "is missing", "run the pipeline there, or 'dvc pull' it"
            ) from None

    def read(self, path: str) -> bytes:
        """The bytes of a file; see :meth:`open_file`."""
        with self.open_file(path) as f:
            return f.read()

    @cached_property
    def params(self) -> dict[str, Any]:
        """What params.yaml says."""
        found = yaml.safe_load(self.read("params.yaml"))
        return found if isinstance(found, dict) else {}

    @cached_property
    def manifest(self) -> Manifest | None:
        """The manifest of the version that has this name; None where none was pinned."""
        path = str(manifest_path(self.name))
        return parse_manifest(self.read(path), path) if self.exists(path) else None

    def batches(self, folder: str, columns: list[str], rows: int = 4096) -> Iterator[pa.Table]:
        """The rows of a table, shard by shard.

        Parameters
        ----------
        folder
            Of the table, such as ``data/corpus/scenes``.
        columns
            Which ones to read; pictures are large.

        Raises
        ------
        UserError
            A shard is damaged, or lacks a column.
        """
        for path in self.files(folder):
            if not path.endswith(".parquet"):
                continue
            try:
                with (
                    self.open_file(path) as f,
                    pq.ParquetFile(f, page_checksum_verification=True) as shard,
                ):
                    for batch in shard.iter_batches(batch_size=rows, columns=columns):
                        yield pa.Table.from_batches([batch])
            except (OSError, pa.ArrowException) as error:
                reason = (str(error).splitlines() or [type(error).__name__])[0]
                raise UserError(
                    f"{self.name}: {path}",
                    f"cannot be read as Parquet ({reason})",
                    "restore it with 'dvc checkout' or 'dvc pull'",
                ) from None
