"""Scenes to be described: what each subset shows, what is owed of it, what is asked."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from lvlmbench import tables
from lvlmbench.analysis.hallucination.probes import NEGATIVES, Probe, probe_of
from lvlmbench.scene.claims import KINDS, Tally, tally
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.relations import spot_of
from lvlmbench.scene.truth import from_rows, measured_of
from lvlmbench.stages.judge.judge import JUDGES, Answer
from lvlmbench.suites.suite import suite_of
from lvlmbench.suites.valor.scenes import subset_of
from support.render_scenes import vocabulary
from support.valor_scenes import SUBSETS, described, params_of


def test_nearly_all_scenes_are_drawn_and_asked_about() -> None:
    of = described()
    assert len(of.refused) <= 1, of.refused
    asked = Counter(row["subtask"] for row in of.asked("free_form"))
    assert {*asked} == {*SUBSETS} and min(asked.values()) >= 7, asked


@pytest.mark.parametrize("subset", SUBSETS)
def test_what_is_owed_is_what_is_asked_for(subset: str) -> None:
    of, about = described(), subset_of(subset)
    kinds = Counter[str]()
    for scene in of.of(subset):
        rows = of.truth[scene["scene_id"]]
        assert all(row["closed"] for row in rows)
        owed = [row for row in rows if not row["optional"]]
        assert all(about.owes.names(row["kind"], row["relation"]) for row in owed)
        assert all(about.scope.names(row["kind"], row["relation"]) for row in owed)
        kinds.update(row["kind"] for row in owed)
    assert {*kinds} == {*about.owes.kinds}
    assert suite_of(of.params).scopes(of.params)[subset] == about.scope


def test_a_row_depends_on_its_ordinal_alone() -> None:
    known = vocabulary()
    few, more = params_of(3), params_of(9)
    suite = suite_of(few)
    every = {row["scene_id"]: row for row in suite.scenes(more, known, 0, 45).to_pylist()}
    for row in suite.scenes(few, known, 2, 13).to_pylist():
        assert every[row["scene_id"]] == row
    designs = {row["scene_id"]: row for row in suite.designs(more, known, 0, 45).to_pylist()}
    for row in suite.designs(few, known, 1, 3).to_pylist():
        assert designs[row["scene_id"]] == row


def test_objects_are_different_and_each_is_owed_once() -> None:
    of = described()
    for scene in of.of("valor_objects"):
        labels = [thing["label"] for thing in scene["objects"]]
        assert 3 <= len(labels) == len({*labels}) <= 7
        assert scene["background"] is not None
        owed = [row["subject"] for row in of.truth[scene["scene_id"]] if not row["optional"]]
        assert Counter(owed) == Counter(label.lower() for label in labels)


def test_colored_things_stand_in_rows_in_the_order_in_which_they_are_listed() -> None:
    of, doubles = described(), 0
    for scene in of.of("valor_attributes"):
        world, things = of.world(scene), scene["objects"]
        places = {one.object.id: one.seen.box.center for one in world.things if one.seen}
        lines = [(places[t["id"]][1] > 0.6, places[t["id"]][0]) for t in things]
        assert 2 <= len(things) <= 8 and lines == sorted(lines)
        pairs = Counter((thing["label"], thing["color"]) for thing in things)
        assert max(pairs.values()) == 1
        doubles += len(pairs) - len({label for label, _ in pairs})
        owed = [
            (row["about"], row["value"])
            for row in of.truth[scene["scene_id"]]
            if not row["optional"]
        ]
        assert owed == [(thing["id"], thing["color"]) for thing in things]
    assert doubles > 2


def test_people_are_no_two_alike() -> None:
    for scene in described().of("valor_people"):
        people = [thing["person"] for thing in scene["objects"]]
        assert 2 <= len(people) <= 6
        told = [
            (p["age"], p["gender"], str(p["garments"]), p["action"]) for p in people
        ]  # fmt: skip
        assert len({*told}) == len(people)
        assert all(3 <= len(person["garments"]) <= 5 for person in people)


def test_all_positions_that_were_planned_hold_and_are_owed() -> None:
    of, seen = described(20, subsets=("valor_positions",)), Counter[str]()
    for scene in of.of("valor_positions"):
        relations = [row for row in of.truth[scene["scene_id"]] if not row["optional"]]
        assert 3 <= len(scene["objects"]) <= 5
        assert len(relations) == len(scene["relations"]) >= len(scene["objects"]) - 2
        seen.update(row["relation"] for row in relations)
    assert {"left_of", "right_of", "above", "below", "on"} <= {*seen}
    assert seen["in_front_of"] + seen["behind"] > 2, seen


def test_sizes_fall_clearly_with_the_world_and_against_it() -> None:
    of, priors = described(20, subsets=("valor_sizes",)), Counter[str | None]()
    ordinals = {row["scene_id"]: row["ordinal"] for row in of.scenes.to_pylist()}
    asked = of.asked("free_form")
    assert len(asked) >= 16
    for question in asked:
        scene_id = question["scene_id"]
        rows = of.layouts[scene_id]
        areas = [row["pixels"] for row in sorted(rows, key=lambda r: str(r["object"]))]
        assert 4 <= len(areas) <= 7
        assert all(one >= 1.4 * other for one, other in pairwise(areas))
        ranks = [row for row in of.truth[scene_id] if not row["optional"]]
        assert [row["value"] for row in ranks] == [str(n + 1) for n in range(len(areas))]
        priors[question["factors"]["prior"]] += 1
        expected = ("with", "against")[ordinals[scene_id] % 2]
        assert question["factors"]["prior"] == expected
    assert {*priors} == {"with", "against"} and abs(priors["with"] - priors["against"]) <= 3


def test_the_reference_says_all_that_is_owed_and_nothing_else() -> None:
    """Read by the embedded judge, whose errors are few."""
    of, found = described(), {name: Tally() for name in SUBSETS}
    suite, spec = suite_of(of.params), of.params.judge.judges[0]
    judge = JUDGES.get(spec.engine, "judge")(of.params, spec)
    scenes = {row["scene_id"]: row for row in of.scenes.to_pylist()}
    given, subset = [], {}
    for row in of.asked("free_form"):
        scene = scenes[row["scene_id"]]
        graph, layout = Graph.of(scene), of.layouts[row["scene_id"]]
        measured = measured_of(graph, layout, of.params.render.size)
        truth = from_rows(of.truth[row["scene_id"]], measured)
        given.append(Answer(row["question_id"], row["question"], row["answer"], truth))
        subset[row["question_id"]] = row["subtask"]
    read = [(answer, reading.claims) for answer, reading in judge.read(given)]
    claims = {answer.key: said for answer, said in read}
    for answer, holding in judge.hold(read):
        name = subset[answer.key]
        scope = suite.scopes(of.params)[name]
        found[name] += tally(claims[answer.key], holding.matches, answer.truth, scope)
    for name, sums in found.items():
        assert sums.owed > 10, name
        assert (sums.coverage or 0) >= 0.9 and (sums.faithfulness or 0) >= 0.9, (name, sums)


def test_a_description_is_asked_for_without_a_limit_of_length() -> None:
    of = described()
    suite = suite_of(of.params)
    row = of.asked("free_form")[0]
    assert suite.prompt(of.params, "free_form", row["question"], ()) == row["question"]
    closed = of.asked("true_false")[0]
    said = suite.prompt(of.params, "true_false", closed["question"], closed["options"])
    assert said.startswith(closed["question"]) and "(A) " in said
    questions, free = suite.planned(of.params)
    assert (questions, free) == (2 * 40 + 8 * 6, 40) and len(of.questions) <= questions
    wordings = {row["question"] for row in of.asked("free_form")}
    assert len(wordings) > 10


def test_probes_are_true_of_what_is_there_and_false_of_what_nothing_can_be_taken_for() -> None:
    of, sorts, asked = described(), Counter[Probe](), defaultdict[str, list[str]](list)
    for row in of.asked("true_false"):
        probe = probe_of(row["key"])
        assert probe is not None
        sorts[probe] += 1
        asked[row["scene_id"]].append(row["claim"])
        forms = {
            form
            for feature in of.truth[row["scene_id"]]
            if feature["kind"] == KINDS[0]
            for form in feature["forms"]
        }
        assert row["answer"] == str(probe.there) == row["options"][row["answer_index"]]
        assert (row["claim"].lower() in forms) == probe.there
        assert row["claim"] in row["question"]
    assert all(len(claims) == len({*claims}) for claims in asked.values())
    for negatives in NEGATIVES:
        assert sorts[Probe(negatives, True)] == sorts[Probe(negatives, False)]
    assert sorts[Probe("random", True)] == sorts[Probe("popular", True)] == 8
    assert 1 <= sorts[Probe("adversarial", True)] <= 8


def test_a_scene_has_as_many_probes_as_it_shows_things_for() -> None:
    """One of each sort and its partner, two where six things or more are there."""
    of, params = described(), params_of(8, probes=2)
    layouts = tables.LAYOUTS.of([row for rows in of.layouts.values() for row in rows])
    asked = suite_of(params).questions(params, vocabulary(), of.scenes, layouts).to_pylist()
    found = Counter((row["scene_id"], probe_of(row["key"])) for row in asked)
    most = set()
    for scene in of.of("valor_objects"):
        pairs = min(2, len(scene["objects"]) // 3)
        most.add(pairs)
        for negatives in NEGATIVES:
            there, away = (found[scene["scene_id"], Probe(negatives, yes)] for yes in (True, False))
            assert there == away == pairs or (there == away < pairs and negatives != NEGATIVES[0])
    assert most == {1, 2}


def test_spots_are_where_centers_are_measured() -> None:
    of = described()
    for subset in ("valor_objects", "valor_attributes"):
        for scene in of.of(subset):
            spots = {each["subject"]: spot_of(each["predicate"]) for each in scene["relations"]}
            for one in of.world(scene).things:
                assert one.seen is not None
                away = [
                    abs(at - to / 100)
                    for at, to in zip(one.seen.box.center, spots[one.object.id] or (), strict=True)
                ]
                assert max(away) < 0.03, (scene["scene_id"], one.object.label, away)
            for row in of.layouts[scene["scene_id"]]:
                assert [each["holds"] for each in row["relations"]] == [True]
