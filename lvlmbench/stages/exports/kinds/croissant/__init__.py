"""Croissant: machine-readable metadata of the Hugging Face form, for search engines and loaders."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from lvlmbench.stages.exports.export import EXPORTS, MANIFEST, Source
from lvlmbench.stages.exports.kinds.huggingface import NAME as NEEDED


@EXPORTS.register(
    "croissant",
    place=2,
    label="Croissant",
    load='mlcroissant.Dataset("croissant.json")',
    needs=(NEEDED,),
)
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """One file, croissant.json, over ../huggingface/, each scenario a record set."""
    from lvlmbench.stages.exports.facts import facts
    from lvlmbench.stages.exports.kinds.croissant.jsonld import croissant
    from lvlmbench.stages.exports.kinds.huggingface.parquet import files_of
    from lvlmbench.stages.exports.run import read_manifest

    manifest = read_manifest(folder.parent / NEEDED / MANIFEST)
    splits = {name: files_of(manifest, name) for name in source.params.exports.scenarios}
    described = croissant(source.params, facts(source), splits, manifest["rows"])
    text = json.dumps(described, indent=1, ensure_ascii=False) + "\n"
    (folder / "croissant.json").write_text(text, encoding="utf-8")
    return dict(manifest["rows"])
