"""Where the attack moves an image's vector: away from an anchor, and maybe to a target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lvlmbench.config import Params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.reference.captions import aspects
from lvlmbench.stages.scenario.kinds.adversarial.carry import F64
from lvlmbench.stages.scenario.kinds.adversarial.proxy import Proxy
from lvlmbench.stages.scenario.kinds.adversarial.settings import Objective
from lvlmbench.stages.scenario.kinds.adversarial.texts import Descriptions, reworded, wrong_labels


@dataclass(frozen=True)
class Aim:
    """The objective for one image.

    Attributes
    ----------
    objective
        What it is for this image: `option` becomes `caption` where nothing wrong is offered.
    anchor
        Unit vector (d,) that the image's is moved away from; None: that of the clean image.
    target
        Unit vector (d,) that it is moved to, if to any.
    texts
        What the record names: ``similarity`` and ``target_similarity`` -> a text's unit vector.
    record
        What else the record says of it.
    """

    objective: Objective
    anchor: F64 | None = None
    target: F64 | None = None
    texts: Mapping[str, F64] = field(default_factory=dict)
    record: Mapping[str, Any] = field(default_factory=dict)


class Aims:
    """Aims of scenes, by the texts that the proxy reads."""

    def __init__(self, params: Params, objective: Objective, proxy: Proxy) -> None:
        self._objective = objective
        self._described: Descriptions | None = None
        if objective != "features":
            if proxy.texts is None:
                raise RuntimeError(f"{proxy.name} reads no text")
            vocabulary = load_vocabulary(vocabulary_dir(params))
            self._described = Descriptions(proxy.texts, vocabulary, params.corpus.drawable_by)

    def of(
        self,
        scene: Mapping[str, Any],
        questions: Sequence[Mapping[str, Any]],
        rng: np.random.Generator,
    ) -> Aim:
        """The aim for a scene, with its questions; ``rng`` draws wrong labels."""
        described, caption = self._described, scene["caption"]
        if described is None or not caption:
            return Aim("features")
        right = aspects(scene)
        anchor, text = described.vector(caption, right), described.of_text(caption)
        wrong = wrong_labels(questions, rng) if self._objective == "option" else {}
        if not wrong:
            return Aim("caption", anchor, texts={"similarity": text})
        instead = reworded(caption, right, wrong)
        labels = {aspect: wrong.get(aspect, label) for aspect, label in right.items()}
        return Aim(
            "option",
            anchor,
            described.vector(instead, labels),
            {"similarity": text, "target_similarity": described.of_text(instead)},
            {"target": instead, "wrong": wrong},
        )
