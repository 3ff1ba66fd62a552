"""What servers say of failures, and what that means for a request and for the run.

Servers wrap errors in many ways: an object, a list, text; with HTTP's status or inside HTTP 200.
Here all are read alike. What their names and words mean stands in ``data/replies/errors.yaml``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from lvlmbench.core.untrusted import one_line
from lvlmbench.stages.replies.data import error_codes, plain
from lvlmbench.stages.requests.server import Server

#: Keys of an error's message, of its codes, and of what may hold either.
_MESSAGES = (
    *("message", "msg", "detail", "status_msg", "error_msg", "error_message", "errormessage"),
    *("error_description", "description", "error", "title", "raw"),
)
_CODES = (
    *("code", "type", "status", "status_code", "statuscode", "error_code", "err_code", "reason"),
    *("errorcode", "err_type", "error_type", "kind", "@type"),
)
_PARAMS = ("param", "parameter", "loc")
_HOLDERS = (
    *("error", "errors", "detail", "details", "metadata", "raw", "base_resp", "body", "response"),
    *("innererror", "inner_error", "cause", "errs", "message", "finish_reason", "extra"),
)
#: Characters of a page that are looked at.
_LONGEST = 8000
#: Levels of nesting that are looked into.
_DEEPEST = 8
_HTML_TITLE = re.compile(r"<title[^<>]*>([^<]*)", re.I)
_HTML_TAG = re.compile(r"<[^<>]{0,500}>")

_RETRIED = {408, 409, 425, 429}
#: There is no such path or model, or the server does nothing of the kind: no retry mends that.
_NOT_THERE = {404, 405, 501}
#: Too many requests; service unavailable; overloaded (not registered, but used).
_PUSHED_BACK = {429, 503, 529}
#: A limit by the minute passes by itself, even if the message names one by the day, too.
_MINUTE = re.compile(r"per[ -](?:minute|second)|/ ?(?:min|sec)", re.I)
#: Statuses that say by themselves what they mean; of others the message's words decide.
_PLAIN = {401, 404, 405, 408, 409, 413, 425, 501}
#: Kinds of error that stand for a status.
_STATUS_OF = {"key": 401, "denied": 403, "missing": 404, "busy": 429, "passing": 500, "spent": 402}
#: A kind by its name decides more than these statuses do.
_VAGUE = {None, 400, 422, 424, 498, 499, 500}

#: A complaint about a parameter that a server does not know, not about its value.
_NOT_KNOWN = re.compile(
    r"unsupported|not supported|unrecogni[sz]ed|unexpected|unknown|extra (?:inputs?|fields?)|extra_"
    r"|not permitted|not allowed|no longer|deprecated|removed|not a valid (?:field|parameter)"
    r"|invalid (?:field|argument|parameter)|\buse\b",
    re.I,
)
_VALUE = re.compile(
    r"too (?:large|big|small|high|low)|at (?:most|least)|exceed|less than|between", re.I
)


#: Parameters that all requests have alike.
_SAMPLING = re.compile(r"\b(?:temperature|seed|logprobs|top_logprobs|stream)\b")


class Said(NamedTuple):
    """What a server says of a failure.

    Attributes
    ----------
    message
        Its own words; empty where it says nothing.
    codes
        Names that it gives the failure, as :func:`~lvlmbench.stages.replies.data.plain` does.
    status
        HTTP status that the body names.
    params
        Parameters of the request that it names.
    quoted
        What came beside it, such as half an answer: shown, and never taken for words of the server.
    """

    message: str = ""
    codes: tuple[str, ...] = ()
    status: int | None = None
    params: tuple[str, ...] = ()
    quoted: str = ""


#: What comes of a request that failed.
Status: TypeAlias = Literal["refused", "error", "timeout"]


@dataclass(frozen=True)
class Failure:
    """What a failed request means for what is asked and for the run.

    ``action``: ``retry`` (it may pass), ``row`` (this request alone has failed), ``stop`` (nothing
    can be asked of this server as it is). ``rejected``: the server says that the
    request is wrong; ``pushed_back``: that it has too much to do; ``quota``: that the quota of a
    day or longer is used up.
    """

    action: Literal["retry", "row", "stop"]
    status: Status
    what: str
    fix: str = ""
    rejected: bool = False
    pushed_back: bool = False
    quota: bool = False


class Usage(NamedTuple):
    """Tokens that a server says a reply took, and what they cost in US dollars."""

    prompt: int | None = None
    completion: int | None = None
    cost: float | None = None


class Broken(Exception):
    """A reply with HTTP status 2xx that is not what was asked for.

    Attributes
    ----------
    said
        What the server says went wrong.
    usage
        What it took all the same.
    body
        The body of an error, which may say how long to wait.
    """

    def __init__(
        self,
        said: Said,
        usage: Usage = Usage(),  # noqa: B008 - it is immutable
        body: object = None,
    ) -> None:
        super().__init__(said.message)
        self.said, self.usage, self.body = said, usage, body


def parsed(raw: bytes, pieces: Callable[[str], object] = lambda text: None) -> object:
    """Return a body as parsed JSON.

    Parameters
    ----------
    pieces
        Reads what is no JSON, e.g. a stream; gives None where it cannot.

    Raises
    ------
    Broken
        It cannot be read, or is nested too deeply.
    """
    try:
        try:
            return json.loads(raw)
        except ValueError:
            payload = pieces(raw.decode("utf-8", "replace"))
    except RecursionError:
        raise Broken(Said("the reply is nested too deeply")) from None
    if payload is not None:
        return payload
    # It is not shortened here: the key may stand in it, which must be found whole.
    said = said_of(raw[:_LONGEST]).message if b"<" in raw[:200] else ""
    raise Broken(Said(f"the reply is not JSON ({said})" if said else "the reply is not JSON"))


def said_of(body: object) -> Said:
    """Read a server's own words and names for a failure from the body of its reply.

    Parameters
    ----------
    body
        Parsed JSON; text, of which a page's title or its first words are taken; or bytes.
    """
    if isinstance(body, bytes):
        text = body.decode("utf-8", "replace")
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            body = text
    if isinstance(body, str):
        return Said(_of_text(body[:_LONGEST]))
    messages: list[str] = []
    codes: list[str] = []
    status: int | None = None
    params: list[str] = []
    for key, value in _walk(body, 0):
        if key in _PARAMS:
            last = value[-1] if isinstance(value, list) and value else value
            params += [last] if isinstance(last, str) else []
        elif key in _MESSAGES and isinstance(value, str) and value.strip():
            messages += [] if any(value in known for known in messages) else [value.strip()]
        elif key in _CODES and (found := _status(value)) is not None:
            status = found if status is None else status
        elif key in _CODES and isinstance(value, str) and value:
            codes.append(plain(value))
    return Said(": ".join(messages), tuple(codes), status, tuple(params))


def _of_text(text: str) -> str:
    title = _HTML_TITLE.search(text)
    if title:
        return title[1].strip()
    return _HTML_TAG.sub(" ", text) if "<" in text[:200] else text


def _status(value: object) -> int | None:
    """An HTTP status of a failure, given as a number or in digits."""
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        value = int(value) if len(value) == 3 else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 400 <= value < 600 else None


def _walk(node: object, depth: int) -> Iterator[tuple[str, Any]]:
    """Keys and values of an error, outer ones first; JSON in texts is looked into, too."""
    if depth > _DEEPEST:
        return
    if isinstance(node, list):
        for each in node[:20]:
            yield from _walk({"message": each} if isinstance(each, str) else each, depth + 1)
        return
    if not isinstance(node, dict):
        return
    inner: list[object] = []
    for name, value in node.items():
        key = str(name).lower()
        if isinstance(value, str) and value.lstrip()[:1] in ("{", "[") and key in _HOLDERS:
            try:
                inner.append(json.loads(value))
                continue
            except (ValueError, RecursionError):
                pass
        yield key, value
        if key == "errors" and isinstance(value, dict):
            inner += [each for each in value.values() if isinstance(each, list)]  # by field
        if isinstance(value, dict | list) and key in _HOLDERS:
            inner.append(value)
    for each in inner:
        yield from _walk(each, depth + 1)


def names_parameter(said: Said, name: str, instead: str) -> bool:
    """Return whether a server does not know a parameter by its ``name`` and may know ``instead``.

    A complaint about its value (too large) is none.
    """
    if _VALUE.search(said.message) and instead not in said.message:
        return False
    named = name in said.params or re.search(rf"\b{name}\b", said.message) is not None
    if not named and instead not in said.message:
        return False
    unknown = {"unsupportedparameter", "extraforbidden", "unknownparameter"} & {*said.codes}
    return bool(unknown) or name in said.params or _NOT_KNOWN.search(said.message) is not None


@cache
def _kinds() -> Mapping[str, tuple[frozenset[str], re.Pattern[str] | None]]:
    found = {}
    for kind, lists in error_codes().items():
        words = "|".join(f"(?:{each})" for each in lists.get("words", ()))
        codes = frozenset(map(plain, lists.get("codes", ())))
        found[kind] = codes, re.compile(words, re.I) if words else None
    return found


def _worded(code: int | None) -> Collection[str]:
    """The kinds that words tell, by what the status leaves open."""
    if code in _PLAIN:
        return ()
    if code == 429 or (code is not None and code > 500):
        return ("spent", "quota") if code == 429 else ("spent",)
    if code == 500:
        return ("spent", "key", "busy", "passing")
    return ("refused", "spent", "key", "missing", "busy", "passing", "quota")


def kind_of(said: Said, code: int | None) -> str | None:
    """Return the kind of an error by its names, else by its words where the status says little.

    Words of a refusal count first: servers give refusals names of other kinds.
    """
    kinds = _kinds()
    by_name = [kind for kind, (codes, _) in kinds.items() if codes & {*said.codes}]
    told = [kind for kind, (_, words) in kinds.items() if words and words.search(said.message)]
    by_word = [kind for kind in told if kind in _worded(code)]
    if _MINUTE.search(said.message):
        by_word = [kind for kind in by_word if kind != "quota"]
    clear = [kind for kind in by_name if kind not in ("request", "passing", "busy", "denied")]
    ordered = [*clear, *by_word, *by_name]
    return "refused" if "refused" in ordered else ordered[0] if ordered else None


def judge(code: int | None, said: Said, server: Server) -> Failure:
    """Return what a failure means.

    Parameters
    ----------
    code
        HTTP status that is not 2xx; None: the error stood inside HTTP 200, and counts by the status
        that it names, by its names and by its words. Where none of these says anything, it may
        pass.
    """
    shown = f"{said.message}: {said.quoted}" if said.quoted else said.message
    message = one_line(shown)
    inside = code is None
    code = said.status if code is None else code
    what = f"HTTP {code}" if code is not None else "an error inside HTTP 200"
    if inside and code is not None:
        what = f"an error inside HTTP 200: {code}"
    what += f": {message}" if message else ""
    kind = kind_of(said, code)
    if kind == "refused" or code == 451:
        return Failure("row", "refused", what)
    if kind == "quota":
        return Failure("retry", "error", what, pushed_back=True, quota=True)
    if code in _VAGUE and kind in _STATUS_OF:
        code = _STATUS_OF[kind]
    elif kind == "spent" and code in (402, 403, 429):
        code = 402
    elif code is None:
        code = 400 if kind == "request" else 500
    return _by_status(code, what, server, plainly=kind in (None, "request"))


def _by_status(code: int, what: str, server: Server, plainly: bool) -> Failure:
    if code == 401:
        if server.api_key_env is None:
            place = f"{server.place}.api_key_env"
            fix = f"the server wants a key: name its environment variable in {place}"
        else:
            fix = f"put a valid key into the environment variable {server.api_key_env}"
        return Failure("stop", "error", what, fix)
    if code == 402:
        return Failure("stop", "error", what, "add credit, or use another key; then run again")
    if code == 403:
        fix = f"use a key that may use model '{server.model}', or another model"
        return Failure("stop", "error", what, fix)
    if code in _NOT_THERE:
        fix = (
            f"check {server.place}.base_url (it usually ends in /v1) and that '{server.model}' "
            "is a model of this server"
        )
        return Failure("stop", "error", what, fix)
    if code in _RETRIED or code >= 500:
        return Failure("retry", "error", what, pushed_back=code in _PUSHED_BACK)
    names = code == 422 and _SAMPLING.search(what) is not None
    return Failure("row", "error", what, rejected=(code == 400 and plainly) or names)
