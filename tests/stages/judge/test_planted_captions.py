"""Forty captions of one picture: judged numbers order them by truth, not by wording.

Similarity to a reference caption ranks "four red apples" next to "three red apples". What a judge
counts must not: every caption that is right stands above every one that is wrong, denies what is
there, or says nothing. A judge that cannot read a caption gives it no number.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from lvlmbench.config import validate
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.scene.claims import Truth, tally
from lvlmbench.stages.judge.judge import Answer
from lvlmbench.stages.judge.kinds.lexical.lexical import words_in
from lvlmbench.stages.judge.kinds.lexical.reading import foreign
from lvlmbench.stages.judge.making import judge_of
from support.caption_features import read_features

FEATURES = (
    "o1 dog; o1.color brown; o2 sofa / couch; o2.color red; o3 apple / apples; o3.count 3; "
    "o3.color green; o4 umbrella; o4.color blue; o1.on.o2"
)
RIGHT = (
    "A brown dog lies on a red sofa. There are three green apples and a blue umbrella.",
    "On a red couch there is a brown dog. Beside it are 3 green apples and a blue umbrella.",
    "The picture shows a dog, which is brown, on a red sofa, three green apples and an umbrella "
    "that is blue.",
    "Three green apples, a blue umbrella, and a brown dog on a red couch.",
    "I can see a blue umbrella, three green apples and a red sofa with a brown dog on it.",
    "- a brown dog on a red sofa\n- three green apples\n- a blue umbrella",
    "There is a red sofa with a brown dog on it. There is also a blue umbrella. In addition, there "
    "are three green apples.",
    "A dog is on a sofa. The dog is brown. The sofa is red. There are three apples, and they are "
    "green. The umbrella is blue.",
)
WRONG = {
    "subject": (
        "A brown cat lies on a red sofa. There are three green apples and a blue umbrella.",
        "A brown dog lies on a red bench. There are three green pears and a blue umbrella.",
        "On a red couch there is a brown horse. Beside it are 3 green apples and a blue umbrella.",
        "Three green lemons, a blue umbrella, and a brown dog on a red couch.",
        "A brown dog lies on a red sofa. There are three green apples and a blue kite.",
        "A gray car is parked in front of a yellow house.",
    ),
    "count": (
        "A brown dog lies on a red sofa. There are five green apples and a blue umbrella.",
        "On a red couch there is a brown dog. Beside it are 2 green apples and a blue umbrella.",
        "Seven green apples, a blue umbrella, and a brown dog on a red couch.",
        "Two brown dogs lie on a red sofa. There are three green apples and a blue umbrella.",
        "A brown dog lies on a red sofa. There is one green apple and a blue umbrella.",
        "A brown dog lies on a red sofa. There are three green apples and four blue umbrellas.",
    ),
    "color": (
        "A black dog lies on a red sofa. There are three green apples and a blue umbrella.",
        "A brown dog lies on a green sofa. There are three red apples and a blue umbrella.",
        "Three green apples, a yellow umbrella, and a brown dog on a red couch.",
        "A brown dog lies on a blue sofa. There are three green apples and a red umbrella.",
    ),
    "denial": (
        "There is no dog. There is no sofa. There are no apples and no umbrella.",
        "A red sofa without a dog on it. There are no apples, but there is a blue umbrella.",
        "I see a brown dog on a red sofa and a blue umbrella, but no apples.",
        "The picture shows neither a dog nor a sofa.",
    ),
    "vague": (
        "A picture.",
        "An illustration with several things in it.",
        "Some objects and an animal.",
        "This is a nice colorful scene.",
        "The image shows various items arranged in a room.",
    ),
}
OTHER_LANGUAGE = {
    True: (
        "Ein brauner Hund liegt auf einem roten Sofa. Daneben sind drei grüne Äpfel und ein blauer "
        "Regenschirm.",
        "Un chien brun est couché sur un canapé rouge, avec trois pommes vertes et un parapluie "
        "bleu.",
        "一只棕色的狗躺在红色的沙发上,旁边有三个绿苹果和一把蓝色的雨伞。",
        "Un perro marrón está en un sofá rojo. Hay tres manzanas verdes y un paraguas azul.",
    ),
    False: (
        "Eine graue Katze sitzt auf einer gelben Bank. Daneben liegen zwei Birnen.",
        "Un chat gris est assis sur un banc jaune, avec deux poires.",
        "一只灰色的猫坐在黄色的长椅上。",
    ),
}


@cache
def numbers() -> dict[str, float | None]:
    """Caption -> its F1 as the embedded judge has it; None where it has none."""
    parts = [(f"feature {at}", part.strip()) for at, part in enumerate(FEATURES.split(";"))]
    truth = Truth(tuple(read_features(parts)))
    judge = judge_of(validate({}), "lexical", Path("none"))
    texts = [*RIGHT, *(t for kinds in (WRONG, OTHER_LANGUAGE) for of in kinds.values() for t in of)]
    answers = [Answer(text, "Describe this image.", text, truth) for text in texts]
    f1: dict[str, float | None] = dict.fromkeys(texts)
    read = [(answer, found.claims) for answer, found in judge.read(answers)
            if found.status == "judged"]  # fmt: skip
    claims = {answer.text: of for answer, of in read}
    for answer, holding in judge.hold(read):
        found = tally(claims[answer.text], holding.matches, truth)
        said = found.true + found.wrong
        shares = (found.true / said if said else 0.0), found.covered / found.owed
        f1[answer.text] = 2 * shares[0] * shares[1] / (sum(shares) or 1.0)
    return f1


def test_there_are_forty() -> None:
    assert len(numbers()) == 40


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_caption_stands_below_every_right_one(kind: str) -> None:
    found = numbers()
    right = [found[text] for text in RIGHT]
    lowest = min(each for each in right if each is not None)
    assert None not in right
    for text in WRONG[kind]:
        value = found[text]
        assert value is not None and value < lowest, text


@pytest.mark.parametrize("right", [True, False])
def test_a_caption_in_another_language_has_no_number(right: bool) -> None:
    assert [numbers()[text] for text in OTHER_LANGUAGE[right]] == [None] * len(
        OTHER_LANGUAGE[right]
    )


def test_a_sentence_in_another_language_hides_no_english_ones() -> None:
    words = words_in(vocabulary_dir(validate({})))
    for text in OTHER_LANGUAGE[True]:
        assert foreign(text, words)
        assert not foreign(f"{RIGHT[0]}\n\n{text}", words)
        assert not foreign(f"{text}\n{WRONG['subject'][5]}", words)
