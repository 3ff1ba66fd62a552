"""What can be wrong with a named format is one line that says what to do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from lvlmbench.stages.answer.kinds.transformers_vlm import TransformersVLM
from lvlmbench.stages.answer.local.format import FORMATS
from lvlmbench.stages.answer.local.settings import LocalWeights
from support import tiny_formats, tiny_vlm


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Folder of a tiny model, made when first asked for."""
    top = tmp_path_factory.mktemp("weights")

    def folder(name: str) -> Path:
        if not (top / name).is_dir():
            if name == "qwen2_vl":
                tiny_vlm.save(top / name, "qwen2_vl")
            else:
                tiny_formats.save(top / name, name)
        return top / name

    return folder


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))


def asked(folder: Path, **settings: Any) -> TransformersVLM:
    """An engine that has answered one question."""
    model = TransformersVLM("tiny", LocalWeights(model=str(folder), device="cpu", **settings))
    assert [reply.error for _, reply in model.answer(tiny_vlm.items(1))] == [None]
    return model


def line_of(folder: Path, **settings: Any) -> str:
    with pytest.raises(UserError) as caught:
        asked(folder, max_tokens=2, **settings)
    line = str(caught.value)
    assert line.startswith("params.yaml: answer.models: tiny: transformers: ")
    assert "\n" not in line
    return line


def test_a_name_that_is_not_known_is_told_before_anything_runs() -> None:
    weights = {"model": "owner/name", "format": "lava"}
    model = {"name": "tiny", "engine": "transformers_vlm", "transformers": weights}
    params = validate({"answer": {"models": [model]}}, "params.yaml")
    with pytest.raises(UserError) as caught:
        check_names(params, "params.yaml")
    line = str(caught.value)
    assert "answer.models: tiny: transformers: format: 'lava' is not known" in line
    assert ", ".join(FORMATS.names()) in line
    assert "\n" not in line


def test_a_format_for_other_models(saved: Callable[[str], Path]) -> None:
    line = line_of(saved("blip2_t5"), format="llava")
    assert "'llava' is for llava" in line
    assert "is a blip-2; use one of: blip2" in line
    assert "is a qwen2_vl; leave it out" in line_of(saved("qwen2_vl"), format="llava")


def test_neither_template_nor_format(saved: Callable[[str], Path], tmp_path: Path) -> None:
    folder = Path(shutil.copytree(saved("qwen2_vl"), tmp_path / "copy"))
    (folder / "chat_template.jinja").unlink()
    line = line_of(folder)
    assert "has no chat template, and no format is known for such a qwen2_vl" in line
    assert "chat_template.jinja" in line


def _config(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    content = json.loads((folder / "config.json").read_text())
    change(content)
    (folder / "config.json").write_text(json.dumps(content))


def test_a_language_model_that_no_format_is_known_for(
    saved: Callable[[str], Path], tmp_path: Path
) -> None:
    """LLaVA-NeXT was trained on several, each with a format of its own."""
    folder = Path(shutil.copytree(saved("llava_next_vicuna"), tmp_path / "copy"))
    _config(folder, lambda c: c["text_config"].update(vocab_size=64_064))
    line = line_of(folder)
    assert "write as 'format' the one it was trained with" in line
    assert "(one of: vicuna_v1, mistral_instruct)" in line


def test_a_template_goes_first_and_a_name_before_it(saved: Callable[[str], Path]) -> None:
    folder = saved("llava")
    template = tiny_vlm.processor("llava").chat_template
    assert asked(folder, max_tokens=2).parameters["format"] == "llava"
    (folder / "chat_template.jinja").write_text(template)
    by_template = asked(folder, max_tokens=2)
    assert "format" not in by_template.parameters
    named = asked(folder, max_tokens=2, format="vicuna_v1")
    assert named.parameters["format"] == "vicuna_v1"
    item = tiny_vlm.items(1)[0]
    assert named.request_sha256(item) != by_template.request_sha256(item)
    (folder / "chat_template.jinja").unlink()


@pytest.mark.parametrize("name", ["blip2_opt", "instructblip_t5"])
@pytest.mark.parametrize("lacks", ["processor", "model"])
def test_an_image_without_a_place_among_the_tokens(
    saved: Callable[[str], Path], tmp_path: Path, name: str, lacks: str
) -> None:
    """Revisions made for older versions of transformers would be asked without their image."""
    folder = Path(shutil.copytree(saved(name), tmp_path / "copy"))
    if lacks == "model":
        _config(folder, lambda c: c.pop("image_token_index"))
    else:
        file = folder / "processor_config.json"
        content = json.loads(file.read_text())
        content["num_query_tokens"] = tiny_formats.QUERIES - 1
        file.write_text(json.dumps(content))
    line = line_of(folder)
    places = 0 if lacks == "model" else tiny_formats.QUERIES - 1
    assert f"gives an image {places} places among the tokens, and the model fills 3" in line
    assert "save_pretrained" in line


@pytest.mark.parametrize("has_template", [False, True])
def test_a_processor_that_knows_nothing_of_patches(
    saved: Callable[[str], Path], tmp_path: Path, has_template: bool
) -> None:
    folder = Path(shutil.copytree(saved("llava"), tmp_path / "copy"))
    file = folder / "processor_config.json"
    content = json.loads(file.read_text())
    del content["patch_size"]
    file.write_text(json.dumps(content))
    if has_template:
        template = tiny_vlm.processor("llava").chat_template
        (folder / "chat_template.jinja").write_text(template)
    line = line_of(folder)
    assert "the processor of" in line
    assert "cannot read an image (" in line
    assert "save_pretrained" in line
