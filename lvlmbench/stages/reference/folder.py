"""The folder that holds a reference model: which files, and where a job finds it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

from lvlmbench.core.errors import UserError

#: The reference models that this version has.
NAMES = ("reference_a", "reference_b")

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
