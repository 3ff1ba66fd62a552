"""A mark that stands for thousands of tables: whose it is, and when it is made anew."""

from __future__ import annotations

from collections.abc import ItemsView
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

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


def opened(root: Path, **config: Any) -> Dag:
    """A first run."""
    return Dag.open(root, config, None)


class Wildcards(SimpleNamespace):
    """Those of a job, as Snakemake hands them over."""

    def items(self) -> ItemsView[str, str]:
        return vars(self).items()


def job(dag: Dag, stage: str) -> Wildcards:
    """Those of a job that reads all tables."""
    return Wildcards(build=dag.build(f"{stage}/dysca"), suite="dysca")


@pytest.mark.long
def test_a_mark_belongs_to_what_its_tables_are_made_from(root: Path) -> None:
    marks = []
    for seed in (1, 2):
        dag = opened(root, snapshot={"seed": seed})
        for stage in ("figures", "exports"):
            wildcards = job(dag, stage)
            (mark,) = dag.tables(stage, wildcards)
            assert mark == f"{wildcards.build}/{stage}-dysca.done"
            # The rule that makes it waits for all of them, by names and times.
            assert len(dag.all_tables(stage)(wildcards)) > 1
            marks.append(mark)
    assert len(set(marks)) == 4


@pytest.mark.long
def test_a_job_that_gets_what_it_names_names_all_tables(root: Path) -> None:
    dag = opened(root)
    for stage in ("figures", "exports"):
        dag.storage = cast(Storage, NoDisk())
        assert dag.tables(stage, job(dag, stage)) == dag.all_tables(stage)(job(dag, stage))
