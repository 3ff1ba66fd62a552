"""Scenes for the tests of the renderers, as rows of the scenes table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from lvlmbench.config import Params, validate
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core import seeding
from lvlmbench.scene.graph import Graph, Object, Person, Setting
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary

ATTRIBUTES = ("color", "number", "age", "gender", "race", "expression")


def vocabulary() -> Vocabulary:
    """The project's own vocabulary."""
    return load_vocabulary(PROJECT_ROOT / "data" / "vocabulary")


@cache
def params(size: int = 128, **more: Any) -> Params:
    """Parameters with this image size."""
    return validate({"snapshot": {"seed": 7}, "render": {"size": size, **more}})


def scene(name: str, label: str, ordinal: int = 0, **more: Any) -> dict[str, Any]:
    """A scene with this foreground; attributes, background, style and text by keyword."""
    attributes = {key: more.pop(key, None) for key in ATTRIBUTES}
    row = {
        "scene_id": seeding.item_id("test", name, label, ordinal),
        "subtask": name,
        "ordinal": ordinal,
        "foreground_list": name,
        "foreground": label,
        "attributes": attributes,
        "background": None,
        "style": None,
        "text": None,
        "prompt": f"a {label}",
        "negative_prompt": "",
        "caption": "",
        "seed": 5 + ordinal,
    } | more
    return row | graph(row)


def graph(row: Mapping[str, Any]) -> dict[str, Any]:
    """The nested columns of a scene by its flat ones."""
    held = {name: (row.get("attributes") or {}).get(name) for name in ATTRIBUTES}
    color, number = held.pop("color"), held.pop("number")
    person = Person(**held) if any(held.values()) else None
    thing = Object(
        "o1", row["foreground_list"], row["foreground"], color=color, count=number, person=person,
        text=row.get("text"),
    )  # fmt: skip
    return Graph((thing,), setting=Setting(row.get("background"), row.get("style"))).row()


def person(ordinal: int = 0, **about: str) -> dict[str, Any]:
    """A scene of the subtask age."""
    about = {"age": "adult", "gender": "male", "race": "medium", "expression": "happy"} | about
    return scene("person", "person", ordinal, subtask="age", **about)


def drawable(name: str) -> list[str]:
    """Labels of a list that the pictograph renderer draws."""
    entries = vocabulary().lists[name].entries
    return [entry.label for entry in entries if "pictograph" in entry.renderers]
