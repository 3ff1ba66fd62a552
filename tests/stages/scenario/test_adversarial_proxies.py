"""Proxies: each kind really loads and is attacked; each mistake is one line, as early as can be."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.stages.reference.encoder import load_open_clip
from lvlmbench.stages.scenario.kinds.adversarial.proxies import load_proxy
from lvlmbench.stages.scenario.kinds.adversarial.proxy import Proxy
from lvlmbench.stages.scenario.kinds.adversarial.settings import Adversarial
from lvlmbench.stages.scenario.scenario import SCENARIOS
from support import tiny_blip, tiny_clip
from support.adversarial_shards import attacked, images, parameters, pixels, shard, told

WHERE = "suites.dysca.scenarios.noisy: adv: adversarial"


@pytest.fixture(scope="module")
def blips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blips")
    for family in tiny_blip.FAMILIES:
        for whole in (True, False):
            tiny_blip.save(folder / f"{family}-{whole}", family, whole=whole)
    return folder


def proxy(name: str, **more: Any) -> Proxy:
    return load_proxy(Adversarial(proxy=name, device="cpu", **more), {}, WHERE)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("family", tiny_blip.FAMILIES)
def test_a_blips_tower_has_its_own_weights(
    blips: Path, family: tiny_blip.Family, whole: bool
) -> None:
    import torch

    loaded = proxy(f"transformers:{blips / f'{family}-{whole}'}")
    made = tiny_blip.model(family, 0).vision_model.eval()
    found = loaded.tower.state_dict()
    assert {name: value.tolist() for name, value in made.state_dict().items()} == {
        name: value.tolist() for name, value in found.items()
    }
    assert loaded.size == (tiny_blip.SIDE, tiny_blip.SIDE) and loaded.texts is None
    seen = loaded.tensor(loaded.seen(Image.fromarray(pixels(3))))[None]
    mean, std = (torch.tensor(v).view(1, 3, 1, 1) for v in tiny_blip.MEAN_STD)
    with torch.no_grad():
        tokens = made(pixel_values=(seen - mean) / std).last_hidden_state
        unit = torch.nn.functional.normalize(tokens, dim=-1)
        vector = loaded.vectors(seen)
    # 16 patches and the mark of the whole, each of length one
    assert unit.shape[1] == 17 and vector.shape == (1, 17 * 32)
    assert torch.allclose(vector, unit.flatten(1) / 17**0.5, atol=1e-6)


@pytest.mark.parametrize("family", tiny_blip.FAMILIES)
def test_a_blips_tower_is_attacked(blips: Path, family: str) -> None:
    name = f"transformers:{blips / f'{family}-True'}"
    params = parameters(proxy=name, device="cpu", epsilon=0.1, step=0.02)
    rows = images(2, 3, 4)
    found = attacked(params, shard(rows))
    again = attacked(params, shard(rows[::-1]))[::-1]
    assert [row["sha256"] for row in found] == [row["sha256"] for row in again]
    for row in found:
        record = told(row)
        assert record["objective"] == "features" and record["proxy"] == name
        assert record["similarity_before"] == 1 and record["similarity_after"] < 0.995
        assert record["loss_after"] > record["loss_before"]


def test_a_model_of_open_clip_is_attacked(tmp_path: Path) -> None:
    name = f"local-dir:{tiny_clip.save_folder(tmp_path / 'clip')}"
    (row,) = attacked(parameters(proxy=name, device="cpu"), shard(images(2)))
    record = told(row)
    assert record["proxy"] == name and record["loss_after"] > record["loss_before"]
    (row,) = attacked(parameters(proxy=name, device="cpu", objective="option"), shard(images(2)))
    assert told(row)["objective"] == "option"


def test_a_proxy_gives_the_encoders_vectors(tmp_path: Path) -> None:

    name = f"local-dir:{tiny_clip.save_folder(tmp_path / 'clip')}"
    loaded, encoder = proxy(name), load_open_clip(name, None, "cpu", WHERE)
    picture = Image.fromarray(pixels(3))
    seen = loaded.tensor(loaded.seen(picture))[None]
    assert loaded.vectors(seen)[0].numpy() == pytest.approx(encoder.images([picture])[0], abs=1e-6)
    assert loaded.texts is not None
    assert (loaded.texts(["a red owl"])[0] == encoder.texts(["a red owl"])[0][0]).all()
    assert np.allclose(loaded.seen(picture) * 255, (loaded.seen(picture) * 255).round())


def _drop(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    state = load_file(folder / "model.safetensors")
    del state["vision_model.encoder.layers.1.mlp.fc1.weight"]
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})


def _declare(folder: Path, key: str, value: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    (config["vision_config"] if key != "model_type" else config)[key] = value
    (folder / "config.json").write_text(json.dumps(config))


def _prepare(folder: Path, **content: Any) -> None:
    (folder / "preprocessor_config.json").write_text(json.dumps(content))


def _cut(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-64])


def _pickle(folder: Path) -> None:
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (_drop, "lack encoder.layers.1.mlp.fc1.weight of the vision tower; give a folder"),
        (lambda f: _declare(f, "hidden_size", 64), "of another size than its config.json says"),
        (lambda f: _declare(f, "model_type", "clip"), "is a clip; give a model of one of: instr"),
        (_cut, "model.safetensors is damaged or cut short"),
        (_pickle, "could not be loaded ("),
        (lambda f: (f / "model.safetensors").unlink(), "could not be loaded ("),
        (lambda f: (f / "config.json").write_text("{"), "could not be loaded ("),
        (lambda f: _prepare(f, size={"height": 48, "width": 48}), "does not simply resize images"),
        (lambda f: _prepare(f, size=32, do_center_crop=True), "does not simply resize images"),
    ],
)
def test_a_damaged_blip_is_one_line(blips: Path, tmp_path: Path, damage: Any, what: str) -> None:
    folder = shutil.copytree(blips / "instructblip-True", tmp_path / "blip")
    damage(folder)
    with pytest.raises(UserError) as error:
        proxy(f"transformers:{folder}")
    assert str(error.value).startswith(f"{WHERE}: proxy: ") and what in str(error.value)
    assert "\n" not in str(error.value)


def test_the_preprocessing_is_the_models_own(blips: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(blips / "blip-2-True", tmp_path / "blip")
    size = {"height": 32, "width": 32}
    _prepare(folder, size=size, resample=2, image_mean=[0.1, 0.2, 0.3], image_std=[0.5] * 3)
    found = proxy(f"transformers:{folder}").preprocessing
    assert (found.mean, found.std) == ((0.1, 0.2, 0.3), (0.5, 0.5, 0.5))
    assert found.interpolation == "bilinear" and found.resize_mode == "squash"


def test_a_hub_that_cannot_be_reached_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import transformers

    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError("no route\nto the hub")

    monkeypatch.setattr(transformers.AutoConfig, "from_pretrained", refuse)
    with pytest.raises(UserError, match=r"'a/b' could not be loaded \(no route to the hub\); give"):
        proxy("transformers:a/b")


def test_a_gpu_that_is_not_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    settings = Adversarial(proxy="transformers:a/b", device="cuda")  # type: ignore[call-arg]
    with pytest.raises(UserError, match="device: there is no GPU"):
        load_proxy(settings, {}, WHERE)


def test_a_proxy_that_crops_is_one_line(tmp_path: Path) -> None:
    folder = tiny_clip.save_folder(tmp_path / "clip")
    config = json.loads((folder / "open_clip_config.json").read_text())
    config["preprocess_cfg"]["resize_mode"] = "shortest"
    (folder / "open_clip_config.json").write_text(json.dumps(config))
    params = parameters(proxy=f"local-dir:{folder}", device="cpu", steps=1)
    assert attacked(params, shard(images(2)))  # square images are not cropped
    rows = images(2)
    from support.adversarial_shards import image

    rows.append(image(3, pixels(3)[:64]))
    with pytest.raises(UserError, match=r"crops or pads images of 96x64 to 32x32 pixels; take squ"):
        attacked(params, shard(rows))


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"epsilon": 0}, "epsilon: should be a number above 0, and 1 at most"),
        ({"epsilon": 1.2}, "epsilon: should be a number above 0, and 1 at most"),
        ({"epsilon": "8/255"}, "epsilon: should be a number .* 8/255 is 0.0313725"),
        ({"epsilon": 0.003}, "epsilon: .*changes no pixel of 8 bits; write 0.00392157"),
        ({"epsilon": True}, "epsilon: .*true and false mean nothing"),
        ({"step": 0.07}, "a step of 0.07 leaps over the whole ball; write at most .*0.0627451"),
        ({"norm": "L1"}, "norm: .*'Linf' or 'L2'"),
        ({"steps": 0}, "steps: "),
        ({"objective": "text"}, "objective: .*'caption', 'option' or 'features'"),
        ({"pretrained": "openai"}, "'pretrained' is of no use to 'reference_a'"),
        ({"proxy": "hf-hub:a/b", "pretrained": "x"}, "'pretrained' is of no use to 'hf-hub:a/b'"),
        ({"proxy": "transformers:a/b", "objective": "caption"}, "write 'objective: features'"),
        ({"proxy": "transformers:a/b", "objective": "option"}, "'transformers:a/b' reads none"),
        ({"proxy": "transformers:a/b", "random_start": False}, "needs 'random_start: true'"),
        ({"objective": "features", "random_start": False}, "needs 'random_start: true'"),
    ],
)
def test_a_bad_value_is_one_line(settings: dict[str, Any], what: str) -> None:
    noisy = {"name": "adv", "kind": "adversarial", "adversarial": settings}
    with pytest.raises(UserError, match=what) as error:
        validate({"scenarios": {"names": ["clean", "adv"], "noisy": [noisy]}})
    assert "scenarios.noisy" in str(error.value) and "\n" not in str(error.value)


def test_what_a_tower_without_texts_does_by_default() -> None:
    assert Adversarial(proxy="transformers:a/b").aim == "features"  # type: ignore[call-arg]


def _check(settings: dict[str, Any], **sections: Any) -> None:
    noisy = {"name": "adv", "kind": "adversarial", "adversarial": settings}
    scenarios = {"names": ["clean", "adv"], "noisy": [noisy]}
    params = validate({"scenarios": scenarios, **sections})
    check = SCENARIOS.get("adversarial", "test").check
    assert check is not None
    check(params, params.scenarios.spec("adv"), "params.yaml: suites.dysca.scenarios.noisy: adv")


@pytest.mark.parametrize(
    ("settings", "sections", "what"),
    [
        ({"proxy": "reference_c"}, {}, "proxy: there is no reference model 'reference_c'; use one"),
        (
            {},
            {"reference": {"models": ["reference_b"]}},
            "'reference_a' is not in reference.models; add refer",
        ),
        (
            {},
            {"render": {"renderer": "diffusion", "diffusion": {"model": "a/b"}}},
            "reference_a has seen nothing but pictographs, and render.renderer is diffusion; write",
        ),
        (
            {},
            {"render": {"fallback": "diffusion", "diffusion": {"model": "a/b"}}},
            "reference_a has seen nothing but pictographs, and render.fallback is diffusion; write",
        ),
        ({"proxy": "ViT-L-15"}, {}, r"there is no proxy 'ViT-L-15'; .* \(did you mean ViT-L-1"),
        ({"proxy": "owl"}, {}, "there is no proxy 'owl'; use one of: reference_a, reference_b, a "),
        ({"proxy": "ViT-L/14"}, {}, "pretrained: 'ViT-L/14' is a name without weights; give a tag"),
        ({"proxy": "local-dir:/no/such"}, {}, "proxy: there is no folder '/no/such'"),
        ({"proxy": "local-dir:."}, {}, "holds no open_clip_config.json"),
        ({"proxy": "transformers:/no/such"}, {}, "'/no/such' is not a folder; give a local folder"),
        ({"proxy": "transformers:."}, {}, r"'\.' has no config.json"),
        (
            {"proxy": "ViT-L-14", "pretrained": "openai"},
            {"render": {"size": 128}},
            "takes 224x224 pixels, and images are drawn with 128; write 'render.size: 224'",
        ),
    ],
)
def test_a_proxy_that_cannot_be_is_told_before_anything_runs(
    settings: dict[str, Any], sections: dict[str, Any], what: str
) -> None:
    with pytest.raises(UserError, match=what) as error:
        _check(settings, **sections)
    assert str(error.value).startswith(f"params.yaml: {WHERE}: ")
    assert "\n" not in str(error.value)


def test_folders_are_measured_before_anything_runs(blips: Path, tmp_path: Path) -> None:
    for family in ("instructblip-True", "instructblip-False"):
        folder = shutil.copytree(blips / family, tmp_path / family)
        _check({"proxy": f"transformers:{folder}"})
        file = folder / "config.json"
        file.write_text(file.read_text().replace('"image_size": 32', '"image_size": 4096'))
        with pytest.raises(UserError, match="takes 4096x4096 pixels, and images are drawn with"):
            _check({"proxy": f"transformers:{folder}"})
    _check({"proxy": "hf-hub:a/b"})
    _check({"proxy": "transformers:a/b"})
    _check({"proxy": "ViT-L-14", "pretrained": "openai"})
