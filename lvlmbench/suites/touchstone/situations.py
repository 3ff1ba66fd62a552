"""What helps with what, what one can cook of what, what one wears where: knowledge of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Need(NamedTuple):
    """A situation that some things help with.

    Attributes
    ----------
    said
        What somebody says who is in it.
    helps
        Label of a thing -> what one does with it, behind "you can".
    """

    said: str
    helps: Mapping[str, str]


NEEDS = (
    Need(
        "I want to hang a heavy picture on the wall of my new room.",
        {
            "hammer": "drive a nail into the wall with it",
            "ruler": "measure with it where the middle of the wall is",
            "pencil": "mark the spot for the nail with it",
            "screwdriver": "put a screw into the wall with it, which holds better than a nail",
        },
    ),
    Need(
        "The power has failed, and it is pitch-dark in my cellar, where the fuses are.",
        {
            "flashlight": "light your way down the stairs with it",
            "candle": "put it on a firm plate, so that there is some light while you look",
            "smartphone": "switch on its lamp, or call somebody who helps you",
        },
    ),
    Need(
        "I have dropped a bag of flour, and the whole floor is white.",
        {
            "broom": "sweep the flour together with it",
            "shovel": "take the heap up with it",
            "bucket": "fill it with water, or throw the flour into it",
            "sponge": "wipe up with it what is left",
        },
    ),
    Need(
        "It has begun to pour, and I still have to get home with my library books.",
        {
            "umbrella": "hold it over you, so that you stay dry",
            "backpack": "carry the books in it, where no rain gets at them",
            "shopping bag": "wrap it around the books",
            "coat": "put it on against the rain",
            "taxi": "ride home in it without getting wet at all",
            "bus": "ride home on it instead of walking",
        },
    ),
    Need(
        "My friends and I have lost our way in the mountains, and it is getting late.",
        {
            "compass": "find out with it where north is, and keep to one direction",
            "flashlight": "give light signals with it: six a minute, then a break",
            "mirror": "flash sunlight with it towards whoever looks for you",
            "megaphone": "call for help with it, so that you are heard from far away",
            "tent": "spend the night in it, out of wind and cold",
            "smartphone": "look at the map on it, or call mountain rescue",
        },
    ),
    Need(
        "My friends are waiting on an island in the middle of a calm lake, and no ferry goes "
        "there any more today.",
        {
            "canoe": "paddle across in it",
            "life buoy": "take it along, in case that somebody falls into the water",
            "helicopter": "fly there in it, if you know a pilot",
            "smartphone": "use it to tell them that you will be late",
            "telephone": "use it to tell them that you will be late",
        },
    ),
    Need(
        "I promised to clear my neighbor's wild garden of dead trees and old leaves.",
        {
            "saw": "cut the branches with it",
            "axe": "fell the thin dead trees with it",
            "shovel": "dig out the roots with it",
            "wheelbarrow": "carry leaves and wood away in it",
            "lawn mower": "cut the grass with it at the end",
        },
    ),
    Need(
        "I would like to write to my grandmother, who does not care for telephones.",
        {
            "pen": "write the letter with it",
            "pencil": "draft the letter with it, so that you can change it",
            "envelope": "put the letter into it, and write her address on it",
            "mailbox": "post the letter there",
            "clipboard": "write on it where you have no table",
        },
    ),
    Need(
        "It rains, we cannot go out, and my little niece is terribly bored.",
        {
            "teddy bear": "play hospital with it and her",
            "crayon": "draw pictures with her",
            "die": "invent a board game with her, and throw it in turn",
            "puzzle piece": "do the puzzle that it belongs to with her",
            "balloon": "see with her who keeps it in the air longest",
            "yo-yo": "show her some tricks with it",
            "paintbrush": "paint with her",
        },
    ),
    Need(
        "I feel hot and shivery, and my throat is sore.",
        {
            "thermometer": "take your temperature with it, so that you know whether it is a fever",
            "teapot": "make tea in it, as you should drink a lot",
            "hot-water bottle": "take it to bed against the shivering",
            "telephone": "call your doctor, if it gets worse",
            "smartphone": "call your doctor, if it gets worse",
        },
    ),
    Need(
        "A button has come off my best coat, and the party starts in an hour.",
        {
            "sewing needle": "sew the button on with it",
            "spool of thread": "take a thread from it that has the color of the coat",
            "magnifying glass": "hold it over the needle's eye while you thread it",
        },
    ),
    Need(
        "I keep missing my bus in the morning, as I never know what time it is.",
        {
            "alarm clock": "set it half an hour before the bus leaves",
            "wristwatch": "look at it while you have breakfast",
            "smartphone": "let it remind you in time",
            "bicycle": "go by it, so that you need no bus at all",
            "kick scooter": "go by it, if it is not far",
        },
    ),
    Need(
        "I am to give a concert in the park tonight, and nothing is prepared.",
        {
            "guitar": "play it, and sing",
            "violin": "play it",
            "trumpet": "play it: it can be heard outdoors",
            "saxophone": "play it: it can be heard outdoors",
            "drum": "keep the beat on it",
            "microphone": "sing into it, so that those at the back hear you, too",
            "megaphone": "tell people in the park when it begins",
        },
    ),
    Need(
        "Tonight I want to show my children the moon and the stars.",
        {
            "telescope": "look at the craters of the moon through it",
            "flashlight": "find the way back with it",
            "camera": "take a picture of the moon to keep",
            "globe": "show them on it how the earth turns",
            "tent": "stay out there in it overnight",
        },
    ),
)

#: Foods by what one makes of them.
FRUIT = frozenset(
    ("apple", "pear", "orange", "banana", "watermelon", "strawberry", "raspberry", "peach",
     "pineapple", "mango", "kiwi", "pomegranate", "coconut")
)  # fmt: skip
VEGETABLES = frozenset(
    ("tomato", "avocado", "eggplant", "potato", "carrot", "chili pepper", "bell pepper", "cucumber",
     "onion", "radish", "mushroom")
)  # fmt: skip
BREADS = frozenset(("baguette", "croissant", "pretzel", "bagel"))
SWEETS = frozenset(("doughnut", "cookie", "lollipop", "cupcake", "pie"))
FILLING = frozenset(("egg", "steak", "chicken leg", "hot dog", "rice ball", "dumpling"))

#: Clothes for the cold, for the heat, and for ice alone.
WARM = frozenset(("coat", "scarf", "hiking boot", "tall boot"))
LIGHT = frozenset(("bikini", "one-piece swimsuit", "flip-flop", "straw hat", "polo shirt"))
#: Background -> how it is there.
CLIMATES = {
    "snowy mountains": "cold",
    "northern lights": "cold",
    "frozen lake": "cold",
    "beach": "hot",
    "desert": "hot",
    "swimming pool": "hot",
}
