"""A drawn exam on disk, and an examiner that is a server of the tests' own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.examiner import run
from lvlmbench.stages.requests.budget import Ledger
from support.answer_tables import SERVER, endpoint
from support.exam.made import Exam, drawn, params_of

EXAMINER_SERVER = SERVER.with_name("examiner_server.py")
PRICE = (10.0, 100.0)
#: US dollars of a reply of that server.
COST = (100 * PRICE[0] + 10 * PRICE[1]) / 1e6
Row = dict[str, Any]

#: Aspects with relations, people, numbers and colors, and one that no family asks about.
ONLY = ("left_and_right", "foremost_thing", "worn_garments", "counting", "irony")
REQUESTS = ("spatial_understanding", "basic_understanding", "semantic_understanding")


@cache
def small_exam(rounds: int = 2) -> Exam:
    """An exam of so many pictures of each of some aspects and levels."""
    plain = params_of(requests=REQUESTS, size=256, only=list(ONLY))
    aspects = {"spatial_understanding": 2, "basic_understanding": 2, "semantic_understanding": 1}
    scenes = {name: 3 * n * rounds for name, n in aspects.items()}
    corpus = plain.corpus.model_copy(update={"scenes": scenes})
    return drawn(plain.model_copy(update={"corpus": corpus}))


def with_examiner(params: Params, *names: str, section: Mapping[str, Any], **keys: Any) -> Params:
    """The same parameters with examiners of these names at one endpoint."""
    examiners = [{"name": n, "engine": "openai_chat", "endpoint": dict(section)} for n in names]
    given = params.model_dump(mode="json", exclude_unset=True)
    return validate({**given, "examiner": {"examiners": examiners, **keys}})


def at(url: str, **changes: Any) -> dict[str, Any]:
    """The section of an endpoint at this server, with prices."""
    more = {"api_key_env": None, "price_per_million": PRICE, "retries": 4}
    return endpoint(url, "m", **(more | changes))


def on_disk(exam: Exam, folder: Path) -> run.Files:
    """Write what an examiner reads, scenes in two shards."""
    half = len(exam.scenes) // 2
    scenes = [folder / f"scenes-{n}.parquet" for n in range(2)]
    for path, rows in zip(scenes, (exam.scenes[:half], exam.scenes[half:]), strict=True):
        tables.write(rows, path, tables.SCENES, "s")
    layouts = folder / "layouts.parquet"
    tables.write(exam.layouts, layouts, tables.LAYOUTS, "s")
    return run.Files(scenes, [layouts])


def proposed(params: Params, files: run.Files, folder: Path, name: str = "gpt") -> run.Outs:
    """Have an examiner write questions; returns the files."""
    outs = run.Outs(folder / "proposals.parquet", folder / "exam_requests.parquet")
    run.propose_files(params, name, files, outs, folder / "answers.sqlite")
    return outs


def rows(outs: run.Outs) -> tuple[list[Row], list[Row]]:
    """The rows of both tables."""
    return (
        tables.read([outs.proposals], tables.PROPOSALS).to_pylist(),
        tables.read([outs.requests], tables.EXAM_REQUESTS).to_pylist(),
    )


def proposals(outs: run.Outs) -> pa.Table:
    """The table of proposals."""
    return tables.read([outs.proposals], tables.PROPOSALS)


def spent(params: Params, folder: Path) -> float:
    """US dollars that the ledger knows of."""
    found = params.examiner.examiners[0].find(Endpoint)
    assert found is not None
    return Ledger(folder / "spent", found.base_url, found.model).spent()


def of_rows(requests: list[Row]) -> float:
    """US dollars that rows tell of, each request once."""
    costs = {row["request_sha256"]: row["cost_usd"] or 0.0 for row in requests}
    return sum(costs.values())
