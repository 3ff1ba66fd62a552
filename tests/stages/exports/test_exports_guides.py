"""Nothing that a guide asks to edit is a link of DVC's cache."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from support.exports_made import ROOT, build, files, written

KINDS = ("huggingface", "croissant", "vlmevalkit", "lmms_eval", "inspect_ai", "documents",
         "sft_chat")  # fmt: skip
#: Words of somebody who is to write into a file, and the files that exports hold.
EDITS = re.compile(
    r"\b(?:edit|change|replace|fill|put a model|add `|write into)\w*[^.]*?"
    r"(?:`?[\w.~/]+\.(?:json|yaml|py|csv|md)`?|YAML files|`date\w+`|addresses)"
    r"|fill that in|as you like",
    re.I,
)
#: How they are told that it is a copy.
COPIED = re.compile(r"\bcop(?:y|ies)\b|Do not write", re.I)


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all forms."""
    source = build(tmp_path_factory.mktemp("snapshot"))
    return written(source, tmp_path_factory.mktemp("exports"), *KINDS).parent


def linked(folder: Path, cache: Path) -> None:
    """Make each file a read-only hard link of a cache, as DVC does."""
    for number, path in enumerate(sorted(p for p in folder.rglob("*") if p.is_file())):
        kept = cache / str(number)
        path.chmod(0o444)
        os.link(path, kept)


def commands(text: str, heading: str) -> list[str]:
    """The indented lines of a section."""
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return [line.strip() for line in section.splitlines() if line.startswith("    ")]


def test_following_the_guide_leaves_the_cache_as_it_is(exports: Path, tmp_path: Path) -> None:
    """VLMEvalKit's: its commands are run up to the toolkit's own, and a model is put where the
    guide says, as root could."""
    folder, home, cache = exports / "vlmevalkit", tmp_path / "home", tmp_path / "cache"
    home.mkdir()
    cache.mkdir()
    linked(folder, cache)
    before = files(cache)
    said = commands((folder / "README.md").read_text(), "Run")
    toolkit = next(n for n, line in enumerate(said) if "run.py" in line)
    script = "set -e\n" + "\n".join(said[:toolkit])
    subprocess.run(
        ["sh", "-c", script], cwd=folder, env={**os.environ, "HOME": str(home)}, check=True
    )
    (edited,) = re.findall(r"--config (\S+)", said[toolkit])
    config = Path(edited.replace("~", str(home)))
    about = json.loads(config.read_text())
    about["model"]["mine"] = {"class": "GPT4V"}
    assert config.stat().st_nlink == 1 and os.access(config, os.W_OK)
    with config.open("r+") as file:  # in place
        json.dump(about, file)
    assert files(cache) == before
    assert {path.stem for path in (home / "LMUData").iterdir()} == set(about["data"])


def paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text)]


def test_who_is_told_to_edit_an_export_is_told_to_copy_it(exports: Path) -> None:
    told = {path: path.read_text() for path in exports.glob("*/README.md")}
    told[ROOT / "docs/exports.md"] = (ROOT / "docs/exports.md").read_text().split("## Another")[0]
    told |= {path: path.read_text() for path in exports.glob("*/*.py")}
    asked = [
        (path, part)
        for path, text in told.items()
        for part in paragraphs(text)
        if EDITS.search(part)
    ]
    assert len(asked) >= 5
    for path, part in asked:
        assert COPIED.search(part) or "DATASET_URL" in part, f"{path}: {part}"


@pytest.mark.parametrize("kind", ["vlmevalkit", "lmms_eval", "inspect_ai"])
def test_each_guide_warns(exports: Path, kind: str) -> None:
    assert "**Copy before you edit.**" in (exports / kind / "README.md").read_text()


def test_the_documents_warn() -> None:
    assert "**Copy before you edit.**" in (ROOT / "docs/exports.md").read_text()
    assert "copy it first" in (ROOT / "docs/running.md").read_text()


def test_each_command_names_its_suite(exports: Path) -> None:
    """A snapshot has several: without a name such a command ends in a mistake."""
    texts = {path: path.read_text() for path in exports.rglob("*.md")}
    found = {p: re.findall(r"lvlmbench score --.*", text) for p, text in texts.items()}
    assert sum(map(bool, found.values())) >= 4
    assert all("--suite dysca" in line for lines in found.values() for line in lines)
