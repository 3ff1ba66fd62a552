"""Which words of an answer stand for which of its things, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import Lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.model import base
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Page, Thing

if TYPE_CHECKING:
    from spacy.tokens import Token

_BE = frozenset({"be", "appear", "seem", "look"})
_SUBJECTS = ("nsubj", "nsubjpass", "csubj")
#: Ways in which a verb without a subject of its own hangs on one that has one, or on a noun.
_CHAINED = ("conj", "xcomp", "ccomp", "advcl", "acl", "relcl", "pcomp", "prep", "acomp", "attr",
            "oprd", "auxpass", "aux", "dep", "appos", "parataxis")  # fmt: skip


@dataclass(frozen=True)
class Who:
    """What a word stands for; ``sure`` where that cannot be another thing."""

    things: tuple[Thing, ...] = ()
    sure: bool = True


NOBODY = Who()


@dataclass
class Sight:
    """The things of an answer, in order, and what was said of them so far.

    Attributes
    ----------
    pages
        Its lines.
    things
        What is named for the first time.
    last
        Things that the answer has named, the latest last.
    """

    lexicon: Lexicon
    pages: list[Page] = field(default_factory=list)
    things: list[Thing] = field(default_factory=list)
    last: list[Thing] = field(default_factory=list)
    pronouns: dict[tuple[int, int], Who] = field(default_factory=dict)

    def add(self, page: Page) -> None:
        """Take in the next line: say which of its things were named before."""
        self.pages.append(page)
        for thing in page.things:
            if thing.role in SETTING:
                continue
            self._settle(page, thing)
            self.last.append(thing.root)
        if page.line.topic is None and self._led(page):
            page.line.topic = page.number

    def _led(self, page: Page) -> bool:
        """Whether a line tells of one person in pieces: "a bald boy, smiling; blue jacket"."""
        first = range(*page.sentence(0)) if page.tokens else ()
        people = {id(t.root) for t in page.things if t.role == "person"}
        finite = any(page.tokens[i].tag_ in ("VBZ", "VBP", "MD") for i in first)
        led = page.things[0].role == "person" and page.things[0].first in first if people else False
        return led and len(people) == 1 and not finite

    def _settle(self, page: Page, thing: Thing) -> None:
        """Say whether a thing is one that was named before."""
        at = thing.begin - 1
        while at >= 0 and page.tokens[at].tag_ == "RB":
            at -= 1
        thing.loose = at >= 0 and page.low[at] == "or" and not self.denied(page, thing.token)
        own = self._is_said(page, thing) or self._beside(page, thing)
        if own is not None:
            thing.same = own
            for key, value in self.lexicon.says.get(thing.name, ()):
                own.say(key, value)
            return
        again = thing.determiner in ("the", "this", "that", "these", "those", "both")
        ordinal = any(page.low[t.i] in self.lexicon.maps["lemmas.ordinals"] for t in thing.told)
        for token in thing.told:
            thing.says.setdefault("told", set()).add(page.low[token.i])
            if self.lexicon.kind(page.low[token.i]) == "color":
                thing.says.setdefault("color", set()).add(page.low[token.i])
        topic = page.added(thing.begin) and thing.role != "person"  # "Jar: …" behind "… the jar"
        if (again or topic) and not ordinal:
            found = [each for each in self.things if self._may_be(thing, each)]
            if topic:
                found = [each for each in found if each.determiner == "the"]
            place = place_after(page, thing, self.lexicon)
            if len(found) > 1 and place is not None:
                found = [each for each in found if place in each.says.get("place", ())] or found
            known = [each for each in found if not self._tells_more(page, thing, each, place)]
            if len(known) == 1:
                thing.same = known[0]
                return
            thing.loose |= len(known) > 1 or (len(found) > 0 and thing.role != "person")
        self.things.append(thing)

    def _is_said(self, page: Page, thing: Thing) -> Thing | None:
        """What a noun says of something that was named: "the person is a woman", "it is a car"."""
        token = thing.token
        verb = token.head
        if token.dep_ != "attr" or base(page.low[verb.i], "verb") not in _BE:
            return None
        if verb.dep_ in ("xcomp", "ccomp") and not any(c.dep_ in _SUBJECTS for c in verb.children):
            verb = verb.head
        subjects = [c for c in verb.children if c.dep_ in _SUBJECTS and c.i < token.i]
        found = self.of(page, subjects[0]).things if subjects else ()
        if thing.role != "person" and thing.determiner not in ("a", "an"):
            return None
        alive = [each for each in found if (each.role == "person") == (thing.role == "person")]
        return alive[0] if len(alive) == 1 and not thing.plural else None

    def _beside(self, page: Page, thing: Thing) -> Thing | None:
        """Who is told again in brackets: "a woman (adult)"."""
        at = thing.begin - 1
        while at > 0 and page.low[at] not in "()" and at not in page.by:
            at -= 1
        other = page.by.get(at - 1) if at > 0 and page.low[at] == "(" else None
        bare = thing.role == "person" and not thing.determiner and not thing.plural
        return other if bare and other is not None and other.role == "person" else None

    def _tells_more(self, page: Page, thing: Thing, other: Thing, place: str | None) -> bool:
        """Whether a phrase tells what is not yet known of what it would name again."""
        after = page.low[thing.last + 1 : thing.last + 2]
        if thing.role == "person" and after and after[0] in self.lexicon.lists["relations.beside"]:
            return True
        if place is not None and place not in other.says.get("place", ()):
            return thing.role == "person" or "place" in other.says
        known = {page.low[t.i] for t in thing.told} - {"other"}
        kinds = [word for word in known if self.lexicon.kind(word) is not None]
        return any(word not in other.says.get("told", ()) for word in kinds)

    def _may_be(self, thing: Thing, other: Thing) -> bool:
        """Whether a phrase with an article may name what was named before."""
        if other.role in SETTING or thing.plural != other.plural or other.negated:
            return False
        if thing.role == "person":
            one, two = self._people(thing), self._people(other)
            same = all(one[key] & two[key] for key in one.keys() & two.keys())
            grown = [None if "age" in d else "gender" in d for d in (one, two)]  # "man": no child
            ages = [d.get("age") for d in (two, one)]
            same &= not any(g and a == {"child"} for g, a in zip(grown, ages, strict=True))
            return other.role == "person" and same
        general = self.lexicon.maps["nouns.general"].get(thing.name)
        same = thing.name == other.name or other.name.endswith(f" {thing.name}")
        if not same and general is not None and other.role != "person":
            same = other.role == "animal" if general == "animals" else general == "things"
            same = same and other.line in (thing.line, thing.line - 1)
        colors = [each.says.get("color") for each in (thing, other)]
        told = not all(colors) or bool(set.intersection(*[c for c in colors if c]))
        return same and told

    def _people(self, thing: Thing) -> dict[str, set[str]]:
        """What is known of the gender and age of somebody."""
        said = {key: {value} for key, value in self.lexicon.says.get(thing.name, ())}
        return said | {k: v for k, v in thing.says.items() if k in ("gender", "age")}

    def of(self, page: Page, token: Token) -> Who:
        """Return what a noun or a pronoun stands for."""
        thing, low = page.by.get(token.i), page.low[token.i]
        owner = [c for c in token.children if c.dep_ == "poss"] if low in ("color", "body") else ()
        if owner:  # "its color could be lime green", "a scooter whose body is blue"
            whose = token.head.head if owner[0].tag_ == "WP$" else owner[0]
            return self.of(page, whose)
        if thing is not None:
            return Who((thing.root,), not thing.root.loose)
        pronouns = self.lexicon.maps["people.pronouns"]
        if low == "one" and page.low[token.i - 1] == "this":
            low = "it"
        if low in pronouns:
            key = (page.number, token.i)
            if key not in self.pronouns:
                self.pronouns[key] = self._pronoun(page, token, pronouns[low])
            return self.pronouns[key]
        return NOBODY

    def topic(self, page: Page) -> Thing | None:
        """Return what the words that were put into a line stand for."""
        if page.line.topic is None:
            return None
        named = [t for t in self.pages[page.line.topic].things if t.role not in SETTING]
        alive = [t for t in named if t.role == "person"]
        return (alive or named)[0].root if named else None

    def _pronoun(self, page: Page, token: Token, sort: str) -> Who:
        topic = self.topic(page)
        if topic is not None and (page.added(token.i) or sort in ("male", "female", "thing")):
            return Who((topic,), not topic.loose)
        if topic is not None and topic.role == "person":
            return Who((topic,), not topic.loose)
        before = [t for t in page.things if t.first < token.i and t.role not in SETTING]
        if sort == "thing":
            return self._it(page, token, before)
        if sort == "many":
            several = [t for t in before if t.plural] or [t for t in self.last if t.plural][-1:]
            people = [t for t in (before or self.last[-1:]) if t.role == "person"]
            if not several and len(people) == 1:
                return Who((people[0].root,), not people[0].root.loose)
            return Who((several[-1].root,), False) if several else NOBODY
        people = [t for t in before if self._is(t.root, sort)]
        people = people or [t for t in self.last if self._is(t, sort)][-1:]
        chosen = people[-1:]
        if not chosen:
            return NOBODY
        its = self.pages[chosen[0].line]
        begin, _ = its.sentence(chosen[0].first)
        first = next(t for t in its.things if t.first >= begin and t.role == "person")
        named = chosen[0].token.dep_ in _SUBJECTS or first.root is chosen[0].root
        return Who((chosen[0].root,), named and not chosen[0].root.loose)

    def _is(self, thing: Thing, gender: str) -> bool:
        """Whether somebody may be *he* or *she*."""
        if thing.role != "person" or thing.plural:
            return False
        said = dict(self.lexicon.says.get(thing.name, ())).get("gender")
        known = {said} if said else thing.says.get("gender", set())
        return not known or gender in known

    def _it(self, page: Page, token: Token, before: Sequence[Thing]) -> Who:
        """ "It": the subject that was named last; sure where nothing else was named beside."""
        begin, _ = page.sentence(token.i)
        here = [t for t in before if t.first >= begin]
        earlier = [t for t in before if t.first < begin]
        if not here and not earlier:
            earlier = [t for t in self.last if t.line == page.number - 1]
        above = {each.i for each in token.ancestors}
        subjects = [
            t for t in here if t.token.dep_ in _SUBJECTS and t.token.head.i not in above
            and t.role != "person" and not t.plural
        ]  # fmt: skip
        if token.dep_ == "pobj" and subjects:
            return Who((subjects[-1].root,), not subjects[-1].root.loose)
        for some in (earlier, here) if token.dep_ == "pobj" and earlier else (here, earlier):
            fits = [t.root for t in some if t.role not in ("person", *SETTING) and not t.plural]
            if not fits:
                continue
            subjects = [t.root for t in some if t.token.dep_ in _SUBJECTS and t.root in fits]
            led = subjects or fits
            first = fits[0] if some is here else led[-1]
            begin, _ = self.pages[some[-1].line].sentence(some[-1].first)
            latest = {id(t.root) for t in some if t.first >= begin and t.root in subjects}
            alone = len({id(t) for t in fits}) == 1 or latest == {id(first)}
            return Who((first,), alone and not first.loose)
        return NOBODY

    def subject(self, page: Page, token: Token) -> Who:
        """Return what a word further down the tree is said of: the nearest noun above that
        stands before it, or the subject of its verb."""
        at = token
        if token.tag_[:2] == "VB":
            own = self._of_verb(page, token, token)
            if own.things:
                return own
        for _ in range(12):
            above = at.head
            if above.i == at.i or page.sentence(above.i) != page.sentence(token.i):
                break
            if above.i in page.by and above.i < token.i and page.by[above.i].last < token.i:
                return self.all_of(page, above)
            if above.tag_[:2] in ("VB", "MD") or above.dep_ == "ROOT":
                found = self._of_verb(page, above, token)
                if found.things or above.dep_ not in _CHAINED:
                    return found
            at = above
        return NOBODY

    def _of_verb(self, page: Page, verb: Token, below: Token) -> Who:
        """What is the subject of a verb; of "there is" what is there."""
        subjects = [each for each in verb.children if each.dep_ in _SUBJECTS]
        if any(each.dep_ == "expl" or page.low[each.i] == "there" for each in verb.children):
            subjects += [c for c in verb.children if c.dep_ in ("attr", "dobj") and c.i < below.i]
        for each in subjects:
            if each.i == below.i:
                continue
            if each.tag_[:2] == "VB":  # "what looks like a man waves"
                each = next((c for c in each.subtree if c.i in page.by and c.i < verb.i), each)
            if each.tag_ in ("WDT", "WP") and verb.dep_ in ("relcl", "acl"):
                return self.all_of(page, verb.head, False)
            found = self.all_of(page, each)
            if found.things:
                return found
        return NOBODY

    def all_of(self, page: Page, token: Token, joined: bool = True) -> Who:
        """Return what a word and those that are coordinated with it stand for."""
        found, sure = list[Thing](), True
        both = (token, *token.conjuncts) if joined and token.dep_ in _SUBJECTS else (token,)
        for each in both:
            who = self.of(page, each)
            if found and any(t.alive != found[0].alive for t in who.things):
                continue
            found += who.things
            sure &= who.sure
        return Who(tuple(dict.fromkeys(found)), sure) if found else NOBODY

    def denied(self, page: Page, token: Token) -> bool:
        """Return whether what a word says is denied."""
        lists = self.lexicon.lists
        deny = lists["certainty.deny.determiners"] | lists["certainty.deny.adverbs"]
        thing = page.by.get(token.i)
        if thing is not None and thing.determiner in deny:
            return True
        at, steps = token, 0
        while steps < 6:
            if any(
                page.low[c.i] in deny and c.i < token.i + 3
                for c in at.children
                if c.dep_ in ("neg", "det", "preconj")
            ):
                return True
            above = at.head
            if at.dep_ in ("nsubj", "nsubjpass") and thing is not None:
                break
            if page.low[above.i] in lists["certainty.deny.prepositions"]:
                return True
            if above.i == at.i or (
                at.dep_ in ("conj", "relcl", "advcl", "ccomp") and at.tag_[:2] == "VB"
            ):
                break
            if above.i in page.by and at.dep_ not in ("conj", "det"):
                break
            at, steps = above, steps + 1
        return False

    def hedged(self, page: Page, token: Token) -> bool:
        """Return whether what a word says is left open."""
        lists = self.lexicon.lists
        begin, _ = page.sentence(token.i)
        near = page.low[max(begin, token.i - 5) : token.i]
        adverbs = lists["certainty.hedge.adverbs"] | lists["certainty.hedge.modals"]
        if adverbs & {*near}:
            return True
        verbs = [w for w in near if base(w, "verb") in lists["certainty.hedge.verbs"]]
        return bool(verbs) and bool({"to", "like", "as"} & {*near})


def place_after(page: Page, thing: Thing, lexicon: Lexicon) -> str | None:
    """Return the part of the picture that stands right behind a noun: "the man on the left"."""
    low, at = page.low, thing.last + 1
    if low[at : at + 1] in (["("], [","]):
        at += 1
    words = list[str]()
    for word in low[at : at + 7]:
        if word in ("is", "are") or not (
            lexicon.place([word]) or word in lexicon.lists["relations.around"]
        ):
            break
        words.append(word)
    while words and lexicon.place(words[-1:]) is None:
        words.pop()
    return lexicon.place(words) if words else None
