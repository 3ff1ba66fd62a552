"""Engine text_only: it reads options alone, and gains by drafts whose words it knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from lvlmbench.config import Params, validate
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.engine import MODELS, Item, Model
from lvlmbench.stages.answer.guessed import GUESSED, Memory, learned, memory_of, words_of
from lvlmbench.stages.answer.kinds.text_only import check
from lvlmbench.stages.answer.stage import STAGE
from lvlmbench.suites.autodavis.adjusting import Prior, adjusted
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.draws import Draws

KIND = "autodavis"
THINGS = ("cup", "owl", "cart", "lamp", "drum", "kite", "sofa", "vase", "harp", "sled", "coat")
VALUES = [f"the {color} {thing}" for color in ("red", "blue") for thing in THINGS]
MODEL = ModelParams.model_validate({"name": "reads", "engine": "text_only"})


def params(seed: int = 7, kind: str = KIND) -> Params:
    return validate(
        {"suite": kind, "kind": kind, "snapshot": {"seed": seed}, "answer": {"models": [MODEL]}}
        | ({"corpus": {"drawable_by": "pictograph"}} if kind == KIND else {})
    )


def engine(of: Params) -> Model:
    made: Model = MODELS.get("text_only", "")(of, MODEL, {})
    return made


def item(name: str, options: Sequence[str], **more: Any) -> Item:
    about = {"image": None, "image_id": None, "image_sha256": None, **more}
    return Item(name, "s", "basic_understanding", "multiple_choice", "Which is it?",
                tuple(options), "Which is it? ...", **about)  # fmt: skip


@pytest.fixture
def remembers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Writes what the engine remembers in place of what the project has."""
    monkeypatch.setattr("lvlmbench.stages.answer.guessed.PROJECT_ROOT", tmp_path)
    (tmp_path / GUESSED).mkdir(parents=True)

    def write(words: dict[str, tuple[int, int]], seeds: Sequence[int] = (5,)) -> None:
        counts = {word: list(each) for word, each in words.items()}
        said = yaml.safe_dump({"seeds": [*seeds], "words": counts})
        (tmp_path / GUESSED / f"{KIND}.yaml").write_text(said)

    return write


def questions(seed: int, n: int, prior: Prior, usual: Sequence[str], habit: bool) -> list[
    tuple[str, list[str], list[str]]
]:  # fmt: skip
    """Right option, options of the draft, and options that are asked; drafted by habit, or with
    right options that are usual in nine of ten."""
    found = []
    for at in range(n):
        draws = Draws(seed, "planted", str(at))
        right = draws.pick(usual if usual and draws.chance(0.9) else VALUES)
        wrong = draws.shuffled([value for value in VALUES if value != right])
        one = Ask(family="planted", program=["exists", "?"], questions=("Which?",), show=str,
                  answer=right, wrong=wrong)  # fmt: skip
        made = adjusted(one, draws, prior, 3, lambda value: False, habit)
        assert made is not None
        final = [str(value) for value in made.ask.wrong]
        before = [str(made.replaced.get(value, value)) for value in made.ask.wrong]
        found.append((right, *(draws.shuffled([right, *each]) for each in (before, final))))
    return found


def share(model: Model, asked: Sequence[tuple[str, list[str]]], **more: Any) -> float:
    items = [item(f"q{at}", options, **more) for at, (_, options) in enumerate(asked)]
    said = [reply.text for _, reply in model.answer(items)]
    right = [f"({'ABCD'[options.index(answer)]})" for answer, options in asked]
    return sum(a == b for a, b in zip(said, right, strict=True)) / len(asked)


@pytest.mark.parametrize("way", ["habit", "usual"])
def test_it_gains_by_drafts_and_not_by_what_is_asked(
    way: str, remembers: Callable[..., None]
) -> None:
    """Specification, 10.6: at least 40 % before and at most 30 % after, on another seed."""
    usual = VALUES[:5] if way == "usual" else ()
    read = questions(5, 1500, {}, usual, way == "habit")
    remembers(learned((options, options.index(right)) for right, options, _ in read))
    prior = {value: sum(right == value for right, *_ in read) for value in VALUES} if usual else {}
    fresh = questions(6, 2000, prior, usual, way == "habit")
    model = engine(params())
    assert share(model, [(right, before) for right, before, _ in fresh]) >= 0.4
    assert 0.2 <= share(model, [(right, final) for right, _, final in fresh]) <= 0.3


def test_it_never_looks(remembers: Callable[..., None]) -> None:
    """The same answers with any image, and with a program that says what is right."""
    remembers({"owl": (9, 1), "cup": (1, 9), "cart": (1, 9)})
    model = engine(params())
    options = ["a cup", "a cart", "an owl", "a lamp"]
    items = [item(f"q{at}", options) for at in range(20)]
    shown = [
        replace(one, image=b"\x89PNG", image_id="i", image_sha256=str(at), program='["is"]')
        for at, one in enumerate(items)
    ]
    replies = [[reply for _, reply in model.answer(each)] for each in (items, shown)]
    assert replies[0] == replies[1]
    assert {reply.text for reply in replies[0]} == {"(C)"}
    hashes = [[model.request_sha256(one) for one in each] for each in (items, shown)]
    assert hashes[0] == hashes[1]
    assert model.request_sha256(item("q0", options[::-1])) != hashes[0][0]
    assert model.parameters == {"seed": 7, "read": [5]}


def test_options_that_seem_as_right_are_guessed_among(remembers: Callable[..., None]) -> None:
    remembers({"owl": (9, 1), "fox": (9, 1), "cup": (1, 9)})
    options = ["the owl", "a cup", "a fox", "the cup"]
    said = [r.text for _, r in engine(params()).answer(item(f"q{n}", options) for n in range(200))]
    assert {*said} == {"(A)", "(C)"}
    assert 70 < said.count("(A)") < 130


def test_where_it_remembers_nothing_it_guesses_as_chance_does() -> None:
    """Suites without a file, and questions without options."""
    of = params(kind="dysca")
    assert memory_of("dysca") is None
    floor = MODELS.get("chance", "")(of, MODEL, {})
    items = [item(f"q{n}", ["a", "b", "c", "d"]) for n in range(50)]
    free = replace(item("f", ()), question_type="free_form", subtask="animal", prompt="Describe.")
    for asked in (items, [free]):
        assert [*engine(of).answer(asked)] == [*floor.answer(asked)]
    own, floor = engine(params()), MODELS.get("chance", "")(params(), MODEL, {})
    short = [replace(item("s", ()), question_type="short_answer", question="How many?")]
    assert [*own.answer(short)] == [*floor.answer(short)]


def test_it_may_not_have_read_the_exam_that_it_is_asked_about() -> None:
    memory = memory_of(KIND)
    assert memory is not None
    check(params(max(memory.seeds) + 1), MODEL, "")
    with pytest.raises(UserError, match="has read an exam with this seed"):
        check(params(memory.seeds[0]), MODEL, "")


def test_words_are_counted_once_an_option_and_articles_not_at_all() -> None:
    assert words_of("The red cup above the red owl") == ["above", "cup", "owl", "red"]
    found = learned([(("a red cup", "a cup", "an owl"), 1), (("owl", "cup"), 0)])
    assert found == {"cup": (1, 2), "owl": (1, 1), "red": (0, 1)}
    memory = Memory(seeds=(1,), words=found)
    # 2 words right and 4 wrong: (1 + 1) / (2 * 2 / 4 + 1) for the cup.
    assert memory.score("cup") == 0.0 and memory.score("unheard of") == 0.0
    assert memory.score("owl") > 0 > memory.score("red")


def test_only_its_own_jobs_read_what_it_remembers() -> None:
    of = validate(
        {"suite": KIND, "kind": KIND, "corpus": {"drawable_by": "pictograph"},
         "answer": {"models": [MODEL, {"name": "chance", "engine": "chance"}]}}
    )  # fmt: skip
    values = {"suite": KIND, "scenario": "clean"}
    assert GUESSED in STAGE.reads
    assert GUESSED not in STAGE.spares(of, {**values, "model": "reads"})
    assert GUESSED in STAGE.spares(of, {**values, "model": "chance"})
