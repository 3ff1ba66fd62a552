"""Matching: what becomes of each claim, held against the features of a picture."""

from lvlmbench.stages.judge.kinds.lexical.matching.holding import hold
from lvlmbench.stages.judge.kinds.lexical.matching.leaving import unsure
from lvlmbench.stages.judge.kinds.lexical.matching.words import Lexicon, packaged

__all__ = ["Lexicon", "hold", "packaged", "unsure"]
