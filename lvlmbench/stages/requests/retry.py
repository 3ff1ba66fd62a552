"""When to ask again after a failure, and after how long."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from lvlmbench.core.seeding import digest

#: Seconds before the first retry; doubled for each further one, up to the longest.
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
#: A server that asks for a longer wait than this is not waited for.
LONGEST_RETRY_AFTER_S = 300.0


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds that the server asks to wait: ``retry-after-ms``, or ``Retry-After`` in seconds or
    as a date (RFC 9110, section 10.2.3). None where it does not say so in a way we understand, or
    where no time is left to wait: clocks differ, and asking again at once uses the retries up."""
    milliseconds = headers.get("retry-after-ms")
    value = headers.get("retry-after")
    try:
        if milliseconds is not None:
            seconds = float(milliseconds) / 1000
        elif value is not None:
            seconds = float(value)
        else:
            return None
    except ValueError:
        try:
            when = email.utils.parsedate_to_datetime(value or "")
        except ValueError:
            return None
        seconds = when.timestamp() - (time.time() if now is None else now)
    # NaN fails this comparison too.
    return seconds if 0 < seconds < 1e9 else None


#: A wait in a server's message, e.g. "Please try again in 7h12m3.5s", "retryDelay": "27154s".
_IN_WORDS = re.compile(
    r"(?:(?:try|retry)(?: again)? (?:in|after)|retry-?delay\W{1,6}|resets? in|available in|wait)\s*"
    r"(?:about |for )?(?P<wait>(?:\d+(?:\.\d+)?\s*(?:ms|d(?:ays?)?|h(?:(?:ou)?rs?)?"
    r"|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)\b[\s,]*(?:and )?|\d+(?:\.\d+)?(?:d|h|m(?!s)))+)",
    re.I,
)
#: A time in a server's body, e.g. "X-RateLimit-Reset": "1764374400000".
_AT = re.compile(
    r"reset\w*\W{1,6}(?:at\W+)?(?P<at>\d{10,13}|\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)",
    re.I,
)
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|d|h|m|s)", re.I)
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def asked_wait(
    headers: Mapping[str, str], body: str = "", now: float | None = None
) -> float | None:
    """Return seconds that a server asks to wait; None where it does not say.

    In this order: the headers of :func:`retry_after`; the longest reset of a limit of which nothing
    is left (``x-ratelimit-reset-requests: 6h12m0s``, as a duration, in seconds, or as a time in
    seconds or milliseconds of the epoch or by ISO 8601); a wait or a time in the ``body``.
    """
    now = time.time() if now is None else now
    if (seconds := retry_after(headers, now)) is not None:
        return seconds
    named = (v for name, v in headers.items() if "retry-after" in name.lower())
    resets = [_wait(value, now) for value in named]
    resets += [_wait(value, now) for name, value in headers.items() if _is_spent(name, headers)]
    found = [each for each in resets if each is not None]
    if not found and (said := _IN_WORDS.search(body)):
        found = [_duration(said["wait"])]
    if not found and (said := _AT.search(body)):
        found = [each for each in [_wait(said["at"], now)] if each is not None]
    longest = max(found, default=0.0)
    return longest if 0 < longest < 1e9 else None


def _is_spent(name: str, headers: Mapping[str, str]) -> bool:
    """Whether a header says when a limit is reset of which, as far as is told, nothing is left."""
    lower = name.lower()
    if "ratelimit" not in lower or "reset" not in lower:
        return False
    left = headers.get(lower.replace("reset", "remaining"))
    try:
        return left is None or float(left) <= 0
    except ValueError:
        return True


def _wait(value: str, now: float) -> float | None:
    """Seconds until a reset, however it is written."""
    value = value.strip()
    try:
        number = float(value)
    except ValueError:
        if _PART.match(value):
            return _duration(value)
        try:
            when = datetime.fromisoformat(value)
        except ValueError:
            return None
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() - now
    if number > 1e12:
        number /= 1000
    return number - now if number > 1e9 else number


def _duration(text: str) -> float:
    return sum(float(n) * _SECONDS[unit.lower()] for n, unit in _PART.findall(text))


def backoff(request: str, attempt: int) -> float:
    """Return seconds before retry ``attempt`` (from 1): exponential, spread over its upper half.

    The spread depends on the request, so that requests which failed together do not return
    together; it decides no byte of any result.
    """
    longest = min(FIRST_PAUSE_S * 2.0 ** (attempt - 1), LONGEST_PAUSE_S)
    return longest * (0.5 + 0.5 * _share(request, attempt))


def spread(asked: float, request: str, attempt: int) -> float:
    """Return the wait that a server asks for and up to a tenth (a second) more."""
    return asked + min(0.1 * asked, 1.0) * _share(request, attempt)


def _share(request: str, attempt: int) -> float:
    return int.from_bytes(digest("backoff", request, attempt, size=4), "little") / 2**32
