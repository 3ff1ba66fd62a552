"""``lvlmbench suite select``: pictures of a user's annotation, and why each is chosen."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from lvlmbench.commands.main import main
from lvlmbench.suites.valor.association.counts import STATISTICS


def annotation(folder: Path) -> Path:
    """Thirty pictures of a cup with six other things, and one of a cup and a cat alone."""
    lines = ["image,object"]
    for image in range(30):
        lines += [f"{image},cup", *(f"{image},thing {n}" for n in range(6) if (image + n) % 7)]
    lines += ["lone,cup", "lone,cat"]
    (folder / "facts.csv").write_text("\n".join(lines) + "\n")
    return folder / "facts.csv"


def run(*words: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.argv", ["lvlmbench", "suite", "select", *words])
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_pictures_are_chosen_with_the_statistic_that_chose_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "selection.csv"
    assert run(str(annotation(tmp_path)), "--out", str(out), monkeypatch=monkeypatch) == 0
    assert capsys.readouterr().out == f"{out}: 1 picture, 6 reasons to choose one\n"
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [row["statistic"] for row in rows] == [*STATISTICS]
    for row in rows:
        assert (row["image"], row["anchor"], row["shown"]) == ("lone", "cup", "cat")
        assert row["support"] == "31" and len(row["lacks"].split("; ")) == 5


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--support", "0"], "is less than 1"),
        (["--support", "500"], "holds no picture that is chosen"),
        (["--out", "{there}"], "is there already"),
    ],
)
def test_a_mistake_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    more: list[str], said: str,
) -> None:  # fmt: skip
    source = annotation(tmp_path)
    words = [str(source), "--out", str(tmp_path / "new.csv")]
    words += [word.format(there=source) for word in more]
    assert run(*words, monkeypatch=monkeypatch) != 0
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_counts_name_no_pictures(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = str(root / "data" / "association"), "--out", str(tmp_path / "new.csv")
    assert run(*words, monkeypatch=monkeypatch) != 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "says nothing of single pictures" in line
