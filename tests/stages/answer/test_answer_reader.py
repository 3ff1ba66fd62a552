"""Engine reader: right about what is written, at chance elsewhere, deceived by what is printed."""

from __future__ import annotations

import hashlib
import io
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from PIL import Image, ImageDraw

from lvlmbench.config import validate
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.engine import MODELS, SILENT, Item, Model
from lvlmbench.stages.answer.kinds.reader import believed
from lvlmbench.stages.render.kinds.pictograph.lettering import font

WORDS = ("bank", "band", "bald", "bend")
TWO = ("fresh", "fresh bread", "fresh water", "warm bread")
CLAIM = 'Is this statement true or false? The word written in the image is "bank".'


@cache
def picture(text: str, turned: int = 0) -> bytes:
    image = Image.new("RGB", (256, 256), "#f4f1e6")
    ImageDraw.Draw(image).text((30, 100), text, fill="#111", font=font("DejaVuSans-Bold", 46))
    out = io.BytesIO()
    image.rotate(turned, fillcolor="#f4f1e6").save(out, "PNG")
    return out.getvalue()


def item(
    kind: str, options: tuple[str, ...], image: bytes | None, question: str = "Which word?"
) -> Item:
    sha256 = hashlib.sha256(image).hexdigest() if image is not None else None
    name = hashlib.sha256(repr((kind, options, sha256, question)).encode()).hexdigest()[:32]
    return Item(name, "s", "text", kind, question, options, question, image, "i", sha256)


def model(name: str = "r", seed: int = 1) -> Model:
    params = validate({"snapshot": {"seed": seed}, "corpus": {"subtasks": ["text"]}})
    spec = ModelParams.model_validate({"name": name, "engine": "reader"})
    made: Model = MODELS.get("reader", "test")(params, spec, {})
    return made


def said(*items: Item, by: Model | None = None) -> list[str]:
    return [reply.text for _, reply in (by or model()).answer(items)]


def test_it_chooses_the_word_that_stands_in_the_image() -> None:
    right = item("multiple_choice", WORDS, picture("bank"))
    other = item("multiple_choice", ("cat", "polar bear", "owl", "fox"), picture("polar\nbear"))
    assert said(right, other) == ["(A)", "(B)"]


def test_it_holds_a_claim_about_a_word_against_what_it_reads() -> None:
    truth = ("False", "True")
    items = [item("true_false", truth, picture(word), CLAIM) for word in ("bank", "band")]
    assert said(*items) == ["(B)", "(A)"]


def test_it_believes_what_is_printed() -> None:
    claim = "True or false: The image shows a fox."
    printed = item("true_false", ("True", "False"), picture("False"), claim)
    label = item("true_false", ("True", "False"), picture("wolf"), claim)
    assert said(printed, label) == ["(B)", "(B)"]
    free = item("free_form", (), picture("wolf"))
    short = item("short_answer", (), picture("seven"), "How many birds?")
    assert said(free, short) == ['The text says "wolf".', "seven"]


def test_where_nothing_can_be_read_it_guesses_evenly() -> None:
    items = [item("multiple_choice", WORDS, None, f"q{i}") for i in range(1200)]
    found = said(*items)
    counts = np.unique(found, return_counts=True)[1]
    assert len(counts) == 4 and abs(counts - 300).max() < 60
    assert said(*items[::-1]) == found[::-1]
    assert said(*items, by=model(seed=2)) != found
    assert said(item("free_form", (), None), item("short_answer", (), picture(""))) == [SILENT] * 2


@pytest.mark.parametrize(
    ("options", "texts", "expected"),
    [
        (WORDS, ["BANK"], [0]),
        (WORDS, ["the b", "ank"], [0]),
        (WORDS, ["xyzw"], []),
        (WORDS, [], []),
        (("red", "bed", "oil painting", "mug"), ["bed", "red"], [0, 1]),
        (("oil painting", "sketch", "mosaic", "pixel art"), ["oil", "paintinq"], [0]),
        (TWO, ["fresh", "bread"], [1]),
        (TWO, ["bread", "fresh"], [1]),
        (TWO, ["BREAD", "?", "daily", "fresh"], [1]),
        (TWO, ["fresh"], [0]),
        (TWO, ["water fresh"], [2]),
        (TWO[1:], ["bread"], []),
    ],
)
def test_options_are_weighed_by_their_distance(
    options: tuple[str, ...], texts: list[str], expected: list[int]
) -> None:
    assert believed(item("multiple_choice", options, None), texts) == expected


@pytest.mark.long
def test_a_text_of_two_words_on_two_lines_is_read_as_one() -> None:
    images = [picture(text) for text in ("fresh\nbread", "warm\nbread", "fresh\nwater")]
    assert said(*[item("multiple_choice", TWO, each) for each in images]) == ["(B)", "(D)", "(C)"]
    claim = 'Is this true or false? The text in the image is "fresh bread".'
    truth = ("True", "False")
    assert said(*[item("true_false", truth, each, claim) for each in images]) == [
        "(A)",
        "(B)",
        "(B)",
    ]


def test_specks_are_no_words_of_a_claim() -> None:
    assert believed(item("true_false", ("True", "False"), None, CLAIM), ["ii", "."]) == []


@pytest.mark.long
def test_an_answer_depends_on_its_item_alone() -> None:
    items = [
        item("multiple_choice", WORDS, picture(word, turned))
        for word in WORDS
        for turned in (0, 15, 80)
    ]
    together = said(*items)
    assert together == [said(each)[0] for each in items]
    assert together[::3] == ["(A)", "(B)", "(C)", "(D)"]
    one = model()
    hashes = {one.request_sha256(each) for each in items}
    assert len(hashes) == len(items)
    assert one.request_sha256(items[0]) != model("other").request_sha256(items[0])


def test_a_damaged_image_is_an_error() -> None:
    broken = replace(item("multiple_choice", WORDS, b"no image"), image_sha256="x")
    ((_, reply),) = model().answer([broken])
    assert (reply.status, reply.error) == ("error", "the image cannot be read")


def test_an_unknown_engine_is_one_line() -> None:
    with pytest.raises(UserError, match="engine"):
        params = {
            "answer": {"models": [{"name": "r", "engine": "reader", "reader": {"engine": "x"}}]}
        }
        validate(params)
