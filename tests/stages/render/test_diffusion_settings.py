"""Settings that a machine or a pipeline cannot follow are one line that says what to do."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import validate
from lvlmbench.core import devices, gpus
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion
from support import tiny_diffusion
from support.diffusion_mistakes import early, late, line_of, of_class, params

pytest.importorskip("diffusers")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that loads."""
    return tiny_diffusion.sdxl(tmp_path_factory.mktemp("weights") / "tiny")


@pytest.fixture
def folder(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it to damage."""
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))
    return Path(shutil.copytree(whole, tmp_path / "copy"))


@pytest.mark.parametrize(
    ("settings", "says", "fix"),
    [
        ({"dtype": "float16"}, "dtype: a CPU does not compute in float16", "write 'auto'"),
        ({"offload": "model"}, "offload: is for GPUs", "write 'none'"),
        ({"attention": "sage"}, "attention: 'sage' is for GPUs", "write 'auto'"),
        ({"refiner": {"model": "SELF"}}, "not a refiner", "or write 'refiner: null'"),
        ({"scheduler": "euler"}, None, None),
    ],
)
def test_settings_that_the_machine_or_the_pipeline_cannot_follow(
    folder: Path, settings: dict[str, Any], says: str | None, fix: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """``device: auto`` on a machine without a GPU: what the parameters alone do not show."""
    from lvlmbench.stages.render.kinds.diffusion.loading import load

    monkeypatch.setattr(gpus, "visible", lambda **_: ())
    if "refiner" in settings:
        settings = {"refiner": {"model": str(folder)}}
    given = params(folder, device="auto", **settings)
    if says is None or fix is None:
        assert load(given).place == devices.Place("cpu", "float32")
        return
    with pytest.raises(UserError) as caught:
        load(given)
    line = line_of(caught.value)
    assert says in line and fix in line.rpartition("; ")[2], line


def test_no_gpu_where_one_is_asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpus, "visible", lambda **_: ())
    assert "render.diffusion: device: there is no GPU that torch can use" in late(
        params(folder, device="cuda")
    )


def test_weights_that_have_no_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from lvlmbench.stages.render.kinds.diffusion import loading

    with monkeypatch.context() as patch:
        patch.setattr(devices, "free_memory", lambda: 1000)
        line = late(params(folder))
        assert "0.0 GiB in float32, and 0.0 GiB of memory are free; free some memory, or" in line

    def full(*_: object, **__: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.\nGPU 0 has")

    monkeypatch.setattr(loading, "load_parts", full)
    line = late(params(folder))
    assert "has no room in memory (CUDA out of memory." in line and "a smaller model" in line


def test_a_compiler_that_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    for name in ("CC", "CXX"):  # where they name a compiler by its path, that one is there
        monkeypatch.delenv(name, raising=False)
    line = late(params(folder, compile=True))
    assert "compile: needs a C compiler" in line and "or write 'compile: false'" in line


def test_compiling_that_fails() -> None:
    """As after a job that was killed while it compiled."""
    from torch._dynamo.exc import TorchDynamoException

    from lvlmbench.stages.render.kinds.diffusion import tuning

    error = TorchDynamoException("ImportError: x.main.so: file too short\n\nSet TORCH_LOGS=")
    line = line_of(tuning.told(error, "here"))  # type: ignore[arg-type]
    assert line.startswith("here: compile: torch could not compile the denoiser (ImportError: x")
    assert "; remove the folder /" in line and "or write 'compile: false'" in line
    other = RuntimeError("shapes do not fit")
    assert tuning.told(other, "here") is other, "a defect keeps its traceback"


@pytest.mark.parametrize(
    ("name", "says", "fix"),
    [
        ("flash", "needs the package flash-attn", "run 'pip install flash-attn', or write 'auto'"),
        ("flash_3", "needs the package flash-attn-3", "or write 'auto'"),
        ("sage", "needs the package sageattention", "or write 'auto'"),
        ("xformers", "needs the package xformers", "or write 'auto'"),
    ],
)
def test_attention_whose_package_is_not_there(
    name: str, says: str, fix: str, tmp_path: Path, folder: Path
) -> None:
    """What is found on a GPU alone, asked of networks on the CPU."""
    import diffusers

    from lvlmbench.stages.render.kinds.diffusion import tuning

    flux = diffusers.FluxTransformer2DModel(
        in_channels=4, num_layers=1, num_single_layers=0, attention_head_dim=4,
        num_attention_heads=1, joint_attention_dim=4, pooled_projection_dim=4,
        axes_dims_rope=(2, 2, 0),
    )  # fmt: skip
    unet = diffusers.UNet2DConditionModel.from_pretrained(folder / "unet")
    settings = params(folder, device="auto", attention=name).render.own(Diffusion)
    place = devices.Place("cuda", "float16")
    pipeline = diffusers.DiffusionPipeline()
    for key, network in (("transformer", flux), ("unet", unet)):
        pipeline.register_modules(**{key: network})
        with pytest.raises(UserError) as caught:
            tuning.set_attention(pipeline, settings, place, "here")
        line = line_of(caught.value)
        if key == "unet" and name != "xformers":
            says, fix = "not for this pipeline's UNet2DConditionModel", "write 'auto', 'native'"
        assert line.startswith("here: attention: ") and says in line and fix in line
        pipeline = diffusers.DiffusionPipeline()
    with pytest.raises(UserError, match="16 bits" if name != "xformers" else "xformers"):
        pipeline.register_modules(unet=unet)
        tuning.set_attention(pipeline, settings, devices.Place("cuda", "float32"), "here")


def test_offloading_needs_accelerate(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    from lvlmbench.stages.render.kinds.diffusion import tuning

    settings = params(folder, device="auto", offload="model").render.own(Diffusion)
    place = devices.Place("cuda", "float16")
    tuning.check_offload(settings, place, "here")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UserError, match="here: offload: needs the package accelerate; run 'pip"):
        tuning.check_offload(settings, place, "here")


def test_a_refiner_is_for_sdxl_alone(folder: Path) -> None:
    of_class("StableDiffusionPipeline")(folder)
    line = early(params(folder, refiner={"model": str(folder)}))
    assert "render.diffusion: refiner: only SDXL has refiners" in line
    of_class("StableDiffusionXLPipeline")(folder)
    line = early(params(folder, refiner={"model": "./none"}))
    assert "diffusion: refiner: model: there is no folder './none'" in line


def test_text_engines_are_looked_for(folder: Path) -> None:
    line = early(params(folder, text={"engine": "textdiffuser2", "model": "gone"}))
    assert "render.diffusion.text: model: there is no folder 'gone'" in line
    with pytest.raises(UserError) as problem:
        params(folder, text={"engine": "quill"})
    line = str(problem.value)
    assert "render.diffusion.text.engine: 'quill' is not known; use one of: comp" in line


def test_reference_models_do_not_judge_what_is_drawn_again(folder: Path) -> None:
    given = params(folder).model_dump(mode="json")
    given["render"]["retries"] = {"attempts": 1, "filters": [{"name": "clip"}]}
    line = early(validate(given, "params.yaml"))
    assert "render.retries.filters: clip: clip: engine: reference_a is ready only after" in line
    assert "write 'engine: ViT-L-14' and 'pretrained: openai'" in line
    gone = {"name": "clip", "clip": {"engine": "local-dir:gone", "threshold": 0.2}}
    given["render"]["retries"]["filters"] = [gone]
    assert "clip: clip: engine: there is no folder 'gone'" in early(validate(given, "params.yaml"))


def test_weights_need_not_be_there_where_nothing_is_drawn() -> None:
    check_names(params("./none"), "mine.yaml", drawing=False)
