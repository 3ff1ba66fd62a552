"""Replies of models that plan, check, ask and answer an exam on pictures of texts."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from support import examiner_replies, planner_replies
from support.written_pictures import read

_FENCED = re.compile(r"<data [0-9a-f]{16}>\n(.*?)\n</data [0-9a-f]{16}>", re.DOTALL)
_OPTION = re.compile(r"^\(([A-H])\) (.*)$", re.MULTILINE)
_STATEMENT = re.compile(r"^(s\d+): Is there (.*) in the picture\? yes$")
_THERE = re.compile(r"^Is there (.*) in the picture\?$")
_THINGS = (
    "kettle", "ladder", "lantern", "violin", "teapot", "saddle", "anchor", "basket", "compass",
    "drum", "easel", "fiddle", "globe", "hammer", "inkwell", "jug", "kite", "loom", "mirror",
    "needle", "oboe", "pillow", "quilt", "ribbon", "sickle", "tripod", "urn", "vase", "wagon",
    "zither", "bellows", "cradle", "dagger", "funnel", "goblet", "hourglass", "padlock", "rattle",
)  # fmt: skip
_COLORS = ("crimson", "azure", "olive", "violet", "amber", "ivory", "teal", "maroon", "indigo")


def _ranked(key: str, names: tuple[str, ...], barred: set[str]) -> list[str]:
    order = sorted(names, key=lambda name: hashlib.sha256(f"{key} {name}".encode()).digest())
    return [name for name in order if name not in barred]


def text(prompt: str) -> dict[str, Any]:
    """A description of five things, without banned words."""
    told = _FENCED.findall(prompt)
    barred = {line.removeprefix("- ") for line in told[1].splitlines()}
    things = _ranked(prompt, _THINGS, barred)[:5]
    colors = [*_ranked(prompt, _COLORS, barred), "plain", "small", "large", "old", "new"]
    parts = [f"a {color} {thing}" for color, thing in zip(colors, things, strict=False)]
    return {
        "description": " ".join(f"There is {part}." for part in parts),
        "topic_word": things[0],
        "key_words": things[1:],
    }


def checks(prompt: str) -> dict[str, Any]:
    """Whether each thing of a description is there."""
    (said,) = _FENCED.findall(prompt)
    parts = re.findall(r"There is (.*?)\.", said)
    found = []
    for number, part in enumerate(parts):
        options = ["yes", "no"] if number % 2 else ["no", "yes"]
        asked = f"Is there {part} in the picture?"
        found.append({
            "element_type": "object", "element": part, "question": asked, "options": options,
            "answer_index": options.index("yes"),
        })  # fmt: skip
    return {"checks": found}


def question(prompt: str) -> dict[str, Any]:
    """A question whose right option is a confirmed thing."""
    told = _FENCED.findall(prompt)
    name, said = next(found.groups() for line in told[1].splitlines()
                      if (found := _STATEMENT.match(line)))  # fmt: skip
    others = examiner_replies._some(prompt, 3)
    return {
        "question": "Which of these can be seen in the picture?",
        "options": [*others[:1], said, *others[1:]],
        "answer_index": 1,
        "evidence": [name],
    }


def sees(prompt: str, image: bytes) -> dict[str, Any]:
    """The option that a picture shows, of a check."""
    asked, options = _FENCED.findall(prompt)[:2]
    letters = {said: letter for letter, said in _OPTION.findall(options)}
    found = _THERE.match(asked)
    assert found is not None, asked
    shown = read(image).partition(" Plain to see:")[0]
    return {"option": letters["yes" if found[1] in shown else "no"]}


def answer(prompt: str, image: bytes | None) -> str:
    """The letter of the option whose words the picture holds; a guess without one."""
    options = _OPTION.findall(prompt) or re.findall(r"^([A-D])[.)] (.*)$", prompt, re.MULTILINE)
    shown = "" if image is None else read(image)
    right = [letter for letter, said in options if said in shown]
    return right[0] if right else "A"


def reply(prompt: str, image: bytes | None) -> str:
    """Whatever role is asked."""
    if prompt.startswith("You plan an exam"):
        return json.dumps(planner_replies.good(prompt))
    if prompt.startswith("You plan a picture"):
        return json.dumps(text(prompt))
    if prompt.startswith("A text-to-image model was given"):
        return json.dumps(checks(prompt))
    if prompt.startswith("You write one exam question"):
        return json.dumps(question(prompt))
    if prompt.startswith("You answer an exam question"):
        return json.dumps(examiner_replies.good(prompt))
    if prompt.startswith("You look at the picture"):
        assert image is not None
        return json.dumps(sees(prompt, image))
    return answer(prompt, image)
