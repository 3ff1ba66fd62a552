"""Whether the setting is the picture's: background, style, weather and light."""

from __future__ import annotations

from lvlmbench.scene.claims import Claim
from lvlmbench.stages.judge.kinds.lexical.matching.found import UNVERIFIABLE, Found
from lvlmbench.stages.judge.kinds.lexical.matching.things import Things

#: The feature that there is nothing behind.
_PLAIN = "scene.backdrop"


def setting(claim: Claim, things: Things) -> Found:
    """Return whether a picture has a setting, or shows the thing that the word names too."""
    word, picture = claim.value or claim.subject, things.picture
    named = things.among(word, picture.by_kind["scene"]) or things.among(
        word, picture.by_kind["object"]
    )
    if named:
        same = [each for each in named if each.feature.relation == claim.relation]
        return (same or named)[0].found
    sure = (
        each
        for each in picture.by_kind["scene"]
        if each.relation == claim.relation and (each.source != "listed" or each.feature == _PLAIN)
    )
    true = next(sure, None)
    return UNVERIFIABLE if true is None else Found("contradicted", "word", true)
