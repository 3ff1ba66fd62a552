"""What a model that only reads makes of a run: time, accuracy, and how often it is deceived.

The engine ``reader`` answers the questions of the suite dysca in ``--run``: those about written
words in the clean scenario, and the closed ones of ``--questions`` print-attacked images, spread
over the scenes, each with the wrong option that its image bears; the same questions are asked once
more with the clean image. Shares stand with their 95 % Wilson interval. What one job a scenario
would take at the same pace stands last. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.harness.machine import facts, load
from lvlmbench import tables
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.stages.answer.engine import MODELS, Item, Model
from lvlmbench.stages.report.deception import printed_options
from lvlmbench.stats.estimate import wilson
from lvlmbench.tables import OFFERING

_TEXT = "text"


@dataclass(frozen=True)
class Answered:
    """Items with the place of the option that each was answered with, and the seconds an image."""

    items: Sequence[Item]
    places: Sequence[int]
    seconds: float

    def share(self, wanted: dict[str, int]) -> dict[str, float]:
        """How many were answered with the wanted option of their question, in percent."""
        hits = sum(
            place == wanted[item.question_id]
            for item, place in zip(self.items, self.places, strict=True)
        )
        low, high = wilson(hits / len(self.items), len(self.items))
        shown = [round(100 * each, 1) for each in (hits / len(self.items), low, high)]
        return {"percent": shown[0], "low": shown[1], "high": shown[2], "n": len(self.items)}


def ask(model: Model, items: Sequence[Item]) -> Answered:
    """Ask closed questions: the engine answers them with a letter in brackets.

    Raises
    ------
    UserError
        There is none.
    """
    if not items:
        raise UserError("--run", "holds no such question", "name a run of the default snapshot")
    start = time.process_time()
    said = {item.key: reply.text for item, reply in model.answer(items)}
    spent = time.process_time() - start
    images = len({item.image_sha256 for item in items})
    return Answered(items, [ord(said[item.key][1]) - ord("A") for item in items], spent / images)


def spread(items: Sequence[Item], count: int) -> list[Item]:
    """``count`` of the items at even distances, all where there are fewer."""
    if count >= len(items):
        return list(items)
    return [items[at * len(items) // count] for at in range(count)]


def measured(run: Asked, model: Model, scenario: str, count: int) -> dict[str, Any]:
    """All figures."""
    columns = ["question_id", "answer_index"]
    rows = run.read(tables.QUESTIONS, columns).to_pylist()
    right = {row["question_id"]: row["answer_index"] for row in rows}
    clean = [item for item in run.items(CLEAN, pictures=True) if item.question_type in OFFERING]
    printed = printed_options(run, scenario)
    attacked = [i for i in run.items(scenario, pictures=True) if i.question_id in printed]
    some = spread(attacked, count)
    chosen = {item.question_id for item in some}
    words = ask(model, [item for item in clean if item.subtask == _TEXT])
    under = ask(model, some)
    before = ask(model, [item for item in clean if item.question_id in chosen])
    return {
        "seconds_an_image": round(under.seconds, 3),
        "clean_text_right": words.share(right),
        "printed_option": under.share(printed),
        "printed_option_clean": before.share(printed),
        "right_attacked": under.share(right),
        "right_clean": before.share(right),
        "attacked_images": run.images[scenario].num_rows,
        "clean_images": run.images[CLEAN].num_rows,
    }


@main_guard
def main() -> None:
    """Ask and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, default=PROJECT_ROOT, help="folder of a finished run")
    parser.add_argument("--scenario", default="print_attack", help="one that prints options")
    parser.add_argument("--questions", type=int, default=150, help="print-attacked ones to ask")
    args = parser.parse_args()

    run = Asked.open(args.run, suite="dysca")
    spec = ModelParams.model_validate({"name": "reader", "engine": "reader"})
    model: Model = MODELS.get("reader", "benchmark")(run.params, spec, {})
    before = load()
    found = measured(run, model, args.scenario, args.questions)
    for name, value in found.items():
        if isinstance(value, dict):
            of = "{percent} % ({low} to {high}) of {n}".format(**value)
            print(f"{name:22s} {of}")
    pace, images = found["seconds_an_image"], found["clean_images"] + found["attacked_images"]
    print(f"{pace} s an image; {images} images, clean and attacked: {pace * images:.0f} s")
    print(f"{facts()['processor']}, load before {before}, now {load()}")
    print(json.dumps({"benchmark": "reading", **found}))


if __name__ == "__main__":
    main()
