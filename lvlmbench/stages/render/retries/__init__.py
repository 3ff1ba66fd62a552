"""Rendering a shard: draw, have filters look, draw again what they reject, go on after a kill."""
