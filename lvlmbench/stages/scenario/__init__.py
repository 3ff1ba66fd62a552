"""Conditions under which the same items are shown (Dysca, section 3.3)."""
