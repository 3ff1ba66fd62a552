"""The safety filter with NudeNet: for real, what it cannot load, what it is not shown."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import Kind
from lvlmbench.stages.filter.filter import Verdict
from lvlmbench.stages.filter.kinds.safety import Safety, Settings
from lvlmbench.stages.filter.safety.engine import SAFETY_ENGINES
from lvlmbench.stages.filter.safety.kinds.nudenet import UNSAFE, NudeNet, network_input
from support.safety_rows import in_the_lock, judged, made, noise, one_line, row

FACE = ["FACE_FEMALE"]


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


def engine_of(make: Callable[..., object]) -> Kind:
    """An engine with the settings of the registered one."""
    known = SAFETY_ENGINES.get("nudenet", "test")
    return SAFETY_ENGINES.of("nudenet", make, place=known.place, settings=known.settings)


def test_the_network_sees_red_as_red() -> None:
    seen = network_input(Image.new("RGB", (20, 10), (255, 51, 0)))
    assert seen.shape == (1, 3, 320, 320) and seen.dtype == np.float32
    assert seen[0, :, 0, 0] == pytest.approx([1, 0.2, 0])
    assert seen[0, 0, :150].min() == 1 and seen[0, 0, 180:].max() == 0  # black below, as a square


def test_a_clothed_person_is_kept_and_a_finding_is_removed(
    faces: NudeNet, astronaut: Image.Image
) -> None:
    (verdict,) = judged(made(), [row(astronaut)])
    assert verdict.keep and verdict.reason is None and verdict.threshold == 0.5
    assert verdict.score is not None and verdict.score < 0.1
    with SAFETY_ENGINES.temporarily({"nudenet": engine_of(lambda settings, where: faces)}):
        kept, removed = judged(made(), [row(noise(1)), row(astronaut)])
    assert kept.keep and not removed.keep
    assert (removed.reason, removed.threshold) == ("unsafe", 0.5)
    assert removed.score == faces.score(astronaut)


def test_a_score_at_the_threshold_removes(faces: NudeNet, astronaut: Image.Image) -> None:
    score = faces.score(astronaut)
    judge = Safety("safety", Settings())
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


def test_pictographs_are_kept_without_a_look() -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the engine was loaded")

    rows = [row(noise(1), renderer="pictograph"), row(b"broken", 1, renderer="pictograph")]
    with SAFETY_ENGINES.temporarily({"nudenet": engine_of(refuse)}):
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
