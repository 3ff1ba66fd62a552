"""What names of tasks mean, in whatever way they are written."""

from __future__ import annotations

import pytest

from lvlmbench.suites.dialogue import TASKS
from lvlmbench.suites.touchstone_bench.names import tasks_of

#: Other names for tasks, as a table may have them.
OTHERS = {
    "Attribute-based Question Answering": "touchstone_attributes",
    "attributes qa": "touchstone_attributes",
    "Species Recognition": "touchstone_species",
    "celebrities": "touchstone_celebrity",
    "OCR": "touchstone_text",
    "Emotions": "touchstone_emotion",
    "Movies/TV": "touchstone_film",
    "Movie & TV recognition": "touchstone_film",
    "TV series": "touchstone_film",
    "Art recognition": "touchstone_art",
    "Real-life": "touchstone_everyday",
    "real life QA": "touchstone_everyday",
    "landmarks": "touchstone_landmark",
    "Logo": "touchstone_brand",
    "Abstract image understanding": "touchstone_abstract",
    "Problem-solving": "touchstone_problem",
    "Style appreciation": "touchstone_style",
    "art style": "touchstone_style",
    "Charts": "touchstone_chart",
    "Memes": "touchstone_meme",
    "Mathematical problem solving": "touchstone_math",
    "simple_description": "touchstone_simple",
    "DETAILED  DESCRIPTION": "touchstone_detailed",
    "Story writing": "touchstone_story",
    "Stories": "touchstone_story",
    "Writing poems": "touchstone_poem",
    "Emails": "touchstone_email",
    "Product recommendation": "touchstone_advice",
    "Advertisements": "touchstone_advice",
    "Comparing products": "touchstone_products",
    "Summarizing": "touchstone_summary",
    "Multi-image comparison": "touchstone_differences",
}


def test_our_own_names_mean_themselves() -> None:
    for name, task in TASKS.items():
        bare = name.removeprefix("touchstone_")
        for form in (name, bare, bare.title(), task.label, task.label.upper(), f" {bare}  qa"):
            assert tasks_of(form, {}) == (name,), form


@pytest.mark.parametrize("name", OTHERS)
def test_other_words_mean_the_same(name: str) -> None:
    assert tasks_of(name, {}) == (OTHERS[name],)


@pytest.mark.parametrize("name", ["Weather", "description", "question answering", "", "图像"])
def test_what_says_nothing_is_not_guessed(name: str) -> None:
    assert tasks_of(name, {}) == ()


def test_what_says_two_things_is_not_guessed() -> None:
    assert tasks_of("story or poem", {}) == ("touchstone_story", "touchstone_poem")


def test_the_user_is_right() -> None:
    given = {"Text": "touchstone_brand", "图像": "touchstone_art"}
    assert tasks_of(" text", given) == ("touchstone_brand",)
    assert tasks_of("图像", given) == ("touchstone_art",)
    assert tasks_of("texts", given) == ("touchstone_text",)
