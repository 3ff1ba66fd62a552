"""Checks of how the embedded judge reads the value that decides, by questions of the suite."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lvlmbench.core.seeding import generator
from lvlmbench.scene.answers import COLOR_WORDS, sort_of
from lvlmbench.stages.judge.kinds.lexical.exact import Verdict, read_value
from support.judge_checks.asked import Line
from support.touchstone_checks.asked import Asked
from support.touchstone_scenes import asked as scenes_of

#: Tasks of which one value decides.
TASKS = (
    "attributes", "chart", "differences", "emotion", "landmark", "math", "products", "reasoning",
    "species", "text",
)  # fmt: skip
Row = Mapping[str, Any]

#: How a value is said: {v} is given, {o} is another one, {V} begins with a capital.
_ANY = (
    "{v}", "{V}.", "The answer is {v}.", "It is {v}.", "**{V}**", "I think it is {v}.",
    "Answer: {v}", "{V}, not {o}.", "It is {v}, not {o}.", "{V}: that is what the picture shows.",
    "Let me look at the picture closely. It is {v}.", "{V}. I looked at it closely.",
    "First I thought of what stands there. So the answer is {v}.",
    "\\boxed{{{v}}}", "Looking at the picture, I would say {v}.", "So it is {v}.",
    "{V} - I am quite sure.", "My answer: {v}.", "At first I took it for {o}, but it is {v}.",
    "One may take it for {o}. But it is {v}.", "**Answer:** {v}\n\nThat can be seen clearly.",
    "It's {v}, because that is what can be seen.",
)  # fmt: skip
_SORTS: Mapping[str, tuple[str, ...]] = {
    "number": (
        "There are {v}.", "I count {v} of them.", "The total is {v}.", "That makes {v} in all.",
        "{V}, as one can see, and no more.", "The number is {v}.",
    ),
    "color": (
        "It looks {v}.", "Its color is {v}.", "The thing that is meant is {v}.",
        "It is {v}; the one beside it is {o}.", "The color is {v}, while another one is {o}.",
    ),
    "text": (
        "This is {v}.", "I see {v} there.", "What is meant is {v}.", "That would be {v}.",
        "It is {v}. Beside it there is {o}.", "It is {v}, next to {o}.",
        "It is {v} rather than {o}.",
    ),
}  # fmt: skip
#: Answers that give no value as the only one: never right.
_NEVER = (
    "{v}, {o}, {p}", "{o} or {v}", "It could be {v} or {o}.", "It is {o}, {v} and {p}.",
    "{O}. {V}. {P}.", "It is not {v}.", "Is it {v}?", "{o}/{v}",
)  # fmt: skip


def rows(asked: Asked, scenes: int = 12, seeds: int = 2) -> Iterator[Row]:
    """Questions of which one value decides."""
    for seed in range(asked.seed, asked.seed + seeds):
        for task in TASKS:
            found = scenes_of((f"touchstone_{task}",), scenes, seed).questions.values()
            yield from (row for row in found if row["accepted"])


def _sort(row: Row) -> str:
    if row["accepted"][0].casefold() in COLOR_WORDS and "color" not in row["question"].casefold():
        return "text"
    return sort_of(row["accepted"])


def read(row: Row, text: str) -> Verdict:
    """What the judge reads."""
    return read_value(text, row["question"], row["accepted"], row["rivals"] or ())


def _filled(form: str, values: Sequence[str]) -> str:
    v, o, p = values
    upper = {
        name.upper(): value[:1].upper() + value[1:]
        for name, value in zip("vop", values, strict=True)
    }
    return form.format(v=v, o=o, p=p, **upper)


def told(asked: Asked, found: Sequence[Row], forms: Mapping[str, tuple[str, ...]]) -> Iterator[
    tuple[Row, str, str]
]:  # fmt: skip
    """Questions with answers that give the right value, and the same with a rival in its place."""
    for at, row in enumerate(found):
        rng = generator(asked.seed, "touchstone", f"said {at}")
        rivals = list(row["rivals"] or ())
        if len(rivals) < 2:
            continue
        one, other = (rivals[n] for n in rng.permutation(len(rivals))[:2])
        value = row["accepted"][rng.integers(len(row["accepted"]))]
        for form in (*forms.get("any", ()), *forms.get(_sort(row), ())):
            yield row, _filled(form, (value, one, other)), _filled(form, (one, value, other))


def _swapped(row: Row) -> Iterator[str]:
    """References in which other values stand for the right one."""
    spelled = "|".join(re.escape(form) for form in sorted(row["accepted"], key=len, reverse=True))
    own = re.compile(rf"(?<!\w)(?:{spelled})(?!\w)", re.I)
    for rival in (row["rivals"] or ())[:3]:
        said = own.sub(lambda match, to=rival: to, row["answer"])  # type: ignore[misc]
        if said != row["answer"]:
            yield said


def values(asked: Asked, scenes: int = 12) -> Iterator[Line]:
    """Right answers are read as right and wrong ones as wrong; else nobody can tell."""
    found = [*rows(asked, scenes)]
    references = Counter(read(row, row["answer"]) for row in found)
    yield _line("values, references", references, Verdict.RIGHT, 0.98, 0.0)
    right: Counter[Verdict] = Counter()
    wrong: Counter[Verdict] = Counter()
    for row, good, bad in told(asked, found, {"any": _ANY, **_SORTS}):
        right[read(row, good)] += 1
        wrong[read(row, bad)] += 1
    yield _line("values, right answers", right, Verdict.RIGHT, 0.95, 0.01)
    yield _line("values, wrong answers", wrong, Verdict.WRONG, 0.95, 0.01)
    swapped = Counter(read(row, text) for row in found for text in _swapped(row))
    yield _line("values, references with another value", swapped, Verdict.WRONG, 0.95, 0.01)
    never = Counter(
        read(row, text) for row, *both in told(asked, found, {"any": _NEVER}) for text in both[:1]
    )
    figure = f"{never[Verdict.RIGHT]:,} of {never.total():,} read as right"
    yield Line("values, several or none", figure, not never[Verdict.RIGHT])


def _line(name: str, found: Counter[Verdict], as_it_is: Verdict, least: float, most: float) -> Line:
    n = max(found.total(), 1)
    other = Verdict.WRONG if as_it_is is Verdict.RIGHT else Verdict.RIGHT
    shares = {each: found[each] / n for each in Verdict}
    figure = f"{found.total():,}: " + ", ".join(
        f"{each.value} {share:.1%}" for each, share in shares.items()
    )
    return Line(name, figure, shares[as_it_is] >= least and shares[other] <= most)


CHECKS = {"values": values}
