"""Text without markup and typography, of which each character knows its place in the answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

_PLAIN = {
    "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"',
    "\u00ab": '"', "\u00bb": '"', "\u2013": "-", "\u2212": "-", "\u2010": "-", "\u2011": "-",
    "\u2014": "\u2014", "\u2022": "*", "\u00b7": "*", "\u25cf": "*", "\u25e6": "*",
    "\u00a0": " ", "\t": " ", "\r": "\n",
    "\u2028": "\n", "\u2029": "\n", "\u2026": ".", "`": "'", "\u2192": ">", "\u2265": ">",
}  # fmt: skip
_BLANKED = ("C", "So", "Sk", "Sm", "Z")

_TAG = re.compile(r"</?[a-zA-Z!][^<>\n]{0,200}>|&[a-zA-Z#0-9]{2,8};|!?\[(?=[^\]\n]{0,200}\]\()|"
                  r"\]\([^()\s]{0,300}\)|https?://\S{1,300}|\S{61,}")  # fmt: skip
RULE = re.compile(r"[ |:=_*-]*\Z")
STRESS = re.compile(r"\*+|(?<![^\W_])_+|_+(?![^\W_])|~~")
NUMBERED = re.compile(
    r"\b([A-Za-z]{3,}) *(?:#? ?\d{1,2}|[Nn]o\. ?\d{1,2}|[A-H])(?= *(?:\Z|[(,:-]))"
)
WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


@dataclass(frozen=True)
class Run:
    """Text of which each character knows its place in the answer, -1 where it has none."""

    text: str
    at: tuple[int, ...]

    def __getitem__(self, part: slice) -> Run:
        """Return a part."""
        return Run(self.text[part], self.at[part])

    def __add__(self, more: Run) -> Run:
        """Return both, one behind the other."""
        return Run(self.text + more.text, self.at + more.at)

    def strip(self, signs: str = " \n") -> Run:
        """Return it without signs at its ends."""
        lead = len(self.text) - len(self.text.lstrip(signs))
        return self[lead : max(lead, len(self.text.rstrip(signs)))]

    def sub(self, pattern: re.Pattern[str], put: Callable[[re.Match[str]], str]) -> Run:
        """Replace what matches; what is put stands where the match began."""
        text, at, last = list[str](), list[int](), 0
        for match in pattern.finditer(self.text):
            new = put(match)
            text += (self.text[last : match.start()], new)
            at += self.at[last : match.start()]
            kept = self.at[match.start() : match.start() + len(new)]
            at += kept if match[0].startswith(new) else [self.at[match.start()]] * len(new)
            last = match.end()
        return Run("".join((*text, self.text[last:])), (*at, *self.at[last:]))

    def lower(self) -> Run:
        """Return it in small letters, which may be as long only."""
        low = self.text.lower()
        return Run(low, self.at) if len(low) == len(self.text) else self

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the characters of the answer that a part stood at, None where it is added."""
        known = [place for place in self.at[start:end] if place >= 0]
        return (min(known), max(known) + 1) if known else None


def added(text: str) -> Run:
    """Return text that the answer does not hold."""
    return Run(text, (-1,) * len(text))


def plain(answer: str) -> Run:
    """Return an answer in plain characters, one for one, without tags and addresses."""
    run = Run("".join(map(_character, answer)), tuple(range(len(answer))))
    return run.sub(_TAG, lambda _: " ")


def _character(each: str) -> str:
    """One character for one: typography plain, what is no text a blank."""
    if each.isascii() and (each.isprintable() or each == "\n") and each != "`":
        return each
    plain = _PLAIN.get(each)
    if plain is not None:
        return plain
    return " " if unicodedata.category(each).startswith(_BLANKED) else each


def name_of(key: Run) -> str:
    """Return the words of a name in small letters, without marks."""
    return " ".join(key.sub(STRESS, lambda _: "").text.lower().strip(" :.").split())


def article(noun: Run) -> Run:
    """Return a name as a noun phrase."""
    first = (WORD.findall(noun.text.lower()) or [""])[0]
    if first in ("a", "an", "the", "two", "three", "four", "five", "another", "one"):
        return noun
    return added("A ") + noun
