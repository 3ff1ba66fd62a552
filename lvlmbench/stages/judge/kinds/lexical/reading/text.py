"""Answers as plain sentences: markdown, lists and typography gone, characters traceable.

A parser reads prose. Lists become sentences, quoted words one word each, emoji and tags blanks;
for each character that is left, :class:`Flat` knows where it stood.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

#: Characters of an answer that are read; nobody describes a picture in more.
LONGEST = 20_000

#: Stands for quoted words; a name to the parser.
QUOTED = "Quotex"

_PLAIN = {
    "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"',
    "\u00ab": '"', "\u00bb": '"',
    "\u2013": "-", "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2014": ",", "\u2022": "\u2022",
    "\u00a0": " ",
    "\t": " ", "\r": "\n", "\u2028": "\n", "\u2029": "\n", "\u2026": ".", "`": "'",
}  # fmt: skip
_BLANKED = ("C", "So", "Sk", "Sm", "Z")

_BULLET = re.compile(r"(?m)^[ ]*(?:[-*+\u2022>#|]+|\(?\d{1,3}[.):]|\(?[a-z]\))(?:[ ]+|$)")
#: Numbers of a list inside a line: "1. pea, 2. lemon".
_INLINE = re.compile(r"(?<=[\s,;:.])\(?\d{1,2}[.)] (?=[A-Za-z])")
_STRESS = re.compile(r"\*+|(?<![^\W_])_+|_+(?![^\W_])|~~|\u2022")
_TAG = re.compile(r"</?[a-zA-Z!][^<>\n]{0,200}>|&[a-zA-Z#0-9]{2,8};|!?\[(?=[^\]\n]{0,200}\]\()")
_LINK = re.compile(r"\]\([^()\s]{0,300}\)|https?://\S{1,300}")
#: An object of JSON: it describes nothing.
_OBJECT = re.compile(r'\{\s*"[^{}"]{1,60}"\s*:[^{}]{0,2000}\}')
_ENDLESS = re.compile(r"\S{61,}")
_DASH = re.compile(r"(?<=[ \w]) ?-{1,3} (?=\w)|(?<=\w)--+(?=\w)")
_DOUBLE = re.compile(r'"([^"\n]{1,120})"')
_SINGLE = re.compile(r"(?<![\w'])'([^'\n]{1,60})'(?![\w'])")
#: Words after which quoted words are what is written, whatever they name.
_READS = re.compile(
    r"\b(?:reads?|reading|says?|saying|written|spell(?:s|ing)|states?|stating|announc(?:es|ing)"
    r"|bear(?:s|ing)|label(?:led|ed)|marked|texts?|words?|letters|lettering|inscription|caption"
    r"|message|slogan|titled|title|print(?:ed|s))[ :,]*(?:of|is|as)?[ :,]*\Z",
    re.I,
)
_CLOSED = re.compile(r"\)(?=[:;])")
_CELL = re.compile(r"[ ]*\|[ ]*")
_HEADING = re.compile(
    r"(?mi)^[ ]*(?!(?:left|right|top|bottom|upper|lower|middle|cent(?:er|re)"
    r"|foreground|background)\b)"
    r"[a-z]+(?: [a-z]+)?:[ ]*$"
)
_TITLE = re.compile(r"(?:^|\n|[.!?] )[ ]*[A-Za-z]+(?: [A-Za-z]+){0,2}\Z")
_BREAK = re.compile(r"[ ]*\n[\s]*")


@dataclass
class Flat:
    """Text of which each character knows its place in the answer.

    Attributes
    ----------
    text
        What the parser reads.
    places
        Where each of its characters stood.
    quotes
        Quoted words in order, with where they begin and end in the answer.
    lines
        Where in the answer what follows a break is a sentence of its own.
    """

    text: str
    places: list[int]
    length: int
    quotes: list[tuple[str, int, int]] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)

    def sub(self, pattern: re.Pattern[str], put: Callable[[re.Match[str]], str | None]) -> None:
        """Replace what matches; None leaves it, and what is put stands where the match began."""
        parts: list[str] = []
        places: list[int] = []
        at = 0
        for match in pattern.finditer(self.text):
            new = put(match)
            if new is None:
                continue
            start, end = match.span()
            parts += (self.text[at:start], new)
            places += self.places[at:start]
            places += [self.places[start] if start < end else self._before(start)] * len(new)
            at = end
        if at or parts:
            self.text = "".join((*parts, self.text[at:]))
            self.places = places + self.places[at:]

    def _before(self, at: int) -> int:
        return self.places[at] if at < len(self.places) else self.length

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the characters of the answer for characters of the text, end excluded."""
        if not self.places or start >= len(self.places):
            return self.length, self.length
        return self.places[start], self.places[max(start, end - 1)] + 1


def flatten(answer: str, known: Callable[[str], bool] = lambda _: False) -> Flat:
    """Return an answer as plain sentences.

    ``known`` says of quoted words whether they name something; those lose only their quotes.
    """
    answer = answer[:LONGEST]
    flat = Flat("".join(map(_character, answer)), list(range(len(answer))), len(answer))
    flat.sub(_TAG, lambda _: " ")
    flat.sub(_OBJECT, lambda _: " ")
    flat.sub(_LINK, lambda _: " ")
    flat.sub(_ENDLESS, lambda _: " ")
    flat.sub(_BULLET, lambda _: "\n")
    if len(_INLINE.findall(flat.text)) > 1:
        flat.sub(_INLINE, lambda match: _item(flat.text, match))
    flat.sub(_STRESS, lambda _: "")
    flat.sub(_CELL, lambda _: ", ")
    for pattern in (_DOUBLE, _SINGLE):
        flat.sub(pattern, lambda match: _quoted(flat, match, known))
    flat.quotes.sort(key=lambda quote: quote[1])
    flat.sub(_CLOSED, lambda _: ") ")
    flat.sub(_HEADING, lambda _: "")
    flat.sub(_DASH, lambda match: _dash(flat.text, match))
    flat.sub(_BREAK, lambda match: _break(flat, match))
    return flat


def _character(each: str) -> str:
    """One character for one: typography plain, what is no text a blank."""
    if each.isascii() and (each.isprintable() or each == "\n") and each != "`":
        return each
    plain = _PLAIN.get(each)
    if plain is not None:
        return plain
    category = unicodedata.category(each)
    return " " if category.startswith(_BLANKED) else each


def _quoted(flat: Flat, match: re.Match[str], known: Callable[[str], bool]) -> str:
    words = match[1].strip(" .,;:!?")
    told = _READS.search(match.string, max(0, match.start() - 40), match.start())
    if not words or (known(words) and not told):
        return match[1].strip() or " "
    if QUOTED in words:
        return match[1]
    start, end = flat.span(*match.span(1))
    flat.quotes.append((" ".join(words.casefold().split()), start, end))
    return f"{QUOTED} "


def _dash(text: str, match: re.Match[str]) -> str:
    """A colon after what begins a line, "Sofa - brown, old", else a comma."""
    return ": " if _TITLE.search(text, max(0, match.start() - 60), match.start()) else ", "


def _item(text: str, match: re.Match[str]) -> str:
    """A new line where a sentence has ended before a number, else nothing."""
    before = text[: match.start()].rstrip()[-1:]
    return "\n" if before in ".!?" else " "


def _break(flat: Flat, match: re.Match[str]) -> str:
    """What stands for the end of a line: nothing more where the line ends a sentence."""
    text = flat.text
    before = text[: match.start()][-1:]
    if not before or match.end() == len(text):
        return " "
    single = match[0].count("\n") == 1
    if before in ",;" or (single and before not in ".!?:" and text[match.end()].islower()):
        return " "
    flat.lines.add(flat.places[match.end()])
    return " " if before in ".!?:" else ". "
