"""Adding up what a judge made of planted answers of one treatment and kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from lvlmbench.core.seeding import digest
from lvlmbench.scene.claims import Tally
from lvlmbench.stages.judge.exam.marking import Counts, Marks
from lvlmbench.stages.judge.exam.outcome import Number, of_share
from lvlmbench.stats.ppi import Judged, correct
from lvlmbench.stats.ratios import Sums, share


@dataclass
class Sheet:
    """Marks of many answers, in any order.

    Attributes
    ----------
    read
        Whether the judge read the claims out of the answers.
    counts
        Scene -> kind of claim -> counts.
    judged, true
        Scene -> how its answers' claims count as the judge has them, and in truth.
    moved
        Scene -> answers that are judged otherwise than what they should be judged like, and all
        that should be judged like something.
    statuses
        Answers by status.
    """

    read: bool
    counts: dict[str, dict[str, Counts]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counts))
    )
    judged: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    true: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    moved: dict[str, tuple[int, int]] = field(default_factory=lambda: defaultdict(lambda: (0, 0)))
    statuses: Counter[str] = field(default_factory=Counter)

    def take(self, scene: str, marks: Marks, judged: Tally, true: Tally) -> None:
        """Add one answer."""
        for kind, more in marks.items():
            self.counts[scene][kind] = self.counts[scene][kind].plus(more)
        self.judged[scene] += judged
        self.true[scene] += true

    def take_moved(self, scene: str, moved: bool) -> None:
        """Add one answer that should be judged like another."""
        hits, trials = self.moved[scene]
        self.moved[scene] = (hits + moved, trials + 1)

    def merged(self, more: Sheet) -> Sheet:
        """Return both sheets in one, without what should be judged like something."""
        out = Sheet(self.read, statuses=self.statuses + more.statuses)
        for each in (self, more):
            for scene, marks in each.counts.items():
                out.take(scene, marks, each.judged[scene], each.true[scene])
        return out

    def kinds(self) -> list[str]:
        """Return the kinds of claims that there are, sorted."""
        return sorted({kind for marks in self.counts.values() for kind in marks})

    def of(self, *kinds: str) -> list[Counts]:
        """Return the counts by scene, of some kinds of claims or of all."""
        out = []
        for marks in self.counts.values():
            total = Counts()
            for kind, counts in marks.items():
                total = total.plus(counts) if not kinds or kind in kinds else total
            out.append(total)
        return out

    def errors(self, *kinds: str) -> Iterator[Number]:
        """Yield numbers over claims of some kinds or of all.

        ``sensitivity`` is the share of the wrong claims that the judge calls wrong,
        ``specificity`` that of the right ones that it does not. Where it read the answers:
        ``recall`` is the share of their claims that it found, ``precision`` that of what it found
        that is a claim of theirs. ``false_alarms`` is the share called wrong among right claims
        and those that nobody made, but for those read in words of something wrong.
        """
        counts = self.of(*kinds)
        yield from of_share("sensitivity", share((c.caught, c.wrong) for c in counts))
        yield from of_share("specificity", share((c.right - c.alarms, c.right) for c in counts))
        if self.read:
            yield from of_share("recall", share((c.read, c.said) for c in counts))
            yield from of_share("precision", share((c.read, c.read + c.extra) for c in counts))
            alarms = [(c.alarms + c.invented, c.right + c.outside) for c in counts]
            if any(c.right for c in counts):
                yield from of_share("false_alarms", share(alarms))

    def numbers(self) -> Iterator[Number]:
        """Yield all numbers over all kinds of claims; first the share of answers judged."""
        given = self.statuses.total()
        if given:
            yield Number("judged", self.statuses["judged"] / given, n=given)
        yield from self.errors()
        for name, tallies in (("", self.judged), ("true_", self.true)):
            for measure, sums in _SHARES.items():
                scenes = (sums(tally) for tally in tallies.values())
                yield from of_share(f"{name}{measure}", share(scenes))
        yield from self._corrections()
        yield from of_share("moved", share(self.moved.values()))

    def _corrections(self) -> Iterator[Number]:
        """Yield what the judge's numbers become where the truth of a third of the scenes is known:
        a third that their ids decide, not what is in them."""
        names = sorted(self.judged, key=lambda scene: digest("judge_exam", "gold", scene))
        known = {*names[: -(-len(names) // 3)]}
        for measure, sums in _SHARES.items():
            scenes = [
                Judged(Sums(*sums(said)), Sums(*sums(self.true[scene])) if scene in known else None)
                for scene, said in self.judged.items()
            ]
            found = correct(scenes).corrected
            if found is not None:  # an estimate may lie outside of what a share can be
                value, low, high = map(_within, (found.value, found.low, found.high))
                yield Number(f"corrected_{measure}", value, low, high, len(known))


def _within(part: float | None) -> float | None:
    return None if part is None else min(max(part, 0.0), 1.0)


def _faithful(tally: Tally) -> tuple[int, int]:
    return tally.true, tally.true + tally.wrong


def _covered(tally: Tally) -> tuple[int, int]:
    return tally.covered, tally.owed


#: Measure -> what a scene adds to it: how many, of how many.
_SHARES: Mapping[str, Callable[[Tally], tuple[int, int]]] = {
    "faithfulness": _faithful,
    "coverage": _covered,
}
