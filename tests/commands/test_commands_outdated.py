"""Numbers of other parameters than those that are there now are told as such."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from lvlmbench import tables
from lvlmbench.commands.main import main
from lvlmbench.config import validate_project
from lvlmbench.config.layers import Layers, merge
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.engine.seals import Seal, write_seal
from lvlmbench.engine.stages import params_by_item
from lvlmbench.engine.under_way import given, left_out, note_begun
from lvlmbench.stages.metrics.metrics import metric_rows
from lvlmbench.versions.outdated import outdated
from support.score_tables import MC, score, table

SMALL = {"snapshot": {"seed": 7}, "render": {"size": 64}}
#: Items, what they make and what they read.
ITEMS = {
    "scenes/{}": ("data/{}/scenes", []),
    "answer/{}/chance/clean": ("data/{}/answers/chance/clean", ["data/{}/scenes"]),
    "metrics/{}": ("results/{}/metrics.parquet", ["data/{}/answers/chance/clean"]),
    "report": ("results/report.html", ["results/{}/metrics.parquet"]),
}


def make(folder: Path, root: Path, *layers: dict[str, Any]) -> None:
    """Results of two suites with the seals of the items that the numbers hang on."""
    merged = read_yaml(root / "params.yaml")
    assert isinstance(merged, dict)
    for layer in layers:
        merged = merge(merged, layer)
    project = validate_project(merged)
    rows = metric_rows(table([score(n, MC, "animal", True) for n in range(4)]), [])
    for suite in ("dysca", "composed"):
        names = {name.format(suite): paths for name, paths in ITEMS.items()}
        for name, params in params_by_item(project, root, names).items():
            out, reads = names[name]
            inputs: dict[str, str | None] = {path.format(suite): "x" for path in reads}
            seal = Seal(params=params, code={}, inputs=inputs, outs={out.format(suite): "x"})
            write_seal(folder / f"data/seals/{name}.json", seal)
        tables.write_rows(
            rows, folder / f"results/{suite}/metrics.parquet", tables.METRICS, "0" * 64
        )


@pytest.fixture
def folder(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_bytes((root / "params.yaml").read_bytes())
    return tmp_path


def edit(folder: Path, **sections: Any) -> None:
    said = merge(yaml.safe_load((folder / "params.yaml").read_text()), sections)
    (folder / "params.yaml").write_text(yaml.safe_dump(said, sort_keys=False))


def test_scores_of_other_parameters_say_so_beside_the_numbers(
    folder: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(folder, root)
    asked = ["scores", "--suite", "dysca", "--format", "json"]
    assert main(asked) == 0 and capsys.readouterr().err == ""
    edit(folder, report={"items": 2})  # of which no number is made
    assert main(asked) == 0 and capsys.readouterr().err == ""
    edit(folder, snapshot={"seed": 3}, suites={"composed": {"corpus": {"scenes_per_subtask": 1}}})
    assert main(asked) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) and err == (
        "results/dysca: is of another state than params.yaml: snapshot.seed differs; "
        "run 'make report' to make it anew\n"
    )
    line = outdated(folder, "composed")
    assert line is not None and "suites.composed.corpus.scenes_per_subtask" in line
    edit(folder, answer={"models": [{"name": "other", "engine": "chance"}]}, snapshot={"name": "x"})
    line = outdated(folder, "composed")
    assert line is not None and re.search(r" and \d other keys differ;", line)


def test_numbers_of_a_suite_that_is_no_more_say_so(folder: Path, root: Path) -> None:
    """Its seals are gone, as runs remove those of what params.yaml no longer has."""
    make(folder, root)
    said = yaml.safe_load((folder / "params.yaml").read_text())
    del said["suites"]["composed"]
    (folder / "params.yaml").write_text(yaml.safe_dump(said))
    for seal in (folder / "data/seals").rglob("composed*"):
        shutil.rmtree(seal) if seal.is_dir() else seal.unlink()
    note_begun([], {"files": ["params.yaml"], "config": {}})
    assert outdated(folder, "dysca") is None
    assert outdated(Path(), "composed") == (
        "results/composed: is left from an earlier run: params.yaml has no suite 'composed'; "
        "list it there to make it anew"
    )
    # Nobody knows where a file of the last run cannot be read any more.
    note_begun([], {"files": ["params.yaml", "tour.yaml"], "config": {}})
    assert outdated(Path(), "composed") is None


def test_what_a_run_was_given_over_params_is_no_change(folder: Path, root: Path) -> None:
    """Nor is params.yaml alone, where that is what the numbers are of."""
    (folder / "my.yaml").write_text(yaml.safe_dump(SMALL))
    make(folder, root, SMALL)
    line = outdated(folder, "dysca")
    assert line is not None and "params.yaml: snapshot.seed" in line
    note_begun([], Layers([Path("params.yaml"), Path("my.yaml")], SMALL).given())
    assert given(folder) == ([folder / "params.yaml", folder / "my.yaml"], {})
    assert outdated(folder, "dysca") is None
    edit(folder, render={"size": 32})  # over which my.yaml goes
    assert outdated(folder, "dysca") is None
    (folder / "my.yaml").write_text(yaml.safe_dump(SMALL | {"snapshot": {"seed": 8}}))
    with pytest.MonkeyPatch.context() as elsewhere:  # 'make' would make another project
        elsewhere.chdir(root)
        line = outdated(folder, "dysca")
        assert line is not None and f"--directory {folder}' to make" in line
    assert outdated(folder, "dysca") == (
        f"{folder}/results/dysca: is of another state than params.yaml with my.yaml: "
        "snapshot.seed differs; run 'make report CONFIG=my.yaml' to make it anew"
    )
    (folder / "params.yaml").write_bytes((root / "params.yaml").read_bytes())
    make(folder, root)
    assert outdated(folder, "dysca") is None


def test_where_nothing_is_published_the_command_of_the_last_run_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "my.yaml").write_text(yaml.safe_dump(SMALL))
    note_begun([], Layers([Path("params.yaml"), Path("my.yaml")], SMALL).given())
    with pytest.raises(SystemExit):
        main(["scores", "--suite", "dysca"])
    told = "metrics.parquet: is not there; run 'make report CONFIG=my.yaml'\n"
    assert capsys.readouterr().err.endswith(told)


def test_a_run_without_the_files_of_the_last_one_says_so(folder: Path) -> None:
    alone = Layers([Path("params.yaml")]).given()
    assert left_out(alone) == []
    (folder / "my.yaml").write_text(yaml.safe_dump(SMALL))
    over = Layers([Path("params.yaml"), Path("my.yaml")], SMALL).given()
    note_begun([], over)
    assert left_out(over) == []
    told = "note: params.yaml alone; the last run in this folder had my.yaml over it"
    assert left_out(alone) == [f"{told} (CONFIG of make, --configfile of snakemake)"]
    note_begun([], alone)
    assert left_out(alone) == []


def test_results_elsewhere_are_held_against_what_their_run_was_given(
    folder: Path, root: Path
) -> None:
    """Of ``snakemake --directory``, with ``--config``."""
    over = {"snapshot": {"seed": 5}}
    elsewhere = folder / "elsewhere"
    make(elsewhere, root, SMALL, over)
    assert outdated(elsewhere, "dysca") is None  # nobody knows of what it is
    (folder / "my.yaml").write_text(yaml.safe_dump(SMALL))
    note = Layers([folder / "params.yaml", folder / "my.yaml"], merge(SMALL, over)).given()
    assert note["config"] == over
    (elsewhere / ".lvlmbench").mkdir()
    files = [f"../{name}" for name in note["files"]]
    told = {"given": {"files": files, "config": note["config"]}}
    (elsewhere / ".lvlmbench/run.json").write_text(json.dumps(told))
    assert outdated(elsewhere, "dysca") is None
    told["given"]["config"] = {}
    (elsewhere / ".lvlmbench/run.json").write_text(json.dumps(told))
    line = outdated(elsewhere, "dysca")
    assert line is not None and line.endswith(
        f"run 'snakemake --configfile my.yaml --directory {elsewhere}' to make it anew"
    )


def test_several_suites_are_told_alike_in_the_order_of_params(
    folder: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(folder, root)
    edit(folder, suites={"autodavis": None, "valor": None, "touchstone": None})
    said = "holds several suites; name one with --suite: dysca, composed\n"
    for command in (["scores"], ["diff", ".", "."]):
        with pytest.raises(SystemExit):
            main(command)
        assert capsys.readouterr().err.endswith(said)


def test_where_there_is_no_score_the_reason_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / "results/dysca/metrics.parquet"
    tables.write(tables.METRICS.of([]), file, tables.METRICS, "x")
    why = "no question could be asked about 12 planned scenes: 12 lost at 'Filter: clip' (unlike)"
    monkeypatch.setattr("lvlmbench.engine.outcome.nothing_asked", lambda _: why)
    with pytest.raises(SystemExit):
        main(["scores", "--model", "reference_a", "--scenario", "clean", "--metric", "headline"])
    assert capsys.readouterr().err == (
        f"results/dysca: there is no score at all: {why}; "
        "the funnel in results/report.html says what became of all\n"
    )


def test_a_comparison_says_whose_parameters_it_does_not_know(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "my.yaml").write_text(yaml.safe_dump(SMALL))
    main(["diff", ".", ".", "--suite", "dysca"])
    assert capsys.readouterr().err == ""
    note_begun([], Layers([Path("params.yaml"), Path("my.yaml")], SMALL).given())
    main(["diff", ".", ".", "--suite", "dysca"])
    told = (
        "this folder: its parameters are compared as params.yaml says; it was made of params.yaml"
    )
    assert capsys.readouterr().err.startswith(f"{told} with my.yaml\n")
