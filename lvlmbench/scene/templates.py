"""Templates: the sentences that questions are put in, read from YAML files (docs/scenes.md).

A set of templates is a folder. Sets are laid over each other key by key, so that one may hold only
what differs. In sentences ``{noun}`` is what the vocabulary list calls its entries, ``{claim}`` the
asserted label as :attr:`Aspect.claim` writes it. A statement has the claim as its object or
complement, never as its subject, so that no verb has to agree with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import yaml

from lvlmbench.core.errors import UserError, meant
from lvlmbench.core.seeding import digest
from lvlmbench.scene.subtasks import aspects
from lvlmbench.scene.vocabulary.file import File, shown

#: The set that all others are laid over.
DEFAULT = Path(__file__).resolve().parents[2] / "data" / "templates" / "default"

#: Key of what all questions share; all other keys of a file are aspects.
SHARED = "instructions"

#: How a claim is written: ``label``, ``singular`` (with its article), ``counted`` (singular or
#: plural, as the scene has it), ``phrase`` (the entry's own), ``indefinite`` (its phrase with a or
#: an), ``quoted``, or ``style`` ("a watercolor painting").
Claim = Literal["label", "singular", "counted", "phrase", "indefinite", "quoted", "style"]

_HOLE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Aspect:
    """Something that a scene holds, and how it is put into words.

    Attributes
    ----------
    described
        What a free-form question calls it.
    questions, statements
        Phrasings of multiple-choice questions and of true-or-false statements.
    claim
        How statements write a label.
    subject
        How prompts and captions name a foreground of this list, with ``{label}``, ``{phrase}``
        and ``{noun}``; None for a label with its article.
    """

    described: str
    questions: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    claim: Claim = "label"
    subject: str | None = None


@dataclass(frozen=True)
class Instructions:
    """What all questions share (Dysca, section 3.4).

    Attributes
    ----------
    leads
        How a ``{statement}`` is put as a true-or-false question.
    describe
        Free-form questions, with ``{aspects}`` for what a scene holds.
    options
        A line before the options; empty for none.
    closed
        Behind the options; ``{letters}`` stands for their letters.
    short, open
        Behind a question for a short answer, and behind a free-form one; empty for nothing.
    """

    leads: tuple[str, ...]
    describe: tuple[str, ...]
    options: str
    closed: str
    short: str
    open: str


@dataclass(frozen=True)
class Templates:
    """A set of templates: what all questions share, and the words of each aspect.

    Attributes
    ----------
    folder
        The set that was laid over the others last, for messages.
    digest
        Of all that it says: changes with every word of it, with nothing else.
    """

    instructions: Instructions
    aspects: Mapping[str, Aspect] = field(hash=False)
    folder: str
    digest: str

    def aspect(self, name: str) -> Aspect:
        """Return the words for something that a scene holds.

        Raises
        ------
        UserError
            No file of the set has them.
        """
        if name not in self.aspects:
            raise UserError(self.folder, f"has no words for '{name}'", f"add '{name}:' to a file")
        return self.aspects[name]


class _Rule(NamedTuple):
    """What a key holds: placeholders that it must have and may have."""

    listed: bool = False
    must: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    empty: bool = False


_OF_ASPECT = {
    "described": _Rule(may=("noun",)),
    "questions": _Rule(listed=True, may=("noun",)),
    "statements": _Rule(listed=True, must=("claim",), may=("noun",)),
    "claim": _Rule(),
    "subject": _Rule(may=("label", "phrase", "noun")),
}
_OF_ALL = {
    "leads": _Rule(listed=True, must=("statement",)),
    "describe": _Rule(listed=True, must=("aspects",)),
    "options": _Rule(empty=True),
    "closed": _Rule(may=("letters",)),
    "short": _Rule(empty=True),
    "open": _Rule(empty=True),
}


def _sentence(file: File, node: yaml.Node, rule: _Rule) -> str:
    """Read a sentence and hold it against what its key allows."""
    text = isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:str"
    if not text:
        file.fail(node, "is no text", "write a sentence, in quotes where it has ': ' or braces")
    sentence = str(node.value)
    if not sentence.strip() and not rule.empty:
        file.fail(node, "is empty", "write a sentence, or leave the key out")
    found, known = _HOLE.findall(sentence), (*rule.must, *rule.may)
    for hole in found:
        if hole not in known:
            fix = f"use {', '.join(f'{{{k}}}' for k in known)}" if known else "write it out"
            file.fail(node, f"'{{{hole}}}' stands for nothing here", meant(hole, known, fix))
    if re.search(r"[{}]", _HOLE.sub("", sentence)):
        file.fail(node, "has a brace without its other one", "write {name}, or no brace")
    for hole in rule.must:
        if found.count(hole) != 1:
            what = f"holds {{{hole}}} {found.count(hole)} times"
            file.fail(node, what, f"write it once in each sentence: '{sentence}'")
    return sentence


def _value(file: File, key: str, node: yaml.Node, rule: _Rule) -> Any:
    if key == "claim":
        value, forms = file.value(node), get_args(Claim)
        if value not in forms:
            file.fail(
                node, f"claim is {value!r}", meant(str(value), forms, f"use {', '.join(forms)}")
            )
        return value
    if not rule.listed:
        return _sentence(file, node, rule)
    if not isinstance(node, yaml.SequenceNode) or not node.value:
        file.fail(node, f"{key} is no list of sentences", "write at least one, each behind a '-'")
    sentences = tuple(_sentence(file, each, rule) for each in node.value)
    for at, sentence in enumerate(sentences):
        if sentence in sentences[:at]:
            file.fail(node.value[at], f"'{sentence}' stands here twice", "keep one")
    return sentences


def _read(path: Path) -> dict[str, tuple[str, dict[str, Any]]]:
    """Aspect, or what all share -> where it stands, and its keys."""
    file, found = File(path), {}
    for name, node in file.mapping(file.node).items():
        if name != SHARED and name not in aspects():
            fix = meant(name, (SHARED, *aspects()), "use 'instructions' or what a subtask asks")
            file.fail(node, f"'{name}' is nothing that questions are about", fix)
        rules, own = _OF_ALL if name == SHARED else _OF_ASPECT, file.mapping(node)
        file.known(node, rules)
        values = {key: _value(file, key, child, rules[key]) for key, child in own.items()}
        found[name] = (f"{file.shown}:{node.start_mark.line + 1}", values)
    return found


def _laid_over(folders: tuple[Path, ...]) -> dict[str, tuple[str, dict[str, Any]]]:
    """The keys of all folders, later ones over earlier ones."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for folder in folders:
        own: dict[str, tuple[str, dict[str, Any]]] = {}
        for path in sorted(folder.glob("*.yaml")):
            for name, told in _read(path).items():
                if name in own:
                    raise UserError(
                        told[0], f"'{name}' stands at {own[name][0]} already", "keep one"
                    )
                own[name] = told
        if not own:
            raise UserError(shown(folder), "holds no templates", "add a file; see docs/scenes.md")
        for name, (where, values) in own.items():
            found[name] = where, {**found.get(name, ("", {}))[1], **values}
    return found


@cache
def load_templates(*folders: Path) -> Templates:
    """Read and check sets of templates, later ones laid over earlier ones and all over DEFAULT.

    Raises
    ------
    UserError
        The first mistake with its file and line; a folder without templates.
    """
    folders = tuple(dict.fromkeys(path.resolve() for path in (DEFAULT, *folders)))
    found = _laid_over(folders)
    words: dict[str, Any] = {}
    for name, (where, values) in found.items():
        needed = _OF_ALL if name == SHARED else ["described"]
        for key in needed:
            if key not in values:
                raise UserError(where, f"'{name}' has no {key}", f"add '{key}:'")
        words[name] = Instructions(**values) if name == SHARED else Aspect(**values)
    if SHARED not in words:
        raise UserError(shown(folders[0]), f"has no {SHARED}", "add them; see docs/scenes.md")
    text = repr(sorted((name, sorted(values.items())) for name, (_, values) in found.items()))
    return Templates(words.pop(SHARED), words, shown(folders[-1]), digest(text).hex())
