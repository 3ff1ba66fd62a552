"""What a dry run is told: whatever is wrong with the parameters and needs no machine to be seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench.engine.preflight.kinds import lacking
from lvlmbench.engine.process import RUN
from lvlmbench.engine.setup import Dag


def exam(own: dict[str, Any], **corpus: Any) -> dict[str, Any]:
    """An exam alone, with settings of its own."""
    corpus = {"drawable_by": "pictograph", "scenes_per_subtask": 72, "autodavis": own} | corpus
    suite = {"kind": "autodavis", "corpus": corpus}
    return {"suites": {"dysca": None, "composed": None, "exam": suite}}


def scenario(name: str) -> dict[str, Any]:
    """An exam that is asked in another scenario."""
    made = exam({})
    made["suites"]["exam"]["scenarios"] = {"names": ["clean", name], "noisy": [{"name": "blind"}]}
    return made


def examiner(engine: str) -> dict[str, Any]:
    return {"examiner": {"examiners": [{"name": "asker", "engine": engine}]}}


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (exam({"examiners": ["nobody"]}), "autodavis.examiners: 'nobody' is not known"),
        (exam({"examiners": ["rules_plian"]}), "did you mean 'rules_plain'?"),
        (exam({"only": ["conting"]}), "autodavis.only: 'conting' is no aspect"),
        (exam({"at": ["hrad"]}), "autodavis.at: 'hrad' is not a level; did you mean 'hard'?"),
        (exam({}, drawable_by="pictogaph"), "drawable_by: 'pictogaph' is not known; did you mean"),
        ({"render": {"renderer": "pictograf"}}, "render.renderer: 'pictograf' is not known; did"),
        ({"filter": {"filters": [{"name": "clipp"}]}}, "filters: clipp: 'clipp' is not known"),
        (scenario("blnd"), "scenarios.names: there is no scenario 'blnd' under 'noisy'; did"),
        (exam({}, scenes_per_subtask=70), "scenes_per_subtask: is 70, but 24 aspects"),
        (examiner("nothing"), "examiner.examiners: asker: engine: 'nothing' is not known"),
        (examiner("chance"), "asker: engine: 'chance' answers questions about pictures"),
    ],
)
def test_names_that_are_not_known_end_a_dry_run_in_a_line(
    config: dict[str, Any],
    told: str,
    tmp_path: Path,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(RUN, "0")
    with pytest.raises(SystemExit) as ended:
        Dag.open(root, config, None)
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert (
        said.count("\n") == 1 and said.startswith(("params.yaml", "--config")) and told in said
    ), said


def test_weights_that_are_missing_are_told_of_a_dry_run_alone(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(RUN, "0")
    local = {"name": "mine", "engine": "transformers_vlm", "transformers": {"model": "/not/there"}}
    dag = Dag.open(root, {"answer": {"models": [local]}}, None)
    assert "/not/there" not in capsys.readouterr().err  # a run says it when it begins
    (said,) = lacking(dag.params, dag.source, dag.layers)
    assert said.startswith("a run here would end so: ") and "/not/there" in said
