"""Many answers before a judge that is a server of the tests' own, and what it must say of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lvlmbench.config import validate
from lvlmbench.config.sections import Params
from lvlmbench.scene.claims import Claim, Feature, Match, Truth
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.judge.judge import Answer, Comparison, Holding, Judge, Pair, Rating, Reading
from lvlmbench.stages.judge.making import judge_of
from lvlmbench.stages.requests.budget import Ledger
from support.answer_tables import SERVER, endpoint

SCHEMA_SERVER = SERVER.with_name("schema_server.py")
TRUTH = Truth((Feature("o1", "object", "dog"), Feature("o1.color", "attribute", "dog", "color")))
#: What a judge may say.
Said = Reading | Holding | Comparison | Rating
PRICE = (10.0, 100.0)
#: US dollars of a reply of that server.
COST = (100 * PRICE[0] + 10 * PRICE[1]) / 1e6


def judging(url: str, repairs: int = 2, **changes: Any) -> Params:
    """Parameters with one judge called ``gpt`` at this server."""
    section = endpoint(
        url, "m", **({"api_key_env": None, "price_per_million": PRICE, "retries": 4} | changes)
    )
    judge = {"name": "gpt", "engine": "openai_chat", "endpoint": section}
    return validate({"judge": {"judges": [judge], "repairs": repairs}})


def judge_at(url: str, cache: Path, repairs: int = 2, **changes: Any) -> Judge:
    """The judge of these parameters."""
    return judge_of(judging(url, repairs, **changes), "gpt", cache)


def answers(n: int) -> list[Answer]:
    """So many answers, each with another first word."""
    return [Answer(f"a{k}", "What is there?", f"Dog{k} beside a cat", TRUTH) for k in range(n)]


def claims(k: int) -> tuple[Claim, ...]:
    """One to four claims of an answer."""
    return tuple(Claim(c, "object", f"thing{c}", end=3) for c in range(1 + k % 4))


def judge_all(judge: Judge, n: int) -> dict[str, Said]:
    """Have a judge read, hold, compare and rate: about ``n`` requests in all, a quarter of each."""
    some = answers(n // 4)
    found: dict[str, Said] = {}
    found |= {f"read {a.key}": reading for a, reading in judge.read(some)}
    with_claims = [(answer, claims(k)) for k, answer in enumerate(some)]
    found |= {f"hold {a.key}": holding for a, holding in judge.hold(with_claims)}
    pairs = [Pair(a.key, a.question, a.text, "A cat", TRUTH) for a in some]
    found |= {f"compare {p.key}": comparison for p, comparison in judge.compare(pairs)}
    found |= {f"rate {a.key}": rating for a, rating in judge.rate(some)}
    return found


def truths(n: int) -> dict[str, Said]:
    """What the server's good replies say; everything else that is accepted was broken."""
    found: dict[str, Said] = {}
    for k, answer in enumerate(answers(n // 4)):
        word = answer.text.split()[0]
        claim = Claim(0, "object", word.lower(), end=len(word))
        found[f"read {answer.key}"] = Reading("judged", (claim,))
        matches = (Match(c.number, None, "unverifiable", "request") for c in claims(k))
        found[f"hold {answer.key}"] = Holding("judged", tuple(matches))
        found[f"compare {answer.key}"] = Comparison("judged", 7, 4, reasons="one is better")
        found[f"rate {answer.key}"] = Rating("judged", 7)
    return found


def paid(url: str, cache: Path) -> float:
    """US dollars that the ledger knows of."""
    found = judging(url).judge.judges[0].find(Endpoint)
    assert found is not None
    return Ledger(cache.parent / "spent", found.base_url, found.model).spent()


def of_rows(judge: Judge) -> float:
    """US dollars that the judge's rows tell of, each request once."""
    costs = {row["request_sha256"]: row["cost_usd"] or 0.0 for row in judge.requests}
    return sum(costs.values())
