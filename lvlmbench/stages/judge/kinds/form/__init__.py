"""Judge ``form``: scores structured descriptions exactly; no model and no grammar decides."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.judging import Judge as JudgeParams
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.judge.judge import JUDGES, Judge


@JUDGES.register(
    "form",
    place=0,
    reads=("structured",),
    exactness=(Promise(Exactness.EVERYWHERE, "compares words, numbers and measured places"),),
)
def make(params: Params, judge: JudgeParams) -> Judge:
    """Judge ``form``: reads the vocabulary and ``data/lexicon``."""
    from lvlmbench.config.identity import vocabulary_dir
    from lvlmbench.scene.truth.names import names_of
    from lvlmbench.scene.vocabulary import load_vocabulary
    from lvlmbench.stages.judge.kinds.form.judge import FormJudge
    from lvlmbench.suites.suite import measuring

    return FormJudge(names_of(load_vocabulary(vocabulary_dir(params)), measuring(params)))
