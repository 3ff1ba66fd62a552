"""The examples of README.md, CONTRIBUTING.md and docs: each is run, or parsed and planned.

``support/documents`` tells what each kind of block is checked with.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from lvlmbench.core.registry import HOMES
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.stages.validity.rankings import read_rankings
from lvlmbench.submissions.answers_file import AnswersFile
from lvlmbench.submissions.given import Rows
from support.documents import programs
from support.documents.kinds import registered, registers
from support.documents.parameters import BESIDE, OWN, UNDER, checked
from support.documents.prose import mentioned, unknown
from support.documents.reading import PAGES, ROOT, Block, all_blocks, block, blocks
from support.documents.shell import commands, statements, syntax

#: Blocks that no test here checks, by why.
LEFT_OUT: Mapping[str, str] = {
    "README.md: The pipeline: text 1": "generated: 'make lint' compares it with the stages",
    "docs/architecture.md: Architecture: text 1": "generated: 'make lint' compares it",
    "docs/models.md: Speed: text 1": "a line that a job prints while it asks a server",
    "docs/snapshots.md: Verify: text 1": "what 'verify' prints: tests/e2e/test_verify.py",
    "docs/snapshots.md: A fresh one: text 1": "what 'overlap' prints: tests/versions",
}
#: Blocks of other languages than YAML, Python and the shell's, each with a test below.
OTHERS = (
    "docs/architecture.md: Layers: text 1",
    "docs/exports.md: Bring answers back: json 1",
    "docs/extending.md: From another package: toml 1",
    "docs/validity.md: The same tasks: csv 1",
)


def of(language: str) -> pytest.MarkDecorator:
    """A parameter for each block of a language."""
    return pytest.mark.parametrize("example", all_blocks(language), ids=lambda each: each.name)


#: Those of Python that register a kind; test_docs_runs.py runs the others.
KINDS = [each for each in all_blocks("python") if registers(each)]


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def test_each_block_is_checked_or_says_why_not() -> None:
    names = [each.name for each in all_blocks() if each.language not in ("yaml", "sh", "python")]
    assert sorted(names) == sorted([*LEFT_OUT, *OTHERS])
    assert all(LEFT_OUT.values())


def test_what_is_said_of_examples_is_of_those_that_there_are() -> None:
    known = {each.name for each in all_blocks()}
    shown = {name for name, _ in programs.CONFIGS.values() if name}
    below = {name for names in UNDER.values() for name in names if not (ROOT / name).is_file()}
    assert {*UNDER, *BESIDE, *shown, *below} <= known
    text = "".join((ROOT / page).read_text() for page in PAGES)
    assert [name for name in (*programs.CONFIGS, *OWN) if name not in text] == []
    typed = {
        each.program
        for example in all_blocks("sh")
        for line in statements(example.text)
        for each in commands(line)
    }
    assert [name for name in (*programs.FOREIGN, *programs.PROGRAMS) if name not in typed] == []


@of("yaml")
def test_parameters_and_files_are_checked_and_planned(example: Block, tmp_path: Path) -> None:
    shown = [each for each in blocks(example.page, "python") if each.heading == example.heading]
    with registered(shown):
        assert ": good: " in checked(example, tmp_path)


@of("sh")
def test_commands_are_taken_by_their_programs(example: Block, tmp_path: Path) -> None:
    assert syntax(example.text) == ""
    programs.Session(example, tmp_path).type_all()


@pytest.mark.parametrize("text", mentioned())
def test_words_of_commands_in_sentences_are_known(text: str) -> None:
    assert unknown(text) == []


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("make reprot", "reprot"),
        ("dvc repro --no", "--no"),
        ("lvlmbench label exprot", "exprot"),
        ("lvlmbench scores --sweet x", "--sweet"),
        ("snakemake figurs", "figurs"),
        ("snakemake --core 2", "--core"),
        ("python benchmarks/gpu.py --nope", "--nope"),
        ("python3 scripts/setup_env.py fliters", "fliters"),
        ("python -m tests.planted ocr", "ocr"),
        ("python scripts/absent.py", "scripts/absent.py"),
    ],
)
def test_a_slip_in_a_sentence_is_found(text: str, slip: str) -> None:
    assert unknown(text) == [slip]


@pytest.mark.parametrize("example", KINDS, ids=lambda each: each.name)
def test_each_example_registers_its_kind(example: Block) -> None:
    with registered([example]) as added:
        # A suite brings its subtask.
        assert len(added) == (2 if "@SUITES" in example.text else 1)


def test_the_layers_are_those_that_imports_are_held_to() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    shown = block("docs/architecture.md: Layers: text 1").text.strip().split(" → ")
    assert shown == settings["contracts"][0]["layers"]


def test_the_answer_of_another_program_is_read(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(block("docs/exports.md: Bring answers back: json 1").text)
    answers = AnswersFile(file)
    (given,) = (Rows(answers).read(number, values) for number, values in answers)
    assert given.answer.text == json.loads(file.read_text())["answer"]


def test_the_group_of_another_package_is_that_of_a_registry() -> None:
    shown = tomllib.loads(block("docs/extending.md: From another package: toml 1").text)
    assert {*shown["project"]["entry-points"]} <= {f"lvlmbench.{n}" for n in (*HOMES, "subtasks")}


def test_the_ranking_of_another_benchmark_is_read(tmp_path: Path) -> None:
    shown = block("docs/validity.md: The same tasks: csv 1").text
    others = [line.replace("Qwen-VL-Chat", "another") for line in shown.splitlines()[1:]]
    (tmp_path / "theirs.csv").write_text(shown + "\n".join(others) + "\n")
    (ranking,) = read_rankings(tmp_path)
    assert ranking.benchmark == "My MMBench"
    place = shown.splitlines()[0].split(",").index("subtask")
    named = {name for line in others for name in line.split(",")[place].split(";")} - {""}
    assert named <= {*SUBTASKS}
