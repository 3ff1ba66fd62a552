"""Ways in which the text of a good reply is spoilt, or is another one; needs Python alone."""

from __future__ import annotations

import json
from typing import Any


def spoilt(found: dict[str, Any]) -> dict[str, str]:
    """Return way -> text."""
    text = json.dumps(found)
    return {
        "fenced": f"```json\n{text}\n```",
        "wrapped": f"Here it is: {text} I hope this helps.",
        "truncated": text[: 2 * len(text) // 3],
        "wrong_keys": json.dumps({f"{key}s": value for key, value in found.items()}),
        "wrong_types": json.dumps(dict.fromkeys(found, 7)),
        "sorry": "I'm sorry, but I can't help with that.",
        "nested": "[" * 100_000,
        "empty": "",
    }
