"""The tables that the stages exchange: a module declares each; files, checks, hashes of them."""

from lvlmbench.tables.agreement import AGREEMENT
from lvlmbench.tables.answers import ANSWERS, STATUSES
from lvlmbench.tables.attempt_checks import ATTEMPT_CHECKS
from lvlmbench.tables.attempt_requests import ATTEMPT_REQUESTS
from lvlmbench.tables.attempts import ATTEMPTS
from lvlmbench.tables.check_answers import CHECK_ANSWERS
from lvlmbench.tables.check_requests import CHECK_REQUESTS
from lvlmbench.tables.checks import check_made
from lvlmbench.tables.claims import CLAIMS
from lvlmbench.tables.clusters import CLUSTER_COLUMNS, cluster_names, clusters_of
from lvlmbench.tables.comparisons import COMPARISONS
from lvlmbench.tables.consensus import CONSENSUS
from lvlmbench.tables.costs import COSTS
from lvlmbench.tables.declaration import DATA, RESULTS, Column, Table
from lvlmbench.tables.descriptions import DESCRIPTIONS
from lvlmbench.tables.designs import DESIGNS
from lvlmbench.tables.dialogue import DIALOGUE
from lvlmbench.tables.entries import ENTRIES
from lvlmbench.tables.exam_requests import EXAM_REQUESTS
from lvlmbench.tables.files import (
    PICTURES_ROW_GROUP,
    ROW_GROUP,
    SCHEMA_VERSION,
    open_shard,
    part_name,
    read,
    write,
    write_rows,
    writing,
)
from lvlmbench.tables.hallucination import HALLUCINATION
from lvlmbench.tables.hashing import hash_batches, hash_folder
from lvlmbench.tables.image_requests import IMAGE_REQUESTS, PICTURED_AS
from lvlmbench.tables.images import GIVEN, IMAGES
from lvlmbench.tables.judge_exam import JUDGE_EXAM
from lvlmbench.tables.judgements import JUDGEMENTS
from lvlmbench.tables.layouts import LAYOUTS
from lvlmbench.tables.matches import MATCHES
from lvlmbench.tables.metrics import METRICS
from lvlmbench.tables.order import behind_bases
from lvlmbench.tables.pairwise import PAIRWISE
from lvlmbench.tables.plan_requests import PLAN_REQUESTS
from lvlmbench.tables.planned_aspects import PLANNED_ASPECTS
from lvlmbench.tables.planned_descriptions import PLANNED_DESCRIPTIONS
from lvlmbench.tables.proposals import PROPOSALS
from lvlmbench.tables.questions import (
    JUDGED,
    OFFERING,
    QUESTION_TYPES,
    QUESTIONS,
    TYPES,
    before_adjusting,
    checked_by,
    judged,
    of_scenario,
    offered,
    offers,
    place_of,
)
from lvlmbench.tables.reference_scenes import REFERENCE_SCENES
from lvlmbench.tables.requests import REQUESTS
from lvlmbench.tables.scenes import ATTRIBUTES, SCENES
from lvlmbench.tables.scores import SCORES
from lvlmbench.tables.truth import TRUTH
from lvlmbench.tables.validation import VALIDATION
from lvlmbench.tables.verdicts import VERDICTS

__all__ = [
    "AGREEMENT",
    "ANSWERS",
    "ATTEMPTS",
    "ATTEMPT_CHECKS",
    "ATTEMPT_REQUESTS",
    "ATTRIBUTES",
    "CHECK_ANSWERS",
    "CHECK_REQUESTS",
    "CLAIMS",
    "CLUSTER_COLUMNS",
    "COMPARISONS",
    "CONSENSUS",
    "COSTS",
    "DATA",
    "DESCRIPTIONS",
    "DESIGNS",
    "DIALOGUE",
    "ENTRIES",
    "EXAM_REQUESTS",
    "GIVEN",
    "HALLUCINATION",
    "IMAGES",
    "IMAGE_REQUESTS",
    "JUDGED",
    "JUDGEMENTS",
    "JUDGE_EXAM",
    "LAYOUTS",
    "MATCHES",
    "METRICS",
    "OFFERING",
    "PAIRWISE",
    "PICTURED_AS",
    "PICTURES_ROW_GROUP",
    "PLANNED_ASPECTS",
    "PLANNED_DESCRIPTIONS",
    "PLAN_REQUESTS",
    "PROPOSALS",
    "QUESTIONS",
    "QUESTION_TYPES",
    "REFERENCE_SCENES",
    "REQUESTS",
    "RESULTS",
    "ROW_GROUP",
    "SCENES",
    "SCHEMA_VERSION",
    "SCORES",
    "STATUSES",
    "TABLES",
    "TRUTH",
    "TYPES",
    "VALIDATION",
    "VERDICTS",
    "Column",
    "Table",
    "before_adjusting",
    "behind_bases",
    "check_made",
    "checked_by",
    "cluster_names",
    "clusters_of",
    "hash_batches",
    "hash_folder",
    "judged",
    "of_scenario",
    "offered",
    "offers",
    "open_shard",
    "part_name",
    "place_of",
    "read",
    "write",
    "write_rows",
    "writing",
]

#: All tables by name, in the order of the pipeline.
TABLES = {
    table.name: table
    for table in (
        *(PLANNED_ASPECTS, PLANNED_DESCRIPTIONS, PLAN_REQUESTS),
        *(
            DESCRIPTIONS,
            DESIGNS,
            SCENES,
            ENTRIES,
            PROPOSALS,
            EXAM_REQUESTS,
            QUESTIONS,
            VALIDATION,
            IMAGES,
            LAYOUTS,
            TRUTH,
            ATTEMPTS,
            IMAGE_REQUESTS,
            ATTEMPT_CHECKS,
            ATTEMPT_REQUESTS,
            CHECK_ANSWERS,
            CHECK_REQUESTS,
            VERDICTS,
            ANSWERS,
            CLAIMS,
        ),
        *(MATCHES, JUDGEMENTS, PAIRWISE, REQUESTS, SCORES, CONSENSUS),
        *(REFERENCE_SCENES, METRICS, COMPARISONS, AGREEMENT, COSTS),
        *(JUDGE_EXAM, HALLUCINATION, DIALOGUE),
    )
}
