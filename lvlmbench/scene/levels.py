"""Levels of difficulty that suites have, easy ones first; users may add others."""

from __future__ import annotations

LEVELS = ("easy", "medium", "hard")
