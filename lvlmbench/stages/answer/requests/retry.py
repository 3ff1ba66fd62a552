"""When to ask again after a failure, and after how long."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping

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
