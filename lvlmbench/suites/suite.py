"""What a suite is: what it samples and what it asks; it is one folder that registers itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from lvlmbench.core.registry import Registry

if TYPE_CHECKING:
    import pyarrow as pa

    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary


class Suite(Protocol):
    """One kind of benchmark. What it does not say is the same for all."""

    def scenes(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return the scenes with these global indices, rows of ``tables.SCENES``.

        A row depends on the snapshot's seed and on what the suite says; not on the range.
        """
        ...

    def questions(self, params: Params, vocabulary: Vocabulary, scenes: pa.Table) -> pa.Table:
        """Return the questions about these scenes, rows of ``tables.QUESTIONS``, in their order."""
        ...

    def prompt(self, question_type: str, question: str, options: Sequence[str]) -> str:
        """Return the whole text that is sent to a model along with the image."""
        ...


#: Kind of suite -> what it samples and asks.
SUITES: Registry[Suite] = Registry("suites", "lvlmbench.suites")


def suite_of(params: Params) -> Suite:
    """Return the suite that parameters are of.

    Raises
    ------
    UserError
        No suite of this kind is registered.
    """
    return SUITES.get(params.kind, "suites: kind")
