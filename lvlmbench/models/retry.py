"""When to ask again after a failure, and after how long."""

from __future__ import annotations

import asyncio
import email.utils
import time
from collections.abc import Mapping

from lvlmbench.seeding import digest

#: Seconds before the first retry; doubled for each further one, up to the longest.
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
#: A server that asks for a longer wait than this is not waited for.
LONGEST_RETRY_AFTER_S = 300.0


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds that the server asks to wait: ``retry-after-ms``, or ``Retry-After`` in seconds or
    as a date (RFC 9110, section 10.2.3). None where it does not say so in a way we understand."""
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
    return max(seconds, 0.0) if seconds < 1e9 else None


def backoff(request: str, attempt: int) -> float:
    """Seconds before retry number ``attempt`` (from 1): exponential, spread over its upper half.

    The spread depends on the request, so that requests which failed together do not return
    together; it decides no byte of any result.
    """
    longest = min(FIRST_PAUSE_S * 2.0 ** (attempt - 1), LONGEST_PAUSE_S)
    share = int.from_bytes(digest("backoff", request, attempt, size=4), "little") / 2**32
    return longest * (0.5 + 0.5 * share)


class Gate:
    """Holds all requests of a model back while its server asks for patience."""

    def __init__(self) -> None:
        self._open_at = 0.0

    def close_for(self, seconds: float) -> None:
        """Let nothing pass for this long."""
        self._open_at = max(self._open_at, time.monotonic() + seconds)

    async def passed(self) -> None:
        """Return once the gate is open."""
        while (wait := self._open_at - time.monotonic()) > 0:
            await asyncio.sleep(wait)
