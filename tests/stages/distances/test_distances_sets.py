"""Image sets: what is read, in which form, and what is drawn of them; the two scripts."""

from __future__ import annotations

import io
import json
import os
import runpy
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from lvlmbench.config import Params, validate
from lvlmbench.config.project import project_of
from lvlmbench.core.errors import UserError
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.distances import own
from lvlmbench.stages.distances.distances import ImageSet, distance_rows, embedded, set_rows
from lvlmbench.stages.distances.given import given_sets
from lvlmbench.stages.distances.pictures import ParquetRows
from lvlmbench.stages.distances.styles import Styles, read_styles, style_of
from lvlmbench.stages.validity.files import read
from support import report_snapshot, tiny_clip

ROOT = Path(__file__).parents[3]
STYLES = Styles(
    {"comic book": "print", "mosaic": "craft", "oil painting": "painting", "pixel art": "digital",
     "photograph": "photographic", "watercolor": "painting"},
    frozenset({"photograph"}),
)  # fmt: skip


class Colors:
    """Stands in for an encoder: the mean color, and how many it was asked for."""

    threads = 3

    def __init__(self) -> None:
        self.asked = 0

    def images(self, pictures: list[Image.Image]) -> np.ndarray:
        self.asked += len(pictures)
        rows = [np.asarray(p, np.float64).mean(axis=(0, 1)) / 255 + 0.01 for p in pictures]
        return np.asarray(np.stack(rows) / np.linalg.norm(rows, axis=1, keepdims=True))


def png(number: int) -> bytes:
    out = io.BytesIO()
    tiny_clip.pictures(1, 8, number)[0].save(out, "PNG")
    return out.getvalue()


def arrow(folder: Path, files: list[bytes], name: str = "data-00000-of-00001.arrow") -> None:
    """What datasets.save_to_disk writes."""
    folder.mkdir(parents=True)
    table = pa.table({"label": list(range(len(files))), "image": structs(files)})
    with pa.OSFile(str(folder / name), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as out:
        out.write_table(table, max_chunksize=3)
    (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": name}]}))


def structs(files: list[bytes]) -> list[dict[str, Any]]:
    return [{"bytes": data, "path": None} for data in files]


def contents(folder: Path) -> dict[str, list[bytes]]:
    return {
        s.name: [data for _, data in s.pictures.read(range(len(s.pictures)))]
        for s in given_sets(folder)
    }


def test_all_forms_hold_the_same_pictures(tmp_path: Path) -> None:
    files = [png(i) for i in range(7)]
    (tmp_path / "images" / "deep").mkdir(parents=True)
    for i in (6, 2, 0, 1):
        (tmp_path / "images" / f"{i}.PNG").write_bytes(files[i])
    for i in (5, 4, 3):
        (tmp_path / "images" / "deep" / f"{i}.png").write_bytes(files[i])
    (tmp_path / "images" / "notes.txt").write_text("no image")
    (tmp_path / "images" / ".hidden.png").write_bytes(files[0])
    pq.write_table(pa.table({"image": structs(files)}), tmp_path / "one.parquet", row_group_size=2)
    (tmp_path / "many").mkdir()
    halves = (files[:4], files[4:])
    for i, part in enumerate(halves):
        table = pa.table({"x": list(range(len(part))), "jpg": pa.array(part, pa.large_binary())})
        pq.write_table(table, tmp_path / "many" / f"part-{i}.parquet")
    arrow(tmp_path / "saved", files)
    for split, part in zip(("a", "b"), halves, strict=True):
        arrow(tmp_path / "splits" / split, part)
    (tmp_path / "splits" / "dataset_dict.json").write_text('{"splits": ["a", "b"]}')
    (tmp_path / "README.md").write_text("words")
    (tmp_path / ".DS_Store").write_text("x")
    found = contents(tmp_path)
    assert found.pop("images") == [*files[:3], files[6], *files[3:6]]  # by path
    assert found == dict.fromkeys(("many", "one", "saved", "splits"), files)
    for each in given_sets(tmp_path):
        some = dict(each.pictures.read([1, 5]))
        assert list(some) == [1, 5] and len(set(some.values())) == 2


def test_the_datasets_library_agrees(tmp_path: Path) -> None:
    """Arrow files as the library writes them, not as this test believes it does."""
    import datasets

    files = [png(i) for i in range(5)]
    features = datasets.Features({"image": datasets.Image()})
    made = datasets.Dataset.from_dict({"image": structs(files)}, features=features)
    made.save_to_disk(tmp_path / "sets" / "saved", num_shards=2)
    assert contents(tmp_path / "sets") == {"saved": files}


def _table(path: Path, **columns: list[Any]) -> None:
    pq.write_table(pa.table(columns), path)


def _saved(folder: Path, state: str) -> None:
    arrow(folder, [png(1)])
    (folder / "state.json").write_text(state)


def _twice(folder: Path) -> None:
    arrow(folder / "a", [png(1)])
    _table(folder / "a.parquet", x=[b"1"])


def _mixed(folder: Path) -> None:
    folder.mkdir()
    (folder / "a.png").write_bytes(png(1))
    _table(folder / "a.parquet", x=[b"1"])


STRANGE: dict[str, Callable[[Path], Any]] = {
    "a.zip: is no image set": lambda f: (f / "a.zip").write_bytes(b"PK"),
    "empty: holds no images": lambda f: (f / "empty").mkdir(),
    "a.parquet: cannot be read": lambda f: (f / "a.parquet").write_bytes(b"PAR1 no"),
    "has no column with pictures": lambda f: _table(f / "a.parquet", x=[1]),
    "several columns that may hold pictures: 'x', 'y'": lambda f: _table(
        f / "a.parquet", x=[b"1"], y=[b"2"]
    ),
    "there is another set 'a'": _twice,
    "holds 1 images beside 1 Parquet files": lambda f: _mixed(f / "a"),
    "state.json: does not say which files": lambda f: _saved(f / "a", "{}"),
    "names files outside of its folder": lambda f: _saved(
        f / "a", '{"_data_files": [{"filename": "../../secret"}]}'
    ),
    "b.arrow: cannot be read": lambda f: _saved(
        f / "a", '{"_data_files": [{"filename": "b.arrow"}]}'
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", STRANGE)
def test_a_strange_set_is_one_line(tmp_path: Path, what: str) -> None:
    STRANGE[what](tmp_path)
    with pytest.raises(UserError) as caught:
        given_sets(tmp_path)
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Params, Path]:
    """A made-up snapshot in all scenarios."""
    folder = tmp_path_factory.mktemp("snapshot")
    given = report_snapshot.noisy_params().model_dump(mode="json")
    given["answer"]["models"] = given["answer"]["models"][:1]
    given["validity"]["resamples"] = 99
    given["validity"]["kmmd"] |= {"permutations": 99, "images": 1000}
    return report_snapshot.build(folder, validate(given), counted=()), folder


def sets(made: tuple[Params, Path], given: Path, encoder: Any, **kmmd: Any) -> list[ImageSet]:
    params, folder = made
    changed = params.model_dump(mode="json")
    changed["validity"]["kmmd"] |= kmmd
    given.mkdir(exist_ok=True)
    return embedded(validate(changed), folder / "data/dysca", given, STYLES, encoder)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Families count from three images on."""
    monkeypatch.setattr(own, "ENOUGH", 3)


def test_own_sets_are_kept_scenes_in_the_noisy_scenarios(
    made: tuple[Params, Path], tmp_path: Path, few: None
) -> None:
    params, folder = made
    found = {each.name: each for each in sets(made, tmp_path / "none", Colors())}
    kept = set(Snapshot(params, folder / "data/dysca").kept_scenes.to_pylist())
    assert set(found["clean"].scenes) == kept
    families = {name for name in found if name.startswith("clean/")}
    assert set(found) == {"clean", "corruption", "print_attack", "adversarial", *families}
    assert families
    style = style_of(pq.read_table(folder / "data/dysca" / "scenes"))
    for name in families:
        in_family = {s for s in kept if STYLES.family[style[s] or ""] == name.split("/")[1]}
        assert set(found[name].scenes) == in_family
    print_attack = found["print_attack"]
    assert len(set(print_attack.scenes)) == len(print_attack.scenes)  # one image a scene
    assert print_attack.scenes == [s for s in found["clean"].scenes if s in print_attack.scenes]


def test_pairs_never_have_a_scene_on_both_sides(
    made: tuple[Params, Path], tmp_path: Path, few: None
) -> None:
    found = sets(made, tmp_path / "none", Colors())
    by_name = {each.name: each for each in found}
    rows = {(r["a"], r["b"]): r for r in distance_rows(made[0], found).to_pylist()}
    clean = len(by_name["clean"].scenes)
    for (a, b), row in rows.items():
        if a == "clean" and by_name[b].own is not None and by_name[b].own.family:  # type: ignore[union-attr]
            assert row["n_a"] + row["n_b"] == clean
        elif "/" not in a + b:
            assert row["n_a"] == row["n_b"] == len({*by_name[a].scenes} & {*by_name[b].scenes})
    assert ("clean", "corruption") in rows
    assert not any(a == "corruption" and "/" in b for a, b in rows)


def test_an_image_is_embedded_once(made: tuple[Params, Path], tmp_path: Path, few: None) -> None:
    encoder = Colors()
    found = sets(made, tmp_path / "none", encoder)
    assert encoder.asked == sum(len(e.vectors) for e in found if "/" not in e.name)


def test_unreadable_images_are_counted_and_replaced(
    made: tuple[Params, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sets" / "mine").mkdir(parents=True)
    for i in range(12):
        data = b"no image" if i % 3 == 0 else png(i)
        (tmp_path / "sets" / "mine" / f"{i:02d}.png").write_bytes(data)
    limited = sets(made, tmp_path / "sets", Colors(), images=5)[-1]
    assert (limited.images, len(limited.vectors)) == (12, 5)
    whole = sets(made, tmp_path / "sets", Colors())[-1]
    assert (whole.images, len(whole.vectors), whole.skipped) == (12, 8, 4)
    assert "mine: warning: 4 images cannot be decoded" in capsys.readouterr().err
    row = set_rows([whole]).to_pylist()[0]
    assert row == {"name": "mine", "label": "mine", "own": False, "images": 12, "used": 8,
                   "skipped": 4}  # fmt: skip


def test_what_is_drawn_does_not_depend_on_files(made: tuple[Params, Path], tmp_path: Path) -> None:
    """The same rows in one Parquet file or three, in small row groups or one."""
    files = [png(i) for i in range(20)]
    drawn = []
    for name, cuts, group in (("one", [0, 20], 20), ("three", [0, 3, 11, 20], 2)):
        folder = tmp_path / name / "mine"
        folder.mkdir(parents=True)
        for i, (start, stop) in enumerate(pairwise(cuts)):
            table = pa.table({"image": structs(files[start:stop])})
            pq.write_table(table, folder / f"{i}.parquet", row_group_size=group)
        drawn.append(sets(made, tmp_path / name, Colors(), images=6, batch_size=4)[-1].vectors)
    assert len(drawn[0]) == 6
    assert np.array_equal(drawn[0], drawn[1])


def test_a_set_of_one_image_is_one_line(made: tuple[Params, Path], tmp_path: Path) -> None:
    (tmp_path / "lone").mkdir()
    (tmp_path / "lone" / "a.png").write_bytes(png(1))
    with pytest.raises(UserError, match="lone: has 1 images"):
        sets(made, tmp_path, Colors())


def test_a_set_with_a_name_that_is_not_utf8_is_one_line(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.parquet")).mkdir()
    with pytest.raises(UserError, match="not UTF-8") as caught:
        given_sets(tmp_path)
    assert str(caught.value).isascii()


def test_a_set_named_like_ours_is_one_line(made: tuple[Params, Path], tmp_path: Path) -> None:
    (tmp_path / "clean").mkdir()
    (tmp_path / "clean" / "a.png").write_bytes(png(1))
    with pytest.raises(UserError, match="the snapshot has a set of this name"):
        sets(made, tmp_path, Colors())


def test_only_wanted_row_groups_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"image": structs([png(i) for i in range(12)])})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=4)
    groups: list[int] = []
    whole = pq.ParquetFile.iter_batches

    def noted(self: pq.ParquetFile, *args: Any, row_groups: list[int], **more: Any) -> Any:
        groups.extend(row_groups)
        return whole(self, *args, row_groups=row_groups, **more)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", noted)
    rows = ParquetRows([tmp_path / "a.parquet"])
    assert [n for n, _ in rows.read([1, 9])] == [1, 9]
    assert groups == [0, 2]


def test_styles_of_the_vocabulary(tmp_path: Path) -> None:
    found = read_styles(ROOT / "data" / "vocabulary")
    assert len(found.family) >= 51
    assert found.realistic < set(found.family)
    assert {found.family[style] for style in found.realistic} == {"photographic"}
    (tmp_path / "style.yaml").write_text("entries: [{label: x}]")
    with pytest.raises(UserError, match="is no list of styles"):
        read_styles(tmp_path)


@pytest.fixture
def script(
    made: tuple[Params, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Path]:
    """Runs a script with changed parameters of ``validity.kmmd``; the folder of its files."""
    params, folder = made
    (tmp_path / "sets" / "mine").mkdir(parents=True)
    for i in range(4):
        (tmp_path / "sets" / "mine" / f"{i}.png").write_bytes(png(i))

    def run(name: str, out: str, **changes: Any) -> Path:
        given = project_of(params).model_dump(mode="json")
        given["validity"]["image_sets"] = str(tmp_path / "sets")
        given["validity"]["kmmd"] |= changes
        (tmp_path / "config.json").write_text(json.dumps(given))
        files = {"distances": ["distances", "sets"], "validity": ["correlations", "rankings"]}
        arguments: list[str | Path] = ["--config", tmp_path / "config.json"]
        if name == "distances":
            arguments += ["--data", folder / "data/dysca"]
        else:
            scores = sorted((folder / "data/dysca" / "scores").glob("*/*/part-*.parquet"))
            metrics = folder / "results/dysca/metrics.parquet"
            rendered = sorted((folder / "data/dysca/images/clean").glob("part-*.parquet"))
            voted = sorted((folder / "data/dysca" / "consensus").glob("part-*.parquet"))
            arguments += ["--metrics", metrics, "--scores", *scores, "--rendered", *rendered]
            arguments += ["--consensus", *voted]
        for file in files[name]:
            stem = "image_sets" if file == "sets" else file
            arguments += [f"--{file}-out", tmp_path / out / f"{stem}.csv"]
        monkeypatch.setattr(sys, "argv", ["script", *map(str, arguments)])
        runpy.run_path(str(ROOT / "scripts" / f"{name}.py"), run_name="__main__")
        return tmp_path / out

    return run


def test_distances_repeat_themselves(script: Callable[..., Path], tmp_path: Path) -> None:
    """The script twice, with an encoder from a folder and other batches."""
    encoder = f"local-dir:{tiny_clip.save_folder(tmp_path / 'clip')}"
    one = script("distances", "one", encoder=encoder)
    two = script("distances", "two", encoder=encoder, batch_size=3)
    for path in sorted(one.iterdir()):
        assert path.read_bytes() == (two / path.name).read_bytes()
    rows = {(r["a"], r["b"]) for r in read(one, "distances.csv").to_pylist()}
    assert {("clean", "mine"), ("clean", "corruption"), ("corruption", "mine")} <= rows


def test_without_an_encoder_sets_are_listed(script: Callable[..., Path]) -> None:
    out = script("distances", "out", encoder=None)
    assert read(out, "distances.csv").num_rows == 0
    assert read(out, "image_sets.csv")["used"].to_pylist() == [0] * 5


def test_correlations_repeat_themselves(script: Callable[..., Path]) -> None:
    one, two = script("validity", "one"), script("validity", "two")
    for path in sorted(one.iterdir()):
        assert path.read_bytes() == (two / path.name).read_bytes()
    rows = read(one, "correlations.csv").to_pylist()
    assert {row["styles"] for row in rows} == {"all", "realistic"}
    assert {row["benchmark"] for row in rows} >= {"Dysca clean", "TouchStone"}


def test_missing_weights_are_one_line(
    script: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        script("distances", "out", encoder="reference_b")
    assert caught.value.code == 2
    err = capsys.readouterr().err.strip()
    assert err.startswith("--weights: hold no reference_b") and "\n" not in err
