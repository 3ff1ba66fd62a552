"""What validators are sent: tests/snapshots/prompts shows an example, for diffs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.engine import MODELS, Item
from lvlmbench.stages.check.checking import Checking, SaidOption, check_prompts
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.stages.roles.request import Request
from lvlmbench.stages.roles.templates import DEFAULT
from lvlmbench.suites.posed import Posed
from support.answer_tables import openai_params, png
from support.examined import at, small_exam
from support.keeping_model import Keeping
from support.server.small_server import MODEL, counted
from support.validated import checked, on_disk, with_validator

CHECK = Posed(
    check_id="c", scene_id="s", shown_id="s", subtask="r", element_type="color",
    question="What color is the fox?", options=("red", "blue", "green", "black"), answer_index=1,
    shown_index=2,
)  # fmt: skip


def asked(folder: Path, *checks: Posed) -> tuple[list[Item], list[dict[str, Any]]]:
    """What is sent about pictures, and the rows."""
    model = Keeping(lambda item: {"option": "A"})
    folder.mkdir(exist_ok=True)
    images = {scene: (f"image {scene}", png(ord(scene))) for scene in ("s", "t")}
    rows = Checking(Asker(model, "eye", 0, folder / "a.sqlite"), "eye", DEFAULT).rows(
        checks, images
    )
    return model.sent, rows


def test_the_prompt_is_as_it_was(tmp_path: Path) -> None:
    """To change it, change its version too, and write the snapshot anew."""
    [item], _ = asked(tmp_path, CHECK)
    kept = PROJECT_ROOT / "tests/snapshots/prompts/check.txt"
    assert item.prompt == kept.read_text(encoding="utf-8")
    assert item.image == png(ord("s")) and not item.further


def test_what_is_sent_does_not_depend_on_what_is_right(tmp_path: Path) -> None:
    """Nor on whose check it is: equal questions about one picture are one request."""
    others = [
        Posed(**vars(CHECK) | {"check_id": f"c{n}", "answer_index": n, "shown_index": None,
                               "planted": n > 1})
        for n in range(4)
    ]  # fmt: skip
    sent, rows = asked(tmp_path, *others)
    assert len(sent) == 1
    assert [row["correct"] for row in rows] == [True, False, False, False]
    assert len({row["request_id"] for row in rows}) == 4
    elsewhere = Posed(**vars(CHECK) | {"shown_id": "t"})
    both, rows = asked(tmp_path / "b", CHECK, elsewhere)
    assert len(both) == 2 and both[0].prompt == both[1].prompt
    assert [row["image_id"] for row in rows] == ["image s", "image t"]


def test_a_damaged_prompt_is_one_line(tmp_path: Path) -> None:
    text = "---\nversion: 1\n---\n{{ question|fenced }} {{ options }} {{ schema }}"
    (tmp_path / "check.md").write_text(text)
    with pytest.raises(UserError, match="shows 'options' unfenced"):
        check_prompts(str(tmp_path))
    with pytest.raises(UserError, match=r"validator\.prompts: .*none: is not a folder"):
        check_prompts(str(tmp_path / "none"))


@pytest.mark.long
def test_a_real_server_is_bound_to_the_letters(small_server: str, tmp_path: Path) -> None:
    """It takes no pictures, so that its answers are nonsense; it holds replies to a grammar."""
    sampling = {"temperature": 1.0, "seed": 5, "max_tokens": 32}
    params = openai_params(small_server, MODEL, api_key_env=None, timeout_s=600, sampling=sampling)
    model = MODELS.get("openai_chat", "test")(params, params.answer.models[0], {})
    template = check_prompts(DEFAULT)
    [item], _ = asked(tmp_path / "p", CHECK)
    requests = [
        Request(thing, template, item.prompt.replace("fox", thing), SaidOption, lambda said: None)
        for thing in ("owl", "car", "hat")
    ]
    outcomes = Asker(model, "validator small", 0, tmp_path / "answers.sqlite").ask(requests)
    assert {outcome.status for outcome in outcomes} == {"answered"}
    before = counted(small_server)
    again = Asker(model, "validator small", 0, tmp_path / "answers.sqlite").ask(requests)
    assert again == outcomes and counted(small_server) == before


@pytest.mark.long
def test_a_real_server_that_takes_no_pictures_is_one_line(
    small_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))
    exam = small_exam(1)
    params = with_validator(exam.params, at(small_server, retries=0, timeout_s=600))
    with pytest.raises(UserError, match=r"in a row failed, .*image input is not") as caught:
        checked(params, on_disk(exam, tmp_path), tmp_path)
    assert "\n" not in str(caught.value)
