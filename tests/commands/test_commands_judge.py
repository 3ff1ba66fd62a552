"""``lvlmbench judge exam`` from a snapshot to a table, and mistakes in one line."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.commands.main import main
from lvlmbench.config import Params, load_params
from lvlmbench.stages.examine import examine
from lvlmbench.stages.judge.exam.outcome import Outcome
from lvlmbench.stages.judge.exam.planting.ground import Ground
from lvlmbench.stages.judge.exam.planting.nouns import lexis_of
from lvlmbench.stages.judge.exam.planting.plant import grounds
from support.drawn_truths import RENDERER, drawn_truths
from support.planted_truth import vocabulary

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A snapshot whose scenes are made up."""
    root = tmp_path / "snapshot"
    root.mkdir()
    shutil.copy(ROOT / "params.yaml", root)
    for table in (tables.SCENES, tables.LAYOUTS, tables.TRUTH):
        folder = table.folder(root / "data" / "composed")
        folder.mkdir(parents=True)
        (folder / tables.part_name(0)).touch()
    found = grounds(drawn_truths(8, 3), lexis_of(vocabulary(), RENDERER), 3)
    monkeypatch.setattr(examine, "scenes_of", lambda *given: found)
    return root


def exam(snapshot: Path, *arguments: str) -> None:
    main(["judge", "exam", "--snapshot", str(snapshot), "--suite", "composed", *arguments])


@pytest.mark.long
@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_the_embedded_judge_is_examined(
    snapshot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    out = tmp_path / f"exam.{ending}"
    exam(snapshot, "--judge", "lexical", "--answers", "1", "--out", str(out))
    said = capsys.readouterr().out
    assert said.startswith("8 scenes, at most 1 answer of each treatment and kind\n")
    for words in ("lexical, given claims", "lexical, given answers", "lexical, given pairs"):
        assert words in said
    if ending == "csv":
        with out.open(newline="") as file:
            rows = list(csv.DictReader(file))
    else:
        rows = tables.read([out], tables.JUDGE_EXAM).to_pylist()
    assert list(rows[0]) == tables.JUDGE_EXAM.names
    assert f"{out}: {len(rows):,} numbers" in said
    assert {row["way"] for row in rows} == {"claims", "text", "pairs"}


def test_a_run_examines_where_answers_are_judged(
    snapshot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of `composed` nothing is answered freely, so that nobody judges it."""
    taken: list[str] = []

    def outcomes(params: Params, *_: object) -> list[Outcome]:
        taken.append(params.suite)
        return []

    monkeypatch.setattr(examine, "outcomes", outcomes)
    files: dict[str, list[Path]] = {"scenes": [], "layouts": [], "truth": []}
    for suite in ("composed", "dysca"):
        out = tmp_path / f"{suite}.parquet"
        examine.examine_files(load_params(snapshot / "params.yaml", suite), files, out)
        assert tables.read([out], tables.JUDGE_EXAM).num_rows == 0
    assert taken == ["dysca"]


def test_a_table_that_is_there_is_kept(
    snapshot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "exam.csv"
    out.write_text("mine")
    with pytest.raises(SystemExit):
        exam(snapshot, "--out", str(out))
    assert f"--out {out}: is there already; name a new file" in capsys.readouterr().err
    assert out.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--answers", "0"], "--answers 0: is less than 1"),
        (["--answers", "-3"], "--answers -3: is less than 1"),
        (["--answers", "100001"], "--answers 100001: is more than 100,000"),
        (["--out", "."], "--out .: is neither .parquet nor .csv"),
        (["--judge", "nobody"], "there is no judge 'nobody'"),
        (["--out", "exam.txt"], "is neither .parquet nor .csv"),
        (["--out", "no/such/folder/exam.csv"], "its folder is not there"),
    ],
)
def test_mistakes_are_one_line(
    snapshot: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    with pytest.raises(SystemExit):
        exam(snapshot, *arguments)
    [line] = capsys.readouterr().err.splitlines()
    assert said in line


def test_a_snapshot_without_drawn_scenes_is_one_line(
    snapshot: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    none: list[Ground] = []
    monkeypatch.setattr(examine, "scenes_of", lambda *given: none)
    with pytest.raises(SystemExit):
        exam(snapshot)
    [line] = capsys.readouterr().err.splitlines()
    assert "holds no scene of which all is known" in line


def test_a_snapshot_without_truth_is_one_line(
    snapshot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(tables.TRUTH.folder(snapshot / "data" / "composed"))
    with pytest.raises(SystemExit):
        exam(snapshot)
    [line] = capsys.readouterr().err.splitlines()
    assert "truth" in line and "is missing" in line
