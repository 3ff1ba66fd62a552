"""What stages promise: one table, in the code and in the documentation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import Params, validate
from lvlmbench.core.registry import Kinds
from lvlmbench.engine.stages import (
    read_stages,
    upstream,
)
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.filter.filter import FILTERS
from lvlmbench.stages.render.renderer import RENDERERS
from lvlmbench.stages.scenario.scenario import SCENARIOS
from lvlmbench.versions.exactness import (
    Exactness,
    exactness_of_all,
    stage_exactness,
)
from lvlmbench.versions.promises import (
    markdown,
    rows,
)

ROOT = Path(__file__).parents[2]
EVERYWHERE, HARDWARE, ARTIFACT = Exactness

INTEGRITY = {"name": "integrity"}
CHANCE = {"name": "chance", "engine": "chance"}
SERVED = {"name": "served", "engine": "openai_chat", "endpoint": {"model": "m"}}
NO_CAPTIONS = {"type_proportions": {"multiple_choice": 0.5, "true_false": 0.5, "free_form": 0.0}}


def own(stage: str, **sections: Any) -> Exactness:
    return stage_exactness(stage, validate(sections))[0]


def effective(params: Params) -> dict[str, Exactness]:
    stages = read_stages(ROOT / "dvc.yaml", params.model_dump(mode="json"))
    return {name: exact for name, (exact, _) in exactness_of_all(stages, params).items()}


def test_documentation_shows_this_table() -> None:
    text = (ROOT / "docs/reproducibility.md").read_text(encoding="utf-8")
    assert markdown() in text, "paste what 'python -m lvlmbench.versions.promises' prints"


@pytest.mark.parametrize("registry", [FILTERS, SCENARIOS, MODELS, RENDERERS])
def test_whatever_this_version_has_is_in_the_table(registry: Kinds[Any]) -> None:
    """A new filter, say, must say how exact it is."""
    for kind in registry.ordered():
        assert kind.exactness, f"{registry.kind}: {kind.name}"
        assert any(f"`{kind.name}`" in row.stage for row in rows())


def test_every_stage_of_the_default_snapshot() -> None:
    params = validate({})
    for name in read_stages(ROOT / "dvc.yaml", params.model_dump(mode="json")):
        exact, why = stage_exactness(name, params)
        assert why and "\n" not in why and isinstance(exact, Exactness)
    with pytest.raises(KeyError):
        stage_exactness("nonsense", params)


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
        ({"rework": {"attempts": 2, "filters": [INTEGRITY]}}, EVERYWHERE),
        ({"rework": {"attempts": 2, "filters": [INTEGRITY, {"name": "ocr"}]}}, HARDWARE),
        ({"rework": {"attempts": 0, "filters": [{"name": "ocr"}]}}, EVERYWHERE),
    ],
)
def test_render(render: dict[str, Any], expected: Exactness) -> None:
    assert own("render", render=render) == expected


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
    assert own(f"filter/{spec['name']}", filter={"filters": [spec]}) == expected


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
    found = own("scenario/s", scenarios={"names": ["clean", "s"], "noisy": [spec]})
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
    assert own(f"answer/{model['name']}/clean", answer={"models": [model]}) == expected


@pytest.mark.parametrize(
    ("encoder", "expected"),
    [(None, EVERYWHERE), ("reference_b", EVERYWHERE), ("local-dir:weights/clip", HARDWARE)],
)
def test_distances(encoder: str | None, expected: Exactness) -> None:
    assert own("distances", validity={"kmmd": {"encoder": encoder}}) == expected


def test_score_is_exact_with_captions_and_without() -> None:
    assert own("score/chance/clean") == EVERYWHERE
    assert own("score/chance/clean", corpus=NO_CAPTIONS) == EVERYWHERE


def test_nothing_is_more_exact_than_what_it_reads() -> None:
    params = validate({"answer": {"models": [CHANCE, SERVED]}})
    found = effective(params)
    stages = read_stages(ROOT / "dvc.yaml", params.model_dump(mode="json"))
    for name, stage in stages.items():
        read = [found[maker.name].rank for maker, _ in upstream(stage, stages)]
        assert found[name].rank == max([stage_exactness(name, params)[0].rank, *read]), name
    before = ("corpus", "render", "reference_scenes", "reference", "filter", "scenario")
    assert {n for n, e in found.items() if e == EVERYWHERE} == {
        n for n in found if n.split("/")[0] in before
    } - {"filter/ocr"}
    assert found["answer/chance/clean"] == HARDWARE  # it is asked about what the filters keep
    assert found["answer/served/clean"] == found["score/served/clean"] == ARTIFACT
    assert found["consensus"] == found["report"] == found["exports"] == ARTIFACT
    assert found["score/chance/clean"] == HARDWARE


def test_without_networks_all_up_to_the_statistics_is_exact_everywhere() -> None:
    sections = {
        "corpus": NO_CAPTIONS,
        "reference": {"models": []},
        "filter": {"filters": [INTEGRITY]},
        "scenarios": {"names": ["clean", "blind"], "noisy": [{"name": "blind"}]},
        "answer": {"models": [CHANCE]},
        "validity": {"kmmd": {"encoder": None}},
    }
    found = effective(validate(sections))
    weaker = {name for name, exact in found.items() if exact != EVERYWHERE}
    assert not weaker
