"""Reading unclear.yaml: what a renderer draws so that nobody can tell what it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from lvlmbench.core.errors import meant
from lvlmbench.scene.clarity import Unclear
from lvlmbench.scene.lists import COUNTABLE
from lvlmbench.scene.subtasks import foreground_lists
from lvlmbench.scene.vocabulary.entries import VocabularyList
from lvlmbench.scene.vocabulary.file import File

UNCLEAR = "unclear"

#: Renderer -> list -> what is unclear of it.
ByRenderer = Mapping[str, Mapping[str, Unclear]]


def _known(file: File, key: yaml.Node, name: str, known: Iterable[str], what: str) -> None:
    known = list(known)
    if name not in known:
        file.fail(key, f"'{name}' is not {what}", meant(name, known, "take it out"))


def _least(file: File, node: yaml.Node, most: int) -> int:
    """From how many copies on a pair is unclear, of at most so many that are shown."""
    values: dict[str, Any] = {k: file.value(v) for k, v in file.mapping(node).items()}
    file.known(node, ("copies", "reason"))
    if type(values.get("copies")) is not int or not 1 <= values["copies"] <= most:
        fix = "write 1, 2 or 3" if most > 1 else "write 1: there are never more of them"
        file.fail(node, f"copies is {values.get('copies')!r}", fix)
    if not isinstance(values.get("reason"), str) or not values["reason"]:
        file.fail(node, "has no reason", "say in a few words why it is unclear")
    return int(values["copies"])


def read_unclear(path: Path, lists: Mapping[str, VocabularyList]) -> ByRenderer:
    """Read and check unclear.yaml against the lists.

    Raises
    ------
    UserError
        With file and line of the first mistake.
    """
    file = File(path)
    found: dict[str, dict[str, dict[str, dict[str, int]]]] = {}

    def pairs(node: yaml.Node) -> list[tuple[yaml.Node, str, yaml.Node]]:
        file.mapping(node)
        return [(key, str(key.value), value) for key, value in node.value]

    if file.node is None or not file.node.value:
        return {}
    drawing = sorted({r for of in lists.values() for entry in of.entries for r in entry.renderers})
    shown = sorted({*foreground_lists()} & {*lists})
    for renderer_key, renderer, by_list in pairs(file.node):
        _known(file, renderer_key, renderer, drawing, "a renderer that entries name")
        for key, name, labels in pairs(by_list):
            _known(file, key, name, shown, "a list of foregrounds")
            most = 3 if name in COUNTABLE else 1
            for key_, label, styles in pairs(labels):
                _known(file, key_, label, lists[name].by_label, f"a label of {name}")
                for style_key, style, about in pairs(styles):
                    _known(file, style_key, style, lists["style"].by_label, "a style")
                    of_label = found.setdefault(renderer, {}).setdefault(name, {})
                    of_label.setdefault(label, {})[style] = _least(file, about, most)
    return found
