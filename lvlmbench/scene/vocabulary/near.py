"""Reading near.yaml: drawings that look alike and still show different things."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml

from lvlmbench.core.errors import meant
from lvlmbench.scene.vocabulary.entries import VocabularyList
from lvlmbench.scene.vocabulary.file import File
from lvlmbench.scene.vocabulary.keys import THINGS

NEAR = "near"

#: (list, label) of an entry.
Thing = tuple[str, str]

#: Entry -> its look-alikes, in the order of the file; symmetric.
Near = Mapping[Thing, tuple[Thing, ...]]


def read_near(path: Path, lists: Mapping[str, VocabularyList]) -> Near:
    """Read and check near.yaml against the lists; each pair stands there once.

    Raises
    ------
    UserError
        With file and line of the first mistake.
    """
    file = File(path)
    found: dict[Thing, dict[Thing, None]] = {}
    if file.node is None or not file.node.value:
        return {}
    by_list = file.mapping(file.node)
    file.known(file.node, THINGS)
    for name, of_list in by_list.items():
        file.mapping(of_list)
        for key, neighbors in of_list.value:
            one = _thing(file, key, name, str(key.value), lists)
            if not isinstance(neighbors, yaml.SequenceNode) or not neighbors.value:
                file.fail(key, f"'{key.value}' has no list of look-alikes", "write [one, another]")
            for node in neighbors.value:
                other = _thing(file, node, name, str(node.value), lists)
                if other in found.get(one, ()):
                    file.fail(node, f"'{one[1]}' and '{other[1]}' stand here twice", "keep one")
                _check_apart(file, node, one, other, lists)
                found.setdefault(one, {})[other] = None
                found.setdefault(other, {})[one] = None
    return {thing: tuple(others) for thing, others in found.items()}


def _thing(
    file: File, node: yaml.Node, name: str, label: str, lists: Mapping[str, VocabularyList]
) -> Thing:
    """The entry that is written as a label of this list, or as list/label."""
    other, _, rest = label.partition("/")
    if rest and other in THINGS:
        name, label = other, rest
    known = lists[name].by_label
    if label not in known:
        fix = meant(label, sorted(known), "take it out, or write list/label")
        file.fail(node, f"'{label}' is not a label of {name}", fix)
    if not known[label].pictograph:
        file.fail(node, f"'{label}' has no glyph that could look like another", "take it out")
    return name, label


def _check_apart(
    file: File, node: yaml.Node, one: Thing, other: Thing, lists: Mapping[str, VocabularyList]
) -> None:
    """Fail where the picture of one may be called by the other's label too."""
    if one == other or (one[0] == other[0] and other[1] in lists[one[0]].alike(one[1])):
        fix = "take it out: look-alikes have to be told apart by name"
        file.fail(node, f"'{one[1]}' and '{other[1]}' are the same or kinds of one another", fix)
