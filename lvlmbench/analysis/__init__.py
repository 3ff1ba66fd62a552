"""What the tables of a snapshot say: numbers and words, no drawing and no HTML."""
