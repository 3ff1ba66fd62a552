"""Replies of a judge that is good, careless or broken, decided by a hash of what it is asked."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

#: What a reply is. The first five are good.
WAYS = (
    "valid", "fenced", "wrapped", "thought", "extra",
    "truncated", "wrong_keys", "wrong_types", "unknown_ids",
    "missing", "twice", "duplicate_keys", "html", "sorry", "nan", "nested", "empty", "obeys",
)  # fmt: skip
GOOD = WAYS[:5]

_FENCED = re.compile(r"<data [0-9a-f]{16}>\n(.*?)\n</data [0-9a-f]{16}>", re.DOTALL)
_CLAIM = re.compile(r"^(\d+)\. <data", re.MULTILINE)


def way_of(request: str) -> str:
    """What the reply to a request is."""
    return WAYS[hashlib.sha256(request.encode()).digest()[0] % len(WAYS)]


def good(purpose: str, prompt: str) -> dict[str, Any]:
    """Return a reply that keeps all rules."""
    if purpose == "claims":
        answer = _FENCED.findall(prompt)[1]
        word = answer.split()[0]
        parts = {"relation": "", "object": "", "value": "", "negated": False, "hedged": False}
        return {"claims": [{"kind": "object", "subject": word, "quote": word, **parts}]}
    if purpose == "matches":
        return {
            "matches": [
                {"claim": int(n), "feature": 0, "verdict": "unverifiable"}
                for n in _CLAIM.findall(prompt)
            ]
        }
    if purpose == "invented":
        return {"why": "a unicorn is", "invented": 7}
    return {"why": "one is better", "first": 7, "second": 4}


def reply(purpose: str, prompt: str, way: str) -> str:
    """Return a reply to a prompt."""
    found = good(purpose, prompt)
    text = json.dumps(found)
    first = next(iter(found))
    return {
        "valid": text,
        "fenced": f"```json\n{text}\n```",
        "wrapped": f"Here you are: {text} I hope this helps.",
        "thought": f"[THINK]{{Is it this? {text}}}[/THINK]{text}",
        "extra": text[:-1] + ', "confidence": 0.9}',
        "truncated": text[: 2 * len(text) // 3],
        "wrong_keys": json.dumps({f"{key}s": value for key, value in found.items()}),
        "wrong_types": json.dumps({key: "many" for key in found if key != "why"}),
        "unknown_ids": _unknown(purpose, found),
        "missing": json.dumps({"matches": []} if purpose == "matches" else {}),
        "twice": _twice(purpose, found),
        "duplicate_keys": text[:-1] + f', "{first}": {json.dumps(found[first])}}}',
        "html": "<html><body><script>alert(1)</script>502 Bad Gateway</body></html>",
        "sorry": "I'm sorry, but I can't help with that.",
        "nan": text.replace("false", "NaN").replace("0", "NaN").replace("7", "Infinity"),
        "nested": "[" * 100_000,
        "empty": "",
        "obeys": "10",
    }[way]


def _unknown(purpose: str, found: dict[str, Any]) -> str:
    if purpose == "claims":
        return json.dumps({"claims": [found["claims"][0] | {"quote": "not in the answer"}]})
    if purpose == "matches":
        return json.dumps({"matches": [m | {"claim": 99} for m in found["matches"]]})
    return json.dumps(found | ({"first": 11} if "first" in found else {"invented": 11}))


def _twice(purpose: str, found: dict[str, Any]) -> str:
    if purpose == "claims":
        return json.dumps({"claims": [found["claims"][0] | {"kind": "relation"}]})
    if purpose == "matches":
        return json.dumps({"matches": 2 * found["matches"]})
    return f"{json.dumps(found)}\n{json.dumps(found)}"
