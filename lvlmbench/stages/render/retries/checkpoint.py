"""Finished attempts on disk, so that a killed shard goes on where it was.

An attempt is two files: its image as PNG, and its record as JSON, which holds the hashes of the
image and of itself. Whatever moment the process is killed at, both are there whole, or the hashes
say that they are not and the attempt is made again. So nothing has to wait for the disk.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import UNFINISHED, atomic_bytes
from lvlmbench.stages.render.layout import Instance
from lvlmbench.stages.render.renderer import Attempt, Making, Renderer, Scene
from lvlmbench.stages.render.retries.records import Record, Rejection

IDENTITY = "identity.json"
#: Files that are ours to remove, an unfinished one among them.
_OURS = re.compile(
    r"[0-9a-f]{32}-\d+\.(png|json)"
    rf"|{re.escape(IDENTITY)}|\.{re.escape(IDENTITY)}\.[0-9a-f]{{32}}{re.escape(UNFINISHED)}"
)


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True).encode()


def encode(record: Record) -> bytes:
    """A record as JSON with a hash of its own."""
    fields = dataclasses.asdict(record)
    hashed = hashlib.sha256(_canonical(fields)).hexdigest()
    return _canonical({"record": fields, "record_sha256": hashed})


def decode(data: bytes) -> Record | None:
    """The record that :func:`encode` wrote; None where the bytes are damaged."""
    try:
        found = json.loads(data)
        fields = found["record"]
        if hashlib.sha256(_canonical(fields)).hexdigest() != found["record_sha256"]:
            return None
        making, rejection = fields.pop("making"), fields.pop("rejection")
        layout = fields.pop("layout")
        return Record(
            **fields,
            making=making and Making(**making),
            rejection=rejection and Rejection(**rejection),
            layout=None if layout is None else tuple(map(Instance.read, layout)),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _put(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        error.filename = str(path)  # a full disk names no file by itself
        raise


class Checkpoint:
    """The folder of one shard; made when the first attempt is looked for.

    Parameters
    ----------
    identity
        All that decides the attempts. What the folder holds of another identity is removed, as
        soon as it is used.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self.folder = folder
        self._identity = _canonical(identity)
        self._open = False

    def _file(self, scene: Scene, number: int, suffix: str) -> Path:
        name = seeding.item_id(scene["scene_id"], CLEAN)
        return self.folder / f"{name}-{number}{suffix}"

    def _ensure_open(self) -> None:
        if self._open:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise UserError(
                f"--checkpoints: {self.folder}", "is not a folder", "give the path of one"
            ) from None
        identity = self.folder / IDENTITY
        if not identity.is_file() or identity.read_bytes() != self._identity:
            self._empty()
            atomic_bytes(identity, self._identity)
        self._open = True

    def _empty(self) -> None:
        # The identity goes first: without it, whatever is left is removed by the next run.
        ours = [file for file in self.folder.iterdir() if _OURS.fullmatch(file.name)]
        for file in sorted(ours, key=lambda file: file.name != IDENTITY):
            file.unlink(missing_ok=True)

    def keep(self, scene: Scene, record: Record, png: bytes) -> None:
        """Store an attempt; another thread may store another one meanwhile."""
        self._ensure_open()
        _put(self._file(scene, record.number, ".png"), png)
        _put(self._file(scene, record.number, ".json"), encode(record))

    def find(self, attempt: Attempt, renderer: Renderer) -> Record | None:
        """The record of an attempt that this renderer has made; None where it must be made."""
        self._ensure_open()
        try:
            data = self._file(attempt.scene, attempt.number, ".json").read_bytes()
            png = self._file(attempt.scene, attempt.number, ".png").read_bytes()
        except FileNotFoundError:
            return None
        record = decode(data)
        if record is None or hashlib.sha256(png).hexdigest() != record.sha256:
            return None
        made = (record.number, record.seed, record.prompt, record.renderer, record.version)
        told = (attempt.number, attempt.seed, attempt.prompt)
        wanted = (*told, renderer.name, renderer.version)
        return record if made == wanted else None

    def png(self, scene: Scene, record: Record) -> bytes:
        """The image of an attempt that is there.

        Raises
        ------
        UserError
            The file was removed or changed since it was written.
        """
        file = self._file(scene, record.number, ".png")
        data = file.read_bytes() if file.is_file() else b""
        if hashlib.sha256(data).hexdigest() != record.sha256:
            raise UserError(str(file), "was removed or changed while it was in use", "run again")
        return data

    def remove(self) -> None:
        """Remove all attempts, and the folder where nothing else lies in it."""
        if not self.folder.is_dir():
            return
        self._empty()
        with suppress(OSError):
            self.folder.rmdir()
