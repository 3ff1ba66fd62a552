"""Replies are read strictly: what breaks a rule is told in one line."""

from __future__ import annotations

import json

import pytest

from lvlmbench.scene.claims import Claim, Feature
from lvlmbench.stages.judge.served.forms import (
    SaidClaims,
    SaidMatches,
    SaidScores,
    check_claims,
    check_matches,
)
from lvlmbench.stages.roles.replies import Malformed, read, schema_text

CLAIMS = (
    Claim(0, "attribute", "dog", "color", value="red"),
    Claim(1, "attribute", "dog", "color", value="brown"),
    Claim(2, "object", "cat", negated=True),
)
FEATURES = (
    Feature("o1", "object", "dog"),
    Feature("o1.color", "attribute", "dog", "color", value="red", about="o1"),
)


def matches(*rows: tuple[int, int, str]) -> str:
    names = ("claim", "feature", "verdict")
    return json.dumps({"matches": [dict(zip(names, row, strict=True)) for row in rows]})


def complaint(text: str) -> str | None:
    try:
        read(text, SaidMatches, check_matches(CLAIMS, FEATURES))
    except Malformed as wrong:
        return str(wrong)
    return None


GOOD = ((0, 2, "matched"), (1, 2, "contradicted"), (2, 0, "true_denial"))


def test_good_ones() -> None:
    text = matches(*GOOD)
    for each in (
        text,
        f"```\n{text}\n```",
        f"Sure!\n```json\n{text}\n```\nDone, {{as}} you asked.",
        f"So: {text}",
        f'[THINK]{{"matches": []}} is too short.[/THINK]{text}',
        text.replace('"claim": 0', '"claim": 0.0'),
        text[:-1] + ', "confidence": 0.9}',
        f"{text}<|im_end|>",
    ):
        assert complaint(each) is None


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (GOOD[:2], "claim 2 has no match"),
        ((*GOOD, GOOD[0]), "claim 0 has two matches"),
        ((*GOOD[:2], (3, 0, "true_denial")), "there is no claim 3"),
        ((*GOOD[:2], (-1, 0, "true_denial")), "there is no claim -1"),
        (((0, 3, "matched"), *GOOD[1:]), "there is no feature 3"),
        (((0, -1, "matched"), *GOOD[1:]), "there is no feature -1"),
        (((0, 0, "matched"), *GOOD[1:]), "needs the number"),
        (((0, 2, "hallucinated"), *GOOD[1:]), "goes with feature 0"),
        (((0, 2, "matched"), (1, 2, "matched"), GOOD[2]), "answers 2 claims"),
        (((0, 2, "true_denial"), *GOOD[1:]), "no denial"),
        ((*GOOD[:2], (2, 0, "hallucinated")), "false_denial or true_denial"),
        (((0, 2, "right"), *GOOD[1:]), "verdict"),
    ],
)
def test_numbers_are_known_and_each_claim_has_one_match(
    rows: tuple[tuple[int, int, str], ...], words: str
) -> None:
    said = complaint(matches(*rows))
    assert said is not None and words in said and "\n" not in said


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "10", "null", "[]", "{", '{"matches"', "<html>{}</html>", "\ud800",
        '{"matches": 1}', '{"matches": [], "matches": []}', '{"matches": [{}]}',
'{"more": 1}', '{"matches": NaN}', "[" * 200_000, '{"a":' * 100_000,
        '{"matches": [' + "1," * 300 + "1]}", "{}" * 10, "x" * (2 << 20),
        '{"matches": [{"claim": "0", "feature": 2, "verdict": "matched"}]}',
        f"{matches(*GOOD)} wait, no: {matches(*GOOD)}",
        f"```json\n{matches(*GOOD)}\n```\n```json\n{matches(*GOOD)}\n```",
        '{"matches": [{"claim": true, "feature": 2, "verdict": "matched"}]}',
        '{"matches": [{"claim": 0.5, "feature": 2, "verdict": "matched"}]}',
    ],
)  # fmt: skip
def test_broken_ones_are_one_line(text: str) -> None:
    said = complaint(text)
    assert said and "\n" not in said and len(said) <= 240


def test_claims_quote_the_answer() -> None:
    parts = {"relation": "", "object": "", "value": "", "negated": False, "hedged": False}
    claim = {"kind": "object", "subject": "dog", "quote": "a dog", **parts}

    def said(**other: object) -> str | None:
        try:
            text = json.dumps({"claims": [claim | other]})
            read(text, SaidClaims, check_claims("I see a dog."))
        except Malformed as wrong:
            return str(wrong)
        return None

    assert said() is None
    assert "is not in the answer" in (said(quote="a cat") or "")
    assert "quote" in (said(quote="") or "")
    assert "needs 'value'" in (said(kind="attribute", relation="color") or "")
    assert "left_of" in (said(kind="relation", relation="left", object="cat") or "")
    assert "digits" in (said(kind="count", value="two") or "")


@pytest.mark.parametrize("score", [0, 11, -1, 5.5, "7", None, True])
def test_scores_are_from_one_to_ten(score: object) -> None:
    text = json.dumps({"why": "so", "first": score, "second": 5})
    with pytest.raises(Malformed):
        read(text, SaidScores, lambda said: None)


def test_schemas_are_strict() -> None:
    """What servers bind replies to: no other keys, nothing left out."""
    for form in (SaidClaims, SaidMatches, SaidScores):
        schema = json.loads(schema_text(form))
        for node in (schema, *schema.get("$defs", {}).values()):
            assert node["additionalProperties"] is False
            assert sorted(node["required"]) == sorted(node["properties"])
