"""The project that the faults are put into, with every kind of stage or with the quick ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from e2e.clone import Clone
from lvlmbench.tables import hash_folder

#: What the small parameters of e2e.clone leave out because it loads torch or other weights:
#: reference models, all filters, an attack, three models under test, scored captions.
EVERY_KIND: dict[str, dict[str, Any]] = {
    "suites": {
        "dysca": {
            "corpus": {
                "subtasks": ["animal", "text", "color", "celebrity"],
                "scenes_per_subtask": 3,
                "type_proportions": {
                    "multiple_choice": 0.4,
                    "true_false": 0.4,
                    "free_form": 0.2,
                },
                "shard_scenes": 6,
            },
            "scenarios": {
                "names": ["clean", "corruption", "print_attack", "adversarial"],
                "noisy": [
                    {"name": "corruption"},
                    {"name": "print_attack"},
                    {"name": "adversarial", "adversarial": {"proxy": "reference_a", "steps": 1}},
                ],
            },
        }
    },
    "render": {"size": 128, "shard_images": 12},
    "reference": {"models": ["reference_a", "reference_b"]},
    "filter": {"filters": [{"name": name} for name in ("integrity", "clip", "ocr", "safety")]},
    "answer": {
        "models": [{"name": n, "engine": n} for n in ("chance", "reference_a", "reference_b")]
    },
    "validity": {"kmmd": {"encoder": "reference_a", "permutations": 99}},
    "exports": {"formats": ["huggingface", "documents"]},
}


def origin(path: Path, home: Path, *, every_kind: bool) -> Clone:
    """The project, in which nothing was ever run."""
    clone = Clone.origin(path, home)
    if every_kind:
        for section, values in EVERY_KIND.items():
            clone.set(section, **values)
        clone.commit("every kind of stage")
    return clone


def rows(clone: Clone) -> dict[str, tuple[str, int]]:
    """Hash of each table's rows, and how many there are."""
    folders = {file.parent for file in clone.path.glob("data/**/part-*.parquet")}
    return {str(f.relative_to(clone.path)): hash_folder(f) for f in sorted(folders)}
