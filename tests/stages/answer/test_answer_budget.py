"""What a model has cost, a budget that stops and resumes, and a model that takes no request."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.answering import answer_items
from lvlmbench.stages.answer.asking_on import MOST_FAILURES, MOST_REJECTED
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import Item, Reply
from lvlmbench.stages.answer.requests.cache import AnswerCache
from lvlmbench.stages.requests.budget import Budget, Ledger, dollars
from support.answer_tables import (
    KEY,
    item,
    openai_params,
    running_server,
    stats,
    write_shard,
)

Command = Callable[..., "subprocess.CompletedProcess[str]"]

#: The test server reports 100 and 10 tokens: a reply costs two cents.
PRICE = (100.0, 1000.0)


class Engine:
    """Answers what it is fed, ``window`` items at once, by a function of the item."""

    cached = True
    parameters: dict[str, object] = {}  # noqa: RUF012

    def __init__(self, reply: Callable[[Item], Reply], window: int = 1) -> None:
        self.reply, self.window = reply, window
        self.asked: list[str] = []

    def request_sha256(self, item: Item) -> str:
        return item.prompt

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        source = iter(items)
        flight: list[Item] = []
        while True:
            while len(flight) < self.window and (each := next(source, None)) is not None:
                flight.append(each)
                self.asked.append(each.prompt)
            if not flight:
                return
            each = flight.pop()
            yield each, self.reply(each)


def paid(item: Item) -> Reply:
    return Reply("(A)", "answered", prompt_tokens=100, completion_tokens=10, cost_usd=0.5)


def budget(folder: Path, usd: float | None) -> Budget:
    return Budget(Ledger(folder / "spent", "http://h/v1/", "x"), usd)


def spent(folder: Path) -> float:
    return Ledger(folder / "spent", "http://h/v1", "x").spent()


def _add(folder: Path, times: int, together: Barrier | None = None) -> None:
    ledger = Ledger(folder / "spent", "http://h/v1", "x")
    if together is not None:
        together.wait(300)
    for _ in range(times):
        ledger.add(0.25)


def test_a_ledger_adds_up_over_processes(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(3)
    workers = [context.Process(target=_add, args=(tmp_path, 4000, together)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(300)
        assert worker.exitcode == 0
    assert spent(tmp_path) == 3000
    assert Ledger(tmp_path / "spent", "http://h/v1", "y").spent() == 0
    assert Ledger(tmp_path / "spent", "http://other/v1", "x").spent() == 0


@pytest.mark.parametrize(
    "text", ["\0" * 60, "{", "[]", '{"spent_usd": "much"}', '{"usd": 1}', "null"]
)
def test_a_damaged_ledger_is_one_line(tmp_path: Path, text: str) -> None:
    _add(tmp_path, 1)
    (path,) = (tmp_path / "spent").glob("*.json")
    path.write_text(text)
    with pytest.raises(UserError, match="is damaged; delete it, or write"):
        budget(tmp_path, 1.0)
    path.write_text('{"spent_usd": 3}')
    assert spent(tmp_path) == 3
    _add(tmp_path, 1)
    assert json.loads(path.read_text()) == {
        **{"spent_usd": 3.25, "base_url": "http://h/v1", "model": "x"}
    }
    path.write_text(f'{{"spent_usd": 7{" " * 500}}}\n\n')
    _add(tmp_path, 1)
    assert spent(tmp_path) == 7.25
    path.write_text("")  # its maker was killed then
    assert spent(tmp_path) == 0


def test_a_full_disk_leaves_the_sum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    _add(tmp_path, 1)
    (path,) = (tmp_path / "spent").glob("*.json")
    path.write_text('{"spent_usd": 3}')  # by hand
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        with pytest.raises(OSError, match="No space") as caught:
            _add(tmp_path, 1)
    assert caught.value.filename == str(path) and spent(tmp_path) == 3


@pytest.mark.parametrize(("latency", "stops"), [(100.0, False), (0.0, True), (None, True)])
def test_a_server_that_stands_still_once_stops_nothing(latency: float | None, stops: bool) -> None:
    """What was in flight when the first failed is one failure, however much it was."""
    failed = Reply("", "timeout", error="no reply", latency_s=latency)
    items = [item(n) for n in range(3 * MOST_FAILURES)]
    stuck = {i.prompt for i in items[: 2 * MOST_FAILURES]}
    engine = Engine(lambda i: failed if i.prompt in stuck else Reply("(A)", "answered"))
    if stops:
        with pytest.raises(UserError, match=f"{MOST_FAILURES} questions in a row failed"):
            answer_items(engine, items, None, "m/clean")
        assert len(engine.asked) == MOST_FAILURES
    else:
        replies = answer_items(engine, items, None, "m/clean")
        assert [r.status for r in replies].count("timeout") == len(stuck)


def test_dollars() -> None:
    given = (0, 5, 0.0123, 1234.5, 0.12345, 1e-6)
    said = ["$0.00", "$5.00", "$0.0123", "$1,234.50", "$0.1235", "$0.00"]
    assert [dollars(usd) for usd in given] == said


def test_a_budget_stops_and_goes_on_once_it_is_raised(tmp_path: Path) -> None:
    items = [item(n) for n in range(20)]
    engine = Engine(paid, window=4)
    path = tmp_path / "answers.sqlite"

    def run(usd: float | None) -> list[Reply]:
        with AnswerCache(path) as cache:
            return answer_items(engine, items, cache, "m/clean", budget(tmp_path, usd))

    with pytest.raises(UserError) as error:
        run(3.0)
    # Six replies reach it; three more were under way, and are kept.
    assert str(error.value) == (
        "model m/clean: $4.50 of its budget of $3.00 are spent, over all runs; of this shard's 20 "
        "questions 9 are answered and 11 are left; raise endpoint.budget_usd and run again: what "
        "was answered is not asked again"
    )
    assert len(engine.asked) == 9 and spent(tmp_path) == 4.5
    with pytest.raises(UserError, match=r"\$4.50 of its budget of \$4.50 are spent"):
        run(4.5)
    assert len(engine.asked) == 9  # nothing more
    assert len(run(100.0)) == 20
    assert sorted(engine.asked) == sorted({i.prompt for i in items})  # each once
    assert spent(tmp_path) == 10  # what was known is not counted again
    assert len(run(1.0)) == 20  # all known: no budget is needed
    assert spent(tmp_path) == 10


def test_without_a_budget_the_ledger_is_kept(tmp_path: Path) -> None:
    """So that a budget that is set later counts what was spent before."""
    answer_items(Engine(paid), [item(0), item(1)], None, "m", budget(tmp_path, None))
    assert spent(tmp_path) == 1
    with pytest.raises(UserError, match="0 are answered and 1 are left"):
        answer_items(Engine(paid), [item(2)], None, "m", budget(tmp_path, 1.0))


def test_only_models_with_prices_have_a_ledger(tmp_path: Path) -> None:
    def of(**changes: object) -> Budget | None:
        config = openai_params("http://h/v1", "x", **changes)
        return Budget.of(config.answer.models[0].find(Endpoint), tmp_path / "answers.sqlite")

    assert of() is None
    assert Budget.of(None, tmp_path) is None
    assert of(price_per_million=PRICE) is not None
    limited = of(price_per_million=PRICE, budget_usd=2.0)
    assert limited is not None and limited.state == "0% of $2.00"
    limited.take(0.5)
    assert limited.state == "25% of $2.00"
    nothing = of(price_per_million=PRICE, budget_usd=0.0)
    assert nothing is not None and nothing.reached() and nothing.state == "100% of $0.00"


def test_a_server_without_usage_cannot_have_a_budget(tmp_path: Path) -> None:
    """It is noticed at the first answer; what was under way is kept."""
    engine = Engine(lambda _: Reply("(A)", "answered"), window=3)
    items = [item(n) for n in range(20)]
    path = tmp_path / "answers.sqlite"
    with (
        pytest.raises(UserError, match=r"does not say how many tokens .* set endpoint.budget_usd"),
        AnswerCache(path) as cache,
    ):
        answer_items(engine, items, cache, "m/clean", budget(tmp_path, 3.0))
    assert len(engine.asked) == 3
    with AnswerCache(path) as cache:
        assert len(cache.get([i.prompt for i in items])) == 3
        assert len(answer_items(engine, items, cache, "m/clean", budget(tmp_path, None))) == 20


def rejected(item: Item) -> Reply:
    return Reply("", "error", error="HTTP 400: does not take images", rejected=True)


def test_a_model_that_takes_no_request_is_stopped() -> None:
    engine = Engine(rejected, window=4)
    with pytest.raises(UserError) as error:
        answer_items(engine, [item(n) for n in range(50)], None, "m/clean")
    line = str(error.value)
    assert line.startswith("model m/clean: its server takes no request as it is sent: HTTP 400: ")
    assert "\n" not in line and "endpoint.model" in line
    assert len(engine.asked) == MOST_REJECTED + 3  # and those under way
    for n in (1, 2):  # all there are
        with pytest.raises(UserError, match="takes no request"):
            answer_items(Engine(rejected), [item(k) for k in range(n)], None, "m/clean")


def test_an_image_that_is_rejected_stops_nothing() -> None:
    """One image has many questions; and a rejection comes faster than an answer."""
    bad = item(0)
    items = [Item(**vars(bad) | {"question_id": str(n), "prompt": str(n)}) for n in range(10)]
    items += [item(n) for n in range(1, 10)]
    engine = Engine(lambda i: rejected(i) if i.image == bad.image else Reply("", "answered"))
    replies = answer_items(engine, items, None, "m/clean")
    assert [r.rejected for r in replies] == [True] * 10 + [False] * 9

    def fast(each: Item) -> Reply:
        return Reply("", "answered") if each.question_id in answered else rejected(each)

    many = [item(n) for n in range(20)]
    answered = {many[0].question_id, many[7].question_id}
    # The first question is answered last of those under way: the rest is asked then.
    replies = answer_items(Engine(fast, window=5), many, None, "m/clean")
    assert [n for n, reply in enumerate(replies) if not reply.rejected] == [0, 7]


def test_known_answers_say_that_requests_are_taken(tmp_path: Path) -> None:
    items = [item(n) for n in range(10)]
    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        cache.put(items[9].prompt, Reply("", "answered"))
        replies = answer_items(Engine(rejected), items, cache, "m/clean")
    assert sum(r.rejected for r in replies) == 9


def test_equal_requests_are_one(tmp_path: Path) -> None:
    """Without its image, a question may be another's word for word."""
    same = [Item(**vars(item(0)) | {"question_id": str(n)}) for n in range(5)]
    engine = Engine(paid)
    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        replies = answer_items(engine, [*same, item(1)], cache, "m", budget(tmp_path, 9.0))
    assert len(replies) == 6 and len(engine.asked) == 2 and spent(tmp_path) == 1.0


@pytest.mark.long
def test_jobs_of_a_run_stop_together_and_resume(
    tmp_path: Path, run_python: Command, root: Path
) -> None:
    """Two shards at once; the server counts what is asked."""
    script, together = str(root / "scripts/answer.py"), {"LVLMBENCH_CACHE_DIR": str(tmp_path / "c")}
    folders = [tmp_path / "one", tmp_path / "two"]
    with running_server("--key", KEY) as url:

        def start(folder: Path, shards: int, usd: float) -> subprocess.Popen[str]:
            folder.mkdir(exist_ok=True)
            config = openai_params(
                url, "slow", concurrency=2, price_per_million=PRICE, budget_usd=usd
            )
            arguments = write_shard(folder, 20, config)
            if shards:  # the second shard has pictures of its own
                table = tables.read(folder / "images", tables.IMAGES).to_pylist()
                for row in table:
                    row["image"]["bytes"] += b"\0"
                    row["sha256"] = row["sha256"][::-1]
                tables.write_rows(table, folder / "images/part-00000.parquet", tables.IMAGES, "x")
            return subprocess.Popen(
                [sys.executable, script, "--model", "m", *arguments],
                cwd=folder,
                env={**os.environ, **together, "TEST_KEY": KEY},
                stderr=subprocess.PIPE,
                text=True,
            )

        def run(usd: float) -> list[tuple[int, str]]:
            processes = [start(f, n, usd) for n, f in enumerate(folders)]
            said = [p.communicate(timeout=300)[1] for p in processes]
            return [(p.returncode, s) for p, s in zip(processes, said, strict=True)]

        for code, said in run(0.6):  # thirty of eighty
            last = said.splitlines()[-1]
            assert code == 2 and "Traceback" not in said
            assert re.search(r"budget of \$0.60 are spent, .* raise endpoint.budget_usd", last)
        asked = stats(url)["asked"]
        assert 30 <= sum(asked.values()) <= 30 + 4  # and what was under way
        (ledger,) = (tmp_path / "c/spent").glob("*.json")
        assert json.loads(ledger.read_text())["spent_usd"] == pytest.approx(0.02 * len(asked))
        for code, said in run(100.0):
            assert code == 0, said
            assert "; budget " in said.splitlines()[-1]
        asked = stats(url)["asked"]
        assert len(asked) == sum(asked.values()) == 80  # each once
        assert json.loads(ledger.read_text())["spent_usd"] == pytest.approx(1.6)
    for folder in folders:
        assert tables.read([folder / "answers.parquet"], tables.ANSWERS).num_rows == 40
