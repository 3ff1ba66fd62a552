"""The safety filter with the checker of Stable Diffusion, on small weights, and its script."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.core import torchvision_hook
from lvlmbench.core.errors import UserError
from lvlmbench.stages.filter.filter import Verdict
from lvlmbench.stages.filter.kinds.safety import make
from lvlmbench.stages.filter.safety.kinds.checker import MARGIN, SafetyChecker
from support.one_line import assert_one_line
from support.safety_rows import in_the_lock, judged, made, noise, one_line, row

TINY = {
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
}


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checker of two dozen small tensors whose concepts some pictures show and others do not."""
    torchvision_hook.install()
    import torch
    from diffusers.pipelines.stable_diffusion.safety_checker import StableDiffusionSafetyChecker
    from transformers import CLIPConfig, CLIPImageProcessor

    config = CLIPConfig(
        vision_config=TINY | {"image_size": 32, "patch_size": 8},
        text_config=TINY
        | {"vocab_size": 50, "max_position_embeddings": 8, "bos_token_id": 0, "eos_token_id": 1},
        projection_dim=8,
    )
    model = StableDiffusionSafetyChecker(config)
    processor = CLIPImageProcessor(
        size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}
    )
    pixels = processor(images=[noise(i) for i in range(60)], return_tensors="pt")["pixel_values"]
    random = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(torch.randn(weight.shape, generator=random) * 0.3)
        unit = torch.nn.functional.normalize
        seen = unit(model.visual_projection(model.vision_model(pixels).pooler_output))
        for name, above in (("concept_embeds", 2.4), ("special_care_embeds", 1.5)):
            cosines = seen @ unit(getattr(model, name)).T
            limits = cosines.mean(0) + above * cosines.std(0)
            getattr(model, f"{name}_weights").copy_(limits)
    folder = tmp_path_factory.mktemp("checker")
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def test_verdicts_are_those_of_the_checker(checker: Path) -> None:
    from diffusers.pipelines.stable_diffusion.safety_checker import StableDiffusionSafetyChecker
    from transformers import CLIPImageProcessor

    pictures = [noise(i) for i in range(60)]
    model = StableDiffusionSafetyChecker.from_pretrained(checker).eval()
    pixels = CLIPImageProcessor.from_pretrained(checker)(images=pictures, return_tensors="pt")
    _, unsafe = model(pixels["pixel_values"], [np.zeros((2, 2, 3))] * len(pictures))
    judge = made(engine="safety_checker", model=str(checker))
    verdicts = judged(judge, [row(picture, i) for i, picture in enumerate(pictures)])
    assert [not verdict.keep for verdict in verdicts] == unsafe
    assert 5 < sum(unsafe) < 55  # both kinds are there
    for verdict in verdicts:
        assert verdict.threshold == MARGIN and verdict.reason == (
            None if verdict.keep else "unsafe"
        )
        assert verdict.score is not None and -2 <= verdict.score <= 2
    assert judged(judge, [row(pictures[7])]) == [verdicts[7]]
    assert judged(judge, [row(b"x")]) == [Verdict(keep=False, reason="undecodable")]


def test_special_care_lowers_the_limits(checker: Path) -> None:
    import torch

    careful = SafetyChecker(str(checker), "here")
    careless = SafetyChecker(str(checker), "here")
    with torch.no_grad():
        careful._checker.special_care_embeds_weights.fill_(-1)  # near whatever is seen
        careless._checker.special_care_embeds_weights.fill_(1)
    for i in range(5):
        assert careful.score(noise(i)) == pytest.approx(careless.score(noise(i)) + 0.01, abs=2e-6)


def _cut(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[: weights.stat().st_size // 2])


def _other_size(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"projection_dim": 12}))


def _other_model(folder: Path) -> None:
    from transformers import CLIPVisionConfig, CLIPVisionModel

    CLIPVisionModel(CLIPVisionConfig(**TINY, image_size=32, patch_size=8)).save_pretrained(folder)


def _no_numbers(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    weights["visual_projection.weight"].fill_(float("nan"))
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def _pickle(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'true'\ntR.")


@pytest.mark.parametrize(
    ("damage", "part"),
    [
        (lambda folder: shutil.rmtree(folder), "is not a folder"),
        (lambda folder: (folder / "config.json").unlink(), "has no config.json"),
        (lambda folder: (folder / "config.json").write_text("{"), "could not be loaded"),
        (lambda folder: (folder / "preprocessor_config.json").unlink(), "out of the pipeline's"),
        (lambda folder: (folder / "model.safetensors").unlink(), "no file named model.safetensors"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b""), "could not be loaded"),
        (_cut, "could not be loaded"),
        (_other_size, "of another size"),
        (_other_model, "is no safety checker: its weights lack concept_embeds"),
        (_no_numbers, "scores that are no number"),
        (_pickle, "pytorch_model.bin is damaged, or holds more than weights"),
    ],
)
def test_a_folder_that_is_no_checker_is_one_line(
    checker: Path, tmp_path: Path, damage: Callable[[Path], None], part: str
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(checker, folder)
    damage(folder)
    with pytest.raises(UserError) as problem:
        judged(made(engine="safety_checker", model=str(folder)), [row(noise(1))])
    one_line(problem, "filter.filters: safety: safety: model: ", part, "; ")


def test_diffusers_that_is_not_installed_is_one_line(
    checker: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [n for n in sys.modules if n.partition(".")[0] == "diffusers"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "diffusers", None)
    with pytest.raises(UserError) as problem:
        judged(made(engine="safety_checker", model=str(checker)), [row(noise(1))])
    one_line(problem, "safety: model: diffusers is not installed")
    in_the_lock(root, str(problem.value), "diffusers")


# --- the script ----------------------------------------------------------------------------------


@pytest.mark.long
def test_the_script_writes_verdicts_and_a_mistake_is_one_line(
    checker: Path, tmp_path: Path, run_python: Callable[..., Any], root: Path
) -> None:
    rows = [row(noise(i), i) for i in range(6)] + [row(b"x", 6)]
    rows += [row(noise(7), 7, renderer="pictograph")]
    given = {"subtask": "animal", "foreground_list": "animal", "foreground": "owl"}
    given |= {"style": "pixel art", "caption": "an owl"}
    scenes = [{"scene_id": f"s{i}", "ordinal": i, **given} for i in range(8)]
    tables.write_rows(rows, tmp_path / "images.parquet", tables.IMAGES, "test")
    tables.write_rows(scenes, tmp_path / "scenes.parquet", tables.SCENES, "test")

    def run(model: Path) -> Any:
        settings = {"engine": "safety_checker", "model": str(model)}
        spec = {"name": "decent", "kind": "safety", "safety": settings}
        (tmp_path / "config.json").write_text(json.dumps({"filter": {"filters": [spec]}}))
        return run_python(
            root / "scripts" / "filter.py", "--config", tmp_path / "config.json",
            "--filter", "decent", "--images", tmp_path / "images.parquet",
            "--scenes", tmp_path / "scenes.parquet", "--out", tmp_path / "out.parquet",
        )  # fmt: skip

    assert_one_line(run(tmp_path / "gone"), "decent: safety: model: ", "is not a folder")
    done = run(checker)
    assert done.returncode == 0, done.stderr
    written = tables.read([tmp_path / "out.parquet"], tables.VERDICTS).to_pylist()
    here = judged(make(Params(), _spec(checker), {}), rows)
    assert [(v["keep"], v["reason"], v["score"]) for v in written] == [
        (v.keep, v.reason, v.score) for v in here
    ]
    assert {v["filter"] for v in written} == {"decent"}
    assert (written[6]["reason"], written[7]["score"]) == ("undecodable", None)


def _spec(checker: Path) -> FilterSpec:
    settings = {"engine": "safety_checker", "model": str(checker)}
    return FilterSpec.model_validate({"name": "decent", "kind": "safety", "safety": settings})
