"""Answers of other wordings in which a judge is to read values, and what each is to be read as."""

from __future__ import annotations

from support.valued_numbers import NOT_RIGHT, RIGHT, UNCLEAR, WRONG, Case

NOT_WRONG = RIGHT | UNCLEAR

FREE = (
    Case(
        "What is the animal to the left of the cat?",
        ("fox", "foxes"), ("dog", "dogs", "wolf", "wolves"),
        {
            "The animal to the left of the cat appears to be a red fox "
            "with a bushy tail.": RIGHT,
            "There's a fox there.": RIGHT,
            "A fox, which looks a bit like a dog.": RIGHT,
            "It looks like a dog, maybe a fox.": NOT_RIGHT,
            "A dog is sitting left of the cat; the fox is on the other side.": NOT_RIGHT,
            "Neither a dog nor a wolf: it's a fox.": RIGHT,
            "To the left of the cat, there is a wolf. To the right, "
            "there is a fox.": NOT_RIGHT,
            "The cat has a wolf to its left and a fox to its right.": NOT_RIGHT,
            "I can see a dog, a wolf and a fox.": NOT_RIGHT,
            "It's a penguin.": WRONG,
            "Fox (Vulpes vulpes).": RIGHT,
        },
    ),
    Case(
        "What color is the mug that is to the left of the lamp?",
        ("red",), (),
        {
            "The mug to the left of the lamp is red.": RIGHT,
            "The mug to the left of the blue lamp is red.": RIGHT,
            "The red mug is to the right of the lamp; the one on the left is blue.": NOT_RIGHT,
            "It's a dark red mug next to a white lamp.": RIGHT,
            "The mug is blue and the lamp is red.": NOT_RIGHT,
            "There are two mugs, a blue one and a red one. The red one "
            "is left of the lamp.": NOT_WRONG,
            "Red and white.": NOT_RIGHT,
            "It is blue, definitely not red.": WRONG,
        },
    ),
    Case(
        "How many of the mugs are to the left of the lamp?",
        ("2", "two"), (),
        {
            "Two of the five mugs are to the left of the lamp.": RIGHT,
            "Of the 5 mugs, 2 are left of the lamp.": RIGHT,
            "There are 5 mugs in total, 2 of which are to the left of the lamp.": RIGHT,
            "There are 5 mugs in total, 3 of which are to the left of the lamp.": WRONG,
            "There are 2 mugs in total, 1 of which is to the left of the lamp.": WRONG,
            "Three mugs are on the left and two on the right.": WRONG,
            "I count 2 mugs to the left of the lamp and 3 to the right.": RIGHT,
        },
    ),
    Case(
        "How does the person on the left seem to feel? Tell also "
        "what shows it.",
        ("sad", "unhappy", "crying"), ("happy", "smiling", "angry", "neutral"),
        {
            "The person seems unhappy, as tears run down the cheeks.": RIGHT,
            "Sad. There are tears; nobody who is happy looks so.": RIGHT,
            "The person on the left is happy, while the one on the right is sad.": WRONG,
            "The person on the left is sad, while the one on the right is happy.": RIGHT,
            "They don't look happy. They look sad.": RIGHT,
            "This person does not look sad at all but happy.": WRONG,
        },
    ),
    Case(
        "How much do Jun and Jul add up to?",
        ("84",), ("85", "83", "4"),
        {
            "Jun has 40 and Jul has 44, which gives 84 in total.": RIGHT,
            "Jun: 40\nJul: 44\nSum: 84": RIGHT,
            "40+44=84": RIGHT,
            "40 + 44 = 85": WRONG,
            "Jun has 84, Jul has 4; together they make 88.": WRONG,
            "Adding 40 to 44 yields 84.": RIGHT,
            "The sum is 84 (40 + 44).": RIGHT,
            "84.0": RIGHT,
            "approximately 84": UNCLEAR,
        },
    ),
    Case(
        "In which country is it?",
        ("the United States", "United States", "US", "USA", "America"),
        ("Canada", "Mexico", "Brazil"),
        {
            "The Statue of Liberty stands in New York, USA.": RIGHT,
            "You would have to travel to the United States of America.": RIGHT,
            "Canada, just north of the United States.": WRONG,
            "In Canada, not in the United States.": WRONG,
            "It is located in Mexico, which lies south of the US.": WRONG,
            "It tells us it is in Canada.": WRONG,
        },
    ),
    Case(
        "What does the billboard say?",
        ("watch",), ("match", "patch"),
        {
            "It reads WATCH.": RIGHT,
            "The billboard reads: watch": RIGHT,
            'I see people who watch a billboard that says "match".': WRONG,
            "match": WRONG,
            'The text on the billboard is "Watch".': RIGHT,
            'The billboard says "watch out".': NOT_RIGHT,
        },
    ),
    Case(
        "Which month has the highest value for north in this chart, "
        "and what is it?",
        ("Jul",), ("Jun", "Aug", "May"),
        {
            "July has the highest value for north, at 70.": RIGHT,
            "Jul: 70": RIGHT,
            "The highest value for north is 70, in Jul.": RIGHT,
            "Jun is highest with 70, ahead of Jul with 60.": WRONG,
            "The highest value for north is in Aug (70), followed by Jul (60).": WRONG,
            "Jun (60), Jul (70), Aug (50): so Jul is the highest.": NOT_WRONG,
        },
    ),
)  # fmt: skip
