"""What is sent to a chat-completions server, and what is read from its replies."""

from __future__ import annotations

import base64
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench.stages.answer.chat.logprobs import option_logprobs
from lvlmbench.stages.answer.chat.protocol import request_body
from lvlmbench.stages.answer.chat.replies import read_reply
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.answer.kinds.openai_chat.asking import OpenAIChat
from lvlmbench.stages.requests.errors import Said, judge
from support.answer_tables import item, openai_params


def engine(**changes: Any) -> OpenAIChat:
    config = openai_params("http://h/v1", "m", **changes)
    model = MODELS.get("openai_chat", "test")(config, config.answer.models[0], {})
    assert isinstance(model, OpenAIChat)
    return model


@given(st.text(), st.sampled_from(["auto", "low"]), st.booleans())
def test_a_request_is_the_json_that_the_protocol_asks_for(
    prompt: str, detail: str, has_image: bool
) -> None:
    asked = item(3)
    asked = type(asked)(**{**vars(asked), "prompt": prompt})
    if not has_image:
        asked = type(asked)(**{**vars(asked), "image": None})
    fields = {"model": 'a "b" }', "max_tokens": 5}
    body = json.loads(request_body(fields, asked, detail))
    content: list[dict[str, Any]] = [{"type": "text", "text": prompt}]
    if asked.image is not None:
        url = "data:image/png;base64," + base64.b64encode(asked.image).decode()
        picture = {"url": url} if detail == "auto" else {"url": url, "detail": detail}
        content.insert(0, {"type": "image_url", "image_url": picture})
    assert body == {**fields, "messages": [{"role": "user", "content": content}]}


def test_an_unknown_kind_of_image_is_not_sent() -> None:
    with pytest.raises(ValueError, match="neither PNG"):
        request_body({"model": "m"}, item(0, image=b"GIF89a"), "auto")


def entry(token: str, value: float, *rivals: tuple[str, float]) -> dict[str, Any]:
    """A generated token as the protocol gives it."""
    top = [{"token": t, "logprob": v} for t, v in ((token, value), *rivals)]
    return {"token": token, "logprob": value, "top_logprobs": top}


# Tokens as servers give them: the first is the letter's, with its rivals.
RIVALS = (("A", -2.0), (" B", -1.5), ("(B", -3.0), ("C", -4.0), ("The", -0.5), ("b", -0.1))
STATED: dict[str, list[dict[str, Any]]] = {
    "alone": [entry("B", -1.0, *RIVALS)],
    "in brackets": [entry("(", -0.1), entry("B", -1.0, *RIVALS), entry(")", -0.1)],
    "joined to a bracket": [entry("B", -1.0, *RIVALS), entry(").", -0.1)],
    "bold": [entry("**", -0.1), entry("B", -1.0, *RIVALS), entry("**", -0.1)],
    "after words": [
        *(entry(t, -0.1) for t in ("The", " answer", " is", " (")),
        entry("B", -1.0, *RIVALS),
    ],
    "after an article": [
        *(entry(t, -0.1) for t in ("A", " fox", " is", " seen", ":")),
        entry("B", -1.0, *RIVALS),
    ],
    "after a word cut in two": [entry("B", -0.1), entry("arn", -0.1), entry("B", -1.0, *RIVALS)],
    "after empty tokens": [entry("", -0.1), entry("\n", -0.1), entry("B", -1.0, *RIVALS)],
}


@pytest.mark.parametrize("kind", STATED)
def test_letters_are_read_where_the_letter_is_stated(kind: str) -> None:
    found = option_logprobs(STATED[kind], 4)
    assert found is not None
    both = math.log(math.exp(-1.0) + math.exp(-1.5) + math.exp(-3.0))
    assert found == (-2.0, pytest.approx(both), -4.0, None)


def test_letters_beyond_the_options_are_none() -> None:
    assert option_logprobs([entry("C", -0.1, ("A", -2.0))], 2) == (None, None)
    assert option_logprobs([entry("D", -0.1), entry("A", -0.2)], 2) == (-0.2, None)


def test_a_reply_without_a_letter_has_no_letters() -> None:
    assert option_logprobs([entry("fox", -0.1, ("A", -2.0))], 2) == (None, None)


@pytest.mark.parametrize("content", [None, [], {}, "B", [None, 5]])
def test_a_server_without_log_probabilities_gives_none(content: object) -> None:
    assert option_logprobs(content, 4) is None


def test_marks_of_tokenizers_are_spaces() -> None:
    for token in ("\u2581B", "\u0120B", " B", "B.", "B)", "[B"):
        assert option_logprobs([entry(token, -0.25)], 3) == (None, -0.25, None)


def test_values_that_are_no_log_probabilities_are_left_out() -> None:
    for value in (math.nan, -math.inf, True, "x", None, 0.7):
        bad = {"token": "A", "logprob": value, "top_logprobs": [{"token": "B", "logprob": -1}]}
        assert option_logprobs([bad], 2) == (None, -1.0)


def test_probabilities_never_add_up_to_more_than_one() -> None:
    assert option_logprobs([entry("A", 0.0, (" A", -0.01))], 1) == (0.0,)


_KEYS = ["token", "logprob", "top_logprobs", "x"]
_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=3) | st.sampled_from("ABC"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner),
    max_leaves=20,
)


@given(_JSON | st.lists(_JSON), st.integers(0, 6))
def test_any_json_is_read(content: object, n: int) -> None:
    found = option_logprobs(content, n)
    assert found is None or (len(found) == n and all(v is None or v <= 0 for v in found))


def test_a_reply_tells_its_model_and_its_letters() -> None:
    choice: dict[str, Any] = {"message": {"content": "B"}, "finish_reason": "stop"}
    choice["logprobs"] = {"content": [entry("B", -0.5, ("A", -1.0))]}
    payload = {"model": "m-2026\n\x1b", "choices": [choice]}
    reply = read_reply(payload, None, 2)
    assert (reply.served_model, reply.logprobs) == ("m-2026", (-1.0, -0.5))
    assert read_reply(payload, None).logprobs is None
    assert read_reply({**payload, "model": 5}, None).served_model is None


def test_only_questions_with_options_ask_for_log_probabilities() -> None:
    plain, with_letters = engine(), engine(logprobs=True)
    choice, caption = item(1), item(1, options=[])
    assert plain.request_sha256(choice) != with_letters.request_sha256(choice)
    assert plain.request_sha256(caption) == with_letters.request_sha256(caption)
    assert "logprobs" not in plain.parameters
    assert with_letters.parameters["top_logprobs"] == 20


def test_what_was_answered_before_stays_known() -> None:
    """Keys that do not change the reply do not change the request's hash."""
    known = "f533f8781d225cdb15126ea2e7acca1336deff475a57ae9b18f0a1394aaaef06"
    asked = item(1, image=b"\x89PNG\r\n\x1a\nfixed")
    assert engine().request_sha256(asked) == known
    changed = {
        "concurrency": 200,
        "requests_per_minute": 5,
        "tokens_per_minute": 500,
        "timeout_s": 1,
        "retries": 0,
        "price_per_million": (1.0, 1.0),
        "budget_usd": 3.0,
    }
    assert engine(**changed).request_sha256(asked) == known


def test_only_a_plain_400_is_a_rejection() -> None:
    endpoint = Endpoint(model="m")  # type: ignore[call-arg]
    assert judge(400, Said("no such field"), endpoint).rejected
    assert not judge(400, Said(codes=("contentfilter",)), endpoint).rejected
    for code in (402, 413, 422):
        assert not judge(code, Said(), endpoint).rejected


@pytest.mark.parametrize(("code", "pushed"), [(429, True), (503, True), (529, True), (500, False)])
def test_what_pushes_back_is_retried(code: int, pushed: bool) -> None:
    failure = judge(code, Said(), Endpoint(model="m"))  # type: ignore[call-arg]
    assert (failure.action, failure.pushed_back) == ("retry", pushed)
