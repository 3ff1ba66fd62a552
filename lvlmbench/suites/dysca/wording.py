"""What scenes and questions are put in: the sentences that all subtasks share, filled in.

In a sentence ``{statement}`` stands for a whole statement, ``{aspects}`` for the aspects that a
scene has; those of single subtasks stand in their declarations (docs/scenes.md).
"""

from __future__ import annotations

from collections.abc import Callable

from lvlmbench.scene.asking import LEADS
from lvlmbench.scene.grammar import counted, enumeration, indefinite, singular
from lvlmbench.scene.lists import COUNTABLE, PERSON
from lvlmbench.scene.subtasks import aspect
from lvlmbench.scene.vocabulary.entries import Entry

#: Free-form questions (Dysca, section 3.4).
DESCRIBE = (
    "Describe this image. Say something about {aspects}.",
    "Write a short description of this image that covers {aspects}.",
    "What does this image show? Include {aspects} in your description.",
)

#: A person: the order of the attributes' phrases.
PERSON_SUBJECT = ("expression", "race", "gender", "age")


def style_phrase(label: str) -> str:
    """ "watercolor style"; a label that says "style" itself stays."""
    return label if label.casefold().endswith("style") else f"{label} style"


def _own_phrase(entry: Entry) -> str:
    return str(entry.extra["phrase"])


#: Ways to write a claim: of one thing, and of several.
_CLAIMS: dict[str, tuple[Callable[[Entry], str], Callable[[Entry], str]]] = {
    "label": (lambda e: e.label, lambda e: e.label),
    "singular": (singular, singular),
    "counted": (singular, lambda e: e.plural if e.article else singular(e)),
    "phrase": (_own_phrase, _own_phrase),
    "indefinite": (lambda e: indefinite(_own_phrase(e)),) * 2,
    "quoted": (lambda e: f'"{e.label}"',) * 2,
    "style": (lambda e: style_phrase(e.label),) * 2,
}


def word_entry(word: str) -> Entry:
    """A word for scenes with text, as an entry."""
    return Entry(word, "", word, "", word, (), frozenset(), {}, 0)


def statements(asked: str, entry: Entry, noun: str) -> list[str]:
    """True-or-false phrasings of a claim: all about one thing, then all about several."""
    out, words = [], aspect(asked)
    for form in _CLAIMS[words.claim]:
        claim = form(entry)
        for lead in LEADS:
            for statement in words.statements:
                filled = statement.replace("{noun}", noun).replace("{claim}", claim)
                out.append(lead.replace("{statement}", filled))
    return out


def n_statements(asked: str) -> int:
    """Phrasings of one claim in one grammatical number."""
    return len(LEADS) * len(aspect(asked).statements)


def questions(asked: str, noun: str) -> list[str]:
    """Multiple-choice phrasings."""
    return [q.replace("{noun}", noun) for q in aspect(asked).questions]


def descriptions(aspects: list[tuple[str, str]]) -> list[str]:
    """Free-form phrasings for a scene with these (aspect, noun of its list)."""
    named = [
        aspect(name).described.replace("{noun}", noun) for name, noun in aspects if name != PERSON
    ]
    return [t.replace("{aspects}", enumeration(named)) for t in DESCRIBE]


def subject(entry: Entry, name: str, noun: str, number: int = 1) -> str:
    """The foreground of a prompt and a caption; of a carrier with ``{text}`` left open."""
    if name in COUNTABLE:
        return counted(entry, number)
    form = aspect(name).subject
    if form is None:
        return singular(entry)
    for key, value in (
        ("{phrase}", entry.extra.get("phrase", "")),
        ("{label}", entry.label),
        ("{noun}", noun),
    ):
        form = form.replace(key, str(value))
    return form


def colored_subject(entry: Entry, color: str) -> str:
    """ "a red umbrella", "red scissors"."""
    return indefinite(f"{color} {entry.label}") if entry.article else f"{color} {entry.label}"


def person_subject(entries: dict[str, Entry]) -> str:
    """ "an angry light-skinned female teenager", out of the phrases of the attributes it has."""
    words = (entries[attribute] for attribute in PERSON_SUBJECT if attribute in entries)
    return indefinite(" ".join(map(_own_phrase, words)))
