"""Exams for tests: planned, drawn and asked about, and pictures that are not as described."""
