"""A look-alike of a user's table as rows of tables, pictures pixel by pixel."""

from __future__ import annotations

import base64
import csv
import io
import tracemalloc
from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image

from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.stages.render.given import GIVEN
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.suites.dialogue import TASKS
from lvlmbench.suites.suite import suite_of
from lvlmbench.suites.touchstone_bench.table import open_table
from lvlmbench.tables import LAYOUTS, QUESTIONS, TRUTH
from support import own_questions
from support.corpus_sample import sample_vocabulary

NOWHERE = LAYOUTS.empty_table()


@pytest.fixture(scope="module")
def params(tmp_path_factory: pytest.TempPathFactory) -> Params:
    path = tmp_path_factory.mktemp("mine") / own_questions.FILE
    return own_questions.params(own_questions.write(path))


def scenes_of(params: Params) -> pa.Table:
    return suite_of(params).scenes(params, sample_vocabulary(), 0, params.corpus.n_scenes)


def given() -> dict[str, dict[str, str]]:
    return {row["index"]: row for row in own_questions.rows()}


def test_a_scene_is_a_question_of_its_task(params: Params) -> None:
    rows = scenes_of(params).to_pylist()
    order = [name for name in SUBTASKS if name in own_questions.SUBTASKS]
    assert [row["subtask"] for row in rows] == [name for name in order for _ in range(2)]
    for row in rows:
        mine = given()[row["foreground"]]
        assert own_questions.NAMES[mine["task_name"]] == row["subtask"]
        assert row["caption"] == mine["human_annotation"] and row["objects"] == []


def test_questions_are_asked_as_they_stand(params: Params) -> None:
    suite, scenes = suite_of(params), scenes_of(params)
    asked = suite.questions(params, sample_vocabulary(), scenes, NOWHERE)
    assert asked.schema.equals(QUESTIONS.schema)
    for scene, row in zip(scenes.to_pylist(), asked.to_pylist(), strict=True):
        mine = given()[scene["foreground"]]
        assert (row["question"], row["answer"], row["description"]) == (
            mine["question"], mine["gpt4_ha_answer"], mine["human_annotation"],
        )  # fmt: skip
        assert row["question_type"] == "free_form" and row["scene_id"] == scene["scene_id"]
        assert suite.prompt(params, "free_form", row["question"], []) == row["question"]
    assert suite.planned(params) == (14, 14)


def test_nothing_is_annotated_and_answers_are_compared(params: Params) -> None:
    suite = suite_of(params)
    truth = suite.truth(params, sample_vocabulary(), scenes_of(params), NOWHERE)
    assert truth.equals(TRUTH.empty_table())
    assert {*suite.dialogue(params)} == {*own_questions.SUBTASKS} and params.private
    assert all(suite.dialogue(params)[name] is TASKS[name] for name in own_questions.SUBTASKS)


def test_pictures_are_those_of_the_cells(params: Params) -> None:
    scenes = scenes_of(params)
    images, verdicts, _, layouts = render_shard(params, sample_vocabulary(), scenes)
    assert layouts.num_rows == 0 and all(verdicts["keep"].to_pylist())
    for scene, row in zip(scenes.to_pylist(), images.to_pylist(), strict=True):
        cell = given()[scene["foreground"]]["image"]
        mine = Image.open(io.BytesIO(base64.b64decode(cell)))
        with mine, Image.open(io.BytesIO(row["image"]["bytes"])) as stored:
            assert stored.size == mine.size == (row["width"], row["height"])
            assert stored.tobytes() == mine.convert("RGB").tobytes()
        assert row["renderer"] == GIVEN


def _written(path: Path, form: str) -> Path:
    """The look-alike in another form of the same table."""
    rows = own_questions.rows()
    names = [*own_questions.COLUMNS]
    if form == "last":
        names = [name for name in names if name != "image"] + ["image"]
    if form == "lines":
        rows = [{**row, "image": "\n".join(row["image"][n : n + 76] for n in
                range(0, len(row["image"]), 76))} for row in rows]  # fmt: skip
    if form == "url":
        rows = [{**row, "image": f"data:image/png;base64,{row['image']}"} for row in rows]
    if form == "names":
        names = [name.replace("_", " ").title() for name in names]
        rows = [dict(zip(names, row.values(), strict=True)) for row in rows]
    quoting = csv.QUOTE_ALL if form == "quoted" else csv.QUOTE_MINIMAL
    end = "\r\n" if form == "windows" else "\n"
    text = io.StringIO()
    out = csv.DictWriter(text, names, delimiter="\t", quoting=quoting, lineterminator=end)
    out.writeheader()
    out.writerows(rows)
    raw = text.getvalue().encode("utf-8-sig" if form == "mark" else "utf-8")
    path.write_bytes(raw.rstrip(b"\n") if form == "last" else raw)
    return path


@pytest.mark.parametrize(
    "form", ["plain", "quoted", "windows", "mark", "last", "lines", "url", "names"]
)
def test_forms_of_one_table_are_read_alike(tmp_path: Path, form: str) -> None:
    table = open_table(_written(tmp_path / "questions.tsv", form), {})
    assert not table.told.mistakes and not table.told.slips
    found = {each.index: each for asked in table.asked.values() for each in asked}
    for index, row in given().items():
        assert found[index].reference == row["gpt4_ha_answer"]
        assert table.held(found[index]).read() == base64.b64decode(row["image"])
        cells = table.row(found[index])
        assert [*cells] and cells["question"].replace("\r\n", "\n") == row["question"]


def test_rows_do_not_depend_on_shards_or_on_how_many_there_are(params: Params) -> None:
    suite, words = suite_of(params), sample_vocabulary()
    parts = [suite.scenes(params, words, at, at + 7) for at in (0, 7)]
    assert pa.concat_tables(parts).equals(scenes_of(params))
    [name] = params.corpus.read(params.kind)
    one = own_questions.params(Path(name), each=1)
    assert scenes_of(one).equals(scenes_of(params).take([*range(0, 14, 2)]))


def test_a_table_that_changes_is_read_again(tmp_path: Path) -> None:
    path = own_questions.write(tmp_path / "questions.tsv")
    table = open_table(path, {})
    asked = table.asked["touchstone_film"][0]
    path.write_bytes(path.read_bytes()[: asked.row[0] + 10])
    with pytest.raises(UserError, match="has changed while it was read"):
        table.held(asked).read()
    assert len(open_table(path, {}).asked["touchstone_film"]) < 2


def test_the_memory_is_that_of_one_row(tmp_path: Path) -> None:
    """40 rows of 2 MB each; a quoted cell takes a few times its size."""
    picture = base64.b64encode(own_questions.picture(1) + bytes(1_500_000)).decode()
    rows = ({**row, "image": picture} for row in own_questions.rows(6)[:40])
    path = own_questions.write(tmp_path / "questions.tsv", rows)
    assert path.stat().st_size > 80_000_000
    tracemalloc.start()
    table = open_table(path, {})
    assert sum(map(len, table.asked.values())) == 40
    for asked in table.asked["touchstone_film"]:
        table.held(asked).read()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16_000_000
