"""Whether attributes, garments and actions are those of a thing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lvlmbench.scene.claims import Claim, Feature, Verdict
from lvlmbench.stages.judge.kinds.lexical.matching.found import UNVERIFIABLE, Found, best
from lvlmbench.stages.judge.kinds.lexical.matching.things import Candidate, Things
from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import lexicon

_COLOR = "color"
_AGES = ("child", "teenager", "adult", "elderly")


def attribute(claim: Claim, thing: Feature, things: Things) -> Found:
    """Return whether a thing has an attribute."""
    value = claim.value or ""
    if thing.kind == "garment" and claim.relation == _COLOR:
        return _shade(value, thing, things)
    true = [*things.picture.parts("attribute", thing, claim.relation)]
    if not true and things.picture.annotated:  # by people, who do not say what a word is of
        every = things.picture.parts("attribute", thing)
        true = [each for each in every if things.lexicon.fold(value) in _names(each, things)]
    if claim.relation == "text":
        return _text(value, true)
    if claim.relation == "hair":  # its form and its color are two features
        colored = value in things.lexicon.colors
        named = [f for f in true if things.lexicon.fold(value) in _names(f, things)]
        true = named or [f for f in true if (f.value in things.lexicon.colors) == colored]
    return best(_one(claim, value, each, things) for each in true)


def _one(claim: Claim, value: str, true: Feature, things: Things) -> Found:
    if things.lexicon.fold(value) in _names(true, things):
        return Found("matched", "word", true)
    near = _years(value, true.value or "") < 2 and value != _AGES[-1]
    if claim.relation == "age" and near:
        return UNVERIFIABLE
    if claim.relation in ("beard", "expression", "race"):
        return UNVERIFIABLE
    if claim.relation == "hair" and value not in things.lexicon.colors:
        return UNVERIFIABLE
    shade = (true.value or "") in things.lexicon.colors and value in things.lexicon.colors
    if claim.relation == _COLOR or (claim.relation == "hair" and shade):
        return _shade(value, true, things)
    return Found("contradicted", "word", true)


def _years(said: str, true: str) -> int:
    """How far two ages are apart, in steps; neighbors are easily mistaken."""
    if said not in _AGES or true not in _AGES:
        return 0
    return abs(_AGES.index(said) - _AGES.index(true))


def _names(feature: Feature, things: Things) -> set[str]:
    return {*map(things.lexicon.fold, (feature.value or "", *feature.forms))}


def _shade(value: str, true: Feature, things: Things) -> Found:
    """Whether a color is one that is there; a feature may have none."""
    verdict = things.lexicon.colors.compared(value, true.value or "")
    if verdict is None:
        return UNVERIFIABLE
    how = "synonym" if verdict == "matched" else "word" if verdict == "contradicted" else "ancestor"
    return Found(verdict, how, true)


def _text(value: str, true: list[Feature]) -> Found:
    """Whether words are written: some of them is less, others are wrong."""
    said = _written(value)
    found = []
    for each in true:
        words = _written(each.value or "")
        if said == words:
            found.append(Found("matched", "word", each))
        elif f" {said} " in f" {words} ":
            found.append(Found("broader", "word", each))
        else:
            found.append(Found("contradicted", "word", each))
    return best(found)


def _written(text: str) -> str:
    """Letters and digits of a text, in lower case."""
    plain = "".join(sign if sign.isalnum() else " " for sign in text.casefold())
    return " ".join(plain.split())


def garment(claim: Claim, thing: Feature, things: Things) -> Found:
    """Return whether somebody wears a garment, in its color if that is said."""
    word = claim.object or ""
    picture = things.picture
    worn = things.among(word, [*picture.parts("garment", thing)])
    if worn:
        return best(_colored(claim, each, things) for each in worn)
    loose = things.among(word, picture.by_kind["object"])
    beside = [each for each in loose if each.feature.source == "listed"]
    if beside:
        return beside[0].found
    others = things.among(word, picture.by_kind["garment"]) or loose
    if others:
        return Found("contradicted", "word", others[0].feature)
    return things.missing(word, "garment")


def _colored(claim: Claim, worn: Candidate, things: Things) -> Found:
    true = worn.feature.value
    if claim.value is not None and true is None and worn.feature.optional:
        return UNVERIFIABLE
    if claim.value is None or true is None:
        return worn.found
    verdict = things.lexicon.colors.compared(claim.value, true)
    if verdict == "contradicted":
        return Found("contradicted", "word", worn.feature)
    if verdict == "broader" and worn.met.verdict == "matched":
        return Found("broader", "ancestor", worn.feature)
    return worn.found


def action(claim: Claim, thing: Feature, things: Things) -> Found:
    """Return whether somebody does something."""
    said = things.lexicon.fold(claim.value or "")
    face = lexicon().maps["people.expression_verbs"].get(said)
    if face is not None and things.picture.parts("attribute", thing, "expression"):
        return attribute(replace(claim, relation="expression", value=face), thing, things)
    return best(_done(said, each, things) for each in things.picture.parts("action", thing))


def _done(said: str, true: Feature, things: Things) -> Found:
    forms = [things.lexicon.fold(form) for form in (true.value or "", *true.forms)]
    if said in forms:
        return Found("matched", "word", true)
    verb, _, what = said.partition(" ")
    names = things.lexicon.names
    drawn = names.relation(said, "running", "pose") or names.relation(said, "swimming", "action")
    known = drawn is not None or said in lexicon().lists["people.moves"]
    wrong = Found("contradicted", "word", true) if known else UNVERIFIABLE
    return best([wrong, *_same_verb(verb, what, forms, true, things)])


def _same_verb(
    verb: str, what: str, forms: Iterable[str], true: Feature, things: Things
) -> Iterable[Found]:
    """What is done with something, where the picture has it done with something else or nothing."""
    for form in forms:
        true_verb, _, true_what = form.partition(" ")
        if verb != true_verb:
            continue
        if not what:
            yield Found("broader", "word", true)
        elif not true_what:
            yield Found("matched", "word", true)
        if not true_what:
            continue
        related = things.lexicon.names.relation(what, true_what)
        if related in ("same", "broader"):
            verdict: Verdict = "matched" if related == "same" else "broader"
            yield Found(verdict, "synonym", true)
