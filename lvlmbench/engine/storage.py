"""Runs whose jobs share no disk with the machine that starts them: files pass through a storage.

Snakemake's default storage, such as an S3 bucket, then holds the build folders. What a job reads is
fetched below ``.snakemake/storage/...``, and what it makes is taken from there. Here that folder is
a link to the working folder, on every machine: so what is fetched lies where it lies at home, and
jobs, links between build folders and publishing need to know of no storage.

A job's machine has the code and the parameters, but nothing that was published, so it cannot see
which stages are up to date. What it needs to know of that is handed to it in an environment
variable. From it, and from its own code and parameters, it finds the same names of build folders:
were its code another, it would find others, and none of the files that it is asked for.
"""

from __future__ import annotations

import base64
import json
import os
import shlex
import subprocess
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.engine.builds import BUILDS, STATE, remove
from lvlmbench.engine.hashing import files_below

#: Environment variable with what jobs on other machines are told.
HANDED = "LVLMBENCH_HANDED"

#: Bytes that one environment variable may have (Linux), and room for its name.
_LONGEST = (128 << 10) - 64

#: Snakemake leaves larger files out of what it sends.
_LARGEST = 10_000_000

#: What a user may call to get a prefix right.
_PREFIX = "--default-storage-prefix"


class Storage:
    """The default storage of a run.

    Parameters
    ----------
    prefix
        What stands before the path of each file in the storage, e.g. ``"s3://BUCKET/FOLDER"``.
    object_at
        Snakemake's object of a path in the storage.
    away
        Whether this is a job's machine, not the one that started the run.
    local
        Snakemake's mark of a path that is not in the storage.
    """

    def __init__(
        self,
        prefix: str,
        object_at: Callable[[str], Any],
        *,
        away: bool,
        local: Callable[[str], str],
    ) -> None:
        self.prefix, self.away, self.local = prefix, away, local
        self._object_at = object_at
        #: Folder below which Snakemake keeps copies, relative to the working folder.
        self.folder = str(Path(object_at(f"{prefix}/x").local_path()).parent)

    @classmethod
    def of(cls, workflow: Any, local: Callable[[str], str]) -> Storage | None:
        """The storage that a Snakemake workflow was started with; None without one.

        Raises
        ------
        UserError
            It was not said where in the storage.
        """
        provider = workflow.storage_registry.default_storage_provider
        if provider is None:
            return None
        prefix = (workflow.storage_settings.default_storage_prefix or "").rstrip("/")
        valid = provider.is_valid_query(f"{prefix}/x")
        if not prefix or not valid:
            name = workflow.storage_settings.default_storage_provider
            raise UserError(
                _PREFIX,
                f"'{prefix}' names no place in the storage '{name}'" if prefix else "is not given",
                f"for S3: {_PREFIX} s3://BUCKET/FOLDER",
            )
        return cls(prefix, provider.object, away=not workflow.is_main_process, local=local)

    @property
    def told(self) -> str:
        """Where to look for what failed jobs have said."""
        return f"what jobs said lies in {self.prefix}/{BUILDS}/*/log/; see docs/clusters.md"

    def link(self) -> None:
        """Have the folder of copies be the working folder."""
        link = Path(self.folder)
        above = [p for p in link.parents if p.is_symlink()]  # of a run with a shorter prefix
        for left in above:
            left.unlink()
        target = os.path.relpath(Path.cwd(), Path.cwd() / link.parent)
        if link.is_symlink() and os.readlink(link) == target:  # noqa: PTH115
            return
        remove(link)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)

    def check(self) -> None:
        """The storage can be reached.

        Raises
        ------
        UserError
            It cannot: no such bucket, no or wrong credentials, no server.
        """
        where = f"{_PREFIX} {self.prefix}"
        item = self._object_at(f"{self.prefix}/x")
        try:
            found = item.exists() or not hasattr(item, "bucket_exists") or item.bucket_exists()
        except Exception as error:
            fix = "see docs/clusters.md on buckets and credentials"
            raise UserError(where, f"cannot be reached: {error}", fix) from None
        if not found:
            raise UserError(where, "there is no such bucket, or it is not yours", "create it first")

    def keep(self) -> None:
        """Leave a file in the storage: the S3 plugin removes a bucket whose last file it removes.

        That file would be the code that it sends to jobs, were the first of them to fail.
        """
        path = Path(STATE, "kept")
        atomic_bytes(path, b"Here so that the bucket is never empty; see docs/clusters.md.\n")
        item = self._object_at(f"{self.prefix}/{path}")
        item.set_local_path(path)
        item.store_object()


def check_sources(root: Path, sources: Iterable[str]) -> None:
    """All that stages are made from reaches other machines, as Snakemake sends what git knows.

    Parameters
    ----------
    root
        The project.
    sources
        Files and folders that stages declare.

    Raises
    ------
    UserError
        The working folder is another, or a file is unknown to git, or too large.
    """
    if Path.cwd().resolve() != root.resolve():
        fix = "start it there, without --directory"
        raise UserError(str(root), "is where a run with a storage must be started", fix)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=False)
    if listed.returncode:
        said = listed.stderr.decode(errors="replace")
        raise UserError(str(root), f"git does not list its files: {said}", "use a clone")
    known = {os.fsdecode(name) for name in listed.stdout.split(b"\0")}
    for source in sources:
        for name in files_below(root / source):
            path = source if name == "." else f"{source}/{name}"
            if "__pycache__" in path:
                continue
            if path not in known:
                fix = f"git add -f {shlex.quote(path)}, or take it away"
                raise UserError(path, "is unknown to git, so jobs elsewhere would lack it", fix)
            if (root / path).stat().st_size > _LARGEST:
                fix = "make it smaller, or run without a storage"
                raise UserError(path, "is larger than the 10 MB that Snakemake sends", fix)


def hand(facts: Mapping[str, Any]) -> None:
    """Leave ``facts`` in the environment, from which Snakemake hands them to jobs.

    Raises
    ------
    UserError
        There are too many.
    """
    text = base64.b85encode(zlib.compress(json.dumps(facts, sort_keys=True).encode(), 9)).decode()
    if len(text) > _LONGEST:
        fix = "run the stages that come first without a storage"
        raise UserError(HANDED, f"would have {len(text)} bytes, too many to hand on", fix)
    os.environ[HANDED] = text


def handed() -> dict[str, Any]:
    """What :func:`hand` left where the run was started.

    Raises
    ------
    UserError
        Nothing.
    """
    try:
        found = json.loads(zlib.decompress(base64.b85decode(os.environ[HANDED])))
    except (KeyError, ValueError, zlib.error):
        fix = "let the executor hand on the environment variables that the workflow declares"
        raise UserError(HANDED, "is not set on this machine", fix) from None
    return dict(found)
