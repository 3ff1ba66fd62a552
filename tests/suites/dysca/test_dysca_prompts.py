"""What models are sent: tests/snapshots/prompts.txt shows every wording, so a change is a diff.

After a wanted change: ``UPDATE_SNAPSHOTS=1 python -m pytest
tests/suites/dysca/test_dysca_prompts.py``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.scene.templates import load_templates
from lvlmbench.suites.dysca import wording
from lvlmbench.suites.instructions import letter, prompt_for
from lvlmbench.suites.suite import build_shard
from lvlmbench.tables import QUESTION_TYPES
from support.corpus_sample import params_for, sample_vocabulary

SNAPSHOT = Path(__file__).parents[2] / "snapshots" / "prompts.txt"
WORDS = load_templates()


def _place(question: dict[str, Any]) -> int:
    return QUESTION_TYPES.index(question["question_type"])


def first_prompts() -> str:
    """One whole prompt of each type a subtask; then each phrasing of each kind of question."""
    vocabulary = sample_vocabulary()
    params = params_for(1, scenes_per_subtask=24, drawable_by="diffusion")
    questions = build_shard(params, vocabulary, 0, params.corpus.n_scenes)[1].to_pylist()
    out = []
    for subtask in subtasks_of("dysca"):
        for kind in {q["question_type"]: None for q in sorted(questions, key=_place)}:
            q = next(q for q in questions if (q["subtask"], q["question_type"]) == (subtask, kind))
            text = prompt_for(WORDS.instructions, kind, q["question"], q["options"])
            out += [f"=== {subtask} / {kind}", text, f"--- answer: {q['answer']}", ""]
    for subtask in subtasks_of("dysca"):
        listing = vocabulary.lists.get(subtask)
        noun = listing.noun_for("diffusion") if listing else subtask
        entry = listing.entries[0] if listing else wording.word_entry(vocabulary.words[0])
        out.append(f"=== {subtask}: phrasings")
        out += [
            *wording.questions(WORDS, subtask, noun),
            *wording.statements(WORDS, subtask, entry, noun),
            "",
        ]
    return "\n".join(out)


def test_the_wordings_are_those_of_the_snapshot() -> None:
    found = first_prompts()
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.parent.mkdir(exist_ok=True)
        SNAPSHOT.write_text(found, encoding="utf-8")
    assert found == SNAPSHOT.read_text(encoding="utf-8")


def test_options_are_lettered_and_the_letters_named() -> None:
    text = prompt_for(WORDS.instructions, "multiple_choice", "Which?", ["red", "blue", "green"])
    assert text.splitlines()[:5] == ["Which?", "Options:", "(A) red", "(B) blue", "(C) green"]
    assert "(A), (B) or (C)" in text
    assert "(D)" not in text
    assert "(A) or (B)" in prompt_for(WORDS.instructions, "true_false", "Is it?", ["False", "True"])
    assert "(A)" not in prompt_for(WORDS.instructions, "free_form", "Describe it.", [])
    assert letter(3) == "(D)"


def test_a_short_answer_is_asked_for_in_one_number_or_word() -> None:
    text = prompt_for(WORDS.instructions, "short_answer", "How many foxes?", [])
    assert text == "How many foxes?\nAnswer with one number or one word only."


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("free_form", ["a", "b"]),
        ("multiple_choice", ["a"]),
        ("true_false", []),
        ("essay", []),
        ("short_answer", ["a", "b"]),
    ],
)
def test_options_that_do_not_fit_are_refused(kind: str, options: list[str]) -> None:
    with pytest.raises(ValueError, match="question"):
        prompt_for(WORDS.instructions, kind, "Which?", options)


def test_every_subtask_has_its_templates() -> None:
    for words in map(WORDS.aspect, (*subtasks_of("dysca"), "number")):
        assert len(words.questions) >= 3
        assert len(words.statements) >= 2
