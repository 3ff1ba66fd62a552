"""The embedded judge: claims read by a small parser, held against the truth by lexicons."""
