"""Reference models that were trained once and are kept with the code, and the card of each.

``data/pinned/<name>/`` holds the files of a model
(:data:`lvlmbench.stages.reference.folder.FILES`), what
training told of it, and ``card.json``: what it was made from, the hash of every file, and how well
it does on scenes of a seed that training never saw.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lvlmbench.config import Params
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.sections import Shared
from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.reference.folder import FILES

CARD = "card.json"
METRICS, LOSS = "metrics.json", "loss.csv"

#: Files that the card holds by their hashes.
KEPT = (*FILES, METRICS, LOSS)

#: Confusions that a card lists of a subtask, the most frequent first.
MOST_CONFUSED = 8


def pinned_folder(params: Shared, name: str) -> Path:
    """Where the pinned files of a model lie."""
    return PROJECT_ROOT / params.reference.pinned / name


def sha256_of(path: Path) -> str:
    """Hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_card(folder: Path) -> dict[str, Any]:
    """The card of the model in a folder, after its files were held against it.

    Raises
    ------
    UserError
        The card or a file is missing, or a file is another than the card says.
    """
    path = folder / CARD
    fix = "restore it with 'git checkout', or train the model with 'make reference'"
    try:
        card: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        files = {str(name): str(about["sha256"]) for name, about in card["files"].items()}
    except FileNotFoundError:
        raise UserError(str(path), "is missing", fix) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UserError(str(path), "is damaged", fix) from None
    for name in KEPT:
        file = folder / name
        if not file.is_file():
            raise UserError(str(file), "is missing", fix)
        if files.get(name) != sha256_of(file):
            raise UserError(str(file), f"is not the file that {CARD} names", fix)
    return card


def contents(params: Params, name: str) -> dict[str, bytes]:
    """The pinned files of a model by name, held against its card.

    Raises
    ------
    UserError
        One is missing or another than the card says, or no such model is pinned.
    """
    folder = pinned_folder(params, name)
    if not folder.is_dir():
        raise UserError(
            f"params.yaml: reference.models: {name}",
            f"is not pinned: there is no folder '{folder}'",
            "write 'weights: trained' under reference, or name a folder in reference.pinned",
        )
    read_card(folder)
    return {file: (folder / file).read_bytes() for file in KEPT}


def card(
    params: Params, vocabulary: Vocabulary, name: str, folder: Path, code: str, measured: Any
) -> dict[str, Any]:
    """The card of a model whose files lie in ``folder``.

    Parameters
    ----------
    code
        Version and hash of the code that trained it.
    measured
        What :func:`measure` found.
    """
    model = json.loads((folder / "open_clip_config.json").read_text(encoding="utf-8"))
    reference = params.reference.model_dump(mode="json")
    return {
        "name": name,
        "architecture": model["model_cfg"],
        "vocabulary": vocabulary.digest,
        "code": code,
        "scenes": reference["scenes"],
        "training": reference["training"],
        "false_rejections": reference["false_rejections"],
        "files": {
            file: {"bytes": (folder / file).stat().st_size, "sha256": sha256_of(folder / file)}
            for file in KEPT
        },
        "measured": measured,
    }


def confusions(asked: Sequence[tuple[str, str, str]]) -> dict[str, list[dict[str, Any]]]:
    """Subtask -> the labels most often taken for others, of (subtask, label, what was answered)."""
    counts: dict[str, Counter[tuple[str, str]]] = {}
    for subtask, label, answered in asked:
        if label != answered:
            counts.setdefault(subtask, Counter())[label, answered] += 1
    return {
        subtask: [
            {"label": label, "taken_for": answered, "n": n}
            for (label, answered), n in sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[
                :MOST_CONFUSED
            ]
        ]
        for subtask, found in sorted(counts.items())
    }


def headline(card: Mapping[str, Any]) -> dict[str, float]:
    """The two accuracies of a card, in percent."""
    measured = card["measured"]
    return {
        "multiple_choice": measured["multiple_choice_mean"],
        "true_false": measured["true_false"]["accuracy"],
    }
