"""What can be wrong with local weights is one line that says what to do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import validate
from lvlmbench.core import devices, gpus
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from lvlmbench.stages.answer.kinds.transformers_vlm import TransformersVLM
from lvlmbench.stages.answer.local import loading as transformers_loading
from lvlmbench.stages.answer.local.settings import LocalWeights
from support import tiny_vlm
from support.one_line import Command, assert_one_line


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that loads."""
    return tiny_vlm.save(tmp_path_factory.mktemp("weights") / "tiny", "llava")


@pytest.fixture
def folder(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it to damage."""
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def failing(**settings: Any) -> str:
    """The one line that asking a model with these settings ends in."""
    with pytest.raises(UserError) as caught:
        model = TransformersVLM("tiny", LocalWeights(**settings))
        assert len(model.request_sha256(tiny_vlm.items(1)[0])) == 64
        list(model.answer(tiny_vlm.items(2)))
    line = str(caught.value)
    assert line.startswith("params.yaml: answer.models: tiny: transformers: ")
    assert "\n" not in line
    return line


def _rewrite(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def _only_pickle(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def _cut(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-100])


def _lacks_a_tensor(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    del weights[min(weights)]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})


def _other_size(folder: Path) -> None:
    _rewrite(folder / "config.json", lambda c: c["text_config"].update(intermediate_size=40))


def _text_alone(folder: Path) -> None:
    _rewrite(folder / "config.json", lambda c: (c.clear(), c.update(model_type="llama")))


def _quantized(folder: Path) -> None:
    quantized = {"quant_method": "awq", "bits": 4}
    _rewrite(folder / "config.json", lambda c: c.update(quantization_config=quantized))


def _own_code(folder: Path) -> None:
    own = {"AutoConfig": "config.Mine", "AutoModelForImageTextToText": "model.Mine"}
    (folder / "config.py").write_text("raise SystemExit('it ran')")
    _rewrite(folder / "config.json", lambda c: c.update(model_type="mine", auto_map=own))


def _no_processor(folder: Path) -> None:
    (folder / "processor_config.json").unlink()


def _no_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer_config.json").unlink()


def _template_of_text(folder: Path) -> None:
    text = "{% for m in messages %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endfor %}"
    (folder / "chat_template.jinja").write_text(text)


def _broken_template(folder: Path) -> None:
    (folder / "chat_template.jinja").write_text("{{ raise_exception('roles must alternate') }}")


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (shutil.rmtree, "there is no folder"),
        (lambda folder: (folder / "config.json").unlink(), "no config.json"),
        (lambda folder: (folder / "model.safetensors").unlink(), "holds no safetensors"),
        (_only_pickle, "pytorch_model.bin, which could run code"),
        (_cut, "damaged or cut short"),
        (_lacks_a_tensor, "lack"),
        (_other_size, "another size"),
        (_text_alone, "is a llama"),
        (_quantized, "quantized"),
        (_own_code, "code of its own"),
        (_no_processor, "image processor"),
        (_no_tokenizer, "tokenizer"),
        (_template_of_text, "no place for an image"),
        (_broken_template, "no place for an image"),
    ],
)
def test_a_folder_that_cannot_be_used(
    folder: Path, damage: Callable[[Path], object], says: str
) -> None:
    damage(folder)
    line = failing(model=str(folder), device="cpu")
    assert says in line
    assert str(folder) in line


@pytest.mark.parametrize("model", ["nonsense", "a/b/c", "./owner/name", "~/none"])
def test_what_is_no_folder_is_told_before_anything_runs(model: str) -> None:
    settings = {"name": "tiny", "engine": "transformers_vlm", "transformers": {"model": model}}
    params = validate({"answer": {"models": [settings]}}, "params.yaml")
    with pytest.raises(UserError, match=r"answer\.models: tiny: transformers: model"):
        check_names(params, "params.yaml")


def test_a_hub_id_is_taken_as_one() -> None:
    settings = {"name": "t", "engine": "transformers_vlm", "transformers": {"model": "owner/name"}}
    check_names(validate({"answer": {"models": [settings]}}, "params.yaml"), "params.yaml")


def test_a_folder_has_no_revision(folder: Path) -> None:
    assert "revision" in failing(model=str(folder), revision="main")


def test_a_hub_that_cannot_be_reached(run_python: Command, tmp_path: Path) -> None:
    code = (
        "from lvlmbench.core.guard import guarded\n"
        "from lvlmbench.stages.answer.local.settings import LocalWeights\n"
        "from lvlmbench.stages.answer.kinds.transformers_vlm import TransformersVLM\n"
        "with guarded():\n"
        "    TransformersVLM('tiny', LocalWeights(model='owner/name')).parameters\n"
    )
    result = run_python("-c", code, HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path))
    assert_one_line(result, "'owner/name' could not be loaded", "--local-dir")


def test_a_gated_model(monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers.utils import hub

    def gated(*_: object, **__: object) -> str:
        raise OSError("You are trying to access a gated repo.\nMake sure to have access to it")

    monkeypatch.setattr(hub, "cached_file", gated)
    assert "HF_TOKEN" in failing(model="owner/name")


def test_what_the_device_cannot_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    if not torch.backends.cuda.is_built():
        assert "CUDA build of torch" in failing(model=str(folder), device="cuda")
    line = failing(model=str(folder), device="cpu", attention="flash_attention_2")
    assert "attention: flash_attention_2" in line
    monkeypatch.setattr(devices, "free_memory", lambda: 1000)
    assert "GiB of memory are free" in failing(model=str(folder), device="cpu")


def test_a_gpu_without_bfloat16(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever torch is built for: what the precision becomes is decided without it."""
    import torch

    monkeypatch.setattr(torch.backends.cuda, "is_built", lambda: True)
    old, new = gpus.Gpu("0", "GPU-a", (7, 5)), gpus.Gpu("1", "GPU-b", (9, 0))

    def chosen(dtype: str, *seen: gpus.Gpu) -> str:
        monkeypatch.setattr(gpus, "visible", lambda: seen)
        place = devices.choose_place("auto", dtype, "here", lambda: None)
        return f"{place.device} {place.dtype}"

    assert chosen("auto", new) == "cuda bfloat16"
    assert chosen("auto", old) == "cuda float32"
    assert chosen("auto", new, old) == "cuda float32", "either may be taken"
    assert chosen("float16", old) == "cuda float16"
    assert chosen("auto") == "cpu float32"
    with pytest.raises(UserError, match="does not compute in bfloat16"):
        chosen("bfloat16", old)


def test_flash_attention_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers.utils import import_utils

    monkeypatch.setattr(import_utils, "is_flash_attn_2_available", lambda: False)
    settings = LocalWeights(model="owner/name", attention="flash_attention_2")
    place = devices.Place("cuda", "bfloat16")
    with pytest.raises(UserError, match="flash-attn is not installed"):
        transformers_loading.load(settings, None, place, "here", lambda: None)
