"""A model that reads a question and its options and never looks (AutoDavis, section 3.6, figure 2).

It is naive Bayes over the words of options: an option seems right as its words were right of other
exams more often than they were wrong. It has read first drafts of exams with other seeds, and what
it remembers stands in ``data/guessed``, a file a kind of suite. Where a suite has none, where no
option is offered and between options that seem as right it guesses as ``chance`` does.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from lvlmbench.config import Params
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.core.seeding import generator
from lvlmbench.stages.answer.engine import MODELS, Item, Model, Reply, Weights, request_hash
from lvlmbench.stages.answer.guessed import GUESSED, Memory, memory_of
from lvlmbench.stages.answer.kinds.chance import Chance


class TextOnly:
    """Guesses by the words of options; the image and the program of an item are not read."""

    cached = False

    def __init__(self, params: Params, name: str) -> None:
        self._seed, self._name, self._kind = params.snapshot.seed, name, params.kind
        self._floor = Chance(params, name)

    @cached_property
    def _memory(self) -> Memory | None:
        return memory_of(self._kind)

    @property
    def parameters(self) -> Mapping[str, object]:
        """The seed of its guesses, and the seeds of the exams that it has read."""
        read = () if self._memory is None else self._memory.seeds
        return {"seed": self._seed, "read": list(read)}

    def request_sha256(self, item: Item) -> str:
        """Hash of everything that the guess depends on."""
        floor, place = self._floor.request_sha256(item), self.place(item.question_id, item.options)
        return request_hash("text_only", floor, place, *item.options)

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        """One guess an item. Takes no time worth recording, so that equal runs give equal bytes."""
        for item in items:
            place = self.place(item.question_id, item.options)
            if place is None:
                yield from self._floor.answer([item])
            else:
                text = f"({string.ascii_uppercase[place]})"
                yield item, Reply(text, "answered", finish_reason="stop", cost_usd=0.0)

    def place(self, question_id: str, options: Sequence[str]) -> int | None:
        """Return which of the options of a question seems right, one of equals at random.

        None where nothing is remembered, or none is offered.
        """
        if self._memory is None or not options:
            return None
        scores = [round(self._memory.score(option), 9) for option in options]
        best = [at for at, score in enumerate(scores) if score == max(scores)]
        rng = generator(self._seed, f"answer/{self._name}", question_id)
        return best[int(rng.integers(len(best)))]


def check(params: Params, model: ModelParams, where: str) -> None:
    """Check that it has not read the exam that it is asked about.

    Raises
    ------
    UserError
        It has, or what it remembers is not what it must be.
    """
    memory, seed = memory_of(params.kind), params.snapshot.seed
    if memory is not None and seed in memory.seeds:
        what = f"is {seed}, and '{model.name}' has read an exam with this seed"
        least, most = min(memory.seeds), max(memory.seeds)
        fix = f"take a seed that is not in {GUESSED} ({least} to {most}), or leave the model out"
        raise UserError("params.yaml: snapshot.seed", what, fix)


@MODELS.register(
    "text_only",
    place=2,
    check=check,
    guesses=True,
    reads=(GUESSED,),
    exactness=(
        Promise(Exactness.EVERYWHERE, "looks words up in a table, draws from the question's id"),
    ),
)
def make(params: Params, model: ModelParams, weights: Weights) -> Model:
    """Engine ``text_only``: needs no further parameters."""
    return TextOnly(params, model.name)
