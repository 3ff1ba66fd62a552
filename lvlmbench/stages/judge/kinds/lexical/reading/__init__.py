"""What an answer says: its claims, read by a small parser and lists of words (docs/claims.md)."""

from lvlmbench.stages.judge.kinds.lexical.reading.aside import foreign
from lvlmbench.stages.judge.kinds.lexical.reading.reading import Said, read, read_many, readings
from lvlmbench.stages.judge.kinds.lexical.reading.words import Words

__all__ = ["Said", "Words", "foreign", "read", "read_many", "readings"]
