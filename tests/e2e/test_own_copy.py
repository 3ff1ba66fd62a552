"""A user's own copy of VALOR-Bench through the whole pipeline, and past DVC."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from e2e.clone import Clone
from lvlmbench import tables
from support import own_copy
from support.report_pages import head

pytestmark = [pytest.mark.e2e, pytest.mark.long]

RUN = ("results/report.html", "--cores", "2", "--configfile", "own.yaml")


@pytest.fixture
def clone(origin: Clone, tmp_path: Path) -> Clone:
    """The small project with a copy in a folder that git ignores, and a file that names it."""
    clone = origin.fresh(tmp_path / "clone")
    own_copy.write(clone.path / "data/private/valor_bench")
    suite = {
        "kind": "valor_bench",
        "corpus": {
            "scenes_per_subtask": 2,
            "valor_bench": {"folder": "data/private/valor_bench"},
        },
        "scenarios": {
            "names": ["clean", "blind", "corruption"],
            "noisy": [{"name": "blind"}, {"name": "corruption"}],
        },
    }
    layer = {"suites": {"dysca": None, "own": suite}}
    (clone.path / "own.yaml").write_text(yaml.safe_dump(layer))
    return clone


def test_it_runs_whole_and_stays_private(clone: Clone) -> None:
    clone.snakemake(*RUN)
    data = clone.path / "data/own"
    for scenario, judged in (("clean", 10), ("blind", 10), ("corruption", 10)):
        folder = tables.JUDGEMENTS.folder(data, judge="lexical", model="chance", scenario=scenario)
        rows = tables.read(folder, tables.JUDGEMENTS).to_pylist()
        assert [row["status"] for row in rows] == ["judged"] * judged
    html = (clone.path / "results/report.html").read_text()
    items = head(html)["items"]
    assert items and all(p["p"] is None for item in items for p in item["pictures"])
    assert "of which no exports are made" in html
    assert clone.run("git", "status", "--porcelain").split() == ["??", "own.yaml"]
    assert not clone.snakemake(*RUN)

    (clone.path / "data/private/valor_bench/images/garden.jpg").write_bytes(
        (clone.path / "data/private/valor_bench/images/fruit.jpg").read_bytes()
    )
    assert clone.snakemake(*RUN)["render"] == 2  # of two shards

    params = yaml.safe_load((clone.path / "params.yaml").read_text())
    params["suites"]["own"] = yaml.safe_load((clone.path / "own.yaml").read_text())["suites"]["own"]
    (clone.path / "params.yaml").write_text(yaml.safe_dump(params))
    for command in (("snakemake", "-n"), ("python", "scripts/stage.py", "scenes/own")):
        said = clone.run(*command, code=2)
        assert "params.yaml: suites.own: is of a user's own data" in said
        assert "Traceback" not in said
