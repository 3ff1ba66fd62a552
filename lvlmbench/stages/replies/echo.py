"""Prompts that a server or a model repeats before or after the answer."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lvlmbench.stages.replies.data import marks

#: Letters and digits of a part of a prompt at least, so that no answer is taken for one.
_SHORTEST = 12
#: Characters of a reply before its prompt that are looked at: system prompts are no longer.
_BEFORE = 2000
#: Letters and digits of a rest that begins the prompt anew.
_REST = 8
_OPTION = re.compile(r"\s*[(\[]?[A-Za-z][)\].:]")
_MARKS = re.compile(r"<[^<>\n]{1,40}>|\[/?inst\]|###", re.I)
_TRAILING = re.compile(r"[)\].\"'`\s>*]*")
_SPEAKER = re.compile(
    r"(?:^|\W)(?:user|human|system|instruction|question|assistant|prompt|q)\W*$", re.I
)


class _Letters(NamedTuple):
    """The letters and digits of a text, and where each of them ends in it."""

    text: str
    ends: list[int]


def without_echo(text: str, prompt: str) -> str:
    """Return a reply without the prompt, or a part of it, that stands in front of the answer.

    White space, case and punctuation may differ. A part counts if it begins with the prompt's first
    line or ends with its last one. A reply that is the beginning of the prompt and no more is none.
    """
    asked, heads = _prompt(prompt)
    if min(len(asked), len(text)) < _SHORTEST:
        return text
    cut = False
    while (end := _whole(text, asked)) is not None:
        text, cut = text[end:], True
    while True:
        start = _start(text)
        said = _letters(text[start : start + 4 * len(prompt)])
        # The prompt begins anew and is cut off, with its first line whole.
        first = len(heads[-1]) if heads else len(asked)
        whole = start + 4 * len(prompt) >= len(text)
        if whole and len(heads) > 1 and len(said.text) > first and asked.startswith(said.text):
            return ""
        if whole and cut and len(said.text) > _REST and asked.startswith(said.text):
            return ""
        found = _tail(said.text, asked, prompt)
        found = found or next((head for head in heads if said.text.startswith(head)), None)
        if found is None:
            return text
        end = start + said.ends[len(found) - 1]
        if not _breaks(text, end):
            return text
        text, cut = _after(text, end), True


def _breaks(text: str, end: int) -> bool:
    """Whether a sentence of the prompt ends at a place of a reply, and something follows."""
    rest = text[end:].lstrip(")].\"'`?!* ")
    return bool(rest.strip()) and (rest[0] in "\n\\([<*#" or text[end : end + 1] in ".?!)")


@lru_cache(maxsize=256)
def _prompt(prompt: str) -> tuple[str, list[str]]:
    """The letters of a prompt, and those of its beginnings by lines, the longest first."""
    letters = [_letters(line).text for line in prompt.splitlines()]
    heads = {"".join(letters[: n + 1]) for n in range(len(letters))}
    parts = sorted((part for part in heads if len(part) >= _SHORTEST), key=len, reverse=True)
    return "".join(letters), parts


def _tail(said: str, asked: str, prompt: str) -> str | None:
    """The end of a prompt that a reply begins with, from wherever it begins: its last line, which
    is no option, and half of the line before at least."""
    lines = [line for line in prompt.splitlines() if line.strip()]
    if len(lines) < 2 or _OPTION.match(lines[-1]) or len(said) < _SHORTEST:
        return None
    least = len(_letters(lines[-1]).text)
    at = asked.find(said[:_SHORTEST])
    while at >= 0:
        if said.startswith(asked[at:]) and len(asked) - at >= max(least, 2 * _SHORTEST):
            return asked[at:]
        at = asked.find(said[:_SHORTEST], at + 1)
    return None


def cut_at_prompt(answer: str, prompt: str) -> str:
    """Return an answer up to where the prompt is repeated behind it, as in an invented turn."""
    asked, _ = _prompt(prompt)
    first = next((line.strip() for line in prompt.splitlines() if line.strip()), "")
    at = answer.find(first) if len(asked) >= 2 * _SHORTEST and first else -1
    while at > 0:
        repeated = _letters(answer[at : at + 4 * len(prompt)]).text.startswith(asked)
        if repeated and answer[:at].strip():
            return answer[:at].rstrip()
        at = answer.find(first, at + 1)
    return answer


def _whole(text: str, asked: str) -> int | None:
    """Where the whole prompt ends, if nothing but marks of a chat stands before it."""
    said = _letters(text[: _BEFORE + 4 * len(asked)])
    at = said.text.find(asked)
    if at < 0:
        return None
    before = text[: said.ends[at] - 1]
    if not _introduces(before):
        return None
    end = said.ends[at + len(asked) - 1]
    return len(text) - len(_after(text, end))


def _introduces(before: str) -> bool:
    """Whether a text is what a chat holds before its first prompt."""
    bare = _MARKS.sub(" ", before).strip().casefold()
    names = {name for names in marks()["speakers"].values() for name in names}
    words = bare.strip(" :>*#\n").strip()
    if not words or words in names or words in ("image", "images"):
        return True
    system = any(bare.startswith(each) for each in marks()["system_prompts"])
    return (system and _SPEAKER.search(bare) is not None) or (
        len(bare) <= 60 and before.rstrip(" \n\"'`>").endswith(":") and "(" not in before
    )


def _start(text: str) -> int:
    """Where a reply's own words begin, behind marks of a chat and a speaker's name."""
    found = re.match(
        r"(?:\s|>|\*|<[^<>\n]{1,40}>|\[/?inst\]|###\s*)*(?:(?:user|human|question|prompt)\s*(?::|\n))?\s*",
        text,
        re.I,
    )
    return found.end() if found else 0


def _after(text: str, end: int) -> str:
    """The text behind a prompt that ends there, without the prompt's own last signs."""
    found = _TRAILING.match(text, end)
    rest = text[found.end() if found else end :]
    return rest.removeprefix("\\n").lstrip()


def _letters(text: str) -> _Letters:
    kept, ends = [], []
    for at, sign in enumerate(text.replace("\\n", "  ")):
        if sign.isalnum():
            kept.append(sign.casefold()[:1])
            ends.append(at + 1)
    return _Letters("".join(kept), ends)
