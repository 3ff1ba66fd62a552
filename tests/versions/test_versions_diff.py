"""What changed between two versions: data first, then the words that people read."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml

from lvlmbench import tables
from lvlmbench.engine.hashing import source_digests
from lvlmbench.snapshot.place import Place
from lvlmbench.versions.differences.items import compare_items, read_items
from lvlmbench.versions.differences.run import differences
from lvlmbench.versions.differences.settings import params_changes
from lvlmbench.versions.differences.words import lines
from support.one_line import assert_one_line

PARAMS: dict[str, Any] = {
    "snapshot": {"name": "small", "seed": 7},
    "scenarios": {"names": ["clean"]},
    "answer": {"models": [{"name": "chance", "engine": "chance"}]},
}


def rows(schema: Any, *given: dict[str, Any]) -> list[dict[str, Any]]:
    return [{name: row.get(name) for name in schema.names} for row in given]


def table(folder: Path, name: str, schema: Any, *given: dict[str, Any], shard: int = 3) -> None:
    for old in (folder / name).glob("*"):
        old.unlink()
    for start in range(0, len(given), shard):
        part = folder / name / tables.part_name(start // shard)
        tables.write_rows(rows(schema, *given[start : start + shard]), part, schema, "id")


def scenes(count: int) -> list[dict[str, Any]]:
    kinds = ("animal", "color")
    return [{"scene_id": f"s{i}", "subtask": kinds[i % 2], "prompt": f"{i}"} for i in range(count)]


def questions(count: int) -> list[dict[str, Any]]:
    types = ("multiple_choice", "true_false")
    return [
        {"question_id": f"q{i}", "subtask": "animal", "question_type": types[i % 2]}
        for i in range(count)
    ]


def images(count: int) -> list[dict[str, Any]]:
    return [{"image_id": f"i{i}", "scene_id": f"s{i}", "sha256": f"{i:064}"} for i in range(count)]


def verdicts(count: int, dropped: set[int]) -> list[dict[str, Any]]:
    return [{"image_id": f"i{i}", "filter": "f", "keep": i not in dropped} for i in range(count)]


def total(model: str, value: float | None, **other: Any) -> dict[str, Any]:
    keys = ("questions", "question_type", "subtask", "style", "perturbation", "severity", "level")
    row: dict[str, Any] = dict.fromkeys(keys, "all")
    row |= {"model": model, "scenario": "clean", "metric": "headline", "value": value}
    return row | {"stderr": 2.0, "n": 100, "n_unscored": 0, "n_refused": 0, "n_failed": 0} | other


def metrics(folder: Path, *given: dict[str, Any]) -> None:
    noise = [total("chance", 1.0, metric="score"), total("chance", 1.0, subtask="animal")]
    file = folder / "results/metrics.parquet"
    tables.write_rows(rows(tables.METRICS, *given, *noise), file, tables.METRICS, "id")


def write(folder: Path) -> None:
    """A version: parameters, vocabulary, lock, code, seal, tables."""
    folder.mkdir()
    (folder / "params.yaml").write_text(yaml.safe_dump(PARAMS))
    (folder / "requirements.lock").write_text("# group: core -- all\nnumpy==1.0\nScipy_X==2.0\n")
    (folder / "data/vocabulary").mkdir(parents=True)
    entries = [{"label": "fox"}, {"label": "owl", "group": "bird"}]
    vocabulary = {"list": "animal", "entries": entries}
    (folder / "data/vocabulary/animal.yaml").write_text(yaml.safe_dump(vocabulary))
    (folder / "lvlmbench/suites/dysca").mkdir(parents=True)
    (folder / "lvlmbench/suites/dysca/ids.py").write_text("A = 1\n")
    (folder / "lvlmbench/suites/dysca/plan.py").write_text("B = 1\n")
    table(folder, "data/scenes", tables.SCENES, *scenes(6))
    table(folder, "data/questions", tables.QUESTIONS, *questions(6))
    table(folder, "data/images/clean", tables.IMAGES, *images(6))
    table(folder, "data/verdicts/f", tables.VERDICTS, *verdicts(6, {5}))
    metrics(folder, total("chance", 30.0), total("gone", 10.0))
    seal(folder)


def seal(folder: Path) -> None:
    outs = ["data/scenes", "data/questions", "data/images/clean", "data/verdicts/f"]
    code = source_digests(folder, ["lvlmbench/suites/dysca"])
    path = folder / "data/seals/corpus.json"
    path.parent.mkdir(exist_ok=True)
    told = {"code": code, "outs": source_digests(folder, outs), "inputs": {}, "params": {}}
    path.write_text(json.dumps(told))


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Two equal versions."""
    for name in ("a", "b"):
        write(tmp_path / name)
    return tmp_path / "a", tmp_path / "b"


def compare(pair: tuple[Path, Path]) -> dict[str, Any]:
    a, b = (Place.open(str(folder), folder) for folder in pair)
    return differences(a, b)


def said(pair: tuple[Path, Path]) -> str:
    return "\n".join(lines(compare(pair)))


def test_equal_versions_are_the_same_in_one_line(pair: tuple[Path, Path]) -> None:
    found = compare(pair)
    assert found["same"]
    assert [*lines(found)] == [f"{pair[0]} and {pair[1]}: the same"]


def test_a_version_without_the_newer_columns_is_as_one_with_nothing_in_them(
    pair: tuple[Path, Path],
) -> None:
    import pyarrow.parquet as pq

    for name, gone in (("questions", ["replaced", "examiner"]), ("images/clean", ["order"])):
        for path in (pair[1] / "data" / name).glob("*.parquet"):
            pq.write_table(pq.read_table(path).drop_columns(gone), path)
    seal(pair[1])
    found = compare(pair)
    assert [*found["artifacts"]["changed"]] == ["data/images/clean", "data/questions"]
    assert found["questions"]["changed"] == {} and found["images"]["clean"]["changed"] == {}
    assert found["notes"] == []


def test_atomic_checks_are_no_questions(pair: tuple[Path, Path]) -> None:
    import pyarrow.parquet as pq

    path = sorted((pair[1] / "data/questions").glob("*.parquet"))[0]
    table = pq.read_table(path)
    check = table.slice(0, 1).to_pylist()[0]
    check |= {"question_id": "0" * 32, "key": f"{check['key']}/check/color/0"}
    pq.write_table(pa.concat_tables([table, pa.Table.from_pylist([check], table.schema)]), path)
    seal(pair[1])
    found = compare(pair)["questions"]
    assert found["added"] == {} and found["old"] == found["new"]


def test_parameters_by_dotted_keys_and_names() -> None:
    new = {
        "snapshot": {"name": "small", "seed": 8},
        "scenarios": {"names": ["clean", "blind"]},
        "answer": {"models": [{"name": "m", "engine": "x"}, PARAMS["answer"]["models"][0]]},
        "extra": None,
    }
    assert params_changes(PARAMS, new) == [
        {"key": "answer.models[m].engine", "new": "x"},
        {"key": "extra", "new": None},
        {"key": "scenarios.names", "old": ["clean"], "new": ["clean", "blind"]},
        {"key": "snapshot.seed", "old": 7, "new": 8},
    ]
    assert params_changes({"a": 1}, {"a": True}) == [{"key": "a", "old": 1, "new": True}]
    assert params_changes({"a": {}}, {"a": None}) == [{"key": "a", "old": {}, "new": None}]


def edit_params(folder: Path) -> None:
    other = PARAMS | {"snapshot": {"name": "small", "seed": 8}, "of_old": {"no": "longer known"}}
    other["answer"] = {"models": [*PARAMS["answer"]["models"], {"name": "second"}]}
    (folder / "params.yaml").write_text(yaml.safe_dump(other))


def edit_vocabulary(folder: Path) -> None:
    entries = [{"label": "owl", "group": "raptor"}, {"label": "bee"}]
    text = yaml.safe_dump({"list": "animal", "entries": entries})
    (folder / "data/vocabulary/animal.yaml").write_text(text)
    (folder / "data/vocabulary/new.yaml").write_text("list: new\nentries: [{label: x}]\n")


def edit_lock(folder: Path) -> None:
    (folder / "requirements.lock").write_text("numpy==1.1\nother==3\n")


def edit_code(folder: Path) -> None:
    (folder / "lvlmbench/suites/dysca/ids.py").write_text("A = 2\n")
    (folder / "lvlmbench/suites/dysca/new.py").write_text("")


def edit_items(folder: Path) -> None:
    kept = scenes(7)[1:]
    kept[0]["prompt"] = "another"
    table(folder, "data/scenes", tables.SCENES, *kept)
    table(folder, "data/questions", tables.QUESTIONS, *questions(8))
    pictures = images(6)
    pictures[2]["sha256"] = "f" * 64
    table(folder, "data/images/clean", tables.IMAGES, *pictures)
    table(folder, "data/verdicts/f", tables.VERDICTS, *verdicts(6, {0, 1}))
    seal(folder)


def edit_examiner(folder: Path) -> None:
    other = PARAMS | {"examiner": {"adjust": 2, "examiners": [{"name": "asker", "engine": "x"}]}}
    (folder / "params.yaml").write_text(yaml.safe_dump(other))


def edit_drafts(folder: Path) -> None:
    """The same questions and pictures, with other options before they were adjusted."""
    asked, shown = questions(6), images(6)
    asked[0]["replaced"], asked[1]["examiner"] = [None, "old"], "rules_plain"
    shown[0]["order"] = [1, 0]
    table(folder, "data/questions", tables.QUESTIONS, *asked)
    table(folder, "data/images/clean", tables.IMAGES, *shown)
    seal(folder)


def edit_scores(folder: Path) -> None:
    chance = total("chance", 36.0, n=98, n_unscored=2, n_refused=1, n_failed=1)
    metrics(folder, chance, total("added", None, stderr=None))


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (
            edit_params,
            ["snapshot.seed: 7 → 8", "of_old.no: (not there) → longer known",
             "answer.models[second]: (not there) → {}", "model added: second"],
        ),
        (
            edit_examiner,
            ["examiner.adjust: (not there) → 2",
             "examiner.examiners[asker].engine: (not there) → x", "examiner added: asker"],
        ),
        (
            edit_drafts,
            ["6 → 6 questions: 2 changed", "images, clean: 6 → 6 images: 1 changed"],
        ),
        (
            edit_vocabulary,
            ["animal: 1 added (bee); 1 removed (fox); 1 changed (owl)",
             "new: list added; 1 added (x)"],
        ),
        (
            edit_lock,
            ["numpy: 1.0 → 1.1", "other: (not there) → 3", "scipy-x: 2.0 → (gone)"],
        ),
        (
            edit_code,
            ["lvlmbench/suites/dysca changed: lvlmbench/suites/dysca/ids.py, "
             "lvlmbench/suites/dysca/new.py (read by corpus)"],
        ),
        (
            edit_items,
            ["6 → 6 scenes: 1 added, 1 removed, 1 changed", "added: animal 1", "changed: color 1",
             "6 → 8 questions: 2 added", "added: animal multiple_choice 1, animal true_false 1",
             "images, clean: 6 → 6 images: 1 changed",
             "planned images that all filters keep: 5 of 6 → 4 of 6; of 6 in both, 1 newly kept "
             "and 2 newly dropped"],
        ),
        (
            edit_scores,
            ["chance, clean: 30.00 → 36.00 (+6.00, +0.46 to +11.54: BEYOND the interval); "
             "scored 100 → 98, unscored 0 → 2, refused 0 → 1, failed 0 → 1",
             "added, clean: added, headline none", "gone, clean: removed, headline 10.00"],
        ),
    ],
)  # fmt: skip
def test_what_changed_is_told(
    pair: tuple[Path, Path], edit: Callable[[Path], None], expected: list[str]
) -> None:
    edit(pair[1])
    found = compare(pair)
    assert not found["same"] and not found["notes"]
    text = said(pair)
    for part in expected:
        assert f" {part}\n" in f"{text}\n", text
    json.dumps(found)


def test_scores_and_the_verdict_come_last_and_outputs_are_counted(
    pair: tuple[Path, Path],
) -> None:
    edit_items(pair[1])
    edit_scores(pair[1])
    found = compare(pair)
    *_, score, _, last = lines(found)
    assert "gone, clean" in score
    assert last == (
        "verdict: 1 score BEYOND the interval, 0 within, 2 cannot be held against the other"
    )
    assert "  4 outputs have other bytes" in [*lines(found)]
    assert "  other bytes: data/scenes" in [*lines(found, outputs=True)]
    assert "data/scenes" not in "\n".join(lines(found))
    notes = ["scores: not compared: b: no results"]
    assert [*lines({**found, "notes": notes})][-1].startswith("verdict: none")


def test_a_named_suite_is_told_without_the_others(pair: tuple[Path, Path]) -> None:
    for folder, seed in zip(pair, (1, 2), strict=True):
        own = {"dysca": {"seed": seed}, "scenes": {"seed": seed}}  # as a table is called
        (folder / "params.yaml").write_text(yaml.safe_dump(PARAMS | {"suites": own}))
        outs = {
            "data/scenes/truth": str(seed),
            "data/dysca/scenes": str(seed),
            "data/reference": "x",
        }
        told = {"code": {}, "outs": outs, "inputs": {}, "params": {}}
        (folder / "data/seals/corpus.json").write_text(json.dumps(told))
    a, b = (Place.open(str(folder), folder, "dysca") for folder in pair)
    found = differences(a, b)
    assert found["artifacts"]["changed"] == ["data/dysca/scenes"]
    assert [each["key"] for each in found["params"]] == ["suites.dysca.seed"]


def test_difference_that_may_be_chance(pair: tuple[Path, Path]) -> None:
    metrics(pair[1], total("chance", 35.0), total("gone", 10.0))
    (found,) = compare(pair)["scores"]
    assert found["within"] and found["low"] == pytest.approx(5 - 1.959964 * 8**0.5)
    assert "within the interval" in said(pair)


def test_only_what_moved_is_told(pair: tuple[Path, Path]) -> None:
    edit_scores(pair[1])
    found = compare(pair)
    for part in ("params", "code", "vocabulary", "packages", "scenes", "images", "kept"):
        assert not found[part], part
    assert [*found["artifacts"].values()] == [[], [], []]


def test_other_shards_are_no_other_items(pair: tuple[Path, Path]) -> None:
    table(pair[1], "data/scenes", tables.SCENES, *scenes(6), shard=2)
    seal(pair[1])
    found = compare(pair)
    assert found["scenes"] == {"old": 6, "new": 6, "added": {}, "removed": {}, "changed": {}}
    assert found["artifacts"]["changed"] == ["data/scenes"]


def test_what_one_side_lacks_is_told_and_the_rest_compared(pair: tuple[Path, Path]) -> None:
    edit_lock(pair[1])
    (pair[1] / "results/metrics.parquet").write_bytes(b"no Parquet")
    for file in (pair[1] / "data/scenes").iterdir():
        file.unlink()
    seal_file = pair[1] / "data/seals/corpus.json"
    seal_file.unlink()
    text = said(pair)
    assert "numpy: 1.0 → 1.1" in text
    assert f"scenes: not compared: {pair[1]}: no data/scenes" in text
    assert "scores: not compared:" in text and "cannot be read as Parquet" in text


def test_control_characters_are_not_printed(pair: tuple[Path, Path]) -> None:
    (pair[1] / "params.yaml").write_text('snapshot: {"na\\e[31mme": "\\e]0;x\\a\\n"}\n')
    text = said(pair)
    assert "\x1b" not in text and "\\x1b" in text


@pytest.mark.parametrize("text", ["[]", "{}", '{"code": [], "outs": 3}', "{", "[" * 100_000])
def test_damaged_seals_are_told(pair: tuple[Path, Path], text: str) -> None:
    (pair[1] / "data/seals/corpus.json").write_text(text)
    found = compare(pair)
    assert not found["same"]
    assert any("corpus.json: is no seal" in note for note in found["notes"])


def test_ids_alone_are_held(tmp_path: Path) -> None:
    table(tmp_path, "data/scenes", tables.SCENES, *scenes(5000), shard=2000)
    (tmp_path / "params.yaml").write_text("{}\n")
    view = Place.open(str(tmp_path), tmp_path)
    items = read_items(view, tables.SCENES, ["prompt"], ["subtask"])
    assert sum(part.nbytes for part in items[:3]) == 18 * 5000
    assert compare_items(items, items)["changed"] == {}


def test_command(
    pair: tuple[Path, Path], lvlmbench: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    edit_lock(pair[1])
    done = lvlmbench("diff", *pair)
    assert done.returncode == 0 and "numpy: 1.0 → 1.1" in done.stdout
    told = json.loads(lvlmbench("diff", *pair, "--json").stdout)
    assert told["packages"]["numpy"] == {"old": "1.0", "new": "1.1"}
    marked = lvlmbench("diff", pair[0], "--markdown", cwd=pair[1]).stdout
    assert "## Packages\n\n- numpy: 1.0 → 1.1\n" in marked and "to this folder" in marked
    assert_one_line(lvlmbench("diff", "nowhere", pair[0], cwd=pair[1]), "'nowhere'", "git")


def test_what_models_are_called_does_nothing_in_markdown(pair: tuple[Path, Path]) -> None:
    edit_lock(pair[1])
    found = compare(pair)
    found["packages"] = {"<img src=x> [a](b) `c` *d* & e_f": {"old": None, "new": "1"}}
    told = "\n".join(lines(found, markdown=True))
    assert r"\<img src=x> \[a](b) \`c\` \*d\* \& e_f" in told
    assert "<img src=x> [a](b) `c` *d* & e_f" in "\n".join(lines(found))
