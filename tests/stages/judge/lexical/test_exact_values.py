"""What the embedded judge reads as the one value that an answer gives, and where it cannot tell."""

from __future__ import annotations

import pytest

from lvlmbench.stages.judge.kinds.lexical.exact import read_value
from support.valued_freely import FREE
from support.valued_numbers import NUMBERS, Case
from support.valued_words import WORDS

CASES = (*NUMBERS, *WORDS, *FREE)


@pytest.mark.parametrize(
    ("case", "text"), [(case, text) for case in CASES for text in case.answers],
    ids=lambda each: each[:40] if isinstance(each, str) else "",
)  # fmt: skip
def test_the_value_is_read_where_it_stands_as_an_answer(case: Case, text: str) -> None:
    found = read_value(text, case.question, case.forms, case.rivals)
    assert found in case.answers[text]
