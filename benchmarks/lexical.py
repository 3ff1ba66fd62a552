"""How many captions of 120 words the embedded judge reads a second on one core, and with what.

Captions are put together from sentences of all kinds that it reads: things, people, places, sizes,
denials. Loading the parser is not counted. Processor time of reading as a whole stands beside that
of the parser alone on the same text. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.harness.machine import facts, load
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.judge.kinds.lexical.reading import Words, read_many
from lvlmbench.stages.judge.kinds.lexical.reading.model import parser
from lvlmbench.stages.judge.kinds.lexical.wordnet import wordnet

#: Words of a caption; what is asked for is forty of them a second.
WORDS, ASKED = 120, 40

_SENTENCES = (
    "The image shows a busy street with two red buses, a yellow taxi and several parked bicycles.",
    "A man in a dark blue suit is walking a small brown dog, while a woman in a green dress "
    "holds a striped umbrella in her left hand.",
    "To the left of the table there is a wooden chair, and a white lamp stands behind it.",
    "On the right side of the picture, a girl with curly hair and glasses is reading a book.",
    "There is no cat, and the bottle on the shelf appears to be empty.",
    "The largest of the three is the house, followed by the car and then the mailbox.",
    "An elderly man sits on a bench next to a fountain; he is wearing a gray hat and black shoes.",
    'In the background, a large sign that says "MARKET" hangs above the door of a shop.',
    "A cup, a plate and two silver spoons lie between the vase and the loaf of bread.",
    "It might be evening, since the sky over the harbor is orange and the lamps are lit.",
    "The dog is larger than the cat, but it is smaller than the pony that stands near the gate.",
)


def captions(number: int) -> list[str]:
    """Return captions of :data:`WORDS` words or the few more that end a sentence."""
    sentences = [_SENTENCES[i * step % 11] for step in (1, 3, 4, 5, 9) for i in range(11)]
    source = cycle(sentences)
    out: list[str] = []
    for _ in range(number):
        caption: list[str] = []
        while sum(len(each.split()) for each in caption) < WORDS:
            caption.append(next(source))
        out.append(" ".join(caption))
    return out


def seconds(done: Iterable[object]) -> float:
    """Return the processor time that it takes to go through something."""
    start = time.process_time()
    for _ in done:
        pass
    return time.process_time() - start


def measure(texts: list[str], folder: Path) -> dict[str, Any]:
    """Return rates, each in captions of :data:`WORDS` words a second."""
    words = Words.of(load_vocabulary(folder), wordnet().concrete)
    warm: Iterator[object] = read_many(islice(texts, 5), words)
    seconds(warm)
    share = sum(len(text.split()) for text in texts) / WORDS
    whole = share / seconds(read_many(texts, words))
    alone = share / seconds(parser().pipe(texts, batch_size=32))
    claims = sum(map(len, read_many(texts[:20], words))) / min(20, len(texts))
    return {
        "captions_a_second": round(whole, 1),
        "parser_alone": round(alone, 1),
        "claims_a_caption": round(claims, 1),
        "enough": whole >= ASKED,
    }


@main_guard
def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--captions", type=int, default=400)
    number = arguments.parse_args().captions
    if number < 1:
        raise UserError("--captions", f"is {number}", "give a positive number")
    found = measure(captions(number), PROJECT_ROOT / "data" / "vocabulary")
    print(f"{found['captions_a_second']} captions of {WORDS} words a second and core")
    print(f"{found['parser_alone']} with the parser alone")
    peak = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    told = {"benchmark": "lexical", "captions": number, **found, "peak_mib": peak}
    print(json.dumps({**told, "load": load(), **facts()}))


if __name__ == "__main__":
    main()
