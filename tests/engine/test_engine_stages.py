"""The items of the declared stages, and dvc.yaml as it follows from the declarations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from lvlmbench.config import Project, load_project, validate, validate_project
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core.errors import UserError
from lvlmbench.engine import documentation, dvc_file
from lvlmbench.engine.paths import Paths
from lvlmbench.engine.plan import Plan
from lvlmbench.engine.stages import Makers, Pipeline, lookup, pipeline
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.reference.scenes import build_scenes, validation_questions
from lvlmbench.stages.stage import PICTURE, Out, Stage, declared, in_order, lies_in

ROOT = Path(__file__).parents[2]


def items(**sections: Any) -> Pipeline:
    return pipeline(validate_project(sections), ROOT)


def of_suite(**own: Any) -> dict[str, Any]:
    return {"dysca": own}


#: One of each axis, no reference model.
FEW: dict[str, Any] = {
    "reference": {"models": []},
    "filter": {"filters": [{"name": "integrity"}]},
    "suites": of_suite(scenarios={"names": ["clean"]}),
    "answer": {"models": [{"name": "chance", "engine": "chance"}]},
}


def two_models() -> dict[str, Any]:
    models = [
        {"name": "chance", "engine": "chance"},
        {"name": "m-1.5", "engine": "openai_chat", "endpoint": {"model": "m", "timeout_s": 5}},
    ]
    return {"models": models}


def test_items_of_axes_have_their_own_stages() -> None:
    filters = [{"name": "integrity"}, {"name": "other", "kind": "clip"}]
    noisy = [
        {"name": "blind"},
        {"name": "left_out", "kind": "blind"},
        {"name": "dark", "kind": "blind"},
    ]
    found = items(
        reference={"models": ["reference_b"]},
        answer=two_models(),
        filter={"filters": filters},
        suites=of_suite(scenarios={"names": ["clean", "dark", "blind"], "noisy": noisy}),
    ).items
    assert list(found) == [
        *("scenes/dysca", "render/dysca", "questions/dysca", "examine/dysca"),
        *("reference_scenes", "reference/reference_b"),
        *("filter/dysca/integrity", "filter/dysca/other"),
        *("scenario/dysca/clean", "scenario/dysca/dark", "scenario/dysca/blind"),
        *(f"answer/dysca/chance/{name}" for name in ("clean", "dark", "blind")),
        *(f"answer/dysca/m-1.5/{name}" for name in ("clean", "dark", "blind")),
        *(f"judge/dysca/lexical/chance/{name}" for name in ("clean", "dark", "blind")),
        *(f"judge/dysca/lexical/m-1.5/{name}" for name in ("clean", "dark", "blind")),
        *(f"score/dysca/chance/{name}" for name in ("clean", "dark", "blind")),
        *(f"score/dysca/m-1.5/{name}" for name in ("clean", "dark", "blind")),
        *("consensus/dysca", "exports/dysca", "audit/dysca", "dialogue/dysca"),
        *("distances/dysca", "hallucination/dysca", "metrics/dysca", "validity/dysca"),
        *("figures/dysca", "report"),
    ]
    assert found["reference/reference_b"].outs == (
        "data/reference/reference_b",
        "results/reference/reference_b/loss.csv",
        "results/reference/reference_b/metrics.json",
    )
    item = found["answer/dysca/m-1.5/clean"]
    assert item.seal == "data/seals/answer/dysca/m-1.5/clean.json"
    assert item.outs == ("data/dysca/answers/m-1.5/clean",)


def test_answers_depend_on_their_own_model_only() -> None:
    few = {"reference": {"models": []}, "filter": {"filters": []}, "suites": FEW["suites"]}
    before = items(answer=two_models(), **few).items
    changed = two_models()
    changed["models"][1]["endpoint"]["timeout_s"] = 6
    after = items(answer=changed, **few).items
    differ = [name for name in before if before[name].params != after[name].params]
    assert differ == [
        *("answer/dysca/m-1.5/clean", "consensus/dysca", "dialogue/dysca"),
        *("hallucination/dysca", "metrics/dysca", "validity/dysca", "figures/dysca", "report"),
    ]


#: Stages that tell of nearly everything.
TELL = ("figures", "report")
SNAPSHOT = {
    *("scenes", "questions", "render", "filter", "scenario", "answer", "consensus", "metrics"),
    *("validity", "distances", "exports", "examine", "hallucination", "dialogue", *TELL),
}
IMAGES = {"filter", "scenario"}
UNSIZED = {"answer", "consensus", "metrics", "validity", "distances"}
THREE = {"scenes_per_subtask": 3}
#: What depends on which filters there are.
FILTERED = {"filter", "answer", "audit", "distances", "exports", "metrics", *TELL}
#: An examiner or a validator behind an endpoint.
ASKED = {"name": "gpt", "engine": "openai_chat", "endpoint": {"model": "m"}}
CORPUS = {
    *("scenes", "questions", "render", "judge", "hallucination", *IMAGES, "distances", "exports"),
    *("dialogue", *TELL),
}


@pytest.mark.parametrize(
    ("section", "value", "changed"),
    [
        ("report", {"items": 3}, {"report"}),
        ("figures", {"published": True}, {*TELL}),
        ("exports", {"scenarios": ["corruption"]}, {"exports", "report"}),
        ("validity", {"resamples": 100}, {"validity", *TELL}),
        ("score", {"batch_size": 3}, {"score", "metrics", *TELL}),  # a floor of captions
        ("filter", {"filters": []}, FILTERED),
        ("vocabulary", {"exclude": {"animal": ["owl"]}}, {"render", "audit", *TELL}),
        ("consensus", {"models": 2}, {"consensus", "exports", *TELL}),
        ("statistics", {"resamples": 100}, {"metrics", *TELL}),
        ("statistics", {"questions": "consensus"}, {"metrics", "validity", *TELL}),
        ("audit", {"threshold": 0.2}, {"audit", "report"}),
        ("snapshot", {"seed": 3}, SNAPSHOT),
        ("render", {"size": 256}, (SNAPSHOT | {"judge"}) - {*UNSIZED, "dialogue"}),
        ("examiner", {"examiners": [ASKED]}, {"examiner", "metrics", "questions", "report"}),
        ("examiner", {"adjust": 0}, {"metrics", "report"}),
        ("validator", {"validators": [ASKED]}, {"render", "check", "metrics", "report"}),
        ("validator", {"planted": 0}, {"report"}),
        ("judge", {"exam": 9}, {"examine", "report"}),
        ("judge", {"repairs": 5}, {"judge", "examine", "report"}),
        ("suites", of_suite(corpus=THREE, scenarios={"names": ["clean"]}), CORPUS),
        ("reference", {"models": [], "scenes": {"pixels": 32}}, {"reference_scenes", *TELL}),
        ("reference", {"models": [], "training": {"steps": 5}}, {*TELL}),
        (
            "reference",
            {"models": ["reference_a"]},
            {"reference", *IMAGES, "answer", "distances", *TELL},
        ),
    ],
)  # fmt: skip
def test_which_stage_declares_which_section(section: str, value: Any, changed: set[str]) -> None:
    before, after = items(**FEW).items, items(**FEW | {section: value}).items
    differ = {n for n in {*before, *after} if before.get(n) != after.get(n)}
    assert {name.partition("/")[0] for name in differ} == changed


def two_suites(**second: Any) -> dict[str, Any]:
    one = {"kind": "dysca", "scenarios": {"names": ["clean"]}}
    return FEW | {"suites": {"one": one, "two": {**one, **second}}}


def test_changing_a_suite_leaves_the_others_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plain, other = (Plan(ROOT, items(**two_suites(**own))) for own in ({}, {"corpus": THREE}))
    differ = {n for n in plain.stages if plain.status[n].build != other.status[n].build}
    assert "report" in differ and "scenes/two" in differ and "figures/two" in differ
    assert {n for n in plain.stages if "two" in n.split("/")} | {"report"} == differ
    blind = {"scenarios": {"names": ["clean", "blind"]}}
    more = Plan(ROOT, items(**two_suites(**blind)))
    same = {n for n in plain.stages if plain.status[n].build == more.status[n].build}
    assert {n for n in plain.stages if "one" in n.split("/")} <= same
    assert {"scenes/two", "render/two", "answer/two/chance/clean", "score/two/chance/clean"} <= same


def test_one_definition_serves_all_suites() -> None:
    found = items(**two_suites())
    for item in found.items.values():
        suites = {part for path in item.outs for part in path.split("/")} & {"one", "two"}
        assert suites == set(item.name.split("/")) & {"one", "two"}
    read = {dep for dep in found.items["report"].deps if dep.startswith("data/")}
    assert {"data/one/scores", "data/two/scores"} <= read


def test_every_parameter_file_gives_a_pipeline_whose_files_lie_in_its_outs() -> None:
    default = load_project(ROOT / "params.yaml")
    every = validate_project({"suites": {"a": {"kind": "dysca"}, "b": {"kind": "dysca"}}})
    for project in (default, every, validate_project(FEW)):
        found, paths = pipeline(project, ROOT).items, Paths(project)
        for item in found.values():
            assert paths.of(item.name)
            for file in paths.of(item.name):
                assert any(lies_in(file, out) for out in item.outs)
        read = {out for i in found.values() for _, out in Makers(found).upstream(i)}
        made = {out for i in found.values() for out in i.outs}
        final = {"results/report.html"}
        for suite in project.suites:
            final |= {f"results/{suite}/metrics.json", f"results/{suite}/plots"}
        left = {out for out in made - read if not lies_in(out, "results/reference")}
        assert left == final


def test_folders_in_which_items_stand_beside_each_other_are_known() -> None:
    """From there the next run moves away what an item left that is no longer listed."""
    names = (
        *("planned_aspects", "planned_descriptions", "plan_requests", "proposals"),
        *("exam_requests", "check_answers", "check_requests", "answers", "images", "scores"),
        *("verdicts", "claims", "matches", "judgements"),
    )
    tables = {f"data/dysca/{name}" for name in (*names, "pairwise", "requests")}
    shared = {"data/reference", "results/reference", "data/seals", "results/dysca/validity"}
    assert set(items(**FEW).folders) == {*tables, *shared}


def test_models_read_the_weights_that_they_name_and_no_others() -> None:
    models = [{"name": n, "engine": e} for n, e in (("m", "reference_b"), ("chance", "chance"))]
    filters = [{"name": "integrity"}, {"name": "clip"}, {"name": "far", "kind": "clip"}]
    filters[2]["clip"] = {"engine": "ViT-L-14", "pretrained": "openai"}  # type: ignore[assignment]
    params = validate({"answer": {"models": models}, "filter": {"filters": filters}})

    def read(stage: str, **values: str) -> bool:
        return declared()[stage].weights(params, values) in params.reference.models

    assert [read("answer", model=name) for name in ("chance", "m")] == [False, True]
    names = ("integrity", "far", "clip")
    assert [read("filter", filter=name) for name in names] == [False, False, True]


def test_code_is_what_no_stage_makes() -> None:
    found = items().items
    for item in found.values():
        for dep in Makers(found).sources(item):
            assert (ROOT / dep).exists()
            assert not lies_in(dep, "results")


@pytest.mark.long
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


def stage(name: str, reads: tuple[str, ...] = (), *makes: str, **more: Any) -> Stage:
    outs = tuple(Out(path) for path in makes)
    words = {"words": name, "artifact": name, "axes": ()}
    return Stage(name=name, reads=reads, makes=outs, **words | more)


def test_makers_stand_before_readers() -> None:
    known = {s.name: s for s in (stage("a", ("data/b/part",), "data/a"), stage("b", (), "data/b"))}
    assert list(in_order(known)) == ["b", "a"]
    known["b"] = stage("b", ("data/a",), "data/b")
    with pytest.raises(ValueError, match="read each other: a, b"):
        in_order(known)


def test_what_the_form_forbids() -> None:
    known = {s.name: s for s in (stage("scenes", (), "data/a"), stage("render", (), "data/a/x"))}
    with pytest.raises(ValueError, match="overlap"):
        pipeline(validate_project({}), ROOT, known)


def test_unknown_parameter_is_one_line() -> None:
    with pytest.raises(UserError, match=r"^params.yaml: render\.sise: is not a parameter; "):
        lookup(validate_project({}).model_dump(mode="json"), "render.sise")


def test_shards_that_overlap_are_asked_for() -> None:
    corpus = {"subtasks": ["animal"], "scenes_per_subtask": 10, "shard_scenes": 4}
    paths = Paths(
        validate_project({"suites": of_suite(corpus=corpus), "render": {"shard_images": 3}})
    )
    read = [
        paths.below(["data/{suite}/scenes"], {"suite": "dysca", "shard": f"{i:05d}"})
        for i in range(4)
    ]
    assert [[int(p[-13:-8]) for p in each] for each in read] == [[0], [0, 1], [1, 2], [2]]
    assert paths.of("score/dysca/chance/clean") == [
        "data/dysca/scores/chance/clean/part-00000.parquet"
    ]
    with pytest.raises(KeyError):
        paths.of("unheard-of")


def test_generated_files_are_what_the_stages_declare() -> None:
    """dvc.yaml, the picture, the list of stages, the table of what is exact."""
    for name, text in documentation.wanted(ROOT).items():
        assert (ROOT / name).read_text(encoding="utf-8") == text, "run 'make docs'"


def test_the_boxes_of_the_picture_are_stages() -> None:
    assert set(PICTURE) <= set(declared())
    order = [name for name in declared() if name in PICTURE]
    assert order.index("scenes") < order.index("questions") < order.index("scenario")


def seen_by_dvc(folder: Path, project: Project) -> dict[str, Any]:
    """Stages by their addresses, as DVC reads our file with these parameters."""
    from dvc.repo import Repo

    text = yaml.safe_dump(project.model_dump(mode="json"), sort_keys=False)
    (folder / "params.yaml").write_text(text)
    (folder / ".dvc").mkdir(exist_ok=True)
    settings = (ROOT / ".dvc/config").read_text().replace("[core]", "[core]\n    no_scm = true")
    (folder / ".dvc/config").write_text(settings)
    (folder / "dvc.yaml").write_text(dvc_file.text(ROOT))
    with Repo(str(folder)) as repo:
        return {stage.addressing: stage for stage in repo.index.stages}


def test_what_dvc_knows_of_a_stage_holds_what_the_engine_knows_of_its_items(
    tmp_path: Path,
) -> None:
    project = validate_project(two_suites(scenarios={"names": ["clean", "blind"]}))
    found = pipeline(project, ROOT).items
    stages = seen_by_dvc(tmp_path, project).values()
    for item in found.values():
        (stage,) = (s for s in stages if any(lies_in(item.seal, out.def_path) for out in s.outs))
        outs = [out.def_path for out in stage.outs]
        assert all(any(lies_in(out, known) for known in outs) for out in item.outs)
        deps = [dep.def_path for dep in stage.deps if dep.def_path != "params.yaml"]
        if item.name != "report":
            assert all(any(lies_in(dep, known) for known in deps) for dep in item.deps)
    assert len(stages) == len({i.name for i in found.values()}) - 4, "scenarios of 'two' share"


def test_who_plans_is_a_stage_of_dvc_and_of_the_engine(tmp_path: Path) -> None:
    one = {"name": "gpt", "engine": "openai_chat", "endpoint": {"model": "m"}}
    project = validate_project(FEW | {"examiner": {"examiners": [one], "planners": ["gpt"]}})
    found = pipeline(project, ROOT).items
    assert "data/dysca/planned_descriptions" in found["scenes/dysca"].deps
    assert "data/lexicon" in found["scenes/dysca"].deps  # captions of annotation
    assert [i.name for i, _ in Makers(found).upstream(found["scenes/dysca"])] == [
        "planner/dysca/gpt"
    ] * 2
    outs = {out.def_path for s in seen_by_dvc(tmp_path, project).values() for out in s.outs}
    assert {*found["planner/dysca/gpt"].outs} <= outs
    without = pipeline(validate_project(FEW), ROOT).items
    assert not any("planned_" in dep for dep in without["scenes/dysca"].deps)


def test_dvc_sees_a_switch_that_is_turned_off(tmp_path: Path) -> None:
    """DVC knows an item of an axis by its command alone, and leaves switches out that are off."""

    def command(**clip: Any) -> str:
        item = {"name": "clip", "clip": {"engine": "reference_a", **clip}}
        stages = seen_by_dvc(tmp_path, validate_project({"filter": {"filters": [item]}}))
        return str(next(stage.cmd for name, stage in stages.items() if "filter@" in name))

    assert len({command(), command(text="caption"), command(text="prompt", threshold=1)}) == 3


def test_what_a_model_is_built_of_asks_nobody_again() -> None:
    first = two_models()
    other = {"language_model": "Vicuna-7B", "visual_encoder": "CLIP ViT-L/14"}
    told = {"models": [first["models"][0], first["models"][1] | other]}
    asked = {"models": [first["models"][0], first["models"][1] | {"endpoint": {"model": "n"}}]}

    def changed(answer: dict[str, Any]) -> set[str]:
        old, new = (items(**FEW | {"answer": each}).items for each in (first, answer))
        assert old.keys() == new.keys()
        return {name for name in old if old[name].params != new[name].params}

    made_anew = {*("consensus", "metrics", "hallucination", "dialogue", "validity"), *TELL}
    assert {name.partition("/")[0] for name in changed(told)} == made_anew
    assert changed(asked) == changed(told) | {"answer/dysca/m-1.5/clean"}


def test_a_suite_reads_the_folders_that_its_settings_name_and_no_other_does() -> None:
    own = {"kind": "autodavis", "corpus": {"autodavis": {"aspects": "data/mine"}}}
    found = items(**FEW | {"suites": {**of_suite(), "autodavis": own}}).items
    for stage in ("scenes", "render", "questions"):
        assert "data/mine" in found[f"{stage}/autodavis"].deps
        assert not {"data/mine", "data/aspects"} & {*found[f"{stage}/dysca"].deps}
    assert "data/mine" not in found["metrics/autodavis"].deps
