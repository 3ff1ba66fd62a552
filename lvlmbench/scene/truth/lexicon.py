"""Words of ours beside the vocabulary's: what else things are called, what drawings show too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.scene.vocabulary.file import File

#: Files of words that hold for any vocabulary.
FOLDER = Path(__file__).resolve().parents[3] / "data" / "lexicon"
#: What else a label is called; what the drawing of a label shows beside it.
CALLED, PARTS = FOLDER / "names.yaml", FOLDER / "parts.yaml"

#: Label in a lexicon of what holds of all labels of a list.
ANY = "any"

#: List -> label -> words.
Lexicon = Mapping[str, Mapping[str, tuple[str, ...]]]


class Given(NamedTuple):
    """Names of one label, in lower case.

    Attributes
    ----------
    same
        Other names that its picture may be given.
    broader
        Names that say less.
    near
        Names of similar things, which are wrong.
    """

    same: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
    near: tuple[str, ...] = ()

    @property
    def wrong(self) -> tuple[str, ...]:
        """Names that do not say what it is: those of its group are no names of it."""
        return (*self.broader, *self.near)


@cache
def read(path: Path) -> Lexicon:
    """Read a lexicon: words by label, by list; of names, those that are the same.

    Raises
    ------
    UserError
        With file and line of the first mistake.
    """
    return {
        name: {label: given.same for label, given in labels.items() if label != ANY or given.same}
        for name, labels in read_names(path).items()
    }


@cache
def read_names(path: Path = CALLED) -> Mapping[str, Mapping[str, Given]]:
    """Read names: label -> names, by list. A list of words is short for ``{same: words}``.

    Raises
    ------
    UserError
        With file and line of the first mistake.
    """
    file = File(path)
    if file.node is None:
        raise UserError(str(path), "is empty", "write LIST: {LABEL: [words]}")
    return {
        name: {label: _given(file, label, node) for label, node in file.mapping(labels).items()}
        for name, labels in file.mapping(file.node).items()
    }


def _given(file: File, label: str, node: yaml.Node) -> Given:
    if isinstance(node, yaml.SequenceNode):
        return Given(_words(file, label, node))
    if not isinstance(node, yaml.MappingNode):
        file.fail(node, f"'{label}' has no list of words", "write [one, another]")
    file.known(node, Given._fields)
    return Given(**{key: _words(file, label, each) for key, each in file.mapping(node).items()})


def _words(file: File, label: str, node: yaml.Node) -> tuple[str, ...]:
    if not isinstance(node, yaml.SequenceNode):
        file.fail(node, f"'{label}' has no list of words", "write [one, another]")
    return tuple(str(each.value).lower() for each in node.value)


@cache
def lists(name: str) -> Mapping[str, Any]:
    """Return another file of the folder, by its name without ending."""
    found = read_yaml(FOLDER / f"{name}.yaml")
    assert isinstance(found, dict)
    return found
