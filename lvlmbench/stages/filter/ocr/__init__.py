"""Reading the text in a picture, and whether a word is among what was read."""
