"""What a guesser that sees no picture gains over chance in composed scenes, skill by skill.

Scenes of several seeds are drawn and asked about; the questions of each seed are guessed by a
guesser (``benchmarks/harness/guesser.py``) that has learnt from those of all other seeds. A skill
is fair where the guesser's accuracy lies within two points of chance. Of short answers, which offer
nothing and of which chance is 0, it takes the likeliest: that share is told, and fair or not is not
said of it. The last line of standard
output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.harness.composing import asked, kept, kin_of, parameters, skills, vocabulary_of
from benchmarks.harness.guesser import Guesser, Kin, Question, among
from benchmarks.harness.rules import rules
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.stats.estimate import wilson
from lvlmbench.suites.composed.scenes import Planner

TYPES = ("multiple_choice", "true_false")
SHORT = "short_answer"
#: By how much a guesser may be better or worse than chance.
FAIR = 0.02
_HEAD = (
    "skill              level   type             unasked      n  chance accuracy 95 %          gain"
)
#: Of another seed than any snapshot's.
_FIRST_SEED = 1


@dataclass(frozen=True)
class Guess:
    """One question that was guessed."""

    level: str
    question_type: str
    chance: float
    right: bool


@dataclass(frozen=True)
class Asked:
    """Questions of one skill, by seed, and how many scenes of a level there were."""

    by_seed: tuple[tuple[Question, ...], ...]
    scenes: Counter[str]
    given_up: int
    kin: Kin | None = None


def questions_of(
    name: str, seeds: Sequence[int], scenes: int, size: int, folder: Path | None
) -> Asked:
    """Draw scenes of a skill, or take what the folder holds of them, and ask."""
    by_seed, levels, given_up = [], Counter[str](), 0
    kin = None
    for seed in seeds:
        params = parameters(seed, [name], scenes, size)
        vocabulary = vocabulary_of(params)
        planner = Planner(params, vocabulary)
        kin = kin or kin_of(planner)
        path = folder and folder / f"{name}-{seed}-{scenes}-{size}.jsonl"
        found = kept(path, params, vocabulary)
        levels.update(one.scene["level"] for one in found)
        given_up += sum(one.layout is None for one in found)
        by_seed.append(tuple(asked(planner, found, size)))
    return Asked(tuple(by_seed), levels, given_up, kin)


def guessed(
    by_seed: Sequence[Sequence[Question]], question_type: str, kin: Kin | None = None
) -> list[Guess]:
    """Guess the questions of each seed after learning from those of all others."""
    found = []
    for at, fresh in enumerate(by_seed):
        learnt = [
            question
            for other, questions in enumerate(by_seed)
            for question in questions
            if other != at and question["question_type"] == question_type
        ]
        own = [question for question in fresh if question["question_type"] == question_type]
        if question_type == SHORT:
            learnt, own = among(learnt, learnt), among(learnt, own)
        guesser = Guesser(question_type, learnt, kin)
        for question in own:
            right = guesser.guess(question) == question["answer_index"]
            found.append(Guess(question["level"], question_type, question["chance"] or 0.0, right))
    return found


def summary(found: Sequence[Guess]) -> dict[str, Any]:
    """Accuracy with its interval beside chance."""
    n = len(found)
    accuracy, chance = (sum(v) / n for v in zip(*((g.right, g.chance) for g in found), strict=True))
    low, high = wilson(accuracy, n)
    return {
        "n": n,
        "accuracy": round(accuracy, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "chance": round(chance, 4),
        "gain": round(accuracy - chance, 4),
    }


def best_rule(by_seed: Sequence[Sequence[Question]]) -> tuple[str, float, bool]:
    """Return the simple rule that gains most over chance, what it gains, and whether it is sure.

    Some ten rules are tried: one is sure to gain where three standard errors say so.
    """
    gains: dict[str, float] = defaultdict(float)
    n, chance = 0, 0.0
    for at, fresh in enumerate(by_seed):
        others = (q for other, each in enumerate(by_seed) if other != at for q in each)
        known = rules([q for q in others if q["question_type"] == "multiple_choice"])
        for question in fresh:
            if question["question_type"] == "multiple_choice":
                n, chance = n + 1, chance + question["chance"]
                for name, rule in known.items():
                    gains[name] += (rule(question) == question["answer_index"]) - question["chance"]
    best = max(gains, key=lambda name: gains[name])
    low, _ = wilson((gains[best] + chance) / n, n, z=3.0)
    return best, gains[best] / n, low > chance / n


def _cells(name: str, told: Asked, guesses: Sequence[Guess]) -> Iterable[dict[str, Any]]:
    """Level by level and type by type, with the share of scenes that were not asked about."""
    for level, scenes in told.scenes.items():
        for each in (*TYPES, SHORT):
            own = [g for g in guesses if (g.level, g.question_type) == (level, each)]
            unasked = round(1 - len(own) / scenes, 4)
            cell = {"skill": name, "level": level, "type": each, "unasked": unasked}
            yield cell | (summary(own) if own else {"n": 0})


def _print(cell: dict[str, Any]) -> None:
    line = f"{cell['skill']:18} {cell['level']:7} {cell['type']:16} {cell['unasked']:7.1%}"
    if cell["n"]:
        line += f" {cell['n']:6} {cell['chance']:7.3f} {cell['accuracy']:7.3f}"
        line += f" {cell['low']:6.3f}-{cell['high']:.3f} {100 * cell['gain']:+6.1f}"
    print(line, flush=True)


@main_guard
def main() -> None:
    """Ask, guess, and print what each skill gives away."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skills", nargs="*", default=None, help="names; all without")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--scenes", type=int, default=540, help="of a skill, with each seed")
    parser.add_argument("--size", type=int, default=512, help="side of the pictures")
    parser.add_argument("--keep", type=Path, help="folder that keeps layouts between runs")
    args = parser.parse_args()
    if args.seeds < 2:
        raise UserError("--seeds", "must be 2 or more", "the guesser learns from other seeds")

    seeds, totals, unfair = range(_FIRST_SEED, _FIRST_SEED + args.seeds), {}, []
    print(
        "skill              level   type             unasked     n  chance accuracy 95 %     gain"
    )
    for name in args.skills or skills():
        told = questions_of(name, seeds, args.scenes, args.size, args.keep)
        guesses = [guess for each in TYPES for guess in guessed(told.by_seed, each, told.kin)]
        short = guessed(told.by_seed, SHORT)
        for cell in _cells(name, told, [*guesses, *short]):
            _print(cell)
        rule, gain, sure = best_rule(told.by_seed)
        totals[name] = summary(guesses) | {
            "unasked": round(1 - len(guesses) / len(TYPES) / sum(told.scenes.values()), 4),
            "given_up": told.given_up,
            "short": summary(short) if short else {"n": 0},
            "best_rule": rule,
            "rule_gain": round(gain, 4),
        }
        _print({"skill": name, "level": "all", "type": f"rule: {rule:.10}", **totals[name]})
        if abs(totals[name]["gain"]) > FAIR or (sure and gain > FAIR):
            unfair.append(name)
    figures = {
        "benchmark": "guessing",
        "most_gain": max(abs(each["gain"]) for each in totals.values()),
        "least_n": min(each["n"] for each in totals.values()),
        "unfair": unfair,
        "skills": totals,
    }
    print(json.dumps(figures))
    if unfair:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
