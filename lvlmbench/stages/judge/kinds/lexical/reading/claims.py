"""From a parsed text to its claims, numbered in the order of the text."""

from __future__ import annotations

from collections.abc import Iterable

from lvlmbench.scene.claims import Claim
from lvlmbench.stages.judge.kinds.lexical.reading.actions import actions
from lvlmbench.stages.judge.kinds.lexical.reading.aside import aside
from lvlmbench.stages.judge.kinds.lexical.reading.attributes import Attributes
from lvlmbench.stages.judge.kinds.lexical.reading.counts import counts
from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.garments import dress
from lvlmbench.stages.judge.kinds.lexical.reading.holding import filled, held
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text
from lvlmbench.stages.judge.kinds.lexical.reading.people import ages, parts, told
from lvlmbench.stages.judge.kinds.lexical.reading.phrased import phrased
from lvlmbench.stages.judge.kinds.lexical.reading.places import drafts as places
from lvlmbench.stages.judge.kinds.lexical.reading.places import phrases
from lvlmbench.stages.judge.kinds.lexical.reading.ranks import ranks
from lvlmbench.stages.judge.kinds.lexical.reading.relations import Relations
from lvlmbench.stages.judge.kinds.lexical.reading.rows import rows
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing
from lvlmbench.stages.judge.kinds.lexical.reading.written import written


def claims(text: Text) -> list[Claim]:
    """Return the claims of a parsed text."""
    sight = Sight.of(text)
    worn = dress(sight)
    found = phrases(text)
    taken = {i for phrase in found.values() for i in range(phrase.first.i, phrase.last.i + 1)}
    said: list[Draft] = [*ages(sight), *told(sight), *parts(sight)]
    attributes = [*Attributes(sight).drafts(), *phrased(sight)]
    said += _garments(sight, worn, attributes)
    said += [draft for draft in attributes if not _colors_garment(draft, worn)]
    said += written(sight)
    said += counts(sight)
    said += actions(sight)
    said += places(sight, found)
    said += Relations(sight, taken).drafts()
    said += rows(sight)
    said += held(sight)
    said += filled(sight)
    said += ranks(sight)
    said = [draft for draft in said if not (_silent(draft.subject) or _silent(draft.object))]
    said = _named(sight, worn) + said
    if elsewhere := aside(text):
        said = [draft for draft in said if draft.first.sentence not in elsewhere]
    return _numbered(sight, _once(sight, said))


def _named(sight: Sight, worn: dict[int, list[Thing]]) -> list[Draft]:
    """Claims of the things and of the setting themselves."""
    out: list[Draft] = []
    for thing in sight.things.all:
        if thing.same is not None or thing.silent or thing.head.i in worn:
            continue
        setting = thing.role in SETTING
        out.append(
            Draft(
                "scene" if setting else "object",
                thing,
                thing.first,
                thing.last,
                thing.role if setting else None,
                None,
                thing.name if setting else None,
                negated=thing.negated,
                hedged=thing.hedged,
            )
        )
    return out


def _colors_garment(draft: Draft, worn: dict[int, list[Thing]]) -> bool:
    thing = draft.subject
    return isinstance(thing, Thing) and draft.relation == "color" and thing.root.head.i in worn


def _garments(sight: Sight, worn: dict[int, list[Thing]], said: Iterable[Draft]) -> list[Draft]:
    """Claims of what people wear, with the colors that are said of it."""
    colors: dict[int, list[str]] = {}
    for draft in said:
        if isinstance(draft.subject, Thing) and draft.value and _colors_garment(draft, worn):
            own = colors.setdefault(draft.subject.root.head.i, [])
            if draft.value not in own:
                own.append(draft.value)
    out = _under_titles(sight)
    for thing in sight.things.all:
        for wearer in worn.get(thing.head.i, ()) if thing.same is None else ():
            color = " and ".join(colors.get(thing.head.i, ())) or None
            denied = thing.negated or sight.certainty.denied(thing.head, thing.first)
            out.append(
                Draft(
                    "garment",
                    wearer,
                    thing.first,
                    thing.last,
                    "wears",
                    thing,
                    color,
                    negated=denied or wearer.negated,
                    hedged=thing.hedged or wearer.hedged,
                )
            )
    return out


def _under_titles(sight: Sight) -> list[Draft]:
    """Claims of clothes that a title names above who wears them."""
    out: list[Draft] = []
    for garment, who, colors in sight.text.wears:
        thing = sight.things.by_token.get(garment.i)
        if thing is None:
            continue
        thing.silent = True
        color = " and ".join(each.low for each in colors) or None
        for wearer in sight.mentions.resolve(who):
            out.append(Draft("garment", wearer, garment, garment, "wears", thing.name, color))
    return out


def _once(sight: Sight, said: Iterable[Draft]) -> list[Draft]:
    """The drafts without those that say the same, also turned round."""
    inverse = sight.text.lexicon.maps["relations.inverse"]
    symmetric = sight.text.lexicon.lists["relations.symmetric"]
    back = {value: key for key, value in inverse.items()}
    seen: set[tuple[object, ...]] = set()
    out: list[Draft] = []
    for draft in said:
        one, other = _identity(draft.subject), _identity(draft.object)
        relation = draft.relation or ""
        key = (draft.kind, one, relation, other, draft.value, draft.negated)
        turned = (
            inverse.get(relation)
            or back.get(relation)
            or (relation if relation in symmetric else None)
        )
        if key in seen:
            continue
        if (
            draft.kind == "relation"
            and turned
            and (draft.kind, other, turned, one, draft.value, draft.negated) in seen
        ):
            continue
        seen.add(key)
        out.append(draft)
    return out


def _silent(part: Thing | str | None) -> bool:
    """Whether a thing turned out to be none, as the hair of somebody."""
    return isinstance(part, Thing) and (part.silent or part.root.silent)


def _identity(part: Thing | str | None) -> object:
    return id(part.root) if isinstance(part, Thing) else part


def _numbered(sight: Sight, said: list[Draft]) -> list[Claim]:
    """The claims in the order of the text."""
    said = sorted(said, key=lambda draft: (draft.first.i, draft.last.i, draft.kind != "object"))
    numbers = {
        id(draft.subject.root): number
        for number, draft in enumerate(said)
        if draft.kind == "object" and isinstance(draft.subject, Thing)
    }
    out: list[Claim] = []
    for number, draft in enumerate(said):
        start, end = sight.text.span(draft.first, draft.last)
        own = draft.kind in ("object", "scene")
        out.append(
            Claim(
                number=number,
                kind=draft.kind,
                subject=_word(draft.subject) or "",
                relation=draft.relation,
                object=_word(draft.object),
                value=draft.value,
                about=None if own else numbers.get(_key(draft.subject)),
                other=numbers.get(_key(draft.object)),
                start=start,
                end=end,
                negated=draft.negated,
                hedged=draft.hedged,
            )
        )
    return out


def _key(part: Thing | str | None) -> int:
    return id(part.root) if isinstance(part, Thing) else 0


def _word(part: Thing | str | None) -> str | None:
    return part.root.name if isinstance(part, Thing) else part
