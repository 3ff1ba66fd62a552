"""The Hugging Face form, loaded by ``datasets``; Croissant, read by ``mlcroissant``."""

from __future__ import annotations

import io
import json
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from PIL import Image

from lvlmbench.stages.exports.columns import COLUMNS, row
from lvlmbench.stages.exports.export import MANIFEST, Source
from lvlmbench.stages.exports.kinds.huggingface import parquet
from lvlmbench.submissions.answers_file import AnswersFile
from lvlmbench.submissions.intake import take_in
from support.exports_snapshot import HOSTILE, SCENARIOS, build, copy, export, hashes, spoil_text

#: rdflib warns of its own parser.
pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return build(tmp_path_factory.mktemp("snapshot"))


@pytest.fixture(scope="module")
def written(source: Source, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(source, tmp_path_factory.mktemp("exports"), "huggingface", "croissant")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")

    def connect(self: socket.socket, address: object) -> None:
        raise AssertionError(f"asks the network: {address}")

    monkeypatch.setattr(socket.socket, "connect", connect)


def load(folder: Path, cache: Path) -> Any:
    import datasets

    datasets.disable_progress_bars()
    return datasets.load_dataset(str(folder), cache_dir=str(cache))


def _comparable(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name != "image"}


def test_datasets_loads_every_scenario_as_a_split(
    source: Source, written: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    import datasets

    loaded = load(written / "huggingface", tmp_path)
    assert list(loaded) == list(SCENARIOS)
    assert not [r.getMessage() for r in caplog.records if "malformed" in r.getMessage()]
    for name in SCENARIOS:
        examples = list(source.examples(name))
        assert len(loaded[name]) == len(examples) > 0
        features = loaded[name].features
        assert list(features) == [column.name for column in COLUMNS]
        assert isinstance(features["image"], datasets.Image)
        assert features["options"] == datasets.List(datasets.Value("string"))
        raw = loaded[name].cast_column("image", datasets.Image(decode=False))
        for example, shown, stored in zip(examples, loaded[name], raw, strict=True):
            assert _comparable(shown) == _comparable(row(example))
            assert stored["image"]["bytes"] == example.image
            with Image.open(io.BytesIO(example.image)) as expected:
                assert shown["image"].tobytes() == expected.tobytes()
            assert shown["image"].size == (example.width, example.height)


def test_the_card_says_what_the_files_hold(source: Source, written: Path) -> None:
    folder = written / "huggingface"
    text = (folder / "README.md").read_text(encoding="utf-8")
    head = yaml.safe_load(text.split("---\n")[1])
    assert head["license"] == "cc-by-sa-4.0" and head["size_categories"] == ["n<1K"]
    (config,) = head["configs"]
    files = [path for split in config["data_files"] for path in split["path"]]
    assert sorted(files) == sorted(f"data/{p.name}" for p in (folder / "data").iterdir())
    info = head["dataset_info"]
    rows = {s["name"]: s["num_examples"] for s in info["splits"]}
    assert rows == {name: len(list(source.examples(name))) for name in SCENARIOS}
    assert info["download_size"] == sum(p.stat().st_size for p in (folder / "data").iterdir())
    for column in COLUMNS:
        assert f"| `{column.name}` |" in text
    assert not [p for p in folder.rglob("*") if p.suffix in (".py", ".pkl", ".pickle")]


def test_a_viewer_reads_few_rows_and_each_picture_is_stored_once(
    written: Path, source: Source
) -> None:
    path = written / "huggingface/data/clean-00000-of-00001.parquet"
    examples = list(source.examples("clean"))
    distinct = {e.image_sha256: len(e.image) for e in examples}
    assert sum(distinct.values()) < sum(len(e.image) for e in examples)
    with pq.ParquetFile(path) as file:
        groups = [file.metadata.row_group(i) for i in range(file.num_row_groups)]
        names = [groups[0].column(i).path_in_schema for i in range(groups[0].num_columns)]
        stored = groups[0].column(names.index("image.bytes")).total_uncompressed_size
    assert max(group.num_rows for group in groups) <= parquet.GROUP_ROWS
    assert stored < sum(distinct.values()) * 1.1 + 2000


def test_bytes_depend_on_nothing_but_the_snapshot(
    written: Path, source: Source, tmp_path: Path
) -> None:
    again = export(source, tmp_path / "again", "huggingface", "croissant")
    other = build(tmp_path / "other", shard=5)
    assert len(list((source.data / "images/clean").iterdir())) != len(
        list((other.data / "images/clean").iterdir())
    )
    moved = export(other, tmp_path / "moved", "huggingface", "croissant")
    assert hashes(written) == hashes(again) == hashes(moved)


@pytest.fixture
def small_files(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(parquet, "FILE_BYTES", 1)
    monkeypatch.setattr(parquet, "GROUP_ROWS", 5)
    yield


@pytest.mark.usefixtures("small_files")
def test_large_scenarios_are_split_into_files(source: Source, tmp_path: Path) -> None:
    import mlcroissant

    export(source, tmp_path, "huggingface", "croissant")
    names = sorted(p.name for p in (tmp_path / "huggingface/data").glob("clean-*"))
    expected = [e.item_id for e in source.examples("clean")]
    n = -(-len(expected) // 5)
    assert names == [f"clean-{i:05d}-of-{n:05d}.parquet" for i in range(n)] and n > 1
    loaded = load(tmp_path / "huggingface", tmp_path / "cache")
    assert loaded["clean"]["item_id"][:] == expected
    described = mlcroissant.Dataset(str(tmp_path / "croissant/croissant.json"))
    assert [r["clean/item_id"].decode() for r in described.records("clean")] == expected


def test_a_split_of_no_rows_has_its_columns(tmp_path: Path) -> None:
    split = parquet.write_split([], tmp_path, "clean")
    (path,) = split.files
    assert split.rows == 0 and path.name == "clean-00000-of-00001.parquet"
    assert pq.read_schema(path).names == [column.name for column in COLUMNS]


def test_hostile_text_survives(source: Source, tmp_path: Path) -> None:
    source = copy(source, tmp_path / "snapshot")
    spoil_text(source)
    folder = export(source, tmp_path / "e", "huggingface", "croissant", "documents")
    loaded = load(folder / "huggingface", tmp_path / "cache")["clean"]
    expected = [e.question for e in source.examples("clean")]
    assert all(text.startswith(HOSTILE) for text in expected)
    assert loaded["question"][:] == expected
    assert all(caption.startswith(HOSTILE) for caption in loaded["scene_caption"])
    for text in ("huggingface/README.md", "documents/DATASHEET.md", "croissant/croissant.json"):
        assert "<script>" not in (folder / text).read_text(encoding="utf-8")


def test_croissant_is_valid_and_gives_the_records(source: Source, written: Path) -> None:
    import mlcroissant

    dataset = mlcroissant.Dataset(str(written / "croissant/croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    # No date is in an artifact; whoever publishes the data adds it.
    assert [w for w in issues.warnings if "datePublished" not in str(w)] == []
    assert dataset.metadata.data_limitations and dataset.metadata.data_collection
    for name in SCENARIOS:
        examples = list(source.examples(name))
        records = list(dataset.records(name))
        assert len(records) == len(examples)
        for example, record in zip(examples, records, strict=True):
            flat = row(example)
            for column in COLUMNS:
                value = record[f"{name}/{column.name}"]
                if column.name == "image":
                    assert value.size == (example.width, example.height)
                elif column.name == "options":
                    assert [text.decode() for text in value] == flat["options"]
                else:
                    value = value.decode() if isinstance(value, bytes) else value
                    assert value == flat[column.name], column.name


def test_croissant_notices_a_file_that_was_changed(written: Path, tmp_path: Path) -> None:
    import mlcroissant

    shutil.copytree(written, tmp_path / "e")
    path = tmp_path / "e/huggingface/data/clean-00000-of-00001.parquet"
    path.write_bytes(path.read_bytes() + b" ")
    dataset = mlcroissant.Dataset(str(tmp_path / "e/croissant/croissant.json"))
    with pytest.raises(Exception, match=r"Download\(data/clean-0") as caught:
        list(dataset.records("clean"))
    assert "is not identical" in str(caught.value.__cause__)


def test_croissant_names_each_file_with_hash_and_size(written: Path) -> None:
    described = json.loads((written / "croissant/croissant.json").read_text())
    manifest = json.loads((written / "huggingface" / MANIFEST).read_text())
    files = {f["path"]: f for f in manifest["files"] if f["path"].startswith("data/")}
    objects = {o["@id"]: o for o in described["distribution"] if o["@id"] in files}
    assert set(objects) == set(files)
    for path, file in files.items():
        assert objects[path]["sha256"] == file["sha256"]
        assert objects[path]["contentSize"] == f"{file['bytes']} B"
        assert (written / "croissant" / objects[path]["contentUrl"]).is_file()
    assert described["isLiveDataset"] is False
    assert described["license"].startswith("https://creativecommons.org/licenses/by-sa/4.0")


def test_answers_to_the_exported_rows_are_taken_in(
    source: Source, written: Path, tmp_path: Path
) -> None:
    path, rows = tmp_path / "answers.jsonl", []
    for split in load(written / "huggingface", tmp_path / "cache").values():
        rows += [{"item_id": given["item_id"], "answer": "(A)"} for given in split]
    path.write_text("".join(json.dumps(given) + "\n" for given in rows), encoding="utf-8")
    taken = take_in(source, AnswersFile(path), "mine", None, tmp_path / "mine")
    first = next(taken.lines())
    assert f"{len(rows)} rows, for {len(rows)} questions" in first
    assert set(taken.scenarios) == set(SCENARIOS) and not taken.listed
