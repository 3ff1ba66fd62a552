"""What stages promise: one table, in the code and in the documentation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import Project, validate_project
from lvlmbench.core.exactness import Exactness
from lvlmbench.engine.stages import Makers, pipeline
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.filter.filter import FILTERS
from lvlmbench.stages.render.renderer import RENDERERS
from lvlmbench.stages.scenario.scenario import SCENARIOS
from lvlmbench.stages.stage import declared
from lvlmbench.versions.exactness import exactness_of_all, stage_exactness

ROOT = Path(__file__).parents[2]
EVERYWHERE, HARDWARE, ARTIFACT = Exactness

INTEGRITY = {"name": "integrity"}
CHANCE = {"name": "chance", "engine": "chance"}
SERVED = {"name": "served", "engine": "openai_chat", "endpoint": {"model": "m"}}
NO_CAPTIONS = {"type_proportions": {"multiple_choice": 0.5, "true_false": 0.5, "free_form": 0.0}}


def sections_of(sections: dict[str, Any]) -> dict[str, Any]:
    """Sections of params.yaml; what belongs to a suite goes into ours."""
    own = {key: sections.pop(key) for key in ("corpus", "scenarios") if key in sections}
    return {**sections, "suites": {"dysca": own}}


def own(stage: str, **sections: Any) -> Exactness:
    return stage_exactness(stage, validate_project(sections_of(sections)))[0]


def effective(project: Project) -> dict[str, Exactness]:
    items = pipeline(project, ROOT).items
    return {name: exact for name, (exact, _) in exactness_of_all(items, project).items()}


def test_whatever_this_version_has_says_how_exact_it_is() -> None:
    """A new filter, say, must say how exact it is."""
    for registry, kind in ((FILTERS, "filter"), (SCENARIOS, "scenario"), (MODELS, "answer")):
        said = " ".join(when for when, _ in declared()[kind].rows())
        missing = [name for name in registry.names() if f"`{name}`" not in said]
        assert not missing, f"{kind}: {missing}"
    assert RENDERERS.names() == ["diffusion", "openai_images", "pictograph"]


def test_every_stage_of_the_default_snapshot() -> None:
    project = validate_project({})
    for name in pipeline(project, ROOT).items:
        exact, why = stage_exactness(name, project)
        assert why and "\n" not in why and isinstance(exact, Exactness)
    with pytest.raises(KeyError):
        stage_exactness("nonsense", project)


@pytest.mark.parametrize(
    ("render", "expected"),
    [
        ({}, EVERYWHERE),
        ({"renderer": "diffusion"}, HARDWARE),
        ({"renderer": "diffusion", "diffusion": {"exact": False}}, ARTIFACT),
        ({"renderer": "auto"}, HARDWARE),
        ({"renderer": "auto", "diffusion": {"exact": False}}, ARTIFACT),
        ({"fallback": "diffusion"}, HARDWARE),
        ({"renderer": "diffusion", "fallback": "pictograph"}, HARDWARE),
        ({"renderer": "somebody_elses"}, ARTIFACT),
        ({"fallback": "somebody_elses"}, ARTIFACT),
        ({"retries": {"attempts": 2, "filters": [INTEGRITY]}}, EVERYWHERE),
        ({"retries": {"attempts": 2, "filters": [INTEGRITY, {"name": "ocr"}]}}, HARDWARE),
        ({"retries": {"attempts": 0, "filters": [{"name": "ocr"}]}}, EVERYWHERE),
    ],
)
def test_render(render: dict[str, Any], expected: Exactness) -> None:
    assert own("render/dysca", render=render) == expected


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (INTEGRITY, EVERYWHERE),
        ({"name": "mine", "kind": "integrity"}, EVERYWHERE),
        ({"name": "clip"}, EVERYWHERE),
        ({"name": "big", "kind": "clip", "clip": {"engine": "ViT-L-14"}}, HARDWARE),
        ({"name": "ocr"}, HARDWARE),
        ({"name": "safety"}, HARDWARE),
        ({"name": "integrity", "kind": "somebody_elses"}, ARTIFACT),
    ],
)
def test_filter(spec: dict[str, Any], expected: Exactness) -> None:
    assert own(f"filter/dysca/{spec['name']}", filter={"filters": [spec]}) == expected


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"name": "s", "kind": "blind"}, EVERYWHERE),
        ({"name": "s", "kind": "other_image"}, EVERYWHERE),
        ({"name": "s", "kind": "print_attack"}, EVERYWHERE),
        ({"name": "s", "kind": "corruption"}, EVERYWHERE),
        ({"name": "s", "kind": "adversarial"}, EVERYWHERE),
        ({"name": "s", "kind": "adversarial", "adversarial": {"proxy": "ViT-L-14"}}, ARTIFACT),
        (
            {"name": "s", "kind": "adversarial", "adversarial": {"proxy": "ViT-L-14"}}
            | {"adversarial": {"proxy": "ViT-L-14", "device": "cpu"}},
            HARDWARE,
        ),
        ({"name": "s", "kind": "somebody_elses"}, ARTIFACT),
    ],
)
def test_scenario(spec: dict[str, Any], expected: Exactness) -> None:
    found = own("scenario/dysca/s", scenarios={"names": ["clean", "s"], "noisy": [spec]})
    assert found == expected


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (CHANCE, EVERYWHERE),
        ({"name": "chance", "engine": "reference_a"}, EVERYWHERE),
        (SERVED, ARTIFACT),
        ({"name": "m", "engine": "transformers_vlm", "transformers": {"model": "a/b"}}, ARTIFACT),
        ({"name": "m", "engine": "somebody_elses"}, ARTIFACT),
    ],
)
def test_answer(model: dict[str, Any], expected: Exactness) -> None:
    assert own(f"answer/dysca/{model['name']}/clean", answer={"models": [model]}) == expected


@pytest.mark.parametrize(
    ("encoder", "expected"),
    [(None, EVERYWHERE), ("reference_b", EVERYWHERE), ("local-dir:weights/clip", HARDWARE)],
)
def test_distances(encoder: str | None, expected: Exactness) -> None:
    assert own("distances/dysca", validity={"kmmd": {"encoder": encoder}}) == expected


def test_score_is_exact_with_captions_and_without() -> None:
    assert own("score/dysca/chance/clean") == EVERYWHERE
    assert own("score/dysca/chance/clean", corpus=NO_CAPTIONS) == EVERYWHERE


def test_nothing_is_more_exact_than_what_it_reads() -> None:
    project = validate_project({"answer": {"models": [CHANCE, SERVED]}})
    found, stages = effective(project), pipeline(project, ROOT).items
    for name, stage in stages.items():
        read = [found[maker.name].rank for maker, _ in Makers(stages).upstream(stage)]
        assert found[name].rank == max([stage_exactness(name, project)[0].rank, *read]), name
    before = (
        "scenes",
        "questions",
        "render",
        "reference_scenes",
        "reference",
        "filter",
        "scenario",
    )
    assert {n for n, e in found.items() if e == EVERYWHERE} == {
        n for n in found if n.split("/")[0] in before
    } - {"filter/dysca/ocr"}
    assert found["answer/dysca/chance/clean"] == HARDWARE  # it is asked about what the filters keep
    assert found["answer/dysca/served/clean"] == found["score/dysca/served/clean"] == ARTIFACT
    assert found["consensus/dysca"] == found["report"] == found["exports/dysca"] == ARTIFACT
    assert found["score/dysca/chance/clean"] == HARDWARE


def test_without_networks_all_up_to_the_statistics_is_exact_everywhere() -> None:
    sections = {
        "corpus": NO_CAPTIONS,
        "reference": {"models": []},
        "filter": {"filters": [INTEGRITY]},
        "scenarios": {"names": ["clean", "blind"], "noisy": [{"name": "blind"}]},
        "answer": {"models": [CHANCE]},
        "validity": {"kmmd": {"encoder": None}},
        "judge": {"judges": []},
    }
    found = effective(validate_project(sections_of(sections)))
    weaker = {name for name, exact in found.items() if exact != EVERYWHERE}
    assert not weaker
