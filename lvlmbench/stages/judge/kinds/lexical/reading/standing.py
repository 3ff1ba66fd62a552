"""Where things are: relations, parts of the picture; how many there are, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Sheet
from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import Lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.model import base
from lvlmbench.stages.judge.kinds.lexical.reading.sight import NOBODY, Who
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Page, Thing
from lvlmbench.stages.judge.kinds.lexical.reading.words import relation_matcher

if TYPE_CHECKING:
    from spacy.tokens import Token

_PICTURE = frozenset(("image", "picture", "scene", "photo", "frame", "canvas", "composition", "row",
                      "page", "illustration", "drawing", "panel"))  # fmt: skip
_SIDES = {"left": "left_of", "right": "right_of", "top": "above", "bottom": "below"}
_TARGET_ENDS = frozenset({".", ":", "(", ")"})


class Standing:
    """Reads relations, places and numbers on one page."""

    def __init__(self, sheet: Sheet, page: Page) -> None:
        self.sheet, self.page, self.sight = sheet, page, sheet.sight
        self.lexicon: Lexicon = sheet.sight.lexicon
        self._latest = (0, NOBODY)  # the last word of the latest relation, and what stands so

    def read(self) -> None:
        """Add what the page says."""
        self._counts()
        taken = {*self._places()}
        for token in self.page.tokens:
            if token.tag_[:2] == "VB" and token.i not in self.page.by:
                self._verb(token)
        for first, end, name in self._found():
            if not taken & {*range(first, end)}:
                self._relation(first, end, name)

    def _found(self) -> Iterator[tuple[int, int, str]]:
        from spacy.util import filter_spans

        spans = filter_spans(relation_matcher()(self.page.doc, as_spans=True))
        return ((span.start, span.end, span.label_) for span in spans)

    # Numbers

    def _counts(self) -> None:
        for thing in self.page.things:
            if thing.count is None or thing.role in SETTING or thing.same is not None:
                continue
            if thing.count > 1 or thing.determiner not in ("the",):
                number = next((i for i in range(thing.begin, thing.first)
                               if self._number(i) == thing.count), thing.first)  # fmt: skip
                who = Who((thing,), not thing.loose)
                self.sheet.say("count", who, self.page, number, number, "count", None,
                               str(thing.count), thing.last)  # fmt: skip

    def _number(self, i: int) -> int | None:
        low = self.page.low[i]
        number = self.lexicon.maps["lemmas.numbers"].get(base(low, "noun"), low)
        return int(number) if number.isdecimal() else None

    # Places

    def _places(self) -> Iterator[int]:
        """Say which things are in which part of the picture; yield the words that do."""
        page, first = self.page, 0
        if page.line.place is not None:
            self._sited(page.line.place)
        while first < len(page.low):
            end, sides = self._sides(first)
            value = self.lexicon.place(page.low[first:end]) if sides else None
            if value is None or not self._of_picture(first, end):
                if (
                    value is not None
                    and len(value.split()) > 1
                    and page.low[end : end + 1] == ["of"]
                ):
                    for side in value.split():
                        self._relation(first, end + 1, _SIDES.get(side, "next_to"))
                    yield from range(first, end + 1)
                first = max(first + 1, end if sides and value is None else first + 1)
                continue
            who = self._sited_at(first, end)
            if who.things:
                for each in who.things:
                    each.say("place", value)
                self.sheet.say("place", who, page, first, end - 1, "at", None, value, first)
                yield from range(first, end)
            first = end

    def _sides(self, first: int) -> tuple[int, list[int]]:
        """Where words for a part of the picture end that begin here, and those that name a side."""
        low, at, sides = self.page.low, first, list[int]()
        if low[first] not in ("in", "on", "at", "to", "from", "near", "towards", "toward", "along"):
            before = low[first - 1] if first else ","
            bare = (
                before in (",", "(", "is", "are", ":", "-", "and", "/") or first - 1 in self.page.by
            )
            bare |= low[first] in ("leftmost", "rightmost", "topmost", "bottommost")
            if self.lexicon.place([low[first]]) is None or not bare:
                return first, []
        around = self.lexicon.lists["relations.around"]
        while at < len(low) and (low[at] in around or self.lexicon.place([low[at]]) is not None):
            if self.page.by.get(at) is not None and low[at] not in around:
                break
            if at > first and low[at] in ("in", "on", "at", "to", "and", "is", "from") and sides:
                break
            if self.lexicon.place([low[at]]) is not None:
                sides.append(at)
            at += 1
        while at > first and low[at - 1] in ("of", "the", "a", "in", "on", "at", "and", "is", "to"):
            at -= 1
        return at, sides

    def _of_picture(self, first: int, end: int) -> bool:
        """Whether a side is one of the picture, not of a thing: "on the left of the dog"."""
        low, page = self.page.low, self.page
        words = low[first:end]
        if low[end : end + 1] == ["of"]:
            return bool({*low[end + 1 : end + 4]} & _PICTURE)
        if len(words) > 1 and words[-2] in self.lexicon.maps["people.pronouns"]:  # "on its left"
            return False
        if words[0] in ("to", "from") and "image" not in words and "picture" not in words:
            return words[:3] == ["to", "the", "far"]
        if end < len(low) and page.tokens[end].i in page.by and words[0] not in ("in", "on", "at"):
            return words[0] in ("leftmost", "rightmost", "topmost", "bottommost")
        if end < len(low) and low[end] in ("hand", "arm", "leg", "foot", "knee", "hands", "arms"):
            return False
        thing = page.by.get(end)
        if thing is not None and thing.first <= end and words[-1] not in ("corner", "side", "part"):
            return low[end - 1] == "side" or page.tokens[end - 1].head.i != page.tokens[end].i
        return True

    def _sited(self, place: str) -> None:
        """Put what a line names first at the place of its section."""
        things = [t for t in self.page.things if t.role not in SETTING and t.wearer is None]
        if not things:
            return
        first, found = things[0], self._joined(things[0])
        for each in found.things:
            each.say("place", place)
        self.sheet.say("place", found, self.page, first.first, first.last, "at", None, place)

    def _sited_at(self, first: int, end: int) -> Who:
        """What stands in a part of the picture that some words name."""
        page = self.page
        begin, stop = page.sentence(first)
        token = page.tokens[first]
        before = [t for t in page.things if begin <= t.first < first and t.role not in SETTING]
        leads = not [t for t in before if t.wearer is None] and all(
            page.tokens[i].tag_ in (",", "CC", "RB", "IN", ":") for i in range(begin, first)
        )
        if leads or (
            page.low[first - 1] in (",", "and", "while") and self._opens(first, end, stop)
        ):
            return self._coming(end, stop)
        near = before[-1] if before else None
        if near is not None and near.last + 2 >= first and near.wearer is None:
            return self.sight.all_of(page, page.tokens[near.last])
        who = self.sight.subject(page, token)
        if who.things and not any(t.wearer for t in who.things):
            return who
        topic = self.sight.topic(page)
        return Who((topic,), not topic.loose) if topic is not None else NOBODY

    def _opens(self, first: int, end: int, stop: int) -> bool:
        """Whether a clause begins with words: "… and on the right is a dog"."""
        return end < stop and self.page.low[end] in (
            ",", "is", "are", "there", "stands", "sits", "we", "a", "an", "two", "three",
        )  # fmt: skip

    def _coming(self, end: int, stop: int) -> Who:
        """What is named next, with what it is coordinated with, before a verb of its own."""
        page = self.page
        after = [t for t in page.things if end <= t.begin < stop and t.role not in SETTING]
        after = [t for t in after if t.wearer is None]
        if not after:
            return NOBODY
        return self._joined(([t for t in after if t.token.dep_ != "pobj"] or after)[0])

    def _joined(self, first: Thing) -> Who:
        """A thing with those that are coordinated with it."""
        every = [self.page.by.get(t.i) for t in (first.token, *first.token.conjuncts)]
        things = dict.fromkeys(t.root for t in (first, *every) if t and t.wearer is None)
        return Who(tuple(things), not any(each.loose for each in things))

    # Relations

    def _relation(self, first: int, end: int, name: str) -> None:
        """Say how things stand to each other by one phrase."""
        page = self.page
        own = name.startswith("own ")
        name = name.removeprefix("own ")
        before = [t for t in page.things if t.last < first and t.role not in SETTING][-2:]
        held = len(before) == 2 and page.low[before[1].begin - 1] == "with"
        if held and page.low[end : end + 1] == ["it"] and before[1].last == first - 1:
            whose = Who((before[1].root,), not before[1].root.loose)  # "a sofa with a dog on it"
            self._say(whose, before[0].root, name, first, end, not before[0].root.loose)
            return
        vague = page.low[first] in ("in", "into", "by", "around", "on", "against")
        if vague and name in ("on", "inside", "next_to") and not self._concrete(end):
            return
        if own:
            self._turned(first, end, name)
            return
        begin, stop = page.sentence(first)
        if page.low[end : end + 1] == ["which"]:  # "a desk, beneath which a dog sits"
            targets = Who(tuple(t.root for t in before[-1:]))
            who = self._coming(end + 1, stop)
        else:
            targets = self._target(end)
            who = self._who(first, end, begin, stop, targets) if targets.things else NOBODY
        who = Who(tuple(t for t in who.things if t not in targets.things), who.sure)
        if not who.things or any(t.wearer is not None for t in (*who.things, *targets.things)):
            return
        self.sheet.use(page, first, end - 1)
        self._latest = (self._last(targets, end), who)
        if name == "between":
            if len(targets.things) > 1:
                self._say(
                    who, targets.things[0], name, first, end, targets.sure, targets.things[1].name
                )
            return
        said, low = [(name, first, end)], page.low
        at = after = self._last(targets, end) + 1
        while at < stop and (page.tokens[at].tag_ in (",", "CC", "RB") or low[at] in ("a", "bit")):
            at += 1
        for n, link in ((1, "than"), (3, "of")) if at > after else ():
            # "left of the cup and a bit higher"
            more = self.lexicon.phrases.get((*low[at : at + n], link), "")
            if more in _SIDES.values() and low[at + n : at + n + 1] != [link]:
                said.append((more, at, at + n))
        for relation, one, other in said:
            for each in targets.things:
                self._say(who, each, relation, one, other, targets.sure)

    def _verb(self, token: Token) -> None:
        """What a verb says: "the jar contains a key", "a girl holding a cup"."""
        name = self.lexicon.maps["relations.verbs"].get(base(self.page.low[token.i], "verb"))
        objects = [c for c in token.children if c.dep_ == "dobj" and c.i > token.i]
        if name in (None, "None") or not objects:
            return
        others, body = self.sight.all_of(self.page, objects[0]), self.lexicon.lists["people.body"]
        who = self.sight.subject(self.page, token)
        for each in others.things:
            if each in who.things or any(t.wearer is not None for t in (*who.things, each)):
                continue
            if name == "contains":
                found = Who((each,), others.sure and who.sure)
                for one in who.things:
                    self._say(found, one, "inside", token.i, token.i + 1, True)
            elif name != "holds" or (any(t.alive for t in who.things) and each.name not in body):
                self._say(who, each, name or "", token.i, token.i + 1, others.sure)

    def _say(
        self, who: Who, other: Thing, name: str, first: int, end: int, sure: bool,
        third: str | None = None,
    ) -> None:  # fmt: skip
        found = Who(who.things, who.sure and sure)
        self.sheet.say("relation", found, self.page, first, end - 1, name, other, third, first)

    def _concrete(self, end: int) -> bool:
        """Whether what follows "in" or "on" is a thing, not clothes, a color or a part."""
        low = self.page.low
        at = end
        while at < len(low) and (low[at] in ("a", "an", "the", "its") or at not in self.page.by):
            if self.lexicon.place([low[at]]) is not None or low[at] in _TARGET_ENDS:
                return False
            if at - end > 4:
                return False
            at += 1
        thing = self.page.by.get(at)
        body = self.lexicon.lists["people.body"]
        return thing is not None and thing.role != "clothes" and thing.name not in body

    def _target(self, end: int) -> Who:
        """What a phrase names behind it."""
        page = self.page
        if end >= len(page.low):
            return NOBODY
        if page.low[end] in self.lexicon.maps["people.pronouns"] or page.low[end] == "both":
            return self.sight.of(page, page.tokens[end])
        for thing in page.things:
            if thing.begin <= end <= thing.last and thing.role not in SETTING:
                return self._all(thing)
        return NOBODY

    def _all(self, thing: Thing) -> Who:
        """A thing with those that are listed behind it."""
        page, found, listed = self.page, [thing], 1
        while True:
            at = found[-1].last + 1
            while at < len(page.low) and page.low[at] in (",", "and"):
                at += 1
            after = next((t for t in page.things if t.begin == at and t is not found[-1]), None)
            joined = page.low[found[-1].last + 1 : at]
            if after is None or not joined or after.role in SETTING:
                break
            if joined[-1] == "and" and self._clause(after):
                break
            found.append(after)
            listed = len(found) if joined[-1] == "and" else listed
        found = found[:listed]  # "A, B and C", but "on A, B is …"
        sure = all(not each.root.loose for each in found)
        return Who(tuple(each.root for each in found), sure)

    def _clause(self, thing: Thing) -> bool:
        """Whether a thing begins a clause: "and a dog sits …"."""
        return thing.token.dep_ in ("nsubj", "nsubjpass") and thing.token.head.i > thing.last

    def _who(self, first: int, end: int, begin: int, stop: int, targets: Who) -> Who:
        """What stands so: what follows where the phrase opens a clause, else what came before."""
        page, low = self.page, self.page.low
        inside = [i for i in range(begin, first) if low[i] in ("(", ")")]
        if inside and low[inside[-1]] == "(" and inside[-1] - 1 in page.by:
            return self.sight.of(page, page.tokens[inside[-1] - 1])
        opens = (
            first == begin
            or low[first - 1] in (",", "and", "while", ":")
            or (first - 1 == begin and low[begin] in ("and", "just", "directly", "also"))
        )
        last = self._last(targets, end)
        if opens and last + 1 < stop and self._inverted(last + 1, stop):
            return self._coming(last + 1, stop)
        at, latest = self._latest
        joined = page.tokens[at + 1 : first]
        if at >= begin and joined and all(t.tag_ in (",", "CC", "RB") for t in joined):
            return latest  # "behind the car and left of the tree"
        who = self.sight.subject(page, page.tokens[first])
        before = [t for t in page.things if begin <= t.first < first and t.role not in SETTING]
        if not who.things:
            topic = self.sight.topic(page)
            if topic is not None:
                return Who((topic,), not topic.loose)
            plain = [t for t in before if t.wearer is None]
            return Who((plain[-1].root,), len(plain) == 1) if plain else NOBODY
        return who

    def _last(self, targets: Who, end: int) -> int:
        ends = [t.last for t in self.page.things if t.root in targets.things and t.first >= end]
        return max(ends, default=end)

    def _inverted(self, at: int, stop: int) -> bool:
        """Whether a verb or an article comes next: "Next to it is a dog", "behind it, a dog"."""
        low, doc = self.page.low, self.page.doc
        if low[at] == ",":
            at += 1
        if at >= stop:
            return False
        until = next((t.begin for t in self.page.things if t.begin >= at), stop)
        said = next((i for i in range(at, until) if low[i] in ("there", "we", "you", "i")), None)
        if said is not None and not any(t.tag_[:2] == "VB" for t in self.page.tokens[at:said]):
            return True
        return doc[at].tag_ in ("VBZ", "VBP", "VBD") and not any(
            t.last < at and t.token.dep_ in ("nsubj", "nsubjpass") and t.token.head.i == at
            for t in self.page.things
        )

    def _turned(self, first: int, end: int, name: str) -> None:
        """ "To its left is a dog": the pronoun stands for the other thing."""
        page = self.page
        begin, stop = page.sentence(first)
        said = [
            page.tokens[i]
            for i in range(first, end)
            if page.low[i] in self.lexicon.maps["people.pronouns"]
        ]
        whose = self.sight.of(page, said[0]) if said else NOBODY
        if not whose.things:
            return
        opens = first == begin or page.low[first - 1] in (",", "and", "while")
        if opens and end < stop and self._inverted(end, stop):
            who = self._coming(end, stop)
        else:
            before = [
                t for t in page.things if begin <= t.first < first and t.root not in whose.things
            ]
            near = before[-1] if before else None
            own = self.sight.subject(page, page.tokens[first])
            if near is not None and near.token.dep_ == "pobj" and whose.things[0] in (
                *own.things, self.sight.topic(page)
            ):  # fmt: skip
                self._say(whose, near.root, name, first, end, not near.root.loose)
                return
            who = NOBODY if near is None else Who((near.root,), not near.loose and len(before) < 3)
        who = Who(
            tuple(t for t in who.things if t not in whose.things and t.wearer is None), who.sure
        )
        if who.things:
            self._say(who, whose.things[0], name, first, end, whose.sure)
