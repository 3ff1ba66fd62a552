"""One number for an answer."""

from lvlmbench.scene.claims import Truth
from lvlmbench.stages.judge.judge import Holding
from lvlmbench.stages.judge.kinds.lexical.comparing import score
from lvlmbench.stages.judge.kinds.lexical.matching import hold
from support.matching import lexicon, said, thing

TRUTH = Truth((thing("o1", "dog"), thing("o2", "cat")))


def _score(*rows: str) -> float:
    claims = said(*rows)
    return score(claims, Holding("judged", hold(claims, TRUTH, lexicon())), TRUTH)


def test_true_and_whole_is_ten_and_nothing_is_one() -> None:
    assert _score("dog", "cat") == 10
    assert _score() == _score("horse") == _score("thing") == 1


def test_both_faithfulness_and_coverage_count() -> None:
    assert _score("dog") == 1 + 9 * 2 / 3
    assert _score("dog", "horse") == 1 + 9 / 2


def test_where_nothing_is_owed_faithfulness_counts() -> None:
    truth = Truth((thing("o1", "dog", optional=True),))
    claims = said("dog", "horse")
    assert score(claims, Holding("judged", hold(claims, truth, lexicon())), truth) == 1 + 9 / 2
