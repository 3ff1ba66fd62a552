"""What can be wrong with a pipeline's weights and settings is one line that says what to do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lvlmbench.config.project import project_of
from lvlmbench.engine.preflight.kinds import check_names
from support import tiny_diffusion
from support.diffusion_mistakes import early, late, of_class, params, rewrite, unet
from support.one_line import Command, assert_one_line

pytest.importorskip("diffusers")

AGAIN = "run the same 'hf download' again"
CONVERT = "from_single_file(FILE).save_pretrained(FOLDER)"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that loads."""
    return tiny_diffusion.sdxl(tmp_path_factory.mktemp("weights") / "tiny")


@pytest.fixture
def folder(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it to damage."""
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def _single_file(folder: Path) -> None:
    (folder / "model_index.json").unlink()
    unet(folder).rename(folder / "sd_xl_base_1.0.safetensors")


def _inner(folder: Path) -> None:
    shutil.copytree(folder, folder / "inner")
    (folder / "model_index.json").unlink()


def _pickle(folder: Path) -> None:
    unet(folder).rename(unet(folder).with_suffix(".bin"))


def _variant_alone(folder: Path) -> None:
    unet(folder).rename(folder / "unet" / "diffusion_pytorch_model.fp16.safetensors")


def _cut(folder: Path) -> None:
    unet(folder).write_bytes(unet(folder).read_bytes()[:-100])


def _shards(folder: Path) -> None:
    stem = "diffusion_pytorch_model"
    unet(folder).rename(folder / "unet" / f"{stem}-00001-of-00003.safetensors")
    names = [f"{stem}-{n:05d}-of-00003.safetensors" for n in (1, 2, 3)]
    index = {"metadata": {}, "weight_map": dict(zip("abc", names, strict=True))}
    (folder / "unet" / f"{stem}.safetensors.index.json").write_text(json.dumps(index))


def _half(part: str) -> Callable[[Path], None]:
    """As 'hf download --local-dir' leaves it when it is stopped."""

    def damage(folder: Path) -> None:
        hidden = folder / ".cache" / "huggingface" / "download" / part
        hidden.mkdir(parents=True)
        (hidden / "aB3=.0123456789abcdef.1a2b3c4d.incomplete").write_bytes(b"x" * 100)
        if part == ".":
            (folder / "model_index.json").unlink()
        elif part == "unet":
            unet(folder).unlink()

    return damage


def _part_without_file(part: str, file: str) -> Callable[[Path], None]:
    return lambda folder: (folder / part / file).unlink()


def _part_alone(folder: Path) -> None:
    """The folder itself becomes a part of another one."""
    shutil.copy(folder / "model_index.json", folder.parent)
    (folder / "model_index.json").unlink()


def _broken_json(folder: Path) -> None:
    (folder / "vae" / "config.json").write_text('{"act_fn": "si')


@pytest.mark.parametrize(
    ("damage", "says", "fix"),
    [
        (shutil.rmtree, "there is no folder", "'hf download ID --local-dir FOLDER'"),
        (_part_without_file(".", "model_index.json"), "no model_index.json", "hf download"),
        (_single_file, "no model_index.json", "convert sd_xl_base_1.0.safetensors (diffusers: S"),
        (_inner, "no model_index.json", "did you mean '"),
        (_part_alone, "is a part of a pipeline", "give the folder that it lies in"),
        (_half("."), "lacks model_index.json: its download ended early", AGAIN),
        (_half("unet"), "has half a download of unet/", AGAIN),
        (_half("tokenizer"), "ended within tokenizer/", AGAIN),
        (of_class("StableDiffusionXLImg2ImgPipeline"), "draws from another picture", "'refiner'"),
        (of_class("StableDiffusionXLInpaintPipeline"), "fills holes", "give a text-to-image pipel"),
        (
            of_class("WanImageToVideoPipeline"),
            "WanImageToVideoPipeline, which makes videos",
            "give",
        ),
        (of_class("AudioLDM2Pipeline"), "AudioLDM2Pipeline, which makes sounds", "give a text-to-"),
        (of_class(["pipeline", "Mine"]), "brings code of its own (Mine)", "diffusers itself has"),
        (of_class(None), "names no class", "hf download"),
        (lambda f: (f / "model_index.json").write_text("{"), "model_index.json", AGAIN),
        (lambda f: shutil.rmtree(f / "vae"), "lacks the folder 'vae' (AutoencoderKL)", AGAIN),
        (_part_without_file("vae", "config.json"), "lacks vae/config.json", AGAIN),
        (_part_without_file("tokenizer", "tokenizer.json"), "lacks tokenizer/tokenizer.js", AGAIN),
        (_part_without_file("scheduler", "scheduler_config.json"), "scheduler_config", AGAIN),
        (_broken_json, "vae/config.json", AGAIN),
        (lambda f: unet(f).unlink(), "no safetensors in unet/", AGAIN),
        (_pickle, "unet/diffusion_pytorch_model.bin, which could run code", "save_pretrained doe"),
        (_cut, "unet/diffusion_pytorch_model.safetensors", AGAIN),
        (_shards, "00002-of-00003.safetensors and 1 more of its weight files", AGAIN),
    ],
)
def test_a_folder_that_cannot_be_used_stops_a_run_before_it_begins(
    folder: Path, damage: Callable[[Path], object], says: str, fix: str
) -> None:
    damage(folder)
    line = early(params(folder))
    assert "render.diffusion: model: " in line
    assert says in line and fix in line.rpartition("; ")[2], line
    assert str(folder) in line


def test_weights_of_one_variant(folder: Path) -> None:
    line = early(params(folder, variant="fp16"))
    assert "diffusion: variant: " in line and "has no weights of 'fp16'; leave it out" in line
    _variant_alone(folder)
    line = early(params(folder))
    assert "holds unet only as variant fp16; write 'variant: fp16'" in line
    check_names(params(folder, variant="fp16"), "mine.yaml")
    half = folder / "unet" / "diffusion_pytorch_model.fp16.safetensors"
    shutil.copy(half, unet(folder))
    assert "no weights of 'ema'; leave it out, or write one of: fp16" in early(
        params(folder, variant="ema")
    )
    half.write_bytes(b"")
    assert "is damaged or cut short" in early(params(folder, variant="fp16"))


def test_a_single_file_is_told_how_to_become_a_folder(folder: Path) -> None:
    assert CONVERT in early(params(unet(folder)))


@pytest.mark.parametrize("model", ["nonsense", "a/b/c", "./owner/name", "~/none"])
def test_what_is_no_folder_is_told_before_anything_runs(model: str) -> None:
    assert "render.diffusion: model: " in early(params(model))


def test_a_folder_has_no_revision(folder: Path) -> None:
    assert "diffusion: revision: is of no use to a folder" in early(params(folder, revision="v"))


def test_a_hub_id_is_taken_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_names(params("owner/name"), "mine.yaml")
    (tmp_path / "owner").mkdir()
    assert "model: there is no folder 'owner/name'" in early(params("owner/name"))


def test_sizes_that_a_pipeline_rounds(folder: Path) -> None:
    check_names(params(folder, size=72), "mine.yaml")
    for kind in ("StableDiffusion3Pipeline", "FluxPipeline"):
        of_class(kind)(folder)
        line = early(params(folder, size=72))
        assert (
            f"render.size: 72 is not a multiple of 16, which a {kind} needs; use 64 or 80" in line
        )


def _without_tensor(folder: Path, part: str, file: str) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / part / file)
    del weights[min(weights)]
    save_file(weights, folder / part / file, {"format": "pt"})


def _other_size(folder: Path) -> None:
    rewrite(folder / "unet" / "config.json", lambda c: c.update(cross_attention_dim=32))


def _other_tokens(folder: Path) -> None:
    rewrite(folder / "text_encoder" / "config.json", lambda c: c.update(vocab_size=40))


def _unknown_class(folder: Path) -> None:
    of_class("StableDiffusionXXLPipeline")(folder)


@pytest.mark.parametrize(
    ("damage", "says", "fix"),
    [
        (
            lambda f: _without_tensor(f, "unet", "diffusion_pytorch_model.safetensors"),
            "lack unet: add_embedding.linear_1.bias",
            AGAIN,
        ),
        (
            lambda f: _without_tensor(f, "text_encoder", "model.safetensors"),
            "lack text_encoder: ",
            AGAIN,
        ),
        (_other_size, "unet of '", "hf download"),
        (_other_tokens, "text_encoder of '", "hf download"),
        (_unknown_class, "StableDiffusionXXLPipeline, which diffusers ", "give a text-to-image"),
        (of_class("LattePipeline"), "does not draw from a text alone", "give a text-to-image"),
    ],
)
def test_what_shows_when_weights_are_read(
    folder: Path, damage: Callable[[Path], object], says: str, fix: str
) -> None:
    damage(folder)
    line = late(params(folder))
    assert line.startswith("render.diffusion: model: ")
    assert says in line and fix in line.rpartition("; ")[2], line


def test_a_tokenizer_that_its_encoder_does_not_know(folder: Path) -> None:
    """transformers makes a tokenizer of two tokens from an empty vocabulary."""
    path = folder / "tokenizer" / "tokenizer.json"
    rewrite(path, lambda t: t["model"].update(vocab={"<|startoftext|>": 0, "<|endoftext|>": 1}))
    assert "tokenizer of '" in late(params(folder))


def test_a_hub_that_cannot_be_reached(run_python: Command, tmp_path: Path) -> None:
    given = tmp_path / "params.json"
    given.write_text(project_of(params("owner/name")).model_dump_json())
    code = (
        "from lvlmbench.core.guard import guarded\n"
        "from lvlmbench.config import load_params\n"
        "from lvlmbench.stages.render.kinds.diffusion.loading import load\n"
        "from pathlib import Path\n"
        "with guarded():\n"
        f"    load(load_params(Path({str(given)!r})))\n"
    )
    result = run_python("-c", code, HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path))
    assert_one_line(result, "diffusion: model: 'owner/name' could not be", "--local-dir FOLDER")


@pytest.mark.parametrize(
    ("kind", "says", "fix"),
    [
        ("GatedRepoError", "could not be loaded", "export HF_TOKEN=<your token>"),
        ("RepositoryNotFoundError", "the hub shows no 'owner/name'", "HF_TOKEN"),
        ("RevisionNotFoundError", "revision: 'owner/name' has no such", "leave it out"),
    ],
)
def test_what_the_hub_says(
    kind: str, says: str, fix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import httpx
    import huggingface_hub
    from huggingface_hub import constants, errors

    def answer(*_: object, **__: object) -> None:
        response = httpx.Response(404, request=httpx.Request("GET", "https://hub.test/x"))
        text = "404 Client Error.\n\nIf it is private or gated, log in"
        raise getattr(errors, kind)(text, response=response)

    monkeypatch.setattr(huggingface_hub, "model_info", answer)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    line = late(params("owner/name", revision="0123"))
    assert says in line and fix in line.rpartition("; ")[2], line
