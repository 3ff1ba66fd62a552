"""JSON that may stand in a ``<script>`` element, whatever its strings hold."""

from __future__ import annotations

import json

#: What ends or opens markup, and what some readers of scripts take for the end of a line.
_ESCAPED = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def encode(value: object) -> str:
    """``value`` as JSON in ASCII; halves of surrogate pairs stay escapes, as JSON has them."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = text.translate(_ESCAPED)
    return text.encode("utf-8", "backslashreplace").decode() if _lone(text) else text


def _lone(text: str) -> bool:
    """Whether a text holds half of a surrogate pair, which no encoding of a page can."""
    return any("\ud800" <= c <= "\udfff" for c in text)
