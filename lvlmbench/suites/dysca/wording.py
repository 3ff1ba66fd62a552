"""What scenes and questions are put in: the sentences of templates, filled in."""

from __future__ import annotations

from collections.abc import Callable

from lvlmbench.scene.grammar import counted, enumeration, indefinite, singular
from lvlmbench.scene.lists import COUNTABLE, PERSON
from lvlmbench.scene.templates import Templates
from lvlmbench.scene.vocabulary.entries import Entry


def style_claim(style: Entry) -> str:
    """ "a watercolor painting", "VHS footage": its caption, without what it is a picture of."""
    return str(style.extra["caption"]).replace(" of {subject}", "")


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
    "style": (style_claim,) * 2,
}


def word_entry(word: str) -> Entry:
    """A word for scenes with text, as an entry."""
    return Entry(word, "", word, "", word, (), frozenset(), {}, 0)


def statements(templates: Templates, asked: str, entry: Entry, noun: str) -> list[str]:
    """True-or-false phrasings of a claim: all about one thing, then all about several."""
    out, words = [], templates.aspect(asked)
    for form in _CLAIMS[words.claim]:
        claim = form(entry)
        for lead in templates.instructions.leads:
            for statement in words.statements:
                filled = statement.replace("{noun}", noun).replace("{claim}", claim)
                out.append(lead.replace("{statement}", filled))
    return out


def questions(templates: Templates, asked: str, noun: str) -> list[str]:
    """Multiple-choice phrasings."""
    return [q.replace("{noun}", noun) for q in templates.aspect(asked).questions]


def alternatives(templates: Templates, asked: str, question_type: str) -> int:
    """How many phrasings a question has; a statement, in one grammatical number."""
    if question_type == "multiple_choice":
        return len(templates.aspect(asked).questions)
    if question_type == "true_false":
        return len(templates.instructions.leads) * len(templates.aspect(asked).statements)
    return len(templates.instructions.describe)


def descriptions(templates: Templates, aspects: list[tuple[str, str]]) -> list[str]:
    """Free-form phrasings for a scene with these (aspect, noun of its list)."""
    named = [
        templates.aspect(name).described.replace("{noun}", noun)
        for name, noun in aspects
        if name != PERSON
    ]
    whole = enumeration(named)
    return [t.replace("{aspects}", whole) for t in templates.instructions.describe]


def subject(templates: Templates, entry: Entry, name: str, noun: str, number: int = 1) -> str:
    """The foreground of a prompt and a caption; of a carrier with ``{text}`` left open."""
    if name in COUNTABLE:
        return counted(entry, number)
    form = templates.aspect(name).subject
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
    """ "an angry light-skinned teenage girl", "a sad elderly Black woman"."""
    noun = str(entries["age"].extra["called"][entries["gender"].label])
    race = _own_phrase(entries["race"]) if "race" in entries else ""
    who = noun.replace("{race}", race) if "{race}" in noun else f"{race} {noun}"
    return indefinite(" ".join([_own_phrase(entries["expression"]), *who.split()]))
