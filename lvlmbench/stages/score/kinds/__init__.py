"""Ways of reading which option an answer chooses: a file each."""
