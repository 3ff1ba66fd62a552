"""Versions of a snapshot that stay: pinned, checked, compared with each other."""
