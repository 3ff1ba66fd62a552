"""What the embedded judge is worth on natural descriptions; docs/judges.md has the figures."""

from __future__ import annotations

import pytest

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.judge.exam.natural import FOLDER, Half, descriptions, flags
from lvlmbench.stages.judge.kinds.lexical.lexical import Lexical, words_in

VOCABULARY = PROJECT_ROOT / "data" / "vocabulary"
#: Least shares, in percent, and most that may stay open.
LEAST = {
    "dev": {"made_up": 94, "left_out": 93, "found": 72},
    "test": {"made_up": 90, "left_out": 80, "found": 58},
}
OPEN = 25


@pytest.mark.parametrize("half", LEAST)
def test_flags_are_right(half: Half) -> None:
    some = descriptions(PROJECT_ROOT / FOLDER, half, load_vocabulary(VOCABULARY))
    found = {n.measure: n for n in flags(Lexical(words_in(VOCABULARY)), some)["all"].numbers()}
    for measure, least in LEAST[half].items():
        assert (found[measure].value or 0) * 100 >= least, found[measure]
    assert (found["undecided"].value or 1) * 100 <= OPEN


def test_halves_share_no_picture() -> None:
    vocabulary = load_vocabulary(VOCABULARY)
    halves = [descriptions(PROJECT_ROOT / FOLDER, half, vocabulary) for half in ("dev", "test")]
    assert not {each.scene for each in halves[0]} & {each.scene for each in halves[1]}
    assert len(halves[0]) == 200 and len(halves[1]) == 100
