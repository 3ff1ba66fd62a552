"""The stage ``questions``: what is asked about each scene."""
