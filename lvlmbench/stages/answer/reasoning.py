"""What a model thinks aloud in front of its answer, kept apart from the answer."""

from __future__ import annotations

import re

_OPENS = re.compile(r"\s*<(?:think|thinking|reasoning)>", re.I)
_CLOSES = re.compile(r"</(?:think|thinking|reasoning)>", re.I)


def split(text: str) -> tuple[str | None, str]:
    """Reasoning and answer; the reasoning is None where there is none.

    It stands between think tags in front of the answer, or before a closing tag alone, where the
    prompt had opened it. Of a thought that does not end no answer is left.
    """
    opened = _OPENS.match(text)
    closed = list(_CLOSES.finditer(text))
    if closed:
        start = opened.end() if opened else 0
        return text[start : closed[-1].start()].strip(), text[closed[-1].end() :].strip()
    return (text[opened.end() :].strip(), "") if opened else (None, text)
