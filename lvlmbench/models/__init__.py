"""The models under test."""
