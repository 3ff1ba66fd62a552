"""A seal: which parameters, code and input bytes made which output bytes of a stage.

A seal holds no time, host or path of a machine, so that equal work gives equal seals. It lies
beside the data and travels with it: ``dvc pull``, ``dvc checkout`` and the run cache bring the
seal that belongs to the bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict, cast

from lvlmbench.core.files import atomic_bytes
from lvlmbench.engine.builds import BUILDS
from lvlmbench.engine.hashing import digest

#: What is said of outs that were changed or removed.
DAMAGED = "is not as sealed"


class Seal(TypedDict):
    """Parameters by key; hashes of source, input and output paths. None: nothing is there."""

    params: dict[str, Any]
    code: dict[str, str]
    inputs: dict[str, str | None]
    outs: dict[str, str | None]


def read_seal(path: Path) -> Seal | None:
    """The seal at ``path``; None where there is none that can be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    parts = Seal.__required_keys__
    if not isinstance(found, dict) or not all(isinstance(found.get(p), dict) for p in parts):
        return None
    return cast(Seal, found)


def write_seal(path: Path, seal: Seal) -> None:
    """Write a seal atomically, in one form for equal seals."""
    atomic_bytes(path, (json.dumps(seal, sort_keys=True, indent=1) + "\n").encode())


def build_of(stage: str, seal: Seal, inputs: Mapping[str, str | None] | None = None) -> Path:
    """The folder that a stage is built in; its name says what the stage is made from.

    Parameters
    ----------
    inputs
        In place of the hashes of inputs that are not there yet, the folders that they are built
        in; None: those of the seal.
    """
    intent = {"stage": stage, "params": seal["params"], "code": seal["code"],
              "inputs": seal["inputs"] if inputs is None else inputs}  # fmt: skip
    return Path(BUILDS, digest(intent, size=8))


def differences(old: Seal | None, new: Seal) -> list[str]:
    """What no longer is as it was sealed, in words for the user; empty where all is."""
    if old is None:
        made = any(out is not None for out in new["outs"].values())
        return ["to be made again" if made else "not made yet"]
    found = []
    for part in ("params", "code", "inputs", "outs"):
        before, now = cast(Mapping[str, Mapping[str, Any]], old)[part], new[part]
        for name in sorted({*before, *now}):
            if part == "inputs" and (name in before) != (name in now):
                found.append(f"{name} {'is new' if name in now else 'is read no longer'}")
            elif before.get(name, before) != now.get(name, now):
                found.append(f"{name} {DAMAGED if part == 'outs' else 'changed'}")
    return found
