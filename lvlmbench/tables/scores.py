"""The table scores."""

from __future__ import annotations

from lvlmbench.tables.answers import STATUSES
from lvlmbench.tables.declaration import BOOL, FLOAT, INT8, STRING, Column, Table
from lvlmbench.tables.questions import QUESTION_TYPES

SCORES = Table(
    name="scores",
    what="How one answer was read and scored. Where `scored` is true, one of `correct` and "
    "`similarity` is set, and neither of a description that judges alone read.",
    place="scores/{model}/{scenario}",
    key=(
        "model",
        "scenario",
        "question_id",
        "image_id",
    ),
    columns=(
        Column("model", STRING, "Name of the model.", filled=True),
        Column("scenario", STRING, "Condition under which the scene was shown.", filled=True),
        Column("question_id", STRING, "Question that was answered.", filled=True),
        Column("image_id", STRING, "Image that it was answered by."),
        Column(
            "perturbation",
            STRING,
            "What was done to the image, e.g. `gaussian_noise`; null for clean ones.",
        ),
        Column(
            "severity",
            INT8,
            "Severity of a corruption, or rank of a lower resolution, 1 to 5; null where there is "
            "none.",
            between=(0, 127),
        ),
        Column("scene_id", STRING, "Its scene: standard errors are clustered by it.", filled=True),
        Column("subtask", STRING, "Subtask that the question asks about.", filled=True),
        Column(
            "question_type",
            STRING,
            "`multiple_choice`, `true_false`, `short_answer`, `free_form` or `structured`.",
            filled=True,
            words=QUESTION_TYPES,
        ),
        Column("style", STRING, "Style of the scene."),
        Column("status", STRING, "Status of the answer.", words=STATUSES),
        Column(
            "parsed_index",
            INT8,
            "Option that the answer names, from 0, among `options` of the question, and `replaced` "
            "behind them, in whatever order they were shown; null where it names none.",
        ),
        Column(
            "parse_method",
            STRING,
            "How it was found: `letter`, `edit_distance`, `logprobs`; a short answer `stated` as "
            "the answer, or the `only` one that is said; `refusal` where the answer declines, "
            "`none_of_options` where it says that no option fits, even where the strategy chooses "
            "one; `none` where nothing can be read from it.",
        ),
        Column("correct", BOOL, "Whether that is the right option, or an accepted short answer."),
        Column(
            "similarity",
            FLOAT,
            "Cosine similarity of caption and reference, in percent, where the suite has captions; "
            "null where judges alone read descriptions.",
            between=(-101, 101),
        ),
        Column(
            "scored",
            BOOL,
            "Whether the answer counts, or a judge can read it; what does not is counted in "
            "`n_unscored`.",
            filled=True,
        ),
    ),
)
