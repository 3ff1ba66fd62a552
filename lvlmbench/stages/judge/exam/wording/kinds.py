"""The wordings by name."""

from __future__ import annotations

from collections.abc import Mapping

from lvlmbench.stages.judge.exam.wording.flowing import flowing
from lvlmbench.stages.judge.exam.wording.markdown import markdown
from lvlmbench.stages.judge.exam.wording.page import Wording
from lvlmbench.stages.judge.exam.wording.plain import plain

WORDINGS: Mapping[str, Wording] = {"plain": plain, "flowing": flowing, "markdown": markdown}
