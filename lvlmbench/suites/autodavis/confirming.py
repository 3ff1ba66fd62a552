"""What models that look at pictures confirm of descriptions (AutoDavis, section 2.3)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.core.seeding import item_id
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.quoting import words
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.autodavis.checks import checks_of
from lvlmbench.suites.autodavis.plan import Planner
from lvlmbench.suites.drawing import Fault
from lvlmbench.suites.posed import Posed

Row = Mapping[str, Any]

#: What a validator is offered beside the options of a check.
UNTOLD = "The picture does not tell."
#: Least share of the checks that must be answered for a picture to be judged.
_ANSWERED = 0.5
#: Letters of a word from which it may tell things apart.
_LETTERS = 4


class Seen(NamedTuple):
    """One check of a picture, and what most validators say.

    Attributes
    ----------
    row
        A row of ``tables.ATTEMPT_CHECKS``, that of the first validator.
    answer
        The option that more than half of those who answered give; None where there is none, or
        nobody has answered.
    confirmed
        Whether more than half of those who answered give the option that the text gives; None
        where nobody has answered.
    validators
        Who has answered.
    """

    row: Row
    answer: int | None
    confirmed: bool | None
    validators: tuple[str, ...]

    @property
    def statement(self) -> str:
        """What is confirmed, in words."""
        said = self.row["options"][self.row["answer_index"]]
        return f"{self.row['element']} ({self.row['question']} {said})"


class Confirmed(NamedTuple):
    """What validators say of a picture, check by check."""

    checks: tuple[Seen, ...]

    @property
    def score(self) -> float | None:
        """Share of the answered checks that are confirmed; None where too few are answered."""
        answered = [one for one in self.checks if one.confirmed is not None]
        if not answered or len(answered) < _ANSWERED * len(self.checks):
            return None
        return sum(one.confirmed is True for one in answered) / len(answered)

    @property
    def facts(self) -> dict[str, str]:
        """Id -> statement, of all that is confirmed."""
        return {f"s{one.row['number'] + 1}": one.statement for one in self.checks if one.confirmed}

    @property
    def defects(self) -> tuple[str, ...]:
        """Words of the text about what is not confirmed."""
        return tuple(dict.fromkeys(one.row["element"] for one in self.checks if not one.confirmed))

    @property
    def barred(self) -> frozenset[str]:
        """Words that tell of what is not confirmed, and of nothing that is."""
        good = {w for one in self.checks if one.confirmed for w in words(one.statement)}
        bad = {w for element in self.defects for w in words(element) if len(w) >= _LETTERS}
        return frozenset(bad - good)


def confirmed(rows: Iterable[Row]) -> Confirmed:
    """Return what validators say of one attempt at a picture, rows of ``tables.ATTEMPT_CHECKS``."""
    by_number: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        by_number[row["number"]].append(row)
    return Confirmed(tuple(_seen(by_number[number]) for number in sorted(by_number)))


def _seen(rows: Sequence[Row]) -> Seen:
    first = rows[0]
    answered = [row for row in rows if row["status"] == "answered"]
    given = Counter(row["answered_index"] for row in answered)
    most = [option for option, n in given.items() if 2 * n > len(answered)]
    right = 2 * given[first["answer_index"]] > len(answered) if answered else None
    who = tuple(sorted(row["validator"] for row in answered))
    return Seen(first, most[0] if most else None, right, who)


def last_seen(seen: pa.Table | None) -> dict[str, Confirmed]:
    """Return what validators say of the last attempt at each scene."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in [] if seen is None else seen.to_pylist():
        found[row["scene_id"]].append(row)
    last = {scene_id: max(row["attempt"] for row in rows) for scene_id, rows in found.items()}
    return {
        scene_id: confirmed(row for row in rows if row["attempt"] == last[scene_id])
        for scene_id, rows in found.items()
    }


def judged(planner: Planner, scene: Row, seen: Confirmed | None) -> Confirmed | Fault:
    """Return what is confirmed of a picture, or why nothing is asked about it."""
    if seen is None:
        return Fault("the renderer has drawn nothing")
    score = seen.score
    if score is None:
        return Fault("too few checks were answered")
    threshold = planner.levels[planner.item(scene["subtask"], scene["ordinal"]).level].threshold
    if score < threshold:
        return Fault(f"not as described: {', '.join(seen.defects)}", round(score, 4), threshold)
    return seen


def given_up(planner: Planner, scenes: Iterable[Row], seen: pa.Table | None) -> dict[str, Fault]:
    """Return of which scenes validators have rejected the last picture, and why."""
    last = last_seen(seen)
    found = {
        scene["scene_id"]: judged(planner, scene, last[scene["scene_id"]])
        for scene in scenes
        if scene["scene_id"] in last
    }
    return {name: fault for name, fault in found.items() if isinstance(fault, Fault)}


class _Confirming:
    """Decides by what validators see whether a picture is kept, or drawn anew."""

    name = "confirmed"

    def __init__(self, params: Params, vocabulary: Vocabulary) -> None:
        self._planner = Planner(params, vocabulary)
        self.attempts = self._planner.own.attempts

    def judge(self, scene: Row, rows: Sequence[Row]) -> Fault | None:
        """Return why another picture is to be drawn, by the answers of all validators.

        Where too few have answered, another picture would not help: None.
        """
        seen = confirmed(rows)
        if seen.score is None:
            return None
        found = judged(self._planner, scene, seen)
        return found if isinstance(found, Fault) else None

    def prompt(self, scene: Row, number: int, rows: Sequence[Row]) -> str | None:
        """Return None: a graph is drawn from another seed."""
        return None


class GraphConfirming(_Confirming):
    """Has validators answer the checks of planned graphs, which a layout answers, too."""

    def checks(self, scene: Row) -> list[Posed]:
        """Return the checks of a scene."""
        item = self._planner.item(scene["subtask"], scene["ordinal"])
        checks = checks_of(self._planner, item, Graph.of(scene))
        rows = [check.row(scene["scene_id"], n) for n, check in enumerate(checks)]
        return [*_posed(scene, rows)]


class TextConfirming(_Confirming):
    """Has validators answer the checks that were written with a text, once for all attempts.

    Parameters
    ----------
    described
        Rows of ``tables.DESCRIPTIONS``.
    """

    def __init__(self, params: Params, vocabulary: Vocabulary, described: pa.Table) -> None:
        super().__init__(params, vocabulary)
        rows = described.select(["scene_id", "checks"]).to_pylist()
        self._checks: dict[str, list[Row]] = {row["scene_id"]: row["checks"] or [] for row in rows}

    def checks(self, scene: Row) -> list[Posed]:
        """Return the checks of a scene; of one that shows another in another style, its base's."""
        checks = self._checks.get(scene["base"] or scene["scene_id"], [])
        return [*_posed(scene, checks, (UNTOLD,))]

    def prompt(self, scene: Row, number: int, rows: Sequence[Row]) -> str | None:
        """Return the prompt of a further attempt, by what validators say of the one before.

        None where it is the text as it is: the first further attempt has another seed alone. Later
        ones say again what was missed (AutoDavis, appendix F).
        """
        if number < 2:
            return None
        missed = "; ".join(confirmed(rows).defects)
        return f"{scene['prompt']} Plain to see: {missed}." if missed else None


def _posed(scene: Row, checks: Iterable[Row], more: tuple[str, ...] = ()) -> Iterator[Posed]:
    """The checks of a scene, with ``more`` options behind their own."""
    for number, check in enumerate(checks):
        yield Posed(
            check_id=item_id(scene["scene_id"], "check", number),
            scene_id=scene["scene_id"],
            shown_id=scene["scene_id"],
            subtask=scene["subtask"],
            element_type=check["element_type"],
            question=check["question"],
            options=(*check["options"], *more),
            answer_index=check["answer_index"],
            shown_index=None,
            element=check["element"],
        )
