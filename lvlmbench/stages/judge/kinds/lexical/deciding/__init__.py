"""Which of several values that an answer names it gives as its answer."""

from lvlmbench.stages.judge.kinds.lexical.deciding.placing import Verdict, decided
from lvlmbench.stages.judge.kinds.lexical.deciding.told import strange, told

__all__ = ["Verdict", "decided", "strange", "told"]
