"""Kinds of sheets, a module each."""
