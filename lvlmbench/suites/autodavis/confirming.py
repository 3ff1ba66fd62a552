"""What models that look at pictures confirm of descriptions (AutoDavis, section 2.3)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.core.seeding import item_id
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.quoting import holds_words, telling
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.autodavis.checks import checks_of
from lvlmbench.suites.autodavis.plan import Planner
from lvlmbench.suites.drawing import Fault
from lvlmbench.suites.posed import Posed

Row = Mapping[str, Any]

#: What a validator is offered beside the options of a check.
UNTOLD = "The picture does not tell."
#: Characters of a sentence, up to which a prompt says it again.
_SENTENCE = 200
_SENTENCES = re.compile(r"(?<=[.!?])\s+")


class Seen(NamedTuple):
    """One check of a picture, and what validators say.

    Attributes
    ----------
    row
        A row of ``tables.ATTEMPT_CHECKS``, that of the first validator.
    answers
        Validator -> the option that it gives; those that gave none are not there.
    confirmed
        Whether more than half of those who were asked give the option that the text gives; None
        where that hangs on some who gave none.
    """

    row: Row
    answers: Mapping[str, int]
    confirmed: bool | None

    @property
    def answer(self) -> int | None:
        """The option that more than half of those who answered give; None where there is none."""
        return most_given(self.answers.values())

    @property
    def fact(self) -> str:
        """What is confirmed, in words: question and answer, and no other word of the text."""
        return f"{self.row['question']} {self.row['options'][self.row['answer_index']]}"


class Confirmed(NamedTuple):
    """What validators say of a picture, check by check."""

    checks: tuple[Seen, ...]

    def share(self, undecided: bool = False) -> float:
        """Return the share of checks that are confirmed, or may be where all had answered."""
        good = (True, None) if undecided else (True,)
        return sum(one.confirmed in good for one in self.checks) / max(len(self.checks), 1)

    @property
    def facts(self) -> dict[str, str]:
        """Id -> statement, of all that is confirmed."""
        return {f"s{one.row['number'] + 1}": one.fact for one in self.checks if one.confirmed}

    @property
    def defects(self) -> tuple[str, ...]:
        """Words of the text about what is not confirmed."""
        return tuple(dict.fromkeys(one.row["element"] for one in self.checks if not one.confirmed))

    @property
    def missed(self) -> tuple[str, ...]:
        """Those of them that validators see otherwise, or not at all."""
        found = (one.row["element"] for one in self.checks if one.confirmed is False)
        return tuple(dict.fromkeys(found))

    @property
    def barred(self) -> frozenset[str]:
        """Stems of words that tell of what is not confirmed, and of nothing that is."""
        bad = {
            stem
            for one in self.checks
            if not one.confirmed
            for stem in telling(f"{one.row['element']} {one.fact}")
        }
        return frozenset(bad - {s for fact in self.facts.values() for s in telling(fact)})


def most_given(answers: Collection[int]) -> int | None:
    """Return the option that more than half of some answers give; None where there is none."""
    most = Counter(answers).most_common(1)
    return most[0][0] if most and 2 * most[0][1] > len(answers) else None


def confirmed(rows: Iterable[Row]) -> Confirmed:
    """Return what validators say of one attempt at a picture, rows of ``tables.ATTEMPT_CHECKS``."""
    by_number: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        by_number[row["number"]].append(row)
    return Confirmed(tuple(_seen(by_number[number]) for number in sorted(by_number)))


def _seen(rows: Sequence[Row]) -> Seen:
    first = rows[0]
    answers = {
        row["validator"]: row["answered_index"] for row in rows if row["status"] == "answered"
    }
    right = sum(given == first["answer_index"] for given in answers.values())
    silent = len(rows) - len(answers)
    if 2 * right > len(rows):
        return Seen(first, answers, True)
    return Seen(first, answers, None if 2 * (right + silent) > len(rows) else False)


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


def rejected(planner: Planner, scene: Row, seen: Confirmed) -> Fault | None:
    """Return why a picture is not as described, whatever those say who have not answered."""
    threshold = planner.levels[planner.item(scene["subtask"], scene["ordinal"]).level].threshold
    if seen.share(undecided=True) >= threshold:
        return None
    what = f"not as described: {', '.join(seen.missed)}"
    return Fault(what, round(seen.share(), 4), threshold)


def judged(planner: Planner, scene: Row, seen: Confirmed | None) -> Confirmed | Fault:
    """Return what is confirmed of a picture, or why nothing is asked about it."""
    if seen is None:
        return Fault("no picture was kept")
    if (fault := rejected(planner, scene, seen)) is not None:
        return fault
    threshold = planner.levels[planner.item(scene["subtask"], scene["ordinal"]).level].threshold
    if seen.share() < threshold:
        return Fault("too few checks were answered", round(seen.share(), 4), threshold)
    return seen


def given_up(planner: Planner, scenes: Iterable[Row], seen: pa.Table | None) -> dict[str, Fault]:
    """Return of which scenes validators have rejected the last picture, and why."""
    last = last_seen(seen)
    found = {
        scene["scene_id"]: rejected(planner, scene, last[scene["scene_id"]])
        for scene in scenes
        if scene["scene_id"] in last
    }
    return {name: fault for name, fault in found.items() if fault is not None}


class _Confirming:
    """Decides by what validators see whether a picture is kept, or drawn anew."""

    name = "confirmed"

    def __init__(self, params: Params, vocabulary: Vocabulary) -> None:
        self._planner = Planner(params, vocabulary)
        self.attempts = self._planner.own.attempts

    def judge(self, scene: Row, rows: Sequence[Row]) -> Fault | None:
        """Return why another picture is to be drawn, by the answers of all validators.

        Where it hangs on those who have not answered, another picture would not help: None.
        """
        return rejected(self._planner, scene, confirmed(rows))

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
        ones say again what was missed, in the sentences that hold it (AutoDavis, appendix F).
        """
        missed = confirmed(rows).missed if number > 1 else ()
        sentences = _SENTENCES.split(scene["prompt"].strip())
        again = [
            each
            for each in sentences
            if len(each) <= _SENTENCE and any(holds_words(each, element) for element in missed)
        ]
        said = " ".join(again) if len(sentences) > 1 else ", ".join(missed)
        if not said:
            return None
        end = "" if scene["prompt"].rstrip().endswith((".", "!", "?")) else "."
        return f"{scene['prompt'].rstrip()}{end} Plain to see: {said}"


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
