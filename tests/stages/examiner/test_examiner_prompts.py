"""What examiners are sent: tests/snapshots/prompts shows an example of each, for diffs."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path

import pytest

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Graph
from lvlmbench.stages.answer.engine import Item
from lvlmbench.stages.examiner.proposing import FIELDS, Proposing, check_prompts
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.stages.roles.templates import DEFAULT
from lvlmbench.suites.autodavis.briefs import briefs
from lvlmbench.suites.brief import Brief
from support import text_exam_replies
from support.examined import at, small_exam, with_examiner
from support.examiner_replies import good
from support.keeping_model import Keeping
from support.render_scenes import vocabulary


def told() -> list[Brief]:
    """What an examiner is told of a small exam."""
    exam = small_exam()
    params = with_examiner(exam.params, "gpt", section=at("http://h/v1"))
    return [*briefs(params, vocabulary(), exam.scenes, exam.layouts, "gpt")]


def of_text() -> Brief:
    """What an examiner is told of a picture that a text describes."""
    return Brief(
        scene_id="s", subtask="own_request", aspect="a", level="easy",
        description="There is a red kite. There is a teal drum. There is an old loom.",
        things=(("s1", "Is there a red kite in the picture? yes"),),
        about=("Right of way. Who may go first.", "Show two who meet."),
        guidance="Ask about one thing.", defects=("a teal drum",), barred=frozenset({"teal"}),
    )  # fmt: skip


def replied(item: Item) -> object:
    """What a good examiner replies."""
    return json.loads(text_exam_replies.reply(item.prompt, None))


def asked(some: Collection[Brief], folder: Path) -> list[Item]:
    """All that is sent about some pictures."""
    model = Keeping(replied if of_text() in some else lambda item: good(item.prompt))
    Proposing(Asker(model, "gpt", 3, folder / "a.sqlite"), "gpt", 3, DEFAULT).rows(some)
    return model.sent


def test_prompts_are_as_they_were(tmp_path: Path) -> None:
    """To change a prompt, change its version too, and write the snapshot anew."""
    one = next(brief for brief in told() if brief.planned and brief.level == "medium")
    sent = {item.subtask: item.prompt for item in asked([one], tmp_path / "one")}
    sent = {item.subtask: item.prompt for item in asked([of_text()], tmp_path / "two")} | sent
    assert {*sent} == {*FIELDS}
    for purpose, prompt in sent.items():
        kept = PROJECT_ROOT / "tests/snapshots/prompts" / f"{purpose}.txt"
        assert prompt == kept.read_text(encoding="utf-8"), purpose


def test_examiners_see_what_was_planned_and_no_picture(tmp_path: Path) -> None:
    exam, known = small_exam(), told()
    scenes = {scene["scene_id"]: scene for scene in exam.scenes.to_pylist()}
    boxes = {str(row["pixels"]) for row in exam.layouts.to_pylist() if row["pixels"] > 999}
    for item in asked(known, tmp_path):
        graph, prompt = Graph.of(scenes[item.scene_id]), item.prompt
        assert item.image is None and not item.further
        assert scenes[item.scene_id]["prompt"] in prompt
        assert boxes.isdisjoint(re.findall(r"\b\d+\b", prompt))  # a fence's hash has digits too
        if item.subtask == "question":
            assert all(f"\n{thing.id}: " in prompt for thing in graph.objects)
            for each in graph.relations:
                assert f"\n{each.subject} {each.predicate} {each.object}" in prompt


def test_defects_are_told_whole(tmp_path: Path) -> None:
    one = next(brief for brief in told() if brief.lacks is None)
    changed = Brief(**{**vars(one), "defects": ("barn owl", "red fox")})
    for item in asked([changed], tmp_path):
        assert "- barn owl\n- red fox\n</data" in item.prompt


def test_each_item_is_told_of_once_and_shared_by_all_examiners() -> None:
    exam = small_exam()
    params = with_examiner(exam.params, "a", "b", section=at("http://h/v1"))
    by_name = {
        name: [b.scene_id for b in briefs(params, vocabulary(), exam.scenes, exam.layouts, name)]
        for name in ("a", "b", "nobody")
    }
    assert not by_name["nobody"]
    assert sorted(by_name["a"] + by_name["b"]) == sorted(exam.scenes["scene_id"].to_pylist())
    assert abs(len(by_name["a"]) - len(by_name["b"])) <= 9  # one a request and level


def test_a_damaged_prompt_is_one_line(tmp_path: Path) -> None:
    text = "---\nversion: 1\n---\n{{ description }} {{ question }} {{ wrong }} {{ defects }}"
    (tmp_path / "eoa.md").write_text(text + " {{ schema }}")
    with pytest.raises(UserError, match="shows 'defects' unfenced"):
        check_prompts(str(tmp_path))
    with pytest.raises(UserError, match=r"examiner\.prompts: .*none: is not a folder"):
        check_prompts(str(tmp_path / "none"))
