"""The table truth: what each picture shows, feature by feature."""

from __future__ import annotations

from lvlmbench.tables.claims import KINDS
from lvlmbench.tables.declaration import BOOL, STRING, STRINGS, Column, Table

TRUTH = Table(
    name="truth",
    what="One thing that is so in the picture of a scene (docs/claims.md). A scene's rows stand "
    "side by side.",
    place="truth",
    key=("scene_id", "feature"),
    columns=(
        Column("scene_id", STRING, "The scene.", filled=True),
        Column("feature", STRING, "Name of the feature within its scene.", filled=True),
        Column("kind", STRING, "What it is about.", filled=True, words=KINDS),
        Column("subject", STRING, "What it is about.", filled=True),
        Column("relation", STRING, "The attribute, or how things stand; null of objects."),
        Column("object", STRING, "The other thing."),
        Column("value", STRING, "The value of an attribute, a number, a word of the scene."),
        Column("about", STRING, "Feature of the thing that `subject` stands for."),
        Column("other", STRING, "Feature of the thing that `object` stands for."),
        Column(
            "forms",
            STRINGS,
            "Words that name what the feature adds, its own first.",
            filled=True,
        ),
        Column("group", STRING, "Group of the vocabulary's entry: those it may be taken for."),
        Column("optional", BOOL, "Whether it may be said and need not be said.", filled=True),
        Column(
            "source",
            STRING,
            "`layout` for what was measured, `graph` for what was drawn so, `listed` for what "
            "the vocabulary says it shows, `given` for annotation by others.",
            filled=True,
            words=("layout", "graph", "listed", "given"),
        ),
        Column(
            "closed",
            BOOL,
            "Whether the scene's features are all: what is not among them is not there.",
            filled=True,
        ),
    ),
)
