"""The short rules of reading that go into exports, beside the full ones."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest

from lvlmbench.scene.templates import load_templates
from lvlmbench.stages.exports import bundled
from lvlmbench.stages.exports.bundled.reading import EMPTY, REFUSAL, UNREAD, read_choice
from lvlmbench.suites.instructions import prompt_for
from support.exports_made import ROOT

ANIMALS = ("gray wolf", "red fox", "barn owl", "hedgehog")
TRUTH = ("False", "True")


@pytest.mark.parametrize("name", ["answers", "answers_heldout"])
def test_what_it_reads_is_right_and_much_is_read(name: str) -> None:
    """The labelled answers are far harder than what models that do as told say."""
    lines = (ROOT / f"tests/data/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    read = [(read_choice(row["answer"], row["options"])[0], row["index"]) for row in rows]
    decided = [(mine, right) for mine, right in read if mine is not None]
    assert sum(mine != right for mine, right in decided) <= 0.015 * len(decided)
    assert len(decided) >= 0.4 * sum(right is not None for _, right in read)


@pytest.mark.parametrize("said", [
    "({})", "{}", "{}.", "**{}**", " ({}) \n", "The answer is ({}).", "Answer: {}", "Option {}",
    "<think>Perhaps (A), or (D).</think>({})", "It has long ears and (A) has not.\n({})",
    "\\boxed{{{}}}", "Based on the image, the answer is ({})",
])  # fmt: skip
def test_letters_as_prompts_ask_for_them(said: str) -> None:
    for index, letter in enumerate("ABCD"):
        assert read_choice(said.format(letter), ANIMALS) == (index, "")


@pytest.mark.parametrize(("said", "options", "index"), [
    ("B. red fox", ANIMALS, 1), ("barn owl", ANIMALS, 2),
    ("The image shows a hedgehog.", ANIMALS, 3), ("(B) True", TRUTH, 1), ("false", TRUTH, 0),
    ("B. black and white", ("red", "black and white"), 1),
    ("(A) not a fox", ("not a fox", "a fox"), 0),
])  # fmt: skip
def test_options_by_their_text(said: str, options: tuple[str, ...], index: int) -> None:
    assert read_choice(said, options) == (index, "")


@pytest.mark.parametrize(("said", "why"), [
    ("", EMPTY), (" \n", EMPTY), ("<think>(B) it is", EMPTY), ("(E)", UNREAD), ("Z", UNREAD),
    ("I'm sorry, but I can't help with that.", REFUSAL), ("As an AI I do not see images", REFUSAL),
    ("(A) or (B)", UNREAD), ("(A), (B), (C) or (D)", UNREAD), ("Answer: A\nAnswer: C", UNREAD),
    ("It is not (B)", UNREAD), ("a red fox or a barn owl", UNREAD), ("\u202e\u200b!", UNREAD),
])  # fmt: skip
def test_no_choice_has_a_reason(said: str, why: str) -> None:
    assert read_choice(said, ANIMALS) == (None, why)


def test_long_and_odd_answers_take_no_time() -> None:
    for said in ("(" * 10**6, "<think>" * 10**5, "red fox " * 10**5, "answer is " * 10**5):
        assert read_choice(said, ANIMALS)[0] is None
    assert read_choice("word " * 10**6 + "(C)", ANIMALS) == (2, "")


def test_it_reads_what_the_prompt_shows() -> None:
    """The closing instruction repeats every letter: an answer that repeats it chooses nothing."""
    prompt = prompt_for(
        load_templates().instructions, "multiple_choice", "Which animal is shown?", list(ANIMALS)
    )
    assert read_choice(prompt, ANIMALS)[0] is None


def test_carried_files_need_no_lvlmbench() -> None:
    # runs.py lies beside those that import it.
    allowed = {"inspect_ai", "runs"}
    for path in Path(bundled.__file__).parent.glob("[!_]*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add((node.module or "").split(".")[0])
        more = names - set(sys.stdlib_module_names) - allowed
        assert more <= ({"pandas"} if "vlmevalkit" in path.name else set()), path.name
