"""Whatever is put right in a tree, it stays one: each word is reached from one root, once."""

from __future__ import annotations

import pytest

from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.model import parser
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, parsed
from lvlmbench.stages.judge.kinds.lexical.reading.repair import repair
from lvlmbench.stages.judge.kinds.lexical.reading.text import flatten
from lvlmbench.stages.judge.kinds.lexical.reading.titles import titles
from support.judge_checks.asked import Asked
from support.labelled_captions import captions
from support.reading import words

#: Fragments of which the parser takes the last word for the root.
FRAGMENTS = [
    "- A child with brown hair, wearing a yellow cape, a purple jacket, and blue trousers, waving",
    "- A woman with gray hair in a bun, wearing a green scarf, yellow gloves and shorts, sitting",
    "A frowning elderly woman with dark skin, in boots, kneeling, holding the umbrella",
    "The lady has light skin. The man has light skin and a bald head.",
    "Two crimson vases, a china pig, pink, life-sized.",
]


def tree(text: str, vocabulary: bool) -> Text:
    known = words(vocabulary)
    flat = flatten(text, known.names)
    return titles(repair(parsed(parser()(flat.text), flat, known, lexicon())))


def check(text: Text) -> None:
    for token in text.tokens:
        at = token
        for _ in range(len(text.tokens)):
            if at.head is at:
                break
            assert at in at.head.below
            at = at.head
        else:
            raise AssertionError(f"'{token.low}' hangs on itself")
        assert all(each.head is token for each in token.below)


@pytest.mark.long
@pytest.mark.parametrize("vocabulary", [False, True])
def test_trees_stay_trees(vocabulary: bool) -> None:
    planted = [a.text for a in Asked(answers=60, scenes=60).planted("synonyms")]
    for text in (*FRAGMENTS, *(caption.text for caption in captions("dev")), *planted):
        check(tree(text, vocabulary))
