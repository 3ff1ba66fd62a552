"""An oracle of composed scenes: answers questions from their English and what a picture shows.

It shares no code with the package: not the plan, not the programs, not the relations. It reads a
question's words, the graph's objects, the layout (or an id buffer, by itself) and the vocabulary's
files. ``tests/suites/composed/test_composed_oracle.py`` holds it to that.

A skill is one file in ``skills/``: patterns and what they mean. Wording that no pattern fits is an
:class:`Unread`, never skipped.
"""
