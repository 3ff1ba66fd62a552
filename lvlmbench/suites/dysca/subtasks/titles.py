"""Scenes from movies, anime and TV shows, told by their titles."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Subtask


def _title(name: str, order: int) -> Subtask:
    # A film's own scenery is its background: none is drawn for it, so none is asked.
    return Subtask(
        name=name,
        order=order,
        granularity="fine",
        foregrounds=(name,),
        secondary=("style",),
        has_background=False,
    )


@SUBTASKS.register("movie")
def movie() -> Subtask:
    """Return the subtask: which movie a scene is from."""
    return _title("movie", 15)


@SUBTASKS.register("anime")
def anime() -> Subtask:
    """Return the subtask: which anime a scene is from."""
    return _title("anime", 16)


@SUBTASKS.register("tv_show")
def tv_show() -> Subtask:
    """Return the subtask: which TV show a scene is from."""
    return _title("tv_show", 19)
