"""Excluded entries: their scenes have a verdict and no image, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.config.identity import params_id
from lvlmbench.config.project import project_of
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.project import check_files
from lvlmbench.engine.setup import Dag
from lvlmbench.scene.exclusion import EXCLUDED, Exclusion, check_exclusion
from lvlmbench.scene.graph import Graph
from lvlmbench.stages.render.renderer import Renderer
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.suites.suite import build_shard
from support.one_line import assert_one_line
from support.render_scenes import person, scene, vocabulary

Exclude = Mapping[str, list[str]]


def params(exclude: Exclude) -> Params:
    return validate(
        {
            "snapshot": {"seed": 7},
            "corpus": {"scenes_per_subtask": 3},
            "render": {"size": 64},
            "vocabulary": {"exclude": exclude},
        }
    )


def corpus_of(exclude: Exclude) -> tuple[pa.Table, pa.Table]:
    settings = params(exclude)
    return build_shard(settings, vocabulary(), 0, settings.corpus.n_scenes)


@pytest.fixture(scope="module")
def corpus() -> tuple[pa.Table, pa.Table]:
    return corpus_of({})


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return make_renderer(params({}), vocabulary())


@pytest.fixture(scope="module")
def whole(corpus: tuple[pa.Table, pa.Table], renderer: Renderer) -> tuple[pa.Table, pa.Table]:
    """Images and verdicts of all scenes with nothing excluded."""
    return render_shard(params({}), vocabulary(), corpus[0], renderer)


def _lists(chosen: list[tuple[str, str]]) -> dict[str, list[str]]:
    exclude: dict[str, list[str]] = {}
    for name, label in chosen:
        exclude.setdefault(name, []).append(label)
    return exclude


@pytest.mark.long
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_all_other_scenes_stay_as_they_are_to_the_byte(
    data: st.DataObject,
    corpus: tuple[pa.Table, pa.Table],
    whole: tuple[pa.Table, pa.Table],
    renderer: Renderer,
) -> None:
    scenes = corpus[0].to_pylist()
    there = sorted({entry for row in scenes for entry in Graph.of(row).entries()})
    chosen = data.draw(st.lists(st.sampled_from(there), min_size=1, max_size=4, unique=True))
    exclude = _lists(chosen)
    check_exclusion(exclude, vocabulary(), "data/vocabulary", "p")
    assert corpus_of(exclude)[0].equals(corpus[0])
    assert corpus_of(exclude)[1].equals(corpus[1])
    assert params_id(params(exclude)) == params_id(params({}))

    images, verdicts, *_ = render_shard(params(exclude), vocabulary(), corpus[0], renderer)
    out = {row["scene_id"] for row in scenes if set(Graph.of(row).entries()) & set(chosen)}
    assert out
    others = pa.array([name not in out for name in whole[0]["scene_id"].to_pylist()])
    assert images.equals(whole[0].filter(others))
    for before, after in zip(whole[1].to_pylist(), verdicts.to_pylist(), strict=True):
        if before["scene_id"] in out:
            assert not after["keep"] and after["reason"].startswith(f"{EXCLUDED}: ")
            assert (after["image_id"], after["filter"]) == (before["image_id"], "render")
        else:
            assert after == before


@pytest.mark.parametrize(
    ("shown", "exclude", "reason"),
    [
        (scene("animal", "owl"), {"animal": ["cat", "owl"]}, "animal 'owl'"),
        (scene("animal", "owl"), {"animal": ["cat"]}, None),
        (scene("animal", "mouse"), {"object": ["mouse"]}, None),
        (scene("object", "umbrella", color="red"), {"color": ["red"]}, "color 'red'"),
        (scene("food", "orange"), {"color": ["orange"]}, None),
        (scene("food", "pizza", background="beach"), {"background": ["beach"]}, "background 'bea"),
        (scene("food", "pizza", style="mosaic"), {"style": ["mosaic"]}, "style 'mosaic'"),
        (scene("carrier", "road sign", text="tiger"), {"text": ["tiger"]}, "text 'tiger'"),
        (scene("carrier", "road sign", text="tiger"), {"animal": ["tiger"]}, None),
        (scene("carrier", "road sign", text="a"), {"carrier": ["road sign"]}, "carrier 'road sig"),
        (person(age="adult"), {"age": ["adult"]}, "age 'adult'"),
        (person(gender="male"), {"gender": ["male"]}, "gender 'male'"),
        (person(race="dark"), {"race": ["dark"]}, "race 'dark'"),
        (person(expression="sad"), {"expression": ["sad"]}, "expression 'sad'"),
        (
            scene("animal", "owl", background="beach", style="mosaic"),
            {"style": ["mosaic"], "animal": ["owl"]},
            "animal 'owl', style 'mosaic'",
        ),
    ],
)
def test_which_scenes_show_an_entry(
    shown: dict[str, Any], exclude: Exclude, reason: str | None
) -> None:
    found = Exclusion(exclude).reason(shown)
    if reason is None:
        assert found is None
    else:
        assert found is not None and found.startswith(f"excluded from the vocabulary: {reason}")


def test_every_column_of_a_scene_is_looked_at(corpus: tuple[pa.Table, pa.Table]) -> None:
    """Each drawn scene names its foreground, style and so on; a person is no entry."""
    lists = vocabulary().lists
    for row in corpus[0].to_pylist():
        entries = dict(Graph.of(row).entries())
        assert entries["style"] == row["style"]
        assert ("person" in entries) is False
        for name, label in entries.items():
            assert label in (lists[name].by_label if name in lists else vocabulary().words)
        primary = "carrier" if row["subtask"] == "text" else row["foreground_list"]
        assert primary == "person" or entries[primary] == row["foreground"]


MISTAKES: list[tuple[Any, str]] = [
    (
        {"animal": ["owll"]},
        "p: vocabulary.exclude.animal: 'owll' is not in the vocabulary; did you mean 'owl'?",
    ),
    ({"animal": ["cat", "Owl"]}, "'Owl' is not in the vocabulary; did you mean 'owl'?"),
    ({"animals": ["owl"]}, "exclude.animals: is not a list of the vocabulary; did you mean 'anim"),
    ({"person": ["adult"]}, "exclude.person: is not a list of the vocabulary; "),
    ({"text": ["tigr"]}, "exclude.text: 'tigr' is not in the vocabulary; did you mean 'tig"),
    ({"text": ["zzzzzzz"]}, "'zzzzzzz' is not in the vocabulary; see data/vocabulary/text.yaml"),
    ({"gender": ["x"]}, "'x' is not in the vocabulary; use some of: female, male"),
    ({"landmark": ["eiffel tower"]}, "did you mean 'Eiffel Tower'?"),
]


@pytest.mark.parametrize(("exclude", "part"), MISTAKES)
def test_an_unknown_entry_is_one_line_with_the_nearest(exclude: Exclude, part: str) -> None:
    with pytest.raises(UserError) as problem:
        check_exclusion(exclude, vocabulary(), "data/vocabulary", "p")
    assert part in str(problem.value) and "\n" not in str(problem.value)
    assert len(str(problem.value)) < 400


@pytest.mark.parametrize(
    ("exclude", "part"),
    [
        ({"animal": "owl"}, 'vocabulary.exclude.animal: should be a list (got "owl")'),
        (["owl"], "vocabulary.exclude: should be a section"),
        ({"animal": ["owl", "owl"]}, "vocabulary.exclude: the label of animal 'owl' is listed"),
        ({"animal": None}, "vocabulary.exclude.animal: should be a list (got null)"),
        ({"text": [True]}, "vocabulary.exclude.text.0: "),
    ],
)
def test_what_is_no_list_of_labels_is_one_line(exclude: Any, part: str) -> None:
    with pytest.raises(UserError) as problem:
        validate({"vocabulary": {"exclude": exclude}})
    assert part in str(problem.value) and "\n" not in str(problem.value)


def test_mistakes_are_found_before_anything_runs(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {
        "vocabulary": {"exclude": {"animal": ["owll"]}},
        "answer": {"models": [{"name": "chance", "engine": "chance"}]},
    }
    file = tmp_path / "mine.yaml"
    file.write_text(yaml.safe_dump(wrong))
    with pytest.raises(UserError, match=r"mine\.yaml: vocabulary\.exclude\.animal: 'owll'"):
        check_files([root / "params.yaml", file])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        Dag.open(root, wrong, None)
    line = capsys.readouterr().err.strip()
    assert "vocabulary.exclude.animal: 'owll' is not in the vocabulary" in line
    assert len(line.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["mine.yaml"]  # no DAG was begun


@pytest.mark.long
def test_the_script_leaves_excluded_scenes_out(
    corpus: tuple[pa.Table, pa.Table], tmp_path: Path, run_python: Callable[..., Any], root: Path
) -> None:
    part = tmp_path / tables.part_name(0)
    tables.write(corpus[0], part, tables.SCENES, "test")
    label = corpus[0]["style"].to_pylist()[0]

    def run(exclude: Exclude, out: str) -> Any:
        config = tmp_path / "config.json"
        config.write_text(project_of(params(exclude)).model_dump_json())
        return run_python(
            root / "scripts" / "render.py", "--config", config, "--shard", 0, "--scenes", part,
            "--images-out", tmp_path / f"{out}.parquet",
            "--verdicts-out", tmp_path / f"{out}-verdicts.parquet",
            "--attempts-out", tmp_path / f"{out}-attempts.parquet",
            "--layouts-out", tmp_path / f"{out}-layouts.parquet",
            "--requests-out", tmp_path / f"{out}-requests.parquet",
            "--checks-out", tmp_path / f"{out}-checks.parquet",
            "--check-requests-out", tmp_path / f"{out}-check-requests.parquet",
        )  # fmt: skip

    assert_one_line(run({"style": ["mosaik"]}, "bad"), "config.json: vocabulary.exclude.style: 'mo")
    for exclude, out in (({}, "all"), ({"style": [label]}, "some"), ({"animal": ["owl"]}, "same")):
        done = run(exclude, out)
        assert done.returncode == 0, done.stderr
    made = {o: tables.read([tmp_path / f"{o}.parquet"], tables.IMAGES) for o in ("all", "some")}
    without = corpus[0].filter(pa.array([s != label for s in corpus[0]["style"].to_pylist()]))
    kept = set(without["scene_id"].to_pylist())
    rows = pa.array([s in kept for s in made["all"]["scene_id"].to_pylist()])
    assert 0 < made["some"].num_rows < made["all"].num_rows
    assert made["some"].equals(made["all"].filter(rows))
    shown = [Graph.of(row).entries() for row in corpus[0].to_pylist()]
    owls = [entries for entries in shown if ("animal", "owl") in entries]
    assert not owls  # so excluding owls changes no byte of a file
    for name in ("{}.parquet", "{}-verdicts.parquet"):
        same, everything = (tmp_path / name.format(out) for out in ("same", "all"))
        assert same.read_bytes() == everything.read_bytes()
