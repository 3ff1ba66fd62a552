"""What an answer denies, and what it leaves open."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import Things

_SEEN = frozenset((
    "visible", "present", "seen", "shown", "there", "depicted", "included", "pictured", "evident",
    "apparent",
))  # fmt: skip
_GONE = frozenset({"missing", "absent", "gone", "none", "nowhere"})
_BE = frozenset((
    "be", "have", "show", "see", "contain", "include", "feature", "depict", "wear", "hold",
    "carry", "find", "display",
))  # fmt: skip


class Certainty:
    """Whether words of a text are denied or left open."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def mark(self, things: Things) -> None:
        """Mark the things that are denied or left open as a whole."""
        for thing in things.all:
            thing.negated = self.denied(thing.head, thing.first) or self._asked(thing.head)
            thing.hedged = self.open(thing.head, thing.first)

    def _asked(self, head: Token) -> bool:
        """Whether a question is answered with no: "Hammer? None."."""
        own = self.text.sentence(head)
        last = head.sentence + 1 >= len(self.text.sentences)
        if own[-1].low != "?" or last:
            return False
        return self.text.sentences[head.sentence + 1][0].low in ("none", "no", "nope", "nowhere")

    def verb(self, verb: Token) -> tuple[bool, bool]:
        """Return whether what a verb says is denied, and whether it is left open."""
        return self._verb_denied(verb), self._verb_open(verb)

    def word(self, word: Token) -> tuple[bool, bool]:
        """Return the same of an adjective or an adverb, by the words right around it."""
        denied = any(each.low in self._deny_adverbs for each in word.below if each.i < word.i)
        denied = denied or self._instead(word)
        denied = denied or self.text.low[max(0, word.i - 2) : word.i] == ["no", "longer"]
        before = [low for low in self.text.low[max(0, word.i - 4) : word.i] if low != "being"]
        denied = denied or before[-2:] == ["far", "from"]
        first = word.head if word.dep == "conj" else word
        before_all = (e for e in first.below if e.low in ("neither", "none"))
        denied = denied or any(each.dep == "preconj" for each in before_all)
        return denied, self._hedged_before(word) or self._either(word)

    def _instead(self, first: Token) -> bool:
        """Whether "rather than", "instead of", or "not" after a comma leads a word."""
        tokens, at = self.text.tokens, first.i - 1
        while at >= 0 and tokens[at].tag in ("DT", "JJ", "PRP$", "CD"):
            at -= 1
        begins = at == 0 or (at > 0 and tokens[at - 1].sentence != first.sentence)
        if at >= 0 and begins and tokens[at].sentence == first.sentence:
            return tokens[at].low == "not"
        if at < 1 or tokens[at].sentence != first.sentence:
            return False
        before = (tokens[at - 1].low, tokens[at].low)
        if before in (("rather", "than"), ("instead", "of"), ("not", "even")):
            return True
        return before[1] == "not" and before[0] in (",", "and", "but", "(")

    @property
    def _deny_adverbs(self) -> frozenset[str]:
        return self.text.lexicon.lists["certainty.deny.adverbs"]

    def _verb_denied(self, verb: Token) -> bool:
        adverbs = self._deny_adverbs
        if verb.i and self.text.low[verb.i - 1] == "nor":
            return True
        for each in verb.below:
            if each.dep == "neg" or (each.low in adverbs and each.dep in ("advmod", "preconj")):
                return True
            if each.dep in ("nsubj", "nsubjpass") and self._none(each):
                return True
            if each.low == "nor" and each.i < verb.i + 2:
                return True
            led = each.dep in ("aux", "auxpass") and each.i
            if led and self.text.low[each.i - 1] == "nor":
                return True
            if each.dep in ("aux", "auxpass") and any(b.dep == "neg" for b in each.below):
                return True
        if verb.dep == "xcomp" and verb.head.verb:
            return self._verb_denied(verb.head)
        if verb.dep == "conj" and verb.head.verb and not verb.children("nsubj", "nsubjpass", "aux"):
            linked = {each.low for each in verb.head.below if each.dep == "cc"}
            return bool(linked & {"or", "nor"}) and self._verb_denied(verb.head)
        return False

    def _none(self, subject: Token) -> bool:
        return subject.low in ("none", "neither", "nobody", "nothing") or (
            subject.noun
            and any(b.dep in ("det", "preconj") and b.low == "neither" for b in subject.below)
        )

    def _verb_open(self, verb: Token) -> bool:
        lists = self.text.lexicon.lists
        for each in verb.below:
            if each.dep in ("aux",) and each.low in lists["certainty.hedge.modals"]:
                return True
            if each.low in lists["certainty.hedge.adverbs"] and each.dep in (
                "advmod",
                "acomp",
                "intj",
                "dep",
            ):
                return True
        if verb.dep in ("xcomp", "ccomp", "pcomp") and verb.head.verb:
            above = verb.head
            if above.lemma in ("appear", "seem"):
                return True
            if verb.dep == "ccomp" and above.lemma in lists["certainty.hedge.verbs"]:
                return True
            if verb.dep == "xcomp" and above.lemma in ("say", "believe", "think", "suppose"):
                return True
        if verb.dep == "advcl" and verb.head.lemma in ("look", "seem", "appear"):
            return True
        return verb.dep == "xcomp" and verb.head.verb and self._verb_open(verb.head)

    def denied(self, head: Token, first: Token) -> bool:
        """Return whether a noun is said not to be there."""
        lists = self.text.lexicon.lists
        if self._instead(first) or head.low == "nobody":
            return True
        if any(
            each.low in lists["certainty.deny.determiners"] or each.low == "0"
            for each in head.below
            if each.dep in ("det", "preconj", "advmod", "amod", "nummod")
        ):
            if (
                head.dep == "nsubj"
                and not head.head.children("expl")
                and any(each.low in ("the", "his", "her", "their") for each in head.below)
            ):
                return False  # "neither the cat nor the dog" are there
            described = head.dep == "nsubj" and bool(head.head.children("acomp"))
            return not (described and self._none(head))
        if any(e.low in _GONE and e.i > head.i for e in head.below):
            return head.dep != "pobj"  # "lid missing"
        if self.text.low[head.i + 1 : head.i + 2] == ["nowhere"]:
            return True
        at = head
        if at.dep == "conj":
            known = any(each.dep == "det" and each.low == "the" for each in at.below)
            return self._denied_with(at) and not (known and self._none(at.head))
        if at.dep == "pobj":
            prep = at.head
            if prep.low in lists["certainty.deny.prepositions"] or (
                prep.low == "of" and prep.head.low in ("devoid", "free")
            ):
                return True
            if prep.low == "of" and prep.head.lemma in ("absence", "lack"):
                return True
            if prep.low == "of" and prep.head.lemma in lists["certainty.deny.nouns"]:
                return self.denied(prep.head, prep.head)
            if prep.low == "of" and self.text.has("nouns.measures", prep.head.lemma):
                return self.denied(prep.head, prep.head)
            return False
        if at.dep in ("dobj", "attr") and at.head.lemma in ("lack",):
            return True
        if at.dep in ("attr", "dobj") and at.head.lemma in _BE:
            if any(each.tag == "JJS" for each in at.below):
                return False  # "is not the largest fruit"
            apart = ":" in self.text.low[at.head.i : first.i]  # "none was used: a harp, a tuba"
            return self._verb_denied(at.head) and not apart
        if at.dep in ("nsubj", "nsubjpass"):
            return self._absent(at.head)
        return False

    def _absent(self, verb: Token) -> bool:
        """Whether a verb says of its subject that it is not there."""
        if any(each.dep == "acomp" and each.low in ("absent", "missing") for each in verb.below):
            return not self._verb_denied(verb)
        seen = verb.low in _SEEN or any(
            each.low in _SEEN for each in verb.below if each.dep in ("acomp", "advmod")
        )
        there = bool(verb.children("expl"))
        if any(each.low == "nowhere" for each in verb.below):
            return True
        return (seen or there) and any(each.dep == "neg" for each in verb.below)

    def _denied_with(self, token: Token) -> bool:
        """Whether a noun shares the denial of the one that it is coordinated with."""
        top = token.head
        linked = {each.low for each in top.below if each.dep == "cc"}
        linked |= {each.low for other in top.joined() for each in other.below if each.dep == "cc"}
        led = any(each.dep == "det" and each.low not in ("any", "either") for each in token.below)
        if not self.denied(top, top):
            return False
        led = led or any(each.dep == "nummod" and each.low != "0" for each in token.below)
        if linked & {"but", "only", "just"}:
            return False
        return bool(linked & {"or", "nor"}) or not led

    def open(self, head: Token, first: Token) -> bool:
        """Return whether a noun is left open."""
        if self._hedged_before(first) or self._either(head):
            return True
        lists = self.text.lexicon.lists
        if any(
            each.dep == "amod" and each.low in lists["certainty.hedge.adjectives"]
            for each in head.below
        ):
            return True
        at = head
        if (
            at.dep == "pobj"
            and at.head.low == "like"
            and at.head.head.lemma in ("look", "seem", "appear")
        ):
            return True
        if at.dep in ("attr", "oprd") or (
            at.dep == "dobj" and at.head.lemma in ("resemble", "suggest")
        ):
            return at.head.lemma in ("resemble", "suggest") or self._verb_open(at.head)
        if at.dep in ("dobj", "nsubj", "nsubjpass") and at.head.verb:
            return self._verb_open(at.head) and (
                at.dep == "dobj" or bool(at.head.children("expl")) or at.head.low in _SEEN
            )
        return False

    def _hedged_before(self, first: Token) -> bool:
        """Whether "perhaps" or the like leads a word, with an article or adjectives between."""
        hedges = self.text.lexicon.lists["certainty.hedge.adverbs"]
        for each in reversed(self.text.tokens[max(0, first.i - 4) : first.i]):
            if each.low in hedges:
                return True
            if (
                each.tag not in ("DT", "JJ", "PRP$", "CD", "PDT", "VBN")
                or each.sentence != first.sentence
            ):
                return False
        return False

    def _either(self, token: Token) -> bool:
        """Whether a word is one side of an "or" that denies nothing."""
        top = token
        while top.dep == "conj" and top.head is not top:
            top = top.head
        if top is token and not token.children("conj"):
            return False
        linked = {cc.low for each in top.joined() for cc in each.below if cc.dep == "cc"}
        return "or" in linked and not self._or_denied(top)

    def _or_denied(self, top: Token) -> bool:
        if top.noun:
            return self.denied(top, top)
        return (top.dep in ("acomp", "attr") and self._verb_denied(top.head)) or any(
            each.dep == "neg" for each in top.below
        )
