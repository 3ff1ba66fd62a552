"""Compute the metrics of the scores, with intervals."""
