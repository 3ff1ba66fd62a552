"""Metrics: a file each, that adds its rows to the table."""
