"""How a server is asked for replies of a given form, and what it turned out to understand."""

from __future__ import annotations

import re
import sys

from lvlmbench.stages.answer.engine import Structured

#: The ways to hold a reply to a schema, the strictest first.
WAYS: tuple[Structured, ...] = ("json_schema", "json_object", "text")

_REFUSING = {400, 404, 422, 500, 501}
#: What a server names that does not take ``response_format``, or not this schema.
_NAMED = re.compile(
    r"response.?format|json.?schema|json.?object|grammar|structured.?output|guided.?(?:json|decod)",
    re.I,
)


class Forms:
    """The way that a server is asked in: the strictest that it has not refused.

    Parameters
    ----------
    name
        The model's name, for the line that tells of another way.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._at = 0
        self._taken: set[Structured] = set()  # ways in which a request has passed

    @property
    def way(self) -> Structured:
        """How to ask now."""
        return WAYS[self._at]

    def took(self, way: Structured) -> None:
        """Note that a request has passed that asked in this way."""
        self._taken.add(way)

    def looser(self, way: Structured, code: int, said: str) -> Structured | None:
        """Return how to ask again what a server has refused; None where the form is not to blame.

        A server that names the form is to be believed. One that does not may mean it as long as
        it has taken nothing in this way: whether it did shows once it takes the same without.
        """
        named = code in _REFUSING and _NAMED.search(said) is not None
        unknown = code == 400 and way not in self._taken
        at = WAYS.index(way) + 1
        return WAYS[at] if at < len(WAYS) and (named or unknown) else None

    def learn(self, way: Structured, refused: str) -> None:
        """Ask in this way from now on: the server has taken it, and refused the one before."""
        self.took(way)
        if (at := WAYS.index(way)) > self._at:
            before, self._at = self.way, at
            now = "by the prompt alone" if way == "text" else f"as {way}"
            print(
                f"{self._name}: its server takes no replies as {before} ({refused}); "
                f"asked for {now} from now on",
                file=sys.stderr,
            )
