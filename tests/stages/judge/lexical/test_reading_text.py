"""Reading of texts as they come: alone and together, hostile ones, with places in the answer."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.judge.kinds.lexical.reading import model, read, read_many
from lvlmbench.stages.judge.kinds.lexical.reading.text import flatten
from support.reading import told, words

CAPTIONS = [
    "A red car and two dogs are in front of a house.",
    "- lamp: tall, brass\n- table: round\n\nNo chairs.",
    "An old man in a black hat is holding an umbrella; behind him a girl runs.",
    "A cup is larger than the spoon. It is blue.",
    "",
    "Left: a mill.",
]


def test_claims_are_the_same_alone_together_and_in_any_order() -> None:
    alone = [read(text, words()) for text in CAPTIONS]
    assert [*read_many(CAPTIONS, words())] == alone
    order = random.Random(3).sample(range(len(CAPTIONS)), len(CAPTIONS))
    many = [CAPTIONS[i] for i in order] * 12
    assert [*read_many(many, words())] == [alone[i] for i in order] * 12


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "a red dog " * 5000,
        "x" * 50_000,
        "\U0001f600\U0001f3a8" * 200,
        "<div><p>A <b>red</b> car &amp; a dog</p></div><script>x</script>",
        "**A _red* car** `and [a dog](http://x.y |||",
        "A red \ud800 car",
        "a red car a dog no cat two birds on the roof",
        "::: ((( ,,, ))) --- ...",
        "\x00\x01A car.\r\n\r\n",
        "( , )",
        "top left: : left:",
    ],
)
def test_nothing_makes_reading_fail(text: str) -> None:
    for claim in read(text, words()):
        assert 0 <= claim.start <= claim.end <= len(text)


def test_tags_and_stress_do_not_hide_claims() -> None:
    assert told("<p>A <b>red</b> car</p>") == told("A *red* car") == ["car", "car color red"]


def test_claims_say_where_they_stand() -> None:
    text = "**Lamp** \u2013 tall, brass."
    said = {
        claim.value or claim.subject: text[claim.start : claim.end] for claim in read(text, words())
    }
    assert said == {"lamp": "Lamp", "tall": "tall", "brass": "brass"}


def test_lines_of_a_list_begin_sentences() -> None:
    flat = flatten("Two things are here.\n- a cup\n- a plate")
    assert flat.text.count(". ") == 2
    assert {flat.text[flat.places.index(at) :].split()[1].strip(".") for at in flat.lines} == {
        "cup",
        "plate",
    }


def test_words_that_are_written_are_of_what_says_them() -> None:
    assert "sign text open" in told('A sign reads "OPEN" on a red door.')


def test_another_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "SHA256", "0" * 64)
    model.parser.cache_clear()
    with pytest.raises(UserError, match="other weights"):
        model.parser()
    monkeypatch.undo()
    model.parser.cache_clear()


@pytest.mark.long
def test_other_rounding_of_products_makes_no_other_claims() -> None:
    """Kernels of other processors add in another order; claims do not depend on that."""
    script = Path(__file__).parents[3] / "support" / "reading_rounded.py"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = [sys.executable, str(script)]
    outputs = [
        subprocess.run([*run, how], env=env, capture_output=True, text=True, check=True).stdout
        for how in ("as is", "rounded")
    ]
    tensors, claims = zip(*(out.splitlines() for out in outputs), strict=True)
    assert tensors[0] != tensors[1]  # the kernels do differ
    assert claims[0] == claims[1]
