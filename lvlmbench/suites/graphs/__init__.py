"""Graphs of several things: what they are planned with, and how questions about them are made."""
