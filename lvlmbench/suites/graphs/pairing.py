"""A scene and its twin, in which one fact is another: the same question, another answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lvlmbench.core.errors import UserError
from lvlmbench.scene.programs import holds
from lvlmbench.scene.sets import Value
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.ask import Ask

if TYPE_CHECKING:
    from lvlmbench.config import Params


def together(
    asks: Sequence[Ask], others: Sequence[Ask], worlds: Sequence[World]
) -> Iterator[tuple[Ask, list[Value]]]:
    """Yield what can be asked of both pictures, with what is right of the first and of the second.

    Parameters
    ----------
    asks, others
        What can be asked about the first picture, and about the second.
    """
    for one in asks:
        answers = [other.answer for other in others if other.program == one.program]
        for value in dict.fromkeys([*answers, *one.wrong]):
            if value != one.answer and holds(one.program, worlds[1], value) is True:
                yield one, [one.answer, value]


def check_even(params: Params, source: str, section: str, numbers: Mapping[str, int]) -> None:
    """Check that twins stand side by side in one shard.

    Parameters
    ----------
    section
        Where twins are asked for.
    numbers
        Key of the corpus -> number of scenes.

    Raises
    ------
    UserError
        A number is odd.
    """
    for name, number in numbers.items():
        if number % 2:
            raise UserError(
                f"{source}: suites.{params.suite}.corpus.{name}",
                f"is {number}, but each scene has a twin",
                f"write {number + 1}, or 'twins: false' under {section}",
            )
