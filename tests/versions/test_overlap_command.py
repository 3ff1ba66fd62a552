"""The command ``lvlmbench overlap``."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from lvlmbench.commands.main import main
from lvlmbench.versions.perceptual import ALIKE
from support.one_line import Command
from support.overlap_scenes import corpus, drawn, jpeg, parameters, write_snapshot


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An older snapshot, a fresh one, and a fresh one into which three images leaked."""
    root = tmp_path_factory.mktemp("snapshots")
    few = {"subtasks": ["animal", "color", "landmark", "celebrity"]}
    old, new = (parameters(seed, 6, **few) for seed in (31, 32))
    images_old, images_new = (drawn(p, corpus(p)[0]) for p in (old, new))
    write_snapshot(root / "old", old, images_old)
    write_snapshot(root / "new", new, images_new)
    leaked = dict(images_new)
    for i, (theirs, data) in enumerate(zip(images_new, images_old.values(), strict=False)):
        if i < 3:
            leaked[theirs] = data if i == 0 else jpeg(data, 70)
    write_snapshot(root / "leaked", new, leaked, rows=5)
    write_snapshot(root / "text", new)
    return {path.name: path for path in root.iterdir()}


def said(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    main(["overlap", *map(str, arguments)])
    return capsys.readouterr().out


def test_a_fresh_one_is_disjoint(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    out = said(capsys, folders["old"], folders["new"])
    assert "(seed-31, seed 31): 24 scenes" in out and "18 images" in out
    assert out.count(" 0 of 24 ") >= 2 and "by chance 0." in out
    assert "the same bytes" in out and "Nearest" in out
    found = json.loads(said(capsys, folders["old"], folders["new"], "--json"))
    assert found["scenes"][0]["level"] == "id"
    assert found["scenes"][0]["shared"] == found["pictures"]["identical"] == 0
    assert found["notes"] == [] and len(found["pictures"]["nearest"]) == 10


def test_leaked_images_are_named(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sheet = tmp_path / "pairs.png"
    options = ("--json", "--pairs", "3", "--sheet", sheet)
    found = json.loads(said(capsys, folders["old"], folders["leaked"], *options))["pictures"]
    assert found["identical"] == 1 and found["alike"] >= 3
    assert [pair["distance"] <= ALIKE for pair in found["nearest"]] == [True] * 3
    with Image.open(sheet) as image:
        width, height = image.size
        halves = [image.crop((x, 0, x + 190, 190)) for x in (0, 194)]
    assert width > 3 * 2 * 190 and height > 190
    assert len({half.tobytes() for half in halves}) == 1, "the first pair is the same picture"
    words = said(capsys, folders["old"], folders["leaked"])
    assert "1 image, byte by byte" in words


def test_shard_sizes_change_nothing(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    few = {"subtasks": ["animal", "color", "landmark", "celebrity"]}
    again = tmp_path / "old"
    params = parameters(31, 6, **few)
    write_snapshot(again, params, drawn(params, corpus(params)[0]), rows=4)
    first = said(capsys, folders["old"], folders["leaked"])
    other = said(capsys, again, folders["leaked"])
    assert other.replace(str(again), "X") == first.replace(str(folders["old"]), "X")


def test_a_snapshot_with_itself(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    out = said(capsys, folders["old"], folders["old"])
    assert "Not disjoint: B has 24 scenes of A." in out
    assert out.partition("Images of B")[2].count(" of 18        100.0 %") == 2


def test_what_cannot_be_told_is_said(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """No images; parameters that are not those of the scenes; parameters of another version."""
    found = json.loads(said(capsys, folders["text"], folders["new"], "--json"))
    assert found["pictures"] is None and "has no images" in found["notes"][0]
    other = tmp_path / "other"
    shutil.copytree(folders["text"], other)
    text = (other / "params.yaml").read_text()
    (other / "params.yaml").write_text(text.replace("- animal\n", "- plant\n"))
    out = said(capsys, other, folders["text"])
    assert "by chance" not in out
    assert "its scenes are not from its params.yaml and vocabulary" in out
    (other / "params.yaml").write_text(
        "snapshot: {name: x, seed: 1}\nsuites: {dysca: {}}\nweather: {}\n"
    )
    out = said(capsys, other, folders["text"])
    assert "weather: is not a known key" in out and "Traceback" not in out


def test_control_characters_are_not_printed(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(folders["text"], other)
    (other / "params.yaml").write_text(
        'snapshot: {name: "\\e[31m", seed: 2020-01-01}\nsuites: {dysca: {}}\n'
    )
    out = said(capsys, other, folders["text"])
    assert "\x1b" not in out and "(\\x1b[31m, seed 2020-01-01)" in out
    assert json.loads(said(capsys, other, folders["text"], "--json"))["a"]["seed"] == "2020-01-01"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("{old}", "{old}", "--max-distance", "65"), "'65' is no whole number from 0 to 64"),
        (("{old}", "{old}", "--pairs", "-1"), "'-1' is no whole number at least 0"),
        (("{old}", "{old}", "--pairs", "x"), "'x' is no whole number at least 0"),
        (("{old}", "{text}", "--sheet", "x.png"), "there is no pair of images to draw"),
        (("{old}", "{old}", "--sheet", "."), "--sheet: . is a folder"),
        (("{old}", "{old}", "--sheet", "{old}/params.yaml/x/y"), "params.yaml/x is no folder"),
        (("{old}", "{empty}"), "data/dysca/scenes: is missing"),
        (("{bare}", "{old}"), "data/dysca/scenes: holds no scene"),
        (("{old}", "{broken}"), "cannot be read as Parquet"),
    ],
)
def test_mistakes_are_one_line(
    folders: dict[str, Path],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: tuple[str, ...],
    says: str,
) -> None:
    empty, broken = tmp_path / "empty", tmp_path / "broken"
    empty.mkdir()
    shutil.copy(folders["old"] / "params.yaml", empty)
    shutil.copytree(folders["old"], broken)
    part = broken / "data/dysca/scenes/part-00000.parquet"
    part.write_bytes(part.read_bytes()[:-100])
    bare = tmp_path / "bare"  # no scene to share is no proof of a fresh snapshot
    shutil.copytree(folders["old"], bare)
    for part in bare.glob("data/dysca/scenes/*.parquet"):
        part.rename(part.with_suffix(".txt"))
    places = folders | {"empty": empty, "broken": broken, "bare": bare}
    given = [a.format(**places) if "{" in a else a for a in arguments]
    with pytest.raises(SystemExit) as ended:
        main(["overlap", *map(str, given)])
    told = capsys.readouterr().err
    assert ended.value.code == 2 and says in told and told.count("\n") == 1


def test_the_help_tells_the_distance_that_counts(lvlmbench: Command) -> None:
    assert f"64 bits ({ALIKE})" in lvlmbench("overlap", "--help", COLUMNS="200").stdout
