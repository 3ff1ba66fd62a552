"""Questions for models that are asked elsewhere."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lvlmbench import tables
from lvlmbench.commands.main import main
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.answering import make_items
from lvlmbench.stages.answer.asked import Asked, item_id
from lvlmbench.submissions.export import export_questions
from lvlmbench.submissions.questions_file import COLUMNS
from lvlmbench.suites.instructions import prompts_of
from support.report_snapshot import build as build_whole
from support.report_snapshot import params as whole_params
from support.submissions_snapshot import SCENARIOS, asked, build, copy, files_below, home

Row = dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("snapshot"))


def rows_of(folder: Path) -> list[Row]:
    """The questions of an exported folder."""
    if (path := folder / "questions.jsonl").exists():
        return [json.loads(line) for line in path.read_text().splitlines()]
    if (path := folder / "questions.csv").exists():
        with path.open(encoding="utf-8", newline="") as file:
            rows: list[Row] = list(csv.DictReader(file))
        lists = ("options", "turns", "panels")
        return [
            {k: v or None for k, v in row.items()} | {k: json.loads(row[k]) for k in lists}
            for row in rows
        ]
    found: list[Row] = pq.read_table(folder / "questions.parquet").to_pylist()
    return found


def picture(row: Row, folder: Path) -> bytes | None:
    """The image of a row, wherever it lies."""
    image = row["image"]
    if image is None:
        return None
    if isinstance(image, dict):
        return bytes(image["bytes"])
    if image.startswith("data:image/png;base64,"):
        return base64.b64decode(image.split(",")[1])
    return (folder / image).read_bytes()


def test_exactly_what_models_of_the_snapshot_are_asked(made: Path, tmp_path: Path) -> None:
    finished = Asked.open(made)
    export_questions(finished, tmp_path / "q", SCENARIOS, "jsonl", "files")
    rows = rows_of(tmp_path / "q")
    judged = [finished.read(tables.VERDICTS, filter=name) for name in finished.filters]
    verdicts = pa.concat_tables(judged)
    questions = tables.read(finished.parts(tables.QUESTIONS), tables.QUESTIONS)
    for scenario in SCENARIOS:
        images = tables.read(finished.parts(tables.IMAGES, scenario=scenario), tables.IMAGES)
        filters, prompts = finished.params.filter.names, prompts_of(finished.params)
        usual = make_items(images, verdicts, questions, filters, prompts)
        mine = [row for row in rows if row["scenario"] == scenario]
        assert sorted((r["question_id"], r["image_id"], r["prompt"]) for r in mine) == sorted(
            (i.question_id, i.image_id, i.prompt) for i in usual
        )
        shown = {(i.question_id, i.image_id): i.image for i in usual}
        for row in mine:
            assert picture(row, tmp_path / "q") == shown[row["question_id"], row["image_id"]]
    assert len({row["item_id"] for row in rows}) == len(rows)
    own = tables.read(made / "data/dysca/answers/chance/clean", tables.ANSWERS)
    assert {r["question_id"] for r in rows if r["scenario"] == "clean"} == set(
        own["question_id"].to_pylist()
    )


@pytest.mark.parametrize(
    ("form", "images"),
    [("jsonl", "files"), ("csv", "files"), ("parquet", "files"), ("jsonl", "embedded"),
     ("parquet", "embedded"), ("jsonl", "none"), ("csv", "none")],
)  # fmt: skip
def test_every_form_says_the_same(made: Path, tmp_path: Path, form: Any, images: Any) -> None:
    finished = Asked.open(made)
    for name, arguments in {"a": ("jsonl", "files"), "b": (form, images)}.items():
        export_questions(finished, tmp_path / name, ["clean", "blind"], *arguments)  # type: ignore[arg-type]
    a, b = rows_of(tmp_path / "a"), rows_of(tmp_path / "b")
    assert list(b[0]) == list(COLUMNS)
    assert [{**r, "image": 0} for r in a] == [{**r, "image": 0} for r in b]
    assert (tmp_path / "b/images").exists() == (images == "files")
    if images == "none":
        assert [r["image"] for r in a] == [r["image"] for r in b]
        return
    for row in b:
        shown = picture(row, tmp_path / "b")
        assert (shown is None) == (row["scenario"] == "blind") == (row["image_sha256"] is None)
        assert shown is None or hashlib.sha256(shown).hexdigest() == row["image_sha256"]


def test_nothing_gives_an_answer_away(made: Path, tmp_path: Path) -> None:
    """No column holds it, and what is exported does not change when right answers do."""
    finished = copy(made, tmp_path / "other")
    for path in finished.parts(tables.QUESTIONS):
        rows = tables.read([path], tables.QUESTIONS).to_pylist()
        for row in rows:
            if row["options"]:
                row["answer_index"] = (row["answer_index"] + 1) % len(row["options"])
                row["answer"] = row["options"][row["answer_index"]]
            else:
                row["answer"] = "another caption"
            row["claim"], row["chance"] = "another claim", 0.125
        tables.write_rows(rows, path, tables.QUESTIONS, "s")
    for path in finished.parts(tables.SCENES):
        path.unlink()
    export_questions(finished, tmp_path / "b", SCENARIOS, "jsonl", "files")
    export_questions(Asked.open(made), tmp_path / "a", SCENARIOS, "jsonl", "files")
    guides = [tmp_path / name / "README.md" for name in "ab"]
    for guide, of in zip(guides, (Asked.open(made), finished), strict=True):
        text = guide.read_text()  # which snapshot it is, a hash of all rows together, may show
        assert text.count(of.snapshot_id) == 1
        guide.write_text(text.replace(of.snapshot_id, ""))
    assert files_below(tmp_path / "a") == files_below(tmp_path / "b")
    captions = {r["reference"] for r in asked(Asked.open(made)) if r["right"] is None}
    text = (tmp_path / "a/questions.jsonl").read_text()
    assert captions and not any(json.dumps(caption)[1:-1] in text for caption in captions)


def test_shards_change_no_byte(tmp_path: Path) -> None:
    p = whole_params(corpus={"scenes_per_subtask": 2, "subtasks": ["animal", "color"]})
    for shard in (1, 1000):
        build_whole(tmp_path / f"s{shard}", p, shard=shard)
        finished = Asked.open(tmp_path / f"s{shard}", [tmp_path / f"s{shard}/config.json"])
        export_questions(finished, tmp_path / f"q{shard}", ["clean"], "parquet", "embedded")
    assert files_below(tmp_path / "q1") == files_below(tmp_path / "q1000")


def test_an_id_is_of_what_is_asked(made: Path) -> None:
    first = next(Asked.open(made).items("clean"))
    again = next(Asked.open(made).items("clean", pictures=True))
    assert item_id("clean", first) == item_id("clean", again)
    others = [{"prompt": "x"}, {"image_sha256": "x"}, {"image_id": "x"}, {"question_id": "x"}]
    ids = {item_id("clean", type(first)(**{**vars(first), **change})) for change in others}
    assert len(ids | {item_id("clean", first), item_id("blind", first)}) == 6


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_the_example_runner_runs_and_goes_on(made: Path, tmp_path: Path, form: Any) -> None:
    images: Any = "embedded" if form == "parquet" else "files"
    export_questions(Asked.open(made), tmp_path / "q", ["clean", "blind"], form, images)
    command = [sys.executable, "-I", str(tmp_path / "q/run.py")]
    subprocess.run(command, check=True, timeout=300)
    path = tmp_path / "q/answers.jsonl"
    whole = path.read_text()
    ids = [json.loads(line)["item_id"] for line in whole.splitlines()]
    assert ids == [row["item_id"] for row in rows_of(tmp_path / "q")]
    path.write_text(whole[: len(whole) // 2])
    left = len(ids) - path.read_text().count("\n")
    said = subprocess.run(command, check=True, timeout=300, capture_output=True, text=True).stdout
    assert said == f"{path}: {left} answers more, {len(ids)} in all\n"
    assert path.read_text() == whole
    assert "lvlmbench" not in (tmp_path / "q/run.py").read_text().split('"""')[2]


def one_line(arguments: list[Any], capfd: pytest.CaptureFixture[str]) -> str:
    """What the command says of a mistake."""
    with pytest.raises(SystemExit) as caught:
        main([str(a) for a in arguments])
    shown = capfd.readouterr()
    assert caught.value.code == 2 and shown.out == "" and shown.err.count("\n") == 1
    return shown.err


def test_mistakes_are_one_line(
    made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine")
    command = ["export-questions", "--snapshot", made]
    out = tmp_path / "out"
    for more, part in {
        ("--out", full): "is there and not empty",
        ("--out", Path()): "is the folder you are in",
        ("--out", full / "mine.txt"): "is there and not empty",
        ("--out", made / "data/q"): "which is the snapshot's",
        ("--out", made / "results/dysca/q"): "which is the snapshot's",
        ("--out", out, "--scenario", "fog"): "no scenario 'fog'; use some of: clean, print_attack",
        ("--out", out, "--format", "csv", "--images", "embedded"): "--images files",
        ("--out", out, "--config", out): "cannot be read",
    }.items():
        assert part in one_line([*command, *more], capfd)
    assert (full / "mine.txt").read_text() == "mine" and not out.exists()
    assert "is not a folder" in one_line([*command[:2], tmp_path / "x", "--out", out], capfd)
    assert "params.yaml: is missing" in one_line([*command[:2], full, "--out", out], capfd)
    for table in ("images/clean", "questions", "verdicts/ocr"):
        finished = copy(made, tmp_path / table.replace("/", "-"))
        for path in (finished.data / table).glob("part-*.parquet"):
            path.unlink()
        line = one_line([*command[:2], home(finished), "--out", out], capfd)
        assert f"data/dysca/{table}/part-00000.parquet: is missing" in line and "dvc pull" in line
    assert [p.name for p in tmp_path.iterdir() if "unfinished" in p.name] == []


def test_what_fails_half_way_leaves_nothing(made: Path, tmp_path: Path) -> None:
    finished = copy(made, tmp_path / "s")
    for path in finished.parts(tables.IMAGES, scenario="clean")[1:]:
        rows = tables.read([path], tables.IMAGES).to_pylist()
        for row in rows:
            row["image"]["bytes"] += b"!"
        tables.write_rows(rows, path, tables.IMAGES, "s")
    with pytest.raises(UserError, match="is not what its SHA-256 says"):
        export_questions(finished, tmp_path / "q", ["clean"], "jsonl", "files")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["s"]


def test_an_empty_folder_is_filled(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q").mkdir()
    main(["export-questions", "--snapshot", str(made), "--out", str(tmp_path / "q")])
    rows = rows_of(tmp_path / "q")
    assert f"{len(rows)} questions (clean {len(rows)})" in capsys.readouterr().out
    assert {row["scenario"] for row in rows} == {"clean"}
    assert f"{len(rows)} questions in the scenario clean" in (tmp_path / "q/README.md").read_text()
