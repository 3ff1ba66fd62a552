"""Charts and diagrams: what bars, lines, slices, tables, clocks, scales and shapes say."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.charts import COLORS
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.ask import Ask as Charted
from lvlmbench.suites.composed.chart_counts import recounted
from lvlmbench.suites.composed.chart_samples import LEVELS, kinds, sample
from lvlmbench.suites.composed.charts import asks
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs.ask import NUMBERS, Ask, Short
from lvlmbench.suites.graphs.kit import Kit

#: Width of a chart, in thousandths of the side.
_SPAN = 860
#: Steps of thought that a level of charts stands for.
_HOPS = {name: at for at, name in enumerate(LEVELS)}
#: Kinds of questions whose answer is a number that is counted, printed, or follows from such.
_EXACT = (
    "higher_than", "crossing", "taller_than", "shorter_than", "crossings", "larger_in_rows",
    "smaller_in_rows", "above", "shapes_of", "cell", "row_sum", "column_sum", "number_at",
    "distance", "side", "perimeter", "area", "diameter", "radius", "third_angle",
)  # fmt: skip
#: The same, where the chart has its values printed.
_READ = ("value_of", "difference", "sum")
#: The kind whose answer is a color.
_COLOR = "color_of"


def _level(kit: Kit) -> str:
    return LEVELS[min(kit.level.hops, len(LEVELS) - 1)]


def _plan(kit: Kit) -> Graph:
    level = _level(kit)
    chart = sample(kit.draws.generator, kit.draws.pick(kinds(level)), level)
    thing = Object("o1", "chart", chart.kind.replace("_", " "), span=_SPAN, chart=chart)
    setting = kit.setting("shape", "color", "text", plain=True)
    return Graph((thing,), setting=replace(setting, weather=None))


def _twin(kit: Kit, graph: Graph) -> Graph:
    """Two values are exchanged, or all are others, with other counts."""
    chart = graph.main.chart
    assert chart is not None
    if chart.crowded:
        other = recounted(kit.draws.generator, chart)
    elif chart.kind in ("bar", "pie", "table") and len(chart.values) > 1:
        values = list(chart.values)
        first, second = kit.draws.some(range(len(values)), 2)
        values[first], values[second] = values[second], values[first]
        other = replace(chart, values=tuple(values))
    else:
        other = sample(kit.draws.generator, chart.kind, _level(kit))
        if chart.kind == "geometry":  # what is said of lengths names their unit
            other = replace(other, unit=chart.unit)
    return replace(graph, objects=(replace(graph.main, chart=other),))


def _ask(kit: Kit, world: World) -> list[Ask]:
    chart = world.graph.main.chart
    if chart is None or not world.reads_back:
        return []
    return [_asked(kit, world, one) for one in asks(chart, kit.draws.generator)]


def _asked(kit: Kit, world: World, one: Charted) -> Ask:
    what = "/".join((one.kind, *one.about))
    chosen = list(one.wrong(kit.draws.generator))
    wrong = [*chosen, *(value for value in one.pool if value not in chosen)]
    world.charted |= {(what, value): False for value in wrong}
    world.charted[what, one.answer] = True
    return Ask(
        family=one.kind,
        program=["chart", *what.split("/"), "?"],
        questions=one.phrasings,
        statements=lambda value: tuple(form.format(value) for form in one.statements),
        show=str,
        answer=one.answer,
        wrong=wrong,
        claims=chosen[:1],
        options=min(4, 1 + len(wrong)),
        near=min(3, len(chosen)),
        hops=_HOPS[_level(kit)],
        short=_short(world, one, what),
    )


def _short(world: World, one: Charted, what: str) -> Short | None:
    """What else the answer could be, where it is a number that is counted or printed, or a color.

    Nobody is asked to read a value off an axis: that is about right, rather than right.
    """
    chart = world.graph.main.chart
    printed = chart is not None and "values" in chart.marks and one.kind in _READ
    if not printed and one.kind not in (*_EXACT, _COLOR):
        return None
    world.exact[what] = one.answer
    values = COLORS if one.kind == _COLOR else map(str, NUMBERS)
    return Short(tuple(values), program=["exactly", *what.split("/"), "?"])


@SUBTASKS.register("charts")
def charts() -> Skill:
    """Return the skill: what charts and diagrams say."""
    return skill("charts", 11, _plan, _ask, _twin, written=True)
