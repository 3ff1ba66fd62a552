"""From what was found in an answer to its claims, numbered in the order of the text."""

from __future__ import annotations

from collections.abc import Sequence, Set

from lvlmbench.scene.claims import Claim
from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sheet
from lvlmbench.stages.judge.kinds.lexical.reading.lines import QUOTED
from lvlmbench.stages.judge.kinds.lexical.reading.model import base
from lvlmbench.stages.judge.kinds.lexical.reading.sight import Who
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Page, Thing

Span = tuple[int, int]


def numbered(
    sheet: Sheet, quotes: Sequence[str], silent: Set[Span]
) -> tuple[list[Claim], list[Span]]:
    """Return the claims, and the characters of which none or none for sure was made.

    Parameters
    ----------
    quotes
        Quoted words in order.
    silent
        Line and word of what is not about the picture.
    """
    _written(sheet, quotes)
    said = [*_named(sheet), *sheet.said]
    said = [d for d in said if (d.page.number, d.first) not in silent and not d.subject.silent]
    said = _once(said)
    said.sort(key=lambda d: (d.page.number, d.first, d.last, d.kind != "object"))
    numbers = {id(d.subject.root): n for n, d in enumerate(said) if d.kind == "object"}
    every = [(page, t) for page in sheet.sight.pages for t in page.things]
    clothed = any(t.role == "person" for _, t in every)
    parts = {
        id(t.root)
        for page, t in every
        if _part(page, t) or (clothed and t.role == "clothes" and t.wearer is None)
    }
    claims, unread = list[Claim](), list[Span]()
    for number, draft in enumerate(said):
        span = _span(draft.page, draft.first, draft.last)
        claims.append(_claim(number, draft, span, numbers))
        if not draft.sure or draft.subject.root.loose or id(draft.subject.root) in parts:
            unread.append(span)
    unread += _unused(sheet, silent)
    return claims, sorted({*unread})


def _span(page: Page, first: int, last: int) -> Span:
    doc = page.doc
    start, end = doc[first].idx, doc[last].idx + len(doc[last])
    found = page.line.run.span(start, end)
    if found is None:
        found = page.line.run.span(0, len(page.line.run.text)) or (0, 1)
    return found


def _claim(number: int, draft: Draft, span: Span, numbers: dict[int, int]) -> Claim:
    thing, other = draft.subject.root, draft.object
    own = draft.kind in ("object", "scene")
    return Claim(
        number=number,
        kind=draft.kind,
        subject=thing.name,
        relation=draft.relation,
        object=other.root.name if isinstance(other, Thing) else other,
        value=draft.value,
        about=None if own else numbers.get(id(thing)),
        other=numbers.get(id(other.root)) if isinstance(other, Thing) else None,
        start=span[0],
        end=span[1],
        negated=draft.negated,
        hedged=draft.hedged,
    )


def _named(sheet: Sheet) -> list[Draft]:
    """Claims of the things and of the setting themselves."""
    out = list[Draft]()
    for page in sheet.sight.pages:
        for thing in page.things:
            sheet.use(page, thing.first, thing.last)
            if thing.same is not None or thing.silent or thing.wearer is not None:
                continue
            setting = thing.role in SETTING
            token = page.tokens[thing.last]
            relation, value = (thing.role, thing.name) if setting else (None, None)
            out.append(
                Draft("scene" if setting else "object", thing, page, thing.first, thing.last,
                      relation, None, value, sheet.sight.denied(page, token),
                      sheet.sight.hedged(page, token), not thing.loose)
            )  # fmt: skip
    return out


def _part(page: Page, thing: Thing) -> bool:
    """Whether something may be a part of another: what stands behind "with", or has "its"."""
    if thing.role in ("person", "animal", *SETTING) or thing.wearer is not None:
        return False
    at, led = thing.token, False
    for _ in range(6):
        above = at.head
        led |= page.low[at.i] == "with"
        if above.i == at.i or above.tag_[:2] == "VB":
            return led and above.i != at.i
        if page.low[above.i] in ("with", "of", "including") and above.head.i in page.by:
            return page.by[above.head.i].role not in SETTING
        at = above
    return False


def _written(sheet: Sheet, quotes: Sequence[str]) -> None:
    """Claims of what is written on things: the noun right before quoted words, or right behind."""
    left = iter(quotes)
    for page in sheet.sight.pages:
        for token in page.tokens:
            if token.text != QUOTED:
                continue
            words = next(left, "")
            begin, end = page.sentence(token.i)
            before = [t for t in page.things if begin <= t.first < token.i]
            after = [t for t in page.things if token.i < t.first < end]
            near = (before[-1:] or after[:1]) if before or after else []
            who = Who(tuple(t.root for t in near), len(before or after) == 1)
            sheet.say("attribute", who, page, token.i, token.i, "text", None, words)


def _once(said: Sequence[Draft]) -> list[Draft]:
    """The drafts without those that say the same again."""
    seen: set[tuple[object, ...]] = set()
    out = list[Draft]()
    for draft in said:
        other = draft.object
        thing = id(other.root) if isinstance(other, Thing) else other
        key = (
            draft.kind,
            id(draft.subject.root),
            draft.relation,
            thing,
            draft.value,
            draft.negated,
        )
        if key not in seen:
            seen.add(key)
            out.append(draft)
    return out


def _unused(sheet: Sheet, silent: Set[Span]) -> list[Span]:
    """Words that say something of a picture and of which no claim was made."""
    lexicon, out = sheet.sight.lexicon, list[Span]()
    for page in sheet.sight.pages:
        for token in page.tokens:
            key = (page.number, token.i)
            if key in sheet.used or key in silent or not token.is_alpha:
                continue
            low = page.low[token.i]
            moves = base(low, "verb") in lexicon.lists["people.moves"]
            if lexicon.kind(low) == "color" or low in lexicon.maps["people.ages"] or moves:
                found = page.line.run.span(token.idx, token.idx + len(token))
                if found is not None:
                    out.append(found)
    return out
