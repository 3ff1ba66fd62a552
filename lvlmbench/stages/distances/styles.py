"""What the vocabulary says of styles: the family of each, and which ones are realistic.

Dysca, section 4.4, compares on realistic styles alone, too. An image in such a style is realistic
where its renderer can be (:func:`lvlmbench.stages.render.renderer.is_realistic`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_yaml


@dataclass(frozen=True)
class Styles:
    """Families of styles, in the vocabulary's order, and the styles that are realistic."""

    family: Mapping[str, str]
    realistic: frozenset[str]

    @cached_property
    def families(self) -> list[str]:
        """Return each family once."""
        return list(dict.fromkeys(self.family.values()))


def read_styles(vocabulary: Path) -> Styles:
    """Return the styles of a vocabulary's folder, whose lists were checked when scenes were drawn.

    Raises
    ------
    UserError
        The list of styles is missing, or an entry has no label, family or ``realistic``.
    """
    path = vocabulary / "style.yaml"
    try:
        entries: Any = read_yaml(path)
        entries = entries["entries"]
        family = {str(entry["label"]): str(entry["family"]) for entry in entries}
        realistic = frozenset(str(e["label"]) for e in entries if e["realistic"] is True)
    except (KeyError, TypeError) as error:
        fix = "give each entry 'label', 'family' and 'realistic'; see docs/scenes.md"
        raise UserError(str(path), f"is no list of styles ({error})", fix) from None
    return Styles(family, realistic)


def style_of(scenes: pa.Table) -> dict[str, str | None]:
    """Return scene -> its style, in the order of ``scenes``."""
    ids, styles = scenes["scene_id"].to_pylist(), scenes["style"].to_pylist()
    return dict(zip(ids, styles, strict=True))
