"""Lists under a title: "bus: yellow, with black wheels", "Left: a mill", "On the desk: a cup".

A parser makes nothing of them. What follows the title is hung on it: adjectives, counts and
phrases are said of it; under a place of the picture, or a preposition, every noun stands there.
"""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.behind import asides, gapped
from lvlmbench.stages.judge.kinds.lexical.reading.fragments import fragment
from lvlmbench.stages.judge.kinds.lexical.reading.headings import Headings
from lvlmbench.stages.judge.kinds.lexical.reading.hung import NUMERAL, finite, is_thing, segments
from lvlmbench.stages.judge.kinds.lexical.reading.keyed import keyed
from lvlmbench.stages.judge.kinds.lexical.reading.listing import PREPS, fill, led, noun_of
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.trees import alive, attach, hang_verb

_LONGEST = 6
#: Words of a stretch at most, so that the time to read it is bounded.
_MOST = 150


def titles(text: Text) -> Text:
    """Hang what titles list on them, in place, and return the text."""
    section, headings = "", Headings(text)
    for stretch in stretches(text):
        bracket = any(e.low == "(" for e in stretch[:_LONGEST])
        reach = 2 * _LONGEST if bracket else _LONGEST
        at = next((n for n, e in enumerate(stretch[: reach + 1]) if e.low == ":"), 0)
        begins = text.flat.places[stretch[0].start] in text.flat.lines or stretch[0].i == 0
        own = _place(text, stretch[:at] if at else stretch)
        if headings.read(stretch, begins):
            continue
        if own and (not at or at + 1 == len(stretch)):
            section = own if begins else section
            continue
        aside = next((n for n, e in enumerate(stretch[:at]) if e.low == "("), at)
        if at and not any(finite(text, e) for e in stretch[:aside]):
            section = "" if begins and own else section
            _titled(text, stretch[:at], stretch[at + 1 :], own)
        elif (end := _colon(stretch)) and (who := _subject(text, stretch[:end])) is not None:
            fill(text, who, segments(stretch[end + 1 :]), own=False)
        elif section and begins:
            _sited(text, stretch, section, every=False)
        if not at:
            fragment(text, stretch)
        asides(text, stretch)
        gapped(text, stretch)
    return text


def stretches(text: Text) -> list[list[Token]]:
    """Return words from the begin of a sentence or a line to the next; none is endless."""
    out: list[list[Token]] = []
    fresh = True
    for token in text.tokens:
        if fresh or len(out[-1]) >= _MOST or text.flat.places[token.start] in text.flat.lines:
            out.append([])
        out[-1].append(token)
        fresh = token.low in (".", "!", "?")
    return out


def _place(text: Text, words: list[Token]) -> str:
    """The place of the picture that words name and nothing more; else an empty word."""
    named: list[str] = []
    for each in words:
        if each.low in text.lexicon.places:
            named.append(text.lexicon.places[each.low])
        elif (
            each.low
            not in (
                "the",
                "in",
                "on",
                "at",
                "far",
                "ground",
                "of",
                "picture",
                "image",
                ".",
            )
            and each.low not in text.lexicon.lists["relations.parts"]
        ):
            return ""
    for ground in ("foreground", "background"):
        if ground in named:
            return ground
    rows = [each for each in named if each in ("top", "bottom")]
    sides = [each for each in named if each in ("left", "right", "center")]
    return " ".join(rows[:1] + sides[:1]) if len(named) <= 2 else ""


def _titled(text: Text, title: list[Token], rest: list[Token], place: str) -> None:
    if not rest or keyed(text, title, rest):
        return
    opened = next((n for n, e in enumerate(title) if e.low == "("), 0)
    if opened and title[-1].low == ")":  # "spoons (5): not silver"
        title, rest = title[:opened], [*title[opened + 1 : -1], title[-1], *rest]
    if len(title) > 1 and title[-1].low.endswith("ing") and alive(title[-2], text):
        hang_verb(title[-1], title[-2])  # "goalkeeper diving: green jersey"
        title = title[:-1]
    genders = (",", *text.lexicon.maps["people.genders"])
    while len(title) > 1 and title[-1].low in genders:
        title = title[:-1]  # "nurse, male: green scrubs"
    numbered = title[-1].tag == NUMERAL or (len(title[-1].low) == 1 and title[-1].low.isalnum())
    if len(title) > 1 and numbered and title[-2].low not in ("in", "at", "on"):
        attach(title[-1], title[-1], "ROOT")
        attach(title[-1], title[-2], "det")
        title[-1].tag = NUMERAL
        title = title[:-1]  # "Suspect 1: male", "woman A: dark hair"
    if title[-1].low in ("one", "other", "another", "last"):
        attach(title[-1], title[-1], "ROOT")
        fill(text, title[-1], segments(rest), own=False)
        return
    side = text.lexicon.places.get(title[-1].low)
    if len(title) > 2 and title[-2].low == "," and side and title[-3].noun:
        text.sited.append((title[-3], side))  # "fencer, left: white jacket"
        title = title[:-2]
    at = next((n for n, e in enumerate(title) if e.tag in PREPS), 0)
    if at and title[at - 1].noun and alive(title[at - 1], text):
        attach(title[at], title[at - 1], "prep")  # "old man on a crate: cap, clapping"
        title = title[:at]
    nouns = [each for each in title if each.noun or each.tag == "JJ" or is_thing(text, each)]
    leads = title[0].tag in PREPS or (title[0].low in ("left", "right", "next") and len(title) > 1)
    parts = segments(rest)
    if place:
        first = noun_of(text, parts[0][0]) if parts else None
        if first is not None:
            fill(text, first, parts[1:], own=True)
        _sited(text, rest, place, every=True)
    elif leads:
        _together([noun for part, _ in parts if (noun := noun_of(text, part)) is not None])
    elif text.has("nouns.vacuous", title[-1].lemma):
        return
    elif nouns and title[-1] is nouns[-1] and len(title) <= 4:
        _title(nouns[-1], title)
        if rest[0].low in ("none", "nowhere", "absent", "missing"):
            attach(rest[0], nouns[-1], "amod")
        relation = text.lexicon.maps["relations.titles"].get(nouns[-1].lemma)
        for part, _before in parts if relation else []:
            noun = noun_of(text, part)
            if noun is not None and noun.noun and (led(part) or relation == "inside"):
                text.linked.append((noun, str(relation), nouns[-1]))
        fill(text, nouns[-1], parts, own=False)


def _colon(stretch: list[Token]) -> int:
    """Where the first colon of a sentence stands; 0 where it has none."""
    return next((n for n, e in enumerate(stretch[: 3 * _LONGEST]) if e.low == ":"), 0)


def _subject(text: Text, words: list[Token]) -> Token | None:
    """Who is told more of behind a colon: "a lady is sitting there: violet blouse, white hair"."""
    who = next((e for e in words if e.dep == "nsubj" and e.noun and alive(e, text)), None)
    if who is None and words[-1].noun and alive(words[-1], text):
        who = words[-1]  # "at the window sits a widow: gloves, a veil"
    return who if who is not None and not who.children("conj") else None


def _title(noun: Token, title: list[Token]) -> None:
    """Make a noun the head of its title."""
    attach(noun, noun, "ROOT")
    if noun.tag not in ("NNS", "NNPS"):
        noun.tag = "NN"
    for each in title:
        if each is not noun and each.head not in title:
            attach(each, noun, "compound" if each.noun else "amod")


def _together(nouns: list[Token]) -> None:
    """Coordinate nouns, so that what is said of one is said of all."""
    if nouns:
        attach(nouns[0], nouns[0], "ROOT")
    for each in nouns[1:]:
        attach(each, nouns[0], "conj")


def _sited(text: Text, words: list[Token], place: str, every: bool) -> None:
    """Put the nouns of a list at a place of the picture."""
    for part, before in segments(words):
        noun = noun_of(text, part)
        if noun is None or (before and not led(part) and not every):
            break
        if not before or led(part) or part[0].noun:
            text.sited.append((noun, place))
        if not every:
            break
