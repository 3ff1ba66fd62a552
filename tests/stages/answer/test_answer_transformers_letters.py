"""Which tokens are an option's letter, and where in an answer they are looked for."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.stages.answer.kinds.transformers_vlm import TransformersVLM
from lvlmbench.stages.answer.local.letters import Letters, Watch
from lvlmbench.stages.answer.local.settings import LocalWeights
from support import tiny_vlm


class Words:
    """A vocabulary."""

    def __init__(self, *words: str) -> None:
        self.words, self.all_special_ids = words, [0]

    def get_vocab(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words)}


WORDS = Words("</s>", "A", "ĠA", "▁B", "(B", "B)", "Apple", "(", "**", "Ċ", "Yes", "a", "C.", "Ġ(")


def test_letters_are_told_from_words() -> None:
    letters = Letters.of(WORDS)
    named = {
        letter: {WORDS.words[letters.ids[column]] for column in columns}
        for letter, columns in letters.columns.items()
    }
    assert named == {"A": {"A", "ĠA"}, "B": {"▁B", "(B", "B)"}, "C": {"C."}}
    assert {WORDS.words[index] for index in letters.openings} == {"(", "**", "Ċ", "Ġ("}


def watched(*steps: dict[str, float]) -> Watch:
    """What a watch sees of one item whose tokens have these probabilities."""
    import torch

    watch = Watch(Letters.of(WORDS))
    for step in steps:
        odds = {"Apple": 1 - sum(step.values()), **step}
        scores = torch.tensor([[math.log(odds.get(word, 1e-12)) for word in WORDS.words]])
        assert watch(torch.zeros(1, 1), scores) is scores
    return watch


def ids(*words: str) -> list[int]:
    return [WORDS.words.index(word) for word in words]


def test_all_tokens_of_a_letter_count() -> None:
    watch = watched({"A": 0.1, "ĠA": 0.2, "▁B": 0.25, "(B": 0.15, "B)": 0.2, "C.": 0.01})
    likely = watch.of(0, ids("▁B"), 3)
    assert likely == tuple(round(math.log(p), 4) for p in (0.3, 0.6, 0.01))
    assert watch.of(0, ids("▁B"), 4)[3] is None, "no token says D"


@pytest.mark.parametrize("opening", ["(", "Ġ(", "**", "Ċ"])
def test_behind_what_opens_an_answer_the_next_token_counts(opening: str) -> None:
    watch = watched({opening: 0.9}, {"A": 0.7, "▁B": 0.2})
    first, second, *_ = watch.of(0, ids(opening, "A"), 2)
    assert first == round(math.log(0.7), 4)
    assert second is not None
    assert second < first


def test_a_word_is_no_opening() -> None:
    watch = watched({"Yes": 0.9, "A": 0.05}, {"▁B": 0.9})
    likely = watch.of(0, ids("Yes", "▁B"), 2)
    assert likely[0] == round(math.log(0.05), 4)


def test_an_answer_of_nothing_but_openings_is_read_at_its_last_token() -> None:
    opened = {"(": 0.9}
    likely = watched(opened, opened, {"(": 0.5, "A": 0.3}, {"A": 0.9}).of(0, ids(*"(((("), 1)
    assert likely[0] == round(math.log(0.3), 4)
    watched({"A": 0.9}).of(0, [], 2)  # an empty answer


def test_they_are_the_models_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the logits of one plain forward pass of the model."""
    import torch
    import transformers

    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))
    folder = tiny_vlm.save(tmp_path / "weights", "llava")
    items = [item for item in tiny_vlm.items(10) if item.image is None or item.options]
    settings = LocalWeights(
        model=str(folder), device="cpu", max_tokens=4, batch_size=4, logprobs=True
    )
    said = {item.key: reply for item, reply in TransformersVLM("tiny", settings).answer(items)}
    auto: Any = transformers.AutoProcessor
    processor = auto.from_pretrained(folder)
    model: Any = transformers.AutoModelForImageTextToText.from_pretrained(folder)
    checked = 0
    for item in items:
        likely = said[item.key].logprobs
        if not item.options:
            assert likely is None
            continue
        assert likely is not None
        assert len(likely) == len(item.options)
        if item.image is not None:
            continue
        inputs = processor.apply_chat_template(
            [{"role": "user", "content": [{"type": "text", "text": item.prompt}]}],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
        )
        with torch.no_grad():
            odds = torch.softmax(model(**inputs).logits[0, -1], -1)
        if int(odds.argmax()) in processor.tokenizer.convert_tokens_to_ids(list("([*")):
            continue
        for letter, value in zip("ABCD", likely, strict=False):
            pair = processor.tokenizer.convert_tokens_to_ids([letter, f"Ġ{letter}"])
            assert value == pytest.approx(math.log(float(odds[pair].sum())), abs=2e-4)
        checked += 1
    assert checked >= 2
