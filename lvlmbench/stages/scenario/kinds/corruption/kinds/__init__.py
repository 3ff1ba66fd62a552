"""Kinds of corruption: a file a family, each with its functions and its numbers."""
