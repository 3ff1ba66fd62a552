"""Scenes with several things, composed and asked as programs."""
