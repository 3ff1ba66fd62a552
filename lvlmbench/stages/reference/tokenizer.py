"""The tokenizer of the reference models: whole words of our vocabulary, letters for all others."""

from __future__ import annotations

import re
from pathlib import Path

from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.reference.labels import Labels

PAD, UNKNOWN, START, END = "<pad>", "<unk>", "<start>", "<end>"

#: Tokens that are read of a text, marks of start and end included. A scene's caption has up to 35.
CONTEXT = 48

_WORD = re.compile(r"\w+|[^\w\s]")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def _words(vocabulary: Vocabulary) -> list[str]:
    """Words of what the models learn to see and of the phrases around them, sorted."""
    texts = ["a an the in on at style with of and , . : - ' \""]
    labels = Labels(vocabulary)
    for aspect, forms in labels.forms.items():
        texts.append(aspect.replace("_", " "))
        texts += [form for of_label in forms for form in of_label]
    found = {word for text in texts for word in _WORD.findall(text.lower())}
    return sorted(found - set(_LETTERS))


def save(vocabulary: Vocabulary, folder: Path) -> int:
    """Write tokenizer.json and tokenizer_config.json; returns the number of tokens.

    The mark of the end has the highest number: open_clip reads a text's vector there.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    pieces = [*_LETTERS, *(f"##{letter}" for letter in _LETTERS)]
    tokens = [PAD, UNKNOWN, *pieces, *_words(vocabulary), START, END]
    ids = {token: number for number, token in enumerate(tokens)}
    inner = Tokenizer(models.WordPiece(ids, unk_token=UNKNOWN, max_input_chars_per_word=64))
    inner.normalizer = normalizers.Lowercase()
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    inner.post_processor = processors.TemplateProcessing(
        single=f"{START} $A {END}", special_tokens=[(START, ids[START]), (END, ids[END])]
    )
    PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=inner,
        pad_token=PAD,
        unk_token=UNKNOWN,
        bos_token=START,
        eos_token=END,
        model_max_length=CONTEXT,
    ).save_pretrained(folder)
    return len(tokens)
