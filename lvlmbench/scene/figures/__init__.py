"""Full-length people as data: what a figure may be, what of it can be told, what it is called."""
