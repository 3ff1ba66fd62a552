"""The table designs."""

from __future__ import annotations

from lvlmbench.tables.declaration import FLOAT, INT32, STRING, Column, Table

#: A thing with what it is rarely seen with; another in its place; with what is expected; at random.
ARMS = ("untypical", "unassociated", "typical", "random")

DESIGNS = Table(
    name="designs",
    what="Why a scene shows what it shows: which association it is about (VALOR-Eval, "
    "section 3.1.3, and beyond). Scenes of suites without such a design have no rows.",
    place="designs",
    key=("scene_id",),
    columns=(
        Column("scene_id", STRING, "The scene.", filled=True),
        Column(
            "arm",
            STRING,
            "`untypical`: the anchor stands with what it is rarely seen with, and without what is "
            "expected; `unassociated`: the same scene with another thing in the anchor's place; "
            "`typical`: with the anchor and what is expected; `random`: without a design.",
            filled=True,
            words=ARMS,
        ),
        Column("triplet", STRING, "What the three scenes of a layout share; null at random."),
        Column(
            "anchor",
            STRING,
            "What stands in the anchor's place; at random the thing with which `expected` is most "
            "often seen, null where none is known.",
        ),
        Column("shown", STRING, "The rarely seen thing, or the expected one; null at random."),
        Column(
            "expected",
            STRING,
            "The thing that is expected with the anchor: there in `typical`, absent else.",
        ),
        Column("statistic", STRING, "Statistic that chose the anchor; null at random."),
        Column("value", FLOAT, "Its value for the anchor; null at random."),
        Column(
            "support", INT32, "Images of the annotation that show the anchor; null at random.",
            between=(1, 2**31 - 1),
        ),
    ),
)  # fmt: skip
