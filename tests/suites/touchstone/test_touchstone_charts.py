"""References about charts and drawings hold by a second reader of the numbers in the graph."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from support.touchstone_oracle import NUMBERS
from support.touchstone_scenes import asked

Row = dict[str, Any]
Chart = Mapping[str, Any]
Found = re.Match[str]

#: Number of scenes: each kind of chart some times.
N, SEED = 28, 9
#: What may name a series behind a value.
OF = r"(?: for (\w+))?"


def values(chart: Chart, series: str | None = None) -> dict[str, int]:
    """Category -> value, of a series where there are several."""
    columns = chart["series"] or [None]
    at = columns.index(series)
    return dict(zip(chart["categories"], chart["values"][at :: len(columns)], strict=True))


def listed(text: str) -> list[str]:
    return re.split(r", and | and |, ", text)


def named(chart: Chart, said: str) -> str:
    """The category that a sentence begins with."""
    return next(name for name in chart["categories"] if name.lower() == said.lower())


def _rank(chart: Chart, m: Found) -> bool:
    known = values(chart, m[3])
    order = sorted(known.values(), reverse=m[2] == "highest")
    return known[named(chart, m[1])] == order[0] != order[1] and int(m[4]) == order[0]


def _order(chart: Chart, m: Found) -> bool:
    known = values(chart, m[1])
    said = [re.fullmatch(r"(\w+) \((\d+)[^)]*\)", each) for each in listed(m[2])]
    pairs = [(each[1], int(each[2])) for each in said if each]
    numbers = [value for _, value in pairs]
    return dict(pairs) == known and numbers == sorted({*numbers}, reverse=True)


def _course(chart: Chart, m: Found) -> bool:
    known = values(chart, m[1])
    names = [*known]
    before = known[names[0]]
    right = int(m[2]) == before and m[3] == names[0]
    steps = re.findall(r"(rises to|falls to|stays at) (\d+) (?:at|on|in) (\w+)", m[4])
    for (how, value, name), expected in zip(steps, names[1:], strict=True):
        after = known[expected]
        way = "rises to" if after > before else "falls to" if after < before else "stays at"
        right &= (how, int(value), name) == (way, after, expected)
        before = after
    ends = known[names[-1]] - known[names[0]]
    return right and m[5] == (
        "higher than" if ends > 0 else "lower than" if ends else "the same as"
    )


def _above(chart: Chart, m: Found) -> bool:
    there = [name for name, value in values(chart, m[2]).items() if value > int(m[3])]
    return (NUMBERS.index(m[1].lower()), listed(m[4])) == (len(there), there)


def _ahead(chart: Chart, m: Found) -> bool:
    one, other = (values(chart, name) for name in chart["series"][:2])
    if m[1].lower() == chart["series"][1].lower():
        one, other = other, one
    won = sum(one[name] > other[name] for name in one)
    return (int(m[2]), int(m[3])) == (won, len(one)) and 2 * won > len(one)


def _colored(chart: Chart, color: str, name: str, value: str) -> bool:
    at = chart["categories"].index(name)
    return (chart["colors"][at], chart["values"][at]) == (color, int(value))


def _share(chart: Chart, m: Found) -> bool:
    order = sorted(chart["values"], reverse=m[1] == "largest")
    return _colored(chart, m[3], m[2], m[4]) and int(m[4]) == order[0] != order[1]


def _row(chart: Chart, m: Found) -> bool:
    known, other = values(chart, m[3]), values(chart, m[6])
    best = (max if m[2] == "largest" else min)(known, key=lambda name: known[name])
    value = other[best]
    return (m[5], int(m[4]), int(m[7]), int(m[1])) == (best, known[best], value, value)


#: What a reference says -> whether it is so, by the numbers; the groups that the question names.
CHARTS: tuple[tuple[str, Callable[[Chart, Found], bool], tuple[int, ...]], ...] = (
    (
        rf"(\w+) has the (highest|lowest) value{OF}: (\d+).*\.",
        _rank, (2, 3),
    ),
    (rf"From highest to lowest{OF}: (.+)\.", _order, (1,)),
    (
        rf"The line{OF} starts at (\d+) (?:at|on|in) (\w+), then (.+)\. At the end, the value is "
        r"(higher than|lower than|the same as) at the beginning\.",
        _course, (1,),
    ),
    (rf"(\w+) values?{OF} (?:is|are) above (\d+): (?:those|the one) for (.+)\.", _above, (2, 3)),
    (r"(\w+) is higher more often, in (\d+) of (\d+) cases\.", _ahead, ()),
    (
        r"The (largest|smallest) slice stands for (\w+)\. It is (\w+) and has (\d+)%\.",
        _share, (1,),
    ),
    (
        r"The (\w+) slice stands for (\w+), with (\d+)%\.",
        lambda chart, m: _colored(chart, m[1], m[2], m[3]), (1,),
    ),
    (
        r"(\d+)\. The (largest|smallest) number under (\w+) is (\d+), in the row for (\w+), and "
        r"the number under (\w+) in that row is (\d+)\.",
        _row, (2, 3, 6),
    ),
    (
        r"The number (\d+) is in the row for (\w+), in the (\w+) column\.",
        lambda chart, m: values(chart, m[3])[named(chart, m[2])] == int(m[1]), (1,),
    ),
)  # fmt: skip


def pairs(task: str) -> Iterator[tuple[Chart, Row]]:
    found = asked((task,), N, SEED)
    assert len(found.questions) == N
    for scene, _, question in found.pairs():
        yield scene["objects"][0]["chart"], question


def said(question: Row) -> str:
    """All that is said up to the question."""
    turns = [f"{turn['question']} {turn['answer']}" for turn in question["turns"] or ()]
    return " ".join([*turns, question["question"]])


def test_references_about_charts_hold() -> None:
    kinds = set()
    for chart, question in pairs("touchstone_chart"):
        fits = [
            (at, found, holds, named)
            for at, (pattern, holds, named) in enumerate(CHARTS)
            if (found := re.fullmatch(pattern, question["answer"]))
        ]
        assert fits, question["answer"]
        at, found, holds, named = fits[0]
        kinds.add(at)
        assert holds(chart, found), question
        asks = f"{said(question)} highest" if at == 1 else said(question)
        for group in named:
            assert found[group] is None or re.search(rf"\b{found[group]}\b", asks), question
        if question["accepted"]:
            forms = "|".join(question["accepted"])
            assert re.search(rf"(?i)\b(?:{forms})\b", question["answer"]), question
    assert len(kinds) >= 7


def _two(asks: str, chart: Chart, *names: str) -> list[int]:
    column = re.search(r"in the (\w+) column", asks)
    known = values(chart, column[1] if column else None)
    return [known[name] for name in names]


def _all(asks: str, chart: Chart) -> list[int]:
    column = re.search(r"in the (\w+) column", asks)
    return [*values(chart, column[1] if column else None).values()]


def _later(chart: Chart, minutes: str) -> str:
    hour, minute = chart["values"]
    total = hour * 60 + minute + int(minutes)
    return f"{(total // 60 - 1) % 12 + 1}:{total % 60:02d}"


def _around(chart: Chart) -> int:
    return sum(chart["values"]) * (2 if chart["shape"] == "rectangle" else 1)


#: What is asked, with what was said before -> the one value that answers it.
MATH: tuple[tuple[str, Callable[[str, Chart, Found], object]], ...] = (
    (
        r".*What is the value for (\w+).*sum of that value and the value for (\w+)\?",
        lambda asks, chart, m: sum(_two(asks, chart, m[1], m[2])),
    ),
    (
        r"(?:What do|Add) the values for (\w+) and (\w+).*",
        lambda asks, chart, m: sum(_two(asks, chart, m[1], m[2])),
    ),
    (
        r"How much higher is the value for (\w+) than the value for (\w+).*",
        lambda asks, chart, m: _two(asks, chart, m[1])[0] - _two(asks, chart, m[2])[0],
    ),
    (
        r"(?:What is the difference between|Which value is higher.*, the one for) (\w+) (?:and|or) "
        r"(\w+).*",
        lambda asks, chart, m: abs(_two(asks, chart, m[1])[0] - _two(asks, chart, m[2])[0]),
    ),
    (
        r"How many times as high as the value for (\w+) is the value for (\w+).*",
        lambda asks, chart, m: _two(asks, chart, m[2])[0] / _two(asks, chart, m[1])[0],
    ),
    (
        r".*average.*",
        lambda asks, chart, m: sum(_all(asks, chart)) / len(_all(asks, chart)),
    ),
    (
        r"(?:What do|Please add up) all the (?:numbers|values).*",
        lambda asks, chart, m: sum(_all(asks, chart)),
    ),
    (
        r".*[Ww]hat percentage do (\w+) and (\w+) make up together\?",
        lambda asks, chart, m: sum(_two("", chart, m[1], m[2])),
    ),
    (
        r".*stands for (\d+)\. How many does the slice for (\w+) stand for\?",
        lambda asks, chart, m: int(m[1]) * _two("", chart, m[2])[0] / 100,
    ),
    (r".*?(\d+) minutes.*", lambda asks, chart, m: _later(chart, m[1])),
    (
        r".*?markers? (\w)(?: and|\?.*to the marker) (\w).*",
        lambda asks, chart, m: abs(_two("", chart, m[1])[0] - _two("", chart, m[2])[0]),
    ),
    (r".*\bangle\b.*", lambda asks, chart, m: 180 - chart["values"][0] - chart["values"][1]),
    (r".*diameter.*", lambda asks, chart, m: 2 * chart["values"][0]),
    (r".*(?:perimeter|walks once around).*", lambda asks, chart, m: _around(chart)),
    (r".*area.*", lambda asks, chart, m: chart["values"][0] * chart["values"][1]),
)


def test_results_follow_from_what_is_drawn() -> None:
    kinds = set()
    for chart, question in pairs("touchstone_math"):
        asks = said(question)
        at, right = next(
            (at, value(asks, chart, found))
            for at, (pattern, value) in enumerate(MATH)
            if (found := re.fullmatch(pattern, asks))
        )
        kinds.add(at)
        first = question["accepted"][0]
        assert (first == right) if isinstance(right, str) else (float(first) == right), question
        assert first in question["answer"]
    assert len(kinds) >= 9


@pytest.mark.parametrize("task", ["touchstone_chart", "touchstone_math"])
def test_descriptions_say_all_numbers(task: str) -> None:
    for chart, question in pairs(task):
        numbers = re.findall(r"-?\d+", question["description"])
        last = 2 if chart["shape"] == "angles" else None  # the third one is asked for
        told = [str(value) for value in chart["values"][:last]]
        if chart["kind"] == "clock":
            told = ["{}:{:02d}".format(*chart["values"])]
            assert told[0] in question["description"]
        else:
            assert not {*told} - {*numbers}, question["description"]
        if chart["title"]:
            assert chart["title"] in question["description"]
        assert question["panels"] is None


def test_a_wrong_number_would_be_seen() -> None:
    """The second reader refuses references to charts whose numbers are others."""
    wrong = 0
    for chart, question in pairs("touchstone_chart"):
        other = {**chart, "values": [value + 1 for value in chart["values"][::-1]]}
        for pattern, holds, _ in CHARTS:
            if found := re.fullmatch(pattern, question["answer"]):
                wrong += not holds(other, found)
                break
    assert wrong >= N - 4
