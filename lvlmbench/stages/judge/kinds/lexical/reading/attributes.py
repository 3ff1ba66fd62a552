"""What is said of things: colors, materials, sizes, states; ages, hair and faces of people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Sheet
from lvlmbench.stages.judge.kinds.lexical.reading.lines import QUOTED
from lvlmbench.stages.judge.kinds.lexical.reading.sight import NOBODY, Who
from lvlmbench.stages.judge.kinds.lexical.reading.things import NOUNS, Page, Thing

#: Nouns that name nothing beside the color before them: "a red one", "in a bright shade of red".
_BARE = frozenset({"color", "colour", "shade", "hue", "tone", "one", "ones", "tint", "finish"})
_PREDICATES = ("acomp", "attr", "oprd", "xcomp")
_COLORED = frozenset({"in", "of", "as"})
_AGED = re.compile(r"\d{1,3}(?:-\d{1,3})?(?:s|\+)?\Z")
_DECADES = {"teens": "teenager", "twenties": "adult", "thirties": "adult", "forties": "adult",
            "fifties": "adult", "sixties": "elderly", "seventies": "elderly",
            "eighties": "elderly"}  # fmt: skip


class Attributes:
    """Reads what describes things on one page."""

    def __init__(self, sheet: Sheet, page: Page) -> None:
        self.sheet, self.page, self.sight = sheet, page, sheet.sight
        self.lexicon = sheet.sight.lexicon

    def read(self) -> None:
        """Add what the page says."""
        for thing in self.page.things:
            who = self.sight.of(self.page, self.page.tokens[thing.last])
            if who.things:
                self._told(thing, who)
        for token in self.page.tokens:
            if self.sheet.free(self.page, token.i) and token.i not in self.page.by:
                self._word(token.i)

    def _told(self, thing: Thing, who: Who) -> None:
        """What stands before a noun."""
        if thing.role == "person":
            for relation, value in self.lexicon.says.get(thing.name, ()):
                young = relation == "age" and any(self._age(self.page.low[t.i]) for t in thing.told)
                if not young:
                    self._say(who, thing.first, thing.last, relation, value)
        told = [token.i for token in thing.told if self.sheet.free(self.page, token.i)]
        for first, last in self._phrases(told):
            self._tell(who, first, last, thing)

    def _phrases(self, told: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Words that describe, with the shades before them: "dark blue"."""
        shades = self.lexicon.lists["adjectives.shades"]
        begin: int | None = None
        for n, i in enumerate(told):
            after = told[n + 1] if n + 1 < len(told) else None
            near = after is not None and (after == i + 1 or self.page.low[i + 1 : after] == ["-"])
            colors = near and self.lexicon.kind(self.page.low[after or 0]) == "color"
            if self.page.low[i] in shades and colors:
                begin = i if begin is None else begin
                continue
            yield (i if begin is None else begin), i
            begin = None

    def _tell(self, who: Who, first: int, last: int, thing: Thing | None = None) -> None:
        """Say of a thing what an adjective does."""
        low = self.page.low[last]
        person = any(each.role == "person" for each in who.things)
        kind = self.lexicon.kind(low)
        if person and kind != "expression":
            if low in self.lexicon.maps["people.genders"]:
                self._say(who, first, last, "gender", self.lexicon.maps["people.genders"][low])
                return
            if age := self._age(low):
                self._say(who, first, last, "age", age)
                return
            if low in self.lexicon.lists["people.race"] and kind in ("color", "other", None):
                self._say(who, first, last, "race", low)
                return
        if kind is None or low in ("young",):
            return
        if thing is not None and self._of_body(thing, who, first, last, kind):
            return
        value = self._value(first, last)
        if kind == "color" and person:
            return  # "a man in red": of his clothes, it does not say which
        self._say(who, first, last, kind, value)

    def _of_body(self, thing: Thing, who: Who, first: int, last: int, kind: str) -> bool:
        """Whether a thing is the hair or the beard of somebody."""
        if thing.name not in ("hair", "beard", "mustache", "goatee"):
            return False
        owner = self.owner(thing)
        thing.silent = bool(owner.things)
        relation = "hair" if thing.name == "hair" else "beard"
        self._say(owner, first, last, relation, self._value(first, last))
        return True

    def owner(self, thing: Thing) -> Who:
        """Return whose hair or hand something is."""
        doc, page = self.page.doc, self.page
        for i in range(thing.begin, thing.first):
            if doc[i].tag_ == "PRP$":
                return self.sight.of(page, doc[i])
        who = self.sight.subject(page, thing.token)
        people = tuple(each for each in who.things if each.alive)
        if people:
            return Who(people, who.sure)
        begin, _ = page.sentence(thing.first)
        near = [
            t.root for t in page.things if begin <= t.first < thing.first and t.role == "person"
        ]
        topic = self.sight.topic(page)
        near = near or ([topic] if topic is not None and topic.role == "person" else [])
        return Who((near[-1],), len({id(t) for t in near}) == 1) if near else NOBODY

    def _value(self, first: int, last: int) -> str:
        words = [self.page.low[i] for i in range(first, last + 1) if self.page.low[i] != "-"]
        return " ".join(words)

    def _say(self, who: Who, first: int, last: int, relation: str, value: str) -> None:
        kind = relation
        for thing in who.things:
            if kind in ("gender", "age"):
                thing.say(kind, value)
            elif kind == "color":
                thing.say("color", value)
        self.sheet.say("attribute", who, self.page, first, last, relation, None, value)

    def _age(self, low: str) -> str | None:
        found = self.lexicon.maps["people.ages"].get(low)
        return found if found or not low.endswith("-aged") else "adult"

    def _word(self, i: int) -> None:
        """A word that stands before no noun."""
        page, low = self.page, self.page.low
        token, word = page.tokens[i], low[i]
        if token.text == QUOTED:
            return
        if (
            word in _DECADES
            or _AGED.match(word)
            or "year" in word
            or low[i + 1 : i + 2] == ["years"]
        ):
            self._years(i)
            return
        after = page.tokens[i + 1] if i + 1 < len(page.tokens) else token
        apart = after.i not in page.by and after.head.i != i and not after.is_sent_start
        if after.i > i and after.tag_ in NOUNS and apart and low[i + 1] not in _BARE:
            return
        kind = self.lexicon.kind(word)
        plain = word in self.lexicon.maps["people.genders"] or self._age(word)
        if word == "old" and i and low[i - 1].startswith("year"):
            return
        if kind is None and not plain:
            return
        shades = self.lexicon.lists["adjectives.shades"]
        first = i
        while first and low[first - 1] in shades and page.sentence(first - 1) == page.sentence(i):
            first -= 1
        if word in shades and i + 1 < len(low) and self.lexicon.kind(low[i + 1]) == "color":
            return
        who = self._said_of(i, kind)
        if not who.things:
            return
        if (
            kind == "color"
            or plain
            or token.dep_ in (*_PREDICATES, "conj", "appos", "ROOT", "amod")
        ):
            self._tell(who, first, i)

    def _said_of(self, i: int, kind: str | None) -> Who:
        """What a word that stands before no noun is said of."""
        page, token = self.page, self.page.tokens[i]
        at = token
        while at.dep_ in ("conj", "amod", "compound", "nmod") and at.head.i not in page.by and (
            at.head.i != at.i and (self.lexicon.kind(page.low[at.head.i]) is not None
                                   or page.low[at.head.i] in _BARE)
        ):  # fmt: skip
            at = at.head
        above = at.head
        if above.i in page.by and at.dep_ in (
            "amod",
            "appos",
            "acl",
            "conj",
            "nmod",
            "relcl",
            "compound",
        ):
            thing = page.by[above.i]
            if above.i < i and (at.dep_ != "conj" or kind == "color"):
                return self.sight.of(page, above)
            return self._next(i, thing) if above.i > i else NOBODY
        if at.dep_ in _PREDICATES or (at.dep_ == "ROOT" and page.line.topic is not None):
            return self.sight.subject(page, at) if at.dep_ != "ROOT" else self._topic()
        if at.dep_ == "pobj" and page.low[above.i] in _COLORED:
            return self.sight.subject(page, above)
        return self._near(i) if kind == "color" else NOBODY

    def _next(self, i: int, thing: Thing) -> Who:
        """ "Striped, a flag": an adjective apart from a noun behind it; a list is none."""
        apart = any(each in (",", "and") for each in self.page.low[i + 1 : thing.begin])
        return NOBODY if apart else self.sight.of(self.page, self.page.tokens[thing.last])

    def _topic(self) -> Who:
        topic = self.sight.topic(self.page)
        return Who((topic,), not topic.loose) if topic is not None else NOBODY

    def _near(self, i: int) -> Who:
        """ "A car, red" and "car (red)": the noun right before, signs between."""
        page, at = self.page, i - 1
        begin, _ = page.sentence(i)
        skipped = 0
        while at >= begin and skipped < 4 and at not in page.by:
            word = page.low[at]
            plain = word in (",", "(", "-", ":", "and", "in") or self.lexicon.kind(word) is not None
            plain |= page.tokens[at].tag_ == "RB"
            if not plain and word not in self.lexicon.lists["adjectives.shades"]:
                return NOBODY
            at, skipped = at - 1, skipped + 1
        if at >= begin and at in page.by and page.low[at + 1] in (",", "(", "-", ":"):
            return self.sight.of(page, page.tokens[at])
        return NOBODY

    def _years(self, i: int) -> None:
        """ "In her 30s", "about ten years old"."""
        low, page = self.page.low, self.page
        after = low[i + 1 : i + 4]
        age = _DECADES.get(low[i])
        number = re.match(r"\d+", self.lexicon.maps["lemmas.numbers"].get(low[i], low[i]))
        decade = low[i].endswith("s") and low[i][:-1].isdigit()
        years = any(word.startswith("year") or word == "old" for word in after) or "year" in low[i]
        told = page.line.topic is not None and i < 4 and page.added(0)
        if age is None and number and (decade or years or told):
            n = int(number[0])
            age = "child" if n < 13 else "teenager" if n < 20 else "adult" if n < 60 else "elderly"
        if age is None:
            return
        token = page.tokens[i]
        poss = [page.tokens[j] for j in range(max(0, i - 4), i) if page.tokens[j].tag_ == "PRP$"]
        who = self.sight.of(page, poss[-1]) if poss else self.sight.subject(page, token)
        people = tuple(each for each in who.things if each.role == "person")
        self._say(Who(people, who.sure), i, i, "age", age)
