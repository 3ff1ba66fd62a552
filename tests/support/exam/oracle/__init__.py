"""An oracle of exams: answers questions from their English and what a picture shows.

It shares no code with the package: neither its plans, programs, sets, relations nor its families of
questions. It reads the words of question and options, the scene's row, the layout as it was
measured, the vocabulary's files and the table of facts. What it takes from :mod:`support.oracle`
is independent as well. ``tests/suites/autodavis/test_autodavis_oracle.py`` holds it to that.

A file of this folder reads the wordings of some families of questions. Wording that no pattern
fits is an :class:`support.oracle.phrases.Unread`, never skipped.
"""
