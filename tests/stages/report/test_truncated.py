"""Answers that were cut off: known as such, never taken for wrong, asked again with more room."""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.analysis.leaderboard_rows import Row, Value
from lvlmbench.analysis.outcomes import outcome_of
from lvlmbench.commands.main import main
from lvlmbench.engine.retry import truncated
from lvlmbench.engine.under_way import note_begun
from lvlmbench.stages.answer.answering import answer_rows, said_in
from lvlmbench.stages.answer.chat.protocol import sampling_fields
from lvlmbench.stages.answer.chat.replies import read_reply
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import Item, Reply
from lvlmbench.stages.answer.kinds.openai_chat.asking import OpenAIChat
from lvlmbench.stages.answer.local.limits import OwnLimits
from lvlmbench.stages.answer.local.settings import LocalWeights
from lvlmbench.stages.answer.requests.cache import AnswerCache
from lvlmbench.stages.metrics.metrics import metric_rows
from lvlmbench.stages.replies.answer_text import split
from lvlmbench.stages.report.formatting import warning
from lvlmbench.stages.score.choice import survives_cut
from lvlmbench.stages.score.rows import Asked, score_rows
from support.answer_tables import item, params, write_shard
from support.engine_project import begin
from support.retry_project import Project
from support.score_tables import FF, MC, TF, pick, score, table

OPTIONS = ["dog", "owl", "cat", "fox"]


def served(content: str | None, finish: str = "length", **message: object) -> Reply:
    body = {"message": {"content": content, **message}, "finish_reason": finish}
    return read_reply({"choices": [body]}, None)


def test_an_answer_at_its_limit_is_truncated() -> None:
    assert served("It is").status == "truncated"
    assert served("(B)", "stop").status == "answered"
    assert served("", "length", refusal="no").status == "refused"
    assert Reply("x", "answered", finish_reason="length").status == "truncated"


@pytest.mark.parametrize(
    ("text", "thought", "answer"),
    [
        ("<think>an owl\n</think>\n(B)", "an owl", "(B)"),
        ("an owl, I think</think> (B)", "an owl, I think", "(B)"),
        ("<thinking>so it", "so it", ""),
        ("(B) <b>owl</b>", None, "(B) <b>owl</b>"),
    ],
)
def test_reasoning_is_kept_apart(text: str, thought: str | None, answer: str) -> None:
    assert split(text) == (thought, answer)
    reply = served(text, "stop")
    said = said_in(reply.text, reply.reasoning, None)
    assert (said["reasoning"], said["text"]) == (thought, answer)
    assert said["reply"] == (None if thought is None else text)


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_reasoning_of_servers_is_kept_apart(key: str) -> None:
    reply = served("(B)", "stop", **{key: "an owl"})
    assert (reply.reasoning, reply.text) == ("an owl", "(B)")
    cut = served(None, "length", **{key: "an ow"})
    assert (cut.reasoning, cut.text, cut.status) == ("an ow", "", "truncated")


@pytest.mark.parametrize(
    ("answer", "safe"),
    [
        ("B. The image shows an owl that sits on a br", True),
        ("(B) owl\n\nThe feathers are", True),
        ("The answer is B. I can tell by the", True),
        ("True. The picture", False),
        ("B", False),  # "B" may begin "Based on"
        ("The image shows a dog", False),
        ("Let us go through them. (A) dog: there is no", False),
        ("B. No wait, the answer is (C). I", False),
        ("<think>B. It is an owl.", False),
        ("", False),
    ],
)
def test_a_choice_counts_that_opens_an_answer_that_was_cut_off(answer: str, safe: bool) -> None:
    assert survives_cut(answer, OPTIONS) is safe


def scored(tmp_path: Path, **answer: object) -> dict[str, object]:
    questions = write_shard(tmp_path, 4, params([{"name": "chance", "engine": "chance"}]))
    assert questions
    asked = Asked(
        tables.read(tmp_path / "questions", tables.QUESTIONS),
        tables.read(tmp_path / "scenes", tables.SCENES),
        tables.IMAGES.of([{"image_id": "i"}]),
    )
    of = tables.read(tmp_path / "questions", tables.QUESTIONS).to_pylist()
    free = [q for q in of if (q["question_type"] == FF) == bool(answer.pop("free", False))]
    row = {"model": "m", "scenario": "clean", "image_id": "i", "status": "truncated", **answer}
    given = tables.ANSWERS.of([row | {"question_id": free[0]["question_id"]}])
    strategy = "dysca" if answer.get("text") == "Let us see. (A)" else "lvlmbench"
    (found,) = score_rows(given, asked, lambda pairs: [50.0] * len(pairs), strategy).to_pylist()
    return dict(found)


def test_what_was_cut_off_is_read_or_unscored_but_never_wrong(tmp_path: Path) -> None:
    assert scored(tmp_path, text="(B) fox.\nThe im")["scored"] is True
    for text in ("The image shows", "Option (A) looks", "Let us see. (A)"):
        row = scored(tmp_path, text=text)
        assert (row["scored"], row["correct"], row["parsed_index"]) == (False, None, None)
    assert scored(tmp_path, text="I'm sorry, but I can't help.")["parse_method"] == "refusal"
    caption = scored(tmp_path, text="An owl sits on", free=True)
    assert (caption["scored"], caption["similarity"]) == (False, None)
    assert outcome_of(caption, "truncated") == "truncated"


def test_they_are_counted_beside_every_mean() -> None:
    rows = [
        score(1, MC, "animal", True),
        score(2, MC, "animal", None, status="truncated"),
        score(3, MC, "animal", True, status="truncated"),
        score(4, MC, "animal", None, status="refused"),
        score(5, MC, "animal", None, status="timeout"),
        score(6, TF, "animal", None, status="truncated"),
        score(7, TF, "animal", False),
    ]
    found = metric_rows(table(rows), resamples=100, seed=1)
    mean = pick(found, "accuracy", MC, "animal")
    names = ("value", "n", "n_unscored", "n_refused", "n_truncated", "n_failed")
    assert [mean[name] for name in names] == [100.0, 2, 3, 1, 1, 1]
    total = pick(found, "total")
    assert [total[name] for name in names[1:]] == [3, 4, 1, 2, 1]
    assert pick(found, "n_truncated", MC)["value"] == 1
    assert pick(found, "n_no_choice", MC)["value"] == 0


def test_readers_are_warned() -> None:
    value = Value(50.0, 40.0, 60.0, 90, 10, 1, 8, 1)
    row = Row("m", "clean", "model", value, {}, {}, None)
    assert warning(row) == (
        "1 of 100 requests failed, 1 was a refusal and 8 were cut off: the number stands on the "
        "rest"
    )
    few = dataclasses.replace(row, headline=Value(50.0, 40.0, 60.0, 99, 1, 0, 1, 0))
    assert warning(few) is None


class Engine:
    """Says what it is given, as far as its limit of words goes."""

    cached = True

    def __init__(self, limit: int, more: int | None = None) -> None:
        self.limit, self.asked = limit, 0
        self.again = Engine(more) if more is not None else None

    @property
    def parameters(self) -> dict[str, object]:
        return {"max_tokens": self.limit}

    def request_sha256(self, item: Item) -> str:
        return f"{self.limit}-{item.prompt}"

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        for each in items:
            self.asked += 1
            words = "w " * int(each.question_id, 16 if len(each.question_id) > 4 else 10)
            cut = len(words.split()) > self.limit
            text = " ".join(words.split()[: self.limit])
            finish = "length" if cut else "stop"
            yield each, Reply(text, "answered", finish, cost_usd=0.5, completion_tokens=5)


def test_they_are_asked_again_with_more_room_and_nothing_paid_is_lost(tmp_path: Path) -> None:
    items = [dataclasses.replace(item(n), question_id=str(n)) for n in (3, 30, 300)]
    path = tmp_path / "answers.sqlite"

    def run(model: Engine) -> list[dict[str, object]]:
        with AnswerCache(path) as cache:
            return answer_rows(model, items, cache, "m", "clean")

    first = run(Engine(10))
    assert [row["status"] for row in first] == ["answered", "truncated", "truncated"]
    more = Engine(10, 100)
    rows = run(more)
    assert more.asked == 0 and more.again is not None and more.again.asked == 2
    assert [row["status"] for row in rows] == ["answered", "answered", "truncated"]
    assert [row["attempts"] for row in rows] == [1, 2, 2]
    assert [row["cost_usd"] for row in rows] == [0.5, 1.0, 1.0]
    assert rows[1]["parameters"] == '{"max_tokens": 100}'
    assert rows[1]["request_sha256"] != first[1]["request_sha256"]
    assert rows[0] == first[0]
    again = Engine(10, 100)
    assert run(again) == rows and again.again is not None and again.again.asked == 0
    assert run(Engine(10)) == first


def test_what_older_versions_kept_is_known(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with AnswerCache(path):
        pass
    old = sqlite3.connect(path)
    columns = "text TEXT, status TEXT, finish_reason TEXT, error TEXT, latency_s REAL, "
    columns += "prompt_tokens INTEGER, completion_tokens INTEGER, cost_usd REAL, attempts INTEGER, "
    old.execute(
        f"CREATE TABLE replies_v2 (request_sha256 TEXT PRIMARY KEY, {columns}"
        "logprobs TEXT, served_model TEXT)"
    )
    values = ("r", "(B)", "answered", "length", None, 1.0, 1, 1, 0.5, 1, None, "small")
    old.execute(f"INSERT INTO replies_v2 VALUES ({', '.join('?' * len(values))})", values)
    old.commit()
    old.close()
    with AnswerCache(path) as cache:
        assert cache.get(["r"])["r"].status == "truncated"
        cache.put("s", Reply("x", "answered", "length", reasoning="so"))
    with AnswerCache(path) as cache:
        assert cache.get(["s"])["s"] == Reply("x", "answered", "length", reasoning="so")
    kept = sqlite3.connect(path).execute("SELECT status FROM replies_v5").fetchall()
    assert kept == [("answered",)]  # a version that does not know 'truncated' reads it, too


def test_limits_change_no_request_that_does_not_use_them() -> None:
    plain = Endpoint.model_validate({"model": "x"})
    more = Endpoint.model_validate({"model": "x", "sampling": {"max_tokens_if_cut": 900}})
    think = Endpoint.model_validate({"model": "x", "sampling": {"reasoning_tokens": 88}})
    assert sampling_fields(more) == sampling_fields(plain)
    assert sampling_fields(think)["max_tokens"] == 600
    first, second = OpenAIChat("m", more), OpenAIChat("m", more).again
    assert second is not None and second.again is None
    assert second.parameters == {**first.parameters, "max_tokens": 900}
    assert OpenAIChat("m", plain).again is None
    with pytest.raises(ValueError, match=r"'max_tokens_if_cut' \(9\) must be more"):
        LocalWeights.model_validate({"model": "x", "max_tokens_if_cut": 9})


class Words:
    """A tokenizer of a few words."""

    vocabulary = ("<think>", "</think>", "a", "b")

    def decode(self, tokens: list[int], skip_special_tokens: bool) -> str:
        return " ".join(self.vocabulary[t] for t in tokens)


def test_thoughts_and_answers_have_limits_of_their_own() -> None:
    torch = pytest.importorskip("torch")
    limits = OwnLimits(Words(), answer=3, reasoning=6)
    rows = [
        [2, 0, *[2] * 20],  # the prompt ends after its first token; thinks for ever
        [2, 0, 2, 2, 2, 1, *[3] * 20],  # thinks, then answers for ever
        [2, 3, *[3] * 20],  # does not think
    ]
    for step in range(1, 16):
        limits(torch.tensor([row[: 1 + step] for row in rows]), None)
    assert limits.cut == {0: 6, 1: 5 + 3, 2: 3}


def cut_off(root: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(begin(root, monkeypatch))
    project.failing = {}
    project.build()
    path = Path("data/own/answers/bad/clean/part-00000.parquet")
    rows = tables.read([path], tables.ANSWERS).to_pylist()
    rows[1]["status"] = rows[2]["status"] = "truncated"
    path.chmod(0o644)
    tables.write_rows(rows, path, tables.ANSWERS, "x")
    return project


PARAMS = """\
# which models
answer:
  models:
    - {name: good, engine: chance}
    - name: bad  # the one that rambles
      engine: openai_chat
      endpoint: {model: x}
"""


def test_retry_gives_them_more_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cut_off(tmp_path, monkeypatch)
    Path("params.yaml").write_text(PARAMS)
    Path("dvc.yaml").touch()
    with pytest.raises(SystemExit):
        main(["retry", "--truncated"])
    said = capsys.readouterr()
    assert "bad: 2 answers were cut off" in said.out
    assert "--max-tokens: is missing" in said.err
    with pytest.raises(SystemExit):
        main(["retry", "--truncated", "--max-tokens", "9"])
    assert "must be more than 'max_tokens' (512)" in capsys.readouterr().err
    assert Path("params.yaml").read_text() == PARAMS
    assert main(["retry", "--truncated", "--max-tokens", "900"]) == 0
    out = capsys.readouterr().out
    assert "bad: endpoint.sampling.max_tokens_if_cut is now 900" in out
    text = Path("params.yaml").read_text()
    assert "# the one that rambles" in text and "max_tokens_if_cut: 900" in text
    assert "make report CONFIG" not in out

    # They stay cut off where failures are to be asked again first.
    path = Path("data/own/answers/bad/clean/part-00000.parquet")
    rows = tables.read([path], tables.ANSWERS).to_pylist()
    rows[0]["status"] = "timeout"
    tables.write_rows(rows, path, tables.ANSWERS, "x")
    assert main(["retry", "--model", "bad"]) == 0
    assert "1 failed question will be asked again" in capsys.readouterr().out
    assert truncated("bad") == {"bad": 2}

    # Of the files that the last run was given, the one that lists the model.
    Path("my.yaml").write_text(PARAMS)
    note_begun([], {"files": ["params.yaml", "my.yaml"], "config": {}})
    assert main(["retry", "--truncated", "--max-tokens", "950"]) == 0
    out = capsys.readouterr().out
    assert "my.yaml: bad: endpoint" in out and "make report CONFIG=my.yaml" in out
    assert "max_tokens_if_cut: 950" in Path("my.yaml").read_text()
    assert Path("params.yaml").read_text() == text
    assert main(["retry", "--truncated", "--model", "good"]) == 0
    assert "no answer was cut off" in capsys.readouterr().out
