"""In which order of size things are, over all lines of an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Sheet
from lvlmbench.stages.judge.kinds.lexical.reading.model import base
from lvlmbench.stages.judge.kinds.lexical.reading.sight import Who
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Page, Thing

_BE = frozenset({"be", "appear", "seem", "look", "come"})
_LISTED = re.compile(
    r"from (?:the )?(?:very )?(?:larg|big|small|tini)\w+ to (?:the )?\w+|(?:in|by) (?:descending"
    r"|decreasing|ascending|increasing)? ?(?:order of )?size|order of size"
    r"|(?:larg|big|small)\w+ first"
)


class Ranks:
    """Reads in which order of size things are, over all lines."""

    def __init__(self, sheet: Sheet, ordered: bool, up: bool) -> None:
        self.sheet, self.sight = sheet, sheet.sight
        self.lexicon = sheet.sight.lexicon
        self.ends = {
            **dict.fromkeys(self.lexicon.lists["relations.superlatives.largest"], 1),
            **dict.fromkeys(self.lexicon.lists["relations.superlatives.smallest"], -1),
        }
        self.ordered, self.step = ordered, -1 if up else 1
        self.ranked: dict[int, int] = {}
        self.next, self.last, self.gap = 0, (0, 0), False

    def read(self, pages: Sequence[Page]) -> None:
        """Add what the lines say."""
        for page in pages:
            if page.line.order is not None:
                self._rank(page, self._things(page, 0, len(page.low))[:1], page.line.order)
                continue
            told = any(word.rpartition("-")[2] in self.ends or word == "size" for word in page.low)
            for sent in page.doc.sents if told or self.ordered or self.next else ():
                self._sentence(page, sent.start, sent.end)
        self._check()

    def _things(self, page: Page, begin: int, end: int) -> list[Thing]:
        return [t for t in page.things if begin <= t.first < end and t.role not in SETTING]

    def _rank(
        self, page: Page, things: Sequence[Thing], rank: int, at: int | None = None,
        gap: bool = False,
    ) -> None:  # fmt: skip
        """Give a place to a thing, and the next ones to those that follow it."""
        step = 1 if rank > 0 else -1
        for thing in things:
            low, high = sorted((thing.first if at is None else at, thing.last))
            if self.ranked.get(id(thing.root)) == rank:  # "then the cup in third place"
                for draft in self.sheet.of("rank"):
                    if draft.subject.root is thing.root and draft.page is page:
                        draft.first, draft.last = min(draft.first, low), max(draft.last, high)
            if id(thing.root) in self.ranked or thing.negated or thing.plural:
                continue
            self.ranked[id(thing.root)] = rank
            self.gap |= gap
            who = Who((thing.root,), not thing.root.loose and not self.gap)
            self.sheet.say("rank", who, page, low, high, "rank", None, str(rank), thing.last)
            self.last = (page.number, thing.last)
            self.next, self.step = rank + step, step
            rank, at = rank + step, None

    def _sentence(self, page: Page, begin: int, end: int) -> None:
        things = self._things(page, begin, end)
        listed = _LISTED.search(" ".join(page.low[begin:end]))
        if listed:
            up = re.match(
                r"(from )?(the )?(very )?(small|tin)|.*(a|in)scending|.*increasing", listed[0]
            )
            cut = begin + len(" ".join(page.low[begin:end])[: listed.end()].split())
            self.ordered, self.step = True, -1 if up else 1
            self.next = self.step
            if len(things) > 2:
                self._rank(page, [t for t in things if t.first >= cut], self.step)
            return
        verbs = any(t.tag_ in ("VBZ", "VBP", "VBD") for t in page.tokens[begin:end])
        if self.ordered and len(things) > 2 and not verbs and not self.ranked:
            self._rank(page, [t for t in things if not self._beside(page, t)], self.step)
            return
        marks = [(i, self._mark(page, i)) for i in range(begin, end)]
        told = [(i, rank) for i, rank in marks if rank is not None]
        for n, (i, rank) in enumerate(told):
            stop = told[n + 1][0] if n + 1 < len(told) else end
            if rank:
                # "the cup is fifth, and the dog the smallest": each has its own thing
                since = told[n - 1][0] + 1 if n and told[n - 1][1] else begin
                since = since if self._things(page, since, i) else begin
                thing = self._of_end(page, i, since, end)
                if thing is not None:
                    self._rank(page, [thing], rank, i)
            elif self.next:
                self._rank(page, self._chain(page, i, stop), self.next, gap=self._gap(page, i))

    def _beside(self, page: Page, thing: Thing) -> bool:
        """Whether something stands in brackets, or is no thing of the list."""
        before = page.low[thing.begin - 1] if thing.begin else ""
        return before in ("(", "with", "of") or thing.token.dep_ == "compound"

    def _mark(self, page: Page, i: int) -> int | None:
        """A place that a word tells; 0 where it goes on in the order."""
        low, numbers = page.low, self.lexicon.maps["lemmas.ordinals"]
        lead, _, word = low[i].rpartition("-")
        lead = lead or (low[i - 1] if i else "")
        after = low[i + 1] if i + 1 < len(low) else ""
        if word in self.ends and after not in ("part", "half", "of"):
            return int(numbers.get(lead, 1)) * self.ends[word]
        if word in self.ends and after == "of":
            return self.ends[word] * int(numbers.get(lead, 1))
        if (
            low[i] in numbers
            and self.ordered
            and after not in ("row", "person", "column", "one")
            and (after not in self.ends and after.rpartition("-")[2] not in self.ends)
        ):
            return (
                int(numbers[low[i]]) * self.step
                if after in ("place", ".", ",", "in", "would", "by", "might", "could")
                or base(after, "verb") in _BE
                else None
            )
        goes = low[i] in ("then", "afterwards") or (low[i] == "next" and after != "to")
        goes |= low[i] == "after" and after in ("that", "it", "this", "them")
        return 0 if goes or (low[i] == "followed" and "by" in low[i + 1 : i + 4]) else None

    def _of_end(self, page: Page, at: int, begin: int, end: int) -> Thing | None:
        """What is the largest: the noun behind, or what is said to be so; None if not sure."""
        for thing in page.things:
            if thing.begin <= at < thing.first:
                return thing
        low = page.low
        things = self._things(page, begin, end)
        soon = [i for i in range(at + 1, min(at + 6, end)) if base(low[i], "verb") in _BE]
        between = {*low[at + 1 : soon[0]]} if soon else {","}
        if "," not in between and not any(at < t.first < soon[0] for t in things):
            later = [t for t in things if t.first > soon[0]]
            if later:
                return later[0]
        before = [t for t in things if t.last < at]
        after = [t for t in things if t.first > at]
        said = any(base(low[i], "verb") in _BE for i in range(max(begin, at - 7), at))
        if said and before:
            subjects = [t for t in before if t.token.dep_ in ("nsubj", "nsubjpass")]
            return (subjects or before)[-1]
        verb = next(
            (i for i in range(at, end) if base(low[i], "verb") in _BE or low[i] == ":"), None
        )
        if verb is not None and after and after[0].first > verb:
            return after[0]
        return before[-1] if before and not after else None

    def _gap(self, page: Page, at: int) -> bool:
        """Whether something without a place stands between the last one that has a place and a
        word, so that its place may be the next one."""
        return any(
            id(thing.root) not in self.ranked
            for each in self.sight.pages[self.last[0] : page.number + 1]
            for thing in each.things
            if (each.number, thing.first) > self.last
            and (each.number, thing.first) < (page.number, at)
        )

    def _chain(self, page: Page, at: int, stop: int) -> list[Thing]:
        """The first thing behind "then", with those that commas list behind it; before "is next"
        the subject."""
        if page.low[at] == "next" and base(page.low[at - 1], "verb") in _BE:
            return self._things(page, page.sentence(at)[0], at)[-1:]
        things = self._things(page, at + 1, stop)
        found = things[:1]
        for each in things[1:]:
            between = page.low[found[-1].last + 1 : each.begin]
            if not between or {*between} - {",", "and"}:
                break
            found.append(each)
        return found

    def _check(self) -> None:
        """Leave open what gives one place to two things."""
        places = [*self.ranked.values()]
        for draft in self.sheet.of("rank"):
            if places.count(self.ranked.get(id(draft.subject.root), 0)) > 1:
                draft.sure = False
