# ruff: noqa: RUF001 - letters of other scripts are meant
"""Whether an answer declines to answer, or leaves it open."""

from __future__ import annotations

import re
from functools import lru_cache

from lvlmbench.stages.score.cleaning import clean
from lvlmbench.stages.score.near import Phrases

#: A free-form refusal is short. What is longer describes something along the way.
LONGEST = 800

_IMAGE = r"(?:image|picture|photo|photograph|attachment|file|visual content)s?"
_CANNOT = (
    r"(?:i(?:'m| am)(?: \w+)? (?:unable to|not able to|not (?:allowed|permitted|comfortable"
    r"|in a position|going|willing)(?: to| with)?|incapable of)"
    r"|i(?: \w+)? (?:can(?:no|')?t|cannot|can not|won't|will not|could(?:n't| not)"
    r"|do(?:n't| not)|must not|refuse to|(?:must |have to )?decline to)"
    r"|i(?:'d| would) rather not|unable to)"
)
_REFUSE = (
    rf"\b{_CANNOT}(?: \w+)? (?:(?:comment|engage|participate|speculat|guess|discuss|disclos"
    r"|identify|fulfil|comply|recogni[sz]|confirm|continu)\w*|identifying"
    r"|(?:assist|help)(?:ing)?\b(?= (?:with|you|in|further)\b|\W*$|[.,;!])"
    r"|answer\b|answering|shar(?:e|ing)\b|provid(?:e|ing)"
    r"|do (?:that|this)|mak(?:e|ing) (?:assumptions|judg|guesses|that)"
    r"|describ(?:e|ing)\b(?! how)"
    r"|(?:determine|tell|say|infer|know|name|reveal)(?: you)?"
    r" (?:who|someone|anyone|(?:a|this|the) (?:person|individual|identity)|people|what the image"
    r"|what is in|what's in)"
    r"|(?:see|view|process|access|analy[sz]e|open|display|interpret|look at)(?:ing)?"
    rf" (?:the |any |your |this |that |an |it\b|these |actual |attached |uploaded )*"
    rf"(?:{_IMAGE}|visual|it\b)"
    r"|have (?:access|the (?:ability|capability|capacity)))"
    r"|\bi (?:must |have to |respectfully )*decline\b"
    r"|\b(?:against|violates?|violation of|not allowed by) (?:my|our|the) (?:\w+ ){0,2}"
    r"(?:guidelines|polic(?:y|ies)|programming|rules|principles)"
    r"|\b(?:content|usage|safety) policy\b"
    r"|\bi (?:don't|do not) feel comfortable\b|\bnot appropriate for me\b"
    rf"|\bno {_IMAGE} (?:was|is|has been|were|have been|provided|given|attached|available)"
    rf"|\b(?:don't|do not) see (?:an|any) {_IMAGE}"
    r"|(?:无法|不能|無法)(?:回答|识别|識別|提供|查看|帮助|协助|辨认|描述)"
    r"|申し訳|お答えできません|お手伝いできません|죄송|도와드릴 수 없|식별할 수 없"
    r"|\bno puedo (?:identificar|ayudar|responder|ver|proporcionar|describir)"
    r"|\bje ne peux pas (?:identifier|aider|répondre|voir|vous|décrire)"
    r"|\bkann (?:ich )?(?:leider )?(?:keine|dir|ihnen|das|dies\w*|die)\b[^.]{0,40}"
    r"(?:identifizieren|helfen|beantworten|beschreiben)"
    r"|не могу (?:помочь|идентифицировать|определить|опознать|ответить|описать)"
    r"|\bnão posso (?:identificar|ajudar|responder|descrever)"
)
_AS_AI = (
    r"as an? (?:\w+ )?(?:ai|language model|text-based)\b"
    r"|i(?:'m| am) (?:just |only )?an? (?:text|ai\b)"
)
_APOLOGY = (
    r"对不起|抱歉|很抱歉|對不起|lo siento\b|je suis désolée?\b|es tut mir leid\b"
    r"|извините|desculpe\b|mi dispiace\b|xin lỗi\b|üzgünüm\b|maaf\b|آسف|عذرا|क्षमा"
)
_CANNOT_WORDS = (
    *("unable to", "not able", "not allowed", "not permitted", "not comfortable"),
    *("not in a position", "not going", "not willing", "incapable", "can't", "cant", "cannot"),
    *("can not", "won't", "will not", "couldn't", "could not", "don't", "do not", "must not"),
    *("refuse to", "decline", "rather not"),
)
#: The writer declines to answer: out of policy, or for lack of sight.
DECLINES = Phrases(
    rf"{_REFUSE}|\b(?:{_AS_AI})|\b(?:for|due to) (?:privacy|safety|ethical)\b"
    rf"|\b(?:please|could you|can you) (?:provide|upload|share|attach) (?:an|the|your) {_IMAGE}"
    rf"|(?:{_APOLOGY})",
    (
        *_CANNOT_WORDS,
        *("as a", "i'm a", "i'm just", "i'm only", "i am a", "i am just", "i am only"),
        *("appropriate for me", "guidelines", "polic", "programming", "my rules", "our rules"),
        *("principles", "violat", "privacy", "safety", "ethical", "please", "could you", "can you"),
        *("no image", "no picture", "no photo", "no attachment", "no file", "no visual"),
        *("lo siento", "no puedo", "suis d", "ne peux", "tut mir", "kann ", "desculpe", "posso"),
        *("mi dispiace", "maaf"),
    ),
)
#: The writer does not know, or says that nobody can.
_TELL = (
    r"(?:determine|tell|say|know|make out|decide|choose|discern|verify|judge|identify"
    r"|see (?:how|what|who|which|whether|if))\b"
)
UNDECIDED = Phrases(
    rf"\b(?:{_CANNOT}(?: \w+)? (?:{_TELL}|see|be (?:sure|certain)|have enough)"
    rf"|(?:one|you|we) (?:can't|cannot|can not|could(?:n't| not)|don't|do not) (?:really )?{_TELL}"
    rf"|(?:impossible|not possible|difficult|hard) to {_TELL}|(?:impossible|hard) to answer"
    rf"|too \w+ to {_TELL}"
    r"|no (?:way|means) (?:to|of) (?:tell|know|say|see|being sure|determin|find|verify)\w*"
    r"|(?:cannot|can't|can not|could not) be"
    r" (?:determined|identified|answered|sure|certain|seen|verified)"
    r"|(?:not?|\w+n't)(?: \w+){0,2} enough (?:information|detail|evidence)"
    r"|(?:nothing|not|\w+n't)\b[^.;,]{0,40}? (?:indicate|tell|show|reveal|say)s?(?: us| me| you)?"
    r" (?:whether|if|what|how|who)"
    r"|insufficient (?:information|detail|evidence))"
    r"|(?:无法|不能)(?:确定|判断)",
    (
        *_CANNOT_WORDS, "impossible", "not possible", "difficult to", "hard to", "no way",
        "no means", "too ", "enough", "insufficient", "nothing", "n't", " not ",
    ),
)  # fmt: skip
#: What an option says that leaves a question open, and a reply that chooses it.
_OPEN = re.compile(
    r"(?:\b(?:cannot|can not|not)|n't)(?: be)?(?: \w+)?"
    r" (?:determin\w+|visible|shown|seen|clear|sure|certain|known|legible|readable|told?|read|say)"
    r"\b|\b(?:un(?:clear|certain|known|determined|decidable|readable|sure)|indetermina\w+|invisible"
    r"|illegible|undecided)\b|nicht (?:erkennbar|zu erkennen|bestimmbar)|indétermin"
    r"|无法|不确定|不明",
    re.I,
)


@lru_cache(maxsize=4096)
def open_option(options: tuple[str, ...]) -> int | None:
    """Return index of the only option that leaves the question open ("cannot be determined")."""
    found = [i for i, each in enumerate(options) if _OPEN.search(each) or UNDECIDED.search(each)]
    return found[0] if len(found) == 1 and len(options) > 1 else None


def leaves_open(text: str) -> bool:
    """Return whether a text says that there is no telling."""
    return UNDECIDED.search(text) or _OPEN.search(text) is not None


_CLAUSE = re.compile(
    r"(?<=[.!?;:])\s+|[。！？]\s*|\n+|(?:,\s*|\s+)(?:but|however|although|though)\b,?\s*"
    r"|,\s*(?:and|so)\s+(?=I\b)|(?<=sorry),\s*",
    re.I,
)
_BEFORE = re.compile(
    r"^(?:(?:but|however|and|so|also|that said|unfortunately|sorry|i(?:'m| am) afraid"
    r"|it (?:looks like|seems|appears)(?: that)?)\b[,\s]*)+",
    re.I,
)
_DECLINING = re.compile(
    rf"(?:(?:{_AS_AI})[\w\s]{{0,40}},?\s*"
    r"|(?:for|due to) (?:privacy|safety|ethical)[\w\s]{0,20},\s*"
    rf"|(?:{_APOLOGY})[^\w]*(?:pero|mais|aber|но|mas|ma|nhưng|ama|我)?\s*"
    rf"(?:\w{{1,3}}\s+)?)?(?:{_REFUSE})",
    re.I,
)
_SORRY = re.compile(
    r"(?:(?:i(?:'m| am)|we(?:'re| are)) (?:\w+ )?sorry|sorry|i apologi[sz]e|my apologies|apologies"
    rf"|thank(?:s| you)|{_APOLOGY})(?! for)[^.]{{0,60}}$",
    re.I,
)
_OFFERS = re.compile(
    r"(?:please|if you|let me know|feel free|i(?:'d| would) be (?:happy|glad)"
    r"|i(?:'m| am) (?:happy|glad|here)|i can (?:help|assist|try|only)|happy to|could you|can you"
    r"|would you|is there|do you|what else|how else|how can|you (?:can|could|may))\b",
    re.I,
)
_REASONS = re.compile(
    r"(?:this|that|it|doing so|identifying \w+|as|because|since)\b.{0,80}\b(?:guidelines"
    r"|polic(?:y|ies)|privacy|inappropriate|harmful|explicit|sensitive|unsafe|not allowed)",
    re.I,
)


def is_refusal(text: str) -> bool:
    """Return whether the whole of a free-form answer declines to describe the image.

    Conservative: each clause must decline ("I can't help with that"), apologise, give the policy as
    its reason or offer help of another kind, and at least one must decline. "I can't see any people
    in this image, but there is a dog" describes something and is a caption.

    Parameters
    ----------
    text
        What the model said, of any length.
    """
    if len(text) > 4 * LONGEST:
        return False
    text = clean(text)
    if len(text) > LONGEST:
        return False
    declines = False
    for clause in _CLAUSE.split(text):
        clause = _BEFORE.sub("", clause.strip(" ,.-"), count=1)
        if _DECLINING.match(clause):
            declines = True
        elif clause and not any(said.match(clause) for said in (_SORRY, _OFFERS, _REASONS)):
            return False
    return declines
