"""A mark that stands for thousands of tables: whose it is, and when it is made anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from lvlmbench.engine import parts
from lvlmbench.engine.following import FOLLOWED
from lvlmbench.engine.process import RUN
from lvlmbench.engine.setup import Dag
from lvlmbench.engine.storage import Storage


class NoDisk:
    """A storage, as far as paths are concerned."""

    @staticmethod
    def local(path: str) -> str:
        return f"local:{path}"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(RUN, "0")
    monkeypatch.setenv(FOLLOWED, "")


def opened(root: Path, **config: Any) -> tuple[Dag, dict[str, list[str]]]:
    """A first run; the tables that its figures and exports read."""
    dag = Dag.open(root, config, None)
    params = dag.params
    return dag, {
        "figures": parts.report_tables(params),
        "exports": parts.export_tables(params),
    }


def test_a_mark_belongs_to_what_its_tables_are_made_from(root: Path) -> None:
    marks = []
    for seed in (1, 2):
        dag, tables = opened(root, snapshot={"seed": seed})
        for stage, paths in tables.items():
            build = dag.build(stage)
            (mark,) = dag.tables(stage, build, paths)
            assert mark == f"{build}/{stage}_tables.done"
            # The rule that makes it waits for all of them, by names and times.
            assert len(dag.given(stage, paths)) == len(paths) > 1
            marks.append(mark)
    assert len(set(marks)) == 4


def test_a_job_that_gets_what_it_names_names_all_tables(root: Path) -> None:
    dag, tables = opened(root)
    for stage, paths in tables.items():
        dag.storage = cast(Storage, NoDisk())
        assert dag.tables(stage, dag.build(stage), paths) == dag.given(stage, paths)
