"""Replies of a validator that sees what is there, with errors, or breaks the rules."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

#: What a reply is. The first four are good: a further key, "why", is not read.
WAYS = (
    "valid", "fenced", "wrapped", "why", "truncated", "wrong_keys", "wrong_types",
    "no_such_option", "two_letters", "sorry", "nested", "empty",
)  # fmt: skip
GOOD = WAYS[:4]

_FENCED = re.compile(r"<data [0-9a-f]{16}>\n(.*?)\n</data [0-9a-f]{16}>", re.DOTALL)
_OPTION = re.compile(r"^\(([A-H])\) (.*)$", re.MULTILINE)


class Sight(NamedTuple):
    """How well a validator sees.

    Attributes
    ----------
    truth
        Picture and what is asked (:func:`key_of`) -> the option that the description gives, and
        the one that the picture shows.
    misses, alarms
        Share of defects that it takes for right, and of what is right that it takes for a defect.
    salt
        Which of them: another one makes other errors.
    """

    truth: Mapping[str, list[str]]
    misses: float
    alarms: float
    salt: str = ""

    def sees(self, image: bytes, prompt: str) -> str:
        """The letter that it answers with."""
        question, options = _FENCED.findall(prompt)[:2]
        letters = {text: letter for letter, text in _OPTION.findall(options)}
        return letters[self.option(key_of(image, question, letters), [*letters])]

    def option(self, key: str, options: Sequence[str]) -> str:
        """The option that it takes."""
        described, shown = self.truth[key]
        digest = hashlib.sha256((self.salt + key).encode()).digest()
        draw = int.from_bytes(digest[:4], "little") / 2**32
        if shown != described:
            return described if draw < self.misses else shown
        other = next(text for text in options if text != shown)
        return other if draw < self.alarms else shown


def key_of(image: bytes, question: str, options: Iterable[str]) -> str:
    """A picture and what is asked about it."""
    return f"{hashlib.sha256(image).hexdigest()} {question} {' / '.join(options)}"


def reply(letter: str, way: str) -> str:
    """Return a reply that answers with a letter."""
    found: dict[str, Any] = {"option": letter}
    text = json.dumps(found)
    return {
        "valid": text,
        "fenced": f"```json\n{text}\n```",
        "wrapped": f"I see it: {text}",
        "truncated": text[: len(text) // 2],
        "wrong_keys": json.dumps({"answer": letter}),
        "wrong_types": json.dumps({"option": 1}),
        "no_such_option": json.dumps({"option": "H"}),
        "two_letters": json.dumps({"option": "A or B"}),
        "why": json.dumps(found | {"why": "it is there"}),
        "sorry": "I'm sorry, but I can't help with that.",
        "nested": "[" * 100_000,
        "empty": "",
    }[way]
