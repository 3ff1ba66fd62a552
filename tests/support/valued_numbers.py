"""Answers in which a judge is to read numbers, times and colors, and what they are read as."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lvlmbench.stages.judge.kinds.lexical.exact import Verdict

RIGHT, WRONG, UNCLEAR = {Verdict.RIGHT}, {Verdict.WRONG}, {Verdict.UNCLEAR}
NOT_RIGHT = WRONG | UNCLEAR


class Case(NamedTuple):
    """A question, forms of its value, other values, and what answers to it are read as."""

    question: str
    forms: tuple[str, ...]
    rivals: tuple[str, ...]
    answers: Mapping[str, set[Verdict]]


NUMBERS = (
    Case(
        "For the month with the smallest number under north, what is "
        "the number under west?",
        ("84",), (),
        {
            "The smallest number under north is 52, in the row Apr; "
            "there the table shows 84 for west.": RIGHT,
        },
    ),
    Case(
        "How far apart are the markers C and A on this number line?",
        ("60", "sixty"), (),
        {
            "Marker C is at 80, marker A at 20: they are 60 apart.": RIGHT,
        },
    ),
    Case(
        "What color is the second of the mugs, counted from the left?",
        ("yellow",), (),
        {
            "Counted from the left, the second of the mugs is yellow. In "
            "their order they are gray, yellow, and green.": RIGHT,
        },
    ),
    Case(
        "Which year has the highest value, and what is it?",
        ("2018",), ("2017", "2019"),
        {
            "2018, with 30.": RIGHT,
            "2017, with 30.": WRONG,
        },
    ),
    Case(
        "How many things would be left without those that are green?",
        ("4", "four"), (),
        {
            "Four things would be left: a red mug, two blue bowls and a chair.": RIGHT,
        },
    ),
    Case(
        "In how many cases is the value above 8, and which are they?",
        ("5", "five"), (),
        {
            "5 cases: Jun (9), Jul (12), Aug (14), Sep (11) and Oct (10).": RIGHT,
        },
    ),
    Case(
        "For the person with the largest number under spring, what "
        "is the number under autumn?",
        ("19",), (),
        {
            "Jon has the most (67); under autumn he has 19.": RIGHT,
        },
    ),
    Case(
        "How many things are not the same in the two pictures?",
        ("3", "three"), (),
        {
            "There are 3 differences:\n1. the mug is red\n2. the pen is "
            "missing\n3. the cat is larger": RIGHT,
        },
    ),
    Case(
        "How many of the people look sad?",
        ("1", "one"), (),
        {
            "One person looks sad, two look happy.": RIGHT,
        },
    ),
    Case(
        "How many of the people look happy?",
        ("2", "two"), (),
        {
            "One person looks sad, two look happy.": RIGHT,
        },
    ),
    Case(
        "How many of the people look happy?",
        ("1", "one"), (),
        {
            "One person looks sad, two look happy.": WRONG,
        },
    ),
    Case(
        "What color is the larger one of the two mugs?",
        ("red",), ("blue",),
        {
            "The larger mug is red and the smaller one is blue.": RIGHT,
        },
    ),
    Case(
        "What color is the larger one of the two mugs?",
        ("blue",), ("red",),
        {
            "The larger mug is red and the smaller one is blue.": WRONG,
        },
    ),
    Case(
        "How many dogs are there?",
        ("3", "three"), (),
        {
            "3 dogs and 2 cats": RIGHT,
            "Hay tres perros en la imagen grande.": UNCLEAR,
            "": WRONG,
            "I cannot say.": WRONG,
        },
    ),
    Case(
        "How many cats are there?",
        ("2", "two"), (),
        {
            "3 dogs and 2 cats": RIGHT,
        },
    ),
    Case(
        "How many cats are there?",
        ("3", "three"), (),
        {
            "3 dogs and 2 cats": WRONG,
        },
    ),
    Case(
        "What will this clock show in 25 minutes?",
        ("3:45", "3.45"), (),
        {
            "It shows 3:20 now, so it will show 3:45.": RIGHT,
        },
    ),
    Case(
        "What will this clock show in 25 minutes?",
        ("3:20", "3.20"), (),
        {
            "It shows 3:20 now, so it will show 3:45.": WRONG,
            "03:20": RIGHT,
        },
    ),
    Case(
        "What color is the mug on the left?",
        ("red",), ("blue",),
        {
            "The red mug does not exist.": WRONG,
        },
    ),
    Case(
        "What do all values of the chart add up to?",
        ("120",), (),
        {
            "About 120.": UNCLEAR,
            "120.": RIGHT,
            "20 + 40 + 60 = 120 kg.": RIGHT,
            "20 + 40 + 60 = 110 kg.": WRONG,
        },
    ),
    Case(
        "How large is the angle at C in this triangle, and why?",
        ("80", "eighty"), (),
        {
            "80 cm": UNCLEAR,
            "80°, because the angles add up to 180°.": RIGHT,
        },
    ),
    Case(
        "How much do Jun and Jul add up to?",
        ("84",), (),
        {
            "84: so much Jun (40) and Jul (44) make together.": RIGHT,
        },
    ),
    Case(
        "What color is the ball?",
        ("red",), ("blue",),
        {
            "It could be red.": UNCLEAR,
            "Red or blue.": NOT_RIGHT,
            "The ball is red. The ball is blue.": UNCLEAR,
            "Not blue but red.": RIGHT,
        },
    ),
    Case(
        "What color is the ball?",
        ("red",), (),
        {
            "It isn't blue, it's red.": RIGHT,
        },
    ),
    Case(
        "Each fork is given to one cat. How many cats are left without one?",
        ("2", "two"), (),
        {
            "There are 4 cats and 2 forks, so there are 2 cats more.": RIGHT,
        },
    ),
    Case(
        "Each fork is given to one cat. How many cats are left without one?",
        ("1", "one"), (),
        {
            "There are 4 cats and 3 forks. 4 - 3 = 1. The answer is 1.": RIGHT,
        },
    ),
    Case(
        "What is the average of all values of the chart?",
        ("20",), (),
        {
            "First I add all values: 10 + 20 + 30 = 60. Then I divide by "
            "3: 60 / 3 = 20. So the average is 20.": RIGHT,
        },
    ),
    Case(
        "What is the average of all values of the chart?",
        ("60",), (),
        {
            "First I add all values: 10 + 20 + 30 = 60. Then I divide by "
            "3: 60 / 3 = 20. So the average is 20.": WRONG,
        },
    ),
    Case(
        "What time does the clock show?",
        ("7:45", "19:45"), ("8:45",),
        {
            "A quarter to eight.": RIGHT, "Seven forty-five.": RIGHT, "7:45 p.m.": RIGHT,
            "8:45": WRONG, "A quarter past eight.": WRONG, "Eight o'clock.": WRONG,
        },
    ),
    Case(
        "What share of the whole do elm and oak have together?",
        ("80", "eighty"), ("81",),
        {
            "0.8": UNCLEAR, "Four fifths.": UNCLEAR, "0.7": WRONG, "Three fifths.": WRONG,
            "80 %": RIGHT,
        },
    ),
    Case(
        "How many dogs are in the picture?",
        ("3", "three"), ("2", "4"),
        {
            "Dogs in the picture:\n1. A red dog\n2. A blue dog\n3. A white dog": UNCLEAR,
            "There are 3:\n1. A red dog\n2. A blue dog\n3. A white dog": RIGHT,
            "Dogs in the picture:\n1. A red dog\n2. A blue dog": WRONG,
        },
    ),
)  # fmt: skip
