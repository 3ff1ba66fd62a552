"""Filter ``validator``: a model behind an endpoint sees what was described (AutoDavis, 2.3).

It asks nothing itself: it goes by what the stage ``check`` has written. So it cannot look while
pictures are drawn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field

from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.section import Name, Section
from lvlmbench.core.errors import UserError, meant
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.filter.filter import FILTERS, Verdict, Weights

NOT_AS_DESCRIBED = "not as described"


class Validated(Section):
    """A filter that goes by a validator of `validator.validators`."""

    by: Name = Field(description="Name of the validator.")


class ValidatorFilter:
    """Keeps an image whose alignment reaches the threshold of its scene.

    The alignment is the share of the checks that were answered as described, of those that were
    answered at all. An image none of whose checks was answered is kept, with a note.
    """

    def __init__(self, params: Params, name: str) -> None:
        self.name, self._params = name, params
        self._answers: Mapping[str, list[bool | None]] = {}

    def hear(self, answers: pa.Table) -> None:
        """Take what the validator sees, rows of ``tables.CHECK_ANSWERS``."""
        found: dict[str, list[bool | None]] = defaultdict(list)
        own = answers.filter(pc.invert(answers["planted"]))
        rows = zip(own["image_id"].to_pylist(), own["correct"].to_pylist(), strict=True)
        for image_id, correct in rows:
            found[image_id].append(correct)
        self._answers = found

    def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
        """Return one verdict an image."""
        from lvlmbench.scene.vocabulary import load_vocabulary
        from lvlmbench.suites.suite import suite_of

        vocabulary = load_vocabulary(vocabulary_dir(self._params))
        least = suite_of(self._params).thresholds(self._params, vocabulary, scenes)
        ids = images["image_id"].to_pylist()
        return [self._verdict(image_id, each) for image_id, each in zip(ids, least, strict=True)]

    def _verdict(self, image_id: str, threshold: float | None) -> Verdict:
        said = self._answers.get(image_id, [])
        answered = [correct for correct in said if correct is not None]
        left = len(said) - len(answered)
        note = f"{left} of {len(said)} checks not answered" if left else None
        if not answered or threshold is None:
            return Verdict(True, threshold=threshold, note=note)
        score = round(sum(answered) / len(answered), 4)
        keep = score >= threshold
        return Verdict(keep, None if keep else NOT_AS_DESCRIBED, score, threshold, note)


def check(params: Params, spec: FilterSpec, where: str, early: bool = False) -> None:
    """Check that the validator is listed, and that pictures are drawn already.

    Raises
    ------
    UserError
        One of the two is not so.
    """
    if early:
        what = "goes by what a model has seen in all pictures, and none is drawn yet"
        raise UserError(where, what, "list it under filter.filters")
    by, known = spec.own(Validated).by, [m.name for m in params.validator.validators]
    if by not in known:
        fix = f"use one of: {', '.join(known)}" if known else "list it under validator.validators"
        what = f"there is no validator '{by}'"
        raise UserError(f"{where}: validator.by", what, meant(by, known, fix))


@FILTERS.register(
    "validator",
    label="Validator",
    settings=Validated,
    check=check,
    place=5,
    decides=lambda spec: spec.own(Validated).by,
    looks_with=lambda spec: spec.own(Validated).by,
    exactness=(Promise(Exactness.EVERYWHERE, "counts what the validator has answered"),),
)
def make(params: Params, spec: FilterSpec, weights: Weights) -> ValidatorFilter:
    """Return the filter.

    Raises
    ------
    UserError
        There is no such validator.
    """
    check(params, spec, f"filter.filters: {spec.name}")
    return ValidatorFilter(params, spec.name)
