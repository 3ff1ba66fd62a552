"""The engine openai_chat against a server in another process."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.answering import answer_items
from lvlmbench.stages.answer.engine import MODELS, Reply
from lvlmbench.stages.answer.requests.cache import AnswerCache, answered_mark
from lvlmbench.stages.requests.client import _cannot_connect
from support.answer_tables import KEY, item, openai_params, running_server, stats
from support.server.openai_server import LONG, MIXED


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with running_server("--key", KEY) as url:
        yield url


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TEST_KEY", KEY)
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))


def ask(url: str, model: str, numbers: range = range(1), **changes: object) -> dict[int, Reply]:
    """Replies by question number."""
    params = openai_params(url, model, **changes)
    engine = MODELS.get("openai_chat", "test")(params, params.answer.models[0], {})
    items = {item(n).question_id: n for n in numbers}
    found = {items[i.question_id]: r for i, r in engine.answer(map(item, numbers))}
    assert set(found) == set(numbers)
    return found


def test_who_has_answered_is_marked_whatever_the_server_calls_itself(
    server: str,
) -> None:
    assert ask(server, "status-500", retries=0)[0].status == "error"
    assert not answered_mark(server, "status-500").exists()
    assert ask(server, "letter-C")[0].served_model == "test"
    assert answered_mark(f"{server}/", "letter-C").exists()


def test_answer_with_tokens_and_cost(server: str) -> None:
    reply = ask(server, "letter-C", price_per_million=(2.0, 8.0))[0]
    assert (reply.text, reply.status, reply.finish_reason) == ("(C)", "answered", "stop")
    assert (reply.prompt_tokens, reply.completion_tokens, reply.attempts) == (100, 10, 1)
    assert reply.cost_usd == pytest.approx(0.00028)
    assert reply.latency_s is not None and reply.latency_s < 10
    assert (reply.served_model, reply.logprobs) == ("test", None)


def test_log_probabilities_of_the_letters(server: str) -> None:
    assert ask(server, "logprobs", logprobs=True)[0].logprobs == (-1.5, -0.25, None, None)
    assert ask(server, "logprobs")[0].logprobs is None
    assert ask(server, "letter-C", logprobs=True)[0].logprobs is None  # a server without them


# What a question gets for each way in which a server can behave: text, status, attempts.
EXPECTED = {
    "plain": ("(B)", "answered", 1),
    "verbose": ("Let me look. It is neither (A) nor (C). The answer is **(B)**.", "answered", 1),
    "wrong": ("(A)", "answered", 1),
    "empty": ("", "answered", 1),
    "refusal": ("I won't answer that.", "refused", 1),
    "content_filter": ("", "refused", 1),
    "policy_400": ("", "refused", 1),
    "bad_400": ("", "error", 1),
    "first_429": ("(B)", "answered", 2),
    "first_429_date": ("(B)", "answered", 2),
    "first_500": ("(B)", "answered", 2),
    "first_drop": ("(B)", "answered", 2),
    "malformed": ("", "error", 3),
    "no_choices": ("", "error", 3),
    "hostile": ("<script>alert('x')</script><img src=x onerror=alert(1)> (B)", "answered", 1),
    "control": ("\x00\x1b[31m(B)\x07\u202e\u2028", "answered", 1),
    "surrogate": ("\ufffd (B) \U0001f98a", "answered", 1),
    "long": (f"{LONG}\n(B)", "answered", 1),
    "parts": ("It is (B)", "answered", 1),
}


@pytest.mark.parametrize("kind", MIXED)
def test_every_behavior_becomes_a_row(server: str, kind: str) -> None:
    number = 1000 + MIXED.index(kind)
    reply = ask(server, f"mix-{kind}", range(number, number + 1))[number]
    assert (reply.text, reply.status, reply.attempts) == EXPECTED[kind]
    assert (reply.error is None) == (
        kind not in ("bad_400", "malformed", "no_choices", "policy_400")
    )


@pytest.mark.parametrize("depth", [700, 100_000])
def test_a_deeply_nested_reply_is_a_row(server: str, depth: int) -> None:
    reply = ask(server, f"mix-nested-{depth}", range(1100, 1101))[1100]
    assert (reply.status, reply.attempts) == ("error", 3)
    assert reply.error == "the reply is nested too deeply"


def test_retry_after_is_honored(server: str) -> None:
    began = time.monotonic()
    ask(server, "mix-first_429", range(2000, 2003))
    assert 1.0 <= time.monotonic() - began < 8


@pytest.mark.parametrize("code", [408, 409, 429, 500, 503])
def test_passing_failures_are_retried_and_then_a_row(server: str, code: int) -> None:
    number = 3000 + code
    reply = ask(server, f"status-{code}", range(number, number + 1), retries=1)[number]
    assert (reply.status, reply.attempts) == ("error", 2)
    assert reply.error == f"HTTP {code}: this is how it is"


def test_a_request_that_is_always_turned_away_ends(server: str) -> None:
    """While others are answered that may be a queue, so it is asked longer, but not forever."""
    replies = ask(server, "always-429-3507", range(3500, 3530), retries=1)
    assert {n for n, r in replies.items() if r.status == "error"} == {3507}
    assert 2 < replies[3507].attempts <= 7 and replies[3507].error == "HTTP 429: slow down"


@pytest.mark.parametrize("code", [400, 413, 422])
def test_other_failures_are_not_retried(server: str, code: int) -> None:
    number = 4000 + code
    reply = ask(server, f"status-{code}", range(number, number + 1))[number]
    assert (reply.status, reply.attempts, reply.rejected) == ("error", 1, code == 400)


def test_a_refusal_with_400_is_no_rejection(server: str) -> None:
    reply = ask(server, "mix-policy_400", range(4100, 4101))[4100]
    assert (reply.status, reply.rejected) == ("refused", False)


@pytest.mark.parametrize(
    ("model", "part"),
    [
        ("status-401", "TEST_KEY"),
        ("status-403", "use a key that may use model"),
        ("status-404", "base_url"),
        ("nonesuch", "does not exist"),
        ("spent", "credit"),
    ],
)
def test_an_endpoint_that_will_not_serve_stops_the_model(
    server: str, model: str, part: str
) -> None:
    with pytest.raises(UserError) as caught:
        ask(server, model, range(5000, 5040), concurrency=2)
    assert part in str(caught.value) and server in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_stopped_model_does_not_ask_on(server: str) -> None:
    before = sum(stats(server)["asked"].values())
    with pytest.raises(UserError):
        ask(server, "status-403", range(6000, 6100), concurrency=2)
    assert sum(stats(server)["asked"].values()) - before <= 4


def test_a_wrong_key_is_never_shown(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-secret-that-must-not-leak-42"
    monkeypatch.setenv("TEST_KEY", secret)
    with pytest.raises(UserError) as caught:  # the server repeats the key in its message
        ask(server, "letter-A")
    assert "401" in str(caught.value) and "[key]" in str(caught.value)
    chain: BaseException | None = caught.value
    while chain is not None:
        assert secret not in str(chain) or chain.__suppress_context__
        chain = chain.__cause__


def test_a_short_key_is_taken_out_of_errors(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "token-abc")
    with pytest.raises(UserError) as caught:
        ask(server, "letter-A")
    assert "[key]" in str(caught.value) and "token-abc" not in str(caught.value)
    monkeypatch.setenv("TEST_KEY", "Incorrect")  # a word: no secret, and words stay
    with pytest.raises(UserError, match="Incorrect"):
        ask(server, "letter-A")


def test_missing_key_names_the_variable_and_asks_nothing(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TEST_KEY")
    before = sum(stats(server)["asked"].values())
    with pytest.raises(UserError, match="environment variable TEST_KEY: is not set"):
        ask(server, "letter-A")
    assert sum(stats(server)["asked"].values()) == before


def test_a_key_with_a_line_break_is_refused_unseen(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_KEY", "sk-one\nsk-two")
    with pytest.raises(UserError) as caught:
        ask(server, "letter-A")
    assert "sk-" not in str(caught.value)


def test_a_server_without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_KEY")
    with running_server() as url:
        assert ask(url, "letter-D", api_key_env=None)[0].text == "(D)"


def test_nothing_listening_is_one_line() -> None:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{s.getsockname()[1]}/v1"
    began = time.monotonic()
    with pytest.raises(UserError, match="cannot connect"):
        ask(url, "letter-A", range(50))
    assert time.monotonic() - began < 10


def test_why_there_is_no_connection_is_told_in_plain_words() -> None:
    import aiohttp

    key: Any = SimpleNamespace(host="localhost", port=1, ssl=True, is_ssl=True)
    refused, wrong = ConnectionRefusedError(111, "Connect call failed"), ssl.SSLError(1, "not TLS")
    unknown = ssl.SSLCertVerificationError(1, "self-signed certificate")
    plain = ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number")
    plain.reason = "WRONG_VERSION_NUMBER"
    for cause, words in (
        (aiohttp.ClientConnectorError(key, refused), "(connection refused)"),
        (aiohttp.ClientConnectorError(key, OSError(113, "Connect call failed")), "(no route to"),
        (aiohttp.ClientConnectorSSLError(key, wrong), "not TLS"),
        (aiohttp.ClientConnectorSSLError(key, plain), "(it speaks no TLS: http:// may be meant"),
        (aiohttp.ClientConnectorCertificateError(key, unknown), "self-signed certificate"),
        (aiohttp.ClientConnectorDNSError(key, OSError(8, "name not known")), "name not known"),
    ):
        error = RuntimeError()
        error.__cause__ = cause
        assert words in (_cannot_connect(error) or "")


def test_connections_that_always_break_are_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        import threading

        def hang_up() -> None:
            while True:
                try:
                    listener.accept()[0].close()
                except OSError:
                    return

        threading.Thread(target=hang_up, daemon=True).start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        with pytest.raises(UserError, match="every request failed"):
            ask(url, "letter-A", range(3), retries=1)


def test_timeouts_are_rows(server: str) -> None:
    """Not asked again in this run: the server may be working for it, and be paid twice."""
    reply = ask(server, "stuck", timeout_s=0.3, retries=1)[0]
    assert (reply.status, reply.attempts) == ("timeout", 1)
    assert reply.error == "no reply within 0.3 s"


@pytest.mark.parametrize(
    ("model", "said", "changes"),
    [
        ("status-500", "HTTP 500", {"retries": 0}),
        ("status-413", "HTTP 413", {}),
        ("mix-malformed", "not JSON", {"retries": 0}),
        ("stuck", "no reply within 0.2 s", {"retries": 0, "timeout_s": 0.2}),
    ],
)
def test_a_server_that_fails_every_question_is_one_line(
    server: str, model: str, said: str, changes: dict[str, object]
) -> None:
    params = openai_params(server, model, concurrency=5, **changes)
    engine = MODELS.get("openai_chat", "test")(params, params.answer.models[0], {})
    items = [item(n) for n in range(9000, 9100)]
    asked = sum(stats(server)["asked"].values())
    with pytest.raises(UserError, match=rf"2\d questions in a row failed, the last with: .*{said}"):
        answer_items(engine, items, None, "m/clean")
    # Not all hundred: those that failed, and as many as were under way.
    assert sum(stats(server)["asked"].values()) - asked < 50


def test_questions_that_always_fail_do_not_stop_what_was_answered(
    server: str, tmp_path: Path
) -> None:
    """Asked again, they come alone: that they fail in a row says nothing about the server."""
    params = openai_params(server, "status-500", retries=0)
    engine = MODELS.get("openai_chat", "test")(params, params.answer.models[0], {})
    items = [item(n) for n in range(9100, 9150)]
    with AnswerCache(tmp_path / "a.sqlite") as cache:
        for known in items[24:]:
            cache.put(engine.request_sha256(known), Reply("(A)", "answered"))
        replies = answer_items(engine, items, cache, "m/clean")
    assert [r.status for r in replies] == ["error"] * 24 + ["answered"] * 26


def test_failures_among_answers_are_rows(server: str) -> None:
    replies = ask(server, "mixed", range(9200, 9300), retries=2)
    statuses = [r.status for r in replies.values()]
    assert statuses.count("error") >= 10 and statuses.count("answered") >= 40


def test_requests_overlap(server: str) -> None:
    began = time.monotonic()
    replies = ask(server, "slow", range(7000, 7040), concurrency=20)
    took = time.monotonic() - began
    assert took < sum(reply.latency_s or 0 for reply in replies.values()) / 2


def test_a_model_that_wants_the_newer_limit(server: str) -> None:
    replies = ask(server, "new-limit", range(8000, 8012))
    assert {r.text for r in replies.values()} == {"limit 512 (B)"}


def test_request_hash_changes_with_all_that_matters() -> None:
    def of(number: int = 1, model: str = "x", image: bytes | None = None, **changes: object) -> str:
        params = openai_params("http://h/v1", model, **changes)
        engine = MODELS.get("openai_chat", "test")(params, params.answer.models[0], {})
        return engine.request_sha256(item(number, image=image))

    same = of()
    assert of() == same == of(concurrency=9, retries=0, timeout_s=3)
    others = [of(2), of(model="y"), of(image=b"\x89PNG\r\n\x1a\nother")]
    others += [of(sampling={"temperature": 1}), of(sampling={"max_tokens": 5})]
    others += [of(sampling={"temperature": None}), of(image_detail="low")]
    assert len({same, *others}) == len(others) + 1
