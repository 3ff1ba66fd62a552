"""The table descriptions."""

from __future__ import annotations

from lvlmbench.tables.declaration import INT16, INT32, STRING, STRINGS, Column, Table
from lvlmbench.tables.planned_descriptions import CHECKS

#: What became of a planned picture before anything was drawn.
DESCRIBED_AS = (
    "made", "not_drawable", "needs_endpoint", "refused", "malformed", "error", "timeout",
    "no_aspect",
)  # fmt: skip

DESCRIPTIONS = Table(
    name="descriptions",
    what="One picture that an examiner planned for an aspect of a request (AutoDavis, sections 2.1 "
    "and 2.2). Suites without an examiner have no rows.",
    place="descriptions",
    key=("scene_id",),
    columns=(
        Column("scene_id", STRING, "Scene that was to be made of it.", filled=True),
        Column("subtask", STRING, "The request: what a user wants to have asked.", filled=True),
        Column("general_no", INT16, "Number of the general aspect, from 0.", filled=True),
        Column("general", STRING, "Name of the general aspect.", filled=True),
        Column("fine_no", INT16, "Number of the fine-grained aspect in it, from 0.", filled=True),
        Column("aspect", STRING, "Id of the fine-grained aspect.", filled=True),
        Column("called", STRING, "Its name.", filled=True),
        Column(
            "truth",
            STRING,
            "Where the truth of its questions comes from: `construction`, `knowledge` or "
            "`convention`; `description` where validators confirm what a text says of a picture.",
            words=("construction", "knowledge", "convention", "description"),
        ),
        Column("level", STRING, "Level of difficulty.", filled=True),
        Column(
            "number", INT32, "Number of the picture of this aspect and level, from 0.", filled=True
        ),
        Column("description", STRING, "What the picture is to show; null where nothing was made."),
        Column("topic_word", STRING, "Topic word of the description."),
        Column("key_words", STRINGS, "Its key words: neighbors of the topic word in the graph."),
        Column("banned", STRINGS, "Words that it had to do without."),
        Column("repeated", STRINGS, "Those of them that it has all the same."),
        CHECKS,
        Column("family", STRING, "Family of questions that asks about it; null without one."),
        Column("examiner", STRING, "Who planned it.", filled=True),
        Column(
            "status",
            STRING,
            "`made`; `not_drawable` where the level has nothing to show; `needs_endpoint` where no "
            "embedded family asks about the aspect, and no model plans; else what came of a model, "
            "as in `planned_descriptions`.",
            filled=True,
            words=DESCRIBED_AS,
        ),
    ),
)
