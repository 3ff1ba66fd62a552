"""The marks of ``data/replies/marks.yaml`` as regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from lvlmbench.stages.replies.data import marks


class Patterns(NamedTuple):
    """The marks as one expression, and how each opening mark is closed."""

    mark: re.Pattern[str]
    closes: Mapping[str, str]
    ends: frozenset[str]
    blocks: frozenset[str]
    beside: frozenset[str]
    question: re.Pattern[str]


def _any(texts: Iterable[str]) -> str:
    """An expression for any of these texts, longer ones first."""
    return "|".join(re.escape(each) for each in sorted(set(texts), key=lambda t: (-len(t), t)))


@cache
def replies_follow(kind: str) -> re.Pattern[str]:
    """Return what shows that a label in front of the answer begins a turn: somebody answers."""
    lists = marks()
    names = [name for name in lists["speakers"]["assistant"] if name not in lists["only_in_marks"]]
    names += lists["answers"] if kind == "question" else []
    return re.compile(
        rf"(?<!\w)(?:{_any(names)})(?:\*\*)?\s*[:\uff1a]|\[/inst\]"
        rf"|(?:^|\n|(?<=[)\].!?\"'*>]))(?:assistant|model)[ \t]*\n"
        rf"|##{{1,3}}\s*(?:{_any(lists['speakers']['assistant'])})\b"
        rf"|{_speaker(lists, 'assistant')}",
        re.I,
    )


@cache
def patterns() -> Patterns:
    """Return the marks as expressions, made once a process."""
    lists = marks()
    blocks = [(opening, closing) for opening, closing in lists["thought_blocks"]]
    thoughts = [*_pairs(lists, "thought"), *blocks]
    answers = _pairs(lists, "answer")
    groups = {
        "begin": _any(lists["answer_begins"]),
        "open": _any(opening for opening, _ in thoughts),
        **{who: _speaker(lists, who) for who in ("assistant", "user", "system")},
        "close": _any(closing for _, closing in thoughts),
        "answer": _any(opening for opening, _ in answers),
        "answer_end": _any(closing for _, closing in answers),
        "end": _any(lists["turn_ends"]),
        **_labels(lists),
    }
    expression = "|".join(f"(?P<{name}>{parts})" for name, parts in groups.items())
    return Patterns(
        mark=re.compile(expression, re.I),
        closes={key(opening): key(closing) for opening, closing in thoughts},
        ends=frozenset(map(key, lists["turn_ends"])),
        blocks=frozenset(key(closing) for _, closing in blocks),
        beside=frozenset(f"<{name}>" for name in lists["beside_reasoning"]),
        question=re.compile(
            rf"\n[ \t]*\n[^\n]+\n(?:{_any(lists['options'])})[ \t]*[:\uff1a]"
            r"[ \t]*\n\s*[(\[]?A[).\]]",
            re.I,
        ),
    )


def _pairs(lists: Mapping[str, Any], kind: str) -> list[tuple[str, str]]:
    """Opening and closing marks: each name in each form, and the pairs of one model alone."""
    names = [(name, form) for name in lists[f"{kind}_names"] for form in lists["forms"]]
    made = [(form[0].replace("{}", name), form[1].replace("{}", name)) for name, form in names]
    return made + [(opening, closing) for opening, closing in lists[f"{kind}_pairs"]]


def _speaker(lists: Mapping[str, Any], who: str) -> str:
    """An expression for marks of templates that name a speaker."""
    names = _any(lists["speakers"][who])
    opener, closer = _any(lists["speaker_openers"]), _any(lists["speaker_closers"])
    forms = (
        rf"(?:{opener})\s*(?:{names})\b[^\n<>\[]{{0,20}}?(?:{closer}|(?=\s|$|<))",
        rf"<[|\uff5c](?:{names})[|\uff5c]>",
        rf"(?<!#)##{{1,3}}\s*(?:{names})\s*(?::|\n)",
        *map(re.escape, lists.get(f"{who}_marks", ())),
    )
    return "|".join(forms)


def _labels(lists: Mapping[str, Any]) -> dict[str, str]:
    """Expressions for plain words that name a speaker: alone on a line, or before a colon."""
    users, assistants = (
        _any(
            name
            for name in lists["speakers"][who]
            if name not in {*lists["questions"], *lists["only_in_marks"]}
        )
        for who in ("user", "assistant")
    )
    line = r"(?:^|(?<=\n)|(?<=[)\].!?\"'*>])|(?<=\b[A-Z]))"
    label = r"(?:^|(?<=\n)|(?<=[)\].!?>]\s)|(?<=[)\].!?>]))[ \t]*(?:\*\*)?"
    colon = r"(?:\*\*)?[ \t]*[:\uff1a](?:\*\*)?"
    return {
        "assistant_line": rf"{line}(?-i:assistant|model)[ \t]*\n(?=\s*\S)"
        rf"|{label}(?:{assistants}){colon}",
        "line": rf"{line}(?-i:user|human|system)[ \t]*\n(?=\s*\S)",
        "label": rf"{label}(?:{users}){colon}",
        "question": rf"(?:^|(?<=\n))[ \t]*(?:{_any(lists['questions'])})[ \t]*[:\uff1a]",
        "answers": rf"(?:^|(?<=\n))[ \t]*(?:{_any(lists['answers'])})[ \t]*[:\uff1a]",
    }


def key(mark: str) -> str:
    """Return a mark as it is compared."""
    return mark.lower()
