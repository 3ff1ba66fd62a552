"""What is going to be asked and what that may cost, told before anything is spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lvlmbench.core.amounts import amount
from lvlmbench.stages.answer.chat.protocol import most_tokens
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import CHARACTERS_A_TOKEN, Item, usual_tokens
from lvlmbench.stages.requests.budget import dollars

#: Characters that a prompt has more that asks to mend a reply, at most.
REPAIR = 5000


@dataclass(frozen=True)
class Plan:
    """What is going to be asked.

    Attributes
    ----------
    label
        Of whom, and for what.
    requests, known
        Requests in all, and those of them that need no call.
    least, most
        Calls.
    usd
        What they cost at most, as far as one can tell before; None where no price is known.
    """

    label: str
    requests: int
    known: int
    least: int
    most: int
    usd: float | None

    @property
    def line(self) -> str:
        """E.g. ``judge: claims: 50 requests, 20 known; 30 to 90 calls, at most about $1.20``."""
        known = f", {self.known:,} known" if self.known else ""
        calls = f"{self.least:,}" if self.most == self.least else f"{self.least:,} to {self.most:,}"
        noun = "call" if self.most == 1 else "calls"
        cost = "no price is known" if self.usd is None else f"at most about {dollars(self.usd)}"
        asked = amount(self.requests, "request")
        return f"{self.label}: {asked}{known}; {calls} {noun}, {cost}"


def plan_of(
    label: str,
    requests: int,
    known: int,
    left: Sequence[tuple[Item, int]],
    endpoint: Endpoint | None,
) -> Plan:
    """Return the plan for what is left.

    Parameters
    ----------
    requests, known
        Requests in all, and those of them that need no call.
    left
        What is asked next, each request once, and how many calls it may take.
    endpoint
        Says what tokens cost; None for an engine without one.
    """
    usd = None
    if endpoint is not None and endpoint.price_per_million is not None:
        sent, received = endpoint.price_per_million
        longest = most_tokens(endpoint)
        usd = 0.0
        for item, calls in left:
            prompt = usual_tokens(item) * calls + REPAIR / CHARACTERS_A_TOKEN * (calls - 1)
            usd += (prompt * sent + longest * calls * received) / 1e6
    most = sum(calls for _, calls in left)
    return Plan(label, requests, known, len(left), most, usd)
