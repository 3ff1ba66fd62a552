"""Which of several instances each object is that an answer names.

Two guitars are there, and a red one is named: it is the one of which most that is said holds. One
instance is one object, where there are enough.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from lvlmbench.scene.claims import Claim, Feature
from lvlmbench.stages.judge.kinds.lexical.matching.found import Found
from lvlmbench.stages.judge.kinds.lexical.matching.things import Candidate
from lvlmbench.stages.judge.kinds.lexical.matching.words import SOMEBODY

#: Weights that keep apart what counts first: an instance of its own, the better word, what holds.
_SHARED, _LEVEL = 1_000_000, 1000
#: Rounds after which changing one object, or two, gains no more.
_ROUNDS = 20

#: Judges a claim of one thing, or of two.
OfOne = Callable[[Claim, Feature], Found]
OfTwo = Callable[[Claim, Feature, Feature], Found]


class Assigning:
    """Objects of one answer and what is said of them.

    Parameters
    ----------
    objects
        Number of a claim -> the features that it may be, the best first.
    claims
        All that is said.
    alone
        Whether a feature stands for one instance.
    shared
        Objects that stand for several: they need no instance of their own.
    """

    def __init__(
        self,
        objects: Mapping[int, Sequence[Candidate]],
        claims: Iterable[Claim],
        of_one: OfOne,
        of_two: OfTwo,
        alone: Callable[[Feature], bool],
        shared: frozenset[int],
    ) -> None:
        self._objects, self._of_one, self._of_two = objects, of_one, of_two
        self._alone, self._shared = alone, shared
        self._chosen = dict.fromkeys(objects, 0)
        self._open = [number for number in sorted(objects) if len(objects[number]) > 1]
        self._said: dict[int, list[Claim]] = defaultdict(list)
        self._pairs: list[Claim] = []
        for claim in claims:
            if claim.kind == "relation" and {claim.about, claim.other} <= objects.keys():
                self._pairs.append(claim)
            elif claim.kind not in ("object", "relation") and claim.about is not None:
                self._said[claim.about].append(claim)
        self._own: dict[tuple[int, int], int] = {}
        self._both: dict[tuple[int, int, int], int] = {}

    def chosen(self) -> dict[int, Candidate]:
        """Return which feature each object is."""
        if self._open:
            self._start()
            self._improve()
        return {number: self._objects[number][at] for number, at in self._chosen.items()}

    def rivals(self, number: int) -> list[Feature]:
        """Return what an object may as well be: no less is said to hold if it is."""
        if number not in self._open:
            return []
        own, before = self._chosen[number], self._worth(self._open)
        found = []
        for at, one in enumerate(self._objects[number]):
            self._chosen[number] = at
            if at != own and self._worth(self._open) >= before:
                found.append(one.feature)
        self._chosen[number] = own
        return found

    def _start(self) -> None:
        """Choose the best without regard to relations."""
        group = self._open
        from scipy.optimize import linear_sum_assignment

        features = sorted({c.feature.feature: c.feature for n in group for c in self._objects[n]})
        place = {name: at for at, name in enumerate(features)}
        size = len(features) * len(group)
        cost = [[float(_SHARED**2)] * size for _ in group]
        for row, number in enumerate(group):
            for at, one in enumerate(self._objects[number]):
                column = place[one.feature.feature] * len(group)
                worth = self._gain(number, at)
                alone = self._alone(one.feature) and number not in self._shared
                for copy in range(len(group)):
                    cost[row][column + copy] = -worth + (_SHARED if copy and alone else 0)
        rows, columns = linear_sum_assignment(cost)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            name = features[column // len(group)]
            found = [c.feature.feature for c in self._objects[group[row]]]
            self._chosen[group[row]] = found.index(name)

    def _improve(self) -> None:
        """Change one object, or exchange two, as long as that gains."""
        group = self._open
        for _ in range(_ROUNDS):
            before = self._worth(group)
            for number in group:
                self._try_one(number, group)
            for i, a in enumerate(group):
                for b in group[i + 1 :]:
                    self._exchange(a, b, group)
            if self._worth(group) == before:
                return

    def _try_one(self, number: int, group: Sequence[int]) -> None:
        best, top = self._chosen[number], self._worth(group)
        for at in range(len(self._objects[number])):
            self._chosen[number] = at
            worth = self._worth(group)
            if worth > top:
                best, top = at, worth
        self._chosen[number] = best

    def _exchange(self, a: int, b: int, group: Sequence[int]) -> None:
        before, top = (self._chosen[a], self._chosen[b]), self._worth(group)
        names = [[c.feature.feature for c in self._objects[number]] for number in (a, b)]
        other = names[0][before[0]], names[1][before[1]]
        if other[1] in names[0] and other[0] in names[1]:
            self._chosen[a], self._chosen[b] = names[0].index(other[1]), names[1].index(other[0])
            if self._worth(group) <= top:
                self._chosen[a], self._chosen[b] = before

    def _worth(self, group: Sequence[int]) -> int:
        """What an assignment is worth, as far as it lies with some objects."""
        within, worth = {*group}, 0
        used: Counter[str] = Counter()
        for number, at in self._chosen.items():
            one = self._objects[number][at]
            if number not in self._shared and self._alone(one.feature):
                used[one.feature.feature] += 1
            if number in within:
                worth += self._gain(number, at)
        for at, claim in enumerate(self._pairs):
            if claim.about in within or claim.other in within:
                worth += self._gain_of_two(at, claim)
        return worth - _SHARED * sum(number - 1 for number in used.values())

    def _gain(self, number: int, at: int) -> int:
        key = (number, at)
        if key not in self._own:
            thing = self._objects[number][at].feature
            said = self._said.get(number, ())
            level = self._objects[number][at].met.level
            if any(one.met is SOMEBODY for one in self._objects[number]):
                level = SOMEBODY.level  # what "woman" says of age and gender is said apart
            gain = sum(_gain(each, self._of_one(each, thing)) for each in said)
            self._own[key] = _LEVEL * level + gain
        return self._own[key]

    def _gain_of_two(self, pair: int, claim: Claim) -> int:
        a, b = claim.about or 0, claim.other or 0
        key = (pair, self._chosen[a], self._chosen[b])
        if key not in self._both:
            things = [self._objects[number][self._chosen[number]].feature for number in (a, b)]
            self._both[key] = _gain(claim, self._of_two(claim, *things))
        return self._both[key]


def _gain(claim: Claim, found: Found) -> int:
    """What a verdict is worth: that most holds comes before that little is wrong."""
    worth = 2 if found.true else -1 if found.verdict == "contradicted" else 0
    return -worth if claim.negated else worth
