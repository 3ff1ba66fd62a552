"""A thousand bad inputs: each must end in one line, with nothing left behind."""
