"""Whether a server knows a model by its name and takes its key, found out before a run.

The list of its models costs nothing. Where it does not tell, one request of a few tokens does.
"""

from __future__ import annotations

import json
import ssl
from typing import TYPE_CHECKING, Any, NamedTuple

from lvlmbench.core.errors import meant
from lvlmbench.core.untrusted import one_line
from lvlmbench.stages.answer.chat import replies
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.requests import errors

if TYPE_CHECKING:
    import openai

#: Seconds that a server gets to answer; one that takes longer is asked when the run comes to it.
PATIENCE_S = 10.0
_ADDRESS = "correct endpoint.base_url (it usually ends in /v1)"
#: What servers put around a model's name in their lists.
_BEFORE, _BEHIND = "models/", ":latest"


class Wrong(NamedTuple):
    """A key of the section ``endpoint``, what is wrong with it, and what to do."""

    key: str
    what: str
    fix: str


class Found(NamedTuple):
    """What asking has come to: what is wrong, and whether the server has said that nothing is."""

    wrong: Wrong | None
    good: bool = False


def probe(endpoint: Endpoint, key: str | None) -> Found:
    """Ask a server for its models and, where its list does not hold the name, for a few tokens.

    Whatever may be otherwise once the run asks (a server that is starting, or busy) is not wrong.
    """
    import openai

    api = openai.OpenAI(
        api_key=key or "none", base_url=endpoint.base_url, timeout=PATIENCE_S, max_retries=0
    )
    with api:
        try:
            listed = _listed(api)
        except openai.APIConnectionError as error:
            return Found(_plain_http(error, endpoint))
        if _plain(endpoint.model) in map(_plain, listed):
            return Found(None, good=True)
        return _tried(api, endpoint, listed, key)


def _plain_http(error: BaseException, endpoint: Endpoint) -> Wrong | None:
    """What is wrong where a server without TLS is asked with it."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__ or cause.__context__
    if getattr(cause, "reason", "") != "WRONG_VERSION_NUMBER":
        return None
    what = f"the server at {endpoint.base_url} speaks no TLS"
    return Wrong("base_url", what, "write http:// in place of https://, or correct the port")


def _plain(name: str) -> str:
    return name.removeprefix(_BEFORE).removesuffix(_BEHIND).lower()


def _bytes(got: Any) -> bytes:
    return bytes(got.content)


def _listed(api: openai.OpenAI) -> list[str]:
    """Names of the models that a server lists; none where it has no list."""
    import httpx2
    import openai

    try:
        told = json.loads(_bytes(api.get("/models", cast_to=httpx2.Response)))
        rows = told["data"]
        return [each["id"] for each in rows if isinstance(each["id"], str)]
    except (openai.APIStatusError, ValueError, LookupError, TypeError, RecursionError):
        return []


def _tried(api: openai.OpenAI, endpoint: Endpoint, listed: list[str], key: str | None) -> Found:
    """What a server says is wrong when it is asked for a few tokens."""
    import httpx2
    import openai

    body = {
        "model": endpoint.model,
        "messages": [{"role": "user", "content": "Say A."}],
        "max_tokens": 8,
    }
    try:
        got = api.post("/chat/completions", body=body, cast_to=httpx2.Response)
        replies.read_reply(replies.parsed(_bytes(got)), None)
    except openai.APIStatusError as error:
        said = errors.said_of(error.response.content)
        return Found(_refused(error.status_code, _without(said, key), endpoint, listed))
    except openai.OpenAIError:  # it may be slow, or going down: not for its name
        return Found(None)
    except errors.Broken as error:
        said = _without(error.said, key)
        if said.status is not None or said.codes:
            return Found(_refused(said.status or 500, said, endpoint, listed))
        why = one_line(said.message)
        what = f"what {endpoint.base_url} replies is no chat completion ({why})"
        return Found(Wrong("base_url", what, f"{_ADDRESS}, or the port"))
    return Found(None, good=True)


def _without(said: errors.Said, key: str | None) -> errors.Said:
    return said if key is None else said._replace(message=said.message.replace(key, "[key]"))


def _refused(status: int, said: errors.Said, endpoint: Endpoint, listed: list[str]) -> Wrong | None:
    failure = errors.judge(status, said, endpoint)
    unknown = errors.kind_of(said, status) == "missing"
    named = endpoint.model in said.message or unknown
    if listed and (status == 404 or (named and status in (400, 422))):
        some = ", ".join(listed[:5]) + (", ..." if len(listed) > 5 else "")
        what = f"the server at {endpoint.base_url} has no model '{endpoint.model}' ({failure.what})"
        return Wrong("model", what, meant(endpoint.model, listed, f"it has: {some}"))
    if failure.action != "stop":
        return None
    about = "api_key_env" if status in (401, 403) else "base_url"
    key = "model" if status == 404 and named else about
    what = f"the server at {endpoint.base_url} says: {failure.what}"
    return Wrong(key, what, failure.fix)
