"""Questions about charts: the answer is true, no wrong option is, and none gives it away."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, groupby, pairwise

import pytest

from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.scene.charts import ROOM, Axis, Chart
from lvlmbench.suites.composed.ask import Ask, Rng
from lvlmbench.suites.composed.chart_counts import CROWDED, recounted, row
from lvlmbench.suites.composed.chart_facts import crossings, equal, higher, ranked, time
from lvlmbench.suites.composed.chart_samples import LEVELS, kinds, sample
from lvlmbench.suites.composed.chart_sizes import SUMS, ways
from lvlmbench.suites.composed.charts import asks

KINDS = tuple(ROOM)


def asked(kind: str, count: int, seed: int = 7) -> Iterator[tuple[Chart, Ask, Rng]]:
    for number in range(count):
        rng = seeding.generator(seed, "test charts", f"{kind} {number}")
        levels = [level for level in LEVELS if kind in kinds(level)]
        chart = sample(rng, kind, levels[number % len(levels)])
        for ask in asks(chart, rng):
            yield chart, ask, rng


def columns(chart: Chart, ask: Ask) -> dict[str, int]:
    """Values by category, of the series that is asked about."""
    n = max(len(chart.series), 1)
    at = next((i for i, s in enumerate(chart.series) if s in ask.about), 0)
    return dict(zip(chart.categories, chart.values[at::n], strict=True))


def holds(chart: Chart, ask: Ask, option: str) -> bool | None:
    """Whether an option is true, worked out anew from the numbers; None for kinds below."""
    values = columns(chart, ask)
    named = [values[name] for name in ask.about if name in values]
    kind, about = ask.kind, ask.about
    if kind in ("highest", "largest", "largest_in_column"):
        return values[option] == max(values.values())
    if kind in ("lowest", "smallest", "smallest_in_column"):
        return values[option] == min(values.values())
    if kind == "second_highest":
        return values[option] == sorted(values.values())[-2]
    if kind in ("value_of", "number_at", "share_of"):
        return values[about[-1]] == int(option)
    if kind in ("difference", "distance"):
        return max(named) - min(named) == int(option)
    if kind == "sum":
        return sum(named) == int(option)
    if kind == "higher_than":
        return sum(v > named[0] for v in values.values()) == int(option)
    if kind == "same":
        return values[option] == named[0]
    if kind == "trend":
        return (named[1] > named[0]) == (option == "higher") and named[0] != named[1]
    if kind in ("marker_at", "which_share"):
        return values[option] == int(about[0])
    if kind == "perimeter":
        return sum(chart.values) * (2 if chart.shape == "rectangle" else 1) == int(option)
    if kind == "third_angle":
        return 180 - chart.values[0] - chart.values[1] == int(option)
    if kind == "cell":
        return chart.value(*about) == int(option)
    if kind == "column_sum":
        return sum(chart.value(c, about[0]) for c in chart.categories) == int(option)
    if kind == "row_sum":
        return sum(chart.value(about[0], s) for s in chart.series) == int(option)
    if kind == "crossing":
        a, b = about
        return sum(chart.value(c, a) > chart.value(c, b) for c in chart.categories) == int(option)
    if kind in ("taller_than", "shorter_than"):
        up = 1 if kind == "taller_than" else -1
        return sum(up * v > up * named[0] for v in values.values()) == int(option)
    if kind == "crossings":
        on_top = [a > b for a, b in zip(chart.values[::2], chart.values[1::2], strict=True)]
        return len(list(groupby(on_top))) - 1 == int(option)
    if kind in ("larger_in_rows", "smaller_in_rows"):
        a, b = about if kind == "larger_in_rows" else about[::-1]
        return sum(chart.value(c, a) > chart.value(c, b) for c in chart.categories) == int(option)
    if kind == "above":
        return sum(v > int(about[0]) for v in chart.values) == int(option)
    if kind == "shapes_of":
        return chart.values[chart.names.index(": ".join(about))] == int(option)
    if kind in ("time", "time_later"):
        hour, minute = map(int, option.split(":"))
        later = int(about[0]) if about else 0
        shown = 60 * chart.values[0] + chart.values[1] + later
        return (60 * hour + minute - shown) % 720 == 0
    return None


@pytest.mark.parametrize("kind", KINDS)
def test_the_answer_is_true_and_no_wrong_option_is(kind: str) -> None:
    seen: Counter[str] = Counter()
    for chart, ask, rng in asked(kind, 300):
        seen[ask.kind] += 1
        for count in (1, 3, 5):
            wrong = ask.wrong(rng, count)
            assert len({ask.answer, *wrong}) == len(wrong) + 1
        for options in (ask.pool, *ask.sets):
            truths = [holds(chart, ask, option) for option in options]
            assert not any(truths), (chart, ask)
        assert holds(chart, ask, ask.answer) is not False, (chart, ask)
        assert len(set(ask.phrasings)) >= 3
        assert all("{}" in said for said in ask.statements)
        assert not any("{" in said for said in ask.phrasings)
    assert min(seen.values()) >= 10 and (len(seen) >= 2 or kind == "shapes")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", KINDS)
def test_options_alone_do_not_tell_the_answer(kind: str) -> None:
    """Who has learned how often each option is right guesses no better on other charts."""
    right: defaultdict[tuple[object, ...], list[int]] = defaultdict(lambda: [1, 3])

    def features(ask: Ask, option: str, options: list[str]) -> list[tuple[object, ...]]:
        order = sorted(options, key=lambda o: (len(o), o))
        same = [sum(o.split(":")[i] == option.split(":")[i] for o in options) for i in (0, -1)]
        return [(ask.kind, option), (ask.kind, len(options), order.index(option)),
                (ask.kind, len(options), *same)]  # fmt: skip

    for _, ask, rng in asked(kind, 1500, 8):
        options = [ask.answer, *ask.wrong(rng)]
        for option in options:
            for feature in features(ask, option, options):
                right[feature][0] += option == ask.answer
                right[feature][1] += 1
    guessed, chance, total = 0, 0.0, 0
    for _, ask, rng in asked(kind, 1500, 9):
        options = sorted([ask.answer, *ask.wrong(rng)])

        def score(option: str, ask: Ask = ask, options: list[str] = options) -> float:
            found = 1.0
            for feature in features(ask, option, options):
                found *= right[feature][0] / right[feature][1]
            return found

        guessed += max(options, key=score) == ask.answer
        chance += 1 / len(options)
        total += 1
    # Three standard errors of a guess are less than this at 3,000 questions.
    assert abs(guessed - chance) / total < 0.025, (guessed / total, chance / total)


@pytest.mark.parametrize("kind", KINDS)
def test_values_that_are_compared_are_clearly_apart(kind: str) -> None:
    for chart, ask, _ in asked(kind, 200, 10):
        if ask.kind in ("highest", "lowest", "largest", "smallest"):
            values = columns(chart, ask)
            best = values[ask.answer]
            assert all(
                higher(chart, max(v, best), min(v, best)) is True
                for name, v in values.items()
                if name != ask.answer
            )
        if chart.axis is not None and kind != "number_line":
            assert chart.axis.step * 100 >= 5 * (chart.axis.high - chart.axis.low)


@pytest.mark.parametrize("kind", CROWDED)
def test_what_is_counted_is_offered_in_one_row_and_another_for_a_twin(kind: str) -> None:
    """Each place of the row is right as often, and the twin is asked the same."""
    places: Counter[int] = Counter()
    for number in range(400):
        rng = seeding.generator(3, "test counts", f"{kind} {number}")
        chart = sample(rng, kind, "hard")
        again = recounted(rng, chart)
        assert replace(again, values=chart.values) == chart
        one, other = (asks(each, seeding.generator(number, "t", "t")) for each in (chart, again))
        for a, b in zip(one, other, strict=True):
            assert (a.kind, a.about, a.phrasings) == (b.kind, b.about, b.phrasings)
            answer, offered = int(a.answer), {*map(int, (a.answer, *a.pool))}
            assert offered == {*range(min(offered), min(offered) + 4)} == {*row(answer)}
            assert b.answer in a.pool and offered == {*map(int, (b.answer, *b.pool))}
            places[answer - min(offered)] += 1
            places[int(b.answer) - min(offered)] += 1
    assert max(places.values()) < 1.35 * min(places.values()), places


def test_lines_cross_at_wide_angles_or_stay_apart() -> None:
    for number in range(100):
        chart = sample(seeding.generator(4, "test lines", str(number)), "line", "hard")
        assert chart.axis is not None and 20 <= len(chart.categories) - 1 <= 23
        step = chart.axis.step
        one, other = chart.values[::2], chart.values[1::2]
        assert all(2 * step <= abs(a - b) <= 3 * step for a, b in zip(one, other, strict=True))
        for (a, c), (b, d) in pairwise(zip(one, other, strict=True)):
            if (a > c) != (b > d):
                assert (b - a) * (d - c) < 0 and abs((b - a) - (d - c)) >= 4 * step
        assert 8 <= (crossings(chart) or 0) <= 19


def test_lines_that_come_near_are_not_counted() -> None:
    axis = Axis(0, 50, 10, 5)
    weeks = tuple(map(str, range(1, 8)))
    values = (10, 20, 20, 10, 10, 20, 10, 20, 10, 20, 10, 20, 10, 20)
    lines = Chart("line", "", "week", "", weeks, values, ("red", "blue"), ("a", "b"), axis)
    assert crossings(lines) == 2
    assert crossings(replace(lines, values=(15, *values[1:]))) is None


def test_what_is_within_the_margin_is_unclear() -> None:
    pie = Chart("pie", "", "club", "%", ("a", "b", "c"), (35, 30, 35), ("red", "blue", "green"))
    assert higher(pie, 35, 30) is None and higher(pie, 40, 30) is True
    assert equal(pie, 35, 35) is None and equal(pie, 35, 30) is None
    assert ranked(pie, pie.values, 0) is None and ranked(pie, pie.values, -1) is None
    printed = Chart(**{**pie.__dict__, "marks": ("values",)})
    assert higher(printed, 35, 30) is True and ranked(printed, printed.values, -1) == 1
    assert time(3, 25) == "3:25" and time(3, 26) is None


def test_each_length_of_a_side_has_room_and_company() -> None:
    for rooms in SUMS.values():
        for shape, room in rooms.items():
            assert all(ways(shape, total) for total in room)
            assert shape != "rectangle" or all(len(ways(shape, total)) >= 4 for total in room)
    for a, b in combinations(SUMS, 2):
        assert all(not set(SUMS[a][s]) & set(SUMS[b][s]) for s in SUMS[a])


def test_an_unknown_kind_or_level_is_one_line() -> None:
    rng = seeding.generator(1, "test", "x")
    with pytest.raises(UserError, match="'bars' is not known; did you mean 'bar'"):
        sample(rng, "bars", "easy")
    with pytest.raises(UserError, match="'harder' is not known; did you mean 'hard'"):
        sample(rng, "bar", "harder")


def test_every_kind_can_be_sampled() -> None:
    assert {kind for level in LEVELS for kind in kinds(level)} == set(ROOM)
