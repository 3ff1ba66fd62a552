"""How words get into the images of text items: engines that put them there."""
