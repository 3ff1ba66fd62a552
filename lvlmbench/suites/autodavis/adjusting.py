"""Error-driven adjustment of options (AutoDavis, section 2.4 and appendix G).

A first draft offers wrong options at random. Then the examiner is told that the right answer is
wrong, and answers again, without the picture; its reply takes the place of a wrong option, one
after the other. The embedded examiner's replies are what the picture shows, as far as the level
wants that, and then what is often right of other pictures of the aspect (the catalogue's
``prior.yaml``, from other seeds), drawn in proportion to that: were it always the likeliest, one
could tell the right option by its not being likely.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from lvlmbench.core.seeding import digest
from lvlmbench.scene.sets import Value
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.draws import Draws

#: Text of an option -> how often it was right of pictures of other seeds.
Prior = Mapping[str, int]
#: Of what was never right; so nothing is impossible.
_UNSEEN = 0.5


class Adjusted(NamedTuple):
    """What is asked with its wrong options in the order in which they are offered.

    Attributes
    ----------
    replaced
        Reply -> what it takes the place of.
    """

    ask: Ask
    replaced: dict[Value, Value]


def adjusted(
    one: Ask,
    draws: Draws,
    prior: Prior,
    replies: int,
    refused: Callable[[Value], bool],
    habit: bool = False,
) -> Adjusted | None:
    """Return a question with adjusted options; None where too few may be offered.

    Parameters
    ----------
    one
        Its first ``near`` wrong options are what the picture shows, of which ``least`` are offered
        in any case: where nothing is adjusted, the draft already has them.
    prior
        What is often right.
    replies
        Wrong options that are adjusted, at most.
    refused
        Whether an option may not be offered: it is true or unclear, or names a defect.
    habit
        Whether the draft offers favorites first.
    """
    n = one.options - 1
    shown, rest = [*one.wrong[: one.near]], [*one.wrong[one.near :]]
    best = _distinct(one, [*shown, *_likely(rest, one, draws, prior)], refused, n)
    drawn = draws.shuffled(one.wrong)
    if habit:
        drawn.sort(key=lambda value: liking(one.show(value)))
    draft = _distinct(one, drawn, refused, n)
    if len(best) < n or len(draft) < n or sum(value in shown for value in best) < one.least:
        return None
    if not replies:
        draft = _with_shown(draft, best[: one.least], shown)
    added = [value for value in best if value not in draft][:replies]
    gone = [value for value in draft if value not in best][: len(added)]
    replaced = dict(zip(added, gone, strict=True))
    kept = [value for value in draft if value not in gone]
    wrong = [value for value in best if value in {*kept, *added}]
    wrong += [value for value in kept if value not in wrong]
    near = sum(value in shown for value in wrong)
    return Adjusted(replace(one, wrong=wrong, near=near), replaced)


def liking(text: str) -> bytes:
    """Return what sorts texts by how much a drafter with a habit likes them as wrong options, the
    dearest first, by their last words: an order that is the same whatever the seed."""
    return digest("habit", text.rpartition(" ")[2])


def _with_shown(draft: list[Value], wanted: list[Value], shown: list[Value]) -> list[Value]:
    """A draft with as many values of which the picture shows something as are wanted."""
    lacking = len(wanted) - sum(value in shown for value in draft)
    added = [value for value in wanted if value not in draft][: max(lacking, 0)]
    others = [value for value in draft if value not in shown]
    gone = others[len(others) - len(added) :]
    return [value for value in draft if value not in gone] + added


def _likely(values: Sequence[Value], one: Ask, draws: Draws, prior: Prior) -> list[Value]:
    """Values in an order that is drawn in proportion to how often each is right.

    Where nothing is known of any of them they keep their order, which is as random.
    """
    if not prior:
        return [*values]
    left = [(value, prior.get(one.show(value), 0) + _UNSEEN) for value in values]
    found: list[Value] = []
    while left:
        ends = [*accumulate(weight for _, weight in left)]
        at = min(bisect_right(ends, draws.uniform() * ends[-1]), len(left) - 1)
        found.append(left.pop(at)[0])
    return found


def _distinct(
    one: Ask, values: Sequence[Value], refused: Callable[[Value], bool], n: int
) -> list[Value]:
    """The first n values that may be offered and read otherwise than the others."""
    found: dict[str, Value] = {one.show(one.answer): one.answer}
    for value in values:
        if len(found) > n:
            break
        if one.show(value) not in found and not refused(value):
            found[one.show(value)] = value
    return [*found.values()][1:]
