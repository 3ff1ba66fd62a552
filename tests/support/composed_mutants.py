"""Mistakes planted in the code that asks about composed scenes: each must lead to a wrong question.

A mutant is told by name, with the skills in which an oracle must find it.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from lvlmbench.scene import programs, relations, sets, world
from lvlmbench.scene.figures import telling as people
from lvlmbench.scene.graph import Graph, Object, Person
from lvlmbench.scene.props import PROP
from lvlmbench.suites.composed import crowds, questions
from lvlmbench.suites.composed.skills import counting
from lvlmbench.suites.graphs.stock import stock_of
from support.composed_sample import vocabulary
from support.planting import Mutants

Row = dict[str, Any]
Patch = pytest.MonkeyPatch


MUTANTS = Mutants()
mutant = MUTANTS.planted


def sees(
    patch: Patch,
    layout: Callable[[Sequence[Row], int], Sequence[Row]] = lambda rows, side: rows,
    graph: Callable[[Graph], Graph] = lambda graph: graph,
) -> None:
    """Let the suite see another layout, or another graph, than what is there."""

    def made(of: Graph, rows: Sequence[Row], side: int, clash: Any) -> world.World:
        return world.World(graph(of), layout(rows, side), side, clash)

    patch.setattr(questions, "World", made)


def _boxes(change: Callable[[Row, int], Row]) -> Callable[[Sequence[Row], int], list[Row]]:
    """Rows whose boxes, where there are some, are others."""
    return lambda rows, side: [
        {**row, "box": row["box"] and change(row["box"], side)} for row in rows
    ]


@mutant("spatial", "color_binding")
def left_and_right_exchanged(patch: Patch) -> None:
    sees(
        patch,
        _boxes(lambda b, side: {**b, "left": side - b["right"], "right": side - b["left"]}),
    )


@mutant("spatial", "color_binding")
def above_and_below_exchanged(patch: Patch) -> None:
    sees(
        patch,
        _boxes(lambda b, side: {**b, "top": side - b["bottom"], "bottom": side - b["top"]}),
    )


@mutant("spatial", "color_binding", "size")
def box_of_another_instance(patch: Patch) -> None:
    names = ("box", "pixels", "visible", "hides")

    def turned(rows: Sequence[Row], side: int) -> list[Row]:
        others = [*rows[1:], *rows[:1]]
        return [
            {**row, **{name: other[name] for name in names}}
            for row, other in zip(rows, others, strict=True)
        ]

    sees(patch, turned)


@mutant("counting")
def count_off_by_one(patch: Patch) -> None:
    def count(seen: world.World, of: sets.Program, number: int) -> sets.Truth:
        size = sets.size(of, seen)
        return None if size is None else size + 1 == int(number)

    patch.setitem(programs._STATEMENTS, "count", count)
    patch.setattr(counting, "sum", lambda found: builtins.sum(found) + 1, raising=False)


@mutant("counting", "comparison")
def first_thing_overlooked(patch: Patch) -> None:
    sees(patch, lambda rows, side: [{**rows[0], "box": None}, *rows[1:]])


@mutant("counting", "comparison")
def hidden_things_counted(patch: Patch) -> None:
    patch.setattr(world.Instance, "there", property(lambda one: True))


@mutant("spatial")
def on_and_beside_exchanged(patch: Patch) -> None:
    for name in ("on", "inside"):
        true = relations.BINARY[name]
        patch.setitem(relations.BINARY, name, lambda a, b, true=true: _inverse(true(a, b)))


def _inverse(found: relations.Judged) -> relations.Judged:
    return relations.Judged(None if found.holds is None else not found.holds, -found.margin)


@mutant("spatial")
def prop_taken_for_another(patch: Patch) -> None:
    sees(patch, graph=lambda of: _passed_on(of, "label", lambda one: one.list == PROP))


@mutant("spatial")
def art_taken_for_what_was_drawn(patch: Patch) -> None:
    """Where things face is taken from what the art shows before it is mirrored."""
    kinds = stock_of(vocabulary(), "pictograph").by_label

    def graph(of: Graph) -> Graph:
        objects = tuple(
            replace(one, facing=one.facing and kinds[one.label].entry.extra["faces"])
            for one in of.objects
        )
        return replace(of, objects=objects)

    sees(patch, graph=graph)


@mutant("spatial")
def nearest_and_farthest_exchanged(patch: Patch) -> None:
    true = world.World.extreme
    patch.setattr(
        world.World, "extreme", lambda self, nearest, *rest: true(self, not nearest, *rest)
    )


@mutant("size")
def larger_and_smaller_exchanged(patch: Patch) -> None:
    def inverse(rows: Sequence[Row], side: int) -> list[Row]:
        found = []
        for row in rows:
            box = row["box"]
            if box is None:
                found.append(row)
                continue
            width, height = (side * side / 16 / (box[b] - box[a]) for a, b in _EDGES)
            middle = [(box[a] + box[b]) / 2 for a, b in _EDGES]
            ends = {
                "left": middle[0] - width / 2,
                "right": middle[0] + width / 2,
                "top": middle[1] - height / 2,
                "bottom": middle[1] + height / 2,
            }
            found.append({**row, "box": ends, "pixels": side**4 / 256 / row["pixels"]})
        return found

    sees(patch, inverse)


_EDGES = (("left", "right"), ("top", "bottom"))


@mutant("spatial")
def not_dropped(patch: Patch) -> None:
    patch.setitem(programs._STATEMENTS, "not", lambda seen, one: programs._statement(one, seen))


def _turned(name: str) -> Callable[[Graph], Graph]:
    """A graph in which each object has an attribute of the next one; props have their own."""
    return lambda of: _passed_on(of, name, lambda one: one.list != PROP)


def _passed_on(of: Graph, name: str, among: Callable[[Object], bool]) -> Graph:
    """A graph in which each object of some has an attribute of the next one."""
    values = [getattr(one, name) for one in of.objects if among(one)]
    rest = iter([*values[1:], *values[:1]])
    return replace(
        of,
        objects=tuple(
            replace(one, **{name: next(rest)}) if among(one) else one for one in of.objects
        ),
    )


@mutant("color_binding", "attribute_binding")
def color_of_another_thing(patch: Patch) -> None:
    sees(patch, graph=_turned("color"))


@mutant("reading")
def word_of_another_carrier(patch: Patch) -> None:
    sees(patch, graph=_turned("text"))


@mutant("people")
def outfit_of_another_person(patch: Patch) -> None:
    def graph(of: Graph) -> Graph:
        people = [one.person for one in of.objects]
        others = [*people[1:], people[0]]
        objects = tuple(
            replace(o, person=mine and its and replace(mine, garments=its.garments))
            for o, mine, its in zip(of.objects, people, others, strict=True)
        )
        return replace(of, objects=objects)

    sees(patch, graph=graph)


@mutant("people")
def garment_of_the_wrong_color_counted(patch: Patch) -> None:
    """Of children."""
    true = people.has

    def has(person: Person, attribute: str, value: str) -> sets.Truth:
        found = true(person, attribute, value)
        if not attribute.startswith("wears color") or person.age != "child":
            return found
        return found or any(each.label in value or " " not in value for each in person.garments)

    patch.setattr(people, "has", has)


@mutant("people")
def one_garment_of_two_counted(patch: Patch) -> None:
    true = crowds.Fact.among
    patch.setattr(
        crowds.Fact, "among", lambda self, of: true(replace(self, values=self.values[:1]), of)
    )


@mutant("people")
def held_things_counted_as_worn(patch: Patch) -> None:
    def wears(figure: Any, doubtful: frozenset[str], color: str) -> bool:
        return any(own == color for _, own in (*figure.garments, figure.held or ("", "")))

    patch.setattr(people, "_wears_color", wears)


@mutant("people")
def second_fact_dropped(patch: Patch) -> None:
    true = crowds.Fact.among
    patch.setattr(crowds.Fact, "among", lambda self, of: true(self, ["all"]))


@mutant("reading")
def a_letter_overlooked(patch: Patch) -> None:
    """Of two words that differ in one, the second is taken for the first."""

    def graph(of: Graph) -> Graph:
        word, things = str(of.main.text), list(of.objects)
        for at, thing in enumerate(things):
            if sum(a != b for a, b in zip(word, str(thing.text), strict=False)) == 1:
                things[at] = replace(thing, text=word)
                break
        return replace(of, objects=tuple(things))

    sees(patch, graph=graph)


@mutant("charts")
def chart_read_from_its_end(patch: Patch) -> None:
    def graph(of: Graph) -> Graph:
        chart = of.main.chart
        turned = chart and replace(chart, values=chart.values[::-1])
        return replace(of, objects=(replace(of.main, chart=turned), *of.objects[1:]))

    sees(patch, graph=graph)


@mutant("counting", "spatial")
def name_of_another_thing(patch: Patch) -> None:
    sees(patch, graph=_turned("label"))


@mutant("depth")
def front_and_back_exchanged(patch: Patch) -> None:
    def transposed(rows: Sequence[Row], side: int) -> list[Row]:
        by = {row["instance"]: [] for row in rows}
        for row in rows:
            for each in row["hides"]:
                share = {"instance": row["instance"], "share": each["share"]}
                by[each["instance"]].append(share)
        return [{**row, "hides": by[row["instance"]]} for row in rows]

    sees(patch, transposed)


@mutant("depth")
def nearest_taken_for_farthest(patch: Patch) -> None:
    patch.setitem(programs._STATEMENTS, "foremost", programs._STATEMENTS["hindmost"])


@mutant("spatial", "color_binding", "depth", "size")
def margins_of_nothing(patch: Patch) -> None:
    for name, least in {
        "POSITION": 0.001, "_OF_EXTENT": 0.0, "_LEVEL": 0.0, "LARGER": 1.001,
        "HIDES": (0.001, 1.0), "VISIBLE": 0.0, "_WHOLE": 0.0,
    }.items():  # fmt: skip
        patch.setattr(relations, name, least)


@mutant("existence")
def names_by_the_alphabet(patch: Patch) -> None:
    """A thing is taken for what stands before it in the alphabet, of all that are in the stock."""
    sees(patch, graph=_renamed)


def _renamed(of: Graph) -> Graph:
    labels = sorted(stock_of(vocabulary(), "pictograph").by_label)
    before = dict(zip(labels, [labels[-1], *labels], strict=False))
    return replace(of, objects=tuple(replace(o, label=before[o.label]) for o in of.objects))


@mutant("existence", "counting", "color_binding", "comparison", "size", "reading", "people")
def answer_of_the_twin(patch: Patch) -> None:
    for name in ("_choice", "_statement", "_short"):
        patch.setattr(questions, name, _exchanged(getattr(questions, name)))


@mutant("counting", "color_binding", "reading", "people", "charts")
def forms_of_another_answer_accepted(patch: Patch) -> None:
    patch.setattr(questions, "accepted", lambda answer: [answer, "ninety-nine"])


def _exchanged(make: Callable[..., list[Row] | None]) -> Callable[..., list[Row] | None]:
    names = ("answer", "answer_index", "accepted")

    def made(*given: Any) -> list[Row] | None:
        rows = make(*given)
        if rows is None or len(rows) < 2:
            return rows
        others = [{name: row[name] for name in names if name in row} for row in rows[::-1]]
        return [{**row, **other} for row, other in zip(rows, others, strict=True)]

    return made


def plan_taken_for_layout(patch: Patch, planned: Mapping[str, Sequence[Row]]) -> None:
    """Let the suite see what was planned, by scene, whatever was drawn."""
    sees(patch, lambda rows, side: planned[rows[0]["scene_id"]])
