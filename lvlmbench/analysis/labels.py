"""Names of scenarios, question types, subtasks and filters as readers see them."""

from __future__ import annotations

TYPE_LABELS = {
    "multiple_choice": "Multiple choice",
    "true_false": "True or false",
    "free_form": "Free form",
}

SCENARIO_LABELS = {
    "clean": "Clean",
    "corruption": "Corruption",
    "print_attack": "Print attack",
    "adversarial": "Adversarial attack",
    "blind": "Blind",
    "other_image": "Other image",
}

_SPECIAL = {
    "jpeg_compression": "JPEG compression",
    "tv_show": "TV show",
    "clip": "CLIP",
    "ocr": "OCR",
    "nsfw": "NSFW",
}


def scenario_label(name: str) -> str:
    """A scenario as readers see it; one that the user has named goes by its name."""
    return SCENARIO_LABELS.get(name) or plain(name)


def plain(name: str) -> str:
    """A table key as words: ``action`` -> ``Action``, ``tv_show`` -> ``TV show``."""
    words = inline(name)
    return words[:1].upper() + words[1:]


def inline(name: str) -> str:
    """A table key as words within a sentence: ``clip`` -> ``CLIP``."""
    return _SPECIAL.get(name, name.replace("_", " "))
