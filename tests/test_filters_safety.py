"""The safety filter: both engines for real, what they cannot load, what they are not shown."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from one_line import assert_one_line
from PIL import Image

from lvlmbench import tables, torchvision_hook
from lvlmbench.config import Params, validate
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.errors import UserError
from lvlmbench.filters.base import FILTERS, Verdict
from lvlmbench.filters.safety import Safety, make
from lvlmbench.safety import engine
from lvlmbench.safety.checker import MARGIN, SafetyChecker
from lvlmbench.safety.nudenet import UNSAFE, NudeNet, network_input

FACE = ["FACE_FEMALE"]


def row(picture: Image.Image | bytes, number: int = 0, renderer: str = "diffusion") -> Any:
    data = picture
    if isinstance(picture, Image.Image):
        out = io.BytesIO()
        picture.save(out, "PNG")
        data = out.getvalue()
    return {
        "image_id": f"i{number}",
        "scene_id": f"s{number}",
        "scenario": "clean",
        "image": {"bytes": data, "path": f"i{number}.png"},
        "width": 8,
        "height": 8,
        "sha256": hashlib.sha256(data).hexdigest(),
        "renderer": renderer,
    }


def judged(judge: Any, rows: list[Any]) -> list[Verdict]:
    images = pa.Table.from_pylist(rows, schema=tables.IMAGES)
    return judge.judge(images, tables.SCENES.empty_table())


def made(**safety: Any) -> Any:
    spec = FilterSpec.model_validate({"name": "safety", "safety": safety or None})
    return FILTERS.get("safety", "here")(Params(), spec, {})


def noise(number: int, size: tuple[int, int] = (40, 30)) -> Image.Image:
    random = np.random.default_rng(number)
    coarse = random.integers(0, 256, (4, 4, 3), dtype=np.uint8)
    return Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)


@pytest.fixture(scope="module")
def astronaut() -> Image.Image:
    """A photograph of a woman, clothed."""
    from skimage.data import astronaut

    return Image.fromarray(astronaut())


# --- NudeNet -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def faces() -> NudeNet:
    """The engine set on a class that a harmless photograph shows."""
    return NudeNet(0.5, "here", FACE)


def test_the_score_is_what_the_package_finds(faces: NudeNet, astronaut: Image.Image) -> None:
    """The package exchanges red and blue, and so is given them exchanged."""
    from nudenet import NudeDetector

    theirs = NudeDetector()
    for angle in (0, 15, -15):
        for box in ((0, 0, 512, 512), (60, 0, 512, 300), (100, 0, 350, 400)):
            picture = astronaut.rotate(angle).crop(box)
            found = theirs.detect(np.asarray(picture))
            best = max((f["score"] for f in found if f["class"] in FACE), default=None)
            score = faces.score(picture)
            assert score < 0.25 if best is None else score == pytest.approx(best, abs=1e-4)
    assert faces.score(astronaut) > 0.75


def test_the_network_sees_red_as_red() -> None:
    seen = network_input(Image.new("RGB", (20, 10), (255, 51, 0)))
    assert seen.shape == (1, 3, 320, 320) and seen.dtype == np.float32
    assert seen[0, :, 0, 0] == pytest.approx([1, 0.2, 0])
    assert seen[0, 0, :150].min() == 1 and seen[0, 0, 180:].max() == 0  # black below, as a square


def test_a_clothed_person_is_kept_and_a_finding_is_removed(
    faces: NudeNet, astronaut: Image.Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    (verdict,) = judged(made(), [row(astronaut)])
    assert verdict.keep and verdict.reason is None and verdict.threshold == 0.5
    assert verdict.score is not None and verdict.score < 0.1
    monkeypatch.setattr("lvlmbench.filters.safety.load", lambda settings, where: faces)
    kept, removed = judged(made(), [row(noise(1)), row(astronaut)])
    assert kept.keep and not removed.keep
    assert (removed.reason, removed.threshold) == ("unsafe", 0.5)
    assert removed.score == faces.score(astronaut)


def test_a_score_at_the_threshold_removes(faces: NudeNet, astronaut: Image.Image) -> None:
    score = faces.score(astronaut)
    judge = Safety("safety", validate({}).filter.filters[0].safety or engine.Safety())
    for threshold, keep in ((score, False), (round(score + 1e-6, 6), True)):
        judge.__dict__["_engine"] = NudeNet(threshold, "here", FACE)
        assert judged(judge, [row(astronaut)])[0].keep is keep


def test_the_verdict_depends_on_nothing_but_the_image(astronaut: Image.Image) -> None:
    rows = [row(noise(i), i) for i in range(20)] + [row(astronaut, 20)]
    together = judged(made(), rows)
    backwards = judged(made(), rows[::-1])[::-1]
    alone = [judged(made(), [rows[i]])[0] for i in (0, 17, 20)]
    assert together == backwards
    assert [together[i] for i in (0, 17, 20)] == alone
    assert len({verdict.score for verdict in together}) > 10


def test_what_counts_as_unsafe_are_classes_of_the_detector() -> None:
    from nudenet import nudenet

    labels = vars(nudenet)["__labels"]
    assert set(UNSAFE) < set(labels) and all(name.endswith("_EXPOSED") for name in UNSAFE)
    harmless = {name for name in labels if name not in UNSAFE and "EXPOSED" in name}
    assert harmless == {f"{p}_EXPOSED" for p in ("MALE_BREAST", "FEET", "BELLY", "ARMPITS")}


def test_pictographs_are_kept_without_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the engine was loaded")

    monkeypatch.setattr("lvlmbench.filters.safety.load", refuse)
    rows = [row(noise(1), renderer="pictograph"), row(b"broken", 1, renderer="pictograph")]
    assert judged(made(), rows) == [Verdict(keep=True)] * 2
    with pytest.raises(AssertionError, match="was loaded"):
        judged(made(), [row(noise(1))])
    assert judged(made(), []) == []


@pytest.mark.parametrize("data", [b"", b"no image", b"\x89PNG\r\n\x1a\n" + b"\0" * 40])
def test_what_does_not_decode_is_a_verdict(data: bytes) -> None:
    assert judged(made(), [row(data)]) == [Verdict(keep=False, reason="undecodable")]


def test_half_a_file_is_a_verdict_and_its_neighbors_are_judged(astronaut: Image.Image) -> None:
    whole = row(astronaut)
    data = whole["image"]["bytes"]
    verdicts = judged(made(), [whole, row(data[: len(data) // 2], 1), whole])
    assert [v.keep for v in verdicts] == [True, False, True]
    assert verdicts[1].reason == "undecodable" and verdicts[0] == verdicts[2]


# --- NudeNet that is not there or broken ---------------------------------------------------------


def one_line(problem: pytest.ExceptionInfo[UserError], *parts: str) -> None:
    line = str(problem.value)
    assert "\n" not in line and len(line) < 400
    for part in parts:
        assert part in line, line


def in_the_lock(root: Path, command: str, package: str) -> None:
    """The command that a message names installs the package that is missing."""
    group = command.rpartition("setup_env.py ")[2].rstrip("'")
    lock = (root / "requirements.lock").read_text()
    # The group core is part of every installation.
    sections = [
        lock.partition(f"# group: {g} ")[2].partition("# group:")[0] for g in ("core", group)
    ]
    assert any(f"\n{package}==" in section for section in sections)


@pytest.mark.parametrize("package", ["nudenet", "onnxruntime"])
def test_a_package_that_is_not_installed_is_one_line(
    package: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if package == "nudenet":
        find = importlib.util.find_spec
        monkeypatch.setattr(
            importlib.util, "find_spec", lambda name: None if name == package else find(name)
        )
    else:
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UserError) as problem:
        judged(made(), [row(noise(1))])
    one_line(problem, f"filter.filters: safety: safety: engine: {package} is not installed")
    in_the_lock(root, str(problem.value), package)


@pytest.mark.parametrize(
    ("damage", "part"),
    [
        (lambda data: data[: len(data) // 2], "cannot be read"),
        (lambda data: b"", "cannot be read"),
        (lambda data: b"<html>not found</html>", "cannot be read"),
        (None, "lacks 320n.onnx"),
    ],
)
def test_broken_weights_are_one_line(
    damage: Callable[[bytes], bytes] | None,
    part: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find = importlib.util.find_spec
    found = find("nudenet")
    assert found is not None and found.origin is not None
    shutil.copy(found.origin, tmp_path / "__init__.py")
    if damage is not None:
        good = Path(found.origin).with_name("320n.onnx").read_bytes()
        (tmp_path / "320n.onnx").write_bytes(damage(good))
    copied = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: copied)
    with pytest.raises(UserError) as problem:
        judged(made(), [row(noise(1))])
    one_line(problem, "safety: engine: ", part, "scripts/setup_env.py")


def test_a_detector_without_the_classes_is_one_line() -> None:
    with pytest.raises(UserError) as problem:
        NudeNet(0.5, "here", ["SWORD"])
    one_line(problem, "here: ", "does not know SWORD")


# --- the safety checker of Stable Diffusion ------------------------------------------------------

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
