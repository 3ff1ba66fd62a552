"""Realistic images: those in a realistic style, drawn by a renderer that can be realistic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.stages.render.renderer import RENDERERS, is_realistic
from lvlmbench.stages.validity.correlations import correlation_tables
from lvlmbench.stages.validity.rankings import Ranking
from lvlmbench.stages.validity.totals import Images, realistic_scenes, realistic_totals

#: Scene -> its style, who drew it, and whether the answer about it is right.
SCENES = {
    "a": ("sepia photograph", "diffusion", True),
    "b": ("sepia photograph", "diffusion", False),
    "c": ("sepia photograph", "pictograph", True),
    "d": ("mosaic", "diffusion", True),
    "e": ("sepia photograph", "a renderer that is not installed", True),
}


def written(folder: Path, only: str | None = None) -> tuple[list[Path], list[Path]]:
    """Files of scores and of images; ``only``: all of them were drawn by this renderer."""
    scores: list[dict[str, Any]] = []
    images: list[dict[str, Any]] = []
    for scene, (style, renderer, right) in SCENES.items():
        images.append(
            {
                "image_id": f"{scene}-image",
                "scene_id": scene,
                "scenario": "clean",
                "renderer": only or renderer,
            }
        )
        scores.append(
            {
                "model": "m",
                "scenario": "clean",
                "question_id": f"{scene}-question",
                "image_id": f"{scene}-image",
                "scene_id": scene,
                "subtask": "animal",
                "question_type": "multiple_choice",
                "style": style,
                "status": "answered",
                "correct": right,
                "scored": True,
            }
        )
    places = []
    for name, table, rows in (
        ("scores", tables.SCORES, scores),
        ("images", tables.IMAGES, images),
    ):
        place = folder / f"{name}.parquet"
        tables.write(table.filled_up({key: [row[key] for row in rows] for key in rows[0]}),
                     place, table, "x")  # fmt: skip
        places.append([place])
    return places[0], places[1]


def test_the_renderer_declares_it() -> None:
    assert {kind.name: kind.realistic for kind in RENDERERS.ordered()} == {
        "pictograph": False,
        "diffusion": True,
        "openai_images": True,
    }
    assert not is_realistic(None) and not is_realistic("a renderer that is not installed")


def test_a_realistic_style_counts_where_its_renderer_can_be_realistic(tmp_path: Path) -> None:
    scores, images = written(tmp_path)
    scenes = realistic_scenes(images)
    assert scenes == {"a", "b", "d"}
    assert realistic_totals(scores, Images({"sepia photograph"}, scenes)) == ({"m": 50.0}, 2)


def test_pictographs_are_no_realistic_images(tmp_path: Path) -> None:
    scores, images = written(tmp_path, "pictograph")
    scenes = realistic_scenes(images)
    assert realistic_totals(scores, Images({"sepia photograph"}, scenes)) == ({}, 0)


def test_where_none_is_realistic_that_is_said() -> None:
    told = "no realistic image: the renderer draws none"
    params = Params.model_validate({"snapshot": {"name": "x"}})
    ranking = Ranking("B", {"a": 3.0, "b": 2.0, "c": 1.0}, measure="accuracy")
    totals: dict[str, dict[str, float]] = {"all": {"a": 3.0, "b": 1.0, "c": 2.0}, "realistic": {}}
    table, _ = correlation_tables(params, {"accuracy": totals}, [ranking], none={"realistic": told})
    said = {row["styles"]: row["why_not"] for row in table.to_pylist()}
    assert said == {"all": "", "realistic": told}
