"""What a page says of where its truth comes from."""

from __future__ import annotations

import pytest

from lvlmbench.stages.report.formatting import environment
from lvlmbench.stages.report.page import Truth
from support.report_pages import words


@pytest.mark.parametrize(
    ("truth", "told"),
    [
        (Truth(9, 0, []), "measured"),
        (Truth(9, 9, ["diffusion"]), "description"),
        (Truth(9, 4, ["diffusion"]), "description and measured"),
        (Truth(9, 9, ["d"], 0, ("eye", "ear")), "description, confirmed by eye and ear"),
        (Truth(9, 4, ["d"], 0, ("eye",)), "description, confirmed by eye, and measured"),
        (Truth(9, 0, [], 9), "given, annotated by their owner"),
        (Truth(9, 0, [], 0, (), 5, 12), "measured and claimed by examiners"),
    ],
)
def test_truth_is_told_by_kind(truth: Truth, told: str) -> None:
    page = environment().get_template("truth_note.html.j2")
    text = words(page.render(truth=truth, without="", views=[]))
    assert truth.words == told and f"Truth: {told}." in text
    assert ("5 of 12 questions were written by a model" in text) is bool(truth.claimed)
