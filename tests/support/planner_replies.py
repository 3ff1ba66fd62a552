"""Replies of a planner that is good, or breaks the rules as support.examiner_replies do."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from support.spoiled_replies import spoilt

_FENCED = re.compile(r"<data [0-9a-f]{16}>\n(.*?)\n</data [0-9a-f]{16}>", re.DOTALL)
_KINDS = re.compile(r"- (\d+)(?: to (\d+))? different kinds of things, and at most (\d+) things")
_NUMBER = re.compile(r"(?:into|Give) (\d+) (?:general|fine-grained) aspects")
_WEATHER = re.compile(r"^weather, ([^:]+): before (.*)$", re.MULTILINE)
#: Ways in which a good planner replies; that of evidence that is not so is nothing to it.
GOOD = ("valid", "fenced", "wrapped", "unsupported")


def is_plan(prompt: str) -> bool:
    """Whether a prompt is a planner's."""
    return prompt.startswith("You plan ")


def _ranked(prompt: str, names: list[str]) -> list[str]:
    key = hashlib.sha256(prompt.encode()).hexdigest()
    return sorted(names, key=lambda name: hashlib.sha256((key + name).encode()).digest())


def _listed(prompt: str, sort: str) -> list[str]:
    found = re.search(rf"^{sort}: (.*)$", prompt, re.MULTILINE)
    return found[1].split(", ") if found else []


def good(prompt: str) -> dict[str, Any]:
    """Return a reply that keeps all rules."""
    if "You plan an exam" in prompt:
        return _aspects(prompt)
    return description(prompt)


def _aspects(prompt: str) -> dict[str, Any]:
    told = _FENCED.findall(prompt)
    raw = re.search(r"^Give \d+ fine-grained aspects", prompt, re.MULTILINE) is not None
    fine = raw or "fine-grained aspects: single" in prompt
    found = _NUMBER.search(prompt)
    assert found is not None
    number = int(found[1])
    about = told[1].split(".")[0] if fine and not raw else "Side"
    aspects: list[dict[str, str]] = []
    for n in range(number):
        one = {
            "name": f"{about[:40]} {n + 1}",
            "introduction": "What this is about, in a sentence.",
        }
        if fine:
            one["guidance"] = "Show what it needs, and nothing else beside it."
        aspects.append(one)
    return {"aspects": aspects}


def banned(prompt: str) -> list[str]:
    """What a prompt bans."""
    lines = _FENCED.findall(prompt)[1].splitlines()
    return [line.removeprefix("- ") for line in lines if line != "none"]


def description(prompt: str, without: tuple[str, ...] | None = None) -> dict[str, Any]:
    """A picture of as many kinds as are wanted, one above another, and a person if there are 3."""
    barred = {*(banned(prompt) if without is None else without)}
    found = _KINDS.search(prompt)
    assert found is not None
    least = int(found[1])
    sorts = ("animal", "food", "object", "plant")
    names = [name for sort in sorts for name in _listed(prompt, sort)]
    # Names of one word that no other has as a part: nobody takes them for each other.
    plain = [n for n in names if " " not in n and n.removesuffix("*") not in barred]
    chosen = _ranked(prompt, plain)[:least]
    things = [thing(n.removesuffix("*"), "red" if n.endswith("*") else None) for n in chosen]
    words = [each["label"] for each in things]
    if least >= 3 and not {"waving", "happy"} & barred:
        things[-1] = thing("person") | {"action": "waving", "expression": "happy"}
        words = [*words[:-1], "waving", "happy"]
    weathers = {weather: places.split(", ") for weather, places in _WEATHER.findall(prompt)}
    places = [p for p in _ranked(prompt, _listed(prompt, "background")) if p not in barred]
    background = places[0] if places else None
    weather = next((w for w, where in sorted(weathers.items()) if background in where), None)
    weather = None if weather in barred else weather
    more = _ranked(prompt, ["calm", "plain", "order", "row", "pair", "play", "rest", "group"])
    keys = [*words[1:], *(word for word in more if word not in barred)]
    stands = [{"subject": 0, "predicate": "left_of", "object": 1}] if least > 1 else []
    return {
        "things": things, "relations": stands, "background": background, "weather": weather,
        "topic_word": words[0], "key_words": keys[: max(4, min(6, len(words) - 1))],
    }  # fmt: skip


def thing(label: str, color: str | None = None) -> dict[str, Any]:
    """A thing of a description."""
    nothing = dict.fromkeys(("action", "expression", "holds"))
    return {"label": label, "count": 1, "color": color, **nothing}


def reply(prompt: str, way: str) -> str:
    """Return a reply to a prompt."""
    found = good(prompt)
    simple = {**dict.fromkeys(GOOD, json.dumps(found)), **spoilt(found)}
    if way in simple:
        return simple[way]
    return json.dumps(_broken(prompt, found, way))


def _broken(prompt: str, found: dict[str, Any], way: str) -> dict[str, Any]:
    """A plan that breaks a rule."""
    if "aspects" in found:
        [first, *rest] = found["aspects"]
        twice = [first | {"name": first["name"].upper()}, *rest[1:]]
        return {"aspects": [first, *twice] if way == "two_right" else rest}
    if way == "quotes":
        said = description(prompt, without=())
        return said | {"topic_word": next(iter(banned(prompt)), "zither")}
    [first, *rest] = found["things"]
    far = [{"subject": 0, "predicate": "left_of", "object": 7}]
    return (
        found
        | {
            "two_right": {"things": [first, first, *rest]},
            "gives_away": {"things": [first | {"count": 8}, *rest]},
            "unknown_ids": {"things": [first | {"label": "thurible"}, *rest]},
            "no_such_option": {"relations": far},
            "no_evidence": {"key_words": found["key_words"][:3]},
        }[way]
    )
