"""Contact sheets: what the renderer draws for each label, to be looked at by a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from PIL import Image, ImageDraw

from lvlmbench.config import Params
from lvlmbench.core import seeding
from lvlmbench.scene.graph import Graph, Object, Person, Setting
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.render.kinds.pictograph import backgrounds, people, styles
from lvlmbench.stages.render.kinds.pictograph.lettering import font
from lvlmbench.stages.render.renderer import Renderer, Scene

#: Lists whose entries are foregrounds by themselves.
_THINGS = ("animal", "object", "plant", "food", "clothes", "landmark", "action", "profession")

_CAPTION = 18
_COLUMNS = 8


def file_name(label: str) -> str:
    """A label as a file name."""
    return re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_") + ".png"


class Sheets:
    """Plans and draws contact sheets with a real renderer."""

    def __init__(self, params: Params, vocabulary: Vocabulary, renderer: Renderer) -> None:
        self._params, self._vocabulary, self._renderer = params, vocabulary, renderer
        self._thumbnail = min(params.render.size, 192)

    def _labels(self, name: str) -> list[str]:
        entries = self._vocabulary.lists[name].entries
        return [e.label for e in entries if "pictograph" in e.renderers]

    def _scene(
        self, subtask: str, thing: Object, number: int, setting: Setting | None = None
    ) -> Scene:
        name = (subtask, thing.list, thing.label, number)
        return {
            "scene_id": seeding.item_id(self._params.snapshot.seed, "contact sheet", *name),
            "subtask": subtask,
            **Graph((thing,), setting=setting or Setting()).row(),
        }

    def _people(self, subtask: str) -> Iterator[tuple[str, Scene]]:
        number = 0
        for race in self._labels("race"):
            for age in people.AGES:
                for gender in self._labels("gender"):
                    expression = people.EXPRESSIONS[number % 3]
                    about = Person(age, gender, race, expression)
                    thing = Object("o1", PERSON, PERSON, person=about)
                    yield (
                        f"{age} {gender} {race} {expression}",
                        self._scene(subtask, thing, number),
                    )
                    number += 1

    def _things(self, number: int, count: int) -> Iterator[tuple[str, str]]:
        """``count`` (list, label) pairs from all over the vocabulary."""
        for i in range(count):
            name = _THINGS[(i + number) % len(_THINGS)]
            labels = self._labels(name)
            yield name, labels[(7 * number + 13 * i) % len(labels)]

    def subtask(self, subtask: str) -> Iterator[tuple[str, Scene]]:
        """(caption, scene) of everything that a subtask shows."""
        words = self._vocabulary.words
        if subtask in _THINGS:
            for i, label in enumerate(self._labels(subtask)):
                yield label, self._scene(subtask, Object("o1", subtask, label), i)
        elif subtask in ("age", "gender", "race", "expression"):
            yield from self._people(subtask)
        elif subtask == "color":
            colors = self._labels("color")
            things = [
                e.label for e in self._vocabulary.lists["object"].entries if e.extra.get("recolor")
            ]
            for i, label in enumerate(things):
                for j in range(2):
                    color = colors[(2 * i + j) % len(colors)]
                    scene = self._scene(subtask, Object("o1", "object", label, color=color), j)
                    yield f"{color} {label}", scene
        elif subtask == "text":
            for i, label in enumerate(self._labels("carrier")):
                word = words[(997 * i) % len(words)]
                written = Object("o1", "carrier", label, text=word)
                yield f"{label}: {word}", self._scene(subtask, written, i)
        elif subtask == "background":
            for i, label in enumerate(backgrounds.LABELS):
                name, thing = next(self._things(i, 1))
                yield label, self._scene(subtask, Object("o1", name, thing), i, Setting(label))
        elif subtask == "style":
            for i, label in enumerate(styles.LABELS):
                name, thing = next(self._things(i, 1))
                behind = backgrounds.LABELS[(3 * i) % len(backgrounds.LABELS)]
                setting = Setting(behind, label)
                scene = self._scene(subtask, Object("o1", name, thing), i, setting)
                yield label, scene

    def style(self, label: str) -> Iterator[tuple[str, Scene]]:
        """(caption, scene) of one style: things on backgrounds, a person, a word."""
        number = styles.LABELS.index(label)
        for i, (name, thing) in enumerate(self._things(number, 10)):
            behind = backgrounds.LABELS[(number + 5 * i) % len(backgrounds.LABELS)]
            yield (
                f"{thing}, {behind}",
                self._scene("style", Object("o1", name, thing), i, Setting(behind, label)),
            )
        for caption, scene in (*list(self._people("age"))[number % 6 :: 17][:1],
                               *list(self.subtask("text"))[number % 9 :: 11][:1]):  # fmt: skip
            yield caption, dict(scene) | {"setting": {**scene["setting"], "style": label}}

    def background(self, label: str) -> Iterator[tuple[str, Scene]]:
        """(caption, scene) of one background, in the styles in turn and without."""
        number = backgrounds.LABELS.index(label)
        for i, (name, thing) in enumerate(self._things(number, 8)):
            style = styles.LABELS[(number + i) % len(styles.LABELS)] if i >= 4 else None
            yield (
                f"{thing}{', ' + style if style else ''}",
                self._scene("background", Object("o1", name, thing), i, Setting(label, style)),
            )

    def draw(self, items: Iterable[tuple[str, Scene]]) -> Image.Image:
        """Labelled thumbnails side by side."""
        cells = list(items)
        side, columns = self._thumbnail, min(_COLUMNS, max(len(cells), 1))
        rows = -(-len(cells) // columns)
        sheet = Image.new("RGB", (columns * side, max(rows, 1) * (side + _CAPTION)), "white")
        pen, letters = ImageDraw.Draw(sheet), font("DejaVuSans", 11)
        for i, (caption, scene) in enumerate(cells):
            x, y = i % columns * side, i // columns * (side + _CAPTION)
            reason = self._renderer.refuses(scene)
            if reason is None:
                image = self._renderer.draw(scene).image
                sheet.paste(image.resize((side, side), Image.Resampling.BOX), (x, y))
            shown = caption if reason is None else reason
            while letters.getlength(shown) > side - 4:
                shown = shown.removesuffix("…")[:-1].rstrip() + "…"
            pen.text((x + 2, y + side + 2), shown, "black", letters)
        return sheet


def write_sheets(sheets: Sheets, subtasks: Iterable[str], folder: Path) -> list[Path]:
    """Write every sheet below ``folder``; returns the files."""
    plans: list[tuple[Path, Iterator[tuple[str, Scene]]]] = []
    for subtask in subtasks:
        plans.append((folder / "subtasks" / file_name(subtask), sheets.subtask(subtask)))
    for label in styles.LABELS:
        plans.append((folder / "styles" / file_name(label), sheets.style(label)))
    for label in backgrounds.LABELS:
        plans.append((folder / "backgrounds" / file_name(label), sheets.background(label)))
    written = []
    for path, items in plans:
        cells = list(items)
        if not cells:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        sheets.draw(cells).save(path)
        written.append(path)
    return written
