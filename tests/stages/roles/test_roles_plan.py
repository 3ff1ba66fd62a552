"""What is going to be asked, and what it may cost, in one line."""

from __future__ import annotations

import dataclasses

import pytest

from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.roles.plan import REPAIR, plan_of
from support.answer_tables import endpoint, item


def at(**changes: object) -> Endpoint:
    return Endpoint.model_validate(endpoint("http://h/v1", "m", **changes))


ASKED = dataclasses.replace(item(1), image=None, prompt="x" * 3000)


def test_costs_are_those_of_the_most_calls() -> None:
    priced = at(price_per_million=(2.0, 10.0), sampling={"max_tokens": 500})
    plan = plan_of("gpt", 1, 0, [(ASKED, 1)], priced)
    assert plan.usd == pytest.approx((1000 * 2 + 500 * 10) / 1e6)
    plan = plan_of("gpt", 1, 0, [(ASKED, 3)], priced)
    assert plan.usd == pytest.approx(((3 * 1000 + 2 * REPAIR / 3) * 2 + 3 * 500 * 10) / 1e6)
    pictured = dataclasses.replace(ASKED, image=b"\x89PNG")
    more = plan_of("gpt", 1, 0, [(pictured, 3)], priced)
    assert more.usd is not None and plan.usd is not None and more.usd > plan.usd


@pytest.mark.parametrize(
    ("requests", "known", "left", "changes", "line"),
    [
        (1, 0, [1], {}, "gpt: 1 request; 1 call, no price is known"),
        (9, 7, [3, 2], {}, "gpt: 9 requests, 7 known; 2 to 5 calls, no price is known"),
        (
            4000, 0, [3] * 4000, {"price_per_million": (0.0, 1.0)},
            "gpt: 4,000 requests; 4,000 to 12,000 calls, at most about $6.1440",
        ),
    ],
)  # fmt: skip
def test_a_line_says_how_many(
    requests: int, known: int, left: list[int], changes: dict[str, object], line: str
) -> None:
    plan = plan_of("gpt", requests, known, [(ASKED, calls) for calls in left], at(**changes))
    assert plan.line == line
    assert plan_of("gpt", 1, 0, [(ASKED, 1)], None).usd is None
