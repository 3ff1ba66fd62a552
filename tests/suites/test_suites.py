"""Suites and subtasks register themselves; stages call them by their kind."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench.config import Params, validate
from lvlmbench.config.section import Section
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from lvlmbench.scene.subtasks import SUBTASKS, subtasks_of
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.suite import SUITES, Suite, build_shard, suite_of
from lvlmbench.tables import LAYOUTS
from support.corpus_sample import params_for, sample_vocabulary, with_list

#: No layouts: nothing was drawn.
NOWHERE = LAYOUTS.empty_table()

OUTSIDE = """
from lvlmbench.scene.subtasks import SUBTASKS, Subtask

@SUBTASKS.register("pet")
def pet() -> Subtask:
    return Subtask(
        name="pet", order=99, granularity="fine", foregrounds=("pet",), attributes=("color",),
    )

import shutil, sys
from pathlib import Path
from lvlmbench.config import validate
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.tables import LAYOUTS
from lvlmbench.suites.suite import build_shard

folder = Path(sys.argv[1])
shutil.copytree("data/vocabulary", folder)
(folder / "pet.yaml").write_text(
    "list: pet\\nnoun: pet\\nentries:\\n"
    "  - {label: hamster, article: a, pictograph: [1F439]}\\n"
    "  - {label: parrot, article: a, pictograph: [1F99C]}\\n"
    "  - {label: goldfish, article: a, pictograph: [1F41F]}\\n"
)

words = folder.parent / "templates"
words.mkdir()
(words / "pet.yaml").write_text(
    "pet:\\n  described: the {noun}\\n  questions: ['Which {noun} is shown?']\\n"
    "  statements: ['The image shows {claim}.']\\n  claim: singular\\n"
)

def built(*subtasks):
    corpus = {"subtasks": subtasks, "scenes_per_subtask": 6}
    folders = {"vocabulary": {"folder": str(folder)}, "templates": {"folder": str(words)}}
    params = validate({"corpus": corpus, **folders})
    return build_shard(params, load_vocabulary(folder), 0, params.corpus.n_scenes)

scenes, questions = built("pet", "animal")
assert scenes["subtask"].to_pylist() == ["animal"] * 6 + ["pet"] * 6
asked = [q for q in questions.to_pylist() if q["subtask"] == "pet"]
assert asked and all("pet" in q["question"] or q["claim"] for q in asked)
assert any(q["question"] == "Which pet is shown?" for q in asked)
alone, about = built("animal")
assert alone.equals(scenes.slice(0, 6))
print(len(asked))
"""


def test_a_subtask_is_one_declaration(tmp_path: Path, root: Path) -> None:
    """A file that no other knows of adds one, with a list of its own; other rows stay."""
    file = tmp_path / "outside.py"
    file.write_text(OUTSIDE)
    command = [sys.executable, str(file), str(tmp_path / "vocabulary")]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


def test_an_unknown_kind_of_suite_is_one_line() -> None:
    params = Params(suite="mine", kind="dyska")
    with pytest.raises(UserError, match=r"^suites.mine: kind: 'dyska' is .*did you mean 'dys"):
        suite_of(params)


class Mine(Suite):
    """A suite of one line, which says what its settings say."""

    class Settings(Section):
        """What the suite of this test takes."""

        word: str = "hello"

    def scenes(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        raise NotImplementedError

    def questions(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        raise NotImplementedError

    def prompt(
        self, params: Params, question_type: str, question: str, options: Sequence[str]
    ) -> str:
        return f"{question} {len(options)}"


def test_a_suite_brings_its_settings_and_its_check() -> None:
    def check(params: Params, source: str) -> None:
        raise UserError(source, params.corpus.own(Mine.Settings).word, "say another")

    before = validate({}).corpus
    mine = SUITES.of("mine", Mine, settings=Mine.Settings, check=check)
    with SUITES.temporarily({"mine": mine}):
        assert validate({}).corpus == before
        assert validate({"corpus": {"mine": None}}).corpus == before
        params = validate({"suite": "one", "kind": "mine", "corpus": {"mine": {"word": "bye"}}})
        assert params.corpus.own(Mine.Settings).word == "bye"
        assert suite_of(params).prompt(params, "free_form", "Why?", ()) == "Why? 0"
        with pytest.raises(UserError, match=r"^p: bye; say another"):
            check_names(params, "p")
        with pytest.raises(UserError, match=r"^p: corpus.mine.words: .*did you mean 'word'"):
            validate({"corpus": {"mine": {"words": "x"}}}, "p")
    with pytest.raises(UserError, match=r"^p: corpus.mine: is not a known key"):
        validate({"corpus": {"mine": {}}}, "p")
    with pytest.raises(UserError, match=r"^p: suites.mine: kind: 'mine' is not known"):
        check_names(params.model_copy(update={"suite": "mine"}), "p")


def test_the_subtasks_stand_in_one_order() -> None:
    kinds = ("dysca", "composed", "autodavis", "valor", "touchstone_bench")
    of = [subtasks_of(kind, wished=True) for kind in kinds]
    assert len({each.order for each in SUBTASKS.values()}) == len(SUBTASKS) == 44 + len(of[4])
    beside = ["number"]  # asked of scenes of other subtasks
    assert [*of[0], *beside, *of[1], *of[2], *of[3], *of[4]] == list(SUBTASKS)
    assert [len(names) for names in of[:4]] == [20, 12, 6, 5]
    assert [each.name for each in SUBTASKS.values()] == list(SUBTASKS)
    assert "dysca" in SUITES.names()


def test_questions_are_asked_of_the_table_of_scenes() -> None:
    """Whatever part of the scenes is there, in whatever order, asks what all of them ask."""
    params, vocabulary = params_for(5, scenes_per_subtask=9), sample_vocabulary()
    scenes, questions = build_shard(params, vocabulary, 0, params.corpus.n_scenes)
    rows = {q["question_id"]: q for q in questions.to_pylist()}
    few = pa.array([n for n in range(len(scenes)) if n % 3 != 1][::-1])
    part = scenes.take(few)
    found = suite_of(params).questions(params, vocabulary, part, NOWHERE).to_pylist()
    assert {q["scene_id"] for q in found} <= set(part["scene_id"].to_pylist())
    assert all(q == rows[q["question_id"]] for q in found)
    assert len(found) == sum(q["scene_id"] in part["scene_id"].to_pylist() for q in rows.values())
    assert not len(suite_of(params).questions(params, vocabulary, scenes.slice(0, 0), NOWHERE))


def test_scenes_of_another_vocabulary_are_one_line() -> None:
    params = params_for(5, subtasks=["animal"], scenes_per_subtask=9)
    scenes = suite_of(params).scenes(params, sample_vocabulary(), 0, 9)
    listed = sample_vocabulary().lists["animal"].entries
    entries: list[Any] = [e for e in listed if e.label != scenes["foreground"][0].as_py()]
    with pytest.raises(UserError, match=r"^scenes: one holds the animal '.*make the scenes again"):
        suite_of(params).questions(params, with_list("animal", entries), scenes, NOWHERE)
