"""Ways to say things that a parser gets wrong or that are no sentences."""

from __future__ import annotations

import pytest

from support.reading import told

SAID = {
    # adjectives apart from their nouns
    "Red: the car and the ball. Wooden: the table.":
        ["car color red", "ball color red", "table material wooden"],
    "The car is red, the boat blue, the house green.":
        ["car color red", "boat color blue", "house color green"],
    "The car, the boat and the kite are red, blue and green, respectively.":
        ["car color red", "boat color blue", "kite color green"],
    "A car (color: red; material: metal) and a table (wooden).":
        ["car color red", "car material metal", "table material wooden"],
    "**Car**\n- Color: red\n- Material: metal\n**Table**\n- Material: wood":
        ["car color red", "car material metal", "table material wood"],
    "Buttons! Some are oval. Colors: lilac, maroon.":
        ["button shape oval", "button color lilac", "button color maroon"],
    "A kettle, squat and gleaming, stands on a stove.":
        ["kettle shape squat", "kettle other gleaming", "kettle on stove"],
    "The lamp, neither lit nor clean, hangs above a door.":
        ["not lamp state lit", "not lamp state clean"],
    "Saddle torn, bell silver.": ["saddle state torn", "bell color silver"],
    "Dials (7): round, white": ["dial count 7", "dial shape round", "dial color white"],
    "Candles, all of them unlit.": ["candle state unlit"],
    "The teapot's pewter, the jug brown and the rack chrome.":
        ["teapot material pewter", "jug color brown", "rack material chrome"],
    "The kettle is copper, and so is the ladle.": ["ladle material copper"],
    "The door is the same green as the shutters.": ["door color green", "shutter color green"],
    "Red is the kettle. Yellow the walls, yellow the tiles.":
        ["kettle color red", "wall color yellow", "tile color yellow"],
    "A lantern, six-sided, its panes sooty and its hook bent, stands on a step.":
        ["lantern shape six-sided", "pane state sooty", "hook state bent"],
    "There is an amp whose grille is torn.": ["grille state torn"],
    "The tray is of copper and badly tarnished.":
        ["tray material copper", "tray state tarnished"],
    "Somebody has left the oven door open.": ["oven door state open"],
    "A horse the color of cream stands beside a hut in the shape of a tulip.":
        ["horse color cream", "hut shape tulip"],
    "The kettle is perhaps copper. So is the ladle.": ["maybe ladle material copper"],
    "The door is as blue as the sky.": ["door color blue"],
    "Mailbox red, dented.": ["mailbox color red", "mailbox state dented"],
    # verbs that are read as nouns
    "Behind him trots a lad.": ["lad does trot", "lad gender male"],
    "A finch perches on a drum.": ["finch does perch", "finch on drum"],
    "A pear, a coconut and a fig lie on a tray.":
        ["pear on tray", "coconut on tray", "fig on tray"],
    "A trash can stands to the right of a chair.": ["trash can", "trash can right_of chair"],
    "Goalkeeper diving (green jersey, no gloves).":
        ["goalkeeper does dive", "goalkeeper wears jersey, green",
         "not goalkeeper wears glove"],
    "The organist, gray-suited, her hair in a chignon, is checking a phone.":
        ["organist does check phone", "organist hair chignon"],
    "A farmer, a nun, a sailor and a girl are sitting on a bench.":
        ["farmer does sit", "nun does sit", "sailor does sit", "girl does sit"],
    "Nobody's smoking.": ["not person does smoke"],
    # things
    "A blue bowl stands to the left of a white one.":
        ["bowl color blue", "bowl color white", "bowl left_of bowl"],
    "In red: the fire hydrant and the trash can.":
        ["fire hydrant color red", "trash can color red"],
    "There is a fire extinguisher on the wall.": ["fire extinguisher on wall"],
    "Two tall glasses stand on a tray.": ["glass count 2", "glass on tray"],
    "A tape measure and a weighing scale.": ["tape measure", "weighing scale"],
    "Hammer? None.": ["not hammer"],
    "Heron: nowhere.": ["not heron"],
    "Nobody is there.": ["not person"],
    "The picture does not show a steam locomotive.": ["not steam locomotive"],
    "There is a lime yo-yo.": ["yo-yo color lime"],
    # places and relations
    "A shelf, on top of which a vase has been placed.": ["vase on shelf"],
    "Harp far left; beside it, stool. Piano right.":
        ["harp at left", "stool next_to harp", "piano at right"],
    "A skull and a candle occupy the foreground.":
        ["skull at foreground", "candle at foreground"],
    "Pear bigger than apple. Apple bigger than fig.":
        ["pear larger apple", "apple larger fig"],
    "The tote is the largest bag, followed by the satchel.":
        ["tote rank 1", "satchel rank 2"],
    "Sizes, ascending: 1. bean, 2. carrot, 3. melon.":
        ["bean rank -1", "carrot rank -2", "melon rank -3"],
    "The mug isn't the largest; the jug is larger than the mug.":
        ["not mug rank 1", "jug larger mug"],
    "**On the windowsill**\n\n- a cactus\n- a telescope":
        ["cactus on windowsill", "telescope on windowsill"],
    "From left to right: a lamp, a laptop, a mug.":
        ["lamp left_of laptop", "laptop left_of mug"],
    "To the left of the toad there is a hedgehog, to the right a puddle.":
        ["hedgehog left_of toad", "puddle right_of toad"],
    "There is a bottle with a letter inside.": ["letter inside bottle"],
    "A piano with a metronome on top.": ["metronome on piano"],
    "A hill is crowned by a chapel. A tripod straddles the campfire.":
        ["chapel on hill", "tripod above campfire"],
    "The trophy is no taller than the leek.": ["not trophy larger leek"],
    "The goat is half the size of the ostrich.": ["goat smaller ostrich"],
    # people
    "- **The drummer**\n  - *Hair:* long, blond\n  - *Clothing:* black hat":
        ["drummer hair long", "drummer hair blond", "drummer wears hat, black"],
    "An old lady is sitting at the piano: violet blouse.": ["lady wears blouse, violet"],
    "An uncle and an aunt wait. Shorts: the uncle (blue). Eating: the aunt.":
        ["uncle wears shorts, blue", "aunt does eat"],
    "Hats: the man (red), the woman (blue).": ["man wears hat, red", "woman wears hat, blue"],
    "The boy's scarf is orange and the girl's blue.":
        ["boy wears scarf, orange", "girl wears scarf, blue"],
    "A woman in an apron over dungarees is waving.":
        ["woman wears apron", "woman wears dungarees"],
    "Woman A: dark hair, green coat. Woman B: red coat.":
        ["woman hair dark", "woman wears coat, green", "woman wears coat, red"],
    "Boy on crutches, cap askew.": ["boy on crutch", "boy wears cap"],
    "Nurse, male, green scrubs, yawning.":
        ["nurse gender male", "nurse wears scrubs, green", "nurse does yawn"],
    "Suspect: male, late forties. Wearing jeans; no gloves.":
        ["suspect gender male", "suspect age adult", "suspect wears jeans"],
    "A girl of sixteen with plaits.": ["girl age teenager", "girl hair plait"],
    "His coach, a tall woman, is clapping.": ["coach gender female", "coach does clap"],
    "A woman and a kid are here. She has curly hair.": ["woman hair curly"],
    "A woman in a turtleneck has put on a mitre.":
        ["woman wears turtleneck", "woman wears mitre"],
    "A man and a girl sit there. Neither of them is smiling.":
        ["not man does smile", "not girl does smile"],
}  # fmt: skip


@pytest.mark.parametrize("text", SAID)
def test_it_is_read(text: str) -> None:
    found = told(text, vocabulary=False)
    assert not set(SAID[text]) - set(found), found


NOT_SAID = {
    "The postwoman has put on a hat.": "postwoman on hat",
    "A refrigerator covered in magnets.": "refrigerator inside magnet",
    "A mirror, far from clean.": "mirror state clean",
    "Not a single camel.": "camel count 1",
    "No cup of coffee can be seen.": "coffee can",
    "From left to right: a lamp, a laptop, a mug.": "lamp at left",
    "A piano with a metronome on top.": "metronome at top",
    "The girl, dressed as a pirate, waves.": "pirate",
    "A clock hangs on the door. The lock is rusty.": "clock state rusty",
    "**On the shelf**\n- a cup\n\n**Other things**\n- a dog": "dog on shelf",
    "A cup drives from left to right, and a dog pulls a cart.": "dog left_of cart",
    "The kettle is never red, and so is the ladle.": "ladle color red",
    "The door is not the same green as the shutters.": "shutter color green",
    "A woman with a scarf on her head.": "woman on head",
}  # fmt: skip


@pytest.mark.parametrize("text", NOT_SAID)
def test_it_is_not_read(text: str) -> None:
    assert NOT_SAID[text] not in told(text, vocabulary=False)
