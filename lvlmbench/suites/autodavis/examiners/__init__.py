"""Examiners that come with the suite."""
