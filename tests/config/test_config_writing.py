"""``lvlmbench config write``: what files say stands in params.yaml, comments kept."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lvlmbench.commands.main import main
from lvlmbench.config.layers import load_layers
from lvlmbench.core.yaml_file import read_yaml


@pytest.fixture
def base(root: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(root / "params.yaml", tmp_path / "params.yaml"))


def write(base: Path, *files: Path) -> None:
    main(["config", "write", *map(str, files), "--base", str(base)])


def test_the_file_says_what_they_say_laid_over_each_other(base: Path, root: Path) -> None:
    files = [root / "profiles/small.yaml", base.with_name("mine.yaml")]
    files[1].write_text("render: {size: 96}  # small\nconsensus: {wrong: null}\n")
    wanted = load_layers([base, *files])
    write(base, *files)
    assert load_layers([base]) == wanted
    text = base.read_text()
    assert text.startswith("# The one configuration file.") and "  wrong: null\n" in text
    suites = read_yaml(base)["suites"]  # type: ignore[index]
    assert [*suites] == ["dysca", "composed"]  # DVC can leave none out


def test_what_is_there_already_changes_no_value(base: Path, root: Path) -> None:
    before = read_yaml(base)
    write(base, root / "params.yaml")
    assert read_yaml(base) == before


@pytest.mark.parametrize("said", ["render: {size: 0}", "rendr: {size: 9}", "- a", "a: ["])
def test_a_mistake_writes_nothing(
    base: Path, tmp_path: Path, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before, wrong = base.read_bytes(), tmp_path / "wrong.yaml"
    wrong.write_text(said)
    with pytest.raises(SystemExit) as caught:
        write(base, wrong)
    told = capsys.readouterr().err
    assert caught.value.code == 2 and told.startswith(f"{wrong}:") and told.count("\n") == 1
    assert base.read_bytes() == before
