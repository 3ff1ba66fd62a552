"""Which option an answer names by its text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from lvlmbench.stages.score.asked import Place, of_another, opposites, turned
from lvlmbench.stages.score.claimed import compared, denies
from lvlmbench.stages.score.cleaning import CLOSE, OPEN
from lvlmbench.stages.score.meanings import called, unspaced
from lvlmbench.stages.score.meanings import plain as _plain
from lvlmbench.stages.score.stems import numeral, stems
from lvlmbench.stages.score.which import (
    ASSERTED,
    LEAD_IN,
    LISTED,
    MEASURE,
    conceded_first,
    one_of,
)
from lvlmbench.stages.score.wording import ruled_out

#: Largest edit distance, as a share of the longer text, at which an answer still means an option.
#: Texts below five letters may differ in one letter of four at most: "bat" is not "cat".
LARGEST_DISTANCE = 1 / 3

#: Labels that are also everyday words (film titles such as "It" or "Her") count only as the
#: whole answer, in quotes, or where the answer ends with "is It".
_EVERYDAY = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be but by can do for from has have he her him his how i if in is it "
        "its me my no not of on one or our out she so that the them there they this to up us was "
        "we what which who will with you your image picture photo answer option question style "
        "none",
    )
)

#: Articles that an option may be named without; a title is written with a capital.
_ARTICLES = frozenset(
    re.findall(r"\w+", "a an the un une una uma um el la le les los las o ein eine der die das")
)
_MEASURED = re.compile(rf"^(?:an?\s+)?{MEASURE}\s+(?=\w)", re.I)
_NO_WORD = re.compile(r"[^\w\s]")
_BOX = re.compile(rf"{OPEN}([^{CLOSE}]*){CLOSE}")
_WORD_BEFORE = re.compile(r"(\w+) $")
#: Compounds that are something else than their last word.
_COMPOUNDS = frozenset(
    f"{name}{plural}"
    for name in re.findall(
        r"\w+ \w+",
        "hot dog, corn dog, prairie dog, teddy bear, koala bear, guinea pig, sea horse, sea lion, "
        "rocking horse",
    )
    for plural in ("", "s")
)
#: "Left" and "right" that are no sides.
_OTHER_SENSE = re.compile(
    r"\b(?:(?:that|you)(?:'s|'re| is| are) right|(?:I|he|she|they|we) left)$", re.I
)
#: Before "old" and the like: they tell how old.
_AGED = re.compile(r"\b(?:years?|months?)[ -]$", re.I)
#: Before a color of which another option is a shade, these make a third one.
_SHADES = frozenset(
    ["dark", "light", "pale", "deep", "bright", "sky", "navy", "baby", "royal", "hot", "neon"]
)
_OPPOSITES = frozenset(["un", "in", "im", "non", "dis", "ir", "il", "not"])
#: An option where words have no spaces between them, and one of Korean, where particles follow.
#: One sign may be a part of a longer word, but for these beside it.
_SIGN = (
    r"(?:(?<![\u4e00-\u9fff])|(?<=[是的只有个條条匹头頭隻名位辆張张为為在]))%s"
    r"(?:(?![\u4e00-\u9fff])|(?=[和也或与在]))"
)
_KOREAN = r"(?<!\w)%s(?=[도은는이가을를와과의에로만라]|입니다|예요|\W|$)"
_EITHER = re.compile(r"\beither\b([^.;!?\n]{1,60}?)\bor\b([^.,;!?\n]{1,60})", re.I)


def _core(text: str) -> str:
    """An answer without "It is a" and punctuation."""
    bare = _NO_WORD.sub(" ", LEAD_IN.sub("", text.strip(" \n\"'"), count=1).casefold())
    return " ".join(bare.split())


@lru_cache(maxsize=65_536)
def _pattern(option: str) -> re.Pattern[str]:
    """An option's words, hyphens for spaces allowed, an inner article free to be left out."""
    first, *rest = _MEASURED.sub("", option).split() or [""]
    parts = [
        rf"(?:[\s-]+{word})?" if word in _ARTICLES else rf"[\s-]+{re.escape(word)}" for word in rest
    ]
    if first in _ARTICLES and rest:
        first, parts = rest[0], parts[1:]
    body = re.escape(first) + "".join(parts)
    if re.search(r"[^aeiou\W]y$", body):
        body = f"{body[:-1]}(?:y|ie)"
    # A name of one word ("Friends", "It") is written with its capital, what a sign says is not.
    flags = 0 if option.istitle() and " " not in option else re.I
    if _plain(option) in _EVERYDAY:
        closing = "|".join(rf"(?<=\b{verb} )" for verb in ("is", "says", "reads", "called"))
        return re.compile(rf"[\"']{body}[\"']|(?:{closing}){body}(?=[.!\"']*$)", flags)
    if unspaced(option):
        return re.compile(_KOREAN % body if option > "\uabff" else _SIGN % body)
    return re.compile(rf"(?<!\w){body}(?:e?s)?(?!\w)", flags)


@lru_cache(maxsize=65_536)
def _first_word(option: str) -> str:
    words = [w for w in _MEASURED.sub("", option.lower()).split() if w not in _ARTICLES]
    first = (words or [option.lower()])[0]
    return first if first.isascii() else ""


def _mentions(text: str, options: Sequence[str]) -> list[Place]:
    """Labels in the text; one inside a longer one, or in a compound that means something else, does
    not count."""
    lower = text.lower()
    taken: list[Place] = []
    covered = bytearray(len(text))
    for index in sorted(range(len(options)), key=lambda i: (-len(options[i]), i)):
        if _first_word(options[index]) not in lower:
            continue
        shaded = any(o.endswith(f" {options[index]}") for o in options)
        for match in _pattern(options[index]).finditer(text):
            start, end = match.span()
            if any(covered[start:end]) or _OTHER_SENSE.search(text, max(0, start - 10), end):
                continue
            covered[start:end] = b"\1" * (end - start)
            before = _WORD_BEFORE.search(text, max(0, start - 20), start)
            word = before.group(1).lower() if before else ""
            if f"{word} {match.group().lower()}" in _COMPOUNDS or (shaded and word in _SHADES):
                continue
            taken.append(Place(start, end, index))
    for index, pattern in enumerate(called(tuple(options))):
        for match in pattern.finditer(text) if pattern else ():
            start, end = match.span()
            aged = _AGED.search(text, max(0, start - 9), start)
            if not any(covered[start:end]) and not aged:
                covered[start:end] = b"\1" * (end - start)
                taken.append(Place(start, end, index))
    return sorted(taken)


def _ruled_out(text: str, found: Sequence[Place]) -> list[bool]:
    """For each label whether it is ruled out, itself or as part of a list that is ("not a, b or
    c")."""
    out: list[bool] = []
    for at, label in enumerate(found):
        ruled = ruled_out(text, label.start, label.end)
        if not ruled and at and out[-1]:
            between = text[found[at - 1].end : label.start]
            ruled = bool(LISTED.fullmatch(between))
        out.append(ruled)
    for at in range(len(out) - 1, 0, -1):  # "a and b can be ruled out"
        out[at - 1] |= out[at] and bool(LISTED.fullmatch(text[found[at - 1].end : found[at].start]))
    return out


_POINTER = re.compile(
    r"\bthe (?:(?P<former>former)|latter)(?: (?:one|option))?"
    r"(?=\W*(?:$|[.,;:!?\n])|\s(?:is|looks|seems|because|since|as|in|on|by|has)\b)",
    re.I,
)


#: Of two that are compared neither is more.
_ALIKE = re.compile(
    r"\bneither\b[\w' ]{0,40}? (?:\w+er|(?:more|less) \w+) than (?:the |each )?other\b", re.I
)


def spelled_out(text: str, options: Sequence[str], question: str) -> str:
    """Return a text in which "the former" and "the latter" stand as letters in brackets: of the two
    options that it named last before, or that the question names. Of two things of which neither
    is more than the other both are the same."""
    text = _ALIKE.sub("both are the same", text) if "either" in text else text
    match = _POINTER.search(text) if "latter" in text or "former" in text else None
    if not match:
        return text
    for said in (text[: match.start()], question):
        named = list(dict.fromkeys(each.value for each in _mentions(said, options)))[-2:]
        if len(named) == 2:
            letter = chr(ord("A") + named[match["former"] is None])
            return f"{text[: match.start()]}({letter}){text[match.end() :]}"
    return text


def contradicts(text: str, options: Sequence[str], index: int) -> bool:
    """Return whether a text rules an option out and names another one, and only that."""
    every = _mentions(text, options)
    out = [each.value for each, gone in zip(every, _ruled_out(text, every), strict=True) if gone]
    return index in out and len({each.value for each in every} - {*out}) == 1


def named_option(text: str, options: Sequence[str], question: str = "") -> tuple[bool, int | None]:
    """Return (decided, index) by labels in a cleaned text, and by other words for the options.

    The only one that is named and not ruled out; or the only one that is not ruled out, where all
    others are. Of several the one that is asked and answered with yes; that is said of what the
    question asks about; that opens the answer; in a closing sentence or clause that concludes; or
    the only one that something is said to be ("this is a ..."), where the others stand in other
    clauses. Several labels without any of these decide for none.
    """
    if OPEN in text:
        for match in reversed(list(_BOX.finditer(text))):
            boxed = [i for i, o in enumerate(options) if _plain(o) == _core(match.group(1))]
            if len(boxed) == 1:
                return True, boxed[0]
        text = text.replace(OPEN, " ").replace(CLOSE, " ")
    plain = _plain(text)
    core = _core(text)
    if plain or core:
        exact = [i for i, o in enumerate(options) if _plain(o) in (plain, core)]
        if len(exact) == 1:
            return True, exact[0]
    comparisons = [compared(option) for option in options]
    if any(comparisons) and compared(text) and comparisons.count(compared(text)) == 1:
        return True, comparisons.index(compared(text))
    as_many = [i for i, each in enumerate(called(tuple(options))) if each and each.match("as many")]
    if len(as_many) == 1 and 0 in compared(text).values():
        return True, as_many[0]
    every = _mentions(text, options)
    if not every:
        return False, None
    ruled = _ruled_out(text, every)
    if question:
        ruled = [out or of_another(text, e, question) for e, out in zip(every, ruled, strict=True)]
        if all(ruled) and not all(_ruled_out(text, every)):
            return True, None
    found = [label for label, out in zip(every, ruled, strict=True) if not out]
    if found and all(conceded_first(text, label) for label in found):
        return True, None
    named = {label.value for label in found}
    if not named:
        left = set(range(len(options))) - {label.value for label in every}
        return True, left.pop() if len(left) == 1 else None
    if len(named) > 1:
        index = one_of(text, found, question)
        return True, index if index is None else _turned(text, found, index, options, question)
    if _hedged(text, options, found[0].value):
        return True, None
    return True, _turned(text, found, found[0].value, options, question)


def asserted_option(
    text: str, options: Sequence[str], question: str = ""
) -> tuple[bool, int | None]:
    """Return (decided, index) of the only option that a text names, if it is all that it says or
    something is said to be it."""
    decided, index = named_option(text, options, question)
    if not decided or index is None or _plain(options[index]) == _core(text):
        return decided, index
    found = [label for label in _mentions(text, options) if label.value == index]
    before = [text[max(0, each.start - 60) : each.start] for each in found]
    said = all(ASSERTED.search(b) or b.endswith(("look like a ", "looks like a ")) for b in before)
    return bool(found) and said, index


def _turned(
    text: str, found: Sequence[Place], index: int, options: Sequence[str], question: str
) -> int | None:
    """The option, or its opposite where the answer says it of the question's two things the other
    way round."""
    relation = _plain(options[index]).removesuffix(" of").removesuffix(" it")
    others = opposites().get(relation) if question else None
    label = next(each for each in found if each.value == index)
    if question and {each.value for each in found} == {index} and _less(text, options, question):
        return 1 - index if len(options) == 2 else None
    if not others or not turned(text, label, question):
        return index
    plain = [_plain(option).removesuffix(" of").removesuffix(" it") for option in options]
    return next((i for i, option in enumerate(plain) if option in others), None)


def _less(text: str, options: Sequence[str], question: str) -> bool:
    """Whether a text says the opposite of the comparative that is asked for: "A has fewer"."""
    said, asked = ({*_plain(each).split()} for each in (text, question))
    own = {word for option in options for word in _plain(option).split()}
    return "than" not in said and any(
        word.endswith(("er", "more")) and word in asked - said - own and others & said
        for word, others in opposites().items()
    )


def _hedged(text: str, options: Sequence[str], named: int) -> bool:
    """Whether "either ... or" offers another option than the named one, if by a part of it."""
    offered = _EITHER.search(text)
    said = stems(offered.group(1)) | stems(offered.group(2)) if offered else frozenset()
    return any(
        stems(option) & said - stems(options[named])
        for index, option in enumerate(options)
        if index != named
    )


def nearest_option(text: str, options: Sequence[str]) -> int | None:
    """Return the index of the option that a short answer means without naming it exactly.

    An answer that is a part of one option's words only ("fox" where the options are "red fox",
    "owl" ...), or the opening of one of its words, is that option. So is one with all the words of
    one option in another order or form ("walks his dog"). Otherwise the option with the smallest
    Levenshtein distance: none if two are equally near, or if even the nearest is farther than
    :data:`LARGEST_DISTANCE`, as a whole or word by word.
    """
    if all(numeral(option) for option in options):
        return None
    longest = max(map(len, options), default=0)
    if len(text) > 3 * longest + 80:
        return None
    core = _core(text)
    plain = [_plain(option) for option in options]
    if not core:
        return None
    joined = [i for i, o in enumerate(plain) if o and o.replace(" ", "") == core.replace(" ", "")]
    if len(joined) == 1:
        return joined[0]
    parts = [i for i, option in enumerate(plain) if f" {core} " in f" {option} "]
    if len(parts) == 1 and len(core) > 2:
        return parts[0]
    opened = [i for i, option in enumerate(plain) if len(core) > 3 and f" {core}" in f" {option}"]
    if len(opened) == 1:
        return opened[0]
    said = stems(core)
    worded = [i for i, option in enumerate(plain) if stems(option) and stems(option) <= said]
    worded = [i for i in worded if denies(text) == denies(options[i])]
    if worded:
        most = max(worded, key=lambda i: len(stems(plain[i])))
        # One stem may be said in passing ("a dog house"), unless nothing else is.
        single = len(stems(plain[most])) == 1 and len(said) > 1
        nested = all(stems(plain[i]) <= stems(plain[most]) for i in worded)
        return most if nested and not single else None
    if len(core) > 2 * longest + 10:
        return None
    distances = [Levenshtein.distance(core, option) for option in plain]
    best = min(distances)
    nearest = [i for i, distance in enumerate(distances) if distance == best]
    if len(nearest) > 1 or not _near(core, plain[nearest[0]]):
        return None
    return nearest[0]


def _near(core: str, option: str) -> bool:
    """Whether two plain texts can be one, misspelt: as a whole and, if they have as many words,
    word by word. An opposite ("unhappy", "happy") cannot."""
    if core.endswith(option) and core[: -len(option)].strip() in _OPPOSITES:
        return False
    pairs = [(core, option)]
    if core.count(" ") == option.count(" ") > 0 and 4 * Levenshtein.distance(*pairs[0]) > len(core):
        pairs += zip(core.split(), option.split(), strict=True)
    for one, other in pairs:
        longest = max(len(one), len(other))
        allowed = LARGEST_DISTANCE if longest >= 5 else 1 / 4
        if Levenshtein.distance(one, other) > allowed * longest:
            return False
    return True
