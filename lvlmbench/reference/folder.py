"""The folder that holds a reference model: which files, and where a job finds it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

#: The reference models that this version has.
NAMES = ("reference_a", "reference_b")

#: Files of a reference model; open_clip loads the folder as ``local-dir:FOLDER``.
FILES = (
    "open_clip_config.json",
    "open_clip_model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
    "calibration.json",
)

WEIGHTS_HELP = "files of the reference models that are wanted"


def folders(files: Sequence[Path]) -> dict[str, Path]:
    """Name of a reference model -> its folder, from the files in it."""
    return {file.parent.name: file.parent for file in files}
