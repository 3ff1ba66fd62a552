"""Error-driven option adjustment: which answers are offered, which options stay."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.world import World
from lvlmbench.stages.answer.engine import Item, Reply, request_hash
from lvlmbench.stages.examiner.proposing import Proposing
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.stages.roles.templates import DEFAULT
from lvlmbench.suites.brief import Brief

ASKED = {
    "question": "What is in the picture?",
    "options": ["a tractor", "a red car", "a moped", "a tram"],
    "answer_index": 1,
    "evidence": [{"subject": "o1", "predicate": "color", "object": "red"}],
}
ROW = {
    "instance": 0, "object": "o1", "part": None, "panel": 0, "visible": 1.0, "pixels": 40_000,
    "box": {"left": 0, "top": 0, "right": 200, "bottom": 200}, "hides": [], "relations": [],
}  # fmt: skip


def brief(color: str = "red") -> Brief:
    graph = Graph((Object("o1", "vehicle", "car", color=color),))
    return Brief(
        scene_id="s", subtask="r", aspect="a", level="easy", description="A red car.",
        things=(("o1", "a red car"),), world=World(graph, [ROW], 1000, lambda a, b: a == b),
    )  # fmt: skip


class Answers:
    """A model that asks one question and then gives answers one after the other."""

    cached = True

    def __init__(self, *answers: str) -> None:
        self.left, self.prompts = list(answers), list[str]()

    @property
    def parameters(self) -> Mapping[str, object]:
        return {}

    def request_sha256(self, item: Item) -> str:
        return request_hash(item.prompt, item.attempt)

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        for item in items:
            self.prompts.append(item.prompt)
            said = ASKED if item.subtask == "question" else {"answer": self.left.pop(0)}
            yield item, Reply(text=json.dumps(said), status="answered")


def proposed(
    folder: Path, model: Answers, adjust: int = 3, about: Brief | None = None
) -> dict[str, Any]:
    asker = Asker(model, "m", 0, folder / "a.sqlite")
    [row] = Proposing(asker, "m", adjust, DEFAULT).rows([about or brief()])
    return row


@pytest.mark.parametrize(
    ("answers", "options", "spare", "told"),
    [
        (
            ("a blue car", "a van here", "a lorry"),
            ["a blue car", "a red car", "a van here", "a lorry"],
            ["a tractor", "a moped", "a tram"],
            ["taken"] * 3,
        ),
        (  # what stands there already is the one to keep
            ("The Tractors", "a blue car", "a lorry"),
            ["a blue car", "a red car", "a lorry", "a tractor"],
            ["a moped", "a tram"],
            ["offered already", "taken", "taken"],
        ),
        (
            ("a red car", "car", "a blue car of a great length"),
            ["a tractor", "a red car", "a moped", "a tram"],
            None,
            ["near an option", "of another length", "of another length"],
        ),
        (  # an answer that was given before does not come back, nor does what it replaced
            ("a blue car", "a blue car", "a tractor"),
            ["a blue car", "a red car", "a moped", "a tram"],
            ["a tractor"],
            ["taken", "offered already", "near an option"],
        ),
    ],
)
def test_answers_take_the_places_of_wrong_options(
    answers: tuple[str, ...], options: list[str], spare: list[str] | None, told: list[str],
    tmp_path: Path,
) -> None:  # fmt: skip
    model = Answers(*answers)
    row = proposed(tmp_path, model)
    assert (row["options"], row["spare"], row["adjustments"]) == (options, spare, told)
    assert row["options"][row["answer_index"]] == "a red car"
    wrong = [each for at, each in enumerate(row["options"]) if at != row["answer_index"]]
    before = [*(row["spare"] or ()), *wrong[len(row["spare"] or ()) :]]
    assert sorted(before) == sorted(ASKED["options"][:1] + ASKED["options"][2:])  # type: ignore[index]
    # Each answer joins those that are told to be wrong.
    for number, prompt in enumerate(model.prompts[1:]):
        assert "- ".join(["\n", "a red car\n"]) in prompt
        assert all(f"\n- {answer}\n" in prompt for answer in answers[:number])
        assert not any(f"\n- {answer}\n" in prompt for answer in answers[number:]
                       if answer not in ("a red car", *answers[:number]))  # fmt: skip


def test_without_adjustment_options_stay_and_nothing_more_is_asked(tmp_path: Path) -> None:
    model = Answers()
    row = proposed(tmp_path, model, adjust=0)
    assert row["options"] == ASKED["options"] and len(model.prompts) == 1
    assert row.get("spare") is None and row.get("adjustments") is None


def test_what_a_picture_does_not_show_is_not_adjusted(tmp_path: Path) -> None:
    model = Answers()
    row = proposed(tmp_path, model, about=brief("blue"))
    assert row["status"] == "unsupported" and row["why"] == "o1 color red: not so"
    assert row["evidence"][0]["holds"] is False and len(model.prompts) == 1
