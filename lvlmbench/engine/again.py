"""Publishing for DVC what a run has built ahead of it, without the start of another run.

DVC removes what a stage makes, asks for it, and looks at what has come. Where a run ahead
(:mod:`ahead`) has made it from just what is there now, it is only put back: parameters, code,
inputs and the built files are held against the seal, byte for byte, as a run would.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lvlmbench.core.cache import locked
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.engine.builds import HASHES, STATE, drop_spoilt, read_plan
from lvlmbench.engine.hashing import Hashes, digest, source_digests
from lvlmbench.engine.packages import packages
from lvlmbench.engine.process import RUN_LOCK, alone
from lvlmbench.engine.publish import LOCK, publish_stage
from lvlmbench.engine.seals import Seal, build_of
from lvlmbench.engine.stages import lies_in

_NOTE = Path(STATE, "ahead.json")
#: What says which items there are, what they read and what decides them. The rest of what an item
#: is made from stands in its seal.
_DECIDES = (
    *("params.yaml", "profiles/default/config.yaml", "Snakefile", "rules", "scripts", "lvlmbench"),
)


def noted() -> dict[str, Any]:
    """What the last stages that DVC asked for have left; nothing where that is damaged."""
    try:
        note = json.loads(_NOTE.read_bytes())
    except (OSError, ValueError):
        return {}
    return note if isinstance(note, dict) else {}


def note_down(note: Mapping[str, Any]) -> None:
    """Leave something for the stages that DVC asks for next."""
    atomic_bytes(_NOTE, json.dumps(note).encode())


def decided_by(root: Path) -> str:
    """Hash of what says which items there are; what other packages add is named anew each time."""
    return digest([source_digests(root, _DECIDES), sorted(packages())], size=8)


def _is_whole(root: Path, name: str, seal: Seal, hashes: Hashes) -> bool:
    """Whether what was built is as sealed, from just what is there now."""
    build = build_of(name, seal)
    try:
        if read_plan(build)["stage"] != name or source_digests(root, seal["code"]) != seal["code"]:
            return False
    except UserError:  # removed meanwhile
        return False
    inputs = {out: hashes.tree(Path(out)) for out in seal["inputs"]}
    if inputs != seal["inputs"] or drop_spoilt(build, hashes):
        return False
    return all(hashes.tree(build / out) == made for out, made in seal["outs"].items())


def publish_again(root: Path, asked: str) -> bool:
    """Publish the items that DVC asks for; says whether they were there.

    Raises
    ------
    UserError
        Another run is at work in this folder.
    """
    note = noted()
    names = [name for name in note.get("items", ()) if lies_in(name, asked)]
    seals: dict[str, Seal] = {name: note["sealed"].get(name) for name in names}
    if not names or None in seals.values() or packages():
        return False
    if note["decided_by"] != decided_by(root):
        return False
    with alone(RUN_LOCK), locked(Path(LOCK)):
        hashes = Hashes(Path(HASHES))
        whole = all(_is_whole(root, name, seal, hashes) for name, seal in seals.items())
        for name, seal in seals.items() if whole else ():
            build = build_of(name, seal)
            publish_stage(build, read_plan(build), seal, hashes)
        hashes.save()
    return whole
