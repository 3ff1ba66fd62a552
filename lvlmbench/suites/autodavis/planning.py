"""Parts of pictures that families share: what is asked about, and what stands beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.scene.graph import Graph, Relation, Setting
from lvlmbench.suites.autodavis.family import ExamKit
from lvlmbench.suites.graphs.stock import Kind


def picture(
    kit: ExamKit,
    kinds: Sequence[Kind],
    setting: Setting,
    relations: Sequence[Relation] = (),
    *,
    colors: Sequence[str | None] = (),
    beside: Sequence[Kind] = (),
    least: int = 0,
    most: int = 8,
    spans: Sequence[int] = (),
    of: Sequence[Kind] | None = None,
) -> Graph:
    """Return a graph that shows these kinds first, and others up to what the level wants.

    Parameters
    ----------
    kinds
        What is asked about, or named: objects ``o1``, ``o2``, ...
    colors, spans
        Of the first things; sizes of the others are the level's.
    beside
        What may not be there, as it is offered beside what is.
    least, most
        Fewest things, and most.
    of
        Where the other things come from; by default all kinds of the level.
    """
    n = max(min(kit.size(), most), least, len(kinds))
    others = kit.kinds(n - len(kinds), setting, beside=[*kinds, *beside], of=of)
    sizes = [*spans, *kit.draws.shuffled(kit.spans(n))[len(spans) :]]
    things = kit.objects([*kinds, *others], sizes, colors)
    return Graph(things, (*relations, *_overlap(kit, n, len(kinds), setting)), setting)


def _overlap(kit: ExamKit, n: int, asked: int, setting: Setting) -> list[Relation]:
    """One of the other things in front of another, where the level wants that."""
    if not kit.level.overlap or n < asked + 2:
        return []
    return [Relation(f"o{n}", "in_front_of", f"o{n - 1}")]


def plain(setting: Setting) -> Setting:
    """Return a setting without weather: what may hide things or their colors."""
    return replace(setting, weather=None)
