"""Mistakes planted in the code that asks about exams: each must lead to a wrong question.

A mutant is told by name, with the families in whose questions an oracle must find it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from lvlmbench.scene import programs, relations, sets, world
from lvlmbench.scene.graph import Graph
from lvlmbench.suites.autodavis import asked, asking, plan, questions, validating
from lvlmbench.suites.autodavis.families import cells, color, fact, logic, numbers, setting
from lvlmbench.suites.graphs import making
from lvlmbench.suites.graphs.stock import stock_of
from support.planting import Mutants
from support.render_scenes import vocabulary

Row = dict[str, Any]
Patch = pytest.MonkeyPatch


MUTANTS = Mutants()
mutant = MUTANTS.planted


def sees(
    patch: Patch,
    layout: Callable[[Sequence[Row], int], Sequence[Row]] = lambda rows, side: rows,
    graph: Callable[[Graph], Graph] = lambda graph: graph,
) -> None:
    """Let who asks see another layout, or another graph, than what is there."""
    drawn, about = questions.drawn, validating.about
    shown: dict[str, tuple[Sequence[Row], int]] = {}

    def noted(planner: Any, params: Any, *rest: Any) -> Any:
        for one in drawn(planner, params, *rest):
            shown[one.scene["scene_id"]] = one.layout, params.render.size
            yield one

    def asked(planner: Any, scene: Row, item: Any, seen: world.World, defects: Any) -> Any:
        rows, side = shown[scene["scene_id"]]
        other = planner.world(graph(seen.graph), layout(rows, side), side)
        return about(planner, scene, item, other, defects)

    patch.setattr(questions, "drawn", noted)
    patch.setattr(validating, "about", asked)


def while_asking(patch: Patch, plant: Callable[[Patch], None]) -> None:
    """Plant a mistake that only who asks makes, not who holds pictures against descriptions."""
    sees(patch)  # anew: what was found out before is not kept
    asked = validating.about

    def about(*given: Any) -> Any:
        with pytest.MonkeyPatch.context() as inner:
            plant(inner)
            return asked(*given)

    patch.setattr(validating, "about", about)


def _boxes(change: Callable[[Row, int], Row]) -> Callable[[Sequence[Row], int], list[Row]]:
    """Rows whose boxes, where there are some, are others."""
    return lambda rows, side: [
        {**row, "box": row["box"] and change(row["box"], side)} for row in rows
    ]


@mutant("sides", "outermost", "cells")
def left_and_right_exchanged(patch: Patch) -> None:
    sees(patch, _boxes(lambda b, side: {**b, "left": side - b["right"], "right": side - b["left"]}))


@mutant("sides", "outermost", "cells")
def above_and_below_exchanged(patch: Patch) -> None:
    sees(patch, _boxes(lambda b, side: {**b, "top": side - b["bottom"], "bottom": side - b["top"]}))


@mutant("numbers")
def count_off_by_one(patch: Patch) -> None:
    def more(of: sets.Program, seen: world.World) -> int | None:
        found = sets.size(of, seen)
        return None if found is None else found + 1

    def plant(inner: Patch) -> None:
        inner.setattr(numbers, "size", more)
        inner.setattr(programs, "size", more)

    while_asking(patch, plant)


@mutant("numbers")
def without_ignored(patch: Patch) -> None:
    """Of those that are not of a kind all are taken."""
    true = sets.members

    def members(of: sets.Program, seen: world.World) -> sets.Members:
        return members(of[1], seen) if of[0] == "without" else true(of, seen)

    for module in (sets, programs):
        patch.setattr(module, "members", members)


@mutant("sides", "near")
def margins_of_nothing(patch: Patch) -> None:
    for name, least in {
        "POSITION": 0.001,
        "_OF_EXTENT": 0.0,
        "_LEVEL": 0.0,
        "LARGER": 1.001,
    }.items():
        patch.setattr(relations, name, least)


@mutant("logic")
def second_truth_let_through(patch: Patch) -> None:
    """The first that is right is the answer; what else is right is offered beside it."""
    first: dict[tuple[int, str], Any] = {}
    true = programs.holds

    def judged(of: sets.Program, seen: world.World, value: Any = None) -> sets.Truth:
        found = true(of, seen, value)
        if found is False:
            return False
        return bool(found and first.setdefault((id(seen), programs.text_of(of)), value) == value)

    for module in (asking, asked):
        patch.setattr(module, "holds", judged)
    patch.setattr(making, "sound", lambda *given: True)


@mutant("near")
def nearest_and_farthest_exchanged(patch: Patch) -> None:
    true = world.World.extreme
    patch.setattr(
        world.World, "extreme", lambda self, nearest, *rest: true(self, not nearest, *rest)
    )


def _turned(patch: Patch, *names: str) -> None:
    """Relations that hold the other way round."""
    for name in names:
        true = relations.BINARY[name]
        patch.setitem(relations.BINARY, name, lambda a, b, true=true: true(b, a))


@mutant("hidden")
def hidden_and_hides_exchanged(patch: Patch) -> None:
    _turned(patch, "hides")


@mutant("sizes")
def larger_and_smaller_exchanged(patch: Patch) -> None:
    _turned(patch, "larger", "smaller")


@mutant("ground")
def nearer_and_farther_exchanged(patch: Patch) -> None:
    nearer, farther = (programs._STATEMENTS[each] for each in ("foremost", "hindmost"))
    patch.setitem(programs._STATEMENTS, "foremost", farther)
    patch.setitem(programs._STATEMENTS, "hindmost", nearer)


@mutant("aligned")
def row_and_column_exchanged(patch: Patch) -> None:
    row, column = (relations.BINARY[each] for each in ("in_row", "in_column"))

    def plant(inner: Patch) -> None:
        inner.setitem(relations.BINARY, "in_row", column)
        inner.setitem(relations.BINARY, "in_column", row)

    while_asking(patch, plant)


@mutant("between")
def one_of_the_ends_taken_for_the_middle(patch: Patch) -> None:
    true = relations.between
    while_asking(
        patch,
        lambda inner: inner.setattr(relations, "between", lambda a, b, c: true(b, a, c)),
    )


@mutant("fact", "fact_seen")
def wrong_entries_in_the_table_of_facts(patch: Patch) -> None:
    """Each kind of thing has what the next one by the alphabet should have."""
    true = plan.Planner.__init__

    def init(self: Any, *given: Any) -> None:
        true(self, *given)
        self.facts = {what: _next_value(known) for what, known in self.facts.items()}

    patch.setattr(plan.Planner, "__init__", init)


def _next_value(known: Mapping[str, str]) -> dict[str, str]:
    labels = sorted(known)
    return {a: known[b] for a, b in zip(labels, [*labels[1:], labels[0]], strict=True)}


@mutant("logic")
def and_taken_for_or(patch: Patch) -> None:
    patch.setitem(programs._STATEMENTS, "and", programs._STATEMENTS["or"])
    patch.setattr(logic, "all_of", sets.any_of)


@mutant("logic")
def or_taken_for_and(patch: Patch) -> None:
    patch.setitem(programs._STATEMENTS, "or", programs._STATEMENTS["and"])
    patch.setattr(logic, "any_of", sets.all_of)


@mutant("logic")
def not_dropped(patch: Patch) -> None:
    patch.setitem(programs._STATEMENTS, "not", lambda seen, one: programs._statement(one, seen))


def _passed_on(
    name: str, among: Callable[[Row], bool] = lambda row: True
) -> Callable[[Sequence[Row], int], list[Row]]:
    """Rows of which each has a value of the next one, of those that are meant."""

    def changed(rows: Sequence[Row], side: int) -> list[Row]:
        values = [row[name] for row in rows if among(row)]
        rest = iter([*values[1:], *values[:1]])
        return [{**row, name: next(rest)} if among(row) else row for row in rows]

    return changed


@mutant("color", "ground")
def color_of_another_thing(patch: Patch) -> None:
    sees(patch, _passed_on("fill", lambda row: row["fill"] is not None))


@mutant("props")
def prop_taken_for_another(patch: Patch) -> None:
    sees(patch, _passed_on("label", lambda row: row["object"].startswith("p")))


@mutant("seen", "absent", "numbers")
def names_by_the_alphabet(patch: Patch) -> None:
    """A thing is taken for what stands before it in the alphabet, of all that are in the stock."""
    labels = sorted(stock_of(vocabulary(), "pictograph").by_label)
    before = dict(zip(labels, [labels[-1], *labels], strict=False))

    def layout(rows: Sequence[Row], side: int) -> list[Row]:
        return [{**row, "label": before.get(row["label"], row["label"])} for row in rows]

    def graph(of: Graph) -> Graph:
        things = (replace(one, label=before.get(one.label, one.label)) for one in of.objects)
        return replace(of, objects=tuple(things))

    sees(patch, layout, graph)


@mutant("color", "cells", "fact")
def reference_to_another_thing(patch: Patch) -> None:
    """Words name the next thing, while the program is about the one that was meant."""
    true = asking.reference

    def reference(kit: Any, seen: world.World, one: world.Instance, *rest: Any) -> Any:
        own = true(kit, seen, one, *rest)
        others = [each for each in seen.things if each.number != one.number]
        for other in others if own else ():
            named = true(kit, seen, other, *rest)
            if named is not None:
                return named[0], own[1]
        return own

    for module in (color, cells, fact):
        patch.setattr(module, "reference", reference)


@mutant("facing")
def facing_mirrored(patch: Patch) -> None:
    other = {"left": "right", "right": "left"}

    def graph(of: Graph) -> Graph:
        things = (replace(o, facing=other.get(str(o.facing), o.facing)) for o in of.objects)
        return replace(of, objects=tuple(things))

    sees(patch, graph=graph)


def _neighbors(patch: Patch, *names: str) -> None:
    """Each person has some of what the next one has."""

    def graph(of: Graph) -> Graph:
        people = [one.person for one in of.objects]
        others = [*people[1:], people[0]]
        objects = tuple(
            replace(o, person=mine and its and replace(mine, **{n: getattr(its, n) for n in names}))
            for o, mine, its in zip(of.objects, people, others, strict=True)
        )
        return replace(of, objects=objects)

    sees(patch, graph=graph)


@mutant("people")
def held_thing_of_a_neighbor(patch: Patch) -> None:
    _neighbors(patch, "held", "held_color", "action")


@mutant("people")
def outfit_of_a_neighbor(patch: Patch) -> None:
    _neighbors(patch, "garments")


@mutant("words")
def word_of_another_thing(patch: Patch) -> None:
    def graph(of: Graph) -> Graph:
        said = [one.text for one in of.objects]
        turned = zip(of.objects, [*said[1:], said[0]], strict=True)
        return replace(of, objects=tuple(replace(one, text=text) for one, text in turned))

    sees(patch, graph=graph)


@mutant("setting")
def look_alike_settings_offered(patch: Patch) -> None:
    """Of four backgrounds, kinds of weather or styles any may be taken for each other."""
    patch.setattr(setting, "_known", setting._known.__wrapped__)
    patch.setattr(setting, "_apart", lambda one, other: True)
    patch.setattr(setting, "_together", lambda background, other: True)
    patch.setattr(setting._Known, "_fair", lambda *given: True)
    patch.setattr(setting._Known, "clear", lambda *given: True)


@mutant("commonest")
def rarest_taken_for_the_commonest(patch: Patch) -> None:
    def rarest(seen: world.World, label: str) -> sets.Truth:
        labels = [one.object.label for one in seen.things]
        rest = [labels.count(each) for each in {*labels} - {label}]
        return 0 < labels.count(label) < min(rest, default=0)

    patch.setitem(programs._STATEMENTS, "commonest", rarest)


@mutant("majority")
def one_of_all_taken_for_most(patch: Patch) -> None:
    def one(seen: world.World, first: sets.Program, second: sets.Program) -> sets.Truth:
        found = sets.size(first, seen)
        return None if found is None else found == 1

    patch.setitem(programs._STATEMENTS, "more", one)


def plan_taken_for_layout(patch: Patch) -> None:
    """What things are, and which color they have, is taken from the plan, whatever was drawn."""
    patch.setattr(world, "_drawn", lambda thing, row: thing)
