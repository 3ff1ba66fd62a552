"""The scale of Dysca's Table 2: what would be shown and asked, counted from the real corpus."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.config import Params, validate, validate_project
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.config.layers import merge
from lvlmbench.config.shards import scene_range, scene_shards
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.scenario.scenario import Shard
from lvlmbench.suites.suite import build_shard
from support.planned import WHY, WHY_TEXTS, Line, Planned, beside, planned, table, texts
from support.scenario_shards import picture, scenario

PRINTED = PROJECT_ROOT / "data" / "published" / "dysca_table2.csv"


def corpus(params: Params) -> Iterator[tuple[pa.Table, pa.Table]]:
    vocabulary = load_vocabulary(vocabulary_dir(params))
    for shard in range(scene_shards(params)):
        yield build_shard(params, vocabulary, *scene_range(params, shard))


def layered(path: str) -> Params:
    base, over = (read_yaml(PROJECT_ROOT / p) for p in ("params.yaml", path))
    return validate_project(merge(base, over)).suite("dysca")


@pytest.fixture(scope="module")
def lines() -> dict[str, Line]:
    """Each row of Table 2 beside what profiles/dysca.yaml plans at its full scale."""
    params = layered("profiles/dysca.yaml")
    shards = list(corpus(params))
    found = planned(params, shards)
    clean, printed = found["clean"], found["print_attack"]
    assert clean.images == params.corpus.n_scenes == 46_700
    assert printed.images == printed.questions, "one image a question"
    # All subtasks are asked about, none in less than a fiftieth of the questions.
    assert set(clean.subtasks) == set(subtasks_of("dysca"))
    assert min(clean.subtasks.values()) > clean.questions / 50
    assert "text" not in printed.subtasks
    more = texts(params, shards) | {"resolution": params.render.size}
    return {line.statistic: line for line in beside(found, PRINTED, more)}


@pytest.mark.long
def test_the_full_scale_has_the_proportions_of_table_2(lines: dict[str, Line]) -> None:
    with PRINTED.open(encoding="utf-8", newline="") as file:
        assert [*lines] == [row["statistic"] for row in csv.DictReader(file)], "every row"
    assert {name: line.apart for name, line in lines.items() if not line.holds} == {}
    scenarios = ("clean", "print_attack", "adversarial", "corruption")
    assert lines["questions"].number == sum(lines[name].number for name in scenarios)


@pytest.mark.long
def test_the_documents_have_all_of_table_2_with_its_mismatches(lines: dict[str, Line]) -> None:
    docs = (PROJECT_ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert table(lines.values()) in docs, "python benchmarks/full_scale.py writes it"
    assert {name for name, line in lines.items() if line.apart} <= {
        name for name, why in (WHY | WHY_TEXTS).items() if why
    }


def test_what_is_planned_is_what_scenarios_show() -> None:
    every = {
        "name": "curve",
        "kind": "corruption",
        "corruption": {
            "every": True,
            "scenes_per_subtask": 1,
            "kinds": ["gaussian_noise", "jpeg_compression"],
            "severities": [1, 5],
        },
    }
    noisy = [{"name": "corruption"}, every, {"name": "print_attack"}, {"name": "blind"}]
    params = validate(
        {
            "corpus": {"scenes_per_subtask": 3, "subtasks": ["animal", "color", "text"]},
            "scenarios": {"names": [spec["name"] for spec in noisy], "noisy": noisy},
        }
    )
    ((scenes, questions),) = corpus(params)
    rows = [
        {
            "image_id": f"i{at}",
            "scene_id": scene,
            "image": {"bytes": picture(at, 256), "path": "a.png"},
            "width": 256,
            "height": 256,
        }
        for at, scene in enumerate(scenes["scene_id"].to_pylist())
    ]
    images = tables.IMAGES.of(rows)
    shard = Shard(images=images, scenes=scenes, questions=questions, around=images)
    found = planned(params, [(scenes, questions)])
    about = dict(zip(*(questions[c].to_pylist() for c in ("question_id", "subtask")), strict=True))
    by_scene = Counter(questions["scene_id"].to_pylist())
    for name, each in found.items():
        shown = [*scenario(params, name).apply(shard)]
        assert each.images == len(shown), name
        if name == "print_attack":
            assert each.subtasks == Counter(about[row["question_id"]] for row in shown)
        else:
            assert each.questions == sum(by_scene[row["scene_id"]] for row in shown), name
    assert found["curve"].images == 3 * 4
    assert 0 < found["print_attack"].images < len(about)


def test_a_share_that_is_off_is_told() -> None:
    found = {"clean": Planned(100, Counter(multiple_choice=60, true_false=25, free_form=15))}
    lines = {line.statistic: line for line in beside(found, PRINTED)}
    assert lines["multiple_choice"].apart == pytest.approx(60 - 40.6)
    assert not lines["multiple_choice"].holds
    assert lines["clean"].percent == 100
    assert not lines["questions"].holds
    assert Line("x", 100, 25.0, 1, 25.5).holds
    assert not Line("x", 100, 24.9, 1, 25.5).holds
