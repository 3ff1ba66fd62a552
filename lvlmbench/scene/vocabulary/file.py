"""Reading one vocabulary file; every mistake is one line that names file and line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import yaml

from lvlmbench.core.errors import UserError, meant
from lvlmbench.core.registry import kinds_of
from lvlmbench.core.yaml_file import check_yaml
from lvlmbench.scene.vocabulary.entries import DRAWN, Entry, VocabularyList, photographic
from lvlmbench.scene.vocabulary.keys import DRAWN_BY, FROM_GLYPHS, checks, required_keys, text
from lvlmbench.scene.vocabulary.words import WordRules

#: Codes are kept as they are written: 2615 is a name here and not a number.
_RAW_KEYS = {"pictograph"}

_SCALARS: dict[str, Callable[[str], Any]] = {
    "tag:yaml.org,2002:int": int,
    "tag:yaml.org,2002:float": float,
    "tag:yaml.org,2002:bool": lambda v: v.lower() in ("true", "yes", "on"),
    "tag:yaml.org,2002:null": lambda _: None,
}


def shown(path: Path) -> str:
    """A path for messages: as seen from the working directory where it lies in there."""
    cwd = Path.cwd()
    return str(path.relative_to(cwd) if path.is_relative_to(cwd) else path)


def unreadable(path: Path, reason: str | None) -> UserError:
    """What to raise about a file that is not one, or cannot be read."""
    return UserError(shown(path), f"cannot be read ({reason})", "make it a readable file")


class File:
    """A YAML mapping with the lines of its keys."""

    def __init__(self, path: Path) -> None:
        self.shown = shown(path)
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise unreadable(path, error.strerror) from None
        check_yaml(raw, self.shown)
        self.node = yaml.compose(raw, Loader=yaml.CSafeLoader)

    def fail(self, node: yaml.Node | None, what: str, fix: str) -> NoReturn:
        """Raise a :class:`UserError` at ``node``'s line."""
        line = node.start_mark.line + 1 if node is not None else 1
        raise UserError(f"{self.shown}:{line}", what, fix)

    def mapping(self, node: yaml.Node | None) -> dict[str, yaml.Node]:
        """Keys and value nodes of a mapping node."""
        if not isinstance(node, yaml.MappingNode):
            self.fail(node, "is not a mapping", "write 'key: value' lines; see docs/scenes.md")
        out: dict[str, yaml.Node] = {}
        for key, value in node.value:
            if key.value in out:
                self.fail(key, f"'{key.value}' stands here twice", "keep one")
            out[key.value] = value
        return out

    def value(self, node: yaml.Node, raw: bool = False) -> Any:
        """Plain value of a node; with ``raw`` scalars stay as they are written."""
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, raw) for item in node.value]
        if isinstance(node, yaml.MappingNode):
            return {key: self.value(item, raw) for key, item in self.mapping(node).items()}
        if raw or node.tag not in _SCALARS:
            return str(node.value)
        try:
            return _SCALARS[node.tag](node.value)
        except ValueError:
            return str(node.value)

    def known(self, node: yaml.MappingNode | yaml.Node, keys: Iterable[str]) -> None:
        """Fail at the first key that is not one of ``keys``."""
        keys = list(keys)
        assert isinstance(node, yaml.MappingNode)
        for key, _ in node.value:
            if key.value not in keys:
                fix = meant(str(key.value), keys, f"use {', '.join(keys)}")
                self.fail(key, f"'{key.value}' is not a known key", fix)


def _noun(file: File, node: yaml.Node | None) -> dict[str, str]:
    value = file.value(node) if node is not None else None
    nouns: dict[str, Any] = value if isinstance(value, dict) else {"default": value}
    for noun in (nouns.get("default"), *nouns.values()):
        problem = text(noun)
        if problem:
            file.fail(node, f"noun {problem[0]}", "write the word that questions use")
    return nouns


def _drawn_beside(values: Mapping[str, Any], renderers: frozenset[str]) -> tuple[str, str] | None:
    """What is wrong with what single renderers do, seen beside the rest of an entry."""
    for renderer, own in values[DRAWN].items():
        if renderer not in renderers:
            fix = "name it under 'renderers', or drop what it does"
            return f"is not drawn by {renderer}", fix
        for key, given in own.items():
            twice = [each for each in given if each in values.get(key, ())]
            if twice:
                fix = f"keep it where it holds for all, under '{key}'"
                return f"{key} '{twice[0]}' by its meaning and as {renderer} draws it", fix
    return None


def _entry(file: File, name: str, node: yaml.Node) -> Entry:
    keys = file.mapping(node)
    known = checks(name)
    file.known(node, known)
    for key in required_keys(name):
        if key not in keys:
            shown = f"'{file.value(keys['label'])}'" if "label" in keys else "the entry"
            file.fail(node, f"{shown} has no {key}", f"add '{key}:'")
    values: dict[str, Any] = {}
    for key, child in keys.items():
        values[key] = file.value(child, raw=key in _RAW_KEYS)
        problem = known[key](values[key])
        if problem:
            file.fail(child, f"{key} {problem[0]}", problem[1])
    label = values.pop("label")
    drawable = not DRAWN_BY.isdisjoint(values)
    drawers = {kind.name for kind in kinds_of("renderers").ordered() if kind.simple}
    default = [photographic(), *drawers] if drawable else [photographic()]
    renderers = frozenset(values.pop("renderers", default))
    if drawers & renderers and not drawable and name in FROM_GLYPHS:
        file.fail(node, f"'{label}' has no glyph to be drawn from", "add 'pictograph:'")
    if DRAWN in values:
        problem = _drawn_beside(values, renderers)
        if problem:
            file.fail(keys[DRAWN], f"'{label}' {problem[0]}", problem[1])
    return Entry(
        label=label,
        article=values.pop("article", ""),
        plural=values.pop("plural", label),
        sense=values.pop("sense", ""),
        group=values.pop("group", label.replace("/", " ")),
        pictograph=tuple(code.upper() for code in values.pop("pictograph", [])),
        renderers=renderers,
        extra=values,
        line=node.start_mark.line + 1,
    )


def read_list(path: Path) -> VocabularyList:
    """Read and check one list.

    Raises
    ------
    UserError
        With file and line of the first mistake.
    """
    file = File(path)
    top = file.mapping(file.node)
    file.known(file.node, ("list", "noun", "groups", "entries"))
    name = file.value(top["list"]) if "list" in top else None
    if name != path.stem:
        file.fail(top.get("list"), f"list is {name!r}", f"write 'list: {path.stem}'")
    noun = _noun(file, top.get("noun"))
    node = top.get("entries")
    if not isinstance(node, yaml.SequenceNode) or len(node.value) < 2:
        file.fail(node, "has fewer than two entries", "a question needs a right and a wrong option")
    groups = file.value(top["groups"]) if "groups" in top else []
    if not isinstance(groups, list):
        file.fail(top["groups"], f"groups is {groups!r}, not a list", "write [one, another]")
    for group in groups:
        if problem := text(group):
            file.fail(top["groups"], f"a group {problem[0]}", problem[1])
    entries: list[Entry] = []
    seen: dict[str, int] = {}
    for item in node.value:
        entry = _entry(file, path.stem, item)
        if entry.label.casefold() in seen:
            first = seen[entry.label.casefold()]
            file.fail(item, f"'{entry.label}' stands on line {first} already", "keep one")
        seen[entry.label.casefold()] = entry.line
        entries.append(entry)
    for entry, item in zip(entries, node.value, strict=True):
        root = entry.group.split("/")[0]
        own = root == entry.label.replace("/", " ")
        if not own and root not in groups and root.casefold() not in seen:
            fix = meant(root, [*groups, *seen], "name it under 'groups:' at the top")
            file.fail(item, f"'{entry.label}' is in an unknown group '{root}'", fix)
    return VocabularyList(path.stem, noun, tuple(entries))


def read_word_rules(path: Path) -> WordRules:
    """Read and check text.yaml, which says what words scenes with text may show.

    Raises
    ------
    UserError
        With file and line of the first mistake.
    """
    file = File(path)
    top = file.mapping(file.node)
    keys = ("list", "noun", "count", "shortest", "longest", "blocked")
    file.known(file.node, keys)
    for key in keys:
        if key not in top:
            file.fail(file.node, f"has no {key}", f"add '{key}:'")
    values = {key: file.value(node) for key, node in top.items()}
    for key in ("count", "shortest", "longest"):
        if type(values[key]) is not int or values[key] < 1:
            file.fail(top[key], f"{key} is {values[key]!r}", "write a positive whole number")
    return WordRules(
        values["count"], values["shortest"], values["longest"], _blocked(file, top["blocked"])
    )


def _blocked(file: File, node: yaml.Node) -> tuple[str, ...]:
    """Words and beginnings that stand under the reasons for which they are blocked."""
    found: dict[str, str] = {}
    for reason, listed in file.mapping(node).items():
        words = file.value(listed)
        if not isinstance(words, list) or not all(isinstance(w, str) and w for w in words):
            file.fail(listed, f"'{reason}' is not a list of words", "write [word, stem*]")
        for word in words:
            if word in found:
                file.fail(listed, f"'{word}' stands under '{found[word]}' already", "keep one")
            found[word] = reason
    return tuple(found)
