"""Who says all that is annotated in a user's own copy of VALOR-Bench: by our measures, and by the
released code's arithmetic."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.analysis.hallucination.told import Told
from lvlmbench.analysis.hallucination.totals import Number
from lvlmbench.scene.claims import Claim, Match
from lvlmbench.scene.truth import from_rows
from lvlmbench.suites.suite import suite_of
from support.own_copy import params, write
from support.render_scenes import vocabulary
from support.valor_checks.asked import measured, value

#: Faithfulness and coverage as released: three people wear six garments, of which three are left;
#: of five relations one has a paraphrase.
RELEASED = {
    "valor_objects": (100, 100),
    "valor_attributes": (100, 100),
    "valor_people": (100 * 3 / 6, 100 * 3 / 3),
    "valor_positions": (100, 100 * 6 / 5),
    "valor_sizes": (100, 100),
}


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[tuple[str, str], Number]]:
    """What the measures say of it, by subset."""
    folder: Path = write(tmp_path_factory.mktemp("own") / "copy")
    p = params(folder)
    suite = suite_of(p)
    scenes = suite.scenes(p, vocabulary(), 0, p.corpus.n_scenes)
    rows = defaultdict(list)
    for row in suite.truth(p, vocabulary(), scenes, tables.LAYOUTS.empty_table()).to_pylist():
        rows[row["scene_id"]].append(row)
    scopes, told = suite.scopes(p), defaultdict(list)
    for scene in scenes.to_pylist():
        truth = from_rows(rows[scene["scene_id"]])
        owed = [each for each in truth.features if not each.optional]
        claims = [
            Claim(n, f.kind, f.subject, f.relation, f.object, f.value, start=n)
            for n, f in enumerate(owed)
        ]
        matches = [Match(n, f.feature, "matched", "word") for n, f in enumerate(owed)]
        scope = scopes[scene["subtask"]]
        told[scene["subtask"]].append(Told(scene["scene_id"], claims, matches, truth, scope))
    return {name: measured(each) for name, each in told.items()}


@pytest.mark.parametrize("name", RELEASED)
def test_an_oracle_is_right_and_whole(
    oracle: dict[str, dict[tuple[str, str], Number]], name: str
) -> None:
    found = oracle[name]
    assert value(found, "faithfulness") == value(found, "coverage") == 100
    told = value(found, "released_faithfulness"), value(found, "released_coverage")
    assert told == pytest.approx(RELEASED[name])


def test_an_oracle_has_the_order(oracle: dict[str, dict[tuple[str, str], Number]]) -> None:
    found = oracle["valor_sizes"]
    assert (value(found, "order_lis"), value(found, "order_tau")) == (100, 1)
