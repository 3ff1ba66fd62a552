"""What somebody who sees no picture gains over chance in exams, by request, family and level.

Exams of several seeds are drawn and asked about. Each seed's questions are guessed from their words
and options alone, after learning from those of other seeds: by a guesser with weights
(``benchmarks/harness/guesser.py``), by the same that learns of each family alone, by naive Bayes
over words, and by rules of thumb (``benchmarks/harness/rules.py``). Chance is a quarter. What lies
above it beyond its 95 % interval is marked ``+``, beyond three and a half standard errors ``!``:
of a hundred shares three are marked ``+`` by accident, and more where few answers are possible:
there the guesses of a seed are nearly all the same, and right or wrong together. The mode ``prior``
writes what is often right instead, the mode ``read`` which words of first drafts are right, drawn
with a habit, as the engine ``text_only`` remembers them. The last line of standard output is one
JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import yaml

from benchmarks.harness.bayes import Bayes
from benchmarks.harness.examining import Kept, asked, knowledge, parameters, planned
from benchmarks.harness.guesser import Guesser, Kin, Question
from benchmarks.harness.rules import rules
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.answer.guessed import learned
from lvlmbench.stats.estimate import wilson
from lvlmbench.tables import before_adjusting, offered

Row: TypeAlias = dict[str, Any]
#: Way of guessing -> for each question whether the guess was right.
Guesses: TypeAlias = Mapping[str, Sequence[bool]]

TYPE = "multiple_choice"
CHANCE = 0.25
#: Ways that learn and weigh; the others are rules of thumb.
LEARNING = ("guesser", "of family", "bayes")
#: Rules of thumb that are held to their 95 % intervals, over all questions (acceptance 6).
NAMED = ("longest", "shortest", "first", "most often right")
#: Standard errors above chance that leave no doubt, as hundreds of shares are told.
_SURE = 3.5
#: Of another seed than any snapshot's.
_FIRST_SEED = 1
#: First of the seeds that the catalogue's prior is learnt from.
_LEARNT_SEED = 1001
_HEAD = """# How often an option was right of pictures of an aspect, of exams with other seeds. From
# python benchmarks/exam.py prior --seeds {} --out data/aspects/prior.yaml
# Wrong options are drawn by it, so that what is often right is as often wrong: docs/autodavis.md.
"""
_READ = """# Words of options in first drafts of exams with other seeds, drawn with a habit: options
# with the word that were right, and that were wrong. What the engine 'text_only' remembers. From
# python benchmarks/exam.py read --seeds {} --out data/guessed/autodavis.yaml
"""
#: Groups of seeds that are guessed in turn, at most.
_FOLDS = 5
#: Fewest questions of which a share says anything.
FEWEST = 150
#: By how much the ways that learn may lie beside chance, over all questions (acceptance 6).
FAIR = 0.03


def _by(questions: Sequence[Question], name: str) -> dict[str, list[Question]]:
    found: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        found[question[name]].append(question)
    return dict(found)


def _ways(learnt: Sequence[Question], kin: Kin | None) -> dict[str, Callable[[Question], int]]:
    """All ways of guessing, after learning."""
    own = {
        name: Guesser(TYPE, each, kin) for name, each in _by(learnt, "family").items() if each[1:]
    }
    everything = Guesser(TYPE, learnt, kin)

    def of_family(question: Question) -> int:
        return own.get(question["family"], everything).guess(question)

    learning = (everything.guess, of_family, Bayes(learnt).guess)
    return {**dict(zip(LEARNING, learning, strict=True)), **rules(learnt)}


def guessed(
    by_seed: Sequence[Sequence[Question]], kin: Kin | None = None
) -> tuple[list[Question], dict[str, list[bool]]]:
    """Return all questions, and which of them each way of guessing had right."""
    found: list[Question] = []
    right: dict[str, list[bool]] = defaultdict(list)
    folds = min(len(by_seed), _FOLDS)
    for fold in range(folds):
        learnt = [q for at, each in enumerate(by_seed) if at % folds != fold for q in each]
        fresh = [q for at, each in enumerate(by_seed) if at % folds == fold for q in each]
        for name, guess in _ways(learnt, kin).items():
            right[name] += [guess(question) == question["answer_index"] for question in fresh]
        found += fresh
    return found, dict(right)


def share(right: Sequence[bool]) -> Row:
    """Return how many guesses were right, with the 95 % interval, and whether that is too many."""
    n = len(right)
    accuracy = sum(right) / n
    low, high = wilson(accuracy, n)
    mark = "!" if wilson(accuracy, n, z=_SURE)[0] > CHANCE else "+" if low > CHANCE else ""
    told = {"accuracy": round(accuracy, 4), "low": round(low, 4), "high": round(high, 4)}
    return {**told, "mark": mark}


def cells(questions: Sequence[Question], right: Guesses) -> Iterator[Row]:
    """Yield what each way of guessing had right: of all, by request, level, family and aspect."""
    yield _cell("all", "all", right, range(len(questions)))
    for by in ("subtask", "level", "family", "aspect"):
        places: dict[str, list[int]] = defaultdict(list)
        for at, question in enumerate(questions):
            places[question[by]].append(at)
        for name, own in places.items():
            yield _cell(by, name, right, own)


def _cell(by: str, name: str, right: Guesses, places: Sequence[int]) -> Row:
    ways = {way: share([each[at] for at in places]) for way, each in right.items()}
    return {"by": by, "name": name, "n": len(places), "ways": ways}


def unfair(found: Sequence[Row]) -> list[str]:
    """Return what is guessed better than it should be, and how.

    Of all questions together what learns lies farther from chance than ``FAIR``, or a rule above
    it beyond its 95 % interval; of a part that is large enough something does so beyond doubt.
    """
    out = []
    for cell in found:
        whole = cell["by"] == "all"
        for way, each in cell["ways"].items():
            told = each["mark"] == "!" and (whole or cell["n"] >= FEWEST)
            if whole and way in LEARNING:
                told = abs(each["accuracy"] - CHANCE) > FAIR
            elif whole and way in NAMED:
                told = bool(each["mark"])
            if told:
                out.append(f"{cell['by']} {cell['name']}: {way}")
    return out


def lines(found: Sequence[Row]) -> Iterator[str]:
    """Yield a table of what learns, with the rules of thumb that are marked."""
    head = "".join(f"  {way:18}" for way in LEARNING)
    yield f"{'by':8} {'name':26} {'n':>5}{head}  rules of thumb above chance"
    for cell in found:
        learnt = "".join(
            "  {accuracy:.3f} {low:.3f}-{high:.3f}{mark:1}".format(**cell["ways"][way])
            for way in LEARNING
        )
        thumbs = ", ".join(
            f"{way} {each['accuracy']:.3f}{each['mark']}"
            for way, each in cell["ways"].items()
            if way not in LEARNING and each["mark"]
        )
        yield f"{cell['by']:8} {cell['name'][:26]:26} {cell['n']:5}{learnt}  {thumbs}".rstrip()


def questions_of(
    seeds: Sequence[int],
    rounds: int,
    only: Sequence[str],
    size: int,
    folder: Path | None,
    habit: bool = False,
) -> tuple[list[list[Row]], int]:
    """Return the questions of each seed, drawn or as the folder keeps them, and the scenes."""
    by_seed, scenes = [], 0
    for seed in seeds:
        params = parameters(seed, rounds, only, size, habit)
        kept = Kept(folder and folder / f"{seed}-{size}.jsonl")
        by_seed.append(list(asked(params, kept)))
        scenes += planned(params)
    return by_seed, scenes


def guess(args: argparse.Namespace) -> Row:
    """Draw, ask, guess and print; return the figures."""
    if args.seeds < 2:
        raise UserError("--seeds", "must be 2 or more", "the guesser learns from other seeds")
    seeds = range(_FIRST_SEED, _FIRST_SEED + args.seeds)
    by_seed, scenes = questions_of(seeds, args.rounds, args.only, args.size, args.keep)
    kin = knowledge(parameters(_FIRST_SEED, args.rounds, args.only, args.size))
    questions, right = guessed(by_seed, kin)
    found = list(cells(questions, right))
    for line in lines(found):
        print(line, flush=True)
    whole = found[0]["ways"]
    return {
        "benchmark": "exam",
        "n": len(questions),
        "asked": round(len(questions) / scenes, 4),
        **{way.replace(" ", "_"): whole[way]["accuracy"] for way in LEARNING},
        "most_by_rule": max(each["accuracy"] for way, each in whole.items() if way not in LEARNING),
        "unfair": unfair(found),
        "cells": found,
    }


def prior(args: argparse.Namespace) -> Row:
    """Write what is often right of exams of other seeds than those that are guessed."""
    seeds = range(_LEARNT_SEED, _LEARNT_SEED + args.seeds)
    by_seed, _ = questions_of(seeds, args.rounds, args.only, args.size, args.keep)
    right: dict[str, Counter[str]] = defaultdict(Counter)
    for question in (each for questions in by_seed for each in questions):
        right[question["aspect"]][question["answer"]] += 1
    words = {aspect: dict(sorted(right[aspect].items())) for aspect in sorted(right)}
    said = yaml.safe_dump({"right": words}, sort_keys=False, allow_unicode=True)
    args.out.write_text(f"{_HEAD.format(args.seeds)}{said}", encoding="utf-8")
    return {"benchmark": "exam", "n": sum(map(len, by_seed)), "aspects": len(words), "unfair": []}


def draft(question: Row) -> tuple[list[str], int]:
    """Return the options of a question before any was adjusted, and the right one's place."""
    order = before_adjusting(question["options"], question["replaced"])
    found = offered(question["options"], question["replaced"], order)
    return found, found.index(question["answer"])


def read(args: argparse.Namespace) -> Row:
    """Write which words of first drafts are right, of exams of other seeds."""
    seeds = range(_LEARNT_SEED, _LEARNT_SEED + args.seeds)
    by_seed, _ = questions_of(seeds, args.rounds, args.only, args.size, args.keep, habit=True)
    questions = [question for each in by_seed for question in each]
    words = learned(map(draft, questions))
    lines = [f"seeds: [{', '.join(map(str, seeds))}]", "words:"]
    lines += [f"  {json.dumps(word)}: [{right}, {wrong}]" for word, (right, wrong) in words.items()]
    args.out.write_text(_READ.format(args.seeds) + "\n".join(lines) + "\n", encoding="utf-8")
    return {"benchmark": "exam", "n": len(questions), "words": len(words), "unfair": []}


MODES: dict[str, Callable[[argparse.Namespace], Row]] = {
    "guess": guess, "prior": prior, "read": read,
}  # fmt: skip


@main_guard
def main() -> None:
    """Measure exams in a mode; 1 if something is guessed better than it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", nargs="?", choices=sorted(MODES), default="guess")
    parser.add_argument("--seeds", type=int, default=15)
    parser.add_argument("--rounds", type=int, default=1, help="pictures of an aspect and level")
    parser.add_argument("--only", nargs="*", default=[], help="aspects; all without")
    parser.add_argument("--size", type=int, default=512, help="side of the pictures")
    parser.add_argument(
        "--out", type=Path, default=Path("prior.yaml"), help="file of a prior, or of words"
    )
    parser.add_argument("--keep", type=Path, help="folder that keeps layouts between runs")
    args = parser.parse_args()
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    figures = MODES[args.mode](args)
    print(json.dumps(figures))
    if figures["unfair"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
