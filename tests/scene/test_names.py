"""What things are called: every label has its names, and names tell things apart."""

from __future__ import annotations

from collections import defaultdict

import pytest

from lvlmbench.scene.truth.lexicon import ANY, read_names
from lvlmbench.scene.truth.names import Names, names_of
from lvlmbench.scene.truth.relation import Relation, key
from support.planted_truth import vocabulary

#: Lists of which the names need none beside them: works and people have one, and so have words.
NAMED = {"anime", "celebrity", "movie", "text", "tv_show"}
#: Lists of which the photographic renderer's entries are asked for by their own words alone.
DRAWN = {"race", "style"}

#: Names that fairly mean either of two things of different groups, by list.
EITHER = {
    "animal": "hog chimp dinosaur dino",
    "object": "suv trolley bike scooter longboard dinghy pushcart cart"
    " lookingglass handbag purse satchel bow football cup award keyboard tablet document pot"
    " thread needle",
    "food": "loafofbread loaf toast layercake",
    "plant": "rose tulip lily aloevera aloe leaf fallenleaf",
    "clothes": "sweatshirt pants swimmingtrunk swimtrunk underpants underwear jacket swimsuit"
    " bathingsuit swimwear hat cap helmet shoe pump slipper",
    "carrier": "roadsign sign streetsign signboard signpost woodensign woodenboard storefront"
    " shopfront board banner placard book notebook paper card idcard stamp nametag tag label"
    " luggagetag pricetag chalkboard blackboard slate easel computer screen pc tv television",
    "profession": "engineer guard",
    "prop": "box crate",
}


@pytest.fixture(scope="module")
def names() -> Names:
    return names_of(vocabulary(), None)


def test_every_label_has_names() -> None:
    given = read_names()
    for name, listing in vocabulary().lists.items():
        if name not in NAMED:
            drawn = listing.for_renderer("pictograph") if name in DRAWN else listing
            assert {*drawn.by_label} <= {*given.get(name, {})}, name


def test_no_name_is_right_and_wrong() -> None:
    for name, labels in read_names().items():
        for label, given in labels.items():
            words = [word for each in given for word in each]
            assert len(words) == len({*words}), (name, label)
            of = [{key(word) for word in each} for each in given]
            assert not of[0] & of[1] and not of[0] & of[2] and not of[1] & of[2], (name, label)
            assert key(label) not in of[1] | of[2], (name, label)


@pytest.mark.parametrize("name", EITHER)
def test_names_tell_groups_apart(name: str) -> None:
    """No name stands for two labels of different groups, but for those that fairly may."""
    listing, groups = vocabulary().lists.get(name), defaultdict[str, set[str]](set)
    for label, given in read_names()[name].items():
        if label == ANY:
            continue
        entry = listing.by_label[label] if listing else None
        for word in (label, *((entry.plural,) if entry else ()), *given.same):
            groups[key(word)].add(entry.group if entry else label)
    assert {word for word, found in groups.items() if len(found) > 1} == {*EITHER[name].split()}


def test_names_are_what_they_are_listed_as(names: Names) -> None:
    for name, labels in read_names().items():
        for label, given in labels.items():
            if label != ANY and name not in ("person", "age", "gender", "race"):
                for word in given.same:
                    assert names.relation(word, label, name) == "same", (name, label, word)
                for word in given.broader:
                    assert names.relation(word, label, name) == "broader", (name, label, word)
                for word in given.near:
                    assert names.relation(word, label, name) == "near", (name, label, word)


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ("dinosaur", "tyrannosaurus"),
        ("dinosaur", "brachiosaurus"),
        ("buffalo", "bison"),
        ("push pin", "pushpin"),
        ("chicken drumstick", "chicken leg"),
        ("wall clock", "clock"),
        ("van", "ambulance"),
        ("scooter", "motor scooter"),
        ("scooter", "kick scooter"),
        ("dungarees", "overalls"),
        ("overalls", "dungarees"),
        ("lotus flower", "lotus"),
        ("triangle ruler", "set square"),
        ("stage lights", "footlight"),
        ("ladybird", "ladybug"),
        ("aubergine", "eggplant"),
        ("spanner", "wrench"),
        ("torch", "flashlight"),
        ("postbox", "mailbox"),
        ("duckling", "chick"),
        ("mobilephone", "smartphone"),
        ("UFO", "flying saucer"),
    ],
)
def test_people_use_these_names(names: Names, said: str, label: str) -> None:
    assert names.relation(said, label) == "same"


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ("Aeroplanes", "airplane"),
        ("tooth-brush", "toothbrush"),
        ("T shirts", "T-shirt"),
        ("dogs", "dog"),
        ("geese", "goose"),
        ("mice", "mouse"),
        ("an axe", "axe"),
        ("ax", "axe"),
        ("two pairs of scissors", "scissors"),
        ("a slice of pizza", "pizza"),
        ("the small red apple", "apple"),
        ("dog emoji", "dog"),
        ("a bear with a hat", "bear"),
        ("loaves of bread", "bread"),
        ("moai of Easter Island", "moai of Easter Island"),
        ("Sagrada Família", "Sagrada Familia"),
    ],
)
def test_spelling_and_number_make_no_difference(names: Names, said: str, label: str) -> None:
    assert names.relation(said, label) == "same"


@pytest.mark.parametrize(
    ("said", "label", "listing", "relation"),
    [
        ("vehicle", "ambulance", "object", "broader"),
        ("car", "taxi", "object", "broader"),
        ("taxi", "car", "object", "near"),
        ("animal", "fox", "animal", "broader"),
        ("bird", "chick", "animal", "broader"),
        ("girl", "chick", "animal", "different"),  # a sense that no animal has
        ("person", "fox", "animal", "different"),
        ("beagle", "dog", "animal", "same"),  # a kind of it
        ("wolf", "dog", "animal", "near"),  # of its group, and listed as wrong
        ("rat", "mouse", "animal", "same"),  # of its group
        ("dog", "wolf", "animal", "same"),
        ("lion", "cat", "animal", "near"),  # of a group in its group
        ("steam locomotive", "tram", "object", "near"),
        ("piano", "dog", "animal", "different"),
        ("statue of a lion", "lion", "animal", "different"),
        ("giant panda", "bear", "animal", "near"),
        ("yellow flower", "tulip", "plant", "broader"),
        ("pile of boxes", "cardboard box", "object", "same"),
        ("stuffed bear", "bear", "animal", "different"),
        ("teddy bear", "bear", "animal", "near"),
        ("computer mouse", "mouse", "animal", "near"),
        ("hot dog", "dog", "animal", "different"),
        ("riding a bike", "cycling", "action", "same"),
        ("holding up his phone", "taking a selfie", "action", "same"),
        ("swinging a golf club on the grass", "playing golf", "action", "same"),
        ("walking", "running", "action", "near"),
        ("sleeping", "running", "action", "different"),
        ("blonde", "blond", "hair", "same"),
        ("man", "female adult", "person", "different"),
        ("chef", "person", "person", "same"),
        ("woman", "doctor", "profession", "broader"),
        ("gull", "seagull", None, "same"),
        ("hut", "sandcastle", None, "different"),
        ("flurble", "dog", "animal", None),
        ("tiny flurble", "dog", None, None),
    ],
)
def test_how_words_relate(
    names: Names, said: str, label: str, listing: str | None, relation: Relation | None
) -> None:
    assert names.relation(said, label, listing) == relation


def test_forms_are_of_the_same_file() -> None:
    names = names_of(vocabulary(), "pictograph")
    assert {"mouse", "mice", "rat"} <= {*names.of("animal", "mouse").forms}
    assert "wolf" not in names.of("animal", "dog").forms
    assert "lotus flower" in names.of("plant", "lotus").forms
