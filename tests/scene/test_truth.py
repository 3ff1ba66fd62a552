"""What a drawn picture shows, as features, from planted layouts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench.scene.charts import Chart
from lvlmbench.scene.claims import KINDS
from lvlmbench.scene.graph import Graph, Object, Relation, Setting
from lvlmbench.scene.truth import from_rows, row_of, truth_of
from lvlmbench.tables import TRUTH, read, write_rows
from support.planted_truth import SIDE, by_name, drawn, truth, vocabulary

DOG = Object("o1", "animal", "dog", color="brown", span=200)
CAR = Object("o2", "object", "car", span=200)
PAIR = Graph((DOG, CAR), (Relation("o1", "left_of", "o2"),), Setting("beach", "paper cutout"))
APART = (drawn(0, "o1", (200, 500)), drawn(1, "o2", (800, 500)))


def test_what_is_seen_is_owed() -> None:
    found = truth(PAIR, *APART)
    assert found.closed
    named = by_name(found)
    dog = named["o1"]
    assert (dog.kind, dog.subject, dog.optional, dog.source) == ("object", "dog", False, "layout")
    assert dog.forms[:2] == ("dog", "dogs") and dog.group == "dog"
    assert not {"wolf", "cat"} & {*dog.forms}  # listed as near it, only looks like it
    color = named["o1.color"]
    assert (color.value, color.about, color.relation) == ("brown", "o1", "color")
    assert "o2.color" not in named
    owed = {each.feature for each in found.features if not each.optional}
    scene = {"scene.background", "scene.style"}
    assert owed == {"o1", "o2", "o1.color", "o1.left_of.o2", *scene}
    assert {each.kind for each in found.features} <= {*KINDS}


def test_what_is_listed_may_be_said() -> None:
    named = by_name(truth(PAIR, *APART))
    for word in ("sea", "sand", "wheel", "paper", "tail"):
        each = named[f"listed.{word}"]
        assert each.optional and each.source == "listed" and each.kind == "object"
    assert "sandy beach by the sea" in named["scene.background"].forms
    assert "a sandy beach" in named["scene.background"].forms
    assert "paper cutout" in named["scene.style"].forms
    assert "listed.blackboard" not in named


def test_a_moved_thing_flips_the_relation() -> None:
    moved = (drawn(0, "o1", (800, 500)), drawn(1, "o2", (200, 500)))
    before, after = truth(PAIR, *APART), truth(PAIR, *moved)
    assert by_name(before)["o1.left_of.o2"].optional is False
    named = by_name(after)
    assert "o1.left_of.o2" not in named
    assert named["o2.left_of.o1"].optional
    assert before.geometry is not None and after.geometry is not None
    for relation, converse in (("left_of", "right_of"), ("right_of", "left_of")):
        held = relation == "left_of"
        assert before.geometry.holds(relation, "o1", "o2") is held
        assert after.geometry.holds(relation, "o1", "o2") is not held
        assert before.geometry.holds(converse, "o2", "o1") is held


def test_unclear_margins_are_no_features() -> None:
    found = truth(PAIR, drawn(0, "o1", (480, 300)), drawn(1, "o2", (510, 700)))
    named = by_name(found)
    assert {"o1.left_of.o2", "o2.left_of.o1"}.isdisjoint(named)
    assert "o1.above.o2" in named
    assert found.geometry is not None
    assert found.geometry.holds("left_of", "o1", "o2") is None


def test_an_invisible_thing_disappears() -> None:
    found = truth(PAIR, APART[0], drawn(1, "o2", (800, 500), visible=0.0))
    assert {"o2", "o1.left_of.o2", "listed.wheel"}.isdisjoint(by_name(found))
    assert found.closed
    assert found.geometry is not None and found.geometry.holds("left_of", "o1", "o2") is None


@pytest.mark.parametrize("how", [{"visible": 0.3}, {"size": 60}])
def test_what_is_not_clear_may_be_said(how: dict[str, Any]) -> None:
    named = by_name(truth(PAIR, drawn(0, "o1", (200, 500), **how), APART[1]))
    assert named["o1"].optional and not named["o2"].optional
    about = [each for each in named.values() if "o1" in (each.about, each.other)]
    assert named["o1.color"] in about and all(each.optional for each in about)


def test_two_of_a_kind_are_counted() -> None:
    two = Graph((Object("o1", "animal", "dog", count=2), CAR))
    rows = (drawn(0, "o1", (200, 200)), drawn(1, "o1", (800, 200)), drawn(2, "o2", (500, 800)))
    found = truth(two, *rows)
    named = by_name(found)
    assert (named["o1.count"].value, named["o1.count"].forms) == ("2", ("2", "two"))
    assert not named["o1.count"].optional and named["o1.count"].about == "o1"
    assert "o2.count" not in named
    assert found.geometry is not None
    assert found.geometry.holds("left_of", "o1", "o2") is True  # one of them is
    assert found.geometry.holds("right_of", "o1", "o2") is True  # and one is on the other side
    assert found.geometry.holds("below", "o1", "o2") is False  # none is
    assert found.geometry.holds("left_of", "o1", "o1") is True
    assert found.geometry.holds("left_of", "o2", "o2") is None
    assert found.geometry.holds("between", "o2", "o1", "o1") is False
    unclear = truth(two, rows[0], drawn(1, "o1", (800, 200), visible=0.3), rows[2])
    assert "o1.count" not in by_name(unclear)


def test_things_of_one_name_are_counted_together() -> None:
    red, green = (Object(f"o{i}", "food", "apple", color=c) for i, c in ((1, "red"), (2, "green")))
    rows = (drawn(0, "o1", (200, 200)), drawn(1, "o2", (800, 200)))
    every = by_name(truth(Graph((red, green)), *rows))["all.apple.count"]
    assert (every.value, every.about, every.optional) == ("2", None, True)


def test_the_order_of_rows_is_nothing() -> None:
    rows = (*APART, drawn(2, "o1", (500, 200)), drawn(3, "o2", (500, 800), 400, hides={2: 0.2}))
    found = truth(PAIR, *rows)
    assert found == truth(PAIR, *rows[::-1])
    assert found == truth(PAIR, rows[2], rows[0], rows[3], rows[1])


def test_sizes_rank_where_all_ratios_are_clear() -> None:
    things = tuple(Object(f"o{i}", "animal", label) for i, label in ((1, "dog"), (2, "cow")))
    sizes = Graph(things, (Relation("o2", "larger", "o1"),))
    rows = (drawn(0, "o1", (200, 500), 150), drawn(1, "o2", (700, 500), 300))
    named = by_name(truth(sizes, *rows))
    assert named["o2.rank"].forms == ("1", "-2") and not named["o2.rank"].optional
    assert named["o1.rank"].forms == ("2", "-1")
    assert by_name(truth(Graph(things), *rows))["o2.rank"].optional
    alike = (rows[0], drawn(1, "o2", (700, 500), 160))
    assert "o1.rank" not in by_name(truth(sizes, *alike))


def test_places_are_cells_and_panels() -> None:
    named = by_name(truth(PAIR, drawn(0, "o1", (150, 150)), drawn(1, "o2", (500, 500))))
    assert (named["o1.at"].value, named["o2.at"].value) == ("top left", "center")
    assert "o1.at" not in by_name(truth(PAIR, drawn(0, "o1", (330, 150)), APART[1]))
    dogs = tuple(Object(f"o1.{i}", "animal", "dog", panel=i) for i in range(2))
    rows = [drawn(i, f"o1.{i}", (250 + 500 * i, 500), panel=i) for i in range(2)]
    panels = by_name(truth(Graph(dogs), *rows))
    assert [panels[f"o1.{i}.at"].value for i in range(2)] == ["left", "right"]
    assert "listed.panel" in panels and "listed.panel" not in named


def test_styles_hide_what_nobody_can_tell() -> None:
    sepia = Graph((DOG, CAR), (), Setting("beach", "sepia photograph"))
    named = by_name(truth(sepia, *APART))
    assert "o1.color" not in named and not named["scene.background"].optional
    hidden = Graph((DOG, CAR), (), Setting("beach", "blueprint"))
    assert by_name(truth(hidden, *APART))["scene.background"].optional


def test_a_style_that_repeats_the_scene_leaves_the_number_open() -> None:
    popped = Graph((Object("o1", "animal", "dog", count=2),), (), Setting(None, "pop art"))
    rows = [
        drawn(4 * n + p, "o1", (150 + 200 * n + 400 * (p % 2), 200 + 500 * (p // 2)), 150, panel=p)
        for n in range(2)
        for p in range(4)
    ]
    named = by_name(truth(popped, *rows))
    assert (named["o1.count"].value, named["o1.count.all"].value) == ("2", "8")
    assert named["o1.count"].optional and named["o1.count.all"].optional


def test_what_nobody_measured_follows_the_graph() -> None:
    graph = Graph(
        (Object("o1", "animal", "dog", count=2, color="brown"), CAR),
        (Relation("o1", "left_of", "o2"),),
        Setting("beach", "cartoon"),
    )
    found = truth_of(graph, [], SIDE, vocabulary())
    assert not found.closed and found.geometry is None
    named = by_name(found)
    assert {"o1", "o2", "o1.color", "o1.count", "o1.left_of.o2"} <= {*named}
    assert {each.source for each in found.features} == {"graph", "listed"}
    assert "listed.sticker" not in named


def test_words_on_things_and_charts() -> None:
    sign = Object("o1", "carrier", "mug", text="Grey")
    text = by_name(truth(Graph((sign,)), drawn(0, "o1", (500, 500), 400)))["o1.text"]
    assert (text.value, text.forms, text.subject) == ("grey", ("grey",), "mug")
    chart = Chart("pie", "Harvest (%)", "fruit", "%", ("figs", "dates"), (40, 60), ("red", "blue"))
    shown = Object("o1", "chart", "pie", chart=chart)
    found = truth(Graph((shown,)), drawn(0, "o1", (500, 500), 800))
    named = by_name(found)
    assert not found.closed
    assert named["o1"].subject == "pie chart" and "chart" in named["o1"].forms
    assert named["o1.text"].value == "harvest (%)" and named["o1.text.figs"].optional


def test_rows_keep_features(tmp_path: Path) -> None:
    found = truth(PAIR, *APART)
    path = tmp_path / "part-00000.parquet"
    rows = [row_of("s1", each, found.closed) for each in found.features]
    write_rows(rows, path, TRUTH, "id")
    again = from_rows(read([path], TRUTH).to_pylist())
    assert again == found
    assert not from_rows([]).closed


def test_every_kind_is_a_word_of_the_table() -> None:
    (kind,) = (column for column in TRUTH.columns if column.name == "kind")
    assert kind.words == KINDS
