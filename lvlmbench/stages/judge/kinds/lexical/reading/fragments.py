"""Words without a verb: "a teapot, stripy, with a spout", "a boy (red hat), waving"."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading import hung
from lvlmbench.stages.judge.kinds.lexical.reading.listing import LISTED, PREPS, noun_of
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.trees import acting, alive, attach, hang_verb


def fragment(text: Text, stretch: list[Token]) -> None:
    """Hang "stripy" on the teapot in "a teapot, stripy, with a spout"; what is in brackets, too."""
    verbless = not any(hung.finite(text, e) for e in stretch)
    last: Token | None = None
    who: Token | None = None
    for words, before in hung.segments(stretch):
        if verbless and before == "," and who is not None and acting(text, words[0]):
            hang_verb(words[0], who)
            continue
        many = last is not None and (before == "(" or (verbless and last.tag == "NNS"))
        if many and last is not None and len(words) == 1 and hung.numeral(text, words[0]):
            attach(words[0], last, "nummod")
            continue
        who = who or next((e for e in words if e.noun and alive(e, text)), None)
        if len(words) == 1 and not words[0].noun and hung.is_thing(text, words[0]) and verbless:
            words[0].tag = "NN"
        if verbless and (own := hung.described(text, words)) is not None:
            attach(own, words[0].head if last is None else last, LISTED if who else "dep")
            last = own if last is None and who is None else last
            continue
        bare = [e for e in words if e.low not in hung.SMALL and e.low not in hung.LINKS]
        led = next((e.low for e in words if e.low not in hung.LINKS), "") in ("a", "an")
        says = (
            bool(bare)
            and not led
            and all(hung.says_how(text, e) and e.tag[:2] != "RB" for e in bare)
        )
        if (
            verbless
            and who is not None
            and len(bare) == 1
            and hung.acts_in_list(text, bare[0])
            and before == ","
        ):
            hang_verb(bare[0], who)
            hung.deny_verb(words, bare[0])
        elif (
            last is not None
            and says
            and (before == "(" or (verbless and before in (",", ";", ":")))
        ):
            hung.hang_adjectives(text, hung.several(stretch, words) or last, words)
        elif words[0].tag not in PREPS or last is None:
            noun = noun_of(text, words)
            nouns = [e for e in words if e.noun or e is noun]
            beside = noun is not None and any(e.low == "with" for e in words if e.i > noun.i)
            last = noun if beside or not nouns else nouns[-1]
            if last is not None and last.low in text.lexicon.kinds:
                last = None
