"""Graphs of scenes: typed, nested in tables, and flat."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lvlmbench import tables
from lvlmbench.scene.graph import Garment, Graph, Object, Person, Relation, Setting, flat
from lvlmbench.suites.suite import build_shard
from lvlmbench.tables.graph import COLUMNS
from support.corpus_sample import params_for, sample_vocabulary

SCHEMA = pa.schema([(column.name, column.type) for column in COLUMNS])

MAYBE = st.none() | st.text(min_size=1, max_size=6)
WORD = st.text(min_size=1, max_size=6)
GARMENTS = st.lists(st.builds(Garment, WORD, MAYBE), max_size=3).map(tuple)
PERSONS = st.none() | st.builds(Person, MAYBE, MAYBE, MAYBE, MAYBE, GARMENTS, MAYBE)
OBJECTS = st.builds(
    Object, WORD, WORD, WORD, st.sampled_from(["main", "secondary"]), MAYBE,
    st.none() | st.integers(1, 8), MAYBE, st.sampled_from([None, "left", "right", "viewer"]),
    PERSONS, MAYBE,
)  # fmt: skip
RELATIONS = st.builds(Relation, WORD, WORD, WORD)
GRAPHS = st.builds(
    Graph,
    st.lists(OBJECTS, min_size=1, max_size=4).map(tuple),
    st.lists(RELATIONS, max_size=3).map(tuple),
    st.builds(Setting, MAYBE, MAYBE, MAYBE, MAYBE),
)


@settings(deadline=None)
@given(st.lists(GRAPHS, min_size=1, max_size=3))
def test_graphs_come_back_from_tables_and_from_json(graphs: list[Graph]) -> None:
    table = pa.Table.from_pylist([g.row() for g in graphs], schema=SCHEMA)
    assert [Graph.of(row) for row in table.to_pylist()] == graphs
    assert [Graph.of(json.loads(json.dumps(g.row()))) for g in graphs] == graphs


@settings(deadline=None)
@given(st.lists(GRAPHS, min_size=1, max_size=3))
def test_the_flat_view_is_of_the_main_object_and_the_setting(graphs: list[Graph]) -> None:
    table = pa.Table.from_pylist([g.row() for g in graphs], schema=SCHEMA)
    rows = pa.table(flat(table)).to_pylist()
    for graph, row in zip(graphs, rows, strict=True):
        thing, person = graph.main, graph.main.person or Person()
        assert row == {
            "foreground_list": thing.list,
            "foreground": thing.label,
            "attributes": {
                "color": thing.color, "number": thing.count, "age": person.age,
                "gender": person.gender, "race": person.race, "expression": person.expression,
            },
            "background": graph.setting.background,
            "style": graph.setting.style,
            "text": thing.text,
        }  # fmt: skip


def test_what_a_table_says_flat_is_what_its_graphs_say() -> None:
    scenes, _ = build_shard(params_for(5, scenes_per_subtask=6), sample_vocabulary(), 0, 120)
    for name, column in flat(scenes).items():
        assert scenes[name].combine_chunks().equals(column), name
    nested = pa.Table.from_pylist(
        [Graph.of(row).row() for row in scenes.to_pylist()], schema=SCHEMA
    )
    assert nested.equals(scenes.select(nested.column_names).combine_chunks())


def test_a_scene_names_all_entries_that_it_shows() -> None:
    person = Object("o1", "person", "person", person=Person("adult", None, "dark", "sad"))
    sign = Object("o2", "carrier", "road sign", "secondary", color="red", text="owl")
    graph = Graph((person, sign), setting=Setting("beach", None))
    assert list(graph.entries()) == [
        ("age", "adult"), ("race", "dark"), ("expression", "sad"), ("carrier", "road sign"),
        ("color", "red"), ("background", "beach"), ("text", "owl"),
    ]  # fmt: skip


@pytest.mark.parametrize("count", [None, 1, 3])
def test_what_cannot_be_counted_is_shown_once(count: int | None) -> None:
    assert Object("o1", "animal", "fox", count=count).instances == (count or 1)


def test_tables_of_older_versions_are_told_apart() -> None:
    assert {f.name for f in COLUMNS} <= set(tables.SCENES.names)
    assert not {f.name for f in COLUMNS} & set(tables.REFERENCE_SCENES.names)
