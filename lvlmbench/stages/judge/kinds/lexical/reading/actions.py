"""What living things do."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING

_NONE = frozenset(
    ("stand", "be", "have", "wear", "hold", "carry", "show", "appear", "seem", "dress", "don",
     "sport", "depict", "feature", "include", "see",
     "contain", "position", "locate", "place", "situate", "do", "get", "clothe", "clutch", "grip",
     "grasp", "visible", "resemble", "set",
     "stay", "remain", "look like", "create", "make", "give", "suggest", "capture", "display",
     "portray", "represent", "can", "surround", "follow by",
     "flank", "accompany", "illustrate", "add", "lack", "become", "occupy", "fill", "exist", "seat",
     "convey", "own", "match", "contrast", "share",
     "call", "name", "age", "base", "belong", "consist", "differ", "know", "mean", "need", "want",
     "like", "come", "think", "pretend", "care", "hear", "let", "leave", "seem", "keep", "try",
     "begin", "start", "continue", "help")
)  # fmt: skip

#: What somebody does who "is perched".
_POSTURES = frozenset(("perch", "crouch", "huddle", "sprawl", "hunch", "kneel", "gather", "bend"))
#: Prepositions that lead to what something is done to.
_TOWARDS = frozenset({"at", "with", "through", "to", "for", "from"})


def actions(sight: Sight) -> Iterator[Draft]:
    """Yield what each living thing is said to do."""
    for verb in sight.text.tokens:
        if (
            not verb.verb
            or verb.lemma in _NONE
            or verb.dep in ("aux", "auxpass", "amod", "compound")
        ) and (verb.dep != "amod" or verb.tag != "VBG"):
            continue
        yield from _of(sight, verb)


def _of(sight: Sight, verb: Token) -> Iterator[Draft]:
    if sight.text.lexicon.kinds.get(verb.low) in ("hair", "beard"):
        return  # "who is balding"
    dressed = verb.lemma in sight.text.lexicon.lists["clothes.dressed"]
    if verb.lemma in _NONE or dressed or verb.i in sight.things.by_token:
        return
    done = verb.children("aux") and verb.children("dobj")  # "has closed his eyes"
    if verb.tag in ("VBD", "VBN") and sight.text.lexicon.kinds.get(verb.low) and not done:
        return
    if verb.lemma == "put" and any(each.low == "on" for each in verb.children("prt")):
        return
    posture = verb.lemma in _POSTURES and verb.children("auxpass")
    if (
        verb.tag == "VBN"
        and not posture
        and (verb.children("auxpass", "agent") or not verb.children("aux"))
    ):
        yield from _passive(sight, verb)
        return
    expression = sight.text.lexicon.maps["people.expression_verbs"].get(verb.lemma)
    if verb.dep == "amod":
        found = sight.mentions.resolve(verb.head) if verb.head.noun else []
        if expression is not None:
            return
        if sight.text.lexicon.kinds.get(verb.low) is not None:
            found = [thing for thing in found if thing.role == "animal"]
    else:
        found = sight.frames.subjects(verb)
    subject = sight.frames.subject_token(verb)
    if verb.lemma in ("look", "seem") and verb.children("acomp"):
        return
    denied, doubted = sight.certainty.verb(verb)
    for thing in found:
        if (
            not thing.alive
            or (subject is not None and subject.dep == "pobj" and verb.dep == "amod")
        ) and not (thing.alive and verb.dep == "amod"):
            continue
        value, last = _phrase(sight, verb)
        yield Draft(
            "action", thing, verb, last, "does", None, value,
            negated=denied or thing.negated, hedged=doubted or thing.hedged,
        )  # fmt: skip


def _passive(sight: Sight, verb: Token) -> Iterator[Draft]:
    """ "A pup is chased by a child": the child chases it."""
    denied, doubted = sight.certainty.verb(verb)
    done = next(iter(sight.frames.subjects(verb)), None)
    for by in verb.children("agent"):
        for pobj in by.children("pobj"):
            for thing in sight.mentions.resolve_all(pobj):
                if not thing.alive or verb.lemma in sight.text.lexicon.maps["relations.verbs"]:
                    continue
                given = next((_name(sight, e) for e in verb.children("dobj")), "")
                object_ = given or ("" if done is None else done.name)
                value = f"{verb.lemma} {object_}".rstrip()
                yield Draft(
                    "action", thing, verb, pobj, "does", None, value,
                    negated=denied or thing.negated, hedged=doubted or thing.hedged,
                )  # fmt: skip


def _phrase(sight: Sight, verb: Token) -> tuple[str, Token]:
    """The verb with its object."""
    subject = sight.frames.subject_token(verb)
    for each in verb.children("dobj"):
        if each is subject:
            break
        return _put(sight, verb, each) or _with(sight, verb, each)
    nouns = [
        pobj
        for prep in verb.children("prep")
        for pobj in prep.children("pobj")
        if prep.low in _TOWARDS
        and prep.i > verb.i
        and not (prep.low == "with" and sight.text.low[prep.i - 1] == ",")
    ]
    return _with(sight, verb, nouns[0]) if len(nouns) == 1 else (verb.lemma, verb)


def _put(sight: Sight, verb: Token, part: Token) -> tuple[str, Token] | None:
    """ "Puts her hands on her hips": what somebody does with their own body is one action."""
    if verb.lemma not in ("put", "place", "rest", "lay", "hold") or not _own(part):
        return None
    for prep in (*verb.children("prep"), *part.children("prep")):
        for other in prep.children("pobj"):
            if _own(other):
                for each in (part, other):
                    thing = sight.things.by_token.get(each.i)
                    if thing is not None:
                        thing.silent = True
                return f"{verb.lemma} {part.lemma} {prep.low} {other.lemma}", other
    return None


def _own(part: Token) -> bool:
    return any(each.low in ("his", "her", "their", "its") for each in part.children("poss"))


def _with(sight: Sight, verb: Token, noun: Token) -> tuple[str, Token]:
    name = _name(sight, noun)
    return (f"{verb.lemma} {name}", noun) if name else (verb.lemma, verb)


def _name(sight: Sight, noun: Token) -> str:
    thing = sight.things.by_token.get(noun.i)
    if thing is not None:
        return thing.name if thing.role not in SETTING else ""
    part = sight.mentions.part_of(noun)
    if part is not None:
        return _name(sight, part)
    if noun.tag == "PRP":
        does = sight.frames.subjects(noun.head)
        found = [each for each in sight.mentions.resolve(noun) if each not in does]
        found = found or [
            each.root
            for each in reversed(sight.things.all)
            if each.last.i < noun.i and each.role == "person" and each.root not in does
        ]
        return next((each.name for each in found), "")
    plain = noun.dep == "dobj" or not sight.text.has("nouns.abstract", noun.lemma)
    return noun.lemma if noun.noun and plain else ""
