"""Who is to blame, in one line: file, line, what."""

from __future__ import annotations

from pathlib import Path

import pytest

from lvlmbench.core.blame import check_call, told_in
from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import Registry

LOG = """some words
Traceback (most recent call last):
  File "/p/scripts/answer.py", line 66, in main
    rows = answer_rows()
  File "/home/u/mine/engine.py", line 14, in answer
    return ask()
  File "/v/.venv/lib/python3.11/site-packages/httpx/x.py", line 9, in ask
    raise KeyError("x")
KeyError: 'x'
"""


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (LOG, "KeyError: 'x' at /home/u/mine/engine.py:14"),
        ("all is well\n", ""),
        ("Traceback (most recent call last):\ncut", ""),
    ],
)
def test_a_log_says_what_and_where(log: str, said: str) -> None:
    assert told_in(log) == said


def test_a_function_that_takes_something_else_is_named_with_its_file() -> None:
    def make(params: object) -> None:
        """Takes too little."""

    check_call(make, "here", "params")
    with pytest.raises(UserError) as error:
        check_call(make, "p.yaml: engine", "params", "model", "weights")
    line = str(error.value)
    assert line.startswith("p.yaml: engine: make() of ") and f"{__file__}:" in line
    assert line.endswith("have it take: params, model, weights")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import no_such", "one.py:1: the things cannot be imported (ModuleNotFoundError: No mod"),
        ("\nx = (", "one.py:2: the things cannot be imported (SyntaxError: '(' was never"),
        ("def f():\n    1 / 0\nf()\n", "one.py:2: the things cannot be imported (ZeroDivision"),
        ("import json\njson.loads('{')\n", "one.py:2: the things cannot be imported (JSONDecode"),
    ],
)
def test_a_file_of_a_kind_that_cannot_be_imported_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, said: str
) -> None:
    package = tmp_path / f"kinds_of_{abs(hash(code))}"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "one.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry[object]("things", package.name)
    for _ in range(2):
        with pytest.raises(UserError) as error:
            registry.names()
        assert said in str(error.value)
