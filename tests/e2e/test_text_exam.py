"""An exam from a sentence to a report: servers plan, draw, look, ask and answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from e2e.clone import Clone
from lvlmbench import tables
from support.answer_tables import SERVER, running_server, stats
from support.text_exam import TEXT_SERVER

pytestmark = [pytest.mark.e2e, pytest.mark.long]

IMAGES_SERVER = SERVER.with_name("images_server.py")
EXAM = {"truth": "description", "words": "reading traffic", "general": 2, "fine": 2}


def model(name: str, url: str, **more: object) -> dict[str, object]:
    section = {"base_url": url, "model": name, "api_key_env": None, "price_per_million": [1, 3]}
    return {"name": name, "engine": "openai_chat", "endpoint": section, **more}


def asked(*urls: str) -> int:
    return sum(sum(stats(url)["asked"].values()) for url in urls)


def overlay(chat: str, images: str) -> dict[str, object]:
    drawing = {"base_url": images, "model": "spoilt", "api_key_env": None, "send_seed": True}
    suite = {
        "kind": "autodavis",
        "corpus": {"subtasks": ["own_request"], "scenes_per_subtask": 12, "autodavis": EXAM},
        "scenarios": {"names": ["clean", "blind"], "noisy": [{"name": "blind"}]},
    }
    return {
        "suites": {"dysca": None, "exam": suite},
        "render": {
            "renderer": "openai_images", "size": 64,
            "openai_images": {**drawing, "price_per_image": 0.04},
        },
        "examiner": {
            "examiners": [model(f"examiner_{n}", chat, family=n) for n in "abc"],
            "planners": ["examiner_a"],
        },
        "validator": {"validators": [model(f"eye_{n}", chat) for n in "abc"]},
        "answer": {"models": [model("served", chat)]},
    }  # fmt: skip


def test_a_sentence_becomes_a_report_and_a_second_run_asks_nothing(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    clone = Clone.origin(tmp_path / "project", tmp_path / "home")
    mine = clone.path / "mine.yaml"
    with (
        running_server(script=TEXT_SERVER) as chat,
        running_server(script=IMAGES_SERVER) as images,
    ):
        mine.write_text(json.dumps(overlay(chat, images)))
        clone.run("snakemake", "results/report.html", "--configfile", str(mine))
        sent = asked(chat, images)
        clone.run("rm", "-rf", "results", "data/exam", "data/seals", ".lvlmbench/build")
        clone.run("snakemake", "results/report.html", "--configfile", str(mine))
        assert asked(chat, images) == sent
    data = clone.path / "data/exam"
    questions = tables.read(data / "questions", tables.QUESTIONS)
    assert len(questions) >= 0.95 * 12
    assert {*questions["examiner"].to_pylist()} == {"examiner_a", "examiner_b", "examiner_c"}
    attempts = tables.read(data / "attempts", tables.ATTEMPTS)
    assert "rejected" in attempts["outcome"].to_pylist()
    looked = tables.read(data / "attempt_requests", tables.ATTEMPT_REQUESTS)
    assert {0, 1} <= {*looked["round"].to_pylist()}
    costs = tables.read([clone.path / "results/exam/costs.parquet"], tables.COSTS).to_pylist()
    assert {
        "guidance",
        "description",
        "image",
        "validation",
        "question",
        "adjustment",
        "answer",
    } <= {row["stage"] for row in costs}
    report = (clone.path / "results/report.html").read_text()
    assert "confirmed by" in report
