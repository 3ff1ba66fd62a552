"""What is said of one thing as of another: "so is the ladle", "the same green as the door"."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.hung import BE, is_color, says
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token

_TOO = frozenset({"likewise", "too", "ditto", "also"})
_ENDS = frozenset({".", ";", ",", "and", "but", "while", ":", "("})


def alike(text: Text, stretch: list[Token], before: list[Token]) -> None:
    """Say of nouns what is said of what they are like, there or in the stretch before, in place."""
    low = [each.low for each in stretch]
    for at in range(len(low)):
        if low[at] in ("so", "as") and low[at + 1 : at + 2] and low[at + 1] in BE:
            _all(text, _noun(text, stretch[at + 2 :]), _said(text, [*before, *stretch[:at]]))
        elif low[at] in _TOO and (at + 1 == len(low) or low[at + 1] in _ENDS):
            begin = max((n for n in range(at) if low[n] in _ENDS and n < at - 1), default=-1) + 1
            words = stretch[begin:at]
            if not any(each.low in BE or says(text, each) for each in words):
                _all(text, _noun(text, words), _said(text, [*before, *stretch[:begin]]))
        elif low[at] == "as" and at > 1 and is_color(text, stretch[at - 1]):
            _compared(text, stretch, at)


def _compared(text: Text, stretch: list[Token], at: int) -> None:
    """ "The same bottle green as the shutters", "as blue as the old apron"."""
    before = [each.low for each in stretch[:at]]
    if _denies(text, stretch[:at]):
        return
    color, noun = stretch[at - 1], _noun(text, stretch[at + 1 :])
    told = noun is not None and any(each.dep == "amod" for each in noun.below)
    named = noun is not None and noun.lemma in (each.lemma for each in text.tokens[: noun.i])
    if "same" in before[-4:] or (before[-2:-1] == ["as"] and (told or named)):
        _all(text, noun, [color])
    if before[-2:-1] == ["as"]:
        subject = _subject(text, stretch[: at - 2])
        text.maybe += [(subject, color)] if subject is not None else []


def _subject(text: Text, words: list[Token]) -> Token | None:
    """What is as blue as another: the noun before "is", else the last one."""
    begin = max((n for n, each in enumerate(words) if each.low in _ENDS), default=-1) + 1
    clause = words[begin:]
    if any(each.low in BE for each in clause):
        return _noun(text, clause)
    return next((each for each in reversed(clause) if each.noun and not says(text, each)), None)


def _denies(text: Text, words: list[Token]) -> bool:
    deny = text.lexicon.lists["certainty.deny.adverbs"]
    return any(each.low in deny or each.low in ("not", "n't") for each in words)


def _noun(text: Text, words: list[Token]) -> Token | None:
    """The noun that words begin with: the last of its name."""
    found: Token | None = None
    for each in words:
        if each.noun and not says(text, each):
            found = each
        elif found is not None or each.low in _ENDS or each.verb:
            break
    return found


def _said(text: Text, words: list[Token]) -> list[Token]:
    """What the last clause with "is" says of its noun."""
    be = next((n for n in range(len(words) - 1, -1, -1) if words[n].low in BE), None)
    if be is None:
        return []
    out: list[Token] = []
    for each in words[be + 1 :]:
        if each.low in (".", ";", ":", "(") or _denies(text, [each]):
            break
        if says(text, each):
            out.append(each)
        elif out:
            break
    return out


def _all(text: Text, noun: Token | None, said: list[Token]) -> None:
    if noun is not None:
        text.told += [(noun, each) for each in said]
