"""The right description of drawn scenes scores 100, and nothing that is left out or added does."""

from __future__ import annotations

import json

import pytest

from lvlmbench.scene.claims import Tally, tally
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth import from_rows, measured_of
from lvlmbench.scene.truth.names import names_of
from lvlmbench.stages.judge.judge import Answer
from lvlmbench.stages.judge.kinds.form.judge import FormJudge
from lvlmbench.suites.suite import suite_of
from support.render_scenes import vocabulary
from support.valor_scenes import SUBSETS, described


@pytest.mark.parametrize("subset", SUBSETS)
def test_the_reference_is_perfect(subset: str) -> None:
    of = described()
    judge = FormJudge(names_of(vocabulary(), "pictograph"))
    scope, total, less = suite_of(of.params).scopes(of.params)[subset], Tally(), Tally()
    scenes = {row["scene_id"]: row for row in of.of(subset)}
    for row in of.asked("structured"):
        if row["subtask"] == subset:
            layout = of.layouts[row["scene_id"]]
            graph = Graph.of(scenes[row["scene_id"]])
            truth = from_rows(
                of.truth[row["scene_id"]], measured_of(graph, layout, of.params.render.size)
            )
            answer = json.loads(row["answer"])
            total += scored(judge, answer, truth, scope)
            list_of = "relations" if "relations" in answer else next(iter(answer))
            less += scored(judge, {**answer, list_of: answer[list_of][1:]}, truth, scope)
    assert total.faithfulness == total.coverage == 1 and total.unverifiable == 0
    assert less.faithfulness == 1 and (less.coverage or 0) < 1


def scored(judge: FormJudge, answer: dict, truth, scope) -> Tally:
    given = Answer("k", "q", json.dumps(answer), truth)
    [(_, reading)] = judge.read([given])
    [(_, holding)] = judge.hold([(given, reading.claims)])
    return tally(reading.claims, holding.matches, truth, scope)
