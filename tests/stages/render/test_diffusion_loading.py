"""From parameters to a pipeline: what is read, how it samples, and what its version tells."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import Params, validate
from lvlmbench.core import devices, gpus
from lvlmbench.core.devices import Place
from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.diffusion import loading
from lvlmbench.stages.render.kinds.diffusion.loading import Loaded, load
from lvlmbench.stages.render.kinds.diffusion.provenance import libraries
from lvlmbench.stages.render.kinds.diffusion.renderer import few_steps
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion
from support import tiny_diffusion

pytest.importorskip("diffusers")

UNET = "unet/diffusion_pytorch_model.safetensors"


@pytest.fixture(scope="module")
def sdxl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SDXL with plain weights and, of its U-Net, others as variant fp16."""
    folder = tiny_diffusion.sdxl(tmp_path_factory.mktemp("weights") / "tiny")
    other = tiny_diffusion.sdxl(tmp_path_factory.mktemp("other"))
    from safetensors.torch import load_file, save_file

    halves = {name: tensor.half() for name, tensor in load_file(other / UNET).items()}
    halves = {name: tensor * 1.5 for name, tensor in halves.items()}
    save_file(halves, folder / UNET.replace(".", ".fp16.", 1), {"format": "pt"})
    return folder


@pytest.fixture(scope="module")
def refiner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_diffusion.sdxl_refiner(tmp_path_factory.mktemp("refiner"))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))


def params(model: Path | str, size: int = 64, **settings: Any) -> Params:
    about = {"model": str(model), "device": "cpu", "steps": 2} | settings
    return validate({"render": {"renderer": "diffusion", "size": size, "diffusion": about}})


def drawn(loaded: Loaded, steps: int = 3) -> bytes:
    """An image that the pipeline draws by itself, as RGB bytes."""
    import torch

    images = loaded.pipeline(
        prompt="a mug",
        num_inference_steps=steps,
        width=64,
        height=64,
        generator=torch.Generator().manual_seed(1),
    ).images
    content: bytes = images[0].tobytes()
    return content


def test_every_scheduler_samples_its_own_way(sdxl: Path) -> None:
    names = ["default", "ddim", "dpmpp_2m", "dpmpp_2m_karras", "dpmpp_2m_sde_karras"]
    names += ["euler_ancestral", "heun", "unipc"]
    found = {name: load(params(sdxl, scheduler=name)) for name in names}
    assert len({each.version for each in found.values()}) == len(names)
    assert len({drawn(each) for each in found.values()}) == len(names)
    for name, each in found.items():
        assert f" {name} " in each.version
        about = each.provenance["scheduler"]
        assert about["class"] == type(each.pipeline.scheduler).__name__
        assert about["num_train_timesteps"] == 1000
    assert found["ddim"].provenance["scheduler"]["clip_sample"] is False
    # Its own sampler by name draws what it draws by default.
    assert drawn(load(params(sdxl, scheduler="euler"))) == drawn(found["default"])


def test_flow_matching_has_no_diffusion_samplers(tmp_path: Path) -> None:
    folder = tiny_diffusion.sd3(tmp_path / "sd3", t5=False)
    own = load(params(folder))
    assert own.pipeline.text_encoder_3 is None
    assert own.provenance["scheduler"]["class"] == "FlowMatchEulerDiscreteScheduler"
    with pytest.raises(UserError, match=r"scheduler: 'euler' is for diffusion.*write 'default'"):
        load(params(folder, scheduler="euler"))
    with pytest.raises(UserError, match="refiner: only SDXL has refiners"):
        load(params(folder, refiner={"model": str(folder)}))


def test_the_provenance_holds_what_decides_pixels(sdxl: Path) -> None:
    loaded = load(params(sdxl, guidance=7.5))
    about = loaded.provenance
    assert json.loads(json.dumps(about, allow_nan=False)) == about
    hashes = about["files_sha256"]
    for name, sha256 in hashes.items():
        assert hashlib.sha256((sdxl / name).read_bytes()).hexdigest() == sha256
    assert {UNET, "tokenizer/tokenizer.json", "vae/config.json"} < set(hashes)
    assert not any("fp16" in name for name in hashes)
    assert about["model"] == "tiny" and about["commit"] is None and about["refiner"] is None
    assert (about["steps"], about["guidance"], about["size"]) == (2, 7.5, 64)
    assert (about["device"], about["dtype"], about["exact"]) == ("cpu", "float32", True)
    assert {"diffusers", "torch", "transformers", "tokenizers"} <= set(about["libraries"])
    assert str(sdxl) not in json.dumps(about), "where it lies changes no pixel"
    assert len(loaded.version) < 160 and about["weights_sha256"][:12] in loaded.version
    assert "steps=2 guidance=7.5 exact" in loaded.version


def test_a_rehearsal_leaves_the_refiner_a_step() -> None:
    def few(start: float, steps: int = 30) -> int:
        about = {"steps": steps, "refiner": {"start": start}}
        return few_steps(Diffusion.model_validate(about))

    assert few_steps(Diffusion.model_validate({})) == 5 == few(0.1)
    assert few(0.9) >= 10 and few(0.999) == 30 and few(0.9, steps=3) == 3


def test_versions_of_kernels_are_told() -> None:
    settings = Diffusion.model_validate({"attention": "xformers", "compile": True})
    with_kernel = libraries(Place("cpu", "float32"), settings)
    assert "xformers" in with_kernel and "triton" not in with_kernel
    assert "xformers" not in libraries(Place("cpu", "float32"), Diffusion.model_validate({}))


def test_the_version_follows_the_parameters(sdxl: Path) -> None:
    settings: list[dict[str, Any]] = [
        {},
        {"steps": 3},
        {"guidance": 2},
        {"size": 128},
        {"dtype": "bfloat16"},
        {"exact": False},
        {"exact": False, "batch_size": 2},
        {"channels_last": False},
        {"attention": "math"},
        {"vae_tiling": True},
        {"variant": "fp16"},
    ]
    versions = [load(params(sdxl, **each)).version for each in settings]
    assert len(set(versions)) == len(settings)
    assert versions[0] == load(params(sdxl)).version


def test_the_version_follows_the_weights_that_are_read(sdxl: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(sdxl, tmp_path / "tiny"))
    before = load(params(folder))
    assert before.version == load(params(sdxl)).version
    (folder / "sd_xl_base_1.0.safetensors").write_bytes(b"all in one")
    (folder / "README.md").write_text("about it")
    other = folder / UNET.replace(".", ".fp16.", 1)
    other.write_bytes(b"not read")
    assert load(params(folder)).version == before.version
    content = bytearray((folder / UNET).read_bytes())
    content[-2] ^= 1
    (folder / UNET).write_bytes(content)
    after = load(params(folder))
    assert after.version != before.version
    changed = {
        name
        for name, sha256 in after.provenance["files_sha256"].items()
        if sha256 != before.provenance["files_sha256"][name]
    }
    assert changed == {UNET}


def test_a_variant_is_what_is_read(sdxl: Path) -> None:
    plain, half = load(params(sdxl)), load(params(sdxl, variant="fp16"))
    names = set(half.provenance["files_sha256"])
    assert UNET not in names and UNET.replace(".", ".fp16.", 1) in names
    assert "vae/diffusion_pytorch_model.safetensors" in names, "it has no such variant"
    both = (each.pipeline.unet.conv_in.weight.detach() for each in (half, plain))
    ratio = next(both) / next(both)
    assert abs(float(ratio.mean()) - 1.5) < 0.01


def test_a_hub_id_that_is_in_the_cache(
    sdxl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there whole is taken without a word to the hub, and its commit is recorded."""
    import huggingface_hub
    from huggingface_hub import constants

    commit = "0123456789abcdef0123456789abcdef01234567"
    root = tmp_path / "models--owner--name"
    (root / "refs").mkdir(parents=True)
    (root / "refs" / "main").write_text(commit)
    shutil.copytree(sdxl, root / "snapshots" / commit)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(huggingface_hub, "model_info", None)
    found = load(params("owner/name"))
    assert (found.provenance["model"], found.provenance["commit"]) == ("owner/name", commit)
    pinned = load(params("owner/name", revision=commit))
    assert pinned.version == found.version
    local = load(params(sdxl))
    assert local.provenance["weights_sha256"] == found.provenance["weights_sha256"]


def test_a_refiner_shares_what_is_the_same(sdxl: Path, refiner: Path, tmp_path: Path) -> None:
    alone = load(params(sdxl))
    same = load(params(sdxl, refiner={"model": str(refiner), "start": 0.7}))
    assert same.refiner is not None and "+refiner" in same.version
    assert same.refiner.vae is same.pipeline.vae
    assert same.refiner.unet is not same.pipeline.unet
    assert same.provenance["refiner"]["start"] == 0.7
    other = Path(shutil.copytree(refiner, tmp_path / "refiner"))
    file = other / "vae" / "diffusion_pytorch_model.safetensors"
    content = bytearray(file.read_bytes())
    content[-2] ^= 1
    file.write_bytes(content)
    both = load(params(sdxl, refiner={"model": str(other), "start": 0.7}))
    assert both.refiner is not None and both.refiner.vae is not both.pipeline.vae
    later = load(params(sdxl, refiner={"model": str(other), "start": 0.8}))
    assert len({each.version for each in (alone, both, same, later)}) == 4


def test_the_pipelines_own_safety_checker_is_left_off(tmp_path: Path) -> None:
    folder = tiny_diffusion.sd15(tmp_path / "sd15")
    index = json.loads((folder / "model_index.json").read_text())
    index["safety_checker"] = ["stable_diffusion", "StableDiffusionSafetyChecker"]
    index["feature_extractor"] = ["transformers", "CLIPImageProcessor"]
    index["requires_safety_checker"] = True
    (folder / "model_index.json").write_text(json.dumps(index))
    loaded = load(params(folder))
    assert loaded.pipeline.safety_checker is None
    assert loaded.provenance["left_off"] == ["safety checker", "watermark"]
    assert len(drawn(loaded)) == 64 * 64 * 3


def test_loading_says_nothing(sdxl: Path, capfd: pytest.CaptureFixture[str]) -> None:
    drawn(load(params(sdxl, attention="native", scheduler="ddim")))
    assert "".join(capfd.readouterr()) == ""


def test_exact_drawing_leaves_the_workspaces_of_cublas_to_torch(
    sdxl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the variable is set, torch parses it at each product: SDXL took twice as long."""
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG", raising=False)
    assert load(params(sdxl)).provenance["exact"] is True
    assert "CUBLAS_WORKSPACE_CONFIG" not in os.environ


def test_precision_on_a_gpu_follows_the_kind_of_network(
    sdxl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decided without a GPU: U-Nets in float16, others need the range of bfloat16."""
    import torch

    from lvlmbench.stages.render.kinds.diffusion.files import look

    monkeypatch.setattr(torch.backends.cuda, "is_built", lambda: True)
    old, new = gpus.Gpu("0", "GPU-a", (7, 5)), gpus.Gpu("1", "GPU-b", (9, 0))
    unet = look(sdxl, None, "tiny", "here")

    def place(dtype: str, *seen: gpus.Gpu, flow: bool = False) -> Place:
        monkeypatch.setattr(gpus, "visible", lambda: seen)
        settings = params(sdxl, device="auto", dtype=dtype).render.own(Diffusion)
        parts = tuple(part for part in unet.parts if part.name != "unet")
        files = type(unet)(unet.folder, unet.kind, parts, ()) if flow else unet
        return loading._place(settings, files)

    assert place("auto", new) == place("auto", old) == Place("cuda", "float16")
    assert place("auto", new, flow=True) == Place("cuda", "bfloat16")
    assert place("auto", old, flow=True) == Place("cuda", "float32")
    assert place("auto") == place("auto", flow=True) == Place("cpu", "float32")
    assert place("bfloat16") == Place("cpu", "bfloat16")
    with pytest.raises(UserError, match="does not compute in bfloat16"):
        place("bfloat16", old)
    with pytest.raises(UserError, match="a CPU does not compute in float16"):
        place("float16")


def test_what_overflows_in_float16_decodes_in_float32(sdxl: Path) -> None:
    import torch

    vae = load(params(sdxl)).pipeline.vae.half()
    vae.register_to_config(force_upcast=False)
    loading._upcast(vae, Place("cuda", "float16"))
    assert vae.dtype == torch.float16
    vae.register_to_config(force_upcast=True)
    loading._upcast(vae, Place("cuda", "float16"))
    assert vae.dtype == torch.float32


def test_exactness_is_set_for_the_process(sdxl: Path) -> None:
    import torch

    loose = load(params(sdxl, exact=False, attention="math"))
    assert torch.backends.cudnn.benchmark and torch.backends.cudnn.allow_tf32
    assert not torch.backends.cuda.flash_sdp_enabled()
    assert loose.provenance["deterministic"] is False
    exact = load(params(sdxl))
    assert not torch.backends.cudnn.benchmark and not torch.backends.cudnn.allow_tf32
    assert torch.backends.cudnn.deterministic and torch.backends.cuda.flash_sdp_enabled()
    assert exact.provenance["deterministic"] is True and exact.provenance["tf32"] is False


def test_memory_is_counted_from_the_files(sdxl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load(params(sdxl))
    modules = [m for m in loaded.pipeline.components.values() if hasattr(m, "parameters")]
    numbers = sum(p.numel() for module in modules for p in module.parameters())
    monkeypatch.setattr(devices, "free_memory", lambda: numbers * 4 - 1000)
    with pytest.raises(UserError, match="memory are free"):
        load(params(sdxl))
    monkeypatch.setattr(devices, "free_memory", lambda: numbers * 4 + 100_000)
    load(params(sdxl))
