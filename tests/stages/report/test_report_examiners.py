"""The report's section on examiners: what it says of the table agreement."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa

from lvlmbench.analysis.examiners import Answered, findings
from lvlmbench.core.seeding import generator
from lvlmbench.stages.report.formatting import environment
from lvlmbench.stages.report.kinds.exam import Exam, Request, Scored
from lvlmbench.stages.report.kinds.examiners import Examiners, shown, values
from support.report_pages import words

HOSTILE = "<b>&rules"


def _rows(models: int = 3) -> list[dict[str, Any]]:
    random = generator(2, "test", "section")
    right = random.binomial(5, np.linspace(0.3, 0.8, models)[:, None], (9, models, 2))
    given = Answered(
        [f"model-{at}" for at in range(models)], ["rules", HOSTILE],
        right.astype(np.float64), np.full(right.shape, 5.0),
    )  # fmt: skip
    found = findings(given, {"model-1": ["rules"]}, partial(generator, 1, "agreement", "clean"))
    return [{"scenario": "clean", **each._asdict()} for each in found]


def _html(found: Examiners | None) -> str:
    page = environment().get_template("examiners.html.j2")
    return page.render(examiners=found, scenario="clean", counting="all questions")


def test_each_condition_is_a_line() -> None:
    found = shown(_rows())
    assert found is not None and found.icc is not None
    assert [line.condition for line in found.lines] == ["baseline", *["without"] * 2, *["single"] * 2]  # fmt: skip  # noqa: E501
    assert sum(share for *_, share in found.squares) == 100 or len(found.squares) == 3
    html = _html(found)
    text = words(html)
    assert "Without rules" in text and "rules alone" in text
    assert f"{found.icc['value']:.3f}" in text
    base = found.lines[0].accuracy[2]
    assert f"{base['value']:.1f}" in text and "n 90" in text
    assert "model-1 is of one family with the examiner rules" in text
    assert HOSTILE not in html and "&lt;b&gt;&amp;rules" in html


def test_one_model_has_no_icc_and_no_ranking() -> None:
    found = shown(_rows(1))
    assert found is not None and found.icc is None and found.squares == []
    assert "ICC(2,1), the part" not in words(_html(found))


def test_there_is_no_section_where_one_examiner_asks() -> None:
    one = SimpleNamespace(questions=pa.table({"examiner": ["rules", "rules", None]}))
    assert values(one, SimpleNamespace(), {}) == {"examiners": None}  # type: ignore[arg-type]
    two = SimpleNamespace(
        questions=pa.table({"examiner": ["rules", "other"]}), first_scenario="clean",
        agreement=pa.Table.from_pylist([{**row, "scenario": "blind"} for row in _rows()]),
    )  # fmt: skip
    assert values(two, SimpleNamespace(), {}) == {"examiners": None}  # type: ignore[arg-type]
    two.first_scenario = "blind"
    assert values(two, SimpleNamespace(), {})["examiners"] is not None  # type: ignore[arg-type]


def test_the_exam_shows_independent_accuracy_with_the_plain_one_beside_it() -> None:
    value = partial(SimpleNamespace, low=None, high=None, n=9, n_unscored=0)
    request = Request("spatial")
    for plain in (None, value(value=61.5)):
        lines = [Scored("spatial", "m", [], value(value=42.5), None, plain)]  # type: ignore[arg-type]
        page = environment().get_template("exam.html.j2")
        found = Exam([request], lines, None, [], [], [], 0, [])
        text = words(page.render(exam=found, exam_steps=[], exam_levels=[]))
        assert "42.5" in text
        assert ("61.5" in text) is ("Own family" in text) is (plain is not None)
