"""What people wear, hold and do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sheet
from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import FOLDER
from lvlmbench.stages.judge.kinds.lexical.reading.model import base
from lvlmbench.stages.judge.kinds.lexical.reading.sight import NOBODY, Who
from lvlmbench.stages.judge.kinds.lexical.reading.things import Page, Thing

if TYPE_CHECKING:
    from spacy.tokens import Token

#: Verbs that tell no action.
_STILL = frozenset((
    "stand", "be", "have", "wear", "hold", "carry", "show", "appear", "seem", "look", "face",
    "do", "make", "place", "position", "depict", "feature", "can", "see", "pose", "dress",
    "include", "use", "display", "grip", "clutch", "give", "take", "keep", "suggest",
    "indicate", "complete", "pair", "tie", "cover", "match", "contrast", "locate", "smile",
    "style", "get", "put", "let",
))  # fmt: skip
_WORN = ("with", "in", "of", "from")
#: How far the words of a pose may stand apart.
_REACH = 6


@cache
def poses() -> dict[str, list[list[frozenset[str]]]]:
    """Return the ways to say how a body is held."""
    content = read_yaml(FOLDER / "poses.yaml")
    assert isinstance(content, dict)
    return {
        str(name): [[frozenset(map(str, group)) for group in way] for way in ways]
        for name, ways in content.items()
    }


@cache
def _keys() -> frozenset[str]:
    """Words that ways to hold a body are found by."""
    return frozenset().union(*(way[0] for ways in poses().values() for way in ways))


class People:
    """Reads what is said of people on one page."""

    def __init__(self, sheet: Sheet, page: Page) -> None:
        self.sheet, self.page, self.sight = sheet, page, sheet.sight
        self.lexicon = sheet.sight.lexicon
        self.worn: dict[int, Who] = {}

    def dress(self) -> None:
        """Say who wears the clothes of the page; others are things."""
        for thing in self.page.things:
            if thing.role != "clothes":
                continue
            who = self._wearer(thing)
            before = tuple(t for t in who.things if (t.line, t.first) < (thing.line, thing.first))
            who = Who(before or who.things, who.sure)  # "a girl in a hat runs, and a boy"
            if who.things:
                self.worn[thing.last] = who
                thing.wearer = who.things[0]

    def _wearer(self, thing: Thing) -> Who:
        page, doc = self.page, self.page.doc
        for i in range(thing.begin, thing.first):
            if doc[i].tag_ == "PRP$":
                who = self.sight.of(page, doc[i])
                return who if any(t.role == "person" for t in who.things) else NOBODY
            if page.low[i] in ("'s", "'"):
                return self.sight.of(page, doc[i - 1])
        topic = self.sight.topic(page)
        if topic is not None and topic.role != "person":
            return NOBODY
        at = thing.token
        for _ in range(10):
            above = at.head
            if above.i == at.i or page.sentence(above.i) != page.sentence(at.i):
                break
            if above.i in page.by:
                found = page.by[above.i]
                if found.role == "person" and found.first < thing.first:
                    return self.sight.all_of(page, above)
                if found.role not in ("clothes", "person") and at.dep_ in ("pobj", "prep"):
                    break
            if above.tag_[:2] in ("VB", "MD"):
                who = self.sight.subject(page, at)
                if who.things:
                    alive = tuple(each for each in who.things if each.role == "person")
                    if alive or base(page.low[above.i], "verb") != "be":
                        return Who(alive, who.sure) if alive else self._only(thing, wear=True)
            at = above
        return self._only(thing)

    def _only(self, thing: Thing, wear: bool = False) -> Who:
        """The one person of the sentence, or of the line's topic."""
        page = self.page
        begin, _ = page.sentence(thing.first)
        topic = self.sight.topic(page)
        before = [t for t in page.things if begin <= t.first < thing.first]
        near = [t.root for t in before if t.role == "person"]
        if topic is not None and topic.role == "person":
            return Who((topic,), not topic.loose)
        if near:
            sure = len({id(t) for t in near}) == 1
            return Who((near[-1],), sure and not near[-1].loose)
        said = [
            page.tokens[i] for i in range(begin, thing.first)
            if page.low[i] in self.lexicon.maps["people.pronouns"]
        ]  # fmt: skip
        for token in reversed(said):
            who = self.sight.of(page, token)
            if any(each.role == "person" for each in who.things):
                return who
        return NOBODY

    def garments(self) -> Iterator[Draft]:
        """Yield who wears what, in which color."""
        for thing in self.page.things:
            who = self.worn.get(thing.last)
            if who is None:
                continue
            own = [d for d in self.sheet.said if d.subject is thing.root and d.relation == "color"]
            colors = list(dict.fromkeys(d.value for d in own if d.value))
            if thing.same is not None and not colors:
                continue
            told = own[0] if own else None
            first = min([thing.first, *(d.first for d in own if d.page is self.page)])
            self.sheet.said = [d for d in self.sheet.said if d not in own]
            self.sheet.use(self.page, first, thing.last)
            denied = self.sight.denied(self.page, self.page.tokens[thing.last])
            for wearer in who.things:
                yield Draft(
                    "garment", wearer, self.page, first, thing.last, "wears", thing,
                    " and ".join(colors) or None, denied or wearer.negated,
                    self.sight.hedged(self.page, self.page.tokens[thing.last]),
                    who.sure and (told is None or told.sure),
                )  # fmt: skip

    def act(self) -> None:
        """Say what people and animals do."""
        doc, taken = self.page.tokens, set[tuple[int, str]]()
        for token in doc:
            for name, last in self._pose(token):
                who = self._actor(token)
                if who.things and (id(who.things[0]), name) not in taken:
                    taken.add((id(who.things[0]), name))
                    first, end = sorted((token.i, last))
                    self.sheet.say(
                        "action", who, self.page, first, end, "does", None, name, token.i
                    )
        for token in doc:
            self._verb(token, {who for who, _ in taken})

    def _pose(self, token: Token) -> Iterator[tuple[str, int]]:
        """How a body is held, by a word for a part of it."""
        page = self.page
        word = self._bases(token.i)
        if word.isdisjoint(_keys()):
            return
        begin, end = page.sentence(token.i)
        for name, ways in poses().items():
            for key, *others in ways:
                if not key & word:
                    continue
                if not others:
                    if token.tag_[:2] == "VB" or token.dep_ in ("ROOT", "acl", "amod"):
                        yield name, token.i
                        break
                    continue
                near = [
                    i for i in range(max(begin, token.i - _REACH), min(end, token.i + _REACH + 1))
                    if i != token.i and not self._parted(token.i, i)
                ]  # fmt: skip
                found = [[i for i in near if self._bases(i) & group] for group in others]
                if all(found):
                    yield name, found[0][0]
                    break

    def _bases(self, i: int) -> set[str]:
        low = self.page.low[i]
        return {low, base(low, "noun"), base(low, "verb")}

    def _parted(self, one: int, other: int) -> bool:
        """Whether a clause ends between two words, or another part of the body stands there."""
        first, last = sorted((one, other))
        between = self.page.low[first + 1 : last]
        body = self.lexicon.lists["people.body"]
        worn = any(t.role == "clothes" and first < t.first <= last for t in self.page.things)
        return worn or "," in between or any(base(w, "noun") in body for w in between)

    def _actor(self, token: Token) -> Who:
        """Who holds a body so: the subject, else the one person of the sentence."""
        page = self.page
        poss = [c for c in token.children if c.tag_ == "PRP$"]
        if poss:
            who = self.sight.of(page, poss[0])
            if any(each.role == "person" for each in who.things):
                return who
        head = page.by.get(token.head.i)
        if token.dep_ == "amod" and head is not None and head.role == "person":
            return self.sight.of(page, token.head)
        who = self.sight.subject(page, token)
        people = tuple(each for each in who.things if each.role == "person")
        if people:
            return Who(people, who.sure)
        begin, end = page.sentence(token.i)
        topic = self.sight.topic(page)
        if topic is not None and topic.role == "person":
            return Who((topic,), not topic.loose)
        near = [t.root for t in page.things if begin <= t.first < end and t.role == "person"]
        before = [t.root for t in page.things if begin <= t.first < token.i and t.role == "person"]
        if not near:
            return NOBODY
        return Who(((before or near)[-1],), len({id(t) for t in near}) == 1)

    def _verb(self, token: Token, posed: set[int]) -> None:
        """An action that a verb tells."""
        page, low = self.page, self.page.low
        moves = (
            low[token.i].endswith("ing")
            and self._bases(token.i) & self.lexicon.lists["people.moves"]
        )
        if (
            (token.tag_[:2] != "VB" and not moves)
            or not self.sheet.free(page, token.i)
            or token.i in page.by
        ):
            return
        verb = self.lexicon.maps["lemmas.verbs"].get(low[token.i]) or base(low[token.i], "verb")
        face = self.lexicon.maps["people.expression_verbs"].get(verb)
        if (verb in _STILL and not face) or token.dep_ in ("aux", "auxpass") or token.tag_ == "VBN":
            return
        who = self._doer(token)
        if not who.things:
            return
        if face:
            self.sheet.say("attribute", who, page, token.i, token.i, "expression", None, face)
            return
        if any(id(each) in posed for each in who.things):
            return
        objects = [c for c in token.children if c.dep_ == "dobj" and c.i > token.i]
        what, last = verb, token.i
        if objects:
            noun = self._noun(objects[0])
            if noun is None:
                return
            what, last = f"{verb} {noun}", objects[0].i
        self.sheet.say("action", who, page, token.i, token.i, "does", None, what, last)

    def _doer(self, token: Token) -> Who:
        page = self.page
        if token.dep_ == "amod":
            who = self.sight.of(page, token.head)
        elif token.dep_ in ("acl", "relcl") and token.head.i in page.by:
            who = self.sight.all_of(page, token.head)
            if not any(each.alive for each in who.things):  # "a boy with red hair who jumps"
                who = self.sight.subject(page, token.head)
        else:
            who = self.sight.subject(page, token)
            direct = [c for c in token.children if c.dep_ == "nsubj"]
            if direct:
                who = self.sight.all_of(page, direct[0])
        alive = tuple(each for each in who.things if each.alive)
        topic = self.sight.topic(page)
        if not who.things and topic is not None and topic.alive:
            return Who((topic,), not topic.loose)
        return Who(alive, who.sure) if alive else NOBODY

    def _noun(self, token: Token) -> str | None:
        thing = self.page.by.get(token.i)
        if thing is not None:
            return thing.root.name
        low = self.page.low[token.i]
        return base(low, "noun") if token.tag_ in ("NN", "NNS") else None
