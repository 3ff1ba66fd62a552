"""Checks of the judging of dialogue against planted truth."""
