"""The exam as a whole, of judges whose errors are known."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from lvlmbench.scene.claims import Claim
from lvlmbench.stages.judge.exam.outcome import Outcome
from lvlmbench.stages.judge.exam.planting.ground import Ground
from lvlmbench.stages.judge.exam.planting.nouns import lexis_of
from lvlmbench.stages.judge.exam.planting.plant import TREATMENTS, grounds, planted
from lvlmbench.stages.judge.exam.run import calls, examine
from lvlmbench.stages.judge.exam.telling import told
from lvlmbench.stages.judge.judge import Answer, Comparison, Holding, Judge, Pair, Reading
from lvlmbench.tables import JUDGE_EXAM
from support.drawn_truths import RENDERER, drawn_truths
from support.planted_truth import vocabulary
from support.scripted_judges import Oracle, Reversed

SEED, ANSWERS = 5, 8
ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(scope="module")
def scenes() -> list[Ground]:
    return grounds(drawn_truths(16, SEED), lexis_of(vocabulary(), RENDERER), SEED)


def oracle(scenes: list[Ground], kind: type[Oracle] = Oracle, **errors: float) -> Oracle:
    return kind(
        (
            each
            for treatment in TREATMENTS.values()
            for name in treatment.kinds
            for each in planted(scenes, treatment, name, ANSWERS, SEED)
        ),
        **errors,
    )


def exam(scenes: list[Ground], **judges: Judge) -> list[Outcome]:
    return list(examine(judges, scenes, SEED, ANSWERS))


@pytest.mark.long
def test_an_oracle_makes_no_mistake(scenes: list[Ground]) -> None:
    found = exam(scenes, oracle=oracle(scenes))
    exact = {"sensitivity": 1.0, "specificity": 1.0, "recall": 1.0, "precision": 1.0}
    exact |= {"false_alarms": 0.0, "moved": 0.0}
    for each in found:
        if each.way != "pairs" and each.measure in exact:
            assert each.value == exact[each.measure], each
    by = {(e.way, e.treatment, e.kind, e.measure): e for e in found}
    for way in ("claims", "text"):
        for treatment in TREATMENTS.values():
            for kind in treatment.kinds:
                for measure in ("faithfulness", "coverage"):
                    raw = by.get((way, treatment.name, kind, measure))
                    true = by.get((way, treatment.name, kind, f"true_{measure}"))
                    assert (raw and raw.value) == (true and true.value)


def test_the_errors_of_a_judge_are_found(scenes: list[Ground]) -> None:
    found = exam(scenes, bad=oracle(scenes, alarms=0.15, misses=0.3))
    whole = [e for e in found if e.treatment == "all" and e.kind == "object" and e.way == "claims"]
    by = {each.measure: each for each in whole}
    low, high = by["sensitivity"].low, by["sensitivity"].high
    assert low is not None and high is not None and low < 0.7 < high and high - low < 0.2
    low, high = by["specificity"].low, by["specificity"].high
    assert low is not None and high is not None and low < 0.85 < high and high - low < 0.2


@pytest.mark.long
def test_two_judges_are_compared(scenes: list[Ground]) -> None:
    good, bad = oracle(scenes), oracle(scenes, alarms=0.4, misses=0.4)
    found = exam(scenes, good=good, bad=bad, same=oracle(scenes))
    by = {each.judge: each for each in found if each.measure == "kappa"}
    assert by["good, same"].value == 1.0
    assert 0.2 < (by["bad, good"].value or 0) < 0.7
    assert [each.judge for each in found if each.measure == "alpha"] == ["bad, good, same"]


@pytest.mark.long
def test_the_order_of_results_changes_nothing(scenes: list[Ground]) -> None:
    straight = exam(scenes, one=oracle(scenes, alarms=0.1, misses=0.1))
    turned = exam(scenes, one=oracle(scenes, Reversed, alarms=0.1, misses=0.1))
    assert straight == turned


class Failing(Oracle):
    """Fails, each time in another way."""

    requests: list[dict[str, object]]

    def __init__(self) -> None:
        super().__init__(())
        self.requests = []

    def _status(self) -> str:
        self.requests.append({"cost_usd": 0.5})
        return ("refused", "malformed", "error", "timeout")[len(self.requests) % 4]

    def read(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Reading]]:
        for answer in answers:
            yield answer, Reading(self._status())  # type: ignore[arg-type]

    def hold(
        self, answers: Iterable[tuple[Answer, Sequence[Claim]]]
    ) -> Iterator[tuple[Answer, Holding]]:
        for answer, _ in answers:
            yield answer, Holding(self._status())  # type: ignore[arg-type]

    def compare(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Comparison]]:
        for pair in pairs:
            yield pair, Comparison(self._status())  # type: ignore[arg-type]


def test_what_is_not_judged_is_counted_and_no_number(scenes: list[Ground]) -> None:
    judge = Failing()
    found = exam(scenes, failing=judge)
    assert {each.measure for each in found} == {"judged", "dropped"}
    for each in found:
        assert each.measure == "dropped" or each.value == 0
        assert each.refused + each.malformed + each.failed == each.answers > 0
    assert sum(each.calls for each in found) == len(judge.requests)
    assert sum(each.cost or 0 for each in found) == 0.5 * len(judge.requests)
    pairs = [each for each in found if each.way == "pairs" and each.treatment == "all"]
    assert [each.value for each in pairs] == [4.0 * ANSWERS]


def test_the_plan_is_what_is_asked(scenes: list[Ground]) -> None:
    asked = [0]

    class Counting(Oracle):
        def read(self, answers: Iterable[Answer]) -> Iterator[tuple[Answer, Reading]]:
            for each in super().read(answers):
                asked[0] += 1
                yield each

        def hold(
            self, answers: Iterable[tuple[Answer, Sequence[Claim]]]
        ) -> Iterator[tuple[Answer, Holding]]:
            for each in super().hold(answers):
                asked[0] += 1
                yield each

        def compare(self, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Comparison]]:
            for each in super().compare(pairs):
                asked[0] += 1
                yield each

    exam(scenes, counting=oracle(scenes, Counting))
    assert asked[0] == calls(scenes, SEED, ANSWERS)


def test_outcomes_are_rows_of_the_table(scenes: list[Ground]) -> None:
    found = exam(scenes, oracle=oracle(scenes))
    rows = JUDGE_EXAM.of(each.row() for each in found)
    assert rows.schema == JUDGE_EXAM.schema and len(rows) == len(found)
    keys = [tuple(row[name] for name in JUDGE_EXAM.key) for row in rows.to_pylist()]
    assert len({*keys}) == len(keys)


@pytest.mark.long
def test_outcomes_are_told(scenes: list[Ground]) -> None:
    text = "\n".join(told(exam(scenes, a=oracle(scenes), b=oracle(scenes, alarms=0.2))))
    for words in ("a, given claims", "b, given answers", "sensitivity", "hallucinate", "kappa of"):
        assert words in text
    assert "unjudged" in text  # an oracle compares nothing


_SCRIPT = """
from hashlib import sha256
from lvlmbench.stages.judge.exam.planting.nouns import lexis_of
from lvlmbench.stages.judge.exam.planting.plant import TREATMENTS, grounds, planted
from support.drawn_truths import RENDERER, drawn_truths
from support.planted_truth import vocabulary
scenes = grounds(drawn_truths(12, 5), lexis_of(vocabulary(), RENDERER), 5)
found = [
    (each.key, each.text, each.claims, each.matches)
    for treatment in TREATMENTS.values()
    for kind in treatment.kinds
    for each in planted(scenes, treatment, kind, 6, 5)
]
print(sha256(repr(found).encode()).hexdigest())
"""


@pytest.mark.long
def test_the_hash_seed_of_python_changes_nothing() -> None:
    found = set()
    for seed in ("0", "1", "77"):
        env = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
        run = subprocess.run(
            [sys.executable, "-c", _SCRIPT], env=env, capture_output=True, text=True, check=True
        )
        found.add(run.stdout)
    assert len(found) == 1
