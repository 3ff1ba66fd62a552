"""Made shards, and tiny proxies with random weights, for tests of the adversarial scenario."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.core import torchvision_hook
from lvlmbench.stages.scenario.scenario import SCENARIOS, Row, Shard
from support import tiny_clip

SIDE = 96
_NONE = dict.fromkeys(("color", "number", "age", "gender", "race", "expression"))
_ANIMALS = ("owl", "fox", "duck", "crab", "frog")
_WORDS = sorted({*tiny_clip.WORDS, *_ANIMALS, "A", "animal", "mosaic", "style", ":", ",", "."})


def save_reference(folder: Path) -> Path:
    """A residual network like reference_a, far smaller, that reads 32 pixels."""
    torchvision_hook.install()
    import open_clip
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True)
    declared = tiny_clip.config(tiny_clip.save_words(folder, _WORDS), 8, hf=True)
    declared["model_cfg"]["vision_cfg"] = {
        "image_size": 32,
        "layers": [1, 1, 1, 1],
        "width": 16,
        "head_width": 16,
    }
    (folder / "open_clip_config.json").write_text(json.dumps(declared))
    torch.manual_seed(0)
    state = open_clip.CLIP(**declared["model_cfg"]).state_dict()
    save_file(state, folder / "open_clip_model.safetensors")
    (folder / "calibration.json").write_text("{}")
    return folder


def parameters(render: Any = None, **settings: Any) -> Params:
    """Parameters whose one scenario has these settings."""
    noisy = {"name": "adv", "kind": "adversarial", "adversarial": settings}
    return validate(
        {
            "snapshot": {"seed": 3},
            "corpus": {"scenes_per_subtask": 3, "subtasks": ["animal"]},
            "scenarios": {"names": ["clean", "adv"], "noisy": [noisy]},
            **({"render": render} if render else {}),
        }
    )


def pixels(number: int, side: int = SIDE) -> npt.NDArray[np.uint8]:
    """Black, white, and from then on blocks of color under noise."""
    if number < 2:
        return np.full((side, side, 3), 255 * number, np.uint8)
    draw = np.random.default_rng(number)
    ground = np.kron(draw.integers(0, 256, (4, 4, 3)), np.ones((side // 4, side // 4, 1)))
    return np.clip(ground + draw.integers(-9, 10, ground.shape), 0, 255).astype(np.uint8)


def image(number: int, picture: npt.NDArray[np.uint8]) -> Row:
    """A row of the clean images."""
    out = io.BytesIO()
    Image.fromarray(picture).save(out, "PNG")
    data = out.getvalue()
    return {
        "image_id": f"i{number}",
        "scene_id": f"s{number}",
        "scenario": "clean",
        "image": {"bytes": data, "path": f"i{number}.png"},
        "width": picture.shape[1],
        "height": picture.shape[0],
        "sha256": hashlib.sha256(data).hexdigest(),
        "renderer": "made",
        "renderer_version": "1",
        "seed": number,
    }


def scene(number: int) -> Row:
    """A row of the scenes: an animal in a style."""
    animal = _ANIMALS[number % len(_ANIMALS)]
    return {
        "scene_id": f"s{number}",
        "subtask": "animal",
        "foreground_list": "animal",
        "foreground": animal,
        "attributes": _NONE,
        "style": "mosaic",
        "caption": f"A {animal}, in mosaic style.",
    }


def question(number: int) -> Row:
    """A row of the questions: multiple choice about the animal."""
    answer = _ANIMALS[number % len(_ANIMALS)]
    return {
        "question_id": f"q{number}",
        "scene_id": f"s{number}",
        "subtask": "animal",
        "question_type": "multiple_choice",
        "options": sorted(_ANIMALS[:4] if answer in _ANIMALS[:4] else _ANIMALS[1:]),
        "answer": answer,
    }


def shard(rows: list[Row], questions: list[Row] | None = None) -> Shard:
    """The shard of these clean images with their scenes and questions."""
    numbers = [int(row["scene_id"][1:]) for row in rows]
    asked = [question(n) for n in numbers] if questions is None else questions
    return Shard(
        images=tables.IMAGES.of(rows),
        scenes=tables.SCENES.of([scene(n) for n in numbers]),
        questions=tables.QUESTIONS.of(asked),
        around=tables.IMAGES.empty_table(),
    )


def images(*numbers: int, side: int = SIDE) -> list[Row]:
    """Clean images with these numbers."""
    return [image(n, pixels(n, side)) for n in numbers]


def attacked(params: Params, of: Shard, **weights: Path) -> list[Row]:
    """The rows that the scenario makes."""
    spec = params.scenarios.spec("adv")
    return list(SCENARIOS.get("adversarial", "test").make(params, spec, weights).apply(of))


def told(row: Row) -> dict[str, Any]:
    """The record of what was done, its parameters read."""
    done = row["perturbation"]
    found: dict[str, Any] = {**done, **json.loads(done["parameters"])}
    return found


def difference(row: Row) -> npt.NDArray[np.int64]:
    """What the stored bytes differ by from the clean image that :func:`pixels` makes."""
    stored = np.asarray(Image.open(io.BytesIO(row["image"]["bytes"])).convert("RGB"))
    clean = pixels(int(row["scene_id"][1:]), stored.shape[0])
    return stored.astype(np.int64) - clean
