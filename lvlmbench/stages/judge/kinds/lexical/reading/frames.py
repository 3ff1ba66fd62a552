"""Who does what: subjects of verbs, and what a phrase of place or an adjective is said of."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.mentions import Mentions
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import Thing

SUBJECT = ("nsubj", "nsubjpass")
#: Verbs by which a picture shows something; their object is what is spoken of.
_SHOWS = frozenset(
    ("show", "depict", "feature", "contain", "include", "display", "have", "see", "portray",
     "present", "capture", "illustrate",
     "represent", "find", "observe", "notice", "spot", "reveal")
)  # fmt: skip
#: Verbs without an object: a noun after them is what stands there.
_STANDS = frozenset(
    {"stand", "sit", "lie", "hang", "rest", "perch", "lean", "float", "sleep", "rise"}
)


class Frames:
    """The sentences of a text as verbs with their parts."""

    def __init__(self, text: Text, mentions: Mentions) -> None:
        self.text, self.mentions = text, mentions

    def subject_token(self, verb: Token) -> Token | None:
        """Return the word that a verb has as its subject, its own or that of a verb above."""
        at = verb
        for _ in range(8):
            own = at.children(*SUBJECT) or [
                each for aux in at.children("aux", "auxpass") for each in aux.children(*SUBJECT)
            ]
            if own and at is not verb and self.shows(at):
                return self.shown(at) or own[0]  # "the picture shows a dog, sitting"
            if own:
                return own[0]
            if at.lemma in _STANDS and at.tag[:2] == "VB" and at.tag != "VBG":
                after = [each for each in at.children("dobj", "attr") if each.noun]
                if after:
                    return after[0]
            if at.children("expl"):
                return next(iter(at.children("attr", "nsubj", "dobj")), None)
            if at.dep in ("acl", "relcl"):
                return self._host(at) or at.head
            if at.dep == "pobj" or at.head is at:
                return None
            at = at.head
            if at.noun:
                return at
        return None

    def _host(self, verb: Token) -> Token | None:
        """Who stands in "a robot with a head standing there"; None where the thing itself does."""
        noun, prep = verb.head, verb.head.head
        if verb.lemma not in _STANDS or noun.dep != "pobj" or prep.low != "with":
            return None
        own = self.mentions.resolve(noun)
        others = self.mentions.resolve(prep.head)
        stands = not any(each.alive for each in own) and any(each.alive for each in others)
        return prep.head if stands else None

    def subjects(self, verb: Token) -> list[Thing]:
        """Return what a verb is said of."""
        token = self.subject_token(verb)
        if token is None:
            return self._left_out(verb)
        if token.dep in SUBJECT or verb.dep not in ("acl", "relcl"):
            return self.mentions.resolve_all(token)
        return self.mentions.resolve(token) or self.mentions.resolve_all(token)

    def _left_out(self, verb: Token) -> list[Thing]:
        """Who was spoken of before words that name nobody: "Surfer, female. Running."."""
        if verb.tag != "VBG" or verb.head is not verb:
            return []
        told = reversed(self.mentions.things.all)
        last = next((t for t in told if t.last.i < verb.i and not self._passed_over(t)), None)
        fresh = last is None or last.first.sentence == verb.sentence
        return [] if fresh or last is None or not last.alive else [last.root]

    def _passed_over(self, thing: Thing) -> bool:
        """Whether a thing only belongs to somebody: clothes, hair, a board without a verb."""
        if thing.role == "clothes" or self.text.has("people.body", thing.head.lemma):
            return True
        verbless = not any(e.verb for e in self.text.sentence(thing.head))
        return not thing.alive and verbless

    def shows(self, verb: Token) -> bool:
        """Whether a verb says that a picture shows its object, or that there is something."""
        if verb.children("expl"):
            return True
        if verb.lemma not in _SHOWS:
            return False
        own = verb.children(*SUBJECT)
        if not own:
            return True
        if own[0].low in ("we", "i", "you", "one"):
            return True
        return not self.mentions.resolve(own[0])

    def shown(self, verb: Token) -> Token | None:
        """Return what a verb of showing has as its object."""
        return next(iter(verb.children("attr", "dobj", "nsubjpass")), None)

    def governors(self, token: Token) -> list[Thing]:
        """Return what a phrase that begins with a word is said of: the thing before, or above."""
        at = token
        if self.abstract(token.head):
            return []  # "the intention behind it"
        for _ in range(10):
            above = at.head
            if above is at:
                break
            found = self._governed(above, at, token)
            if found:
                return found
            at = above
        return self.before(token)

    def abstract(self, noun: Token) -> bool:
        """Return whether a noun names what cannot be seen, and no part of a picture either."""
        if not noun.noun or self.mentions.resolve(noun) or self.text.has("nouns.seen", noun.lemma):
            return False
        known = self.text.has("nouns.vacuous", noun.lemma) or noun.low in self.text.lexicon.kinds
        abstract = self.text.has("nouns.abstract", noun.lemma)
        return not known and (abstract or self.text.words.concrete(noun.lemma) is False)

    def _governed(self, above: Token, at: Token, token: Token) -> list[Thing]:
        if above.noun or above.tag in ("PRP", "DT", "CD"):
            found = self.mentions.resolve(above)
            return [thing for thing in found if thing.last.i < token.i or above.tag == "PRP"]
        if not (above.verb or above.tag in ("MD", "JJ", "RB")):
            return []
        if not above.verb:
            return []
        if self.shows(above):
            shown = self.shown(above)
            if shown is not None and shown is not at:
                return self.mentions.resolve_all(shown)
        if above.dep in (
            "ROOT",
            "conj",
            "relcl",
            "acl",
            "advcl",
            "ccomp",
            "xcomp",
            "pcomp",
            "parataxis",
            "dep",
            "appos",
        ):
            subject = self.subject_token(above)
            if subject is not None and subject is not token:
                return self.subjects(above)
        return []

    def before(self, token: Token) -> list[Thing]:
        """Return the last thing that the sentence names before a word."""
        for each in reversed(self.text.tokens[: token.i]):
            if each.sentence != token.sentence:
                break
            thing = self.mentions.things.by_token.get(each.i)
            if thing is not None:
                return [thing.root]
        return []
