"""Speed of scoring structured descriptions: read, assigned, compared and counted.

The descriptions are those of the tests' oracle: several things, people and relations each, with
planted errors. ``real`` are references of a subset's own form, which ask for one list. One thread;
times are of the processor. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from random import Random

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.claims import Feature, Truth, tally
from lvlmbench.scene.structured import Form, reference
from lvlmbench.scene.truth.names import names_of
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.judge.judge import Answer
from lvlmbench.stages.judge.kinds.form.judge import FormJudge

sys.path.insert(0, str(PROJECT_ROOT / "tests"))

from support.planted_forms import case  # type: ignore[import-not-found]

_FORMS = (
    Form(things=("name", "count", "color")),
    Form(people=("age", "gender", "garments", "action", "holding")),
    Form(things=("id", "name", "place"), relations=True),
)


def rate(judge: FormJudge, answers: list[Answer]) -> float:
    """Return how many answers are scored a second."""
    begin = time.process_time()
    read = {answer.key: reading.claims for answer, reading in judge.read(answers)}
    held = judge.hold((answer, read[answer.key]) for answer in answers)
    for answer, holding in held:
        tally(read[answer.key], holding.matches, answer.truth)
    return len(answers) / (time.process_time() - begin)


@main_guard
def main() -> None:
    """Score, print what it took."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--answers", type=int, default=2000)
    args = options.parse_args()
    vocabulary = load_vocabulary(PROJECT_ROOT / "data" / "vocabulary")
    judge = FormJudge(names_of(vocabulary, "pictograph"))
    cases = [case(Random(seed), seed % 7) for seed in range(args.answers)]
    truths = [Truth(tuple(Feature(**each) for each in made.features)) for made in cases]
    full = [Answer(str(at), "", made.text, truth)
            for at, (made, truth) in enumerate(zip(cases, truths, strict=True))]  # fmt: skip
    real = [Answer(str(at), "", reference(_FORMS[at % 3], truth.features), truth)
            for at, truth in enumerate(truths)]  # fmt: skip
    rate(judge, full)
    figures = {
        "benchmark": "structured",
        "descriptions_per_s": round(rate(judge, real)),
        "full_per_s": round(rate(judge, full)),
        "descriptions": args.answers,
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
