"""Words of ours beside the vocabulary's: what else things are called, what drawings show too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml

from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary.file import File

#: Files of words that hold for any vocabulary.
FOLDER = Path(__file__).resolve().parents[3] / "data" / "lexicon"
#: What else a label is called; what the drawing of a label shows beside it.
CALLED, PARTS = FOLDER / "called.yaml", FOLDER / "parts.yaml"

#: List -> label -> words.
Lexicon = Mapping[str, Mapping[str, tuple[str, ...]]]


@cache
def read(path: Path) -> Lexicon:
    """Read a lexicon: words by label, by list.

    Raises
    ------
    UserError
        With file and line of the first mistake.
    """
    file = File(path)
    if file.node is None:
        raise UserError(str(path), "is empty", "write LIST: {LABEL: [words]}")
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, labels in file.mapping(file.node).items():
        rows: dict[str, tuple[str, ...]] = {}
        for label, node in file.mapping(labels).items():
            if not isinstance(node, yaml.SequenceNode):
                file.fail(node, f"'{label}' has no list of words", "write [one, another]")
            rows[label] = tuple(str(each.value).lower() for each in node.value)
        found[name] = rows
    return found
