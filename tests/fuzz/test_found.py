"""What the fuzz has found: inputs that ended in a traceback, in more than a line, or never."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lvlmbench import tables
from lvlmbench.config.loading import load_params, validate
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import guarded
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.submissions.answers_file import AnswersFile

#: Parameter files -> what the line says of each.
PARAMS = {
    "date": ("snapshot: {name: 2026-99-99}", ":1: is not valid YAML (a value is no timestamp)"),
    "hour": ("\nreport: 2026-11-22T25:61:61Z", ":2: is not valid YAML (a value is no timestamp)"),
    "no number": ("snapshot: {seed: !!int abc}", "a value is no int"),
    "empty number": ("snapshot: {seed: !!float ''}", "a value is no float"),
    "no truth": ("report: {full: !!bool maybe}", "a value is no bool"),
    "digits": (f"snapshot: {{seed: {'9' * 5000}}}", "a value is no int"),
    "deep lists": ("a: " + "[" * 100_000 + "]" * 100_000, "more than 32 deep"),
    "deep sections": ("a: " + "{a: " * 3000 + "1" + "}" * 3000, "more than 32 deep"),
    "holds itself": ("a: &x [*x]", "'*x' stands inside of what it means"),
    "billion": (
        "a: &a [x, x]\n" + "".join(f"{n}: &{n} [{', '.join([f'*{m}'] * 10)}]\n"
                                   for m, n in zip("abcdefgh", "bcdefghi", strict=True)),
        "stands for more than",
    ),
    "key twice": ("snapshot:\n  seed: 1\n  seed: 2", ":3: is not valid YAML (the key 'seed'"),
    "section twice": ("report: {}\nreport: {items: 3}", ":2: is not valid YAML (the key 'report'"),
    "large": ("a: " + "x" * (1 << 22), "has more than"),
    "unseen blank in a key": ("render: {size\u200b: 64}", "render.size\\u200b: is not a known key"),
    "escape in a key": ('render: {"\\e[31m": 64}', "render.\\x1b[31m: is not a known key"),
    "endless key": (f"? {'k' * 5000}\n: 1", "is not a known key"),
}  # fmt: skip


def one_line(error: UserError) -> str:
    """The line, which no terminal may stumble over."""
    line = str(error)
    assert line.isprintable(), line
    assert len(line) < 1000
    return line


@pytest.mark.parametrize("case", PARAMS)
def test_a_parameter_file_that_cannot_be_read_is_one_line(tmp_path: Path, case: str) -> None:
    text, what = PARAMS[case]
    path = tmp_path / "p.yaml"
    path.write_text(text)
    with pytest.raises(UserError) as caught:
        load_params(path)
    assert what in one_line(caught.value)
    assert str(path) in str(caught.value)


def test_an_endless_file_is_not_read_to_its_end() -> None:
    with pytest.raises(UserError, match="/dev/zero: has more than"):
        read_yaml(Path("/dev/zero"))


def test_aliases_and_merged_sections_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: [*a, *a]\n")
    assert read_yaml(path) == {
        "a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 3}, "c": [{"x": 1, "y": 2}] * 2,
    }  # fmt: skip


@pytest.fixture
def vocabulary(root: Path, tmp_path: Path) -> Path:
    """A copy of the vocabulary to change."""
    return Path(shutil.copytree(root / "data" / "vocabulary", tmp_path / "vocabulary"))


@pytest.mark.parametrize("way", ["pipe", "folder", "loop", "nowhere", "device"])
def test_a_list_that_is_no_file_is_one_line(vocabulary: Path, way: str) -> None:
    path = vocabulary / "animal.yaml"
    path.unlink()
    if way == "pipe":
        os.mkfifo(path)
    elif way == "folder":
        path.mkdir()
    else:
        path.symlink_to({"loop": path.name, "nowhere": "x", "device": "/dev/zero"}[way])
    with pytest.raises(UserError, match=r"animal\.yaml: cannot be read \("):
        load_vocabulary(vocabulary)


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        ("animal", "groups: [", "groups: [no, ", r"animal\.yaml:4: a group is False, not text"),
        (
            "style",
            "renderers: [diffusion",
            "renderers: [[diffusion]",
            r"style\.yaml:\d+: renderers",
        ),
        ("race", "label: ", 'label: "\\x7f" #', r"race\.yaml:\d+: label is '.*x7f'"),
        ("color", "entries:", f"entries: {'[' * 50_000}", r"color\.yaml:\d+: holds lists"),
    ],
)
def test_a_list_with_a_mistake_is_one_line(
    vocabulary: Path, name: str, old: str, new: str, what: str
) -> None:
    path = vocabulary / f"{name}.yaml"
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(UserError, match=what) as caught:
        load_vocabulary(vocabulary)
    one_line(caught.value)


@pytest.mark.parametrize("damage", ["encrypted", "packed"])
def test_damaged_answers_are_one_line(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "answers.parquet"
    table = pa.table({"item_id": [f"{n:032x}" for n in range(900)], "answer": ["(A)"] * 900})
    pq.write_table(table, path, compression="zstd", use_dictionary=False)
    raw = bytearray(path.read_bytes())
    if damage == "encrypted":
        raw[-4:] = b"PARE"
    else:
        raw[60:90] = bytes(30)
    path.write_bytes(raw)
    with pytest.raises(UserError, match=r"answers\.parquet: cannot be read as Parquet"):
        list(AnswersFile(path))


def _question(**changes: Any) -> dict[str, Any]:
    return {
        "question_id": "q", "scene_id": "s", "subtask": "color", "question_type": "multiple_choice",
        "question": "Which?", "options": ["red", "blue"], "answer": "red", "answer_index": 0,
    } | changes  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([_question(), _question(question_id=None)], "row 2: has no question_id"),
        ([_question(), _question()], "row 2: stands there twice, by its question_id"),
        ([_question(options=["red"])], "row 1: is a closed question with fewer than 2 options"),
        ([_question(options=["red", None])], "row 1: has an option that is null"),
        ([_question(answer_index=2)], "row 1: names no option as the right one"),
        ([_question(answer_index=-1)], "row 1: has the answer_index -1"),
        ([_question(question_type="riddle")], "row 1: has the question_type 'riddle'"),
        ([_question(chance=2.0)], "row 1: has the chance 2.0"),
    ],
)
def test_rows_that_cannot_be_are_one_line(
    tmp_path: Path, rows: list[dict[str, object]], what: str
) -> None:
    path = tmp_path / "part-00000.parquet"
    tables.write_rows(rows, path, tables.QUESTIONS, "x")
    with pytest.raises(UserError) as caught:
        tables.read([path], tables.QUESTIONS)
    assert f"{path}: {what}" in one_line(caught.value)


def test_a_pipe_is_no_shard(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "part-00000.parquet")
    with pytest.raises(UserError, match=r"part-00000\.parquet: is not a file"):
        tables.read(tmp_path, tables.SCENES)


def test_what_a_terminal_would_obey_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit), guarded():
        raise UserError("a\x1b]0;x\x07b", "c\u202ed\ud800\n\u2028e", "f" * 9999)
    said = capsys.readouterr().err
    assert said.startswith("a\\x1b]0;x\\x07b: c\\u202ed\\ud800 e; fff")
    assert said.count("\n") == 1
    assert len(said) < 500


@pytest.mark.parametrize("value", [[1], None, {"b": 1}])
def test_a_setting_that_is_no_value_is_named(value: object) -> None:
    noisy = [{"name": "fog", "settings": {"density": value}}]
    with pytest.raises(UserError, match=r"noisy\.0\.settings\.density: should be text, a number"):
        validate({"scenarios": {"names": ["clean", "fog"], "noisy": noisy}})


def test_an_alias_of_nothing_in_a_list_is_one_line(vocabulary: Path) -> None:
    path = vocabulary / "age.yaml"
    path.write_text(path.read_text().replace("label: ", "label: *nowhere #", 1))
    with pytest.raises(UserError, match=r"age\.yaml:\d+: "):
        load_vocabulary(vocabulary)
