"""What is said of people beside adjectives: by the noun itself, hair, beard, face, smile."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.listing import LISTED
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import Thing
from lvlmbench.stages.judge.kinds.lexical.reading.trees import FINITE

#: Nouns of what belongs to a person -> the relation of their adjectives.
_PARTS = {
    "hair": "hair", "beard": "beard", "mustache": "beard", "skin": "race", "face": "expression",
    "expression": "expression", "smile": "expression", "grin": "expression", "frown": "expression",
    "scowl": "expression", "complexion": "race", "goatee": "beard",
    "look": "expression", "head": "hair",
}  # fmt: skip
#: The most years -> age of docs/claims.md.
_AGES = ((12, "child"), (19, "teenager"), (59, "adult"), (9999, "elderly"))
_DECADES = {
    "teens": 15, "twenties": 25, "thirties": 35, "forties": 45, "fifties": 55, "sixties": 65,
    "seventies": 75, "eighties": 85, "nineties": 95, "20s": 25, "30s": 35, "40s": 45, "50s": 55,
    "60s": 65, "70s": 75, "80s": 85,
}  # fmt: skip
#: What is said of a head that has no hair.
_BARE = frozenset({"bald", "shaved", "shaven", "hairless"})
_DONE = frozenset(
    ("braided", "plaited", "permed", "dyed", "cropped", "slicked", "shaved", "curled")
)
_WORN = frozenset({"with", "in", "have", "wear", "sport", "get"})


def told(sight: Sight) -> Iterator[Draft]:
    """Yield what words for people say of them by themselves."""
    done: set[tuple[int, str]] = set()
    for thing in sight.things.all:
        if thing.role != "person" or thing.negated:
            continue
        root = thing.root
        for relation, said in thing.says.items():
            value = root.says.get(relation, said)
            if (id(root), relation) not in done:
                done.add((id(root), relation))
                yield Draft(
                    "attribute", root, thing.first, thing.last, relation, None, value,
                    negated=thing.negated, hedged=thing.hedged,
                )  # fmt: skip
                root.says.setdefault(relation, value)


def ages(sight: Sight) -> Iterator[Draft]:
    """Yield ages in years: "about ten years old", "a girl of sixteen", "in his forties"."""
    for token in sight.text.tokens:
        found = _years(sight, token)
        if found is None:
            continue
        years, last = found
        of = sight.things.by_token.get(token.head.i)
        bearers = [of] if of is not None and token.head.i > token.i else _before(sight, token)
        if not bearers or bearers[0].role != "person":
            continue
        age = next(name for most, name in _AGES if years <= most)
        if bearers[0].root.says.get("age") != age:
            bearers[0].root.says["age"] = age
            yield Draft(
                "attribute", bearers[0].root, token, last, "age", None, age,
                negated=bearers[0].negated, hedged=bearers[0].hedged,
            )  # fmt: skip


def _years(sight: Sight, token: Token) -> tuple[int, Token] | None:
    """The years that a number says, with the last word of it."""
    low, tokens = sight.text.low, sight.text.tokens
    numbers = sight.text.lexicon.maps["lemmas.numbers"]
    if token.low in _DECADES and low[max(0, token.i - 3) : token.i]:
        return _DECADES[token.low], token
    if token.low.endswith("-year-old"):
        number, last = token.low.removesuffix("-year-old"), token
    elif token.tag != "CD" and token.low not in numbers:
        return None
    elif low[token.i + 1 : token.i + 3] == ["years", "old"]:
        number, last = token.low, tokens[token.i + 2]
    elif _aged(sight, token):
        number, last = token.low, token
    else:
        return None
    years = numbers.get(number, number)
    return (int(years[:4]), last) if years.isdecimal() else None


def _aged(sight: Sight, token: Token) -> bool:
    """Whether a number is an age by what leads it: "of about twelve", "aged 40", "is nine"."""
    low = sight.text.low
    after = next(sight.after(token, 1), None)
    if after is not None and after.tag not in ("IN", "CC", "WP", ".", ",", ":", "-RRB-"):
        return False
    at = token.i - 1
    while at >= 0 and low[at] in ("about", "around", "roughly", "perhaps", "maybe", "nearly"):
        at -= 1
    about = at < token.i - 1
    before = sight.things.by_token.get(at - 1) if at > 0 else None
    if at < 0:
        return False
    if low[at] == "of":
        return before is not None and before.role == "person"
    return low[at] == "aged" or (about and sight.text.tokens[at].lemma in ("look", "be"))


def _before(sight: Sight, token: Token) -> list[Thing]:
    for thing in reversed(sight.things.all):
        if thing.last.i < token.i and thing.role == "person":
            return [thing.root]
    return []


def parts(sight: Sight) -> Iterator[Draft]:
    """Yield what is said of a person's hair, beard, skin and face; these are then no things."""
    for token in sight.text.tokens:
        hairstyle = bool(_style(sight, token))
        relation = "hair" if hairstyle else _PARTS.get(token.lemma)
        if relation is None or not token.noun:
            continue
        if token.lemma == "head" and not any(each.low in _BARE for each in token.below):
            continue
        if token.dep == "compound" and token.head.lemma in ("tone", "color"):
            token = token.head  # "a medium skin tone"
        owners = _owners(sight, token)
        if not owners or (token.lemma == "face" and not _values(sight, token, relation)):
            continue  # "a freckled face" is a thing
        thing = sight.things.by_token.get(token.i)
        if thing is not None:
            thing.silent = True
        for owner in owners:
            denied = sight.certainty.denied(token, token)
            for value, first in _values(sight, token, relation):
                yield Draft(
                    "attribute", owner, first, token, relation, None, value,
                    negated=owner.negated or denied, hedged=owner.hedged,
                )  # fmt: skip
        if relation == "expression":
            continue


def _owners(sight: Sight, token: Token) -> list[Thing]:
    """Whose it is."""
    found: list[Thing] = []
    for each in token.below:
        if each.dep == "poss":
            found = sight.mentions.resolve(each)
    top = token
    while top.dep == "conj" and top.head.noun:
        top = top.head
    verb = top.head
    if top.dep == LISTED:
        found = sight.mentions.resolve(verb)
    if not found and top.dep == "pobj" and verb.low in ("in", "into", "with"):
        found = sight.frames.governors(verb)
        style = verb.low != "with" and not any(each.alive for each in found)
        if style and (
            hair := next((e for e in sight.text.sentence(token) if e.low == "hair"), None)
        ):
            found = _owners(sight, hair) if hair.i < token.i else found  # "her hair is in a bun"
    if not found and top.dep == "dobj" and verb.lemma in _WORN:
        found = sight.frames.subjects(verb)
    sentence = sight.text.sentence(token)
    if not found and len(sentence) <= 4 and not any(e.verb for e in sentence):
        found = _before(sight, token)[:1]  # "Goalkeeper, gloves. Ponytail."
    beside = "and" in sight.text.low[max(0, token.i - 3) : token.i]
    led = beside or top.dep in ("conj", "dobj", "appos", "pobj")
    led = led or not any(each.tag in FINITE for each in sentence)
    if not found and led and verb.lemma != "of":
        found = _last_person(sight, token)
    return [
        each for each in found if each.alive and (each.role == "person" or token.lemma == "smile")
    ]


def _last_person(sight: Sight, token: Token) -> list[Thing]:
    """The person that the sentence named last; nobody where a thing came between."""
    for thing in reversed(sight.things.all):
        if thing.last.i >= token.i or thing.silent or thing.wearer is not None:
            continue
        if thing.role == "person" and thing.first.sentence == token.sentence:
            return [thing.root]
        return []
    return []


def _values(sight: Sight, token: Token, relation: str) -> list[tuple[str, Token]]:
    text, kinds = sight.text, sight.text.lexicon.kinds
    out: list[tuple[str, Token]] = []
    adjectives = [
        each
        for child in token.below
        if child.dep in ("amod", "compound", "nmod")
        or (child.tag == "JJ" and child.dep in ("advmod", "appos"))
        for each in (*child.joined(), *child.children("amod"))
        if each.lemma not in _PARTS
    ]
    if token.dep in ("nsubj",) and token.head.lemma in ("be", "look"):
        adjectives += [e for child in token.head.children("acomp", "attr") for e in child.joined()]
    if token.dep == "nsubjpass" and token.head.low in _DONE:
        adjectives.append(token.head)  # "her hair is braided"
    for each in adjectives:
        said = kinds.get(each.low) == "expression" or token.lemma == "expression"
        if relation == "expression" and not said:
            continue
        if each.low in kinds and kinds[each.low] is None:
            continue
        out.append((each.low, each))
    spoken = text.lexicon.maps["people.expression_nouns"].get(token.lemma)
    if spoken and not out:
        out.append((spoken, token))
    if not out and (relation == "beard" or (relation == "hair" and token.lemma != "hair")):
        out.append((_style(sight, token) or token.lemma, token))
    return out


def _style(sight: Sight, token: Token) -> str:
    """A way to wear hair, in one or two words: "braid", "crew cut"."""
    before = sight.text.low[token.i - 1] if token.i else ""
    names = (f"{before} {token.lemma}", token.lemma)
    return next((each for each in names if sight.text.has("people.hairstyles", each)), "")
