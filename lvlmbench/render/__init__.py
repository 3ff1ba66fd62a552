"""From scenes to images."""
