"""The kinds that docs/extending.md and docs/models.md show do what they are for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lvlmbench.config import validate
from lvlmbench.core.registry import registry_of
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.figure import Sources
from lvlmbench.stages.judge.exam.planting.nouns import lexis_of
from lvlmbench.stages.judge.exam.planting.plant import grounds
from lvlmbench.stages.judge.exam.run import examine
from lvlmbench.stages.metrics.metrics import metric_rows
from lvlmbench.stages.render.retries.shard import render_shard
from support import answer_tables, submissions_snapshot
from support.documents.kinds import registered
from support.documents.reading import block
from support.drawn_truths import RENDERER, drawn_truths
from support.planted_truth import vocabulary
from support.score_tables import MC, score, table


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A small finished snapshot."""
    root = tmp_path_factory.mktemp("snapshot")
    return Snapshot.open(submissions_snapshot.build_clean(root))


def kind(registry: str, name: str) -> Any:
    """A registered kind."""
    return registry_of(registry).get(name, "a test")


@pytest.mark.parametrize(
    ("page", "name"),
    [("extending.md: A model", "parrot"), ("models.md: Add an engine", "first_option")],
)
def test_an_engine_answers(page: str, name: str) -> None:
    with registered([block(f"docs/{page}: python 1")]):
        params = validate({"answer": {"models": [{"name": "own", "engine": name}]}})
        model = kind("models", name)(params, params.answer.models[0], {})
        items = [answer_tables.item(0), answer_tables.item(1, options=[])]
        found = list(model.answer(items))
        assert [item for item, _ in found] == items
        assert all(reply.status == "answered" and reply.text for _, reply in found)
        assert len({model.request_sha256(item) for item in items}) == 2


def test_a_judge_is_examined() -> None:
    with registered([block("docs/extending.md: A judge: python 1")]):
        params = validate({"judge": {"judges": [{"name": "own", "engine": "keywords"}]}})
        judge = kind("judges", "keywords")(params, params.judge.judges[0])
        scenes = grounds(drawn_truths(8, 3), lexis_of(vocabulary(), RENDERER), 3)
        found = [*examine({"own": judge}, scenes, 3, 1)]
    assert {"sensitivity", "recall"} <= {each.measure for each in found}


def test_answers_are_read_by_their_last_line() -> None:
    with registered([block("docs/extending.md: A way of reading answers: python 1")]):
        choice = kind("strategies", "last_line")("(A)? No:\n(B)", ["fox", "owl"], None)
    assert choice.index == 1


def test_a_filter_judges(snapshot: Snapshot) -> None:
    images = snapshot.images["clean"]
    with registered([block("docs/extending.md: A filter: python 1")]):
        params = validate({"filter": {"filters": [{"name": "square"}]}})
        made = kind("filters", "square")(params, params.filter.filters[0], {})
        assert all(each.keep for each in made.judge(images, snapshot.scenes))
        wide = images.set_column(
            images.schema.get_field_index("width"), "width", pa.array([999] * images.num_rows)
        )
        assert {each.reason for each in made.judge(wide, snapshot.scenes)} == {"not square"}


def test_a_renderer_draws(snapshot: Snapshot) -> None:
    with registered([block("docs/extending.md: A renderer: python 1")]):
        params = validate({"render": {"renderer": "crayon", "size": 64}})
        made = kind("renderers", "crayon")(params, vocabulary())
        images, *_ = render_shard(params, vocabulary(), snapshot.scenes.slice(0, 2), made)
    assert images["width"].to_pylist() == [64, 64]


def test_a_style_is_drawn() -> None:
    from PIL import Image

    class Picture:
        image = Image.new("RGB", (4, 4), (200, 10, 10))

    with registered(
        [block("docs/extending.md: A style or a background of the built-in renderer: python 1")]
    ):
        drawn = kind("styles", "charcoal drawing")(Picture(), np.random.default_rng(0))
    assert len({*np.asarray(drawn)[0, 0].tolist()}) == 1


def test_a_metric_counts() -> None:
    rows = [score(n, MC, "animal", n % 2 > 0) for n in range(6)]
    with registered([block("docs/extending.md: A metric: python 1")]):
        found = {row["value"] for row in metric_rows(table(rows)) if row["metric"] == "n_wrong"}
    assert 3.0 in found


def test_a_figure_is_drawn(snapshot: Snapshot) -> None:
    with registered([block("docs/extending.md: A figure: python 1")]):
        drawn = kind("figures", "question_lengths")(Sources(snapshot, None, Path()))
    assert drawn.table.num_rows == snapshot.questions.num_rows


def test_a_section_has_values(snapshot: Snapshot) -> None:
    with registered([block("docs/extending.md: A section of the report: python 1")]):
        found = kind("sections", "asked")(snapshot, None, {})
    assert found["all_asked"]


def test_a_sheet_has_items(snapshot: Snapshot) -> None:
    with registered([block("docs/extending.md: A sheet to label: python 1")]):
        found = kind("sheets", "styles")(snapshot)
    assert len(found) == snapshot.images["clean"].num_rows


def test_an_examiner_prefers_short_questions() -> None:
    class Ask:
        def __init__(self, *questions: str) -> None:
            self.questions = questions

    long, short = Ask("Which of them is it that stands there?"), Ask("Which?")
    with registered([block("docs/extending.md: An examiner: python 1")]):
        brief = kind("examiners", "brief")()
        assert brief.ranked([long, short]) == [short, long]
        assert (brief.steps(2), brief.shown(1, 3)) == ((2,), 3)
