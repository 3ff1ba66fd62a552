"""Reading short answers: planted replies, what is no answer, and properties."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench.scene.answers import NUMBER_WORDS, accepted, sort_of, wanted
from lvlmbench.stages.exports.bundled import reading
from lvlmbench.stages.score.short import is_right, read_short, survives_cut

FILE = Path(__file__).parents[2] / "data" / "short_answers.jsonl"

#: Replies as a careful reader labelled them: right, wrong or unread. The few of those written after
#: the reader that it reads otherwise stay in.
PLANTED: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def _read(row: dict[str, Any]) -> str:
    found = read_short(row["reply"], row["accepted"], row["question"])
    if found.said is None:
        assert found.method in ("refusal", "none")
        return "unread"
    assert found.method in ("stated", "only")
    return "right" if is_right(found.said, row["accepted"]) else "wrong"


def _in_brief(row: dict[str, Any]) -> str:
    right, why = reading.read_short(row["reply"], row["accepted"])
    assert (right is None) == bool(why)
    return "unread" if right is None else "right" if right else "wrong"


@pytest.mark.parametrize(
    ("read", "precision", "recall"),
    [(_read, 0.99, 0.99), (_in_brief, 0.99, 0.65)],
    ids=["ours", "the bundled one"],
)
def test_planted_replies(
    read: Any, precision: float, recall: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """Precision is the share of what was read that is read as labelled; recall the share of what
    can be read that is."""
    counts = Counter((row["is"], read(row)) for row in PLANTED)
    readable = sum(n for (label, _), n in counts.items() if label != "unread")
    was_read = sum(n for (_, found), n in counts.items() if found != "unread")
    as_labelled = counts["right", "right"] + counts["wrong", "wrong"]
    with capsys.disabled():
        print(f"\n{read.__name__}: precision {as_labelled / was_read:.3f}, ", end="")
        print(f"recall {as_labelled / readable:.3f} of {len(PLANTED)} replies")
    assert len(PLANTED) >= 300
    assert min(Counter(row["is"] for row in PLANTED).values()) >= 30
    assert as_labelled / was_read >= precision
    assert as_labelled / readable >= recall
    # A reply that says nothing right is never taken for a right one.
    assert counts["wrong", "right"] == 0


def test_replies_that_were_planted_beforehand_are_read_as_labelled() -> None:
    misread = [
        row["reply"] for row in PLANTED if row["set"] == "planted" and _read(row) != row["is"]
    ]
    assert misread == []


def test_the_key_does_not_decide_what_is_read() -> None:
    """Replies that are right are wrong where the key is another number or color."""
    others = {"number": accepted("37"), "color": accepted("white")}
    changed = [
        {**row, "accepted": others[sort_of(row["accepted"])]}
        for row in PLANTED
        if row["is"] == "right" and sort_of(row["accepted"]) in others
    ]
    assert len(changed) > 150
    assert [row["reply"] for row in changed if _read(row) == "right"] == []


@pytest.mark.parametrize("number", [0, 1, 3, 11, 20, 21, 40, 99])
def test_numbers_are_read_in_digits_and_words(number: int) -> None:
    forms = accepted(str(number))
    assert forms == [str(number), NUMBER_WORDS[number]]
    for form in (*forms, forms[1].capitalize(), forms[1].replace("-", " ")):
        for reply in (form, f"**{form}**", f"The answer is {form}.", f"Answer: {form}"):
            assert is_right(read_short(reply, forms).said, forms), reply
            assert not is_right(read_short(reply, accepted(str(number + 1))).said, ["100"])


@given(st.integers(0, 99), st.integers(0, 99))
def test_two_numbers_are_never_one(one: int, other: int) -> None:
    forms = accepted(str(one))
    for reply in (f"{one} or {other}", f"{one}-{other}", f"The answer is {one} or {other}."):
        found = read_short(reply, forms)
        assert (found.said is None) or one == other


@given(st.text(max_size=200), st.sampled_from(["3", "gray", "harbor"]))
def test_any_text_can_be_read(text: str, answer: str) -> None:
    forms = accepted(answer)
    found = read_short(text, forms)
    assert (found.said is None) == (found.method in ("refusal", "none"))
    reading.read_short(text, forms)


def test_what_is_accepted_and_of_which_kind() -> None:
    assert accepted("gray") == ["gray", "silver", "grey"] and accepted("pink") == ["pink"]
    assert accepted("red") == ["red", "crimson", "scarlet"]
    assert accepted("-12") == ["-12", "minus twelve"]
    assert accepted("harbor") == ["harbor"]
    assert accepted("fire truck", "fire engine") == ["fire truck", "fire engine"]
    assert [sort_of(accepted(each)) for each in ("7", "-7", "gray", "harbor")] == [
        *("number", "number", "color", "text")
    ]
    assert [
        wanted(q) for q in ("How many red cars?", "What color is it?", "Which word is it?")
    ] == [*("number", "color", "text")]


def test_a_reply_that_was_cut_off_counts_where_it_opens_with_its_answer() -> None:
    three = accepted("3")
    assert survives_cut("3. There are two on the left and", three)
    assert not survives_cut("3", three)
    assert not survives_cut("Let me count: 1, 2, 3", three)
    assert not survives_cut("3. No wait, there are 4. So the answer is 4, since", three)
    for end in ("Wait,", "No,", "Hmm", "But", "Let me count again", "Actually"):
        assert not survives_cut(f"There are 3 cars. {end}", three)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "part",
    [
        *("3 ", "three or ", "the answer is ", "(", "red ", '"', "not "),
        *("1 + ", "1+", "1 red + ", "1 minus ", "light "),
    ],
)
def test_a_long_reply_is_read_in_time(part: str) -> None:
    text, start = part * (100_000 // len(part)), time.perf_counter()
    for answer in ("3", "red", "harbor"):
        read_short(text, accepted(answer), "How many?")
    assert time.perf_counter() - start < 20
