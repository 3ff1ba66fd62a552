"""Other words for the same are read alike, whatever the parser makes of them."""

from __future__ import annotations

import pytest

from support.reading import told

COLORS = {
    # the color is read as a thing, or as a word that says nothing
    "* A lime racing car": ["racing car", "racing car color lime"],
    "The picture shows a lime racing car.": ["racing car", "racing car color lime"],
    "- A lime jeep": ["jeep", "jeep color lime"],
    "One sees a medal, a mosquito, an orca, and a magenta racing car.":
        ["medal", "mosquito", "orca", "racing car", "racing car color magenta"],
    "There is a gold yo-yo.": ["yo-yo", "yo-yo color gold"],
    # the color is read as a verb
    "- Two goats\n- Three rose yo-yos":
        ["goat", "goat count 2", "yo-yo", "yo-yo color rose", "yo-yo count 3"],
    "One sees two goats, three rose yo-yos, and a cherry blossom.":
        ["goat", "goat count 2", "yo-yo", "yo-yo color rose", "yo-yo count 3", "cherry blossom"],
    # the noun may be a color, or is read as a verb
    "There is a purple rose.": ["rose", "rose color purple"],
    "The picture shows a skateboard. I can see an avocado. There is a tan rose.":
        ["skateboard", "avocado", "rose", "rose color tan"],
    "One sees a cake, a doughnut, an orange rose, and a light bulb.":
        ["cake", "doughnut", "rose", "rose color orange", "light bulb"],
    # names and shades stay what they are
    "There is an orange tree and a lime green cup.":
        ["orange tree", "cup", "cup color lime green"],
}  # fmt: skip

PEOPLE = {
    # what somebody does, far from who does it
    "A frowning youngster with light skin and red hair, wearing white earmuffs, a blue t shirt, "
    "and a black miniskirt, is stretching out their arms.": ["youngster does stretch arm"],
    "In this drawing, a child with a medium skin tone and black hair, wearing a blue top hat, an "
    "orange sweater, and a black skirt, is raising their arms.": ["child does raise arm"],
    "A sorrowful kid with light skin and a bald head, wearing brown sneakers, a brown t-shirt, "
    "and a pink miniskirt, is stretching out their arms.": ["kid does stretch arm"],
    "A frowning youngster with light skin and brown hair in a mohawk is waving.":
        ["youngster does wave"],
    "- An elderly woman with a medium skin tone and gray hair, wearing pink boots, gray "
    "headphones, purple gloves, a pink jacket, and pink trousers, putting her hands on her hips":
        ["woman does put hand on hip", "woman wears headphones, gray"],
    "- An annoyed youngster with dark skin and red hair in a bun, wearing a black mantle and a "
    "black jumper, sitting\n\n**Background:** a volcano\n**Style:** a flat illustration":
        ["youngster does sit", "youngster wears jumper, black"],
    # a verb after a list of clothes
    "A boy runs. He wears a gray cap, yellow gloves, and a purple dress. There is a girl. They "
    "wear a cap, yellow gloves, and a purple dress and hold the flower.": ["girl holds flower"],
    # the article is read as a noun
    "- A frowning youngster with a medium skin tone, wearing a gray hat and a purple dress, "
    "running": ["youngster expression frowning", "youngster race medium", "youngster does run"],
    # clothes that are read as something else
    "A man is running. He wears pink shades and a gray top.":
        ["man wears shades, pink", "man wears top, gray"],
    "A boy, wearing red sneakers, yellow dark glasses, orange mittens, and a blue dress, waves.":
        ["boy wears dark glasses, yellow", "boy wears mittens, orange", "boy wears dress, blue"],
    "A gloomy youngster with dark skin and red hair, wearing an orange hat, orange glasses, a "
    "white bow, and a black blazer, is sitting.": ["youngster wears glasses, orange"],
}  # fmt: skip


#: Colors that stand before a verb, which is no thing; or that are things.
VERBS = {
    "The man in red stands beside a girl.": ["man next_to girl"],
    "The boy in yellow stands beside the girl in blue.": ["boy next_to girl"],
    "A vase in blue stands on a shelf.": ["vase color blue", "vase on shelf"],
    "The wall painted blue stands behind a car.": ["wall behind car", "wall color blue"],
    "The boy in orange skates past a dog.": ["boy does skate"],
    "A man in orange hammers a nail.": ["man does hammer nail"],
    "A woman in red rocks a cradle.": ["woman does rock cradle"],
    "The boy in green jumps over a girl.": ["boy does jump"],
    "A boy in green falls.": ["boy does fall"],
    "An orange lies on the table and a lemon lies under it.":
        ["orange on table", "lemon below orange"],
    "One rose lies on a book.": ["rose count 1", "rose on book"],
    "A pale orange moon rises.": ["moon color pale orange"],
    "A bright orange cup rises.": ["cup color bright orange"],
    "A man carries a fork and rake.": ["man holds fork"],
}  # fmt: skip


@pytest.mark.parametrize("text", VERBS)
def test_a_verb_behind_a_color_is_no_thing(text: str) -> None:
    found = told(text)
    assert not set(VERBS[text]) - set(found), found
    made_up = {"stand", "lie", "skate", "hammer", "rock", "jump", "fall", "rise"}
    assert not {each.split()[0] for each in found} & made_up, found
    assert "man does rake" not in found


@pytest.mark.parametrize("text", COLORS)
def test_colors_before_nouns(text: str) -> None:
    assert told(text) == sorted(COLORS[text])


@pytest.mark.parametrize("text", PEOPLE)
def test_people_far_from_what_they_do(text: str) -> None:
    found = told(text)
    assert not set(PEOPLE[text]) - set(found), found


def test_another_thing_behind_clothes_is_not_worn() -> None:
    found = told("A man, wearing a hat, a coat, and a scarf, is waving, and a dog, brown, barks.")
    assert {"man does wave", "dog does bark", "man wears scarf"} <= set(found)
