"""Reading YAML: numbers as YAML 1.2 and JSON have them, limits, and keys that stand twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import check_yaml, read_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-05", 1e-5),
        ("-2E3", -2e3),
        ("1.5e-3", 1.5e-3),
        ("7", 7),
        ("1e", "1e"),
        ("1e5x", "1e5x"),
        ("3e1d", "3e1d"),
        ("'1e5'", "1e5"),
    ],
)
def test_a_number_needs_no_point(tmp_path: Path, text: str, value: object) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"a: {text}\n")
    found = read_yaml(path)
    assert found == {"a": value}
    assert isinstance(found, dict)
    assert type(found["a"]) is type(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_that_json_writes_come_back(
    tmp_path_factory: pytest.TempPathFactory, value: float
) -> None:
    path = tmp_path_factory.getbasetemp() / "number.json"
    path.write_text(json.dumps({"a": value}))
    assert repr(read_yaml(path)) == repr({"a": value})


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a: 1\nb: 2\na: 3\n", "a.yaml:3: is not valid YAML (the key 'a' stands twice"),
        ("a: &x [*x]\n", "a.yaml:1: '*x' stands inside of what it means"),
        ("a: *x\n", "a.yaml:1: '*x' means nothing that stands before it"),
        ("[" * 40 + "]" * 40, "a.yaml:1: holds lists or sections more than 32 deep"),
        ("a: &a [1,1,1,1,1,1,1,1,1,1]\n", None),
    ],
)
def test_what_would_surprise_or_take_hours_is_one_line(
    tmp_path: Path, text: str, part: str | None
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(text)
    if part is None:
        assert read_yaml(path) == {"a": [1] * 10}
        return
    with pytest.raises(UserError) as error:
        read_yaml(path)
    assert part in str(error.value)


def test_aliases_of_aliases_are_counted_before_they_are_written_out(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    rows = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    path.write_text("\n".join(["a0: &a0 [1, 1]", *rows]))
    with pytest.raises(UserError, match="stands for more than 200,000 values"):
        read_yaml(path)


def test_what_is_no_utf_8_says_to_save_it_so(tmp_path: Path) -> None:
    raw = b"a: 1\n# \xe9\n"
    with pytest.raises(UserError, match=r"a\.yaml:2: .*; save it as UTF-8$"):
        check_yaml(raw, str(tmp_path / "a.yaml"))


def test_a_tab_that_another_program_would_end_at_is_told(tmp_path: Path) -> None:
    """libyaml takes it; Snakemake, which reads the same file, does not."""
    path = tmp_path / "my.yaml"
    path.write_text("snapshot:\n  seed:\t7\n")
    with pytest.raises(UserError, match=r"my\.yaml:2: is not valid YAML \(there is a tab\)"):
        read_yaml(path)


def test_large_files_of_data_are_read_alike(tmp_path: Path) -> None:
    text = "a: {x: 1e-5, y: [1, no, ~, 'z']}\nb: 2\n"
    small, large, twice = (tmp_path / name for name in ("small", "large", "twice"))
    small.write_text(text)
    large.write_text(text + "#" * 70_000)
    twice.write_text("a: 1\na: 2\n" + "#" * 70_000)
    assert read_yaml(large) == read_yaml(small)
    with pytest.raises(UserError, match=r"twice:2: .*'a' stands twice"):
        read_yaml(twice)
