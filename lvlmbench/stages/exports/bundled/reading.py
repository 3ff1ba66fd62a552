"""Which option an answer chooses, or which short answer it gives: the rules of lvlmbench in brief.

This file needs Python alone and knows nothing of lvlmbench: copy it, and change the copy as you
like. It reads what models say when they do as they are told, which is nearly everything.
``lvlmbench score`` reads the rest too (docs/metrics.md), in several languages; where both read a
choice they are meant to read the same one. What cannot be read is no choice: it is counted, and
never taken for a wrong one.
"""

import re
from collections.abc import Sequence

#: Why there is no choice.
REFUSAL, UNREAD, EMPTY = "refusal", "unread", "empty"

#: Of a longer answer only the end is read.
_LONGEST = 20_000

_NAMES = r"(?:seed:)?(?:think|thinking|thoughts?|reasoning|reflection)"
#: A thought: from its mark to the closing one of the same form, else to the end.
_THOUGHT = re.compile(
    rf"<{_NAMES}>.*?(?:</{_NAMES}>|\Z)|\[{_NAMES}\].*?(?:\[/{_NAMES}\]|\Z)"
    rf"|\u25c1{_NAMES}\u25b7.*?(?:\u25c1/{_NAMES}\u25b7|\Z)"
    r"|<\|channel\|>(?:analysis|commentary)<\|message\|>.*?(?:<\|end\|>|\Z)",
    re.S | re.I,
)
#: The end of a thought that the prompt had begun, or the mark behind which the answer begins.
_THOUGHT_END = re.compile(
    rf"\A.*(?:</{_NAMES}>|\[/{_NAMES}\]|\u25c1/{_NAMES}\u25b7"
    r"|<\|channel\|>final<\|message\|>|assistantfinal)",
    re.S | re.I,
)
#: The end of the model's turn: what follows is invented.
_TURN_END = re.compile(
    r"<\|(?:im_end|eot_id|eot|eom_id|end|endoftext|end_of_turn|end_of_text|return)\|>"
    r"|<(?:end_of_turn|end_of_utterance|eos)>|</s>"
    r"|(?:(?<=\n)|(?<=\)))(?:user|human|assistant)[ \t]*\n"
    r"|(?<=\n)[ \t]*(?:user|human|question)[ \t]*:",
    re.I,
)
_DRESS = re.compile(r"\*+|`+|\\(?:boxed|text|textbf|mathrm)|[{}$]|</?answer>", re.I)
_ALONE = re.compile(r"[\s\"'(\[]*([A-Za-z])[\s\"')\].:,;!]*")
_CLOSING = re.compile(r"\(([A-Z])\)[\s.\"'!]*\Z")
_STATED = re.compile(
    r"\b(?i:answer|choice|option|letter)(?: is| would be|:)\s*[(\[\"']?([A-Z])(?![A-Za-z0-9'&+-])"
)
_BRACKETED = re.compile(r"\(([A-Z])\)")
_OPENING = re.compile(r"[(\[]?([A-Z])[)\].](?!\w)")
_CAPITAL = re.compile(r"(?<![\w'&+-])(?:([B-HJ-Z])|([AI])(?=\s*(?:[.,:;!)/\"\n]|\Z)))(?![\w'&+-])")
_AGAINST = re.compile(
    r"\b(?:not|neither|nor|rather than|instead of|wrong|incorrect|actually|wait|but|either|or|both"
    r"|and|unless|except|none|all of|if)\b|n['\u2019]t\b|\?",
    re.I,
)
_LIST = re.compile(r"\([A-Z]\)\s*(?:[,;/|&]|and|or)?\s*\Z")
#: Words that may stand around an option's text without saying anything else.
_FILLER = re.compile(
    r"\b(?:a|an|the|it|its|it's|this|that|is|are|was|shows?|showing|image|picture|photo|of|in|answer"
    r"|correct|option|statement|there|i|think|see|would|be|my|final|so|therefore|probably|likely"
    r"|clearly)\b|\W",
    re.I,
)
_REFUSES = re.compile(
    r"\b(?:sorry|apologi[sz]e|unable to|cannot|decline|refuse|as an ai"
    r"|(?:can|could|do|will|am|would)(?: not|n['\u2019]t)|can['\u2019]t)\b",
    re.I,
)


def without_thoughts(answer: str) -> str:
    """The answer without thoughts in the usual marks, up to the end of the model's turn."""
    if any(sign in answer for sign in "<[\u25c1") or "assistantfinal" in answer:
        answer = _THOUGHT_END.sub("", _THOUGHT.sub("", answer))
    return _TURN_END.split(answer.strip(), maxsplit=1)[0]


def read_choice(answer: str, options: Sequence[str]) -> tuple[int | None, str]:
    """(index, "") of the option that an answer chooses, or (None, why there is none).

    In this order: the answer is a letter and nothing else; it closes with a letter in parentheses,
    as the prompt asks; it declines; it states one letter ("the answer is B"), opens with one ("B.
    red fox"), brackets one or holds one capital that stands alone; it is an option's text with
    little around it. Two different letters, or words that take one back, are no choice.

    Parameters
    ----------
    answer
        What the model said, word for word.
    options
        The options' texts in the order of their letters; at most 26.
    """
    text = _DRESS.sub("", without_thoughts(answer)).strip()[-_LONGEST:]
    if not text:
        return None, EMPTY
    alone = _ALONE.fullmatch(text)
    if alone:
        return _known({alone.group(1).upper()}, options)
    stated = set(_STATED.findall(text))
    closing = _CLOSING.search(text)
    if closing:
        before = text[max(0, closing.start() - 24) : closing.start()]
        stated.add(closing.group(1))
        denied = _AGAINST.search(before.rpartition("\n")[2]) or _LIST.search(before)
        return (None, UNREAD) if denied else _known(stated, options)
    around = _without(text, options)
    if _REFUSES.search(around):
        return None, REFUSAL
    index = _named(text, options)
    letters = stated | set(_BRACKETED.findall(text)) | _opening(text)
    if index is not None and not letters:
        return index, ""
    letters |= {a or b for a, b in _CAPITAL.findall(text)}
    return (None, UNREAD) if _AGAINST.search(around) or not letters else _known(letters, options)


#: What announces a short answer.
_ANNOUNCED = re.compile(
    r"\b(?:answer|total|count|number|colou?r|word)\b[^.:\n]{0,40}?(?:\bis\b|:)\s*[\"'(]*", re.I
)
_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:,\d{3})*(?:\.\d+)?(?!,?\w)")
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_IN_WORDS = re.compile(
    rf"(?<!\w)(?<!\w-)(?:({'|'.join(_TENS)})(?:[- ]({'|'.join(_ONES[1:10])}))?"
    rf"|({'|'.join(_ONES)}))(?![\w-])",
    re.I,
)
_SIGN = re.compile(rf"\b(?:minus|negative) (?=\d|{'|'.join((*_TENS, *_ONES))})", re.I)
_COLOR = re.compile(
    r"\b(?:red|orange|yellow|green|blue|purple|violet|pink|brown|gr[ae]y|black|white|cyan|teal"
    r"|turquoise|magenta|beige|tan|maroon|gold|golden|silver|lime|olive)\b",
    re.I,
)
_DOUBTFUL = re.compile(
    r"\b(?:or|and|either|between|(?:at|up)(?: the)? (?:least|most|to)|(?:over|under|above) \d+"
    r"|(?:more|less|fewer|greater|larger|smaller|higher|lower) than|not|no|none|nothing|un\w+|but"
    r"|sorry|cannot|illegible|blank|empty|blurr\w*|too|half|quarter"
    r"|hundred|thousand|[mb]illion|dozens?|plus|minus|negative|times \d+|maximum|minimum)\b"
    r"|\d\s*[-+/*=\u00d7]|\d\s*\.\.|[<>\u2264\u2265?]|\w[/-]\w|\d,\d(?!\d\d)|n['\u2019]t\b",
    re.I,
)
_DENIES = re.compile(r"(?:\bnot\b|n['\u2019]t\b)[^.\n]*\Z")
_HEDGE = re.compile(r"\A\W*(?:probably|maybe|perhaps|possibly)\b", re.I)
_TAKES_BACK = re.compile(r"\b(?:wait|actually|correction|scratch|no,)(?!\w)", re.I)
#: Words that may stand around a short answer.
_AROUND = re.compile(
    r"\b(?:word|name|text|sign|says|reads|written|on|could|s)\b"
    r"|\A\W*the [\w ]{1,30} (?:says|reads)\b",
    re.I,
)
#: Words of a reply that is held against a short answer as a whole: where it is right, or not.
_LONG, _BRIEF = 8, 2


def read_short(answer: str, accepted: Sequence[str]) -> tuple[bool | None, str]:
    """(whether a short answer is right, "") or (None, why that cannot be read).

    What stands behind "the answer is" counts, else the last line. It must hold one number where the
    answer is one; else it must be short. Words of doubt, or two numbers, are no answer.

    Parameters
    ----------
    answer
        What the model said, word for word.
    accepted
        Forms that are right: a number in digits and in words, a color, a word.
    """
    text = _DRESS.sub("", without_thoughts(answer)).strip()[-_LONGEST:]
    if not text:
        return None, EMPTY
    announced = list(_ANNOUNCED.finditer(text))
    if not announced and _REFUSES.search(text):
        return None, REFUSAL
    part = text[announced[-1].end() :] if announced else text.rsplit("\n", 1)[-1]
    opened = announced[-1].group() if announced else ""
    denied = _DENIES.search(text, 0, announced[-1].end()) if announced else None
    if denied or _TAKES_BACK.search(part) or any(_holds_word(opened, form) for form in accepted):
        return None, UNREAD
    if _several(text, [match.group() for match in announced]):
        return None, UNREAD
    part = re.split(r"[.!;\n](?!\d)", part.strip(), maxsplit=1)[0] if announced else part
    if any(re.fullmatch(r"-?\d+", form) for form in accepted):
        return _number_is(part, accepted)
    own = next((form for form in accepted if _holds_word(part, form)), None)
    part = _HEDGE.sub("", part)
    rest = part
    for form in accepted:
        rest = re.sub(_as_word(form), " ", rest, flags=re.I)
    n_words = len(re.findall(r"\w+", part))
    if _DOUBTFUL.search(rest) or not 0 < n_words <= _LONG:
        return None, UNREAD
    if own is None and any(map(_COLOR.fullmatch, accepted)) and not _COLOR.search(part):
        return None, UNREAD
    if own is None:
        return (False, "") if n_words <= _BRIEF else (None, UNREAD)
    if _COLOR.fullmatch(own):
        return (None, UNREAD) if _COLOR.search(rest) else (True, "")
    return (None, UNREAD) if _FILLER.sub("", _AROUND.sub("", rest)) else (True, "")


def _several(text: str, announced: Sequence[str]) -> bool:
    """Whether several things are counted, so that the last need not be the one that is asked."""
    first, end, _ = text.partition("\n")
    if not announced:
        brief = len(first.split()) <= _BRIEF and re.search(r"\d", first)
        return bool(end) and bool(brief or re.match(r"\d+[.)]\s", text.rsplit("\n", 1)[-1]))
    *others, last = (each.split()[0].strip(":").lower() for each in announced)
    return bool(others) and last != "answer" and (last != "total" or last in others)


def _number_is(part: str, accepted: Sequence[str]) -> tuple[bool | None, str]:
    """Whether the only number that is said is right."""
    text = _IN_WORDS.sub(_in_digits, _SIGN.sub("-", part))
    said = {re.sub(r"\.0+$", "", each.replace(",", "")) for each in _NUMBER.findall(text)}
    if _DOUBTFUL.search(text) or len(said) != 1:
        return None, UNREAD
    return min(said) in accepted, ""


def _in_digits(match: re.Match[str]) -> str:
    tens, one, alone = (part and part.lower() for part in match.groups())
    if alone:
        return str(_ONES.index(alone))
    return str(20 + 10 * _TENS.index(tens) + (_ONES.index(one) if one else 0))


def _holds_word(text: str, form: str) -> bool:
    return re.search(_as_word(form), text, re.I) is not None


def _as_word(form: str) -> str:
    return rf"(?<![\w-]){re.escape(form)}(?![\w-])"


def _opening(text: str) -> set[str]:
    opening = _OPENING.match(text)
    return {opening.group(1)} if opening else set()


def _known(letters: set[str], options: Sequence[str]) -> tuple[int | None, str]:
    """The option of a single letter."""
    index = ord(min(letters)) - ord("A")
    return (index, "") if len(letters) == 1 and index < len(options) else (None, UNREAD)


def _named(text: str, options: Sequence[str]) -> int | None:
    """The option whose text is all that an answer says, but for words that say nothing."""
    said = text.casefold()
    for index, option in enumerate(options):
        own = option.casefold().strip()
        match = re.search(rf"(?<!\w){re.escape(own)}(?!\w)", said) if own else None
        if match and not _FILLER.sub("", said[: match.start()] + " " + said[match.end() :]):
            return index
    return None


def _without(text: str, options: Sequence[str]) -> str:
    """The words around the options' texts, in which "and" or "not" says something."""
    for option in options:
        if option.strip():
            text = re.sub(rf"(?<!\w){re.escape(option.strip())}(?!\w)", " ", text, flags=re.I)
    return text
