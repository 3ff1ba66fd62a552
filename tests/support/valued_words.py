"""Answers in which a judge is to read words and names, and what each is to be read as."""

from __future__ import annotations

from support.valued_numbers import NOT_RIGHT, RIGHT, UNCLEAR, WRONG, Case

WORDS = (
    Case(
        "Which animal is the one farthest to the left in this picture?",
        ("eagle", "eagles"), ("fox",),
        {
            "The animal farthest to the left is an eagle (large bird of "
            "prey with a hooked beak).": RIGHT,
        },
    ),
    Case(
        "In which country is it?",
        ("France",), ("Italy", "Spain"),
        {
            "Italy, which borders France.": WRONG,
            "France. Italy. Spain.": NOT_RIGHT,
        },
    ),
    Case(
        "In which country is it?",
        ("France",), (),
        {
            "Italy, which borders France.": WRONG,
            "France. Italy. Spain.": NOT_RIGHT,
        },
    ),
    Case(
        "Compare North and South: who is ahead more often?",
        ("North",), (),
        {
            "South is ahead of North more often.": WRONG,
            "North is ahead of South more often.": RIGHT,
        },
    ),
    Case(
        "Compare North and South: who is ahead more often?",
        ("North",), ("South",),
        {
            "North: it has the higher value 4 of 5 times.": RIGHT,
        },
    ),
    Case(
        "Are there more red cats or more red dogs in the picture?",
        ("cats", "cat"), ("dogs", "dog"),
        {
            "There are fewer red cats.": WRONG,
        },
    ),
    Case(
        "Are there more red cats or more red dogs in the picture?",
        ("cats", "cat"), (),
        {
            "There are more red cats than red dogs.": RIGHT,
            "There are more red dogs than red cats.": WRONG,
        },
    ),
    Case(
        "What does the sign say?",
        ("leaf",), ("hello", "world"),
        {
            "It says hello and leaf and world.": NOT_RIGHT,
        },
    ),
    Case(
        "What does the sign say?",
        ("leaf",), (),
        {
            "It says hello and leaf and world.": NOT_RIGHT,
            "L-E-A-F": RIGHT,
        },
    ),
    Case(
        "Which landmark is this?",
        ("Eiffel Tower",), (),
        {
            "Big Ben, Colosseum, Taj Mahal, Eiffel Tower, Tower Bridge, "
            "Kaaba, Golden Gate Bridge": NOT_RIGHT,
            "It is Big Ben, Colosseum, Taj Mahal, the Eiffel Tower, "
            "Tower Bridge, Kaaba and Golden Gate Bridge.": NOT_RIGHT,
        },
    ),
    Case(
        "In which country is it?",
        ("the United States", "US", "America"), (),
        {
            "Let us think about Italy.": WRONG,
            "It is in South America.": WRONG,
            "It is in the US.": RIGHT,
            "It is in America.": RIGHT,
        },
    ),
    Case(
        "In which country is it?",
        ("the United States", "US", "USA", "America"), (),
        {
            "U.S.A.": RIGHT,
        },
    ),
    Case(
        "What does the sign say?",
        ("been",), ("watch",),
        {
            "I have been looking at the sign: it says watch.": WRONG,
            'The sign says "been".': RIGHT,
            "Been": RIGHT,
        },
    ),
    Case(
        "What does the sign say?",
        ("west",), ("watch",),
        {
            'The sign in the west says "watch".': WRONG,
        },
    ),
    Case(
        "One of the four pictures is unlike the others. Which one, and why?",
        ("top left", "upper left", "first"), (),
        {
            "The bottom right picture: it lacks the mug which the first three show.": WRONG,
            "The first picture.": RIGHT,
            "The top-left one, because the mug is missing.": RIGHT,
        },
    ),
    Case(
        "One of the four pictures is unlike the others. Which one, and why?",
        ("bottom right", "lower right", "fourth", "last"), (),
        {
            "The bottom right picture: it lacks the mug which the first three show.": RIGHT,
        },
    ),
    Case(
        "Which month has the highest value?",
        ("Jul",), ("Jun",),
        {
            "July": RIGHT,
            "The highest value is in July, with 30.": RIGHT,
            "June": WRONG,
        },
    ),
    Case(
        "In which country is it?",
        ("the United Kingdom", "UK"), (),
        {
            "U.K.": RIGHT,
        },
    ),
    Case(
        "What is the animal to the left of the cat?",
        ("dog",), ("fox",),
        {
            "It is a fox. No wait, the dog is next to it.": NOT_RIGHT,
        },
    ),
    Case(
        "What is the animal to the left of the cat?",
        ("fox",), ("dog",),
        {
            "It is a fox. No wait, the dog is next to it.": NOT_RIGHT,
        },
    ),
    Case(
        "How does the person on the left feel?",
        ("happy", "glad"), ("sad", "angry", "neutral"),
        {
            "The person is not happy.": WRONG,
            "This person looks happy: the mouth is open in a broad "
            "smile, unlike the sad person.": RIGHT,
        },
    ),
    Case(
        "How does the person on the left feel?",
        ("sad",), ("happy", "angry", "neutral"),
        {
            "This person looks happy: the mouth is open in a broad "
            "smile, unlike the sad person.": WRONG,
        },
    ),
    Case(
        'What is the word "lamp" written on?',
        ("road sign",), ("billboard", "clapperboard"),
        {
            'The word "lamp" is written on the road sign. The other '
            'words are "tea" and "sofa".': RIGHT,
            "It is on the billboard, next to the road sign.": WRONG,
        },
    ),
    Case(
        "Which day has the highest value?",
        ("Fri", "Friday"), ("Mon", "Thu", "Thursday"),
        {
            "Thursday has the highest value, which is 500, followed by Friday with 450.": WRONG,
            "Friday has the highest value, which is 500, followed by Thursday with 450.": RIGHT,
        },
    ),
    Case(
        "What does the yellow slice stand for?",
        ("Hugo",), ("Ben",),
        {
            "The yellow slice stands for Ben, which makes up 25%, and the blue for Hugo.": WRONG,
        },
    ),
    Case(
        "Which landmark is this?",
        ("Taj Mahal",), ("Brandenburg Gate", "Eiffel Tower"),
        {
            "This is the Taj Mahal, located in Agra, India. It was built by Shah Jahan.": RIGHT,
            "The one highest up is the Taj Mahal, Agra, India.": RIGHT,
            "Taj Mahal, Eiffel Tower, Brandenburg Gate, Big Ben": WRONG,
        },
    ),
    Case(
        "What do all pictures show?",
        ("shopping bag",), ("drum",),
        {
            "All pictures contain a shopping bag, in different colors: red, blue and green.": RIGHT,
        },
    ),
    Case(
        "What comes behind Qorzal, Vimtur and Blenzor?",
        ("Fonsa",), ("Elmar",),
        {"Qorzal Vimtur Blenzor Fonsa.": RIGHT},
    ),
    Case(
        "Does this person look happy, sad, neutral, or angry?",
        ("happy", "joy"), ("sad", "neutral", "angry", "anger"),
        {
            "The person looks happy, not sad, neutral, or angry.": RIGHT,
            "Happy, not sad, neutral or angry.": RIGHT,
            "Not happy, sad or neutral: angry.": WRONG,
            "Joy.": RIGHT,
        },
    ),
    Case(
        "Which thing is farthest to the left?",
        ("pickup truck", "pickup"), ("fox", "car"),
        {"The truck.": UNCLEAR, "The car.": WRONG},
    ),
)  # fmt: skip
