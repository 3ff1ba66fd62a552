"""What is said of one thing as of another: "so is the ladle", "the same green as the door"."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token

_BE = frozenset({"is", "are", "was", "were", "'s", "'re"})
_TOO = frozenset({"likewise", "too", "ditto", "also"})
_ENDS = frozenset({".", ";", ",", "and", "but", "while", ":", "("})
_DEFINITE = frozenset({"the", "its", "his", "her", "their"})


def alike(text: Text, stretch: list[Token]) -> None:
    """Say of nouns what is said of what they are like, in place."""
    low = [each.low for each in stretch]
    for at in range(1, len(low)):
        if low[at] in ("so", "as") and low[at + 1 : at + 2] and low[at + 1] in _BE:
            _all(text, _noun(text, stretch[at + 2 :]), _said(text, stretch[:at]))
        elif low[at] in _TOO and (at + 1 == len(low) or low[at + 1] in _ENDS):
            begin = max((n for n in range(at) if low[n] in _ENDS), default=-1) + 1
            words = stretch[begin:at]
            if not any(each.low in _BE or _says(text, each) for each in words):
                _all(text, _noun(text, words), _said(text, stretch[:begin]))
        elif low[at] == "as" and at > 1 and _says(text, stretch[at - 1]):
            _compared(text, stretch, at)


def _compared(text: Text, stretch: list[Token], at: int) -> None:
    """ "The same bottle green as the shutters", "as blue as the apron"."""
    before = [each.low for each in stretch[max(0, at - 3) : at - 1]]
    color = stretch[at - 1]
    if text.lexicon.kinds.get(color.low) != "color":
        return
    definite = at + 1 < len(stretch) and stretch[at + 1].low in _DEFINITE
    if "same" in before or (before[-1:] == ["as"] and definite):
        _all(text, _noun(text, stretch[at + 1 :]), [color])


def _says(text: Text, word: Token) -> bool:
    return text.lexicon.kinds.get(word.low) is not None


def _noun(text: Text, words: list[Token]) -> Token | None:
    """The noun that words begin with: the last of its name."""
    found: Token | None = None
    for each in words:
        if each.noun and not _says(text, each):
            found = each
        elif found is not None or each.low in _ENDS or each.verb:
            break
    return found


def _said(text: Text, words: list[Token]) -> list[Token]:
    """What the last clause with "is" says of its noun."""
    be = next((n for n in range(len(words) - 1, -1, -1) if words[n].low in _BE), None)
    if be is None:
        return []
    out: list[Token] = []
    for each in words[be + 1 :]:
        if each.low in ("not", "n't", ".", ";", ":", "("):
            break
        if _says(text, each):
            out.append(each)
        elif out:
            break
    return out


def _all(text: Text, noun: Token | None, said: list[Token]) -> None:
    if noun is not None:
        text.told += [(noun, each) for each in said]
