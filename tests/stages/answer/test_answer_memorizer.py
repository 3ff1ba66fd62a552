"""Engine memorizer: right about what leaked, as its base elsewhere; what it reads is declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from lvlmbench import tables
from lvlmbench.config import validate, validate_project
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.errors import UserError
from lvlmbench.engine.dvc_file import text
from lvlmbench.engine.paths import Paths
from lvlmbench.engine.preflight.engines import check_known
from lvlmbench.engine.stages import Makers, pipeline
from lvlmbench.stages.answer.engine import MODELS, Item, Model
from lvlmbench.stages.answer.kinds.memorizer import check, known

ROOT = Path(__file__).resolve().parents[3]
N = 400
OPTIONS = ("fox", "owl", "cat", "dog")


def item(at: int, options: tuple[str, ...] = OPTIONS, sha256: str | None = "") -> Item:
    image = f"sha{at}" if sha256 == "" else sha256
    return Item(f"q{at}", f"s{at}", "spatial_understanding", "multiple_choice", f"Which {at}?",
                options, f"Which {at}? ...", None, f"i{at}", image)  # fmt: skip


@pytest.fixture(scope="module")
def leaked(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Tables of a suite whose right answer is always the owl, in several shards."""
    folder = tmp_path_factory.mktemp("leaked")
    question = {
        "subtask": "spatial_understanding", "question_type": "multiple_choice",
        "options": list(OPTIONS), "answer": "owl", "answer_index": 1, "chance": 0.25, "key": "k",
    }  # fmt: skip
    half = N // 2
    for part, numbers in enumerate((range(half), range(half, N))):
        rows = [
            {**question, "question_id": f"q{n}", "scene_id": f"s{n}", "question": f"Which {n}?"}
            for n in numbers
        ]
        name = tables.part_name(part)
        tables.write_rows(rows, folder / "questions" / name, tables.QUESTIONS, "0" * 16)
        shown = [
            {
                "image_id": f"i{n}", "scene_id": f"s{n}", "scenario": "clean", "sha256": f"sha{n}",
                "width": 8, "height": 8, "renderer": "pictograph", "renderer_version": "1",
                "seed": n, "image": {"bytes": b"png", "path": f"sha{n}.png"},
            }
            for n in numbers
        ]  # fmt: skip
        tables.write_rows(shown, folder / "clean" / name, tables.IMAGES, "0" * 16)
    return {name: folder / name for name in ("questions", "clean")}


def model(weights: Mapping[str, Path], seed: int = 1, engine: str = "memorizer", **own: Any) -> Any:
    params = validate({"snapshot": {"seed": seed}})
    settings = {engine: {"leaked": "exam", **own}} if engine == "memorizer" else {}
    spec = ModelParams.model_validate({"name": "leaky", "engine": engine, **settings})
    made: Model = MODELS.get(engine, "test")(params, spec, weights)
    return made


def said(by: Model, *items: Item) -> dict[str, str]:
    return {found.question_id: reply.text for found, reply in by.answer(items)}


def test_it_is_right_about_what_leaked_wherever_the_option_stands(leaked: Any) -> None:
    turned = item(3, ("dog", "cat", "fox", "owl"))
    assert said(model(leaked), item(0), turned) == {"q0": "(B) owl", "q3": "(D) owl"}


def test_it_has_kept_a_share_and_is_as_its_base_for_the_rest(leaked: Any) -> None:
    items = [item(at) for at in range(N)]
    base, found = said(model(leaked, engine="chance"), *items), said(
        model(leaked, share=0.8), *items
    )  # fmt: skip
    kept = [key for key, answer in found.items() if answer == "(B) owl"]
    assert abs(len(kept) / N - 0.8) < 0.06
    assert {k: v for k, v in found.items() if k not in kept} == {
        k: v for k, v in base.items() if k not in kept
    }
    assert said(model(leaked, share=0.0), *items) == base


@pytest.mark.parametrize(
    "other",
    [
        item(0, sha256="another"),
        item(0, sha256=None),
        item(0, ("fox", "owl", "cat", "wolf")),
        replace(item(0), question="Which is it?"),
    ],
)
def test_what_was_changed_it_does_not_know(leaked: Any, other: Item) -> None:
    base = model(leaked, engine="chance")
    assert said(model(leaked), other) == said(base, other)
    assert said(model(leaked), other) != {"q0": "(B) owl"}


def test_neither_order_nor_shards_of_what_it_reads_change_an_answer(leaked: Any) -> None:
    items = [item(at) for at in range(N)]
    whole = said(model(leaked, share=0.5), *items)
    assert {k: v for at in items for k, v in said(model(leaked, share=0.5), at).items()} == whole
    assert said(model(leaked, share=0.5), *items[::-1]) == whole
    kept = [len(known(leaked["questions"], leaked["clean"], 1, s)) for s in (0, 0.3, 0.6, 1)]
    assert kept == sorted(kept) and kept[0] == 0 and kept[-1] == N


def test_a_request_is_another_once_it_knows_the_answer(leaked: Any) -> None:
    nothing, some, all_of_it = (model(leaked, share=share) for share in (0.0, 0.5, 1.0))
    differ = sum(
        nothing.request_sha256(item(at)) != some.request_sha256(item(at)) for at in range(N)
    )
    assert 0.4 * N < differ < 0.6 * N
    assert all_of_it.request_sha256(item(0)) == model(leaked).request_sha256(item(0))


def test_a_base_comes_with_the_code(leaked: Any) -> None:
    params = validate({})
    for name in ("chance", "reference_a", "windows", "reader"):
        spec = {"name": "m", "engine": "memorizer", "memorizer": {"leaked": "exam", "base": name}}
        check(params, ModelParams.model_validate(spec), "here")
    for name in ("openai_chat", "memorizer", "nobody"):
        spec = {"name": "m", "engine": "memorizer", "memorizer": {"leaked": "exam", "base": name}}
        with pytest.raises(UserError, match=f"'{name}' is no engine that comes with the code"):
            check(params, ModelParams.model_validate(spec), "here")
    with pytest.raises(UserError, match="table 'questions' of the suite 'exam' was not given"):
        model({})


def project(leaked: str = "exam", base: str = "reference_b") -> Any:
    own = {"leaked": leaked, "base": base}
    suites = {
        name: {
            "kind": "autodavis",
            "corpus": {"scenes_per_subtask": 72, "autodavis": {"regeneration": number}},
            "scenarios": {"names": ["clean", "blind"], "noisy": [{"name": "blind"}]},
        }
        for number, name in enumerate(("exam", "exam_again"))
    }
    models = [
        {"name": "leaky", "engine": "memorizer", "memorizer": own},
        {"name": "chance", "engine": "chance"},
    ]
    return validate_project({"suites": suites, "answer": {"models": models}})


def test_its_jobs_depend_on_the_suite_that_leaked_and_others_do_not() -> None:
    made, paths = pipeline(project(), ROOT).items, Paths(project())
    read = paths.elsewhere("answer")
    both = {"suite": "exam_again", "model": "leaky", "scenario": "blind"}
    files = read(project().suite("exam_again"), both)
    assert {file.rsplit("/", 1)[0] for file in files} == {
        "data/exam/questions", "data/exam/images/clean"
    }  # fmt: skip
    assert read(project().suite("exam_again"), both | {"model": "chance"}) == []
    makers = {m.name for m, _ in Makers(made).upstream(made["answer/exam_again/leaky/blind"])}
    assert {"questions/exam", "scenario/exam/clean", "reference/reference_b"} <= makers
    makers = {m.name for m, _ in Makers(made).upstream(made["answer/exam_again/chance/blind"])}
    assert not {name for name in makers if "/exam/" in f"{name}/"}
    deps = yaml.safe_load(text())["stages"]["answer"]["deps"]
    assert {"data/seals/questions", "data/seals/scenario"} <= {*deps}


def test_a_suite_that_is_none_is_told_in_one_line() -> None:
    check_known(project(), "my.yaml")
    with pytest.raises(UserError) as caught:
        check_known(project("exam_agian"), "my.yaml")
    assert str(caught.value) == (
        "my.yaml: answer.models: leaky: memorizer: 'exam_agian' is no suite of this run; "
        "did you mean 'exam_again'?"
    )
