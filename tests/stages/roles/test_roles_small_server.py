"""Requests that are bound to a schema, asked of a real server that holds replies to its grammar.

Grammars say less than forms do, and a reply may be cut off: what breaks a rule is malformed. That
nothing invalid is accepted is tested here; whatever is accepted is still nonsense.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

from lvlmbench.scene.claims import Claim, Feature
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.judge.served.forms import SaidMatches, SaidScores, check_matches
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.stages.roles.replies import schema_text
from lvlmbench.stages.roles.request import Outcome, Request
from lvlmbench.stages.roles.templates import Template
from support.answer_tables import openai_params
from support.server.small_server import MODEL, counted

#: Requests, each with one repair.
MANY = 200 if os.environ.get("LVLMBENCH_LONG") else 6

FEATURES = (Feature("o1", "object", "dog"), Feature("o2", "object", "cat"))
#: Ours are long, and this model reads a hundred words a second.
MATCHES = Template("matches", 1, "0" * 64, "", "here")
SCORES = Template("pair", 1, "0" * 64, "", "here")
THINGS = ("dog", "cat", "bird", "tree", "car")


def request(n: int) -> Request:
    """Matches and scores by turns, each with an example that the model may well repeat."""
    thing = f"{THINGS[n % 5]} {n}"
    if n % 2:
        prompt = f"Rate {thing}, e.g. " + '{"first": 3, "second": 7, "why": "no"}'
        return Request(thing, SCORES, prompt, SaidScores, lambda said: None)
    claims = [Claim(k, "object", thing) for k in range(1 + n % 4 // 2)]
    example = {"claim": 0, "feature": 1, "verdict": "matched"}
    prompt = f"Match {thing}, e.g. " + json.dumps({"matches": [example]})
    return Request(thing, MATCHES, prompt, SaidMatches, check_matches(claims, FEATURES))


REQUESTS = [request(n) for n in range(MANY)]


def asker(url: str, folder: Path) -> Asker:
    """What asks the small server, with samples that differ."""
    sampling = {"temperature": 1.0, "seed": 5, "max_tokens": 64}
    params = openai_params(url, MODEL, api_key_env=None, timeout_s=600, sampling=sampling)
    model = MODELS.get("openai_chat", "test")(params, params.answer.models[0], {})
    return Asker(model, "judge small", 1, folder / "answers.sqlite")


def check(requests: list[Request], outcomes: list[Outcome], replies: dict[str, str]) -> None:
    """What was accepted is of the schema, which another package says, and obeys the rules."""
    for each, outcome in zip(requests, outcomes, strict=True):
        if outcome.status == "answered":
            said = json.loads(replies[each.request_id])
            jsonschema.validate(said, json.loads(schema_text(each.form)))
            assert said == outcome.value.model_dump() and each.check(outcome.value) is None
        else:
            assert outcome.status == "malformed" and outcome.value is None and outcome.why


@pytest.mark.long
def test_nothing_invalid_is_accepted(small_server: str, tmp_path: Path) -> None:
    before, first = counted(small_server), asker(small_server, tmp_path)
    outcomes = first.ask(REQUESTS)
    rows = first.rows
    check(REQUESTS, outcomes, {row["request_id"]: row["reply"] for row in rows})
    statuses = Counter(outcome.status for outcome in outcomes)
    assert sum(statuses.values()) == MANY and set(statuses) <= {"answered", "malformed"}
    assert statuses["answered"] and {row["structured"] for row in rows} == {"json_schema"}
    assert len(rows) == MANY + sum(
        row["call"] == 0 and row["status"] == "malformed" for row in rows
    )
    now = counted(small_server)
    sent, received = (sum(r[f"{kind}_tokens"] for r in rows) for kind in ("prompt", "completion"))
    assert sent == now["prompt_tokens_total"] - before["prompt_tokens_total"]
    assert received == now["tokens_predicted_total"] - before["tokens_predicted_total"]
    complaints = Counter(row["complaint"] for row in rows if row["complaint"])
    print(f"{dict(statuses)} in {len(rows)} calls; {complaints.most_common(9)}")
    again = asker(small_server, tmp_path)
    assert again.ask(REQUESTS) == outcomes and counted(small_server) == now
