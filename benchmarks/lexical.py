"""Speed and memory of the judge by rules: claims read out of captions, and held against the truth.

The captions are made of the project's own phrases, in the forms in which models answer: prose,
lists, labels with values. Each has ``--words`` words. The parser alone is timed on the same texts
in turn with the judge, since other work on the machine slows both; ``parser_per_s`` is its figure
and ``ratio`` the share of its speed that the judge keeps. One thread; times are of the processor.
The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator
from lvlmbench.scene.claims import Feature, Truth
from lvlmbench.scene.truth.wordnet import wordnet
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.judge.kinds.lexical.matching import hold
from lvlmbench.stages.judge.kinds.lexical.matching.words import packaged
from lvlmbench.stages.judge.kinds.lexical.reading import Words, read_many
from lvlmbench.stages.judge.kinds.lexical.reading.model import parser

_SENTENCES = (
    "The image shows a {c} {a} on the left and a small {b} next to it.",
    "In the background, there is a tall {b} with a {c} roof, and two {a}s stand beside it.",
    "- {a}: {c}, wooden, with four legs\n- {b}: old, on the table\n",
    "A young woman in a {c} dress is holding a {a}, while a man with a beard reads a newspaper.",
    "There is no {b} to be seen, but the {a} seems to be made of wood.",
    "The {a} is larger than the {b}, and both are {c}.",
    "To the right of the {a} lies a {b}; it is {c} and a little dirty.",
)
_THINGS = ("car", "dog", "bench", "lamp", "cup", "tree", "boat", "guitar", "clock", "bottle")
_COLORS = ("red", "blue", "dark green", "white", "yellow", "black and white")


def captions(n: int, words: int) -> list[str]:
    """Return captions of about so many words each, the same ones every time."""
    random = generator(0, "benchmark", "lexical")
    out: list[str] = []
    for _ in range(n):
        said: list[str] = []
        while sum(len(part.split()) for part in said) < words:
            a, b = random.choice(_THINGS, 2, replace=False)
            pattern = _SENTENCES[int(random.integers(len(_SENTENCES)))]
            said.append(pattern.format(a=a, b=b, c=random.choice(_COLORS)))
        out.append(" ".join(" ".join(said).split(" ")[:words]))
    return out


@main_guard
def main() -> None:
    """Read, hold, print what it took."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--captions", type=int, default=400)
    options.add_argument("--words", type=int, default=120)
    args = options.parse_args()

    vocabulary = load_vocabulary(PROJECT_ROOT / "data" / "vocabulary")
    known = Words.of(vocabulary, wordnet().concrete, wordnet().role)
    lexicon, language = packaged(), parser()
    texts = captions(args.captions, args.words)
    truth = Truth(
        tuple(Feature(f"o{n}", "object", each, forms=(each,)) for n, each in enumerate(_THINGS))
    )
    list(read_many(texts[:10], known))
    alone = judged = 0.0
    claims = 0
    for at in range(0, len(texts), 50):
        part = texts[at : at + 50]
        begin = time.process_time()
        list(language.pipe(part, batch_size=32))
        alone += time.process_time() - begin
        begin = time.process_time()
        for said in read_many(part, known):
            claims += len(said)
            hold(said, truth, lexicon)
        judged += time.process_time() - begin
    figures = {
        "benchmark": "lexical",
        "captions_per_s": round(len(texts) / judged, 1),
        "parser_per_s": round(len(texts) / alone, 1),
        "ratio": round(alone / judged, 3),
        "claims_per_caption": round(claims / len(texts), 1),
        "captions": len(texts),
        "words": args.words,
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
