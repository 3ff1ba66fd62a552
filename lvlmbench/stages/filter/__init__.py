"""Verdicts on images: which may be asked about (Dysca, section 3.3)."""
