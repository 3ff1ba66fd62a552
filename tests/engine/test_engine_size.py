"""A run that is too large to be planned is refused in a moment, with what would do."""

from __future__ import annotations

import re
import time

import pytest

from lvlmbench.config import validate_project
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.size import check_size, size_of


def of(scenes: int, shard: int = 400) -> dict[str, object]:
    suites = {"dysca": {"corpus": {"scenes_per_subtask": scenes}}}
    return {"suites": suites, "render": {"shard_images": shard}}


def asking(models: int, scenes: dict[str, int], shard: int = 400) -> dict[str, object]:
    """Parameters with many models, some suites, and their scenes of each subtask."""
    suites = {name: {"corpus": {"scenes_per_subtask": n}} for name, n in scenes.items()}
    named = [{"name": f"m{at}", "engine": "chance"} for at in range(models)]
    return {"suites": suites, "render": {"shard_images": shard}, "answer": {"models": named}}


def test_usual_runs_say_nothing() -> None:
    assert check_size(validate_project(of(10)), "mine.yaml") == ""


def test_a_large_run_is_told_before_it_is_planned() -> None:
    line = check_size(validate_project(of(3000)), "mine.yaml")
    assert line.startswith("large: 60,000 scenes: about ") and " GB of disk" in line


def test_a_run_that_cannot_be_planned_says_how_much_it_is_and_what_would_do() -> None:
    began = time.monotonic()
    with pytest.raises(UserError) as caught:
        check_size(validate_project(of(1_000_000)), "mine.yaml")
    assert time.monotonic() - began < 5
    line = str(caught.value)
    assert line.startswith("mine.yaml: suites.dysca.corpus.scenes_per_subtask: 20,000,000 scenes")
    assert "shard_images" not in line, "one that suffices would fit into no memory"
    with pytest.raises(UserError, match=r"or write 'render: \{shard_images: ") as caught:
        check_size(validate_project(of(20_000)), "mine.yaml")
    shard = int(caught.value.fix.rpartition(": ")[2].rstrip("}'"))
    assert size_of(validate_project(of(20_000, shard))).jobs <= 20_000
    fits = int(caught.value.fix.split()[1].replace(",", "")) // 20
    assert check_size(validate_project(of(fits)), "mine.yaml").startswith("large: ")


def test_many_models_cost_no_time_and_are_no_matter_of_scenes() -> None:
    scenes = {"dysca": 1, "composed": 1, "valor": 1}
    project = validate_project(asking(600, scenes))
    began = time.monotonic()
    with pytest.raises(UserError) as caught:
        check_size(project, "mine.yaml")
    assert time.monotonic() - began < 2
    line = str(caught.value)
    assert line.startswith("mine.yaml: answer.models: 600 models in 21 scenarios of 3 suites make")
    assert "scenes at most" not in line and "shard_images" not in line
    most = int(re.findall(r"list ([\d,]+) models at most", line)[0].replace(",", ""))
    assert size_of(validate_project(asking(most, scenes))).jobs <= 20_000
    assert check_size(validate_project(asking(most, scenes)), "mine.yaml").startswith("large: ")


def test_what_is_proposed_to_many_models_would_do() -> None:
    """Scenes are of all suites; jobs of models stay however few scenes there are."""
    scenes = {"dysca": 300, "composed": 20}
    with pytest.raises(UserError) as caught:
        check_size(validate_project(asking(300, scenes)), "mine.yaml")
    assert caught.value.where == "mine.yaml: suites.dysca.corpus.scenes_per_subtask"
    found = re.match(
        r"plan ([\d,]+) scenes at most of all suites together, fewer of each, "
        r"or write 'render: \{shard_images: (\d+)\}'",
        caught.value.fix,
    )
    assert found is not None, caught.value.fix
    planned, total = (int(n.replace(",", "")) for n in (found[1], caught.value.what.split()[0]))
    fewer = {name: n * planned // total for name, n in scenes.items()}
    for fits in (asking(300, scenes, shard=int(found[2])), asking(300, fewer)):
        assert check_size(validate_project(fits), "mine.yaml").startswith("large: ")


def test_small_shards_of_few_scenes_are_no_reason_to_plan_fewer() -> None:
    with pytest.raises(UserError) as caught:
        check_size(validate_project(asking(500, {"dysca": 10}, shard=1)), "mine.yaml")
    assert caught.value.fix == "write 'render: {shard_images: 100}'"


def test_where_either_alone_would_not_do_both_are_proposed() -> None:
    with pytest.raises(UserError) as caught:
        check_size(validate_project(asking(500, {"dysca": 100_000}, shard=1)), "mine.yaml")
    found = re.match(
        r"write 'render: \{shard_images: 4000\}', and plan ([\d,]+) scenes at most$",
        caught.value.fix,
    )
    assert found is not None, caught.value.fix
    each = int(found[1].replace(",", "")) // 20
    both = validate_project(asking(500, {"dysca": each}, shard=4000))
    assert check_size(both, "mine.yaml").startswith("large: ")
