"""Templates: read, checked, laid over each other; part of what a snapshot is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lvlmbench.config import Params, validate
from lvlmbench.config.identity import params_id, templates_of
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.project import read_project
from lvlmbench.scene.subtasks import SUBTASKS, aspects, subtasks_of
from lvlmbench.scene.templates import DEFAULT, load_templates
from lvlmbench.stages.stage import declared
from lvlmbench.suites.instructions import prompts_of
from lvlmbench.suites.suite import build_shard
from support.corpus_sample import params_for, sample_vocabulary

PAPER = DEFAULT.parent / "paper"


def written(folder: Path, text: str, name: str = "own.yaml") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return folder


def with_folder(folder: Path, params: Params | None = None) -> Params:
    params = params or validate({})
    return params.model_copy(
        update={"templates": params.templates.model_copy(update={"folder": str(folder)})}
    )


def test_there_are_words_for_all_that_scenes_hold() -> None:
    """Each aspect has a name; each that is asked has questions and statements, in both sets."""
    asked = {"number", *subtasks_of("dysca")}
    asked |= {each for name in subtasks_of("dysca") for each in SUBTASKS[name].asked(0)}
    kinds = ("composed", "valor", "touchstone_bench")
    worded_elsewhere = {each for name in kinds for each in subtasks_of(name)}
    worded_elsewhere |= {*subtasks_of("autodavis", wished=True)}
    for words in (load_templates(), load_templates(PAPER)):
        assert words.aspects.keys() == {*aspects()} - worded_elsewhere
        for name in asked:
            assert words.aspect(name).questions
            assert words.aspect(name).statements


def test_a_folder_holds_only_what_differs(tmp_path: Path) -> None:
    own = written(tmp_path / "own", "animal:\n  questions: ['Who is this {noun}?']\n")
    usual, found = load_templates(), load_templates(own)
    assert found.aspect("animal").questions == ("Who is this {noun}?",)
    assert found.aspect("animal").statements == usual.aspect("animal").statements
    assert found.aspect("animal").described == usual.aspect("animal").described
    others = [name for name in usual.aspects if name != "animal"]
    assert all(found.aspect(name) == usual.aspect(name) for name in others)
    assert found.instructions == usual.instructions
    assert found.digest != usual.digest
    same = written(tmp_path / "same", "style: {claim: style}\n")
    assert load_templates(same).digest == usual.digest


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("animal:\n  question: ['x']\n", 2, "'question' is not a known key; did you mean"),
        ("animall: {described: x}\n", 1, "'animall' is nothing .*did you mean 'animal'"),
        ("animal: {described: 'the {nuon}'}\n", 1, "'{nuon}' stands for nothing.*'noun'"),
        ("animal:\n  statements:\n    - It is there.\n", 3, "holds {claim} 0 times"),
        ("animal:\n  statements: ['{claim}, {claim}']\n", 2, "holds {claim} 2 times"),
        ("animal:\n  questions: []\n", 2, "questions is no list of sentences"),
        ("animal:\n  questions: What?\n", 2, "questions is no list of sentences"),
        ("animal:\n  questions: [1984]\n", 2, "is no text"),
        ("animal:\n  questions: ['']\n", 2, "is empty"),
        ("animal:\n  questions: [a?, b?,\n    a?]\n", 3, "'a\\?' stands here twice"),
        ("animal:\n  claim: plural\n", 2, "claim is 'plural'; use label, singular"),
        ("animal:\n  questions: ['a {noun?']\n", 2, "a brace without its other one"),
        ("animal:\n  described: {noun: x}\n", 2, "is no text"),
        ("instructions:\n  leads: [So?]\n", 2, "holds {statement} 0 times"),
        ("instructions:\n  closed: ''\n", 2, "is empty"),
        ("instructions:\n  open: '{letters}'\n", 2, "'{letters}' stands for nothing here"),
        ("- animal\n", 1, "is not a mapping"),
        ("animal: {described: x}\nanimal: {described: y}\n", 2, "'animal' stands here twice"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    own = written(tmp_path / "own", text)
    with pytest.raises(UserError, match=said) as mistake:
        load_templates(own)
    assert str(mistake.value).startswith(f"{own / 'own.yaml'}:{line}: ")
    assert "\n" not in str(mistake.value)


def test_an_aspect_stands_in_one_file_of_a_folder(tmp_path: Path) -> None:
    own = written(tmp_path / "own", "animal: {described: x}\n", "a.yaml")
    written(own, "animal: {claim: label}\n", "b.yaml")
    with pytest.raises(UserError, match=r"b.yaml:1: 'animal' stands at .*a.yaml:1 already"):
        load_templates(own)


def test_a_folder_without_templates_is_one_line_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder, said in ((tmp_path / "none", "is not a folder"), (tmp_path / "empty", "holds no")):
        with pytest.raises(UserError, match=said):
            read_project(DEFAULT.parents[2], {"templates": {"folder": str(folder)}})


def test_what_is_said_decides_questions_and_no_scene(tmp_path: Path) -> None:
    """Other words are other questions about the same scenes, whose files stay as they are."""
    own = written(
        tmp_path / "own",
        "style: {questions: ['Which look?']}\ninstructions: {closed: 'Say {letters}.'}\n",
    )
    params, vocabulary = params_for(1, scenes_per_subtask=6), sample_vocabulary()
    other = with_folder(own, params)
    assert params_id(params) == params_id(other)
    here, there = (build_shard(p, vocabulary, 0, params.corpus.n_scenes) for p in (params, other))
    assert here[0].equals(there[0])
    assert here[1]["question_id"].equals(there[1]["question_id"])
    changed = [
        (row["subtask"], row["question_type"])
        for row, before in zip(there[1].to_pylist(), here[1].to_pylist(), strict=True)
        if row != before
    ]
    assert {*changed} == {("style", "multiple_choice")}
    assert prompts_of(other)("multiple_choice", "Which?", ["a", "b"]).endswith("Say (A) or (B).")


def test_stages_that_speak_read_the_templates() -> None:
    read = {name for name, stage in declared().items() if "{templates.folder}" in stage.reads}
    assert read == {"scenes", "questions", "answer", "exports", "reference_scenes", "report"}
    for name in read:
        assert "data/templates/default" in declared()[name].reads


def test_the_papers_instructions_are_its_words() -> None:
    """Word for word as section 3.4 prints them, {aspects} in the place of its "{ }"."""
    params = with_folder(PAPER)
    words, prompts = templates_of(params).instructions, prompts_of(params)
    assert words.closed == (
        "Please answer the question and provide the correct option letter, e.g., (A), (B), (C), "
        "(D), at the end. Do not contain the analysis progress. Your answer is: "
    )
    assert words.describe == (
        "Please describe the image. You can describe it from these aspects: {aspects}",
    )
    asked = prompts("multiple_choice", "Which animal?", ["fox", "owl", "dog", "ant"])
    assert asked == f"Which animal?\n(A) fox\n(B) owl\n(C) dog\n(D) ant\n{words.closed}"
    assert prompts("free_form", "Please describe.", []) == "Please describe."
    assert prompts("true_false", "So?", ["False", "True"]).split("\n")[1:3] == [
        "(A) False",
        "(B) True",
    ]


def test_free_form_questions_of_the_paper_name_the_four_parts() -> None:
    """Style, attribute, foreground and background, where the scene has them (section 3.4)."""
    params = with_folder(PAPER, params_for(1, scenes_per_subtask=12))
    scenes, questions = build_shard(params, sample_vocabulary(), 0, params.corpus.n_scenes)
    backgrounds = dict(
        zip(scenes["scene_id"].to_pylist(), scenes["background"].to_pylist(), strict=True)
    )
    free = [q for q in questions.to_pylist() if q["question_type"] == "free_form"]
    assert len({q["subtask"] for q in free}) > 10
    for each in free:
        said = re.fullmatch(
            r"Please describe the image. You can describe it from these aspects: (.+)",
            each["question"],
        )
        assert said is not None
        assert "the style of the image" in said[1]
        assert ("the background of the image" in said[1]) == (
            backgrounds[each["scene_id"]] is not None
        )
