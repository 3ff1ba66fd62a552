"""What a user asks for in words: requests, aspects and levels of the catalogue, or words of one's
own where a model plans."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import ValidationError

from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.suites.autodavis.catalogue import Aspect, General, chosen, unnamed
from lvlmbench.suites.autodavis.inputs import OWN
from lvlmbench.suites.autodavis.settings import Examining

#: What parts of a wish stand between.
_COMMAS, _AND = re.compile(r"[,;\n]"), re.compile(r"[/+&]|\band\b")
#: Words that say nothing about what is wanted.
_FILLERS = frozenset(
    ("understanding", "capacity", "ability", "abilities", "the", "of", "questions")
)
#: Words that ask for whatever there is.
_ALL = frozenset(("all", "everything"))
#: How many are offered for a word that is not known, and from which likeness on words are alike.
_OFFERED, _LIKE = 3, 0.6
#: From this likeness on, words of one's own are what is known, misspelled.
_MISSPELLED = 0.85
#: "20 images", which is no wish but an option.
_IMAGES = re.compile(r"(\d+) (?:images?|pictures?|questions?|items?)")
#: What each request starts with where nothing else is said.
_ROUNDS = 1


class Wish(NamedTuple):
    """What is wanted.

    Attributes
    ----------
    aspects
        Request -> the aspects of it.
    whole
        The requests all aspects of which are wanted.
    levels
        Levels; empty for all.
    words
        What is none of these, for a model to think of aspects for.
    """

    aspects: Mapping[str, list[Aspect]]
    whole: frozenset[str]
    levels: tuple[str, ...]
    words: str | None = None

    def corpus(self, own: Examining, images: int | None) -> dict[str, Any]:
        """Return the section ``corpus`` that asks for it, with about so many images in all."""
        levels = len(own.crossing(self.levels)) * (2 if own.twins else 1)
        each = {name: len(aspects) * levels for name, aspects in self.aspects.items()}
        rounds = _ROUNDS if images is None else max(round(images / sum(each.values())), 1)
        counts = {name: n * rounds for name, n in each.items()}
        first = next(iter(counts.values()))
        found: dict[str, Any] = {"subtasks": list(counts)}
        found["scenes_per_subtask"] = first
        if {*counts.values()} != {first}:
            found["scenes"] = {name: n for name, n in counts.items() if n != first}
        mine: dict[str, Any] = {}
        if self.levels:
            mine["at"] = list(self.levels)
        if self.words is not None:
            mine["words"] = self.words
        if self.aspects.keys() != self.whole:
            mine["only"] = [a.fine.name for each in self.aspects.values() for a in each]
        return found | ({"autodavis": mine} if mine else {})


def _plain(words: str) -> str:
    """Words as they are compared: small, without what says nothing."""
    found = re.sub(r"[^a-z0-9 ]+", " ", words.casefold().replace("_", " ")).split()
    return " ".join([word for word in found if word not in _FILLERS] or found)


@dataclass(frozen=True)
class _Known:
    """What can be asked for, by its plain words."""

    requests: Mapping[str, str]
    aspects: Mapping[str, Aspect]
    levels: Mapping[str, str]

    @property
    def words(self) -> list[str]:
        """All of them."""
        return [*self.requests, *self.aspects, *self.levels]

    def misspelled(self, part: str) -> bool:
        """Return whether a part is so like something known that it hardly means another thing."""
        plain = _plain(part)
        return bool(difflib.get_close_matches(plain, self.words, n=1, cutoff=_MISSPELLED))

    def parts(self, words: str, whole: bool = False) -> Iterator[str]:
        """Yield what stands between commas; where that is not known, between "and" as well.

        If ``whole``, a part of which something is not known stays as it is written.
        """
        for part in _COMMAS.split(words):
            if _plain(part) in (*self.words, *_ALL):
                yield _plain(part)
                continue
            pieces = [_plain(each) or each.strip() for each in _AND.split(part) if each.strip()]
            if whole and not {*pieces} <= {*self.words}:
                yield " ".join(part.split())
            else:
                yield from pieces


def _known(params: Params, aspects: Mapping[str, list[Aspect]]) -> _Known:
    requests = {_plain(name): name for name in aspects}
    fine: dict[str, Aspect] = {}
    for each in aspects.values():
        for aspect in each:
            fine |= {_plain(aspect.fine.called): aspect, _plain(aspect.fine.name): aspect}
    levels = {_plain(level): level for level in params.corpus.own(Examining).levels}
    return _Known(requests, fine, levels)


def understood(params: Params, words: str) -> Wish:
    """Return what words ask for: names of requests, of aspects and of levels, by commas.

    Where a model plans, all else is taken for words of the user's own.

    Raises
    ------
    UserError
        Something is none of these and nobody plans it, or it is one of these misspelled; the
        nearest that are known are named.
    """
    aspects = chosen(params, f"params.yaml: suites.{params.suite}.corpus.autodavis")
    known = _known(params, aspects)
    found: dict[str, list[Aspect]] = {}
    whole: set[str] = set()
    levels: dict[str, None] = {}
    words_of_own: list[str] = []
    plans = bool(params.examiner.planners)
    for part in known.parts(words, plans):
        if part in _ALL:
            whole |= {*aspects}
        elif part in known.levels:
            levels[known.levels[part]] = None
        elif part in known.requests:
            whole.add(known.requests[part])
        elif part in known.aspects:
            aspect = known.aspects[part]
            mine = found.setdefault(aspect.request, [])
            mine += [] if aspect in mine else [aspect]
        elif plans and not known.misspelled(part) and not _IMAGES.fullmatch(_plain(part)):
            words_of_own.append(part)
        else:
            raise _unknown(words, part, known, plans)
    if words_of_own:
        aspects[OWN] = list(unnamed(OWN, params.corpus.own(Examining)))
        whole.add(OWN)
    if not found and not whole:
        whole = {*aspects}
    wanted = {
        request: each if request in whole else found[request]
        for request, each in aspects.items()
        if request in whole or request in found
    }
    order = [level for level in params.corpus.own(Examining).levels if level in levels]
    said = ", ".join(words_of_own) or None
    _check_words(words, said)
    return Wish(wanted, frozenset(whole), tuple(order), said)


def _check_words(words: str, own: str | None) -> None:
    """Words of the user's own are such as the parameters take.

    Raises
    ------
    UserError
        They are not.
    """
    where = f"exam request: '{words}'"
    if own is not None and _plain(own) == _plain(OWN):
        what = f"'{OWN}' is what a request in words of your own is called"
        raise UserError(where, what, "write the words themselves: 'reading traffic situations'")
    try:
        Examining.model_validate({"words": own})
    except ValidationError as error:
        what = "; ".join(each["msg"] for each in error.errors()).removeprefix("Value error, ")
        raise UserError(where, f"words of your own: {what}", "write them in other words") from None


def _unknown(words: str, part: str, known: _Known, plans: bool) -> UserError:
    where, plain = f"exam request: '{words}'", _plain(part)
    if number := _IMAGES.fullmatch(plain):
        what = f"'{part}' is neither a request nor an aspect nor a level"
        return UserError(where, what, f"leave it out, and add: --images {number[1]}")
    said: dict[str, str] = {}
    for name in sorted(known.words, key=lambda each: -_likeness(plain, each)):
        aspect = known.aspects.get(name)
        said.setdefault(name if aspect is None else aspect.fine.name, _shown(name, known))
    nearest = f"the nearest are {', '.join([*said.values()][:_OFFERED])}"
    levels = f"levels are {', '.join(known.levels.values())}"
    fix = f"{nearest}; {levels}; 'lvlmbench exam show' prints all"
    if " " in plain and all(each in known.words for each in plain.split()):
        fix = f"put commas between: '{', '.join(plain.split())}'"
    elif not plans:
        fix += "; with a model under examiner.planners any words will do (docs/autodavis.md)"
    return UserError(where, f"'{part}' is neither a request nor an aspect nor a level", fix)


def _shown(name: str, known: _Known) -> str:
    """What is known by plain words, as users are told of it and may write it."""
    aspect = known.aspects.get(name)
    if aspect is None:
        return f"'{name}'"
    return f"'{aspect.fine.called if _plain(aspect.fine.called) == name else aspect.fine.name}'"


def _likeness(part: str, name: str) -> float:
    """How much words are like a name: as a whole, or word by word of the name, in any order."""

    def like(a: str, b: str) -> float:
        return difflib.SequenceMatcher(None, a, b).ratio()

    alike = [max(like(own, each) for each in part.split() or [part]) for own in name.split()]
    alike = [each if each >= _LIKE else 0.0 for each in alike]
    return max(like(part, name), (max(alike) + sum(alike) / len(alike)) / 2)


def shown(params: Params, words: str) -> Iterator[str]:
    """Yield lines about the requests that words name, or all: their aspects, and who asks.

    Raises
    ------
    UserError
        As for :func:`understood`.
    """
    wish = understood(params, words)
    for request, aspects in wish.aspects.items():
        drawable = sum(aspect.fine.family is not None for aspect in aspects)
        yield f"{request}: {len(aspects)} aspects, {drawable} of them can be drawn and asked about"
        general: General | None = None
        for aspect in aspects:
            if aspect.general != general:
                general = aspect.general
                yield f"  {general.called}"
            nobody = "a model plans it" if params.examiner.planners else "cannot be planned yet"
            who = aspect.fine.truth if aspect.fine.family else nobody
            yield f"    {aspect.fine.name:32} {aspect.fine.called} ({who})"
