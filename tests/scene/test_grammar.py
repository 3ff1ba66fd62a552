"""Every sentence that the vocabulary of this checkout can lead to is plain, correct English."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from lvlmbench.scene.grammar import capitalized, counted, enumeration, indefinite, singular
from lvlmbench.scene.lists import PERSON_ATTRIBUTES
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.scene.vocabulary.entries import Entry
from lvlmbench.suites.dysca.plan import Plan
from lvlmbench.suites.dysca.wording import person_subject, style_claim
from lvlmbench.suites.suite import build_shard
from support.corpus_sample import params_for

RENDERERS = ("pictograph", None)
FOLDER = Path(__file__).resolve().parents[2] / "data" / "vocabulary"

#: Words whose first sound is not the one that their first letter suggests.
SOUNDS_CONSONANT = re.compile(r"(uni|use|eu|one|ukulele|u-)", re.IGNORECASE)
SOUNDS_VOWEL = re.compile(r"(hour|honest|heir|x-|[fhlmnrsx][A-Z]*\b|[FHLMNRSX][A-Z]+\b)")


@cache
def plan(renderer: str | None) -> Plan:
    return Plan(load_vocabulary(FOLDER), renderer, subtasks_of("dysca"))


def mistakes(text: str) -> Iterator[str]:
    """What is wrong with a sentence or phrase, as far as a program can tell."""
    if re.search(r"\s\s|^\s|\s$|\s[.,?!]", text):
        yield "blanks"
    if re.search(r"[{}]|\bNone\b|\bnan\b", text):
        yield "something not filled in"
    plain = re.sub(r'"[^"]*"', '"title"', text)
    if re.search(r"\b(\w+) \1\b", plain):
        yield "a word twice"
    for article, word in re.findall(r"\b([Aa]n?) ([\w-]+)", plain):
        vowel = word[0] in "aeiouAEIOU" and not SOUNDS_CONSONANT.match(word)
        vowel = vowel or bool(SOUNDS_VOWEL.match(word))
        if vowel != (article.lower() == "an"):
            yield f"'{article} {word}'"
    if re.search(r"\b(an?|two|three) (a|an|the)\b", plain, re.IGNORECASE):
        yield "two articles"
    if re.search(r"\b(fe)?male (child|teenager|adult|person|elderly)\b", plain, re.IGNORECASE):
        yield "a person that nobody would call so"
    if re.search(r"\bin [\w -]+ style\b", plain, re.IGNORECASE):
        yield "a label with 'style' behind it"


@pytest.mark.long
@pytest.mark.parametrize("renderer", RENDERERS)
def test_questions_and_statements(renderer: str | None) -> None:
    sentences = plan(renderer).sentences.to_pylist()
    assert len(sentences) > 10_000
    wrong = [
        (sentence, mistake)
        for sentence in sentences
        for mistake in (
            *mistakes(sentence),
            *([] if re.search(r"[.?]$", sentence) else ["no end"]),
            *([] if sentence[0].isupper() else ["small start"]),
        )
    ]
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize("renderer", RENDERERS)
def test_subjects_and_backgrounds(renderer: str | None) -> None:
    made = plan(renderer)
    wrong = []
    for variant in made.variants.values():
        subjects = variant.subjects
        for before, after in zip(subjects.before, subjects.after, strict=True):
            for background in {*made.background.to_pylist()} - {""}:
                text = f"{before}{'word' if variant.subtask == 'text' else ''}{after}{background}"
                wrong += [(text, mistake) for mistake in mistakes(text)]
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize("renderer", RENDERERS)
def test_captions_say_what_the_scene_holds_and_no_more(renderer: str | None) -> None:
    params = params_for(scenes_per_subtask=300, drawable_by=renderer)
    scenes = build_shard(params, load_vocabulary(FOLDER), 0, params.corpus.n_scenes)[0].to_pylist()
    common: Counter[str] = Counter()
    styles = load_vocabulary(FOLDER).lists["style"].by_label
    for scene in scenes:
        caption = scene["caption"]
        assert [*mistakes(caption)] == []
        assert caption[0].isupper()
        assert caption.endswith(".")
        for part in (scene["text"], scene["attributes"]["color"]):
            assert part is None or part in caption.lower() + caption
        before, after = styles[scene["style"]].extra["caption"].split("{subject}")
        assert caption.startswith(capitalized(before)) and caption.endswith(f"{after}.")
        words = set(re.findall(r"\w+", caption[len(before) :].lower()))
        common.update(words)
        assert [m for m in mistakes(scene["prompt"]) if "blank" in m or "filled" in m] == []
    boilerplate = {word for word, n in common.items() if n > 0.6 * len(scenes)}
    assert boilerplate <= {"a", "in", "the", "of", "on"}


@pytest.mark.parametrize("subject", ["a red fox", "two elderly men in a kitchen", "apples"])
def test_every_style_has_a_caption_and_a_claim_of_its_own(subject: str) -> None:
    styles = load_vocabulary(FOLDER).lists["style"].entries
    said = [capitalized(s.extra["caption"].replace("{subject}", subject)) + "." for s in styles]
    claims = [style_claim(style) for style in styles]
    assert len({*said}) == len({*claims}) == len(styles) >= 51
    for text in (*said, *claims, *(f"The image is {claim}." for claim in claims)):
        assert [*mistakes(text)] == [], text
    for style, claim in zip(styles, claims, strict=True):
        # The label, or the adjective of a school of painting.
        stem = style.label.lower().removesuffix("ism")
        assert stem in claim.lower(), claim
        assert not claim.lower().endswith("style"), claim


def test_people_are_called_what_people_call_them() -> None:
    lists = load_vocabulary(FOLDER).lists
    found = set()
    for renderer in ("pictograph", "diffusion"):
        drawn = {n: lists[n].for_renderer(renderer).entries for n in PERSON_ATTRIBUTES}
        for choice in product(*drawn.values()):
            who = person_subject(dict(zip(drawn, choice, strict=True)))
            assert [*mistakes(who)] == [], who
            found.add(who)
        without = dict(zip(drawn, (entries[0] for entries in drawn.values()), strict=True))
        del without["race"]
        assert person_subject(without) == "a happy girl"
    assert {
        "a sad elderly Black woman",
        "an angry light-skinned boy",
        "a happy East Asian teenage girl",
        "a happy dark-skinned man",
    } <= found


def entry(label: str, article: str, plural: str) -> Entry:
    return Entry(label, article, plural, "", label, (), frozenset(), {}, 1)


def test_articles_and_plurals() -> None:
    assert indefinite("apple") == "an apple"
    assert indefinite("European face") == "a European face"
    assert indefinite("unicycle") == "a unicycle"
    assert indefinite("hourglass") == "an hourglass"
    assert indefinite("umbrella") == "an umbrella"
    fox, rice, sheep = (
        entry("fox", "a", "foxes"),
        entry("rice", "", "rice"),
        entry("sheep", "a", "sheep"),
    )
    assert [counted(fox, n) for n in (1, 2, 3)] == ["a fox", "two foxes", "three foxes"]
    assert [counted(rice, n) for n in (1, 2)] == ["rice", "rice"]
    assert counted(sheep, 2) == "two sheep"
    assert counted(entry("broccoli", "", "heads of broccoli"), 2) == "two heads of broccoli"
    assert singular(entry("Eiffel Tower", "the", "Eiffel Tower")) == "the Eiffel Tower"
    assert capitalized("the Eiffel Tower") == "The Eiffel Tower"


def test_enumerations() -> None:
    assert enumeration(["a"]) == "a"
    assert enumeration(["a", "b"]) == "a and b"
    assert enumeration(["a", "b", "c"]) == "a, b, and c"
