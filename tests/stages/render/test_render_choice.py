"""What ``render.renderer: auto`` stands for, and how it says so."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import Params, validate
from lvlmbench.core import gpus
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from lvlmbench.stages.render.choice import Choice, chosen, resolved
from lvlmbench.stages.render.kinds.diffusion import machine
from support import tiny_diffusion
from support.one_line import Command

pytest.importorskip("diffusers")


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_diffusion.sdxl(tmp_path_factory.mktemp("weights"))


@pytest.fixture(autouse=True)
def _a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with a GPU and a torch that can use it."""
    monkeypatch.setattr(gpus, "visible", lambda **_: (gpus.Gpu("0", "0"),))
    monkeypatch.setattr(machine, "_cpu_build", lambda: False)
    machine._lacks.cache_clear()


def params(model: Path | str, renderer: str = "auto", **settings: Any) -> Params:
    render = {"renderer": renderer, "diffusion": {"model": str(model), **settings}}
    answer = {"models": [{"name": "chance", "engine": "chance"}]}
    filters = {"filters": [{"name": "safety"}]}
    return validate({"render": render, "answer": answer, "filter": filters}, "params.yaml")


def test_weights_and_a_gpu_are_all_it_takes(weights: Path) -> None:
    given = params(weights)
    assert chosen(given) == Choice("diffusion", "weights and a GPU were found")
    assert resolved(given).render.renderer == "diffusion"
    assert chosen(params(weights, "pictograph")) == Choice("pictograph")
    assert resolved(params(weights, "pictograph")) == params(weights, "pictograph")


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"device": "cpu"}, "render.diffusion.device is cpu"),
        ({"model": "./none"}, "there is no folder './none'"),
        ({"model": "owner/name"}, "'owner/name' is not in the cache of the hub's client"),
        ({"variant": "fp16"}, "has no weights of 'fp16'"),
        ({"refiner": {"model": "./none"}}, "there is no folder './none'"),
    ],
)
def test_what_is_not_there_is_said(
    weights: Path, tmp_path: Path, settings: dict[str, Any], why: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    found = chosen(params(**{"model": weights, **settings}))
    assert found.renderer == "pictograph" and why in str(found.why)


def test_half_a_download_is_no_model(weights: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(weights, tmp_path / "half"))
    file = folder / "vae" / "diffusion_pytorch_model.safetensors"
    file.write_bytes(file.read_bytes()[:-1])
    found = chosen(params(folder))
    assert found.renderer == "pictograph" and "damaged or cut short" in str(found.why)


def test_the_machine_decides(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpus, "visible", lambda **_: ())
    assert chosen(params(weights)) == Choice("pictograph", "no GPU is in sight")
    monkeypatch.setattr(machine, "_cpu_build", lambda: True)
    machine._lacks.cache_clear()
    assert chosen(params(weights)).why == "this torch is built for the CPU alone"
    from lvlmbench.stages.render.kinds.diffusion import packages

    monkeypatch.setattr(packages, "find_spec", lambda name: None if name == "diffusers" else 1)
    machine._lacks.cache_clear()
    assert chosen(params(weights)).why == "the package diffusers is not installed"


def test_a_process_looks_once(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    monkeypatch.setattr(gpus, "visible", lambda **_: looks.append(1) or ())
    assert [chosen(params(weights)).renderer for _ in range(3)] == ["pictograph"] * 3
    assert len(looks) == 1
    monkeypatch.setenv(gpus.VISIBLE, "0")
    chosen(params(weights))
    assert len(looks) == 2, "another environment is another machine"


def test_the_build_of_torch_is_known_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.undo()
    assert machine._cpu_build() is (torch.version.cuda is None and torch.version.hip is None)


def test_looking_imports_no_torch(weights: Path, run_python: Command) -> None:
    code = (
        "import sys\n"
        "from lvlmbench.core import gpus\n"
        "from lvlmbench.config import validate\n"
        "from lvlmbench.stages.render import choice\n"
        "from lvlmbench.stages.render.kinds.diffusion import machine\n"
        "gpus.visible = lambda **_: (gpus.Gpu('0', '0'),)\n"
        "machine._cpu_build = lambda: False\n"
        f"render = {{'renderer': 'auto', 'diffusion': {{'model': {str(weights)!r}}}}}\n"
        "print(choice.chosen(validate({'render': render})).renderer)\n"
        "print(sorted({'torch', 'diffusers', 'transformers'} & set(sys.modules)))\n"
    )
    result = run_python("-c", code)
    assert result.stdout.split("\n")[:2] == ["diffusion", "[]"], result.stderr


def test_a_fallback_may_be_what_auto_stands_for(
    weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same parameters give photographs where they can, and pictographs elsewhere."""
    given = params(weights).model_dump(mode="json")
    given["render"]["fallback"] = "pictograph"
    given["scenarios"] = {"names": ["clean"]}
    mixed = validate(given, "params.yaml")
    check_names(mixed, "params.yaml")
    monkeypatch.setattr(gpus, "visible", lambda **_: ())
    machine._lacks.cache_clear()
    check_names(mixed, "params.yaml")
    given["render"]["renderer"] = "pictograph"
    with pytest.raises(UserError, match="'fallback' is the renderer itself"):
        validate(given, "params.yaml")
