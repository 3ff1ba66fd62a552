"""Triplets of one layout, and scenes at random."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from lvlmbench.suites.graphs.stock import stock_of
from lvlmbench.suites.suite import suite_of
from lvlmbench.suites.valor.association.drawable import associated
from lvlmbench.suites.valor.association.settings import Associating
from lvlmbench.suites.valor.settings import Hallucinating
from lvlmbench.tables.designs import ARMS
from support.render_scenes import vocabulary
from support.valor_scenes import Row, described, params_of

OBJECTS = ("valor_objects",)
STOCK = stock_of(vocabulary(), "pictograph")
KNOWN = associated(Associating.model_validate({}), STOCK)


def triplets(scenes: int = 24) -> list[dict[str, tuple[Row, Row]]]:
    """Triplets as arm -> scene and row of the design."""
    of = described(scenes, subsets=OBJECTS)
    found: dict[str, dict[str, tuple[Row, Row]]] = defaultdict(dict)
    rows = {row["scene_id"]: row for row in of.scenes.to_pylist()}
    for row in of.designs:
        if row["triplet"] is not None:
            found[row["triplet"]][row["arm"]] = (rows[row["scene_id"]], row)
    return list(found.values())


def labels(scene: Row) -> list[str]:
    return [thing["label"] for thing in scene["objects"]]


def test_every_fourth_scene_is_at_random_and_the_others_are_triplets() -> None:
    of = described(24, subsets=OBJECTS)
    assert Counter(row["arm"] for row in of.designs) == dict.fromkeys(ARMS, 6)
    ordinals = {row["scene_id"]: row["ordinal"] for row in of.scenes.to_pylist()}
    for row in of.designs:
        assert row["arm"] == ARMS[ordinals[row["scene_id"]] % 4]
        assert (row["triplet"] is None) == (row["arm"] == "random")
    statistics = [each["typical"][1]["statistic"] for each in triplets()]
    assert statistics == ["frequency", "max", "avg", "max_avg", "avg_min", "max_min"]


def test_arms_differ_in_one_thing_and_what_is_expected_is_in_one_alone() -> None:
    for arms in triplets():
        shown = {arm: labels(scene) for arm, (scene, _) in arms.items()}
        a, b, c = (shown[arm] for arm in ARMS[:3])
        assert a[1:] == b[1:] and a[0] != b[0]
        assert a[:1] + a[2:] == c[:1] + c[2:] and a[1] != c[1]
        rows = [row for _, row in arms.values()]
        (expected,) = {row["expected"] for row in rows}
        assert expected == c[1] and expected not in (*a, *b)
        assert [row["anchor"] for row in rows] == [a[0], b[0], c[0]]
        assert [row["shown"] for row in rows] == [a[1], a[1], c[1]]
        assert {row["support"] >= 20 for row in rows} == {True}


def test_only_the_anchor_speaks_for_what_is_expected() -> None:
    for arms in triplets():
        (scene, row), (other, _) = arms["untypical"], arms["unassociated"]
        anchor, *rest = (STOCK.by_label[label] for label in labels(scene))
        expected = STOCK.by_label[row["expected"]]
        assert expected in KNOWN.expected(anchor)
        assert rest[0] in KNOWN.rare(anchor, row["statistic"])
        for kind in (*rest, STOCK.by_label[labels(other)[0]]):
            assert not KNOWN.linked(kind, expected)
            assert STOCK.apart(kind, [expected])
        barred = STOCK.shown(scene["background"], scene["style"])
        assert expected in STOCK.pool(barred=barred)


def test_scenes_are_without_what_is_expected_with_any_chosen_thing() -> None:
    own = {"association": {"expected": "all"}}
    params = params_of(24, subsets=OBJECTS, **own)
    suite = suite_of(params)
    planned = suite.scenes(params, vocabulary(), 0, 24).to_pylist()
    designs = suite.designs(params, vocabulary(), 0, 24).to_pylist()
    known = associated(Associating.model_validate(own["association"]), STOCK).selection
    scenes = {row["scene_id"]: labels(row) for row in planned}
    rows = [row for row in designs if row["arm"] == "untypical"]
    assert len(rows) == 6
    for row in rows:  # all our associations are of things that are drawn: O is that of selections
        chosen = known.anchors(row["statistic"])[:20]
        lacks = {each for anchor in chosen for each in known.most(anchor.object)}
        assert len(chosen) == 20 and known.lacking(row["anchor"], chosen) == lacks
        assert not lacks & {*scenes[row["scene_id"]]}


def test_what_is_expected_with_things_that_are_not_chosen_may_be_there(tmp_path: Path) -> None:
    together = {"piano": {"violin": 9, "cat": 1}, "dog": {"cat": 5, "egg": 1}}
    rows = [f"{o},10,object,{f},{n}" for o, of in together.items() for f, n in of.items()]
    head = "object,images,kind,feature,together"
    (tmp_path / "few.csv").write_text("\n".join([head, *rows]) + "\n")
    own = {"source": str(tmp_path / "few.csv"), "support": 1, "features": 1, "expected": "all"}
    first, both = (
        associated(Associating.model_validate(own | {"anchors": n}), STOCK) for n in (1, 2)
    )
    piano, cat, violin = (STOCK.by_label[label] for label in ("piano", "cat", "violin"))
    # A piano is seen with others ten times, a dog six times: of one chosen thing H is the violin.
    assert [anchor.object for anchor, _ in first.anchors("frequency")] == ["piano"]
    assert first.avoided(piano, "frequency") == {violin.number}
    assert first.rare(piano, "frequency") == [cat]
    # Of both it is the violin and the cat, and nothing is left that a piano may stand with.
    assert both.avoided(piano, "frequency") == {violin.number, cat.number}
    assert [anchor.object for anchor, _ in both.anchors("frequency")] == ["dog"]


def test_what_is_expected_is_no_part_of_the_other_pictures_truth() -> None:
    of = described(24, subsets=OBJECTS)
    for row in of.designs:
        if row["arm"] in ("untypical", "unassociated"):
            forms = {
                form
                for each in of.truth[row["scene_id"]]
                if each["kind"] == "object"
                for form in each["forms"]
            }
            assert row["expected"].lower() not in forms


def test_the_three_have_one_layout_one_background_and_one_question() -> None:
    of = described(24, subsets=OBJECTS)
    asked = {row["scene_id"]: row["question"] for row in of.asked("free_form")}
    for arms in triplets():
        centers, settings, words = [], set(), set()
        for scene, _ in arms.values():
            boxes = {one.object.id: one.seen.box for one in of.world(scene).things if one.seen}
            centers.append({name: box.center for name, box in boxes.items()})
            settings.add((scene["background"], scene["style"]))
            words.add(asked[scene["scene_id"]])
        assert len(settings) == len(words) == 1
        for other in centers[1:]:
            assert {*other} == {*centers[0]}
            for name, (x, y) in centers[0].items():
                assert abs(x - other[name][0]) < 0.01 and abs(y - other[name][1]) < 0.01


def test_a_scene_at_random_tells_what_would_be_expected() -> None:
    of = described(24, subsets=OBJECTS)
    rows = {row["scene_id"]: row for row in of.scenes.to_pylist()}
    found = [row for row in of.designs if row["arm"] == "random" and row["expected"]]
    assert found
    for row in found:
        there = labels(rows[row["scene_id"]])
        assert row["anchor"] in there and row["expected"] not in there
        anchor, expected = (STOCK.by_label[row[name]] for name in ("anchor", "expected"))
        assert KNOWN.share(anchor, expected) > 0


def test_without_a_design_all_scenes_are_at_random() -> None:
    params = params_of(8, subsets=OBJECTS, design=False)
    suite = suite_of(params)
    scenes = suite.scenes(params, vocabulary(), 0, 8).to_pylist()
    assert {row["pair"] for row in scenes} == {None}
    designs = suite.designs(params, vocabulary(), 0, 8).to_pylist()
    assert {row["arm"] for row in designs} == {"random"}


def test_a_source_that_is_another_makes_another_snapshot() -> None:
    own = Hallucinating.model_validate({"association": {"source": "data/elsewhere"}})
    assert own.folders() == ("data/elsewhere", "data/drawings")
