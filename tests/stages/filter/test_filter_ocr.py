"""The OCR filter: what counts as read, when it looks again, and what its engines do."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from PIL import Image

from lvlmbench import tables
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Graph
from lvlmbench.stages.filter.decoding import UNDECODABLE
from lvlmbench.stages.filter.filter import FILTERS, Filter, verdict_rows
from lvlmbench.stages.filter.kinds.ocr import (
    NOTHING_READ,
    OTHER_TEXT,
    Ocr,
    OcrFilter,
    looks,
)
from lvlmbench.stages.filter.ocr.kinds import rapidocr
from lvlmbench.stages.filter.ocr.matching import distance, tokens
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.suites.suite import build_shard
from support import render_scenes
from support.planted.ocr import FAULTS, altered, planted_params, with_faults

# -- the rule --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (["sunflower"], 0),
        (["SunFlower!"], 0),
        (["sun-flower"], 0),
        (["ｓｕｎｆｌｏｗｅｒ"], 0),  # noqa: RUF001  # full width
        (["STOP", "sunflower 2000"], 0),
        (["sun flower"], 0),
        (["sun", "flower"], 0),
        (["a sun", "flower b"], 0),
        (["sunflowers"], 0.1),
        (["asunflower"], 0.1),
        (["sunflowe"], 0.111111),
        (["sunfl0wer"], 0.111111),
        (["sunfolwer"], 0.222222),
        (["sun", "x", "flower"], 0.1),
        (["x", "sunflowerx", "yz"], 0.1),
        (["日", "。"], 1),
        (["", " ", "!"], 1),
        ([], 1),
    ],
)
def test_distance(read: list[str], expected: float) -> None:
    assert distance("sunflower", read) == expected
    assert distance("SUNFLOWER", read) == expected


@settings(max_examples=300, deadline=None)
@given(st.text("abcdefg", min_size=2, max_size=9), st.sampled_from(FAULTS), st.integers(0, 10**6))
def test_no_changed_letter_passes(word: str, fault: str, seed: int) -> None:
    assume(len(set(word)) > 1)  # to swap equal letters changes nothing
    shown = altered(word, fault, np.random.default_rng(seed))
    assert distance(word, [shown]) > 0
    assert distance(word, ["12", shown, "3"]) > 0
    assert distance(word, ["12", f" {word} ", shown]) == 0


def test_planted_faults_are_drawn() -> None:
    """``python -m tests.support.planted ocr``: the graph is drawn, and not the flat column."""
    params = planted_params(4)
    scenes, _ = build_shard(params, render_scenes.vocabulary(), 0, 4)
    rows, faults = with_faults(scenes)
    assert faults == [*FAULTS]
    for row, word in zip(rows.to_pylist(), scenes["text"].to_pylist(), strict=True):
        assert Graph.of(row).main.text == row["text"] != word


@settings(max_examples=200, deadline=None)
@given(st.text("abc", min_size=1, max_size=6), st.lists(st.text("abc ", max_size=5), max_size=6))
def test_the_distance_is_that_of_the_nearest_run(word: str, texts: list[str]) -> None:
    from rapidfuzz.distance import Levenshtein

    read = tokens(texts)
    runs = ["".join(read[i:j]) for i in range(len(read)) for j in range(i + 1, len(read) + 1)]
    nearest = min((Levenshtein.normalized_distance(word, run) for run in runs), default=1)
    assert distance(word, texts) == round(nearest, 6)


# -- the filter ------------------------------------------------------------------------------------


class Script:
    """Reads what it is told, look by look."""

    def __init__(self, *texts: list[str]) -> None:
        self.texts, self.pictures = list(texts), list[Image.Image]()

    def read(self, picture: Image.Image) -> list[str]:
        self.pictures.append(picture)
        return self.texts[len(self.pictures) - 1]


def look(script: Script, max_distance: float = 0, word: str = "owl") -> Any:
    spec = FilterSpec.model_validate({"name": "ocr", "ocr": {"max_distance": max_distance}})
    return OcrFilter("ocr", spec.own(Ocr), script).look(Image.new("RGB", (64, 64)), word)


def test_it_looks_again_only_where_the_word_was_not_found() -> None:
    script = Script(["an owl"])
    verdict = look(script)
    assert (verdict.keep, verdict.score, verdict.threshold, verdict.note) == (True, 0, 0, None)
    assert len(script.pictures) == 1
    script = Script(["ow1"], ["owl"])
    verdict = look(script)
    assert (verdict.keep, verdict.reason, verdict.score) == (True, None, 0)
    assert verdict.note == "word found in the image softened"
    assert len(script.pictures) == 2


def test_a_removed_image_tells_what_was_read() -> None:
    verdict = look(Script(["cat"], ["bowl"], [], ["bow"]))
    assert (verdict.keep, verdict.reason, verdict.score) == (False, OTHER_TEXT, 0.25)
    assert verdict.note == "read: bowl"
    verdict = look(Script([], ["。"], [], []))
    assert (verdict.keep, verdict.reason, verdict.score) == (False, NOTHING_READ, 1)
    assert verdict.note is None
    verdict = look(Script([], ["日"], [], ["x" * 300]))
    assert (verdict.reason, verdict.score, verdict.note) == (OTHER_TEXT, 1, "read: 日")
    verdict = look(Script(["a\tb\u202e\n", "!", "x" * 300], [], [], []))
    assert len(verdict.note) == 100 and verdict.note.isprintable()
    assert verdict.note.startswith("read: a b? | xxx") and verdict.note.endswith("…")


def test_the_threshold_is_a_distance() -> None:
    assert look(Script(["bowl"]), 0.25).keep
    assert look(Script(["bowl"]), 0.25).score == 0.25
    assert not look(Script(*[["bowl"]] * 4), 0.249).keep
    assert look(Script([]), 1).keep


def test_later_looks_are_softer_and_of_one_size() -> None:
    rng = np.random.default_rng(1)
    picture = Image.fromarray(rng.integers(0, 256, (96, 128, 3), dtype=np.uint8))
    seen = dict(looks(picture))
    assert list(seen) == ["as it is", "softened", "smoothed", "contrasted"]
    assert seen["as it is"] is picture
    assert all(version.size == picture.size for version in seen.values())
    spread = {name: np.asarray(version).std() for name, version in seen.items()}
    assert spread["softened"] < spread["as it is"]
    assert spread["softened"] < spread["contrasted"]
    tall = Image.new("RGB", (512, 600))
    assert [version.size for _, version in looks(tall)] == [(512, 600)] * 4


def png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def drawn(word: str, carrier: str = "road sign", style: str | None = None) -> Image.Image:
    params = render_scenes.params(512)
    scene = render_scenes.scene("carrier", carrier, 3, subtask="text", text=word, style=style)
    return make_renderer(params, render_scenes.vocabulary()).draw(scene).image


def judged(judge: Filter, *items: tuple[bytes, str, str | None]) -> list[dict[str, Any]]:
    """Verdicts on (image, subtask, word)."""
    images = [
        {"image_id": f"i{i}", "scene_id": f"s{i}", "image": {"bytes": data, "path": "x.png"}}
        for i, (data, _, _) in enumerate(items)
    ]
    scenes = [
        {"scene_id": f"s{i}", "subtask": subtask, "text": word}
        for i, (_, subtask, word) in enumerate(items)
    ]
    return verdict_rows(
        judge,
        tables.IMAGES.of(images),
        tables.SCENES.of(scenes[::-1]),
    )


def ocr(**chosen: Any) -> Filter:
    spec = FilterSpec.model_validate({"name": "reader", "kind": "ocr", "ocr": chosen})
    return FILTERS.get("ocr", "here")(render_scenes.params(512), spec, {})


def without(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if not key.endswith("_id")}


# -- rapidocr --------------------------------------------------------------------------------------


@pytest.mark.long
def test_rapidocr_finds_the_word_and_no_other(capfd: pytest.CaptureFixture[str]) -> None:
    words = {"sunflower": "sunflower", **{
        altered("sunflower", fault, np.random.default_rng(4)): "sunflower" for fault in FAULTS
    }}  # fmt: skip
    blank = png(Image.new("RGB", (512, 512), "white"))
    pictures = [png(drawn(shown)) for shown in words]
    items = [
        *((picture, "text", word) for picture, word in zip(pictures, words.values(), strict=True)),
        (blank, "text", "sunflower"),
        (pictures[0][:200], "text", "sunflower"),
        (b"", "animal", None),
    ]
    rows = judged(ocr(), *items)
    assert [r["keep"] for r in rows] == [True] + [False] * 6 + [True]
    assert [r["reason"] for r in rows] == (
        [None] + [OTHER_TEXT] * 4 + [NOTHING_READ, UNDECODABLE, None]
    )
    assert [r["score"] for r in rows[-2:]] == [None, None]
    assert rows[0]["score"] == 0 and all(0 < r["score"] < 0.3 for r in rows[1:5])
    assert [r["note"] for r in rows[1:5]] == [f"read: {shown}" for shown in list(words)[1:]]
    assert tables.VERDICTS.of(rows).num_rows == 8
    # Alone and in another order the verdicts are the same.
    assert [without(r) for r in judged(ocr(), *items[1::-1])] == [without(r) for r in rows[1::-1]]
    assert capfd.readouterr() == ("", "")


@pytest.mark.long
def test_words_behind_halftone_dots_are_found_by_later_looks() -> None:
    words = {"useless": "flag", "stack": "book cover", "creamy": "ticket"}
    pictures = [png(drawn(word, carrier, "newspaper print")) for word, carrier in words.items()]
    rows = judged(ocr(), *zip(pictures, ["text"] * 3, words, strict=True))
    assert all(r["keep"] and r["score"] == 0 for r in rows)
    assert any((r["note"] or "").startswith("word found in the image ") for r in rows)
    (removed,) = judged(ocr(), (pictures[1], "text", "stock"))
    assert not removed["keep"] and removed["note"] == "read: stack"


def test_rapidocr_runs_on_one_thread() -> None:
    engine = rapidocr.RapidOcr(None, "here")._engine
    for part in (engine.text_det, engine.text_rec):
        options = part.session.session.get_session_options()
        assert (options.intra_op_num_threads, options.inter_op_num_threads) == (1, 1)


def test_damaged_weights_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    detection, recognition = rapidocr.weights()
    for name, source in (("det.onnx", detection), ("rec.onnx", recognition)):
        data = source.read_bytes()
        (tmp_path / name).write_bytes(data[: len(data) // 2])
    item = (png(drawn("owl")), "text", "owl")
    for pair in [
        (tmp_path / "det.onnx", recognition),
        (detection, tmp_path / "rec.onnx"),
        (detection, tmp_path / "absent.onnx"),
    ]:
        monkeypatch.setattr(rapidocr, "weights", lambda pair=pair: pair)
        with pytest.raises(UserError, match="filters: reader: ocr: engine: the weights in") as info:
            judged(ocr(), item)
        assert "install --force-reinstall --no-deps rapidocr==" in str(info.value)
        assert "\n" not in str(info.value)


@pytest.mark.parametrize(
    ("chosen", "package", "group"),
    [
        ({}, "rapidocr", "core"),
        ({"engine": "paddleocr"}, "paddle", "paddle"),
        ({"engine": "paddleocr", "runtime": "onnxruntime"}, "paddleocr", "paddle"),
        ({"engine": "paddleocr", "runtime": "onnxruntime"}, "onnxruntime", "core"),
    ],
)
def test_an_engine_that_is_not_installed_is_one_line(
    chosen: dict[str, str], package: str, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == package else found(name) or 1
    )
    with pytest.raises(UserError) as info:
        ocr(**chosen)
    assert str(info.value) == (
        f"filter.filters: reader: ocr: engine: the package {package} is not installed; "
        f"run 'python3 scripts/setup_env.py {group}'"
    )


# -- paddleocr -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Settings of a filter that reads with paddleocr, offline."""
    pytest.importorskip("paddleocr", reason="the group 'paddle' is not installed")
    from support.planted import paddle_folders

    return paddle_folders.write(tmp_path_factory.mktemp("paddle"))


def test_paddleocr_judges_like_rapidocr(
    folders: dict[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    items = [
        (png(drawn("sunflower")), "text", "sunflower"),
        (png(drawn("sunflowers")), "text", "sunflower"),
        (png(drawn("bias", "mug", "newspaper print")), "text", "bias"),
        (png(Image.new("RGB", (512, 512), "white")), "text", "sunflower"),
        (b"broken", "text", "sunflower"),
    ]
    capfd.readouterr()
    rows = judged(ocr(**folders), *items)
    assert "Creating model" not in "".join(capfd.readouterr())
    assert [r["keep"] for r in rows] == [True, False, True, False, False]
    assert [without(r) for r in rows] == [without(r) for r in judged(ocr(), *items)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("no folder", "ocr: detection_dir: there is no folder .* give a folder that holds"),
        ("no weights", r"ocr: recognition_dir: .* holds no inference\.onnx; give a folder"),
        ("no yml", r"ocr: recognition_dir: .* holds no inference\.yml; give a folder"),
        ("other yml", r"recognition/inference\.yml: names no model; give a folder"),
        ("other name", "ocr: recognition_model: is PP-OCRv9, but .* holds PP-OCRv6_small_rec"),
        ("truncated", "ocr: paddleocr cannot load its weights .*; restore the files of"),
        ("exchanged", "ocr: detection_dir: PP-OCRv6_small_rec is no detection model; give one"),
    ],
)
def test_wrong_folders_are_one_line(
    folders: dict[str, str], tmp_path: Path, change: str, message: str
) -> None:
    import shutil

    shutil.copytree(Path(folders["recognition_dir"]), tmp_path / "recognition")
    changed = folders | {"recognition_dir": str(tmp_path / "recognition")}
    onnx, yml = (tmp_path / "recognition" / f"inference.{end}" for end in ("onnx", "yml"))
    if change == "no folder":
        changed["detection_dir"] = str(tmp_path / "absent")
    elif change == "no weights":
        onnx.unlink()
    elif change == "no yml":
        yml.unlink()
    elif change == "other yml":
        yml.write_text("[1, 2]\n")
    elif change == "other name":
        changed["recognition_model"] = "PP-OCRv9"
    elif change == "truncated":
        onnx.write_bytes(onnx.read_bytes()[:100_000])
    else:
        changed["detection_dir"] = changed["recognition_dir"]
    with pytest.raises(UserError, match=message) as info:
        judged(ocr(**changed), (png(Image.new("RGB", (64, 64))), "text", "owl"))
    assert "\n" not in str(info.value) and len(str(info.value)) < 600


def test_hubs_that_are_not_reached_are_one_line(
    folders: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from paddlex.inference.utils import official_models as hubs

    for hub in hubs._ModelManager.hoster_candidates:
        monkeypatch.setattr(hub, "healthcheck_url", "http://127.0.0.1:9")  # nobody listens
    monkeypatch.setattr(hubs._ModelManager, "_save_dir", tmp_path)
    monkeypatch.setattr(hubs.official_models, "_hosters", None)
    part = {key: value for key, value in folders.items() if key != "recognition_dir"}
    with pytest.raises(UserError) as info:
        judged(ocr(**part), (png(Image.new("RGB", (64, 64))), "text", "owl"))
    assert "filter.filters: reader: ocr: paddleocr cannot load its weights (" in str(info.value)
    assert "the network, or give recognition_dir" in str(info.value)
