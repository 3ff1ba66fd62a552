"""The encoder: unit vectors whatever the batch, counted truncation, one line for bad weights."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lvlmbench.core import torchvision_hook
from lvlmbench.core.errors import UserError
from lvlmbench.stages.reference.encoder import Encoder, load_folder, load_open_clip
from lvlmbench.stages.reference.pixels import Preprocessing
from support import tiny_clip

WHERE = "params.yaml: filter.filters: clip: clip"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_clip.save_folder(tmp_path_factory.mktemp("models") / "reference_a", threshold=0.3)


@pytest.fixture(scope="module")
def reference(folder: Path) -> Encoder:
    return load_folder(folder)


@pytest.fixture(scope="module")
def named(folder: Path) -> Encoder:
    return load_open_clip(f"local-dir:{folder}", None, "cpu", WHERE)


@pytest.fixture
def broken(folder: Path, tmp_path: Path) -> Path:
    return shutil.copytree(folder, tmp_path / "reference_a")


def test_vectors_are_of_length_one_and_differ(reference: Encoder) -> None:
    vectors = reference.images(tiny_clip.pictures(4))
    assert vectors.shape == (4, 16) and vectors.dtype == np.float64
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-14)
    assert len({tuple(v) for v in vectors.round(6).tolist()}) == 4
    texts, _ = reference.texts(["a red owl", "a blue car"])
    assert texts.shape == (2, 16) and not np.allclose(texts[0], texts[1])
    assert reference.images([]).shape[0] == reference.texts([])[0].shape[0] == 0


def test_a_reference_model_does_not_see_batches(reference: Encoder) -> None:
    pictures = [*tiny_clip.pictures(5), *tiny_clip.pictures(4, side=70, seed=1)]
    together = reference.images(pictures)
    alone = np.concatenate([reference.images([p]) for p in reversed(pictures)])[::-1]
    assert np.abs(together - alone).max() < 1e-12
    texts = ["a red owl", "the car in the forest", "two apple"]
    backwards = reference.texts(texts[::-1])[0][::-1]
    assert np.abs(reference.texts(texts)[0] - backwards).max() < 1e-12


def test_another_model_on_the_cpu_does_not_see_batches_at_all(named: Encoder) -> None:
    pictures = tiny_clip.pictures(5)
    alone = np.concatenate([named.images([p]) for p in reversed(pictures)])[::-1]
    assert (named.images(pictures) == alone).all()


def test_both_precisions_agree(reference: Encoder, named: Encoder) -> None:
    pictures = tiny_clip.pictures(3)
    assert np.abs(reference.images(pictures) - named.images(pictures)).max() < 1e-5


def test_vectors_are_those_of_open_clip(folder: Path, reference: Encoder) -> None:
    import open_clip
    import torch

    model, _, transform = open_clip.create_model_and_transforms(f"local-dir:{folder}")
    tokenizer = open_clip.get_tokenizer(f"local-dir:{folder}")
    picture, text = tiny_clip.pictures(1, side=40)[0], "a red owl in the forest"
    model.eval()
    with torch.inference_mode():
        image = model.encode_image(transform(picture)[None], normalize=True)[0].numpy()
        words = model.encode_text(tokenizer([text]), normalize=True)[0].numpy()
    assert reference.images([picture])[0] == pytest.approx(image, abs=1e-5)
    assert reference.texts([text])[0][0] == pytest.approx(words, abs=1e-5)


@pytest.mark.parametrize("mode", ["shortest", "longest", "squash"])
@pytest.mark.parametrize("interpolation", ["bicubic", "bilinear"])
@pytest.mark.parametrize("target", [32, (24, 40)])
@pytest.mark.parametrize("size", [(48, 48), (90, 31), (31, 77), (9, 13), (32, 32)])
def test_pixels_are_those_of_open_clip(
    mode: str, interpolation: str, target: int | tuple[int, int], size: tuple[int, int]
) -> None:
    torchvision_hook.install()
    from open_clip.transform import PreprocessCfg, image_transform_v2

    draw = np.random.default_rng(3)
    picture = Image.fromarray(draw.integers(0, 256, (*size, 3), dtype=np.uint8))
    about = {
        "size": target,
        "resize_mode": mode,
        "interpolation": interpolation,
        "fill_color": 9,
        "mean": (0.4, 0.5, 0.6),
        "std": (0.2, 0.3, 0.25),
    }
    theirs = image_transform_v2(PreprocessCfg(**about), is_train=False)(picture).numpy()
    ours = Preprocessing.declared(about)(picture)
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() < 1e-5


def test_cut_texts_are_told_with_a_tokenizer_of_words(reference: Encoder) -> None:
    assert reference.context_length == 8
    fits, long = "a red owl in the forest", "a red owl in the forest with"  # and two marks
    vectors, cut = reference.texts([long, fits, f"{fits} apple"])
    assert cut.tolist() == [True, False, True]
    assert (vectors[0] == vectors[2]).all()  # what comes after the context is not read


def test_cut_texts_are_told_with_the_tokenizer_of_open_clip(tmp_path: Path) -> None:
    folder = tiny_clip.save_folder(tmp_path / "bpe", words=None, context=16)
    encoder = load_open_clip(f"local-dir:{folder}", None, "cpu", WHERE)
    _, cut = encoder.texts(["owl " * 14, "owl " * 15, "", "Owl, " * 8])
    assert cut.tolist() == [False, True, False, True]


def test_a_checkpoint_is_loaded_by_the_name_of_its_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint = tiny_clip.add_model(tmp_path, monkeypatch)
    encoder = load_open_clip("Tiny-8", str(checkpoint), "auto", WHERE)
    pictures = tiny_clip.pictures(2)
    assert encoder.images(pictures).shape == (2, 16)
    again = load_open_clip("Tiny/8", str(tiny_clip.as_pickle(checkpoint)), "cpu", WHERE)
    assert (again.images(pictures) == encoder.images(pictures)).all()


Damage = Callable[[Path], object]


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size - 100])


def _declare(folder: Path, tower: str, key: str, value: int) -> None:
    path = folder / "open_clip_config.json"
    content = json.loads(path.read_text())
    content["model_cfg"][tower][key] = value
    path.write_text(json.dumps(content))


def _other_width(folder: Path) -> None:
    _declare(folder, "vision_cfg", "width", 48)


def _other_context(folder: Path) -> None:
    _declare(folder, "text_cfg", "context_length", 9)


WEIGHTS = "open_clip_model.safetensors"


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (shutil.rmtree, "there is no such folder; "),
        (lambda f: (f / WEIGHTS).unlink(), f"holds no {WEIGHTS}; "),
        (lambda f: (f / WEIGHTS).write_bytes(b""), f"{WEIGHTS} is empty; "),
        (lambda f: _cut(f / WEIGHTS), f"{WEIGHTS} is damaged or cut short"),
        (lambda f: (f / WEIGHTS).write_bytes(b"\x07" * 5000), f"{WEIGHTS} is damaged or cut"),
        (lambda f: (f / "tokenizer.json").unlink(), "holds no tokenizer.json"),
        (lambda f: _cut(f / "tokenizer.json"), "could not be loaded"),
        (lambda f: (f / "open_clip_config.json").write_text("{"), "could not be loaded"),
        (lambda f: (f / "open_clip_config.json").write_text("{}"), "could not be loaded"),
        (_other_context, "is of another architecture: its positional_embedding is [8, 32], not"),
        (_other_width, "do not fit its open_clip_config.json"),
    ],
)
def test_a_damaged_folder_is_one_line(broken: Path, damage: Damage, what: str) -> None:
    damage(broken)
    with pytest.raises(UserError) as error:
        load_folder(broken)
    assert str(error.value).startswith(f"{broken}: ") and what in str(error.value)
    assert "\n" not in str(error.value)


def test_weights_that_are_no_numbers_are_one_line(broken: Path) -> None:
    from safetensors.torch import load_file, save_file

    state = load_file(broken / WEIGHTS)
    state["visual.proj"][:] = float("nan")
    save_file(state, broken / WEIGHTS)
    with pytest.raises(UserError, match="reference_a gives vectors without a direction"):
        load_folder(broken).images(tiny_clip.pictures(1))


def test_another_models_tokenizer_is_one_line(broken: Path) -> None:
    tiny_clip.save_words(broken, [*tiny_clip.WORDS, "zebra", "yak"])
    with pytest.raises(UserError, match="the tokenizer of reference_a knows tokens that the model"):
        load_folder(broken).texts(["a yak"])


@pytest.mark.parametrize(
    ("engine", "pretrained", "what"),
    [
        ("ViT-L-15", "openai", "engine: open_clip has no model 'ViT-L-15'; did you mean ViT-L-1"),
        ("owl", "openai", "engine: open_clip has no model 'owl'; did you mean "),
        ("ViT-L-14", None, "pretrained: 'ViT-L-14' is a name without weights; give a tag (openai,"),
        ("ViT-L-14", "opnai", "pretrained: 'opnai' is neither a file nor a tag of 'ViT-L-14'; giv"),
        ("ViT-L-14", "no/such.pt", "pretrained: 'no/such.pt' is neither a file nor a tag"),
        ("local-dir:/no/such", None, "engine: there is no folder '/no/such'; give one that"),
        ("local-dir:.", "openai", "pretrained: is of no use to 'local-dir:.', which brings"),
    ],
)
def test_a_wrong_name_is_one_line(engine: str, pretrained: str | None, what: str) -> None:
    with pytest.raises(UserError) as error:
        load_open_clip(engine, pretrained, "cpu", WHERE)
    assert f"{WHERE}: {what}" in str(error.value)


def test_a_folder_of_something_else_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no open_clip_config\.json; give a folder that"):
        load_open_clip(f"local-dir:{tmp_path}", None, "cpu", WHERE)
    (tmp_path / "open_clip_config.json").write_text("{}")
    with pytest.raises(UserError, match=r"holds no weights; put open_clip_model\.s"):
        load_open_clip(f"local-dir:{tmp_path}", None, "cpu", WHERE)


class Trap:
    """Runs code when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


@pytest.mark.filterwarnings("ignore:.torch.jit.script")
def test_a_bad_checkpoint_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    good = tiny_clip.as_pickle(tiny_clip.add_model(tmp_path, monkeypatch))

    def refused(path: Path, engine: str = "Tiny-8") -> str:
        with pytest.raises(UserError) as error:
            load_open_clip(engine, str(path), "cpu", WHERE)
        assert str(error.value).startswith(f"{WHERE}: pretrained: ")
        return str(error.value)

    assert "holds the weights of another architecture than 'RN50'" in refused(good, "RN50")
    tiny_clip.know("Tiny-9", tiny_clip.config(49408, 20, hf=False), monkeypatch)
    told = refused(good, "Tiny-9")
    assert "is of another architecture: its positional_embedding is [16, 32], not [20, 32]" in told
    short = tmp_path / "short.pt"
    short.write_bytes(good.read_bytes()[:-500])
    assert "short.pt is damaged" in refused(short)
    trap = tmp_path / "trap.pt"
    trap.write_bytes(pickle.dumps({"state_dict": Trap(tmp_path / "sprung")}))
    assert "holds more than tensors and could run code" in refused(trap)
    torch.save({"state_dict": Trap(tmp_path / "sprung")}, trap)
    assert "holds more than tensors and could run code" in refused(trap)
    assert not (tmp_path / "sprung").exists()
    torch.jit.script(torch.nn.Linear(2, 2)).save(trap)
    assert "trap.pt is a TorchScript archive, which could run code" in refused(trap)
    torch.save([1, 2], short)
    assert "short.pt holds no state dict" in refused(short)


def test_a_tag_gets_the_activation_it_was_trained_with(monkeypatch: pytest.MonkeyPatch) -> None:
    torchvision_hook.install()
    import open_clip

    asked: dict[str, Any] = {}

    def create(name: str, **options: Any) -> object:
        asked.update(options)
        raise ConnectionError("no route to the hub")

    monkeypatch.setattr(open_clip, "create_model", create)
    with pytest.raises(UserError, match=r"'openai' of 'ViT-L-14' could not .* \(no route to the"):
        load_open_clip("ViT-L/14", "openai", "cpu", WHERE)
    assert asked["force_quick_gelu"] and asked["weights_only"] and asked["require_pretrained"]
    with pytest.raises(UserError, match="could not be loaded"):
        load_open_clip("ViT-L-14", "laion2b_s32b_b82k", "cpu", WHERE)
    assert not asked["force_quick_gelu"]
    with pytest.raises(UserError, match=r"'hf-hub:a/b' could not be loaded .* give 'local-dir:FO"):
        load_open_clip("hf-hub:a/b", None, "cpu", WHERE)


def test_a_gpu_that_is_not_there_is_one_line(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UserError, match=r"clip: device: there is no GPU .*; write 'auto'"):
        load_open_clip(f"local-dir:{folder}", None, "cuda", WHERE)
