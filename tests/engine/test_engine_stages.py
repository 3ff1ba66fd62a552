"""dvc.yaml as the Snakefile reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from lvlmbench.config import Params, load_params, validate
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core.errors import UserError
from lvlmbench.engine import parts
from lvlmbench.engine.stages import (
    lies_in,
    lookup,
    matrix_folders,
    read_stages,
    source_deps,
    upstream,
)
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.reference.scenes import (
    build_scenes,
    validation_questions,
)

ROOT = Path(__file__).parents[2]


def plain(**sections: Any) -> dict[str, Any]:
    return validate(sections).model_dump(mode="json")


#: One of each matrix, no reference model.
FEW: dict[str, Any] = {
    "reference": {"models": []},
    "filter": {"filters": [{"name": "integrity"}]},
    "scenarios": {"names": ["clean"]},
    "answer": {"models": [{"name": "chance", "engine": "chance"}]},
}


def two_models() -> dict[str, Any]:
    models = [
        {"name": "chance", "engine": "chance"},
        {"name": "m-1.5", "engine": "openai_chat", "endpoint": {"model": "m", "timeout_s": 5}},
    ]
    return {"models": models}


def test_matrix_items_have_their_own_stages() -> None:
    filters = [{"name": "integrity"}, {"name": "other", "kind": "clip"}]
    noisy = [
        {"name": "blind"},
        {"name": "left_out", "kind": "blind"},
        {"name": "dark", "kind": "blind"},
    ]
    params = plain(
        reference={"models": ["reference_b"]},
        answer=two_models(),
        filter={"filters": filters},
        scenarios={"names": ["clean", "dark", "blind"], "noisy": noisy},
    )
    stages = read_stages(ROOT / "dvc.yaml", params)
    assert list(stages) == [
        *("corpus", "render", "reference_scenes", "reference/reference_b"),
        *("filter/integrity", "filter/other"),
        *("scenario/blind", "scenario/dark"),
        *("answer/chance/clean", "answer/chance/dark", "answer/chance/blind"),
        *("answer/m-1.5/clean", "answer/m-1.5/dark", "answer/m-1.5/blind"),
        *("score/chance/clean", "score/chance/dark", "score/chance/blind"),
        *("score/m-1.5/clean", "score/m-1.5/dark", "score/m-1.5/blind"),
        *("consensus", "audit", "metrics"),
        *("validity", "distances", "figures", "exports", "report"),
    ]
    assert stages["reference/reference_b"].outs == (
        "data/reference/reference_b",
        "results/reference/reference_b/loss.csv",
        "results/reference/reference_b/metrics.json",
    )
    assert stages["answer/m-1.5/clean"].seal == "data/seals/answer/m-1.5/clean.json"
    assert stages["answer/m-1.5/clean"].outs == ("data/answers/m-1.5/clean",)


def test_answers_depend_on_their_own_model_only() -> None:
    few = {"reference": {"models": []}, "filter": {"filters": []}, "scenarios": FEW["scenarios"]}
    before = read_stages(ROOT / "dvc.yaml", plain(answer=two_models(), **few))
    changed = two_models()
    changed["models"][1]["endpoint"]["timeout_s"] = 6
    after = read_stages(ROOT / "dvc.yaml", plain(answer=changed, **few))
    differ = [name for name in before if before[name].params != after[name].params]
    assert differ == [
        *("answer/m-1.5/clean", "consensus", "metrics"),
        *("validity", "figures", "report"),
    ]


SNAPSHOT = (
    "corpus",
    "filter/integrity",
    "answer/chance/clean",
    "distances",
    "figures",
    "exports",
    "report",
)
#: Stages that tell of nearly everything.
TELL = ("figures", "report")


@pytest.mark.parametrize(
    ("section", "value", "changed"),
    [
        ("report", {"items": 3}, {"report"}),
        ("figures", {"published": True}, {*TELL}),
        ("exports", {"scenarios": ["corruption"]}, {"exports", "report"}),
        ("validity", {"resamples": 100}, {"validity", "report"}),
        ("score", {"batch_size": 3}, {"score/chance/clean", *TELL}),
        (
            "filter",
            {"filters": []},
            {"filter/integrity", "answer/chance/clean", "audit", "distances", "exports", *TELL},
        ),
        ("vocabulary", {"exclude": {"animal": ["owl"]}}, {"render", "audit", *TELL}),
        ("consensus", {"models": 2}, {"consensus", "exports", *TELL}),
        ("statistics", {"resamples": 100}, {"metrics", *TELL}),
        ("audit", {"threshold": 0.2}, {"audit", "report"}),
        ("snapshot", {"seed": 3}, {*SNAPSHOT, "render", "consensus", "metrics", "validity"}),
        (
            "render",
            {"size": 256},
            {*SNAPSHOT, "render"} - {"answer/chance/clean", "distances"},
        ),
        ("corpus", {"scenes_per_subtask": 3}, {*SNAPSHOT, "render"} - {"answer/chance/clean"}),
        (
            "reference",
            {"models": [], "scenes": {"pixels": 32}},
            {"reference_scenes", *TELL},
        ),
        ("reference", {"models": [], "training": {"steps": 5}}, {*TELL}),
        (
            "reference",
            {"models": ["reference_a"]},
            {
                *("reference/reference_a", "filter/integrity", "answer/chance/clean"),
                *("distances", *TELL),
            },
        ),
    ],
)
def test_which_stage_declares_which_section(section: str, value: Any, changed: set[str]) -> None:
    before = read_stages(ROOT / "dvc.yaml", plain(**FEW))
    after = read_stages(ROOT / "dvc.yaml", plain(**FEW | {section: value}))
    assert {n for n in {*before, *after} if before.get(n) != after.get(n)} == changed


def test_every_parameter_file_gives_a_pipeline_whose_files_lie_in_its_outs() -> None:
    default = load_params(ROOT / "params.yaml")
    every = plain(scenarios={"names": ["clean", "corruption", "print_attack", "adversarial"]})
    for params in (default, validate(every), validate(FEW)):
        stages = read_stages(ROOT / "dvc.yaml", params.model_dump(mode="json"))
        for stage in stages.values():
            for file in parts.stage_files(params, stage.name):
                assert any(lies_in(file, out) for out in stage.outs)
        read = {out for s in stages.values() for _, out in upstream(s, stages)}
        made = {out for s in stages.values() for out in s.outs}
        final = {"results/report.html", "results/metrics.json", "results/plots"}
        assert {out for out in made - read if not lies_in(out, "results/reference")} == final


_WITH_ITEMS = ("answers", "images", "reference", "scores", "verdicts")


def test_folders_of_matrices_are_known() -> None:
    """From there the next run moves away what an item left that is no longer listed."""
    tables = {f"data/{name}" for name in _WITH_ITEMS}
    seals = {f"data/seals/{n}" for n in ("answer", "filter", "reference", "scenario", "score")}
    assert set(matrix_folders(ROOT / "dvc.yaml")) == {*tables, *seals, "results/reference"}


def test_models_read_the_weights_that_they_name_and_no_others() -> None:
    models = [{"name": n, "engine": e} for n, e in (("m", "reference_b"), ("chance", "chance"))]
    filters = [{"name": "integrity"}, {"name": "clip"}, {"name": "far", "kind": "clip"}]
    filters[2]["clip"] = {"engine": "ViT-L-14", "pretrained": "openai"}  # type: ignore[assignment]
    params = validate({"answer": {"models": models}, "filter": {"filters": filters}})
    assert parts.model_weights(params, "chance") == []
    assert {Path(f).parent.name for f in parts.model_weights(params, "m")} == {"reference_b"}
    assert parts.filter_weights(params, "integrity") == parts.filter_weights(params, "far") == []
    assert {Path(f).parent.name for f in parts.filter_weights(params, "clip")} == {"reference_a"}


def test_code_is_what_no_stage_makes() -> None:
    stages = read_stages(ROOT / "dvc.yaml", plain())
    for stage in stages.values():
        for dep in source_deps(stage, stages):
            assert (ROOT / dep).exists()
            assert not lies_in(dep, "results")


def test_reference_scenes_depend_on_what_their_stage_declares() -> None:
    """Their files name no snapshot, by which other stages would notice."""
    scenes = {"training": 64, "validation": 64, "pixels": 32, "shard_scenes": 12}
    reference = {"models": [], "weights": "trained", "scenes": scenes}
    plain_one = validate({"reference": reference})
    other = validate(
        {
            "snapshot": {"seed": 5},
            "corpus": {
                "scenes_per_subtask": 3,
                "questions_per_scene": 2,
                "subtasks": ["text", "animal"],
                "type_proportions": {"multiple_choice": 1, "true_false": 0, "free_form": 0},
            },
            "render": {"size": 64, "pictograph": {"supersample": 2}},
            "vocabulary": {"exclude": {"animal": ["owl"]}},
            "reference": reference,
        }
    )
    vocabulary = load_vocabulary(vocabulary_dir(plain_one))
    found = [
        (build_scenes(params, vocabulary, 1), validation_questions(params, vocabulary))
        for params in (plain_one, other)
    ]
    assert found[0][0].num_rows and found[0][1].num_rows
    assert found[0] == found[1]


BASE = """
stages:
  one:
    cmd: run one
    deps: [code.py]
    params: [render]
    outs: [data/one, data/seals/one.json]
  two:
    cmd: run two
    deps: [data/one]
    outs: [data/two, data/seals/two.json]
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("cmd: run one", "cmd: run one", r"must name \$\{render.size\} after"),
        ("params: [render]\n", "params: [snapshot]\n", None),
        ("outs: [data/two, data/seals/two.json]", "outs: [data/two]", "declares 0 seals"),
        ("outs: [data/two,", "outs: [data/one/x,", "overlap"),
        ("deps: [code.py]", "deps: [data/two]", "one stands before two"),
    ],
)
def test_what_the_form_forbids(tmp_path: Path, old: str, new: str, said: str | None) -> None:
    assert old in BASE
    text = BASE.replace(old, new)
    if said is None or "render" not in said:
        text = text.replace("params: [render]", "params: [snapshot]")
    (tmp_path / "dvc.yaml").write_text(text)
    if said is None:
        assert list(read_stages(tmp_path / "dvc.yaml", plain())) == ["one", "two"]
        return
    with pytest.raises(ValueError, match=said):
        read_stages(tmp_path / "dvc.yaml", plain())


def test_unknown_parameter_is_one_line() -> None:
    with pytest.raises(UserError, match=r"^dvc.yaml: render\.sise: is not a parameter; "):
        lookup(plain(), "render.sise")


def test_shards_that_overlap_are_asked_for() -> None:
    params = Params.model_validate(
        {
            "corpus": {"subtasks": ["animal"], "scenes_per_subtask": 10, "shard_scenes": 4},
            "render": {"shard_images": 3},
        }
    )
    read = [parts.corpus_overlapping(params, "scenes", i) for i in range(4)]
    assert [[int(p[-13:-8]) for p in each] for each in read] == [[0], [0, 1], [1, 2], [2]]
    assert parts.stage_files(params, "score/chance/clean") == [
        "data/scores/chance/clean/part-00000.parquet"
    ]
    with pytest.raises(KeyError):
        parts.stage_files(params, "unheard-of")


def test_dvc_sees_a_switch_that_is_turned_off(tmp_path: Path) -> None:
    """DVC knows an item of a matrix by its command alone, and leaves switches out that are off."""
    from dvc.repo import Repo

    def command(**adversarial: Any) -> str:
        item = {"name": "adversarial", "adversarial": {"proxy": "reference_a", **adversarial}}
        params = plain() | {"scenarios": {"names": ["clean", "adversarial"], "noisy": [item]}}
        (tmp_path / "params.yaml").write_text(yaml.safe_dump(params, sort_keys=False))
        with Repo(str(tmp_path)) as repo:
            found = {stage.addressing: stage.cmd for stage in repo.index.stages}
        return str(next(cmd for name, cmd in found.items() if "scenario@" in name))

    (tmp_path / ".dvc").mkdir()
    settings = (ROOT / ".dvc/config").read_text().replace("[core]", "[core]\n    no_scm = true")
    (tmp_path / ".dvc/config").write_text(settings)
    (tmp_path / "dvc.yaml").write_text((ROOT / "dvc.yaml").read_text())
    commands = {command(), command(random_start=True), command(random_start=False)}
    assert len(commands) == 3
