"""What jobs that ask a model or draw with one ask of their machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import Params, Project, load_params, validate, validate_project
from lvlmbench.config.identity import PROJECT_ROOT as ROOT
from lvlmbench.config.sections import Shared
from lvlmbench.core import gpus
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.engine.resources import gpus_here
from lvlmbench.stages.answer.resources import answer_memory_mb, answering
from lvlmbench.stages.render import resources
from lvlmbench.stages.render.choice import Choice
from lvlmbench.stages.stage import declared


def params(**settings: Any) -> Params:
    weights = {"name": "weights", "engine": "transformers_vlm", "transformers": settings}
    models = [{"name": "chance", "engine": "chance"}, *([weights] if settings else [])]
    return validate({"answer": {"models": models}}, "params.yaml")


def project_of(params: Params) -> Project:
    """A project of one suite that has these parameters."""
    shared = params.model_dump(include={*Shared.model_fields})
    return validate_project({**shared, "suites": {"dysca": {"scenarios": {"names": ["clean"]}}}})


def project(**settings: Any) -> Project:
    return project_of(params(**settings))


def drawing(renderer: str = "diffusion", fallback: str | None = None, **settings: Any) -> Params:
    render = {"renderer": renderer, "fallback": fallback, "diffusion": settings}
    models = [{"name": "chance", "engine": "chance"}]
    return validate({"render": render, "answer": {"models": models}}, "params.yaml")


def answer_gpus(params: Params, model: str) -> int | None:
    return answering(params, model).gpus


def answer_threads(params: Params, model: str) -> int:
    return answering(params, model).threads


def render_gpus(params: Params) -> int | None:
    return declared()["render"].needs(params, {}).gpus


def render_threads(params: Params) -> int:
    return declared()["render"].needs(params, {}).threads


def render_memory_mb(params: Params) -> int:
    return declared()["render"].needs(params, {}).memory_mb


def sparse(file: Path, gigabytes: int) -> None:
    """A file of that size that takes no room on the disk."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as out:
        out.truncate(gigabytes * 10**9)


def test_others_ask_for_little() -> None:
    found = params(model="owner/name")
    assert answer_gpus(found, "chance") is None, "not even for no GPU: schedulers take that ill"
    assert (answer_threads(found, "chance"), answer_memory_mb(found, "chance", "clean")) == (
        1,
        2000,
    )


@pytest.mark.parametrize(("device", "wanted"), [("auto", 1), ("cuda", 1), ("cpu", None)])
def test_weights_ask_for_a_gpu_unless_they_run_on_the_cpu(device: str, wanted: int | None) -> None:
    found = params(model="owner/name", device=device)
    assert answer_gpus(found, "weights") == wanted
    assert answer_threads(found, "weights") > 1


def test_memory_follows_the_weights(tmp_path: Path) -> None:
    for part in (1, 2):
        sparse(tmp_path / f"model-{part}.safetensors", 3)

    def memory(**settings: Any) -> int:
        return answer_memory_mb(params(model=str(tmp_path), **settings), "weights", "clean")

    on_gpu, wide, narrow = memory(), memory(device="cpu"), memory(device="cpu", dtype="bfloat16")
    assert (on_gpu - 6000, wide - on_gpu, narrow) == (6000, 6000, on_gpu)
    assert answer_memory_mb(params(model="owner/name"), "weights", "clean") > on_gpu


def test_memory_follows_the_images_of_a_shard() -> None:
    full = load_params(ROOT / "profiles" / "dysca.yaml")
    # 200 images of 1024 px, 2.7 MB each as photographs, held twice; printed: one a question.
    assert 2000 <= answer_memory_mb(full, "chance", "clean") < 2500
    assert answer_memory_mb(full, "chance", "corruption") < 2500
    printed = answer_memory_mb(full, "chance", "print_attack")
    assert 4400 < printed < 5000
    # Without a picture there is nothing to hold, whether it is a row a scene or a question.
    drafts = {"name": "drafts", "kind": "blind", "blind": {"adjusted": False}}
    spec = full.scenarios.spec("blind").model_validate(drafts)
    both = (*full.scenarios.noisy, spec)
    unseen = full.model_copy(
        update={"scenarios": full.scenarios.model_copy(update={"noisy": both})}
    )
    for name in ("blind", "drafts"):
        assert answer_memory_mb(unseen, "chance", name) == 2000
    half = full.render.model_copy(update={"shard_images": 100})
    smaller = full.model_copy(update={"render": half})
    assert answer_memory_mb(smaller, "chance", "print_attack") < 3000
    usual = load_params(ROOT / "params.yaml", "dysca")
    assert answer_memory_mb(usual, "reference_b", "clean") == 2000
    # A curve shows each image in many forms; at all severities they are more than the least.
    given = read_yaml(ROOT / "params.yaml")
    for each in given["suites"]["dysca"]["scenarios"]["noisy"]:
        each.get("corruption", {}).pop("severities", None)
    longer = validate_project(given).suite("dysca")
    assert 2200 < answer_memory_mb(longer, "reference_b", "corruption_curve") < 4000


def test_gpus_are_counted_where_one_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[bool] = []

    def visible(*, ask_torch: bool) -> tuple[gpus.Gpu, ...]:
        counted.append(ask_torch)
        return (gpus.Gpu("0", "0"), gpus.Gpu("1", "1"))

    monkeypatch.setattr(gpus, "visible", visible)
    assert gpus_here(project()) == 0
    assert gpus_here(project(model="owner/name", device="cpu")) == 0
    assert not counted
    assert gpus_here(project(model="owner/name")) == 2
    assert counted == [False], "torch takes seconds"


def test_pictographs_ask_for_little() -> None:
    found = drawing("pictograph")
    assert (render_gpus(found), render_threads(found), render_memory_mb(found)) == (None, 1, 2000)
    assert gpus_here(project_of(found)) == 0


@pytest.mark.parametrize(("device", "wanted"), [("auto", 1), ("cuda", 1), ("cpu", None)])
def test_a_pipeline_asks_for_a_gpu_unless_it_runs_on_the_cpu(
    device: str, wanted: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpus, "visible", lambda **_: (gpus.Gpu("0", "0"), gpus.Gpu("1", "1")))
    for found in (drawing(device=device), drawing("pictograph", "diffusion", device=device)):
        assert render_gpus(found) == wanted
        assert render_threads(found) == (1 if device == "cpu" else 4)
        assert gpus_here(project_of(found)) == (2 if wanted else 0)
    assert render_threads(drawing(device="cpu", exact=False)) == 16


def test_auto_asks_for_what_it_stands_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sparse(tmp_path / "unet" / "weights.safetensors", 1)
    found = drawing("auto", model=str(tmp_path))
    monkeypatch.setattr(resources, "chosen", lambda _: Choice("pictograph", "no GPU"))
    assert (render_gpus(found), render_memory_mb(found)) == (None, 2000)
    monkeypatch.setattr(resources, "chosen", lambda _: Choice("diffusion", "all is here"))
    assert (render_gpus(found), render_memory_mb(found)) == (1, 7000)


def test_memory_follows_the_pipelines_weights(tmp_path: Path) -> None:
    base, refiner = tmp_path / "base", tmp_path / "refiner"
    sparse(base / "all_in_one.safetensors", 7)  # not what diffusers reads
    sparse(base / "unet" / "weights.safetensors", 5)
    sparse(base / "unet" / "weights.fp16-00001-of-00002.safetensors", 1)
    sparse(base / "unet" / "weights.fp16-00002-of-00002.safetensors", 1)
    sparse(base / "text_encoder" / "model-00001-of-00001.safetensors", 1)
    sparse(refiner / "unet" / "weights.safetensors", 4)

    def memory(**settings: Any) -> int:
        return render_memory_mb(drawing(model=str(base), **settings)) - 6000

    assert memory() == memory(offload="model") == 6000
    assert memory(variant="fp16") == 3000, "where a part has no such variant, the plain one"
    assert memory(variant="fp16", dtype="float32") == memory(variant="fp16", device="cpu") == 6000
    assert memory(refiner={"model": str(refiner)}) == 10000
    assert memory(refiner={"model": "owner/name"}) >= 26000, "its size is not known"
    assert render_memory_mb(drawing(model="owner/name")) == 32000


@pytest.mark.parametrize(
    ("stage", "axis", "least"),
    [("planner", "planner", 1500), ("examiner", "examiner", 1500), ("check", "validator", 3000)],
)
def test_jobs_of_roles_ask_for_what_their_model_needs(stage: str, axis: str, least: int) -> None:
    """A served model needs nothing here, local weights do; each item goes by its own model."""
    served = {"name": "served", "engine": "openai_chat",
              "endpoint": {"base_url": "http://localhost:1/v1", "model": "m"}}  # fmt: skip
    local = {"name": "local", "engine": "transformers_vlm",
             "transformers": {"model": "owner/name", "device": "cuda"}}  # fmt: skip
    given = {
        "examiner": {"examiners": [served, local]},
        "validator": {"validators": [served, local]},
    }
    asked, models = validate(given, "params.yaml"), (served, local)
    far, here = (declared()[stage].needs(asked, {axis: str(m["name"])}) for m in models)
    assert (far.memory_mb, far.threads, far.gpus) == (least, 1, None)
    assert here.memory_mb > 6000 and here.gpus == 1 and here.minutes == far.minutes
    exact = [declared()[stage].promise(asked, {axis: str(m["name"])}) for m in models]
    assert exact[0] != exact[1]


@pytest.mark.parametrize("exam", [0, 4])
@pytest.mark.parametrize("names", [(), ("lexical",), ("lexical", "served"), ("served", "local")])
def test_the_exam_asks_for_what_its_judges_need(names: tuple[str, ...], exam: int) -> None:
    """One job examines all judges, however many there are."""
    served = {"engine": "openai_chat",
              "endpoint": {"base_url": "http://localhost:1/v1", "model": "m"}}  # fmt: skip
    local = {"engine": "transformers_vlm",
             "transformers": {"model": "owner/name", "device": "cuda"}}  # fmt: skip
    kinds = {"lexical": {"engine": "lexical"}, "served": served, "local": local}
    judges = [{"name": name, **kinds[name]} for name in names]
    found = declared()["examine"].needs(
        validate({"judge": {"judges": judges, "exam": exam}}, "params.yaml"), {"suite": "dysca"}
    )
    here = exam and "local" in names
    assert found.gpus == (1 if here else None), "not even for no GPU: schedulers take that ill"
    assert (found.memory_mb > 6000) == bool(here)
