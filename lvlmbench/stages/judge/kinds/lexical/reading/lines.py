"""Answers as lines of plain sentences: markdown, lists, tables and typography gone.

A parser reads prose. What a list or a table says of its topic, "**Coat:** red", becomes a sentence
about a pronoun, "It is red", and the line knows which other line names the topic. For each
character that is left a line knows where in the answer it stood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lvlmbench.stages.judge.kinds.lexical.reading.aside import of_judging
from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import Lexicon, lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.model import base
from lvlmbench.stages.judge.kinds.lexical.reading.runs import (
    NUMBERED,
    RULE,
    STRESS,
    WORD,
    Run,
    added,
    article,
    name_of,
    plain,
)
from lvlmbench.stages.judge.kinds.lexical.reading.tables import Table
from lvlmbench.stages.judge.kinds.lexical.reading.words import Words

#: Characters of an answer that are read; nobody describes a picture in more.
LONGEST = 20_000
QUOTED = "Quotex"  # stands for quoted words; a name to the parser

_QUOTE = re.compile(r'"([^"\n]{1,120})"|(?<![\w\'])\'([^\'\n]{1,60})\'(?![\w\'])')
_READS = re.compile(
    r"\b(?:reads?|reading|says?|saying|written|spell(?:s|ing)|labell?ed|marked|texts?|words?|letters"
    r"|lettering|inscription|caption|slogan|titled|title|printed)[ :,]*(?:of|is|as)?[ :,]*\Z", re.I
)  # fmt: skip
_MARK = re.compile(
    r"[ ]*(?P<quote>>[ ]?)?(?:(?P<head>#{1,6})[ ]+|(?P<bullet>[-*+]|\(?[a-z]\))[ ]+"
    r"|\*{0,2}\(?(?P<number>\d{1,3})[.):]\*{0,2}[ ]+)?"
)
_LEADS = frozenset(("a", "an", "the", "in", "on", "with", "not", "about", "one"))
_BOLD = re.compile(
    r"\s*(\*\*|__)(?P<key>[^*_\n]{1,80}?)(?P<in>[:.]?)\1"
    r"(?P<after>\s*[:\u2014-]|\s*\([^()]{1,40}\)\s*[:\u2014-])?\s*"
)
_KEY = re.compile(r"\s*(?P<key>[^:.;!?\u2014|]{1,60}?)\s*(?::|\s-{1,2}\s|\u2014)\s+(?=\S)")
_TELLS = re.compile(r"\b(?:is|are|than|looks?|appears?|seems?)\b|\w: ", re.I)
_KEYS = re.compile(r"(?<=[.;] )(?=[A-Z][a-z]+(?: [A-Za-z]+){0,2}: \S)")
_NUMBERS = re.compile(r"(?<=[\s,;:])\(?(\d{1,2})[.)] (?=[A-Za-z])")
_ORDERED = re.compile(r"larg|big|small|size|tall", re.I)
_UP = re.compile(r"(small|tin)\w* (?:to|first|>)|begin\w* with the small|ascending", re.I)
_AGAINST = re.compile(r"[\w' -]{2,40}(?: > [\w' -]{2,40}){2,}")


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
    return Reader(plain(whole), words, question).lines


class Reader:
    """Takes an answer apart, line by line."""

    def __init__(self, run: Run, words: Words, question: str) -> None:
        self.words, self.lexicon, self.lines = words, lexicon(), Lines()
        self.ordered = _ORDERED.search(question) is not None
        self._up = _UP.search(question) is not None
        self._topics: list[tuple[int, int]] = []  # levels of lines and numbers of what they name
        self._places: list[tuple[int, str]] = []
        self._bullets = 0
        self._table: Table | None = None
        at = 0
        rows = run.text.split("\n")
        for row, follows in zip(rows, [*rows[1:], ""], strict=True):
            self._row(run[at : at + len(row)], follows)
            at += len(row) + 1
        self.lines.ordered, self.lines.up = self.ordered, self._up

    def _row(self, piece: Run, follows: str) -> None:
        text = piece.text.strip()
        if text.count("|") > 1 or (self._table is not None and "|" in text):
            if self._table is None:
                self._table = Table(self)
            self._leave(0)
            self._table.row(piece, "--" in follows)
            return
        self._table = None
        if not text or RULE.match(text):
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
        if mark["bullet"] and self.ordered and not indent and not _TELLS.search(body.text):
            self._bullets += 1
            number = self._bullets
        self._leave(level)
        at = 0
        for cut in [*(m.start() for m in _KEYS.finditer(body.text)), len(body.text)]:
            part = body[at:cut]
            self._item(part, level, None if at else number, bool(mark["head"]) or whole)
            at = cut

    def _leave(self, level: int) -> None:
        """End what lines of this level and deeper ones have begun."""
        for kept in (self._topics, self._places):
            while kept and kept[-1][0] >= level:
                kept.pop()

    @property
    def _topic(self) -> int | None:
        return self._topics[-1][1] if self._topics else None

    def _item(self, body: Run, level: int, number: int | None, heading: bool) -> None:
        """Read a line without its mark."""
        key, rest, bold = _keyed(body)
        if key is not None:
            key = key.sub(NUMBERED, lambda match: match[1])
        if heading and key is None:
            key, rest = body.sub(STRESS, lambda _: "").strip(" :."), body[:0]
        if key is not None and not heading and not bold and not self._names(key):
            key, rest = None, body
        if key is None:
            self._text(rest, level, number)
            return
        if of_judging(WORD.findall(body.text.lower())):
            return
        self._named(key, rest.sub(STRESS, lambda _: "").strip(), level, number, heading)

    def _names(self, key: Run) -> bool:
        """Whether words before a colon name a topic, a place, or what is told of it."""
        name = name_of(key)
        known = (
            self.lexicon.carriers.get(name)
            or self.place_of(key)
            or name in self.lexicon.lists["lines.silent"]
        )
        return bool(known) or self.thing(key) or self.somebody(name)

    def place_of(self, key: Run) -> str | None:
        """Return the part of the picture that words name, if they name nothing else."""
        said = WORD.findall(key.text.lower())
        return self.lexicon.place(said) if said else None

    def thing(self, key: Run) -> bool:
        """Whether words name something that can be seen."""
        bare = re.sub(r"\(.*?\)", "", key.text.lower())
        return self.words.named(WORD.findall(bare))

    def somebody(self, name: str) -> bool:
        return bool({*name.split()} & self.lexicon.lists["lines.somebody"])

    def _named(self, key: Run, rest: Run, level: int, number: int | None, heading: bool) -> None:
        """Read a line that begins with a name."""
        name, topic = name_of(key), self._topic
        carrier = self.lexicon.carriers.get(name)
        if place := self.place_of(key):
            self._places.append((level, place))
            if rest.text:
                self._text(rest, level, number)
            return
        if carrier is not None and not (heading and not rest.text):
            if rest.text and topic is not None:
                self.say(carrier, rest, topic)
            elif rest.text:
                self._text(rest, level, number)
            return
        bare = re.sub(r"\(.*?\)| (?:in|on|of|and|with) .*", "", name).split()
        one = self.lexicon.maps["lemmas.nouns"]
        many = bool(bare) and (bare[-1] in one or base(bare[-1], "noun") != bare[-1])
        if heading and many and not rest.text and not self.words.garment(bare):
            self._hint(key.text)
            return
        if self.thing(key) or self.somebody(name):
            if self.words.garment(bare) and topic is not None and rest.text:
                self.garment(key, rest, topic)
                return
            order = self.order(number)
            at = self.add(article(key.lower()), None, order)
            self._topics.append((level, at))
            if rest.text:
                self.told(rest, at)
            return
        if rest.text:
            self._text(rest, level, number)
        else:
            self._hint(key.text)

    def garment(self, key: Run, rest: Run, topic: int) -> None:
        """ "Shoes: black" of somebody."""
        if self.words.garment(WORD.findall(rest.text.lower())):
            self.say("{pronoun} wears ", rest, topic)
        else:
            self.add(added("His ") + key.lower() + added(" is ") + rest, topic, None)

    def told(self, rest: Run, topic: int) -> None:
        """Read what stands behind the name of a topic."""
        how = self._lead(rest)
        if how is None:
            self.add(rest, None, None, self._places[-1][1] if self._places else None)
        else:
            self.say(how or "{be}", rest, topic)

    def say(self, how: str, rest: Run, topic: int) -> None:
        """Add a sentence about a topic: how it begins, and the rest."""
        self.add(sentence(how, rest, self), topic, None)

    def _lead(self, rest: Run) -> str | None:
        """How a sentence begins that lacks its subject; None where it does not."""
        said = WORD.findall(rest.text[:200].lower())
        if not said:
            return None
        if (first := said[0]) in self.lexicon.lists["lines.verbs"] and not first.endswith("ing"):
            return "{pronoun} "
        until = re.split(r"[.;]", rest.text.lower())[0]
        finite = {"is", "are", "has", "wears", "stands", "sits", "holds"} & {*WORD.findall(until)}
        told = first in {*self.lexicon.lists["lines.led"], "a", "an", "the"}
        told |= self.lexicon.place(WORD.findall(until)) is not None
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
        clean, topic = body.sub(STRESS, lambda _: "").strip(), self._topic
        if not clean.text:
            return
        self._hint(clean.text)
        how = self._lead(clean) if level > 10 and topic is not None else None
        begins = WORD.findall(clean.text[:40].lower())[:1]
        if how == "{be}" and begins and begins[0] in ("a", "an", "the") and not self._worn(clean):
            how = None
        if how is not None and topic is not None:
            if self._worn(clean) and how == "{be}" and begins[0] in ("a", "an", "the"):
                how = "{pronoun} wears "
            self.say(how, clean, topic)
            return
        place = self._places[-1][1] if self._places else None
        if _AGAINST.search(clean.text) and self.ordered:
            self._chain(clean)
            return
        if len(_NUMBERS.findall(" " + clean.text)) > (number is None):
            self._inline(clean, number)
            return
        at = self.add(_small(clean, self.lexicon), None, self.order(number), place)
        if level > 10:
            self._topics.append((level, at))

    def _worn(self, clean: Run) -> bool:
        said = re.split(r"[,.;(]| and | with ", clean.text.lower())[0]
        return self.words.garment(WORD.findall(said))

    def _chain(self, clean: Run) -> None:
        """ "House > car > cat": an order in signs."""
        at = clean.text.rfind(":") + 1  # "largest > smallest: house > car"
        for n, part in enumerate(clean.text[at:].split(">")):
            piece = clean[at : at + len(part)]
            self.add(article(piece.strip(" .").lower()), None, self.order(n + 1))
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
                self.add(_small(piece, self.lexicon), None, self.order(place or None))

    def _hint(self, text: str) -> None:
        """Note whether what follows is in an order of size, and in which."""
        told = len(text) < 200 and re.search("order|rank|to|sort|>", text, re.I)
        if told and _ORDERED.search(text):
            self.ordered = True
            up = self._up and re.search("larg", text, re.I) is None
            self._up = up or _UP.search(text) is not None

    def order(self, number: int | None) -> int | None:
        return (-number if self._up else number) if number and self.ordered else None

    def add(self, run: Run, topic: int | None, order: int | None, place: str | None = None) -> int:
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


def _small(run: Run, words: Lexicon) -> Run:
    """The line with its first letter in lower case, unless its first word is a name."""
    first = WORD.match(run.text)
    if first is None or first[0] == "I":
        return run
    return run[: first.end()].lower() + run[first.end() :]


def sentence(how: str, rest: Run, reading: Reader) -> Run:
    """A sentence about a pronoun."""
    first = (WORD.findall(rest.text[:40].lower()) or [""])[0]
    verbs = reading.lexicon.lists["lines.verbs"]
    if first in verbs and not first.endswith("ing") and "{be}" in how:
        how = "{pronoun} "
    elif first.endswith("ing") and ("wears" in how or "holding" in how or "has" in how):
        how = "{be}"
    elif first in ("he", "she", "they", "it", "this", "there"):
        return rest
    lead = how.replace("{be}", "{pronoun} is").replace("{pronoun}", "It").rstrip() + " "
    said = WORD.findall(re.split(r"[,.;(]", rest.text.lower())[0])
    if "is" in lead and reading.words.sort(said) == "person" and first not in _LEADS:
        lead += "a "
    bare = not reading.lexicon.lists["people.body"] & {*said} and reading.words.sort(said) is None
    if lead.endswith("has ") and said and bare:
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
    body = body.sub(STRESS, lambda _: "")
    found = _KEY.match(body.text)
    if found is None or len(found["key"].split()) > 6:
        return None, body, False
    return body[found.start("key") : found.end("key")], body[found.end() :], False
