"""An engine of somebody's own that gives something else than replies is named in one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.answering import answer_items, answer_rows
from lvlmbench.stages.answer.engine import MODELS, Item, Reply, check_made

ITEM = Item("q", "s", "animal", "multiple_choice", "What?", ("a", "b"), "What?", None, None, None)
OTHER = Item("z", "s", "animal", "multiple_choice", "What?", ("a", "b"), "What?", None, None, None)


class Giving:
    cached = False
    parameters: Mapping[str, Any] = {}

    def __init__(self, given: object, times: Sequence[int] = (1,)) -> None:
        self.given, self.times = given, times

    def request_sha256(self, item: Item) -> str:
        return item.question_id

    def answer(self, items: Any) -> Iterator[Any]:
        yield from (self.given for _ in items for _ in self.times)


@pytest.mark.parametrize(
    "given", ["(A)", Reply("A", "answered"), (ITEM, "(A)"), (OTHER, Reply("A", "answered")), None]
)
def test_what_is_no_reply_is_told_with_the_engine(given: object) -> None:
    with pytest.raises(UserError) as error:
        answer_items(Giving(given), [ITEM], None, "mine/clean")
    line = str(error.value)
    assert f"{__file__}:" in line and "Giving.answer: gives " in line and "Reply(" in line


def test_what_lacks_a_part_is_told_before_it_is_asked() -> None:
    kind = MODELS.of("mine", Giving)
    check_made(Giving(None), kind)
    with pytest.raises(UserError, match="has no cached, no parameters, no request_sha256"):
        check_made(object(), kind)  # type: ignore[arg-type]
    with pytest.raises(UserError) as error:
        check_made(None, kind)  # type: ignore[arg-type]
    line = str(error.value)
    assert line.startswith(f"engine 'mine': {__file__}:") and "its function returns nothing" in line


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(3, "answered"), "text is 3, which is no text"),  # type: ignore[arg-type]
        (Reply(None, "answered"), "text is None, which is no text"),  # type: ignore[arg-type]
        (Reply("A", "answerd"), "status 'answerd'; did you mean 'answered'?"),  # type: ignore[arg-type]
        (Reply("A", None), "status None; use one of: answered, refused"),  # type: ignore[arg-type]
    ],
)
def test_a_reply_of_other_types_is_told_with_the_engine(reply: Reply, told: str) -> None:
    with pytest.raises(UserError) as error:
        answer_items(Giving((ITEM, reply)), [ITEM], None, "mine/clean")
    line = str(error.value)
    assert f"{__file__}:" in line and told in line


def test_an_engine_that_leaves_items_out_is_told() -> None:
    class Lazy(Giving):
        def answer(self, items: Any) -> Iterator[Any]:
            yield from ((item, Reply("A", "answered")) for item in [*items][:1])

    class Shy(Giving):
        def answer(self, items: Any) -> Iterator[Any]:
            yield from ((i, Reply("A", "answered")) for i in items if i.question_id == "0")

    asked = [replace(ITEM, question_id=str(n)) for n in range(3)]
    answer_items(Lazy(None), asked, None, "mine/clean")  # it is asked for the others again
    told = r"Shy\.answer: gives no reply for 2 items that it was asked, though asked again; yield"
    with pytest.raises(UserError, match=told):
        answer_items(Shy(None), asked, None, "mine/clean")
    told = r"Giving\.answer: gives no reply for 1 item that it was asked; yield"
    with pytest.raises(UserError, match=told):
        answer_items(Giving(None, ()), [ITEM], None, "mine/clean")


def test_an_engine_that_replies_twice_is_told() -> None:
    given = (ITEM, Reply("A", "answered")), (ITEM, Reply("B", "answered"))
    with pytest.raises(UserError, match=r"Giving\.answer: gives a second reply for an item that"):
        answer_items(Giving(*given), [ITEM], None, "mine/clean")


@pytest.mark.parametrize("found", [17, None, b"ab", ""])
def test_a_request_without_a_name_is_told(found: object) -> None:
    class Odd(Giving):
        def request_sha256(self, item: Item) -> Any:
            return found

    told = r"Odd\.request_sha256: gives .*, which is no text; return request_hash"
    with pytest.raises(UserError, match=told):
        answer_rows(Odd((ITEM, Reply("A", "answered"))), [ITEM], None, "mine", "clean")


def test_an_engine_that_returns_nothing_is_told() -> None:
    class Silent(Giving):
        def answer(self, items: Any) -> Any:
            list(items)

    with pytest.raises(UserError, match=r"Silent\.answer: returns None, which holds no answers"):
        answer_items(Silent(None), [ITEM], None, "mine/clean")
