"""What an answer says: its claims, read by a small parser and lists of words (docs/claims.md)."""

from lvlmbench.stages.judge.kinds.lexical.reading.aside import foreign
from lvlmbench.stages.judge.kinds.lexical.reading.reading import read, read_many
from lvlmbench.stages.judge.kinds.lexical.reading.words import Words

__all__ = ["Words", "foreign", "read", "read_many"]
