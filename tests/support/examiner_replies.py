"""Replies of an examiner that is good, careless or broken."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from support.spoiled_replies import spoilt

#: What a reply is. The first three are good; what the fourth bases its answer on is not so.
WAYS = (
    "valid", "fenced", "wrapped", "unsupported", "truncated", "wrong_keys", "wrong_types",
    "two_right", "gives_away", "quotes", "unknown_ids", "no_such_option", "no_evidence", "sorry",
    "nested", "empty",
)  # fmt: skip
GOOD, UNSUPPORTED = WAYS[:3], WAYS[3]

_FENCED = re.compile(r"<data [0-9a-f]{16}>\n(.*?)\n</data [0-9a-f]{16}>", re.DOTALL)
_THING = re.compile(r"^(o\w+): (.*)$", re.MULTILINE)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
#: Things that no vocabulary of ours has; none is near another.
ABSENT = (
    "a thurible", "an aspergillum", "a zither", "an ocarina", "a gimlet", "a bodkin", "a trivet",
    "a samovar", "a spittoon", "an astrolabe", "a theremin", "a hygrometer", "a planimeter",
)  # fmt: skip


def _some(prompt: str, number: int) -> list[str]:
    """Names of things that are not there: by the prompt, each once."""
    key = hashlib.sha256(prompt.encode()).hexdigest()
    ranked = sorted(ABSENT, key=lambda name: hashlib.sha256((key + name).encode()).digest())
    return ranked[:number]


def good(prompt: str) -> dict[str, Any]:
    """Return a reply that keeps all rules."""
    told = _FENCED.findall(prompt)
    if "answer_index" not in prompt:  # the schema of a question names it
        known = {line.removeprefix("- ") for line in told[2].splitlines()}
        return {"answer": next(name for name in _some(prompt, 13) if name not in known)}
    name, said = _THING.findall(told[1])[0]
    first, *rest = said.split()
    number = _NUMBERS.get(first, 1)
    option = "a person" if "wearing" in said else said if number == 1 else " ".join(rest)
    return {
        "question": "Which of these can be seen in the picture?",
        "options": [*_some(prompt, 2), option, *_some(prompt, 3)[2:]],
        "answer_index": 2,
        "evidence": [{"subject": name, "predicate": "count", "object": str(number)}],
    }


def reply(prompt: str, way: str) -> str:
    """Return a reply to a prompt."""
    found = good(prompt)
    simple = {"valid": json.dumps(found), **spoilt(found)}
    if way in simple:
        return simple[way]
    return json.dumps(_broken(prompt, found, way) if "options" in found else _unfit(prompt, way))


def _broken(prompt: str, found: dict[str, Any], way: str) -> dict[str, Any]:
    """A question that breaks a rule, or whose evidence is not so."""
    options, right = found["options"], found["options"][2]
    [fact] = found["evidence"]
    return (
        found
        | {
            "unsupported": {"evidence": [fact, fact | {"object": "99"}]},
            "two_right": {"options": [f"The {right}".upper(), *options[1:]]},
            "gives_away": {"question": f"There is {right} in it, is there not?"},
            "quotes": {"question": _FENCED.findall(prompt)[0]},
            "unknown_ids": {"evidence": [fact | {"subject": "o99"}]},
            "no_such_option": {"answer_index": 4},
            "no_evidence": {"evidence": []},
        }[way]
    )


def _unfit(prompt: str, way: str) -> dict[str, Any]:
    """An answer that keeps the form; whether it may stand there is for who asked to say."""
    said = _FENCED.findall(prompt)
    told = said[2].splitlines()[0].removeprefix("- ")
    if way in ("two_right", "gives_away"):
        return {"answer": told.upper()}
    if way == "quotes":
        return {"answer": said[0][:79]}
    return {"answer": "a thing that is a good deal longer than what is right"} | (
        {"why": ""} if way == "no_evidence" else {}
    )
