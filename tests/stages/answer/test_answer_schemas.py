"""Replies of a given form: what is sent, what a server without it is sent, what is kept of it."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.stages.answer.answering import answer_items
from lvlmbench.stages.answer.chat.protocol import fields_of, request_body
from lvlmbench.stages.answer.engine import MODELS, Item, Picture, Reply, Schema
from lvlmbench.stages.answer.kinds.openai_chat.asking import OpenAIChat
from lvlmbench.stages.answer.requests.cache import AnswerCache
from lvlmbench.stages.answer.requests.journal import decode, encode
from support.answer_tables import KEY, item, openai_params, png, running_server

SCHEMA = Schema("claims", '{"type": "object"}')
SERVER = Path(__file__).parents[2] / "support" / "server" / "schema_server.py"


def engine(url: str = "http://h/v1", model: str = "m", **changes: Any) -> OpenAIChat:
    config = openai_params(url, model, **changes)
    made = MODELS.get("openai_chat", "test")(config, config.answer.models[0], {})
    assert isinstance(made, OpenAIChat)
    return made


ENGINES = {
    "plain": engine(),
    "logprobs": engine(logprobs=True),
    "sampled": engine(sampling={"temperature": 0.7, "seed": 5, "max_tokens": 64}),
    "low": engine(image_detail="low"),
}
ASKED = item(3)
ITEMS = {
    "item": ASKED,
    "bare": dataclasses.replace(ASKED, image=None, image_sha256=None, image_id=None),
    "free": dataclasses.replace(ASKED, options=()),
}
#: What these were before items had schemas. A change here asks again what was paid for.
HASHES = {
    ("plain", "item"): ("8c3074d5a7c9ac26aee886acbeb6f06f1ac9aa3a6edab7b762eff366e04d6ef9"),
    ("plain", "bare"): ("36e2b10ee7fd58b4e48c83568eeb26d1bfe52e6992d173b5b7eae849d618642e"),
    ("plain", "free"): ("8c3074d5a7c9ac26aee886acbeb6f06f1ac9aa3a6edab7b762eff366e04d6ef9"),
    ("logprobs", "item"): ("f87a4f94a9784afc032314f4f0facc410a06e4c7e9cfadbf9f2cadacfe130197"),
    ("logprobs", "bare"): ("36f0c57844928e825dedcd3b14d2df2f54ce366b48e363e266c4bd40cd110b3d"),
    ("logprobs", "free"): ("8c3074d5a7c9ac26aee886acbeb6f06f1ac9aa3a6edab7b762eff366e04d6ef9"),
    ("sampled", "item"): ("ba7e81c5ebb3977f57d4fc3b2d8dc91c5fe8fe6d8e5f66e2f1936a75fb070623"),
    ("sampled", "bare"): ("3fe8cc9f7647dc07efdecceac8488cb101ece42d63f6f3268e45ba48b0eb446a"),
    ("sampled", "free"): ("ba7e81c5ebb3977f57d4fc3b2d8dc91c5fe8fe6d8e5f66e2f1936a75fb070623"),
    ("low", "item"): ("6513e31d6a4fabc647a7913a6aaf05326d3df1c98474fa9ad7bd6f5ee78ad4e0"),
    ("low", "bare"): ("bf618f271f25812eecb2109e76e82f07bcc61f1e0310bf04587d6a38dac44657"),
    ("low", "free"): ("6513e31d6a4fabc647a7913a6aaf05326d3df1c98474fa9ad7bd6f5ee78ad4e0"),
}


def test_what_was_asked_before_there_were_schemas_has_its_hash() -> None:
    found = {(e, i): ENGINES[e].request_sha256(ITEMS[i]) for e, i in HASHES}
    assert found == HASHES


def with_schema(number: int = 3, **changes: Any) -> Item:
    return dataclasses.replace(item(number), options=(), schema=SCHEMA, **changes)


def test_all_that_can_change_a_reply_is_in_the_hash() -> None:
    pictures = [Picture(png(n), hashlib.sha256(png(n)).hexdigest()) for n in (5, 6)]
    asked = [
        with_schema(),
        dataclasses.replace(with_schema(), schema=Schema("pair", SCHEMA.text)),
        dataclasses.replace(with_schema(), schema=Schema("claims", "{}")),
        with_schema(attempt=1),
        with_schema(attempt=2),
        with_schema(further=(pictures[0],)),
        with_schema(further=(pictures[1],)),
        with_schema(further=tuple(pictures)),
        with_schema(further=tuple(reversed(pictures))),
        dataclasses.replace(with_schema(), schema=None),
    ]
    assert len({engine().request_sha256(each) for each in asked}) == len(asked)


def test_images_stand_in_their_order_before_the_prompt() -> None:
    files = [png(n) for n in (3, 5, 6)]
    more = tuple(Picture(file, hashlib.sha256(file).hexdigest()) for file in files[1:])
    body = json.loads(request_body({"model": "m"}, with_schema(further=more), "low"))
    *images, text = body["messages"][0]["content"]
    sent = [base64.b64decode(i["image_url"]["url"].partition(",")[2]) for i in images]
    assert sent == files and text["type"] == "text"
    assert {i["image_url"]["detail"] for i in images} == {"low"}


def test_a_schema_is_sent_in_the_protocols_form() -> None:
    wanted = {"name": "claims", "schema": {"type": "object"}, "strict": True}
    form = {"type": "json_schema", "json_schema": wanted}
    assert fields_of(with_schema(), None, "json_schema") == {"response_format": form}
    assert fields_of(with_schema(), 7, "json_object") == {
        "response_format": {"type": "json_object"}
    }
    assert fields_of(with_schema(), 7, "text") == {}
    assert fields_of(item(3), 7, "json_schema") == {}


@pytest.mark.parametrize(("seed", "sent"), [(None, 2), (5, 7)])
def test_another_attempt_has_another_seed(seed: int | None, sent: int) -> None:
    assert fields_of(with_schema(attempt=2), seed, "text") == {"seed": sent}
    assert fields_of(with_schema(attempt=0), seed, "text") == {}


def ask(model: OpenAIChat, items: list[Item], monkeypatch: pytest.MonkeyPatch) -> list[Reply]:
    monkeypatch.setenv("TEST_KEY", KEY)
    return answer_items(model, items, None, "m")


#: What a server takes, how it refuses the rest, and what a reply is held to then.
TAKES = [
    ("json_schema,json_object", "named", "json_schema"),
    ("json_object", "named", "json_object"),
    ("json_object", "unnamed", "json_object"),
    ("json_object", "named-422", "json_object"),
    ("json_object", "named-404", "json_object"),
    ("json_object", "named-501", "json_object"),
    ("", "named", "text"),
    ("", "unnamed", "text"),
]


@pytest.mark.parametrize(("takes", "refuses", "held"), TAKES)
def test_a_server_without_schemas_is_asked_in_a_way_that_it_takes(
    takes: str, refuses: str, held: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    asked = [with_schema(n) for n in range(12)]
    with running_server("--takes", takes, "--refuses", refuses, script=SERVER) as url:
        model = engine(url, "valid", concurrency=4)
        replies = ask(model, asked, monkeypatch)
        told = [line for line in capsys.readouterr().err.splitlines() if "takes no replies" in line]
        # The next run of this process knows it.
        again = ask(model, [with_schema(20)], monkeypatch)
    assert {(r.status, r.structured) for r in [*replies, *again]} == {("answered", held)}
    steps = ("json_schema", "json_object", "text").index(held)
    assert len(told) == min(steps, 1)
    assert "takes no replies" not in capsys.readouterr().err


def test_what_has_no_schema_is_asked_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with running_server("--takes", "", script=SERVER) as url:
        (reply,) = ask(engine(url, "valid"), [item(3)], monkeypatch)
    assert (reply.status, reply.structured) == ("answered", None)


def test_a_bad_request_is_not_blamed_on_a_form_that_was_taken_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_server(script=SERVER) as url:
        model = engine(url, "valid", concurrency=1)
        bad = dataclasses.replace(with_schema(1), prompt="answer with HTTP 400")
        replies = ask(model, [with_schema(0), bad, with_schema(2)], monkeypatch)
    assert [(r.status, r.structured) for r in replies] == [
        ("answered", "json_schema"), ("error", None), ("answered", "json_schema"),
    ]  # fmt: skip
    assert "takes no replies" not in capsys.readouterr().err


def test_the_form_is_kept_with_the_reply(tmp_path: Path) -> None:
    reply = Reply("{}", "answered", structured="json_object")
    line = encode("r", reply)
    assert decode(line) == ("r", reply)
    old = json.loads(line)
    del old["reply"]["structured"]
    assert decode(json.dumps(old).encode()) == ("r", Reply("{}", "answered"))
    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        cache.put("r", reply)
    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        assert cache.get(["r"]) == {"r": reply}


V3 = """
CREATE TABLE replies_v3 (
    request_sha256 TEXT PRIMARY KEY, text TEXT NOT NULL, status TEXT NOT NULL,
    finish_reason TEXT, error TEXT, latency_s REAL, prompt_tokens INTEGER,
    completion_tokens INTEGER, cost_usd REAL, attempts INTEGER NOT NULL,
    logprobs TEXT, served_model TEXT, reasoning TEXT
) WITHOUT ROWID
"""


def test_answers_of_the_version_before_are_found(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with sqlite3.connect(path) as old:
        old.execute(V3)
        values = ("a", "(A)", "answered", "stop", None, 1.5, 10, 2, 0.25, 3, None, "org/m", "hm")
        old.execute(f"INSERT INTO replies_v3 VALUES ({', '.join('?' * 13)})", values)
    old.close()
    reply = Reply(
        "(A)", "answered", "stop", None, 1.5, 10, 2, 0.25, 3, served_model="org/m", reasoning="hm"
    )
    with AnswerCache(path) as cache:
        assert cache.get(["a", "b"]) == {"a": reply}
