"""Sheets of a suite's first scenes with what is asked about them, to be looked at by a person."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.config.shards import subtask_ranges
from lvlmbench.core import seeding
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.render.kinds.pictograph.lettering import font
from lvlmbench.stages.render.renderer import Renderer
from lvlmbench.suites.suite import suite_of

Row = dict[str, Any]

#: Scenes a sheet, and a row.
_SCENES, _COLUMNS = 6, 3
_SIDE, _TEXT, _LINE = 320, 210, 14


def write_sheets(
    params: Params, vocabulary: Vocabulary, renderer: Renderer, folder: Path, key: bool
) -> list[Path]:
    """Write a sheet for each subtask of a suite, with the answers if ``key``; returns the files."""
    written = []
    for subtask, (first, last) in subtask_ranges(params).items():
        suite = suite_of(params)
        scenes = suite.scenes(params, vocabulary, first, min(last, first + _SCENES))
        shown, rows = [], []
        for scene in scenes.to_pylist():
            if renderer.refuses(scene) is None:
                depiction = renderer.draw(scene)
                shown.append((scene, depiction.image))
                image_id = seeding.item_id(scene["scene_id"], CLEAN)
                rows += [
                    instance.row(image_id, scene["scene_id"], number)
                    for number, instance in enumerate(depiction.layout or ())
                ]
        layouts = tables.LAYOUTS.of(rows)
        asked: dict[str, list[Row]] = defaultdict(list)
        questions = tables.of_scenario(suite.questions(params, vocabulary, scenes, layouts))
        for question in questions.to_pylist():
            asked[question["scene_id"]].append(question)
        if shown:
            path = folder / params.suite / f"{subtask}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            _sheet(shown, asked, key).save(path, optimize=True)
            written.append(path)
    return written


def _sheet(
    shown: Sequence[tuple[Row, Image.Image]], asked: dict[str, list[Row]], key: bool
) -> Image.Image:
    """Pictures in rows, the questions below each; 256 colors."""
    rows = -(-len(shown) // _COLUMNS)
    sheet = Image.new("RGB", (_COLUMNS * _SIDE, rows * (_SIDE + _TEXT)), "white")
    pen, letters = ImageDraw.Draw(sheet), font("DejaVuSans", 11)
    for number, (scene, image) in enumerate(shown):
        x, y = number % _COLUMNS * _SIDE, number // _COLUMNS * (_SIDE + _TEXT)
        small = image.resize((_SIDE - 8, _SIDE - 8), Image.Resampling.LANCZOS)
        sheet.paste(small, (x + 4, y + 4))
        at = y + _SIDE
        for line in _lines(scene, asked[scene["scene_id"]], letters, key):
            if at + _LINE <= y + _SIDE + _TEXT:
                pen.text((x + 6, at), line, "black", letters)
            at += _LINE
    return sheet.quantize(256, dither=Image.Dither.NONE)


def _lines(
    scene: Row, questions: Sequence[Row], letters: ImageFont.FreeTypeFont, key: bool
) -> list[str]:
    """What stands below a picture: its level, the questions, their options."""
    width = int((_SIDE - 12) / letters.getlength("x") * 1.06)
    found = [scene["level"]] if scene["level"] else []
    for question in questions:
        found += textwrap.wrap(question["question"], width)
        marks = [
            f"[{option}]" if key and at == question["answer_index"] else option
            for at, option in enumerate(question["options"])
        ]
        if question["question_type"] == "short_answer" and key:
            marks = [f"[{question['answer']}]"]
        found += textwrap.wrap(" · ".join(marks), width)
    return found
