"""Croissant 1.0 (MLCommons): what the Parquet files of the Hugging Face form hold, as JSON-LD."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.stages.exports.columns import COLUMNS, PICTURE, Column
from lvlmbench.stages.exports.facts import Facts
from lvlmbench.stages.exports.kinds.huggingface import NAME as NEEDED
from lvlmbench.stages.exports.kinds.huggingface.card import CITATION
from lvlmbench.stages.exports.kinds.huggingface.parquet import split_name
from lvlmbench.stages.exports.rights import LICENSE, rights

#: Where the described files lie, seen from the folder of the description.
FOLDER = "../huggingface"
PARQUET = "application/x-parquet"

_CONFORMS_TO = ("http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0")

#: The context that the specification gives for version 1.0.
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}

#: A file of the manifest of the Hugging Face form: path, bytes, sha256.
File = Mapping[str, Any]


def _data_type(type_: pa.DataType) -> str:
    if type_ == PICTURE:
        return "sc:ImageObject"
    if pa.types.is_list(type_):
        return _data_type(type_.value_type)
    if pa.types.is_boolean(type_):
        return "sc:Boolean"
    if pa.types.is_integer(type_):
        return "sc:Integer"
    return "sc:Float" if pa.types.is_floating(type_) else "sc:Text"


def _field(split: str, column: Column, place: Mapping[str, Any]) -> dict[str, Any]:
    source: dict[str, Any] = {**place, "extract": {"column": column.name}}
    if column.type == PICTURE:
        source["transform"] = {"jsonPath": "bytes"}
    field = {
        "@type": "cr:Field",
        "@id": f"{split}/{column.name}",
        "name": column.name,
        "description": column.meaning,
        "dataType": _data_type(column.type),
        "source": source,
    }
    return field | ({"repeated": True} if pa.types.is_list(column.type) else {})


def _record_set(scenario: str, files: Sequence[File], rows: int) -> dict[str, Any]:
    """One scenario; read from its file, whose hash is then checked, or from its set of files."""
    split = split_name(scenario)
    if len(files) == 1:
        place = {"fileObject": {"@id": files[0]["path"]}}
    else:
        place = {"fileSet": {"@id": f"files-{split}"}}
    return {
        "@type": "cr:RecordSet",
        "@id": split,
        "name": split,
        "description": f"The {rows:,} questions of the scenario '{scenario}', each with its image.",
        "key": {"@id": f"{split}/item_id"},
        "field": [_field(split, column, place) for column in COLUMNS],
    }


def _distribution(splits: Mapping[str, Sequence[File]]) -> list[dict[str, Any]]:
    files = [file for group in splits.values() for file in group]
    listing = "".join(f"{file['sha256']}  {file['path']}\n" for file in files)
    folder = {
        "@type": "cr:FileObject",
        "@id": NEEDED,
        "name": NEEDED,
        "description": "The folder of the Parquet files; where it was uploaded to a git repository "
        "of the hub, write its address here. The hash is that of the list of the files, as "
        "sha256sum prints it.",
        "contentUrl": FOLDER,
        "encodingFormat": "git+https",
        "sha256": hashlib.sha256(listing.encode()).hexdigest(),
    }
    each = [
        {
            "@type": "cr:FileObject",
            "@id": file["path"],
            "name": file["path"].rpartition("/")[2],
            "contentUrl": f"{FOLDER}/{file['path']}",
            "contentSize": f"{file['bytes']} B",
            "encodingFormat": PARQUET,
            "sha256": file["sha256"],
        }
        for file in files
    ]
    sets = [
        {
            "@type": "cr:FileSet",
            "@id": f"files-{split_name(scenario)}",
            "name": f"files-{split_name(scenario)}",
            "description": f"The files of the scenario '{scenario}'.",
            "containedIn": {"@id": NEEDED},
            "encodingFormat": PARQUET,
            "includes": [file["path"] for file in group],
        }
        for scenario, group in splits.items()
    ]
    return [folder, *each, *sets]


def _responsible(facts: Facts) -> dict[str, Any]:
    """What the extension for responsible AI asks for, as far as it is known of every snapshot."""
    by = ", ".join(f"{name} ({n:,})" for name, n in facts.renderers.items()) or "nothing"
    persons = ", ".join(facts.persons)
    return {
        "rai:dataCollection": "Nothing was collected: scenes are sampled from a vocabulary, drawn "
        f"by a program or a text-to-image model, and asked about by templates. Pictures drawn by: "
        f"{by}.",
        "rai:dataCollectionType": "Synthetic data",
        "rai:dataPreprocessingProtocol": [
            f"Filters kept {facts.kept:,} of {facts.drawn:,} drawn scenes: "
            + (", ".join(f"{name} removed {n:,}" for name, n in facts.removed.items()) or "none")
            + "."
        ],
        "rai:dataAnnotationProtocol": [
            "Right answers follow from what the scene was made of. Nobody has labelled images. "
            + facts.truth
        ],
        "rai:dataUseCases": ["Testing what vision-language models perceive. Not for training."],
        "rai:dataLimitations": [
            "The images are synthetic; scores on photographs may differ.",
            "Right answers are known of what was asked for, and images may miss it; filters and a "
            "consensus of models find part of these.",
        ],
        "rai:dataBiases": [
            "Scenes are balanced over subtasks and vocabulary, not as the world is: frequencies in "
            "this data are no estimates of frequencies elsewhere."
        ],
        "rai:personalSensitiveInformation": [
            "No data of persons."
            + (f" Drawn persons are labelled by: {persons}." if persons else "")
            + (
                " Subtasks with names of persons or works: " + ", ".join(facts.named) + "."
                if facts.named
                else ""
            )
        ],
    }


def croissant(
    params: Params,
    facts: Facts,
    splits: Mapping[str, Sequence[File]],
    rows: Mapping[str, int],
) -> dict[str, Any]:
    """The description as a JSON object. It holds no date: those who publish it add theirs.

    Parameters
    ----------
    splits
        The Parquet files of each scenario, in the order of their rows.
    rows
        The number of rows of each scenario.
    """
    held = rights(params, facts)
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": f"lvlmbench-{facts.name}-{facts.snapshot_id}",
        "description": f"{facts.questions:,} questions that test what large vision-language models "
        "perceive, each with an image that was made for it and a right answer that is known from "
        f"how it was made. Snapshot '{facts.name}' of lvlmbench.",
        "conformsTo": list(_CONFORMS_TO),
        "license": held.url or LICENSE,
        "creator": {"@type": "sc:Organization", "name": "The lvlmbench authors"},
        "citeAs": CITATION,
        "identifier": facts.snapshot_id,
        "inLanguage": "en",
        "isLiveDataset": False,
        "keywords": ["benchmark", "vision-language models", "perception", "synthetic images"],
        "version": "1.0.0",
        **_responsible(facts),
        "distribution": _distribution(splits),
        "recordSet": [_record_set(name, files, rows[name]) for name, files in splits.items()],
    }
