"""What a snapshot tells of scenes that are shown again, and that nothing else counts them."""

from __future__ import annotations

from pathlib import Path

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.snapshot.reader import Snapshot


def verdict(scene: str, name: str, keep: bool) -> dict[str, object]:
    return {"image_id": f"i{scene}", "scene_id": scene, "filter": name, "keep": keep}


def test_scenes_shown_again_count_in_their_scenario_alone(tmp_path: Path) -> None:
    params = validate(
        {
            "scenarios": {"names": ["clean", "restyled"], "noisy": [{"name": "restyled"}]},
            "filter": {"filters": [{"name": "integrity"}]},
        }
    )
    base = {"one": None, "two": None, "one-oil": "one", "one-ink": "one"}
    shown = {"clean": ["one", "two"], "restyled": ["one-oil", "one-ink"]}

    def write(table: tables.Table, rows: list[dict[str, object]], **names: str) -> None:
        path = table.folder(tmp_path, **names) / tables.part_name(0)
        path.parent.mkdir(parents=True, exist_ok=True)
        tables.write_rows(rows, path, table, "s")

    scene = {"subtask": "animal", "ordinal": 0, "foreground_list": "animal", "foreground": "owl"}
    write(
        tables.SCENES,
        [{**scene, "scene_id": s, "caption": s, "base": b} for s, b in base.items()],
    )
    asked = {
        "subtask": "animal",
        "question_type": "free_form",
        "question": "What?",
        "answer": "owl",
    }
    write(
        tables.QUESTIONS,
        [{**asked, "question_id": f"q-{s}", "scene_id": s, "base": b} for s, b in base.items()],
    )
    write(tables.VERDICTS, [verdict(s, "render", True) for s in base], filter="render")
    kept = [verdict(s, "integrity", s != "one-ink") for s in base]
    write(tables.VERDICTS, kept, filter="integrity")
    for name, scenes in shown.items():
        write(
            tables.IMAGES,
            [{"image_id": f"{name}-{s}", "scene_id": s, "scenario": name} for s in scenes],
            scenario=name,
        )
    found = Snapshot(params, tmp_path)
    assert found.scenes["scene_id"].to_pylist() == ["one", "two"]
    assert found.again["scene_id"].to_pylist() == ["one-oil", "one-ink"]
    assert found.questions["question_id"].to_pylist() == ["q-one", "q-two"]
    assert len(found.rendered) == len(found.filtered["integrity"]) == 2
    assert found.kept_scenes.to_pylist() == ["one", "two", "one-oil"]
    questions = {name: rows["question_id"].to_pylist() for name, rows in found.asked.items()}
    assert questions == {"clean": ["q-one", "q-two"], "restyled": ["q-one-oil"]}
    assert found.again_in == "restyled" and found.curves == ["restyled"]
