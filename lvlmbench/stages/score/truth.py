"""Whether an answer calls a statement true, where the options are True and False."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import lru_cache

from lvlmbench.stages.score.asked import content, statement_of
from lvlmbench.stages.score.claimed import agrees, denies
from lvlmbench.stages.score.cleaning import CLOSE, OPEN, sentences
from lvlmbench.stages.score.refusal import open_option
from lvlmbench.stages.score.wording import CJK_AFFIRMS, CJK_DENIES, NO, YES

_NOT = (
    r"\b(?:not|cannot|can't|can't be|cannot be|never|isn't|wasn't|doesn't|don't|didn't|aren't"
    r"|does not|do not|did not|is not|was not)\s+(?:\w+\s+)?"
)
_JUDGMENT = re.compile(
    r"(?P<double>not the case that\b.{0,40}?)?"
    r"(?P<half>\b(?:partially|partly|half|somewhat)[ -])?"
    rf"(?P<neg>{_NOT})?(?P<call>\b(?:wrong|incorrect|false|inaccurate|not \w+) to \w+ .{{0,40}}?)?"
    r"\b(?P<word>true|false|untrue|correct|incorrect|accurate|inaccurate|wrong"
    r"|(?<!the )right)\b(?!-hand| of\b)"
    r"(?!\s+(?:side|hand|corner|answer|option|choice))(?P<cond>\s+(?:if|only|or false|or true))?",
    re.I,
)
_JUDGMENT_WORDS = ("true", "false", "correct", "accurate", "wrong", "right")
_DENIES = {"false", "untrue", "incorrect", "inaccurate", "wrong"}
_SAID = r"(?:(?:statement|claim|description|assertion|sentence|caption|it|this|that)\s+)"
#: What is said of a statement by a verb.
_HOLDS = re.compile(
    rf"\b(?:{_SAID}(?:\w+ly\s+|still\s+|indeed\s+|also\s+)?"
    r"(?P<neg>(?:does not|doesn't|do not|did not|didn't)\s+)?(?:accurately\s+|correctly\s+)?"
    r"(?:holds?|match(?:es)?|fits?|agrees?|describes?|corresponds?|reflects?)\b"
    r"|(?P<deny>\bI disagree\b|\b(?:is|are|was) (?:contradicted|refuted|disproved|not supported"
    r"|not the case)\b|isn't the case|contradicts\b|hardly\W*$)"
    r"|(?P<affirm>\bI agree\b|\b(?:is|are|was) (?:\w+ )?(?:supported|confirmed|the case)\b))",
    re.I,
)
#: What is asked and answered at once.
_ASKED = re.compile(r"(?P<what>[^.?!\n]{1,60})\?\W+(?P<said>yes|no)\b", re.I)
#: A verdict on what the answer says itself.
_OF_CONTENT = re.compile(r"\b(?:true|false|correct|incorrect|right|wrong) that\b", re.I)
#: What other languages say of a statement.
_ABROAD = re.compile(
    r"\b(?:aussage|behauptung|afirmaci[oó]n|declaraci[oó]n|affirmation|phrase|dichiarazione"
    r"|affermazione|frase|afirmação|declaração|утверждение|zdanie|stwierdzenie|stelling|bewering)\s+"
    rf"(?:(?:ist|es|est|è|é|is|jest|это)\s+)?(?:(?P<yes>{YES}|verdadera|vraie|vera|верно)"
    rf"|(?P<no>{NO}|falsa|fausse|ложно))(?!\w)",
    re.I,
)
#: A verdict on the statement by name, which outweighs a "yes" before it.
_EXPLICIT = re.compile(rf"\b{_SAID}(?:is|was)\b", re.I)
#: An answer, or its end, that only takes up the statement.
_ECHO = re.compile(
    r"(?:^\W*|\bbut )(?:(?P<no>(?:it|he|she|they|there) (?:is|does|are|do|was|did|has)(?: not|n't)"
    r"(?: \w+)?(?: (?:one|any|so|that))?|not at all|i (?:do not|don't) think so)"
    r"|(?P<yes>(?:it|he|she|they|there) (?:is|does|are|do|has|indeed is)(?: one)?))\W*$",
    re.I,
)
#: Before a judgment: it is not made.
_UNREAL = re.compile(r"\bif\b.*\bwould be\W*$", re.I)
_UNSAID = re.compile(
    r"\b(?:cannot|can't|can not) (?:be )?(?:sa(?:id|y)|tell|told|confirm|determine)", re.I
)
_HOLDS_WORDS = (
    *("hold", "match", "fit", "agree", "descri", "correspond", "reflect", "contradict", "refuted"),
    *("disproved", "support", "confirm", "the case", "hardly"),
)
_OPENING_WORD = re.compile(
    rf"^\W*(?:(?:answer|response|respuesta|réponse|antwort|ответ|答案|정답)\W+(?:(?:is|es|est|ist|是)\W+)?)?"
    r"(?:(?:but|well|hm+|oh|probably|most likely|likely|i(?:'d| would)? (?:think|guess|say))\W+)*"
    r"(?:(?:c'est|das ist|es ist|es|é|è|это|to jest)\s+)?"
    rf"(?:(?P<yes>{YES})(?!\s+not\b)|(?P<no>{NO}))(?=$|\W)"
    r"(?!\s*(?:/|hand|side|or\b|one\b|fox|and (?:yes|no)\b))",
    re.I,
)
_CJK_OPENING = re.compile(rf"^(?=\W*[^\x00-\x7f])\W*(?:答案是?\W*)?(?:(?P<no>{NO})|(?P<yes>{YES}))")
_CLOSING_NAME = re.compile(r"(?:^|[\n.!?]\s*)(?:the \w+ is )?(true|false)\W*$", re.I)
_CLOSING = re.compile(
    r"(?:^|[\n.!?]\s*|, )"
    r"(?:(?:so|therefore|thus|hence|answer:),? )?(?:(?P<yes>yes|true)|(?P<no>no|false))\W*$",
    re.I,
)
_INITIAL = re.compile(r"\W*([tfyn])\W*", re.I)
_BOTH = re.compile(r"\W*(?:yes and no|no and yes)\W*", re.I)
_THEREFORE = re.compile(
    r"(?:^|[.,;\n]\s*)(?:so|therefore|thus|hence|overall|in conclusion)\b", re.I
)


@lru_cache(maxsize=4096)
def _places(options: tuple[str, ...]) -> dict[bool, int]:
    """Where True and False, or yes and no, stand among options that are these and at most one that
    leaves it open; empty for others."""
    said = [option.casefold().strip(" .") for option in options]
    for yes, no in (("true", "false"), ("yes", "no")):
        rest = [option for option in said if option not in (yes, no)]
        if len(said) == len(rest) + 2 and {yes, no} <= {*said}:
            alone = not rest or (len(rest) == 1 and open_option(tuple(options)) is not None)
            return {True: said.index(yes), False: said.index(no)} if alone else {}
    return {}


def is_truth(options: Sequence[str]) -> bool:
    """Return whether the options are True and False, or yes and no, in either order; one that
    leaves it open may stand beside them."""
    return bool(_places(tuple(options)))


def truth_initial(text: str, options: Sequence[str]) -> int | None:
    """Return index of the option that an answer of one letter, T, F, Y or N, abbreviates."""
    initial = _INITIAL.fullmatch(text)
    places = _places(tuple(options)).values() if initial else ()
    own = [i for i in places if initial and options[i][0].casefold() == initial[1].casefold()]
    return own[0] if own else None


def _statement(question: str, options: Sequence[str]) -> str:
    """The statement that a question asks to judge, or what it asks whether it is so."""
    return statement_of(question, "yes" in map(str.casefold, options)) if question else ""


def truth_value(text: str, options: Sequence[str], question: str = "") -> tuple[bool, int | None]:
    """(decided, index) where the options are True and False, or yes and no, in many languages,
    "the statement is incorrect", "not true". Of contradictory words those of a closing "so ..."
    count; without one they decide for none. Where none are said, or yes and no alone, so does what
    the answer says of the statement's content."""
    index = _places(tuple(options))
    if not index:
        return False, None
    text = text.replace(OPEN, " ").replace(CLOSE, " ").strip()
    statement = _statement(question, options)
    if statement and "?" in text:
        text = _answered(text, statement)
    if _BOTH.fullmatch(text):
        return True, None
    opening = _OPENING_WORD.match(text) or _CJK_OPENING.match(text)
    first = bool(opening.group("yes")) if opening else None
    word = (opening.group("yes") or opening.group("no")).casefold() if opening else ""
    body = text[opening.end() :] if opening else text
    if first is not None and word in ("true", "false"):
        # The option's own name opens the answer. What follows explains; only a flat
        # contradiction of equal form ("True ... False.") takes it back.
        last = _CLOSING_NAME.search(body)
        if last and (last.group(1).casefold() == "true") != first:
            return True, None
        return True, index[first]
    own = frozenset(re.findall(r"\w+", statement.casefold()))
    votes = _votes(body, own)
    if first is not None and not (first and votes == [False] and _EXPLICIT.search(body)):
        votes.insert(0, first)
    closing = None if votes else _CLOSING.search(text) or _ECHO.search(text)
    if closing:
        return True, index[bool(closing.group("yes"))]
    told = _OF_CONTENT.search(text)
    if votes and votes != [first] and not told:
        statement = ""
    whole = opening is None or opening.group("no") is None or body[:1] != " "
    agreed = agrees(body if whole else text, statement) if statement else None
    if not votes:
        return agreed is not None, None if agreed is None else index[agreed]
    if told and statement and (agreed := agrees(text[told.end() :], statement)) is not None:
        return True, index[votes[0] == agreed]
    if agreed is not None and agreed != votes[0]:
        # "No, there is no dog" agrees that there is none.
        return True, index[agreed] if denies(statement) else None
    if None not in votes and len(set(votes)) == 1:
        return True, index[bool(votes[0])]
    ends = [match.end() for match in _THEREFORE.finditer(body)]
    concluded = set(_votes(body[ends[-1] :], own)) if ends else set()
    if len(concluded) == 1 and None not in concluded:
        return True, index[bool(concluded.pop())]
    return True, None


def _answered(text: str, statement: str) -> str:
    """The yes or no of a text that asks for the statement's things and others ("A wrench? No. A
    hammer? Yes."); any other text as it is."""
    about = {said for said, _, _ in content(statement)}
    found = [
        match["said"]
        for match in _ASKED.finditer(text)
        if (words := {said for said, _, _ in content(match["what"])}) and words <= about
    ]
    return found[0] if len(found) == 1 and len(_ASKED.findall(text)) > 1 else text


def denied(text: str, options: Sequence[str], question: str) -> tuple[bool, int | None]:
    """(decided, index) of True and False, where a text that may sound undecided ("I don't see any
    dog") denies what the statement says there is."""
    statement = _statement(question, options)
    agreed = agrees(text, statement)
    if not statement or agreed is None or agreed != denies(statement):
        return False, None
    return True, _places(tuple(options))[agreed]


def _votes(body: str, own: Container[str]) -> list[bool | None]:
    """What each judgment in a text says of the statement, whose own words judge nothing; None where
    it says half true."""
    votes: list[bool | None] = []
    for start, stop in sentences(body):
        sentence = body[start:stop]
        if sentence.rstrip().endswith("?"):
            continue
        if not sentence.isascii() and CJK_DENIES.search(sentence):
            votes.append(False)
        elif not sentence.isascii() and CJK_AFFIRMS.search(sentence):
            votes.append(True)
        for match in _ABROAD.finditer(sentence):
            votes.append(match.group("yes") is not None)
        judged = False
        lower = sentence.lower()
        judges = any(word in lower for word in _JUDGMENT_WORDS)
        for match in _JUDGMENT.finditer(sentence) if judges else ():
            unreal = _UNREAL.search(sentence[: match.start()]) is not None
            if match.group("word").casefold() in own:
                continue
            if not match.group("cond") and (unreal or _UNSAID.search(sentence[: match.start()])):
                votes.append(None)
            elif not match.group("cond"):
                denies = match.group("word").casefold() in _DENIES
                turns = [bool(match.group(name)) for name in ("neg", "double", "call")]
                said = denies == (sum(turns) % 2 == 1)
                votes.append(None if match.group("half") else said)
                judged = True
        says = not judged and any(word in lower for word in _HOLDS_WORDS)
        held = _HOLDS.search(sentence) if says else None
        if held:
            votes.append(not (held.group("neg") or held.group("deny")))
    return votes
