"""The five user inputs of the papers, as subtasks (AutoBench-V, section 3.1), and one's own."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Subtask

#: What a user asks for in words of their own.
OWN = "own_request"
#: Behind the subtasks of other suites.
_FIRST = 200


def _request(name: str, order: int, placed: bool = False, wished: bool = False) -> Subtask:
    return Subtask(
        name=name,
        order=_FIRST + order,
        granularity="fine",
        foregrounds=(),
        secondary=(),
        suites=("autodavis",),
        placed=placed,
        wished=wished,
    )


@SUBTASKS.register("basic_understanding")
def basic() -> Subtask:
    """Return the request: what is there, and what it is like."""
    return _request("basic_understanding", 1, placed=True)


@SUBTASKS.register("spatial_understanding")
def spatial() -> Subtask:
    """Return the request: where things are, and how they stand to each other."""
    return _request("spatial_understanding", 2, placed=True)


@SUBTASKS.register("semantic_understanding")
def semantic() -> Subtask:
    """Return the request: what things mean, and what they have to do with each other."""
    return _request("semantic_understanding", 3)


@SUBTASKS.register("reasoning_capacity")
def reasoning() -> Subtask:
    """Return the request: what follows from what is shown."""
    return _request("reasoning_capacity", 4, placed=True)


@SUBTASKS.register("atmospheric_understanding")
def atmospheric() -> Subtask:
    """Return the request: light, weather, mood and style of a picture as a whole."""
    return _request("atmospheric_understanding", 5)


@SUBTASKS.register(OWN)
def own() -> Subtask:
    """Return the request: what the suite's ``words`` say, whatever it is."""
    return _request(OWN, 6, placed=True, wished=True)
