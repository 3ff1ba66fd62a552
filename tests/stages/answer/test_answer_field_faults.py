"""Faults that people report of servers: none passes for an answer, each is retried or told.

tests/data/replies/faults.jsonl holds them. Those with ids f and s are our own tries of public
reports; the others were written, expectations included, by people who had not seen this code.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.answering import answer_rows
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import FINAL_STATUSES, MODELS
from lvlmbench.stages.answer.requests.cache import AnswerCache
from lvlmbench.stages.replies import data
from lvlmbench.stages.requests import retry
from lvlmbench.stages.requests.budget import Budget
from support.answer_tables import item, openai_params, running_server
from support.server import fault_server

MODE_SERVER = Path(fault_server.__file__).with_name("mode_server.py")
FAULTS = Path(__file__).parents[2] / "data" / "replies" / "faults.jsonl"
MODES: list[dict[str, Any]] = [json.loads(line) for line in FAULTS.read_text("utf-8").splitlines()]
#: Outcome -> status of the rows, and what they say of "(B)", which a request gets in the end.
STATUSES = {
    "retried": "answered", "answered": "answered", "unread": "answered", "failed": "error",
    "refused": "refused", "truncated": "truncated",
}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with running_server(script=MODE_SERVER) as url:
        yield url


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(retry, "FIRST_PAUSE_S", 0.01)


def test_there_are_faults_of_each_row() -> None:
    assert {mode["row"] for mode in MODES} >= {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 19, 21}
    assert len({mode["id"] for mode in MODES}) == len(MODES) >= 200


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode["id"])
def test_a_fault_becomes_what_it_is(
    server: str, mode: dict[str, Any], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    expect = mode["expect"]
    config = openai_params(server, mode["id"], api_key_env=None, retries=1)
    model = MODELS.get("openai_chat", "test")(config, config.answer.models[0], {})
    items = [item(n) for n in range(3)]
    path = tmp_path / "cache" / "answers.sqlite"
    with AnswerCache(path) as cache:
        try:
            rows = answer_rows(model, items, cache, "m", "clean")
        except UserError as error:
            assert expect["outcome"] == "stop", str(error)
            assert expect.get("says", "") in str(error)
            return
    assert expect["outcome"] != "stop", rows[0]
    text = {"retried": "(B)", "unread": "", "failed": ""}.get(expect["outcome"], expect.get("text"))
    for row in rows:
        assert row["status"] == STATUSES[expect["outcome"]], row
        if text is not None:
            assert str(row["text"]).strip() == text
        said = f"{row['error'] or ''} {row['text']}"
        assert expect.get("says", "") in said
        assert (row["attempts"] == 1) == (
            expect["outcome"] in ("answered", "unread", "refused", "truncated")
            or ("sends" in expect and mode["status"] != 200)
            or (expect["outcome"] == "failed" and mode["status"] in (400, 413, 422))
        ), row
    with AnswerCache(path) as cache:
        kept = cache.get([str(row["request_sha256"]) for row in rows])
    assert len(kept) == (3 if rows[0]["status"] in FINAL_STATUSES else 0)


def test_what_broken_replies_cost_is_counted(server: str, tmp_path: Path) -> None:
    """f01a: a reply of 100 and 10 tokens that ended in an error, then a good one of as many."""
    config = openai_params(server, "f01a", api_key_env=None, price_per_million=(2.0, 8.0))
    spec = config.answer.models[0]
    model = MODELS.get("openai_chat", "test")(config, spec, {})
    budget = Budget.of(spec.find(Endpoint), tmp_path / "answers.sqlite")
    assert budget is not None
    (row,) = answer_rows(model, [item(77)], None, "m", "clean", budget)
    assert (row["text"], row["status"], row["attempts"]) == ("(B)", "answered", 2)
    assert (row["prompt_tokens"], row["completion_tokens"]) == (200, 20)
    assert row["cost_usd"] == budget.spent == pytest.approx(2 * 0.00028)


def test_an_endpoint_may_name_the_limit(server: str) -> None:
    config = openai_params(server, "f09a", api_key_env=None, limit_name="max_completion_tokens")
    model = MODELS.get("openai_chat", "test")(config, config.answer.models[0], {})
    (row,) = answer_rows(model, [item(78)], None, "m", "clean")
    assert (row["text"], row["attempts"]) == ("(B)", 1)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("finish_reasons.yaml", "length:", "lenght:", "length: must hold a list of texts"),
        (
            "finish_reasons.yaml",
            "  - max_tokens\n",
            "  - max_tokens\n  - stop\n",
            "'stop' stands in",
        ),
        ("errors.yaml", "refused:", "refusd:", "must hold lists of texts, codes and words"),
        ("errors.yaml", "    - 'guardrail'", "    - 'guardrail('", "'guardrail(': missing )"),
        ("marks.yaml", "forms:", "forms: []\nother:", "forms: must hold a list of pairs"),
        (
            "marks.yaml",
            "turn_ends:",
            "turn_ends: []\nother:",
            "turn_ends: must hold a list of texts",
        ),
    ],
)
def test_a_mistake_in_the_lists_is_one_line(
    file: str, old: str, new: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in data.FOLDER.glob("*.yaml"):
        text = path.read_text("utf-8")
        assert path.name != file or old in text
        (tmp_path / path.name).write_text(text.replace(old, new, path.name == file), "utf-8")
    monkeypatch.setattr(data, "FOLDER", tmp_path)
    made = (data.marks, data.finish_reasons, data.error_codes)
    for function in made:
        function.cache_clear()
    try:
        with pytest.raises(UserError) as error:
            data.check_lists()
    finally:
        for function in made:
            function.cache_clear()
    assert f"{tmp_path / file}" in str(error.value) and said in str(error.value)
