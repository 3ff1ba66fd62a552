"""Which questions are asked about which scene: a low-discrepancy choice, closed form by ordinal.

A *stream* is one question type about one aspect of the scenes of one subtask. Item i of a stream
that is asked at rate r is selected where ``floor(i * r + phase)`` steps, so that any run of scenes
holds the requested share to within one question, and whether a scene is selected
does not depend on how many scenes there are, on other subtasks or on shards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import U32, digest, uniform_columns
from lvlmbench.scene.subtasks import Subtask

I64 = npt.NDArray[np.int64]

#: Rates and phases are whole multiples of 2**-32, so that the arithmetic is exact.
_ONE = 1 << 32
#: The golden ratio less 1 in these units.
_GOLDEN = 0x9E3779B9


@dataclass(frozen=True)
class Rates:
    """Questions a scene, in units of 2**-32: about the primary aspect and each secondary one."""

    primary: int
    secondary: int


def split_rate(rate: float, secondaries: int, where: str) -> Rates:
    """Share a rate among aspects: the primary one first, the rest evenly among the others.

    Raises
    ------
    UserError
        More is asked than the scene has aspects.
    """
    if rate > 1 + secondaries + 1e-9:
        raise UserError(
            where,
            f"asks for {rate:.2f} such questions a scene, which has {1 + secondaries} to ask",
            "lower its questions_per_scene or this share of its type_proportions",
        )
    rest = min(max(rate - 1, 0) / secondaries, 1) if secondaries else 0.0
    return Rates(round(min(rate, 1) * _ONE), round(rest * _ONE))


def closed_rates(params: Params, subtask: str, recipe: Subtask) -> dict[str, Rates]:
    """Rates of the two closed-ended question types in the scenes of ``subtask``."""
    shares = params.corpus.type_proportions
    per_scene = params.corpus.questions_per_scene
    return {
        kind: split_rate(
            per_scene * share,
            len(recipe.secondary),
            f"params.yaml: suites.{params.suite}.corpus: {kind} for subtask '{subtask}'",
        )
        for kind, share in (
            ("multiple_choice", shares.multiple_choice),
            ("true_false", shares.true_false),
        )
    }


def free_form_rate(params: Params) -> int:
    """Free-form questions a scene, at most one, in units of 2**-32."""
    rate = params.corpus.questions_per_scene * params.corpus.type_proportions.free_form
    where = f"params.yaml: suites.{params.suite}.corpus: free_form"
    return split_rate(rate, 0, where).primary


@dataclass(frozen=True)
class Stream:
    """One question type about one aspect of one subtask's scenes.

    It runs over the ordinals that leave ``residue`` when divided by ``step``: those of one
    foreground list where a subtask has several, else all (0 and 1).
    """

    seed: int
    subtask: str
    asked: str
    question_type: str
    rate: int
    residue: int = 0
    step: int = 1

    @cached_property
    def _key(self) -> bytes:
        parts = (self.subtask, self.residue, self.step, self.asked, self.question_type)
        return digest(self.seed, "stream", *parts)

    def _items(self, stop: int) -> int:
        """How many of the ordinals below ``stop`` belong to the stream."""
        return max(0, -(-(stop - self.residue) // self.step))

    def select(self, start: int, stop: int, total: int) -> tuple[I64, I64]:
        """Selected ordinals of ``start`` to ``stop`` (exclusive) and their ranks in the stream.

        ``total`` is how many scenes the subtask has. True-or-false items go in pairs of one true
        and one false: a last one without a partner is left out.
        """
        phase = int.from_bytes(self._key[:4], "little")
        first, last = self._items(start), self._items(stop)
        steps = (np.arange(first, last + 1, dtype=np.int64) * self.rate + phase) >> 32
        items = np.flatnonzero(np.diff(steps))
        ranks = steps[items]
        if self.question_type == "true_false":
            paired = ((self._items(total) * self.rate + phase) >> 32) // 2 * 2
            items, ranks = items[ranks < paired], ranks[ranks < paired]
        return (items + first) * self.step + self.residue, ranks

    def turns(self, ranks: I64) -> npt.NDArray[np.float64]:
        """Draws in [0, 1) that say at which place the right option of each rank stands.

        They are multiples of the golden ratio from a start of the stream's own (a Kronecker
        sequence), so that each place is right about equally often in any run of ranks. Each hangs
        on the stream and on the rank alone, and so on the scene's ordinal.
        """
        start = int.from_bytes(self._key[12:], "little")
        return np.asarray((start + ranks * _GOLDEN) % _ONE / _ONE)

    def truths(self, ranks: I64) -> npt.NDArray[np.bool_]:
        """Whether the statement of each rank is a true one: one of each consecutive two."""
        counters: U32 = np.empty((len(ranks), 4), dtype=np.uint32)
        counters[:, :3] = np.frombuffer(self._key[4:], dtype="<u4")
        counters[:, 3] = ranks >> 1
        first = uniform_columns(self.seed, "truth", counters, 1)[:, 0] < 0.5
        return np.asarray(first ^ (ranks & 1).astype(bool))
