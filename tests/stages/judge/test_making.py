"""Judges of the parameters: which of them can judge, and which are judged themselves."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import validate
from lvlmbench.config.models import Model
from lvlmbench.config.sections import Params
from lvlmbench.core.errors import UserError
from lvlmbench.stages.judge.judge import JUDGES
from lvlmbench.stages.judge.making import judge_of, same_model
from lvlmbench.stages.judge.served.judge import Served
from lvlmbench.stages.roles.templates import DEFAULT
from support.answer_tables import endpoint, running_server, stats
from support.judged_answers import SCHEMA_SERVER, judge_all
from support.scripted_judge import Scripted

URL = "http://h/v1"


def given(engine: str = "openai_chat", name: str = "gpt", **sections: Any) -> dict[str, Any]:
    return {"name": name, "engine": engine, **sections}


def with_judges(*judges: dict[str, Any], **keys: Any) -> Params:
    return validate({"judge": {"judges": list(judges), **keys}})


def test_a_model_that_can_be_asked_judges(tmp_path: Path) -> None:
    params = with_judges(given(endpoint=endpoint(URL, "m")))
    judge = judge_of(params, "gpt", tmp_path / "answers.sqlite")
    assert isinstance(judge, Served) and judge.requests == []


def test_another_model_lists_the_claims_and_each_request_names_the_model_that_it_went_to(
    tmp_path: Path,
) -> None:
    with running_server("--ways", "valid", script=SCHEMA_SERVER) as url:

        def judged(
            extractor: str | None, cache: str, prompts: str = DEFAULT
        ) -> list[tuple[str, str]]:
            more: dict[str, Any] = {}
            if extractor is not None:
                at = endpoint(url, extractor, api_key_env=None)
                more = {"extractor": given(name="reads", endpoint=at)}
            params = with_judges(
                given(endpoint=endpoint(url, "judges", api_key_env=None), **more), prompts=prompts
            )
            judge = judge_of(params, "gpt", tmp_path / cache)
            found = judge_all(judge, 16)
            assert {each.status for each in found.values()} == {"judged"}
            return [
                (row["purpose"], json.loads(row["parameters"])["model"]) for row in judge.requests
            ]

        split = Counter(judged("reads-claims", "split.sqlite"))
        assert set(split) == {
            ("claims", "reads-claims"), ("matches", "judges"), ("pair", "judges"),
            ("invented", "judges"),
        }  # fmt: skip
        assert split["claims", "reads-claims"] == split["matches", "judges"] == 4
        asked = stats(url)["asked"]
        assert Counter(judged("reads-claims", "split.sqlite")) == split
        assert stats(url)["asked"] == asked  # what was paid for is kept
        assert {model for _, model in judged(None, "one.sqlite")} == {"judges"}
        papers = judged("reads-claims", "split.sqlite", "data/prompts/paper")
        assert (
            Counter(papers) == split and stats(url)["asked"] != asked
        )  # other prompts, asked anew


@pytest.mark.parametrize(
    ("judge", "extractor", "said"),
    [
        ({"name": "lexical", "engine": "lexical"}, "openai_chat",
         "'lexical' reads and matches claims itself"),
        (given(endpoint=endpoint(URL, "m")), "chance",
         "gpt: extractor: engine: 'chance' answers questions about pictures"),
    ],
)  # fmt: skip
def test_who_cannot_list_claims_is_one_line(
    judge: dict[str, Any], extractor: str, said: str
) -> None:
    more = {"endpoint": endpoint(URL, "r")} if extractor == "openai_chat" else {}
    with pytest.raises(UserError) as caught:
        judge_of(with_judges({**judge, "extractor": given(extractor, "reads", **more)}), "gpt")
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_a_judge_of_its_own_goes_before_a_model() -> None:
    kind = JUDGES.of("openai_chat", lambda params, judge: Scripted())
    with JUDGES.temporarily({"openai_chat": kind}):
        params = with_judges(given())
        assert params.judge.judges[0].model is None
        assert isinstance(judge_of(params, "gpt"), Scripted)


@pytest.mark.parametrize(
    ("judge", "name", "said"),
    [
        (given(endpoint=endpoint(URL, "m")), "other", "there is no judge 'other'; use one of: gpt"),
        (given("nobody"), "gpt", "'nobody' is not known"),
        (given("reader"), "gpt", "'reader' answers questions about pictures and can judge nothing"),
        (given("chance"), "gpt", "'chance' answers questions about pictures and can judge nothing"),
    ],
)
def test_who_cannot_judge_is_one_line(judge: dict[str, Any], name: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        judge_of(with_judges(judge), name)
    assert said in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("---\nversion: 1\n---\n{{ question }} {{ schema }}", "lacks 'answer'"),
        (
            "---\nversion: 1\n---\n{{ question|fenced }} {{ answer|fenced }} {{ schema }} {{ x }}",
            "uses 'x', which is not given",
        ),
        ("{{ question }}", "has no front matter with a version"),
    ],
)
def test_a_prompt_without_a_field_is_one_line(tmp_path: Path, body: str, said: str) -> None:
    (tmp_path / "claims.md").write_text(body)
    judge = given(endpoint=endpoint(URL, "m"))
    with pytest.raises(UserError) as caught:
        judge_of(with_judges(judge, prompts=str(tmp_path)), "gpt", tmp_path / "answers.sqlite")
    assert said in str(caught.value) and "\n" not in str(caught.value)
    assert caught.value.where.endswith("claims.md")


def model(name: str = "a", url: str = URL, served: str = "m", **changes: Any) -> Model:
    section = endpoint(url, served, **changes)
    return Model.model_validate(given(name=name, endpoint=section))


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (model("b"), True),
        (model("b", URL + "/"), True),
        (model("b", sampling={"temperature": 1.0}, concurrency=1), True),
        (model("b", "http://elsewhere/v1"), False),
        (model("b", served="m2"), False),
        (Model.model_validate(given("chance", "b")), False),
        (Model.model_validate(given("not_installed", "b")), False),
    ],
)
def test_a_judge_that_is_judged_is_known(other: Model, same: bool) -> None:
    assert same_model(model(), other) is same_model(other, model()) is same


def test_what_servers_call_themselves_tells_too() -> None:
    other = model("b", "http://elsewhere/v1")
    assert same_model(model(), other, (["m-1", "m-2"], ["m-2"]))
    assert not same_model(model(), other, (["m-1"], ["m-2"]))


def weights(name: str, folder: str) -> Model:
    section = {"model": folder, "revision": "main"}
    return Model.model_validate(given("transformers_vlm", name, transformers=section))


def test_the_same_weights_are_the_same_model() -> None:
    assert same_model(weights("a", "org/m"), weights("b", "org/m"))
    assert not same_model(weights("a", "org/m"), weights("b", "org/other"))
