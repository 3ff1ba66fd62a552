"""Speed of reading the chosen option on one core, by kind of answer.

Counts processor seconds over closed questions with made-up labels, as many different ones as a
vocabulary has: a bare letter, a letter with its text, a sentence, an explanation of 60 words and
2 KB of reasoning. ``answers_per_s`` is of all kinds in equal parts, compiling of patterns included.
The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable

import numpy as np

from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator
from lvlmbench.stages.score.strategy import read_choice

SEEN = (
    "Let me look at the picture carefully. The scene shows a subject in the foreground with "
    "several details around it. The lighting is soft and the colors are muted, which suggests an "
    "indoor place, although there is also a window. A closer look at the shapes tells us more. "
)
#: Kind -> the answer of a model that means a letter and its option.
KINDS: dict[str, Callable[[str, str], str]] = {
    "letter": lambda letter, text: f"({letter})",
    "letter_text": lambda letter, text: f"{letter}. {text}",
    "announced": lambda letter, text: f"The answer is ({letter}) {text}.",
    "text": lambda letter, text: f"{text}.",
    "sentence": lambda letter, text: f"The image shows {text} in the foreground.",
    "explanation": lambda letter, text: f"{SEEN}So the correct answer is ({letter}) {text}.",
    "explanation_text": lambda letter, text: f"{SEEN}It is {text}.",
    "reasoning_2kb": lambda letter, text: f"{(SEEN * 8)[:2000]}\nSo the answer is ({letter}).",
    "elimination_2kb": lambda letter, text: (
        " ".join(f"({x}) would need some other shape, which I do not see here." for x in "ABCD" * 7)
        + f" So the answer is ({letter})."
    ),
    "refusal": lambda letter, text: "I'm sorry, but I can't help with identifying people.",
}


def questions(rng: np.random.Generator, number: int, labels: int) -> list[list[str]]:
    """Option lists: True and False for two in five, else four of ``labels`` made-up labels."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))

    def word() -> str:
        return "".join(rng.choice(letters, size=rng.integers(4, 9)))

    known = [" ".join(word() for _ in range(rng.integers(1, 4))) for _ in range(labels)]
    return [
        ["True", "False"]
        if rng.random() < 0.4
        else [known[i] for i in rng.choice(labels, size=4, replace=False)]
        for _ in range(number)
    ]


@main_guard
def main() -> None:
    """Read answers of each kind and print microseconds an answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=20_000, help="of each kind")
    parser.add_argument("--labels", type=int, default=4_000)
    parser.add_argument("--strategy", default="lvlmbench")
    args = parser.parse_args()

    rng = generator(1, "benchmark", "extraction")
    asked = questions(rng, args.answers, args.labels)
    figures: dict[str, float] = {}
    total = 0.0
    for kind, write in KINDS.items():
        meant = [int(rng.integers(len(options))) for options in asked]
        said = [write(chr(65 + i), options[i]) for i, options in zip(meant, asked, strict=True)]
        begin = time.process_time()
        for answer, options in zip(said, asked, strict=True):
            read_choice(args.strategy, answer, options)
        spent = time.process_time() - begin
        total += spent
        figures[f"us_{kind}"] = round(1e6 * spent / len(said), 1)
        print(f"{kind:18} {figures[f'us_{kind}']:8.1f} microseconds an answer")
    print(
        json.dumps(
            {
                "benchmark": "extraction",
                "answers_per_s": round(len(KINDS) * args.answers / total),
                "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
                **figures,
            }
        )
    )


if __name__ == "__main__":
    main()
