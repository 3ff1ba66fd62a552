"""The gazetteer: words that a vocabulary knows, found whatever the parser makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from lvlmbench.scene.lists import COUNTABLE
from lvlmbench.scene.truth.lexicon import read_names
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import Lexicon, lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.model import base, parser

if TYPE_CHECKING:
    from spacy.matcher import PhraseMatcher

#: Roles of what can be seen.
_SEEN = ("thing", "animal", "person", "clothes", "name")
#: Words that end the name of what a line is about.
_ENDS = frozenset(
    ("on", "in", "at", "with", "to", "from", "of", "wearing", "near", "left", "right", "who")
)
#: What an entry of a list is to a reader, by the list; others are names, things too.
_ROLES = {
    **dict.fromkeys(COUNTABLE, "thing"),
    "animal": "animal",
    "carrier": "thing",
    "clothes": "clothes",
    "background": "background",
    "style": "style",
    "weather": "weather",
    "profession": "person",
    "landmark": "name",
    "celebrity": "name",
}
_ARTLESS = ("a ", "an ", "the ")


@dataclass(frozen=True)
class Known:
    """A word that the reader knows: its label in lower case, its role, whether it is a plural."""

    label: str
    role: str
    plural: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Words:
    """Phrases, as words in lower case.

    Attributes
    ----------
    phrases
        All words -> what they are.
    spoken
        All words of the phrases.
    concrete
        Says of a lemma whether it names something that can be seen; None where it does not know.
    role
        Says of a lemma whether it is ``person``, ``animal`` or ``clothes``; empty where it is none.
    """

    phrases: dict[tuple[str, ...], Known] = field(hash=False, repr=False)
    roles: dict[str, str] = field(hash=False, repr=False)
    spoken: frozenset[str] = field(default=frozenset(), hash=False, repr=False)
    concrete: Callable[[str], bool | None] = field(
        default=lambda _: None, hash=False, compare=False
    )
    role: Callable[[str], str] = field(default=lambda _: "", hash=False, compare=False)

    @classmethod
    def of(
        cls,
        vocabulary: Vocabulary | None = None,
        concrete: Callable[[str], bool | None] = lambda _: None,
        role: Callable[[str], str] = lambda _: "",
    ) -> Words:
        """Return the words of a vocabulary beside our own; without one, ours alone."""
        known: dict[tuple[str, ...], Known] = {}
        if vocabulary is not None:
            garments = lexicon().lists["clothes.garments"]
            for words, what in (*_of_vocabulary(vocabulary), *_of_names()):
                worn = what.label in garments
                known.setdefault(words, replace(what, role="clothes") if worn else what)
        for words, what in _of_lexicon(lexicon()):
            known.setdefault(words, what)
        roles = {" ".join(words): what.role for words, what in known.items()}
        spoken = frozenset(word for phrase in known for word in phrase)
        return cls(known, roles, spoken, concrete, role)

    def names(self, text: str) -> bool:
        """Whether a text is, as a whole, something that is known."""
        return " ".join(split(text)) in self.roles

    def sort(self, words: Sequence[str]) -> str | None:
        """Return what the last of some words names: a role, ``thing`` of what can be seen."""
        lists = lexicon().lists
        for n in range(min(4, len(words)), 0, -1):
            known = self.phrases.get(tuple(words[-n:]))
            if known is not None:
                return known.role
        last = words[-1] if words else ""
        one = lexicon().maps["lemmas.nouns"].get(last) or base(last, "noun")
        if one in lexicon().says:
            return "person"
        if one in lists["nouns.vacuous"] or one in lists["nouns.abstract"] or len(one) < 2:
            return None
        return self.role(one) or ("thing" if self.concrete(one) else None)

    def named(self, words: Sequence[str]) -> bool:
        """Return whether words name something that can be seen: "the woman on the left" too."""
        kinds = lexicon().kinds
        for n, word in enumerate(words):
            ends = n + 1 == len(words) or words[n + 1] in _ENDS
            if ends and self.sort(words[: n + 1]) in _SEEN and kinds.get(word) != "color":
                return True
            if word in _ENDS and n:
                return False
        return False

    def garment(self, words: Sequence[str]) -> bool:
        """Return whether one of some words is something to wear."""
        return any(self.sort(words[: n + 1]) == "clothes" for n in range(len(words)))

    @cached_property
    def matcher(self) -> PhraseMatcher:
        """What finds the phrases in parsed texts."""
        from spacy.matcher import PhraseMatcher

        language = parser()
        found = PhraseMatcher(language.vocab, attr="LOWER")
        found.add("known", [language.make_doc(" ".join(words)) for words in self.phrases])
        return found


def split(text: str) -> tuple[str, ...]:
    """Return the words of a label as a parsed text has them: possessives are words of their own."""
    return tuple(text.casefold().replace("'s", " 's").split())


def _of_vocabulary(vocabulary: Vocabulary) -> Iterable[tuple[tuple[str, ...], Known]]:
    for name, entries in vocabulary.lists.items():
        role = _ROLES.get(name)
        if role is None:
            continue
        for entry in entries.entries:
            label = entry.label.casefold()
            yield split(label), Known(label, role)
            if entry.plural != entry.label:
                yield split(entry.plural), Known(label, role, plural=True)
            if role in ("thing", "animal", "clothes", "person") and " of " not in entry.plural:
                yield split(label + "s"), Known(label, role, plural=True)
            if name == "background":
                for form in _places(label, str(entry.extra.get("phrase", ""))):
                    yield split(form), Known(label, role, whole=True)
            if name == "style":
                yield from (
                    (split(each), Known(label, role)) for each in _styles(label, entry.extra)
                )
            if name == "weather":
                phrase = str(entry.extra.get("phrase", "")).casefold()
                yield split(phrase), Known(label, role, whole=True)


def _of_names() -> Iterable[tuple[tuple[str, ...], Known]]:
    """Names of several words that things have, whatever they are called in a vocabulary."""
    for name, labels in read_names().items():
        role = _ROLES.get(name)
        if role in ("thing", "animal", "clothes"):
            for given in labels.values():
                for each in (*given.same, *given.broader, *given.near):
                    if " " in each and lexicon().kind(each.split()[0]) != "color":
                        yield split(each), Known(each, role)
                        yield split(each + "s"), Known(each, role, plural=True)


def _places(label: str, phrase: str) -> Iterable[str]:
    """Forms of a background: its phrase with and without what leads it, its plural."""
    phrase = phrase.casefold()
    if phrase:
        yield phrase
        for article in _ARTLESS:
            before, found, after = phrase.partition(f" {article}")
            if found and " " not in before.strip():
                yield after
    yield label + "s"


def _styles(label: str, extra: object) -> Iterable[str]:
    """Forms of a style: as captions name it, other words for a photograph or a painting."""
    caption = str(extra.get("caption", "")) if isinstance(extra, dict) else ""
    named = caption.casefold().replace(" of {subject}", "").replace("{subject}", "")
    for article in _ARTLESS:
        named = named.removeprefix(article)
    if "picture of" not in caption and named:
        yield named
    if "-" in label:
        yield label.replace("-", " ")


def _of_lexicon(words: Lexicon) -> Iterable[tuple[tuple[str, ...], Known]]:
    for name, role in (("backgrounds", "background"), ("styles", "style")):
        for word in sorted(words.lists[f"nouns.{name}"]):
            yield split(word), Known(word, role)
    for role in ("weather", "light"):
        for word in sorted(words.lists[f"nouns.{role}"]):
            yield split(word), Known(word, role)
    for word in sorted(words.lists["clothes.garments"]):
        yield split(word), Known(word, "clothes")
        if word not in words.lists["clothes.plural"]:
            yield (
                split(word + ("es" if word.endswith(("s", "ch", "sh", "x")) else "s")),
                Known(word, "clothes", plural=True),
            )
    for word in sorted(words.says):
        if " " in word:
            yield split(word), Known(word, "person")
            yield split(word + "s"), Known(word, "person", plural=True)
    for word in sorted(words.lists["nouns.animals"]):
        yield split(word), Known(word, "animal")
