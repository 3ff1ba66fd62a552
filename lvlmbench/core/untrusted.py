"""Showing text that nobody vouches for: answers of models, prompts, labels.

Autoescape keeps markup from being markup. What it leaves are characters that hide or reorder the
text around them; these are shown by name.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup, escape

#: Characters of a text shown at once; the rest opens on request.
SHOWN = 320
#: Characters of a text kept in the report at all: one runaway answer must not fill the page.
KEPT = 4000

#: C0 and C1 controls but tab and line feed, bidirectional controls, invisible characters, line
#: separators, halves of surrogate pairs, tag characters and noncharacters. The joiners U+200C and
#: U+200D stay: emoji and several scripts need them.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e0fff]"
)
#: More combining marks in a row than any language stacks.
_STACKED = re.compile("([\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4})+")


_HIDDEN = re.compile(f"{_UNSAFE.pattern}|{_STACKED.pattern}")

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]+|[\t\n]+")


def well_formed(text: str) -> str:
    """Return text that UTF-8 can hold: a lone surrogate, which JSON can carry, becomes U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def one_line(text: str, longest: int = 300) -> str:
    """Return a server's message made fit for a log line: no control characters, not endless."""
    text = _CONTROL.sub(" ", well_formed(text)).strip()
    return text if len(text) <= longest else text[: longest - 1] + "…"


def script_hash(script: str) -> str:
    """Return the hash of an inline script, as a content security policy names it: no other runs."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")


def plain_text(text: str | None) -> str:
    """Return an untrusted text without markup (figures, CSV): hidden characters as [U+202E]."""
    text = (text or "").replace("\r\n", "\n")
    return _HIDDEN.sub(lambda m: f"[{_names(m.group())}]", text)


def _names(characters: str) -> str:
    return " ".join(f"U+{ord(c):04X}" for c in characters)


def _named(match: re.Match[str]) -> Markup:
    """The characters of the match as code points that can be read."""
    return Markup('<span class="cp">{}</span>').format(_names(match.group()))


def _segments(text: str, pattern: re.Pattern[str]) -> Iterator[Markup]:
    position = 0
    for match in pattern.finditer(text):
        yield escape(text[position : match.start()])
        yield _named(match)
        position = match.end()
    yield escape(text[position:])


def visible(text: str | None) -> Markup:
    """Return HTML of an untrusted text: escaped, hidden characters named, direction isolated."""
    text = (text or "").replace("\r\n", "\n")
    return Markup("<bdi>{}</bdi>").format(Markup("").join(_segments(text, _HIDDEN)))


@dataclass(frozen=True)
class Excerpt:
    """A long text in two steps: ``head`` at once, ``body`` on request, nothing beyond."""

    head: str
    body: str | None
    length: int

    @property
    def omitted(self) -> int:
        """Return characters that the report does not hold."""
        return self.length - len(self.body) if self.body is not None else 0


def excerpt(text: str | None, shown: int = SHOWN, kept: int = KEPT) -> Excerpt:
    """Cut a text for display; ``body`` is None where all of it fits into ``head``."""
    text = text or ""
    if len(text) <= shown:
        return Excerpt(text, None, len(text))
    return Excerpt(text[:shown], text[:kept], len(text))
