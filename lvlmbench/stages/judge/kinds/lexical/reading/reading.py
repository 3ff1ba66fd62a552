"""Reading answers, one or many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lvlmbench.scene.claims import Claim
from lvlmbench.stages.judge.kinds.lexical.reading.aside import aside
from lvlmbench.stages.judge.kinds.lexical.reading.attributes import Attributes
from lvlmbench.stages.judge.kinds.lexical.reading.claims import numbered
from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Sheet
from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.lines import Lines, lines_of
from lvlmbench.stages.judge.kinds.lexical.reading.model import parser
from lvlmbench.stages.judge.kinds.lexical.reading.people import People
from lvlmbench.stages.judge.kinds.lexical.reading.ranks import Ranks
from lvlmbench.stages.judge.kinds.lexical.reading.sight import Sight
from lvlmbench.stages.judge.kinds.lexical.reading.standing import Standing
from lvlmbench.stages.judge.kinds.lexical.reading.things import Finder
from lvlmbench.stages.judge.kinds.lexical.reading.words import Words

#: Answers whose lines the parser takes at once; the claims are the same for any number.
_BATCH = 64


@dataclass(frozen=True)
class Said:
    """What an answer says, and which of its characters nothing sure could be made of."""

    claims: tuple[Claim, ...]
    unread: tuple[tuple[int, int], ...] = ()


def read(text: str, words: Words) -> list[Claim]:
    """Return the claims of an answer, numbered in its order; none where it says nothing.

    Raises
    ------
    UserError
        The parser is not installed, or is another one.
    """
    return next(read_many([text], words))


def read_many(texts: Iterable[str], words: Words) -> Iterator[list[Claim]]:
    """Yield the claims of each answer, in order; the same for each, whatever stands beside it."""
    for said in readings(((text, "") for text in texts), words):
        yield [*said.claims]


def readings(answers: Iterable[tuple[str, str]], words: Words) -> Iterator[Said]:
    """Yield what answers say, each given with its question, in order."""
    language, todo = parser(), iter(answers)
    while some := [lines_of(text, words, question) for text, question in islice(todo, _BATCH)]:
        texts = (line.run.text for lines in some for line in lines.all)
        docs = language.pipe(texts, batch_size=256)
        for lines in some:
            yield _said(lines, [next(docs) for _ in lines.all], words)


def _said(lines: Lines, docs: Sequence[object], words: Words) -> Said:
    finder, sight = Finder(words, lexicon()), Sight(lexicon())
    sheet = Sheet(sight)
    silent = set[tuple[int, int]]()
    for number, (line, doc) in enumerate(zip(lines.all, docs, strict=True)):
        page = finder.page(number, line, doc)  # type: ignore[arg-type]
        silent |= {(number, i) for i in aside(page.doc, page.low, words)}
        sight.add(page)
        people = People(sheet, page)
        people.dress()
        Attributes(sheet, page).read()
        people.act()
        Standing(sheet, page).read()
        garments = [*people.garments()]
        sheet.said += garments
    Ranks(sheet, lines.ordered, lines.up).read(sight.pages)
    claims, unread = numbered(sheet, lines.quotes, silent)
    return Said(tuple(claims), tuple(unread))
