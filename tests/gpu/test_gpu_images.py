"""What looks at images on a GPU: adversarial proxies, the CLIP filter, the safety checker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.stages.filter.filter import FILTERS, verdict_rows
from lvlmbench.stages.reference.encoder import load_open_clip
from support import tiny_blip, tiny_clip
from support.adversarial_shards import attacked, difference, images, parameters, scene, shard, told


@pytest.fixture(scope="module")
def proxies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A CLIP and two towers of transformers."""
    top = tmp_path_factory.mktemp("proxies")
    made = {"clip": f"local-dir:{tiny_clip.save_folder(top / 'clip')}"}
    for family in tiny_blip.FAMILIES:
        made[family] = f"transformers:{tiny_blip.save(top / family, family)}"
    return made


@pytest.mark.parametrize("norm", ["Linf", "L2"])
@pytest.mark.parametrize("name", ["clip", *tiny_blip.FAMILIES])
def test_an_attack_on_a_gpu_stays_within_its_bound_and_succeeds(
    proxies: dict[str, str], name: str, norm: str
) -> None:
    epsilon = 0.1 if norm == "Linf" else 1.0
    more = {"proxy": proxies[name], "norm": norm, "epsilon": epsilon, "step": epsilon / 5}
    some = shard(images(2, 3, 4, 5, 6))
    rows = attacked(parameters(**more, device="cuda", batch_size=2), some)
    assert len(rows) == 5
    here = attacked(parameters(**more, device="cpu"), some)
    for row, other in zip(rows, here, strict=True):
        record = told(row)
        assert record["loss_after"] > record["loss_before"] and record["epsilon"] <= epsilon
        assert record["loss_before"] == pytest.approx(told(other)["loss_before"], abs=1e-5)
        assert record["loss_after"] == pytest.approx(told(other)["loss_after"], rel=0.05)
        assert np.abs(difference(row)).max() > 0


def test_the_clip_filter_gives_the_cpus_scores(proxies: dict[str, str]) -> None:
    def scores(device: str, batch_size: int) -> list[float]:
        about = {"engine": proxies["clip"], "threshold": -1, "device": device, "text": "caption"}
        about["batch_size"] = batch_size
        spec = FilterSpec.model_validate({"name": "clip", "kind": "clip", "clip": about})
        some = shard(images(*range(2, 12)))
        rows = verdict_rows(
            FILTERS.get("clip", "here")(Params(), spec, {}), some.images, some.scenes
        )
        return [row["score"] for row in rows]

    here = scores("cpu", 32)
    for size in (1, 4, 32):
        assert scores("cuda", size) == pytest.approx(here, abs=2e-6)


def test_vectors_are_those_of_the_cpu(proxies: dict[str, str]) -> None:
    def vectors(device: str) -> Any:
        encoder = load_open_clip(proxies["clip"], None, device, "here")
        texts = encoder.texts([scene(n)["caption"] for n in range(5)])[0]
        return np.concatenate([encoder.images(tiny_clip.pictures(9)), texts])

    assert np.abs(vectors("cuda") - vectors("cpu")).max() < 1e-6


def test_the_safety_checker_looks_on_the_gpu(tmp_path: Path) -> None:
    pytest.importorskip("diffusers")
    from diffusers.pipelines.stable_diffusion.safety_checker import StableDiffusionSafetyChecker
    from transformers import CLIPConfig, CLIPImageProcessor

    from lvlmbench.stages.filter.safety.kinds.checker import SafetyChecker

    tiny: dict[str, Any] = {
        "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1,
        "num_attention_heads": 2,
    }  # fmt: skip
    text = {"vocab_size": 50, "max_position_embeddings": 8, "bos_token_id": 0, "eos_token_id": 1}
    config = CLIPConfig(
        vision_config=tiny | {"image_size": 32, "patch_size": 8},
        text_config=tiny | text,
        projection_dim=8,
    )
    made = StableDiffusionSafetyChecker(config)
    for weight in (made.concept_embeds, made.special_care_embeds):
        weight.data.normal_()
    made.save_pretrained(tmp_path)
    size = {"height": 32, "width": 32}
    CLIPImageProcessor(size={"shortest_edge": 32}, crop_size=size).save_pretrained(tmp_path)
    checker = SafetyChecker(str(tmp_path), "here")
    assert checker._device == "cuda"
    some = tiny_clip.pictures(4)
    there = [checker.score(picture) for picture in some]
    checker._device = "cpu"
    checker._checker.cpu()
    assert there == pytest.approx([checker.score(picture) for picture in some], abs=2e-6)
