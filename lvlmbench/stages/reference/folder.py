"""The folder that holds a reference model: which files, and where a job finds it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from lvlmbench.config.reference import REFERENCE_MODELS
from lvlmbench.config.sections import Params
from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import kinds_of

#: The reference models that this version has.
NAMES = REFERENCE_MODELS

#: Files of a reference model; open_clip loads the folder as ``local-dir:FOLDER``.
LABELS = "labels.json"
FILES = (
    "open_clip_config.json",
    "open_clip_model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
    LABELS,
    "calibration.json",
)

#: What mends a folder of which a file is missing or damaged.
RESTORE = "delete the folder and run again, or restore it with 'dvc checkout'"

WEIGHTS_HELP = "files of the reference models that are wanted"


def folders(files: Sequence[Path]) -> dict[str, Path]:
    """Name of a reference model -> its folder, from the files in it."""
    return {file.parent.name: file.parent for file in files}


def given(weights: Mapping[str, Path], name: str, where: str) -> Path:
    """Return the folder of a reference model, which holds all its files.

    Raises
    ------
    UserError
        The folder was not given, or a file of it is missing.
    """
    if name not in weights:
        raise UserError(
            where, f"the weights of {name} were not given", "add it to reference.models"
        )
    for file in FILES:
        if not (weights[name] / file).is_file():
            raise UserError(str(weights[name] / file), "is missing", RESTORE)
    return weights[name]


def weights_sha256(folder: Path) -> str:
    """Return the SHA-256 of all files of a reference model, as hexadecimal.

    Raises
    ------
    UserError
        A file is missing or cannot be read.
    """
    h = hashlib.sha256()
    for name in FILES:
        try:
            h.update((folder / name).read_bytes())
        except OSError as error:
            what = f"cannot be read ({error.strerror})"
            raise UserError(str(folder / name), what, RESTORE) from None
    return h.hexdigest()


def calibrated(folder: Path, key: str) -> float:
    """A number of a model's ``calibration.json``.

    Raises
    ------
    UserError
        The file is missing or damaged, or holds no such finite number.
    """
    path = folder / "calibration.json"
    try:
        value = json.loads(path.read_text(encoding="utf-8"))[key]
    except FileNotFoundError:
        raise UserError(str(path), "is missing", RESTORE) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(str(path), f"holds no {key}", RESTORE) from None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UserError(str(path), f"has {value!r} for {key}, which is no finite number", RESTORE)
    return float(value)


def check_trained(params: Params, engine: str, where: str) -> None:
    """Check that a reference model is there and wanted; another name is of no concern.

    Raises
    ------
    UserError
        There is none of this name, or ``reference.models`` lacks it.
    """
    if not engine.startswith("reference_"):
        return
    if engine not in NAMES:
        known = ", ".join(NAMES)
        raise UserError(where, f"there is no reference model '{engine}'", f"use one of: {known}")
    if engine not in params.reference.models:
        raise UserError(
            where, f"'{engine}' is not in reference.models", f"add {engine} to reference.models"
        )


def strange_pictures(params: Params) -> str | None:
    """Return why no reference model can judge: pictures that it has not learned to read."""
    for key in ("renderer", "fallback"):
        name = getattr(params.render, key)
        if name is not None and name not in drawn_for():
            return f"has seen nothing but pictographs, and render.{key} is {name}"
    return None


def drawn_for() -> set[str]:
    """Return the renderers whose pictures the reference models have learned to read."""
    return {kind.name for kind in kinds_of("renderers").ordered() if kind.simple}
