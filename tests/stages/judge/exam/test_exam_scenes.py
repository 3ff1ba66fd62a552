"""Which scenes of a suite answers are planted about."""

from __future__ import annotations

from pathlib import Path

from lvlmbench import tables
from lvlmbench.stages.examine.examine import scenes_of
from lvlmbench.stages.judge.exam.planting.plant import TREATMENTS, planted
from lvlmbench.suites.suite import suite_of
from support.render_scenes import vocabulary
from support.touchstone_scenes import asked


def test_of_dialogue_answers_are_planted_about_descriptions_alone(tmp_path: Path) -> None:
    """Of a picture to tell a story of nothing is owed, so no answer would be the whole one."""
    drawn = asked(("touchstone_simple", "touchstone_story", "touchstone_species"), scenes=2)
    params, layouts = drawn.params, drawn.layout_table
    truth = suite_of(params).truth(params, vocabulary(), drawn.scenes, layouts)
    files = []
    for table, rows in (
        (tables.SCENES, drawn.scenes), (tables.LAYOUTS, layouts), (tables.TRUTH, truth),
    ):  # fmt: skip
        files.append([tmp_path / table.name / tables.part_name(0)])
        tables.write(rows, files[-1][0], table, "s")
    found = scenes_of(params, *files)
    told = {row["scene_id"]: row["subtask"] for row in drawn.scenes.to_pylist()}
    assert sorted(told[each.scene] for each in found) == ["touchstone_simple"] * 2
    perfect = TREATMENTS["perfect"]
    texts = [p.text for kind in perfect.kinds for p in planted(found, perfect, kind, 4, seed=1)]
    assert len({*texts}) >= 2 and all(texts)
