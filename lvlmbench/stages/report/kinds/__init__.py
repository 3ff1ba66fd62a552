"""Sections of the report: a file a menu."""
