"""Answers as lines of plain sentences: markdown, lists, tables and typography gone.

A parser reads prose. What a list or a table says of its topic, "**Coat:** red", becomes a sentence
about a pronoun, "It is red", and the line knows which other line names the topic. For each character
that is left a line knows where in the answer it stood.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import Lexicon, lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.model import base
from lvlmbench.stages.judge.kinds.lexical.reading.words import Words

#: Characters of an answer that are read; nobody describes a picture in more.
LONGEST = 20_000
#: Stands for quoted words; a name to the parser.
QUOTED = "Quotex"

_PLAIN = {
    "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"',
    "\u00ab": '"', "\u00bb": '"', "\u2013": "-", "\u2212": "-", "\u2010": "-", "\u2011": "-",
    "\u2014": "\u2014", "\u2022": "*", "\u00b7": "*", "\u25cf": "*", "\u25e6": "*", "\u00a0": " ", "\t": " ", "\r": "\n",
    "\u2028": "\n", "\u2029": "\n", "\u2026": ".", "`": "'", "\u2192": ">", "\u2265": ">",
}  # fmt: skip
_BLANKED = ("C", "So", "Sk", "Sm", "Z")

_TAG = re.compile(r"</?[a-zA-Z!][^<>\n]{0,200}>|&[a-zA-Z#0-9]{2,8};|!?\[(?=[^\]\n]{0,200}\]\()|"
                  r"\]\([^()\s]{0,300}\)|https?://\S{1,300}|\S{61,}")  # fmt: skip
_QUOTE = re.compile(r'"([^"\n]{1,120})"|(?<![\w\'])\'([^\'\n]{1,60})\'(?![\w\'])')
_READS = re.compile(
    r"\b(?:reads?|reading|says?|saying|written|spell(?:s|ing)|labell?ed|marked|texts?|words?|letters"
    r"|lettering|inscription|caption|slogan|titled|title|printed)[ :,]*(?:of|is|as)?[ :,]*\Z",
    re.I,
)
_MARK = re.compile(
    r"[ ]*(?P<quote>>[ ]?)?(?:(?P<head>#{1,6})[ ]+|(?P<bullet>[-*+]|\(?[a-z]\))[ ]+"
    r"|\*{0,2}\(?(?P<number>\d{1,3})[.):]\*{0,2}[ ]+)?"
)
_RULE = re.compile(r"[ |:=_*-]*\Z")
_STRESS = re.compile(r"\*+|(?<![^\W_])_+|_+(?![^\W_])|~~")
_BOLD = re.compile(
    r"\s*(\*\*|__)(?P<key>[^*_\n]{1,80}?)(?P<in>[:.]?)\1(?P<after>\s*[:\u2014-]|\s*\([^()]{1,40}\)\s*[:\u2014-])?\s*"
)
_KEY = re.compile(r"\s*(?P<key>[^:.;!?\u2014|]{1,60}?)\s*(?::|\s-{1,2}\s|\u2014)\s+(?=\S)")
_KEYS = re.compile(r"(?<=[.;] )(?=[A-Z][a-z]+(?: [A-Za-z]+){0,2}: \S)")
_NUMBERS = re.compile(r"(?<=[\s,;:])\(?(\d{1,2})[.)] (?=[A-Za-z])")
_NUMBERED = re.compile(
    r"\b([A-Za-z]{3,}) *(?:#? ?\d{1,2}|[Nn]o\. ?\d{1,2}|[A-H])(?= *(?:\Z|[(,:-]))"
)
_PLACE = re.compile(r"#?(\d{1,2})(?:st|nd|rd|th|\.)?(?: *\(.*\))?\Z")
_ORDERED = re.compile(r"larg|big|small|size|tall", re.I)
_UP = re.compile(r"(small|tin)\w* (?:to|first)|begin\w* with the small|ascending", re.I)
_AGAINST = re.compile(r"[\w' -]{2,40}(?: > [\w' -]{2,40}){2,}")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


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


@dataclass
class Line:
    """What the parser reads as one text.

    Attributes
    ----------
    run
        Its words.
    topic
        Number of the line whose first thing the pronoun that was put at its beginning stands for.
    place
        Part of the picture where its first things are.
    order
        Its number in a list that is in an order of size; below 0 from the smallest.
    """

    run: Run
    topic: int | None = None
    place: str | None = None
    order: int | None = None


@dataclass
class Lines:
    """The lines of an answer, with its quoted words, in order."""

    all: list[Line] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    ordered: bool = False
    up: bool = False


def lines_of(answer: str, words: Words, question: str = "") -> Lines:
    """Return the lines of an answer to a question."""
    whole = answer[:LONGEST].removesuffix("\r")
    run = Run("".join(map(_character, whole)), tuple(range(len(whole)))).sub(_TAG, lambda _: " ")
    return _Reading(run, words, question).lines


def _character(each: str) -> str:
    """One character for one: typography plain, what is no text a blank."""
    if each.isascii() and (each.isprintable() or each == "\n") and each != "`":
        return each
    plain = _PLAIN.get(each)
    if plain is not None:
        return plain
    return " " if unicodedata.category(each).startswith(_BLANKED) else each


class _Reading:
    """Takes an answer apart, line by line."""

    def __init__(self, run: Run, words: Words, question: str) -> None:
        self.words, self.lexicon, self.lines = words, lexicon(), Lines()
        self._ordered = _ORDERED.search(question) is not None and "order" or ""
        self._up = _UP.search(question) is not None
        self._topics: list[tuple[int, int]] = []  # levels of lines and numbers of what they name
        self._places: list[tuple[int, str]] = []
        self._table: list[str] | None = None
        self._columns: list[int] = []
        at = 0
        rows = run.text.split("\n")
        for n, row in enumerate(rows):
            piece = run[at : at + len(row)]
            at += len(row) + 1
            follows = rows[n + 1] if n + 1 < len(rows) else ""
            self._row(piece, follows)
        self.lines.ordered, self.lines.up = bool(self._ordered), self._up

    def _row(self, piece: Run, follows: str) -> None:
        text = piece.text.strip()
        if text.count("|") > 1 or (self._table is not None and "|" in text):
            self._cells(piece, follows)
            return
        self._table = None
        if not text or _RULE.match(text):
            return
        mark = _MARK.match(piece.text)
        assert mark is not None
        indent = len(piece.text) - len(piece.text.lstrip(" "))
        body = piece[mark.end() :]
        bold = _BOLD.match(body.text)
        whole = bold is not None and bold.end() == len(body.text.rstrip()) and not bold["after"]
        whole |= re.match(r"(\*\*|__)\(?\d.*\1:?\Z", text) is not None
        whole &= not mark["bullet"]
        level = indent + 12 if mark["bullet"] else indent + 11 if mark["number"] else 9
        if mark["head"]:
            level = len(mark["head"])
        elif whole:
            level = 7
        number = int(mark["number"]) if mark["number"] else None
        self._leave(level)
        first, at = True, 0
        for cut in [*(m.start() for m in _KEYS.finditer(body.text)), len(body.text)]:
            part = body[at:cut]
            self._item(part, level, number if first else None, bool(mark["head"]) or whole)
            first, at = False, cut

    def _leave(self, level: int) -> None:
        """End what lines of this level and deeper ones have begun."""
        for kept in (self._topics, self._places):
            while kept and kept[-1][0] >= level:
                kept.pop()  # type: ignore[attr-defined]

    @property
    def _topic(self) -> int | None:
        return self._topics[-1][1] if self._topics else None

    def _item(self, body: Run, level: int, number: int | None, heading: bool) -> None:
        """Read a line without its mark."""
        key, rest, bold = _keyed(body)
        if key is not None:
            key = key.sub(_NUMBERED, lambda match: match[1])
        if heading and key is None:
            key, rest = body.sub(_STRESS, lambda _: "").strip(" :."), body[:0]
        if key is not None and not heading and not bold and not self._names(key):
            key, rest = None, body
        if key is None:
            self._text(rest, level, number)
            return
        self._named(key, rest.sub(_STRESS, lambda _: "").strip(), level, number, heading)

    def _names(self, key: Run) -> bool:
        """Whether words before a colon name a topic, a place, or what is told of it."""
        plain = _plain(key)
        known = self.lexicon.carriers.get(plain) or self.place_of(key) or plain in self._silent
        return bool(known) or self._thing(key) or self._somebody(plain)

    @property
    def _silent(self) -> frozenset[str]:
        return self.lexicon.lists["lines.silent"]

    def place_of(self, key: Run) -> str | None:
        """Return the part of the picture that words name, if they name nothing else."""
        said = _WORD.findall(key.text.lower())
        return self.lexicon.place(said) if said else None

    def _thing(self, key: Run) -> bool:
        """Whether words name something that can be seen."""
        bare = re.sub(r"\(.*?\)", "", key.text.lower())
        return self.words.named(_WORD.findall(bare))

    def _somebody(self, plain: str) -> bool:
        return bool({*plain.split()} & self.lexicon.lists["lines.somebody"])

    def _named(self, key: Run, rest: Run, level: int, number: int | None, heading: bool) -> None:
        """Read a line that begins with a name."""
        plain, topic = _plain(key), self._topic
        carrier = self.lexicon.carriers.get(plain)
        if place := self.place_of(key):
            self._places.append((level, place))
            if rest.text:
                self._text(rest, level, number)
            return
        if carrier is not None and not (heading and not rest.text):
            if rest.text and topic is not None:
                self._add(_sentence(carrier, rest, self), topic, None)
            elif rest.text:
                self._text(rest, level, number)
            return
        bare = re.sub(r"\(.*?\)| (?:in|on|of|and|with) .*", "", plain).split()
        many = base(bare[-1], "noun") != bare[-1] if bare else False
        if heading and many and not rest.text and not self.words.garment(bare):
            self._hint(key.text)
            return
        if self._thing(key) or self._somebody(plain):
            if self.words.garment(_WORD.findall(plain)) and topic is not None and rest.text:
                self._garment(key, rest, topic)
                return
            order = self._order(number)
            at = self._add(_article(key.lower()), None, order)
            self._topics.append((level, at))
            if rest.text:
                self._told(rest, at)
            return
        if plain in self._silent or heading:
            if not rest.text:
                self._hint(key.text)
                return
        if rest.text:
            self._text(rest, level, number)

    def _garment(self, key: Run, rest: Run, topic: int) -> None:
        """ "Shoes: black" of somebody."""
        if self.words.garment(_WORD.findall(rest.text.lower())):
            self._add(_sentence("{pronoun} wears ", rest, self), topic, None)
        else:
            self._add(added("His ") + key.lower() + added(" is ") + rest, topic, None)

    def _told(self, rest: Run, topic: int) -> None:
        """Read what stands behind the name of a topic."""
        how = self._lead(rest)
        if how is None:
            self._add(rest, None, None, self._places[-1][1] if self._places else None)
        else:
            self._add(_sentence(how or "{be}", rest, self), topic, None)

    def _lead(self, rest: Run) -> str | None:
        """How a sentence begins that lacks its subject; None where it does not."""
        said = _WORD.findall(rest.text[:200].lower())
        if not said:
            return None
        first = said[0]
        if first in self.lexicon.lists["lines.verbs"] and not first.endswith("ing"):
            return "{pronoun} "
        until = re.split(r"[.;]", rest.text.lower())[0]
        finite = {"is", "are", "has", "wears", "stands", "sits", "holds"} & {*_WORD.findall(until)}
        told = first in self.lexicon.lists["lines.led"] or first in ("a", "an", "the")
        if finite and first in ("the", "a", "an", "this", "it", "he", "she", "they", "there"):
            return None
        if told or first.endswith("ing") or self.lexicon.kind(first) is not None:
            return "{be}"
        if first.endswith("s") and base(first, "verb") != first and not self.words.sort([first]):
            return "{pronoun} "
        if self._worn(rest):
            return "{pronoun} wears "
        return "{be}" if first[0].isdigit() or first.endswith("ed") else None

    def _text(self, body: Run, level: int, number: int | None) -> None:
        """Read a line that has no name; in a list it may lack its subject."""
        clean = body.sub(_STRESS, lambda _: "").strip()
        if not clean.text:
            return
        topic = self._topic
        self._hint(clean.text)
        how = self._lead(clean) if level > 10 and topic is not None else None
        begins = _WORD.findall(clean.text[:40].lower())[:1]
        if how == "{be}" and begins and begins[0] in ("a", "an", "the") and not self._worn(clean):
            how = None
        if how is not None and topic is not None:
            if self._worn(clean) and how == "{be}" and begins[0] in ("a", "an", "the"):
                how = "{pronoun} wears "
            self._add(_sentence(how, clean, self), topic, None)
            return
        place = self._places[-1][1] if self._places else None
        if _AGAINST.search(clean.text) and self._ordered:
            self._chain(clean)
            return
        if len(_NUMBERS.findall(" " + clean.text)) > (number is None):
            self._inline(clean, number)
            return
        at = self._add(_small(clean, self.lexicon), None, self._order(number), place)
        if level > 10:
            self._topics.append((level, at))

    def _worn(self, clean: Run) -> bool:
        said = _WORD.findall(re.split(r"[,.;(]| and | with ", clean.text.lower())[0])
        return bool(said) and self.words.garment(said)

    def _chain(self, clean: Run) -> None:
        """ "House > car > cat": an order in signs."""
        at = 0
        for n, part in enumerate(clean.text.split(">")):
            piece = clean[at : at + len(part)]
            self._add(_article(piece.strip(" .").lower()), None, self._order(n + 1))
            at += len(part) + 1

    def _inline(self, clean: Run, number: int | None) -> None:
        """ "1. pea, 2. lemon": a list inside a line."""
        marks = [*_NUMBERS.finditer(clean.text)]
        first = re.match(r"\(?(\d{1,2})[.)] ", clean.text)
        starts = [(0, first.end(), int(first[1]))] if first else [(0, 0, number or 0)]
        starts += [(m.start(), m.end(), int(m[1])) for m in marks]
        ends = [start for start, _, _ in starts[1:]] + [len(clean.text)]
        for (_, begin, place), end in zip(starts, ends, strict=True):
            piece = clean[begin:end].strip(" ,;")
            self._hint(piece.text)
            if piece.text:
                self._add(_small(piece, self.lexicon), None, self._order(place or None))

    def _hint(self, text: str) -> None:
        """Note whether what follows is in an order of size, and in which."""
        if (
            len(text) < 200
            and _ORDERED.search(text)
            and re.search("order|rank|to|sort", text, re.I)
        ):
            self._ordered = self._ordered or "order"
            self._up = _UP.search(text) is not None or (
                self._up and not re.search("larg", text, re.I)
            )

    def _order(self, number: int | None) -> int | None:
        if number is None or not self._ordered or number < 1:
            return None
        return -number if self._up else number

    def _add(self, run: Run, topic: int | None, order: int | None, place: str | None = None) -> int:
        run = run.sub(_QUOTE, self._quoted).sub(re.compile("\u2014"), lambda _: ",")
        run = run.sub(re.compile(";"), lambda _: ".").strip()
        if run.text and run.text[-1] not in ".!?:":
            run = run + added(".")
        self.lines.all.append(Line(run, topic, place, order))
        return len(self.lines.all) - 1

    def _quoted(self, match: re.Match[str]) -> str:
        said = (match[1] or match[2]).strip(" .,;:!?")
        told = _READS.search(match.string, max(0, match.start() - 40), match.start())
        if not said or (self.words.names(said) and not told):
            return said or " "
        self.lines.quotes.append(" ".join(said.casefold().split()))
        return f"{QUOTED} "

    # Tables

    def _cells(self, piece: Run, follows: str) -> None:
        """Read a row of a table."""
        cells, at = list[Run](), 0
        for part in piece.text.split("|"):
            cells.append(piece[at : at + len(part)].sub(_STRESS, lambda _: "").strip())
            at += len(part) + 1
        if not cells[0].text and piece.text.lstrip().startswith("|"):
            cells = cells[1:]
        if cells and not cells[-1].text:
            cells = cells[:-1]
        if all(_RULE.match(cell.text) for cell in cells):
            return
        if self._table is None:
            self._columns = []
            self._table = [_plain(cell) for cell in cells]
            if len(cells) > 1 and not self._table[0] or self._turned(cells):
                self._columns = [self._column(cell) for cell in cells[1:]]
            if "-|" in follows.replace(" ", "") or "--" in follows:
                return
            self._table = [""] * len(cells)
        self._leave(0)
        if self._columns:
            self._down(cells)
        else:
            self._tell(cells, self._table)

    def _turned(self, cells: list[Run]) -> bool:
        """Whether each column but the first is about a topic of its own."""
        some = [cell for cell in cells[1:] if _plain(cell) not in self.lexicon.carriers]
        heads = self.lexicon.lists["lines.topics"]
        return len(some) > 1 and all(
            _plain(c) not in heads and (self._somebody(_plain(c)) or self._thing(c)) for c in some
        )

    def _column(self, cell: Run) -> int:
        name = cell.sub(_NUMBERED, lambda match: match[1])
        return self._add(_article(name.lower()), None, None)

    def _down(self, cells: list[Run]) -> None:
        """Read a row that tells the same of the topic of each column."""
        carrier = self.lexicon.carriers.get(_plain(cells[0]))
        for cell, topic in zip(cells[1:], self._columns, strict=False):
            if not re.search(r"\w", cell.text):
                continue
            if carrier is None and self.words.garment(_plain(cells[0]).split()):
                self._garment(cells[0], cell, topic)
            elif carrier is None:
                self._told(cell.lower(), topic)
            else:
                self._add(_sentence(carrier, cell.lower(), self), topic, None)

    def _tell(self, cells: list[Run], heads: list[str]) -> None:
        heads = [*heads, *[""] * len(cells)][: len(cells)]
        topics, ranks = (self.lexicon.lists[f"lines.{name}"] for name in ("topics", "ranks"))
        if len(cells) == 3 and self.lexicon.phrase(_WORD.findall(cells[1].text.lower())):
            joined = _article(cells[0].lower()) + added(" is ") + cells[1].lower() + added(" ")
            self._add(joined + _article(cells[2].lower()), None, None)
            return
        named = [n for n, head in enumerate(heads) if head in topics and cells[n].text]
        named += [n for n, cell in enumerate(cells) if self._thing(cell) and n not in named]
        if not named:
            return
        main, order = named[0], None
        for n, head in enumerate(heads):
            number = _PLACE.match(cells[n].text)
            if number and n != main and (head in ranks or not head):
                sized = self._ordered or "size" in head or head == "rank"
                order = int(number[1]) if sized else None
        name = cells[main].sub(_NUMBERED, lambda match: match[1])
        at = self._add(
            _article(name.lower()), None, order if not self._up or order is None else -order
        )
        self._topics = [(0, at)]
        for n, cell in enumerate(cells):
            if (
                n == main
                or not cell.text
                or _PLACE.match(cell.text)
                or not re.search(r"\w", cell.text)
            ):
                continue
            carrier = self.lexicon.carriers.get(heads[n])
            if carrier is not None:
                self._add(_sentence(carrier, cell.lower(), self), at, None)
            elif self.words.garment(heads[n].split()):
                self._add(_sentence("{pronoun} wears ", cell.lower(), self), at, None)
            else:
                self._told(cell.lower(), at)


_LEADS = frozenset(("a", "an", "the", "in", "on", "with", "not", "about", "one"))


def _plain(key: Run) -> str:
    return " ".join(key.sub(_STRESS, lambda _: "").text.lower().strip(" :.").split())


def _article(noun: Run) -> Run:
    """A name as a noun phrase."""
    first = (_WORD.findall(noun.text.lower()) or [""])[0]
    if first in ("a", "an", "the", "two", "three", "four", "five", "another", "one"):
        return noun
    return added("A ") + noun


def _small(run: Run, words: Lexicon) -> Run:
    """A line whose first letter is small, where its word is one of ours, not a name."""
    first = _WORD.match(run.text)
    if first is None or first[0] == "I":
        return run
    return run[: first.end()].lower() + run[first.end() :]


def _sentence(how: str, rest: Run, reading: _Reading) -> Run:
    """A sentence about a pronoun."""
    first = (_WORD.findall(rest.text[:40].lower()) or [""])[0]
    verbs = reading.lexicon.lists["lines.verbs"]
    if first in verbs and not first.endswith("ing") and "{be}" in how:
        how = "{pronoun} "
    elif first.endswith("ing") and ("wears" in how or "holding" in how or "has" in how):
        how = "{be}"
    elif first in ("he", "she", "they", "it", "this", "there"):
        return rest
    lead = how.replace("{be}", "{pronoun} is").replace("{pronoun}", "It").rstrip() + " "
    said = _WORD.findall(re.split(r"[,.;(]", rest.text.lower())[0])
    if "is" in lead and reading.words.sort(said) == "person" and first not in _LEADS:
        lead += "a "
    if lead.endswith("has ") and not reading.lexicon.lists["people.body"] & {*said}:
        if reading.words.sort(said) is None and said and said[-1] not in reading.lexicon.says:
            rest = rest.strip(" .") + added(" hair")
    return added(lead) + _small(rest, reading.lexicon)


def _keyed(body: Run) -> tuple[Run | None, Run, bool]:
    """The name that a line begins with, what follows it, and whether it is in bold letters."""
    bold = _BOLD.match(body.text)
    if bold is not None:
        key = body[bold.start("key") : bold.end("key")]
        if bold["after"] and "(" in bold["after"]:
            key = key + body[bold.start("after") : bold.end("after")].strip(" :-\u2014")
        marked = bool(bold["in"] or bold["after"])
        rest = body[bold.end() :]
        if re.fullmatch(r"\s*\([^()]{1,40}\)\s*", rest.text):
            return key + added(" ") + rest.strip(), rest[:0], True
        if marked or not rest.text.strip():
            return key, rest, True
        return None, body, True
    body = body.sub(_STRESS, lambda _: "")
    found = _KEY.match(body.text)
    if found is None or len(found["key"].split()) > 6:
        return None, body, False
    return body[found.start("key") : found.end("key")], body[found.end() :], False
