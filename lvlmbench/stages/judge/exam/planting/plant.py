"""Planting answers: from scenes, by treatment and kind, each from its own draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from lvlmbench.core.seeding import digest, generator
from lvlmbench.scene.claims import Truth
from lvlmbench.stages.judge.exam.outline import Outline
from lvlmbench.stages.judge.exam.planted import Expected, Planted, expected_of
from lvlmbench.stages.judge.exam.planting import harmful, harmless
from lvlmbench.stages.judge.exam.planting.ground import Ground
from lvlmbench.stages.judge.exam.planting.nouns import Lexis
from lvlmbench.stages.judge.exam.planting.treatment import Draw, Made, Treatment
from lvlmbench.stages.judge.exam.planting.wrong import WRONG
from lvlmbench.stages.judge.exam.wording.kinds import WORDINGS
from lvlmbench.stages.judge.exam.wording.words import Words

T = TypeVar("T")

_STAGE = "judge_exam"

#: All treatments, in the order of tables.
TREATMENTS: Mapping[str, Treatment] = {
    each.name: each
    for each in (
        Treatment("perfect", harmless.perfect),
        Treatment("hallucinate", harmful.hallucinate, tuple(WRONG)),
        Treatment("omit", harmful.omit),
        Treatment("synonyms", harmless.synonyms),
        Treatment("reorder", harmless.reorder),
        Treatment("deny_absent", harmless.deny_absent),
        Treatment("deny_present", harmful.deny_present),
        Treatment("mirror", harmful.mirror),
        Treatment("reverse", harmful.reverse),
        Treatment("exchange", harmful.exchange),
        Treatment("other_scene", harmful.other_scene),
        Treatment("verbose", harmless.verbose),
        Treatment("repeat", harmless.repeat, most=100),
        Treatment("vocabulary", harmful.vocabulary, most=20),
        Treatment("things", harmful.things, most=100),
        Treatment("inject", harmless.inject),
    )
}


def grounds(truths: Mapping[str, Truth], lexis: Lexis, seed: int) -> list[Ground]:
    """Return the scenes whose features are all known, in an order that the seed decides.

    Parameters
    ----------
    truths
        Scene -> what is so in its picture, in any order.
    """
    names = sorted(truths, key=lambda name: digest(seed, _STAGE, name))
    return [Ground(name, truths[name], lexis) for name in names if truths[name].closed]


def planted(
    scenes: Sequence[Ground], treatment: Treatment, kind: str, number: int, seed: int
) -> Iterator[Planted]:
    """Return up to ``number`` answers of a treatment and kind, as evenly over scenes as can be.

    Parameters
    ----------
    scenes
        In the order of :func:`grounds`.
    """
    wanted = number if treatment.most is None else min(number, treatment.most)
    return evenly(
        scenes, wanted, lambda ground, turn: plant(ground, treatment, kind, turn, seed, scenes)
    )


def evenly(
    scenes: Sequence[Ground], number: int, make: Callable[[Ground, int], T | None]
) -> Iterator[T]:
    """Yield up to ``number`` of what can be made of scenes: one of each, then a second of each."""
    fit, turn = list(scenes), 0
    while fit:
        found = []
        for ground in fit:
            if not number:
                return
            made = make(ground, turn)
            if made is not None:
                found.append(ground)
                yield made
                number -= 1
        fit, turn = found, turn + 1


def plant(
    ground: Ground,
    treatment: Treatment,
    kind: str,
    number: int,
    seed: int,
    others: Sequence[Ground] = (),
) -> Planted | None:
    """Return one planted answer; None where the scene does not let the treatment be."""
    name = f"{ground.scene}/{treatment.name}/{kind}/{number}"
    rng = generator(seed, _STAGE, name)
    wording = (*WORDINGS,)[int(rng.integers(len(WORDINGS)))]
    made = treatment.make(Draw(ground, rng, kind, number, others))
    if made is None:
        return None
    base = None
    about = (ground.scene, treatment.name, kind, number, wording)
    if made.base is not None:
        words = _worded(made.base, wording, seed, name)
        expected = expected_of(words, made.base)
        base = Planted(*about, words.text, expected, ground.truth, made.plants, is_base=True)
    words = _around(_worded(made.outline, wording, seed, name), made, wording)
    text, expected = _times(words.text, expected_of(words, made.outline), made.times)
    return Planted(*about, text, expected, ground.truth, made.plants, made.omitted, base)


def _worded(outline: Outline, wording: str, seed: int, name: str) -> Words:
    """Put an outline into words; padding has draws of its own, so that it changes no others."""
    page = WORDINGS[wording](outline, generator(seed, _STAGE, f"{name}/words"))
    return page.padded(outline.padding, generator(seed, _STAGE, f"{name}/padding")).words


def _around(words: Words, made: Made, wording: str) -> Words:
    between = "\n\n" if wording == "markdown" else " "
    if made.before:
        words = f"{made.before}{between}" + words
    return words + f"{between}{made.behind}" if made.behind else words


def _times(
    text: str, expected: tuple[Expected, ...], times: int
) -> tuple[str, tuple[Expected, ...]]:
    """Say a text several times; each claim is made as often."""
    out: list[Expected] = []
    step, size = len(text) + 1, len(expected)
    for turn in range(times):
        for each in expected:
            claim, by = each.claim, turn * size
            claim = replace(
                claim,
                number=claim.number + by,
                about=None if claim.about is None else claim.about + by,
                other=None if claim.other is None else claim.other + by,
                start=claim.start + turn * step,
                end=claim.end + turn * step,
            )
            out.append(replace(each, claim=claim))
    return "\n".join([text] * times), tuple(out)
