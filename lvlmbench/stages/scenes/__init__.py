"""Plan the scenes of a snapshot and the questions about them."""
