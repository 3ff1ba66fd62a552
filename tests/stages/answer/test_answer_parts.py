"""The guessing floor, the answer cache, pauses between retries."""

from __future__ import annotations

import datetime
import email.utils
import multiprocessing
import sqlite3
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench.core.errors import UserError
from lvlmbench.core.untrusted import one_line
from lvlmbench.scene.answers import sort_of
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.stages.answer.chat.protocol import media_type
from lvlmbench.stages.answer.chat.replies import Broken, read_reply
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import MODELS, Item, Model, Reply
from lvlmbench.stages.answer.requests.cache import AnswerCache
from lvlmbench.stages.requests.errors import Said, judge
from lvlmbench.stages.requests.retry import LONGEST_PAUSE_S, asked_wait, backoff, retry_after
from lvlmbench.stages.score.choice import extract_choice
from support.answer_tables import item, params


def chance(**sections: object) -> Model:
    config = params([{"name": "chance", "engine": "chance"}], **sections)
    return MODELS.get("chance", "test")(config, config.answer.models[0], {})


def test_chance_is_uniform_over_the_options() -> None:
    model = chance()
    counts = Counter(
        reply.text for _, reply in model.answer(item(n, image=b"") for n in range(4000))
    )
    assert set(counts) == {"(A)", "(B)", "(C)", "(D)"}
    # 1000 expected each; five standard deviations are 137.
    assert all(abs(n - 1000) < 137 for n in counts.values())


def test_chance_says_a_number_a_color_or_a_word_where_one_is_asked_for() -> None:
    asked = {"How many foxes?": "number", "What color is it?": "color", "Which word is it?": "text"}
    for at, (question, kind) in enumerate(asked.items()):
        items = [
            replace(item(100 * at + n, options=[]), question_type="short_answer", question=question)
            for n in range(60)
        ]
        said = [reply.text for _, reply in chance().answer(items)]
        assert {sort_of([text]) for text in said} == {kind}
        assert len({*said}) > 5


def test_chance_depends_on_the_question_alone() -> None:
    items = [item(n) for n in range(30)] + [item(99, options=[])]
    whole = {i.question_id: r for i, r in chance().answer(items)}
    pieces = {i.question_id: r for n in reversed(items) for i, r in chance().answer([n])}
    assert whole == pieces
    other = {i.question_id: r for i, r in chance(snapshot={"seed": 1}).answer(items)}
    assert other != whole
    assert all(r.latency_s is None and r.cost_usd == 0 for r in whole.values())


def test_chance_chooses_only_options_that_are_there() -> None:
    for n in range(50):
        two = item(n, options=["male", "female"])
        (_, reply), *_ = chance().answer([two])
        assert extract_choice(reply.text, two.options).index in (0, 1)


@pytest.mark.parametrize("subtask", SUBTASKS)
def test_chance_captions_any_scene(subtask: str) -> None:
    base = vars(item(0, options=[])) | {"subtask": subtask}
    texts = set()
    for n in range(20):
        (_, reply), *_ = chance().answer([Item(**(base | {"question_id": str(n)}))])
        assert reply.text.startswith("The image shows ") and len(reply.text) < 300
        texts.add(reply.text)
    assert len(texts) > 10


def test_cache_keeps_answers_and_refusals_not_failures(tmp_path: Path) -> None:
    replies = {
        "a": Reply("\x00 text \U0001f98a", "answered", "stop", None, 1.5, 10, 2, 0.25, 3),
        "r": Reply("no", "refused"),
        "e": Reply("", "error", error="x"),
        "t": Reply("", "timeout", error="x"),
    }
    path = tmp_path / "new" / "answers.sqlite"
    with AnswerCache(path) as cache:
        for key, reply in replies.items():
            cache.put(key, reply)
    with AnswerCache(path) as cache:
        assert cache.get(["a", "r", "e", "t", "?"]) == {k: replies[k] for k in "ar"}


def _put_many(path: Path, name: str) -> None:
    with AnswerCache(path) as cache:
        for n in range(100):
            cache.put(f"{name}{n}", Reply(name, "answered"))


def test_cache_takes_several_processes(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_put_many, args=(path, n)) for n in ("x", "y", "z")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(300)
        assert worker.exitcode == 0
    with AnswerCache(path) as cache:
        assert len(cache.get([f"{name}{n}" for name in "xyz" for n in range(100)])) == 300


def test_opening_waits_for_who_holds_the_file(tmp_path: Path) -> None:
    """The journal's mode cannot be changed meanwhile, and SQLite's own timeout does not wait."""
    path = tmp_path / "answers.sqlite"
    holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    holder.execute("CREATE TABLE other (x)")
    release = threading.Timer(0.3, holder.commit)
    release.start()
    with AnswerCache(path) as cache:
        cache.put("a", Reply("x", "answered"))
        assert list(cache.get(["a"])) == ["a"]
    release.join()
    other = tmp_path / "other.sqlite"
    forever = sqlite3.connect(other, isolation_level=None)
    forever.execute("BEGIN EXCLUSIVE")
    with pytest.raises(UserError, match="database is locked"), AnswerCache(other, busy_s=0.1):
        pass
    forever.close()


def test_a_damaged_cache_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_bytes(b"this is no database, however long it is" * 100)
    with pytest.raises(UserError, match="delete it"), AnswerCache(path):
        pass


def test_retry_after_forms() -> None:
    when = datetime.datetime(2030, 1, 1, tzinfo=datetime.UTC)
    header = email.utils.format_datetime(when, usegmt=True)
    assert retry_after({"retry-after": "7"}) == 7
    assert retry_after({"retry-after-ms": "250", "retry-after": "9"}) == 0.25
    assert retry_after({"retry-after": header}, when.timestamp() - 12) == 12
    assert retry_after({"retry-after": header}, when.timestamp() + 12) is None
    for nonsense in ("soon", "nan", "inf", "", "0", "-5", "-inf"):
        assert retry_after({"retry-after": nonsense}) is None
    assert retry_after({}) is None


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"retry-after": "2", "x-ratelimit-reset-requests": "9h3m"}, "", 2),
        (
            {"x-ratelimit-reset-requests": "6h12m0s", "x-ratelimit-remaining-requests": "0"},
            "",
            22320,
        ),
        ({"x-ratelimit-reset-requests": "6h", "x-ratelimit-remaining-requests": "5"}, "", None),
        ({"x-ratelimit-reset": "1000007"}, "", 1000007),
        ({"x-ratelimit-reset": "1700000060"}, "", 60),
        ({"x-ratelimit-reset": "1700000060000"}, "", 60),
        ({"anthropic-ratelimit-tokens-reset": "2023-11-14T22:14:20Z"}, "", 60),
        ({"x-ratelimit-reset-tokens": "300ms"}, "", 0.3),
        ({}, "Please try again in 7h12m.", 25920),
        ({}, "Please try again in 1.708s. Visit us.", 1.708),
        ({}, '{"retryDelay": "27154s"}', 27154),
        ({}, '{"X-RateLimit-Reset": "1700000060000"}', 60),
        ({}, "Try again in 2 hours and 5 minutes", 7500),
        ({}, "slow down", None),
    ],
)
def test_waits_that_servers_ask_for(
    headers: dict[str, str], body: str, seconds: float | None
) -> None:
    found = asked_wait(headers, body, now=1_700_000_000.0)
    assert found == (None if seconds is None else pytest.approx(seconds))


@given(st.text(), st.integers(1, 60))
def test_backoff_grows_and_is_bounded(request: str, attempt: int) -> None:
    pause = backoff(request, attempt)
    assert 0.25 <= pause <= LONGEST_PAUSE_S
    assert pause == backoff(request, attempt)
    assert backoff(request, attempt + 2) >= pause or pause > LONGEST_PAUSE_S / 2


_KEYS = ["choices", "message", "content", "usage", "refusal", "finish_reason", "text"]
_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner),
    max_leaves=20,
)


@given(_JSON | _JSON.map(lambda x: {"choices": [{"message": {"content": x}}], "usage": x}))
def test_any_json_is_a_reply_or_tells_what_is_broken(payload: object) -> None:
    try:
        reply = read_reply(payload, (1.0, 1.0))
    except Broken as error:
        assert error.said.message
    else:
        reply.text.encode("utf-8")
        assert reply.status in ("answered", "refused", "truncated")


def test_log_lines_stay_lines() -> None:
    assert one_line("a\nb\x1b[2J\u2028c\ud800") == "a b [2J c\ufffd"
    assert len(one_line("x" * 10_000)) == 300


def test_media_types() -> None:
    assert media_type(b"\x89PNG\r\n\x1a\n...") == "image/png"
    assert media_type(b"\xff\xd8\xff...") == "image/jpeg"
    assert media_type(b"RIFF1234WEBPVP8") == "image/webp"
    with pytest.raises(ValueError, match="neither"):
        media_type(b"GIF89a")


def test_moderation_is_a_refusal_whatever_its_status() -> None:
    section = params([{"name": "m", "engine": "openai_chat", "endpoint": {"model": "x"}}])
    endpoint = section.answer.models[0].find(Endpoint)
    assert endpoint is not None
    azure = "The response was filtered due to the prompt triggering content management policy"
    assert judge(400, Said(codes=("contentfilter",)), endpoint).status == "refused"
    assert judge(400, Said(azure), endpoint).status == "refused"
    assert judge(403, Said("flagged by our safety system"), endpoint).status == "refused"
    assert judge(403, Said("no access"), endpoint).action == "stop"


def test_unknown_engine_lists_the_known_ones() -> None:
    with pytest.raises(UserError, match=r"use one of: chance, .*openai_chat"):
        MODELS.get("gpt", "params.yaml: answer.models: x: engine")


def test_items_do_not_hold_the_answer() -> None:
    assert not {"answer", "answer_index", "claim"} & set(vars(item(0)))


def test_a_logged_item_shows_no_picture() -> None:
    big = item(0, image=b"\x89PNG\r\n\x1a\n" + b"x" * 100_000)
    assert len(repr(big)) < 1000
