"""Second half of training: the text tower learns the words for what the image tower sees.

The image tower stays as it is (as in Zhai et al., "LiT: zero-shot transfer with locked-image text
tuning", 2022). The phrase of a label learns to give the label's prototype. Captions learn to be
nearer to the images that they are true of than to others, and than captions with one aspect
changed are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from lvlmbench.core.seeding import generator
from lvlmbench.stages.reference.captions import caption, described, phrase
from lvlmbench.stages.reference.labels import Labels

RATE = 3e-3
WARM_UP = 20
SCENES, PHRASES = 96, 192
#: Share of the changed captions that have another foreground, where they name one.
FOREGROUNDS = 0.7
#: Cosines are multiplied by this before the softmax, as in CLIP, where it is learned.
SCALE = 30.0


def encode(model: Any, tokens: torch.Tensor) -> torch.Tensor:
    """What ``model.encode_text`` gives, of length 1, without computing the padding at the end."""
    length = int((tokens != 0).sum(1).max())
    tokens = tokens[:, :length]
    x = model.token_embedding(tokens) + model.positional_embedding[:length]
    x = model.transformer(x, attn_mask=model.attn_mask[:length, :length])
    x = model.ln_final(x)[torch.arange(len(tokens)), tokens.argmax(-1)]
    return F.normalize(x @ model.text_projection, dim=-1)


def changed(known: dict[str, str], labels: Labels, rng: np.random.Generator) -> dict[str, str]:
    """The same aspects, one of them with another label.

    As a rule it is the foreground: that is what renderers get wrong, and what the nearness of a
    caption must not hide behind a right background and style.
    """
    names = [name for name in known if name in labels.foregrounds]
    if not names or rng.random() > FOREGROUNDS:
        names = list(known)
    aspect = names[int(rng.integers(len(names)))]
    choices = [label for label in labels.of[aspect] if label != known[aspect]]
    return {**known, aspect: choices[int(rng.integers(len(choices)))]} if choices else known


def _true_of(scenes: Sequence[dict[str, str]], claims: Sequence[dict[str, str]]) -> torch.Tensor:
    """Whether each claim holds of each scene, (scenes, claims)."""
    return torch.tensor(
        [[all(s.get(a) == v for a, v in claim.items()) for claim in claims] for s in scenes]
    )


def _exchanged(
    text: str, known: dict[str, str], other: dict[str, str], labels: Labels
) -> str | None:
    """The text with the words of the changed label exchanged; None where they are not found."""
    for aspect, label in known.items():
        if other[aspect] != label:
            old, new = (
                labels.forms[aspect][labels.of[aspect].index(v)] for v in (label, other[aspect])
            )
            for form, instead in zip(old, new, strict=False):
                if form in text:
                    return text.replace(form, instead, 1)
    return None


def _listed(known: dict[str, str], rng: np.random.Generator) -> str:
    names = list(known)
    rng.shuffle(names)
    return ", ".join(phrase(name, known[name]) for name in names)


class WordTraining:
    """The text tower and its optimizer; short enough to start anew after an interruption."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        labels: Labels,
        directions: torch.Tensor,
        seed: int,
        name: str,
    ) -> None:
        self.model, self.tokenizer, self.labels = model, tokenizer, labels
        self._directions = directions.detach()
        self._phrases = tokenizer(labels.phrases)
        self._seed, self._name = seed, name
        text = [p for n, p in model.named_parameters() if not n.startswith("visual.")]
        torch.nn.init.normal_(model.token_embedding.weight, std=0.1)
        self._adam = torch.optim.AdamW(text, lr=RATE, betas=(0.9, 0.98), weight_decay=0.0)

    def step(
        self, rows: Sequence[dict[str, Any]], vectors: torch.Tensor, step: int, steps: int
    ) -> float:
        """One step; ``vectors`` are the image tower's of the scenes ``rows``. Returns the loss."""
        rng = generator(self._seed, f"reference/words/{self._name}", str(step))
        chosen = rng.choice(len(rows), size=min(SCENES, len(rows)), replace=False)
        scenes = [described(rows[i]) for i in chosen]
        texts, claims, wrong = [], [], []
        for i in chosen:
            text, named = caption(rows[i], rng)
            other = changed(named, self.labels, rng)
            texts.append(text)
            claims.append(named)
            wrong.append(
                (_exchanged(text, named, other, self.labels) or _listed(other, rng), other)
            )
        claims += [claim for _, claim in wrong]
        texts += [text for text, _ in wrong]
        some = rng.choice(len(self.labels), size=min(PHRASES, len(self.labels)), replace=False)
        spoken = encode(self.model, self.tokenizer(texts))
        single = encode(self.model, self._phrases[some])  # apart: they are far shorter

        true = _true_of(scenes, claims).float()
        logits = SCALE * F.normalize(vectors[chosen], dim=-1) @ spoken.T
        by_image = -(logits.log_softmax(1) * true).sum(1) / true.sum(1)
        counts = true.sum(0)
        held = counts > 0  # a changed caption is true of no scene, as a rule
        by_text = -(logits.log_softmax(0) * true)[:, held].sum(0) / counts[held]
        likeness = (single * self._directions[some]).sum(1)
        loss = by_image.mean() + by_text.mean() + 10 * (1 - likeness).mean()

        self._adam.zero_grad()
        loss.backward()
        factor = min(1.0, (step + 1) / WARM_UP) * (1 - step / steps)
        for group in self._adam.param_groups:
            group["lr"] = RATE * factor
        self._adam.step()
        return loss.item()
