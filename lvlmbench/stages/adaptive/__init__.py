"""A model that is asked no more than it takes to know how good it is."""
