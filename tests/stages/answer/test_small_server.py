"""The engine openai_chat against a real server: llama.cpp with a language model of 135 million.

What our own servers make up is real here: sampling, counts of tokens, probabilities, grammars,
errors. It is plumbing that is tested, never quality: whatever the model says, it is nonsense.
"""

from __future__ import annotations

import json
import math
import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.answering import answer_items
from lvlmbench.stages.answer.engine import MODELS, Item, Model, Reply, Schema
from lvlmbench.stages.answer.requests.cache import AnswerCache
from support.answer_tables import SMALL_SERVER, item, openai_params
from support.server.small_server import CONTEXT, MODEL, counted

#: Sampled from what the model finds likely, for replies that differ.
SAMPLED = {"temperature": 1.0, "max_tokens": 12}


def model(url: str, **changes: Any) -> Model:
    """The engine that asks it."""
    settings = {"api_key_env": None, "timeout_s": 60, "sampling": {"max_tokens": 8}} | changes
    params = openai_params(url, MODEL, **settings)
    made: Model = MODELS.get("openai_chat", "test")(params, params.answer.models[0], {})
    return made


def text_item(number: int, **changes: Any) -> Item:
    """Question ``number`` without an image, which this server does not take."""
    bare = replace(item(number), image=None, image_id=None, image_sha256=None)
    return replace(bare, prompt=f"Tell me about the number {number}.", **changes)


def ask(url: str, items: Sequence[Item], **changes: Any) -> list[Reply]:
    """Replies in the items' order."""
    return answer_items(model(url, **changes), items, None, "m/clean")


def since(url: str, before: dict[str, float]) -> tuple[float, float, float]:
    """Tokens of prompts, tokens of replies and steps of the model since then."""
    names = ("prompt_tokens_total", "tokens_predicted_total", "n_decode_total")
    now = counted(url)
    first, second, third = (now[name] - before[name] for name in names)
    return first, second, third


def test_tokens_are_those_that_the_server_has_counted(small_server: str) -> None:
    before = counted(small_server)
    items = [text_item(n) for n in range(3)]
    replies = ask(small_server, items, price_per_million=(2.0, 8.0))
    sent, received, _ = since(small_server, before)
    assert sum(r.prompt_tokens or 0 for r in replies) == sent > 3 * 10
    assert sum(r.completion_tokens or 0 for r in replies) == received > 0
    cost = sum(r.cost_usd or 0 for r in replies)
    assert cost == pytest.approx((2 * sent + 8 * received) / 1e6)
    assert {r.served_model for r in replies} == {MODEL}


def test_a_reply_that_reaches_the_limit_is_truncated(small_server: str) -> None:
    (reply,) = ask(small_server, [text_item(5)], sampling={"max_tokens": 3})
    assert (reply.status, reply.finish_reason, reply.completion_tokens) == (
        "truncated",
        "length",
        3,
    )
    assert reply.text


def test_at_temperature_0_it_repeats_itself(small_server: str) -> None:
    items = [text_item(n) for n in range(2)]
    sampling = {"temperature": 0, "max_tokens": 12}
    first, second = (ask(small_server, items, concurrency=1, sampling=sampling) for _ in "ab")
    assert [r.text for r in first] == [r.text for r in second]
    assert len({r.text for r in first}) == 2


def test_the_seed_decides_what_is_sampled(small_server: str) -> None:
    items = [text_item(n) for n in range(2)]
    said = [
        [r.text for r in ask(small_server, items, concurrency=1, sampling=SAMPLED | {"seed": seed})]
        for seed in (3, 3, 4)
    ]
    assert said[0] == said[1] != said[2]


def test_another_attempt_is_another_sample(small_server: str) -> None:
    items = [text_item(6, question_id=f"{n:032x}", attempt=n) for n in range(3)]
    replies = ask(small_server, items, concurrency=1, sampling=SAMPLED | {"seed": 3})
    assert len({r.text for r in replies}) == 3


@pytest.mark.long
def test_requests_are_worked_at_together(small_server: str) -> None:
    """One after the other, each token takes a step of its own."""
    items = [text_item(n) for n in range(4)]
    before = counted(small_server)
    ask(small_server, items, concurrency=1, sampling=SAMPLED)
    _, received, steps = since(small_server, before)
    assert steps >= received
    before = counted(small_server)
    replies = ask(small_server, items, concurrency=4, sampling=SAMPLED)
    _, received, steps = since(small_server, before)
    assert steps < received and all(r.completion_tokens for r in replies)


LETTER = Schema("letter", json.dumps({"type": "string", "enum": ["A", "B", "C", "D"]}))


def test_probabilities_of_the_letters_that_a_grammar_allows(small_server: str) -> None:
    items = [text_item(n, schema=LETTER) for n in range(2)]
    for reply in ask(small_server, items, logprobs=True, sampling={"max_tokens": 24}):
        assert reply.logprobs is not None and len(reply.logprobs) == 4
        stated = reply.logprobs["ABCD".index(json.loads(reply.text))]
        known = [p for p in reply.logprobs if p is not None]
        assert stated in known and all(p <= 0 for p in known)
        assert sum(math.exp(p) for p in known) <= 1 + 1e-4 and reply.structured == "json_schema"
    assert ask(small_server, items[:1])[0].logprobs is None


def test_what_is_in_the_cache_is_not_asked(small_server: str, tmp_path: Path) -> None:
    items = [text_item(n) for n in range(3)]
    with AnswerCache(tmp_path / "a.sqlite") as cache:
        first = answer_items(model(small_server), items, cache, "m/clean")
        before = counted(small_server)
        second = answer_items(model(small_server), items, cache, "m/clean")
        assert since(small_server, before) == (0, 0, 0)
    assert [r.text for r in first] == [r.text for r in second]


def test_who_hangs_up_leaves_a_server_that_answers(small_server: str) -> None:
    items = [text_item(n) for n in range(4)]
    replies = ask(small_server, items, timeout_s=0.05, sampling={"max_tokens": 500})
    assert {(r.status, r.attempts) for r in replies} == {("timeout", 1)}
    assert {r.status for r in ask(small_server, items[:2])} <= {"answered", "truncated"}


def test_a_prompt_that_is_too_long_is_a_row(small_server: str) -> None:
    long = replace(text_item(7), prompt="word " * 2 * CONTEXT)
    short, reply = ask(small_server, [text_item(8), long])
    assert short.status in ("answered", "truncated")
    assert (reply.status, reply.attempts, reply.rejected) == ("error", 1, True)
    assert f"the available context size ({CONTEXT} tokens)" in str(reply.error)


def test_a_server_without_eyes_is_one_line(small_server: str) -> None:
    with pytest.raises(UserError, match="image input is not supported") as caught:
        ask(small_server, [item(n) for n in range(30)], retries=0)
    assert "\n" not in str(caught.value)


def test_a_schema_that_the_server_rejects_is_asked_for_as_json(
    small_server: str, capfd: pytest.CaptureFixture[str]
) -> None:
    schema = Schema("none", '{"type": "nonsense"}')
    (reply,) = ask(small_server, [text_item(9, schema=schema)], sampling={"max_tokens": 60})
    assert reply.structured == "json_object" and reply.text.startswith("{")
    said = capfd.readouterr().err
    assert "takes no replies as json_schema (HTTP 400" in said and "unrecognized type" in said


def test_a_taken_port_is_one_line(small_server: str) -> None:
    port = small_server.rpartition(":")[2].removesuffix("/v1")
    command = [sys.executable, str(SMALL_SERVER), "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"port {port}: cannot be used" in done.stderr


def test_it_ends_with_what_has_started_it() -> None:
    starts = "import subprocess, sys; subprocess.Popen(sys.argv[1:]); sys.stdin.read()"
    command = [sys.executable, "-c", starts, sys.executable, str(SMALL_SERVER)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True) as parent:
        assert parent.stdout is not None
        try:
            assert parent.stdout.readline().startswith(b"http://")
            parent.kill()
            # The pipe ends once nobody holds it, neither the parent nor the server.
            ended, _, _ = select.select([parent.stdout], [], [], 60)
            assert ended and parent.stdout.read() == b""
        finally:
            with suppress(ProcessLookupError):
                os.killpg(parent.pid, signal.SIGKILL)
