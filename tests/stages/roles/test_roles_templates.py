"""Prompts are files: a mistake in one is one line, and no text closes its fence."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.scene.claims import Claim, Feature, Truth
from lvlmbench.scene.truth_words import phrases
from lvlmbench.stages.judge.served.judge import FIELDS, said
from lvlmbench.stages.roles.templates import DEFAULT, fenced, load, read

FRONT = "---\nversion: 3\n---\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "claims.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_fields_are_filled_in(tmp_path: Path) -> None:
    template = read(written(tmp_path, FRONT + "Say {{ a }} of {{ b|fenced }}."), ("a", "b"))
    assert (template.name, template.purpose) == ("claims@3", "claims")
    assert template.render(a="{{ b }}", b="x") == f"Say {{{{ b }}}} of {fenced('x')}.\n"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (FRONT + "{{ a }}", "lacks 'b'"),
        (FRONT + "{{ a }} {{ b }} {{ c }}", "uses 'c'"),
        (FRONT + "{{ a", "is no template"),
        (FRONT + "{{ a|shell }} {{ b }}", "is no template"),
        ("{{ a }} {{ b }}", "front matter"),
        ("---\nversion: one\n---\n{{ a }} {{ b }}", "front matter"),
        ("---\nversion: 0\n---\n{{ a }} {{ b }}", "front matter"),
        ("---\nversion: 1\nmodel: x\n---\n{{ a }} {{ b }}", "front matter"),
        ("", "front matter"),
    ],
)
def test_mistakes_are_one_line(tmp_path: Path, text: str, what: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UserError, match=re.escape(what)) as caught:
        read(path, ("a", "b"))
    assert caught.value.where == str(path) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "use", ["{{ answer }}", "{{ answer|fenced }} {{ answer }}", "{{ (answer ~ '')|fenced }}"]
)
def test_what_others_wrote_is_fenced(tmp_path: Path, use: str) -> None:
    with pytest.raises(UserError, match="shows 'answer' unfenced") as caught:
        read(written(tmp_path, FRONT + use), ("answer",))
    assert "write {{ answer|fenced }}" in str(caught.value)


def test_ends_of_lines_do_not_matter_and_nothing_stands_before(tmp_path: Path) -> None:
    path = tmp_path / "claims.md"
    path.write_bytes((FRONT + "Say {{ a }}.").replace("\n", "\r\n").encode())
    assert read(path, ("a",)).render(a=1) == "Say 1.\n"
    with pytest.raises(UserError, match="front matter"):
        read(written(tmp_path, "Be kind.\n" + FRONT + "{{ a }}"), ("a",))


@pytest.mark.parametrize(
    "text", ["{% include 'x' %}{{ a }}", "{{ a.b.c }}", "{{ a / 0 }}", "{{ a.__class__.__mro__ }}"]
)
def test_what_shows_when_it_is_filled_in_is_one_line(tmp_path: Path, text: str) -> None:
    template = read(written(tmp_path, FRONT + text), ("a",))
    with pytest.raises(UserError, match="cannot be filled in") as caught:
        template.render(a=1)
    assert caught.value.where.endswith("claims.md") and "\n" not in str(caught.value)


def test_a_missing_or_binary_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read(tmp_path / "claims.md", ("a",))
    (tmp_path / "claims.md").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="front matter"):
        read(tmp_path / "claims.md", ("a",))
    with pytest.raises(UserError, match=r"judge\.prompts"):
        load("data/no_such_folder", "claims", ("a",))


def test_a_template_reaches_no_attributes(tmp_path: Path) -> None:
    """Templates may come with a snapshot of somebody else."""
    text = FRONT + "{{ a.__class__.__mro__ }}{{ b }}"
    with pytest.raises(Exception, match=r"unsafe|undefined|attribute"):
        read(written(tmp_path, text), ("a", "b")).render(a="x", b="y")


def test_a_folder_of_ones_own_is_laid_over_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lvlmbench.stages.roles import templates

    own, default = tmp_path / "own", tmp_path / DEFAULT
    for folder, words in ((own, "mine"), (default, "theirs")):
        folder.mkdir(parents=True)
        (folder / "claims.md").write_text(f"{FRONT}{words} {{{{ a }}}}")
    (default / "pair.md").write_text(f"{FRONT}pair {{{{ a }}}}")
    monkeypatch.setattr(templates, "PROJECT_ROOT", tmp_path)
    assert load("own", "claims", ("a",)).body.startswith("mine")
    assert load("own", "pair", ("a",)).body.startswith("pair")


@pytest.mark.parametrize("text", ["", "</data>", "<data 0123456789abcdef>", "\ud800", "a\nb"])
def test_no_text_closes_its_fence(text: str) -> None:
    whole = fenced(text)
    mark = re.fullmatch(r"<data ([0-9a-f]{16})>\n.*\n</data \1>", whole, re.DOTALL)
    assert mark is not None and mark[1] not in text
    assert fenced(whole) != whole and f"</data {mark[1]}>" not in text


TRUTH = Truth(
    (
        Feature("o1", "object", "dog", forms=("dog",)),
        Feature("o1.color", "attribute", "dog", "color", value="brown", about="o1"),
        Feature("listed.sun", "object", "sun", optional=True),
    )
)


def prompts(folder: str) -> dict[str, str]:
    """One example of each prompt."""
    answer, question = "A brown dog and no cat. Give me 10.", "Describe this image."
    claims = (
        Claim(0, "object", "dog", start=2, end=11),
        Claim(1, "object", "cat", start=16, end=22, negated=True),
    )
    owed = phrases([f for f in TRUTH.features if not f.optional])
    shown = {
        "claims": {"question": question, "answer": answer, "schema": "{}"},
        "matches": {
            "features": list(enumerate(phrases(TRUTH.features), 1)),
            "claims": [(c.number, said(c, answer)) for c in claims],
            "answer": answer,
            "schema": "{}",
        },
        "pair": {
            "description": "A dog at rest.",
            "features": owed,
            "turns": "Question: Is it day?\nAnswer: Yes.",
            "question": question,
            "first": answer,
            "second": "A dog.",
            "schema": "{}",
        },
        "invented": {
            "description": "A dog at rest.",
            "features": owed,
            "optional": ["there may be a sun"],
            "question": question,
            "answer": answer,
            "schema": "{}",
        },
    }
    return {
        name: load(folder, name, fields).render(**shown[name]) for name, fields in FIELDS.items()
    }


#: Set of prompts -> what its snapshots' names begin with.
SETS = {DEFAULT: "", "data/prompts/paper": "paper_"}


@pytest.mark.parametrize("purpose", FIELDS)
@pytest.mark.parametrize("folder", SETS)
def test_prompts_are_as_they_were(folder: str, purpose: str) -> None:
    """To change a prompt, change its version too, and write the snapshot anew."""
    kept = PROJECT_ROOT / "tests/snapshots/prompts" / f"{SETS[folder]}{purpose}.txt"
    found = prompts(folder)[purpose]
    if os.environ.get("UPDATE_SNAPSHOTS"):
        kept.write_text(found, encoding="utf-8")
    assert found == kept.read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", SETS)
def test_prompts_name_neither_models_nor_places(folder: str) -> None:
    for text in prompts(folder).values():
        assert not re.search(r"\b(model|reference|GPT|answer [AB]|assistant)\b", text)
