"""References as a person would want them: specific to the picture, complete, nothing invented."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from lvlmbench.scene.lists import COUNTABLE
from lvlmbench.scene.palette import COLORS, names_of
from lvlmbench.suites.dialogue import TASKS
from lvlmbench.suites.suite import suite_of
from lvlmbench.suites.touchstone import knowledge
from lvlmbench.suites.touchstone.scenes import Planner, task_of
from support.render_scenes import vocabulary
from support.touchstone_oracle import NUMBERS, PLACES
from support.touchstone_scenes import asked, params_of

TASTE = tuple(name for name, task in TASKS.items() if task.decided == "taste")
#: Task -> how many texts there are before one comes again, whatever is shown.
FRAMES: dict[str, list[Sequence[Any]]] = {
    "touchstone_story": [knowledge.stories()[part] for part in ("plots", "openings", "closings")],
    "touchstone_poem": [knowledge.poems()["firsts"], knowledge.poems()["seconds"]],
    "touchstone_email": [
        *(knowledge.letters().letters, range(3), range(3), knowledge.letters().closings),
    ],
    "touchstone_ideas": [knowledge.ideas()],
    "touchstone_problem": [knowledge.needs().needs],
    "touchstone_style": [knowledge.styles().frames],
    "touchstone_advice": [(*knowledge.meals().occasions, *knowledge.climates().wanted)],
}  # fmt: skip


def bare(text: str) -> str:
    """A text without the names, colors and numbers of things."""
    lists = vocabulary().lists
    names = {e.label for name in (*COUNTABLE, "clothes") for e in lists[name].entries}
    words = "|".join(sorted({*names, *COLORS, *NUMBERS}, key=len, reverse=True))
    return re.sub(r"\ban\b", "a", re.sub(rf"\b(?:{words})\b", "_", text, flags=re.I))


@pytest.mark.parametrize("task", TASTE)
def test_no_two_references_are_one_text_up_to_nouns(task: str) -> None:
    found = [bare(question["answer"]) for _, _, question in asked((task,), 24, 9).pairs()]
    assert len(found) >= 20 and len({*found}) == len(found)


@pytest.mark.parametrize("task", TASTE)
def test_each_task_of_taste_has_eight_frames_and_more(task: str) -> None:
    assert len(FRAMES[task][0]) >= 8


@pytest.mark.parametrize("task", ["touchstone_story", "touchstone_poem", "touchstone_email"])
def test_frames_come_again_only_after_all_of_them(task: str) -> None:
    params = params_of(1, 9)
    kit = Planner(params, vocabulary()).kit(task_of(task), "question", "any", 0)
    total = 1
    for part in FRAMES[task]:
        total *= len(part)
    found = [tuple(map(str, replace(kit, ordinal=n).frame(*FRAMES[task]))) for n in range(total)]
    assert len({*found}) == total >= 64
    firsts = [each[0] for each in found]
    n = len(FRAMES[task][0])
    assert all(len({*firsts[at : at + n]}) == n for at in range(0, total, n))
    # Neighbors differ in more than one part.
    assert all(a[1] != b[1] for a, b in pairwise(found[:n]))


def test_stories_poems_and_ideas_use_what_is_known_of_the_things() -> None:
    known = knowledge.things()
    for task in ("touchstone_story", "touchstone_poem", "touchstone_ideas"):
        used = total = 0
        for scene, _, question in asked((task,), 24, 9).pairs():
            for thing in scene["objects"]:
                if thing["list"] == "object":
                    total += 1
                    used += known.use(thing["label"]) in question["answer"]
        assert used > 0.35 * total, task


def test_emails_invent_no_times_and_dates() -> None:
    for _, _, question in asked(("touchstone_email",), 24, 9).pairs():
        assert not re.search(r"\d", question["answer"]), question
        days = ("Monday", "Friday", "Saturday", "Thursday", "month", "week ")
        told = [word for word in days if word in question["answer"]]
        assert all(word in question["question"] or word == "week " for word in told), question


def test_drawings_are_not_called_photographs() -> None:
    for task in (*TASTE, "touchstone_simple", "touchstone_detailed"):
        for _, _, question in asked((task,), 24, 9).pairs():
            for said in re.findall(r"[^.]*\bphoto[^.]*", question["answer"]):
                how = r"made to look like|looks like|imitates|would call|typical of|meant to be"
                known = re.search(rf"{how}|style is that|made like|old and|early print", said)
                assert known or "photographs of the hands" in said, question


def test_a_detailed_reference_names_each_owed_color() -> None:
    found, seen = asked(("touchstone_detailed",), 12, 9), 0
    truth = suite_of(found.params).truth(
        found.params, vocabulary(), found.scenes, found.layout_table
    )
    for row in truth.to_pylist():
        question = found.questions.get(row["scene_id"])
        if question and not row["optional"] and row["relation"] == "color" and row["subject"]:
            said = question["answer"].lower()
            assert f"{row['value']} {row['subject']}".lower() in said, question
            seen += 1
    assert seen >= 6


def test_where_a_word_is_may_be_told_by_place_and_by_color() -> None:
    by_place = by_color = 0
    for task_seed in (9, 10):
        for _, _, question in asked(("touchstone_text",), 24, task_seed).pairs():
            if not question["question"].startswith("Where in this picture"):
                continue
            forms, rivals = question["accepted"], question["rivals"]
            assert not {*forms} & {*rivals}
            assert question["answer"].startswith(f"It is on the {forms[0]}")
            place = next((p for p in PLACES if question["answer"].endswith(f" {p}.")), "")
            part = place.removeprefix("at the ")
            by_place += part in forms and part.replace(" ", "-") in forms
            by_color += bool({*forms} & {*COLORS})
    assert by_place and by_color


def test_colors_have_the_names_that_people_give_them() -> None:
    assert names_of((190, 165, 67)) == ("yellow",) and names_of((59, 140, 60)) == ("green",)
    assert names_of((200, 60, 50)) == ("red",) and names_of((60, 90, 190)) == ("blue",)
    assert "orange" in names_of((220, 130, 40)) and "brown" in names_of((120, 80, 45))
    assert names_of((190, 190, 190)) == ("white", "gray")
    assert {"white", "green"} <= {*names_of((194, 208, 180))}


def test_what_is_known_is_known_of_labels() -> None:
    lists = vocabulary().lists
    labels = {e.label for name in (*COUNTABLE, "clothes") for e in lists[name].entries}
    known = knowledge.things()
    told = {label for uses in known.objects.values() for label in uses} | {*known.animals}
    told |= {label for need in knowledge.needs().needs for label in need.helps}
    told |= {label for course in knowledge.meals().courses for label in course.foods}
    for climate in knowledge.climates().places.values():
        told |= {*climate.wear, *climate.leave}
    assert not told - labels
    assert {*knowledge.climates().places} <= {e.label for e in lists["background"].entries}
    assert {*knowledge.styles().styles} <= {e.label for e in lists["style"].entries}
    for wanted in knowledge.ideas():
        assert {*wanted.ideas} == {*known.objects}
