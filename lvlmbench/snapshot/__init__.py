"""Read what a run has made."""
