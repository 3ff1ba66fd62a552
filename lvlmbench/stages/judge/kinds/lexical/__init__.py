"""Judge ``lexical``: a small parser, lists of words, WordNet and geometry; no model is asked."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.judging import Judge as JudgeParams
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.judge.judge import JUDGES, Judge


@JUDGES.register(
    "lexical",
    place=1,
    defaults={0: {"name": "lexical", "engine": "lexical"}},
    exactness=(
        Promise(
            Exactness.HARDWARE,
            "a small parser in 32-bit floats, of which decisions alone are kept",
        ),
    ),
)
def make(params: Params, judge: JudgeParams) -> Judge:
    """Judge ``lexical``: reads the vocabulary and ``data/lexicon``."""
    from lvlmbench.config.identity import vocabulary_dir
    from lvlmbench.stages.judge.kinds.lexical.lexical import Lexical, words_in

    return Lexical(words_in(vocabulary_dir(params)))
