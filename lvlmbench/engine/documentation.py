"""What is generated from the declared stages: dvc.yaml, and blocks of documents.

``python -m lvlmbench.engine.documentation`` writes it; with ``--check`` compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lvlmbench.config.documentation import markdown_table
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import NOTHING, Exactness
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.core.registry import kinds_of
from lvlmbench.engine import dvc_file
from lvlmbench.stages.stage import declared, in_words

_WORDS = {
    Exactness.EVERYWHERE: "everywhere",
    Exactness.HARDWARE: "on the same hardware",
    Exactness.ARTIFACT: "only by pulling",
}


def picture() -> str:
    """Return the pipeline in one line: the order of the boxes, the last three side by side."""
    return f"```\n{in_words()}\n```"


def stage_list() -> str:
    """Return a table of the stages: what each reads and makes."""
    rows = [
        [
            f"`{stage.name}`",
            stage.words,
            " ".join(f"`{path}`" for path in stage.reads),
            " ".join(f"`{out.path}`" for out in stage.makes),
        ]
        for stage in declared().values()
    ]
    return markdown_table(["stage", "what it does", "reads", "makes"], rows)


def exactness_table() -> str:
    """Return the table of what is exact where."""
    rows = [
        [
            stage.name + (f" ({when})" if when else ""),
            stage.artifact,
            _WORDS[promise.exact],
            promise.why,
        ]
        for stage in declared().values()
        for when, promise in stage.rows()
    ]
    outside = "renderers, filters, scenarios, models of other packages"
    rows.append([outside, "all", _WORDS[NOTHING.exact], NOTHING.why])
    return markdown_table(["stage", "artifact", "exact", "why"], rows)


def corruption_table() -> str:
    """Return the table of corruptions: a line for each number of each kind."""
    kinds = kinds_of("corruptions").ordered()
    severities = [str(severity) for severity in range(1, len(kinds[0].rows) + 1)]
    rows = [
        [
            "" if place else f"`{kind.name}`",
            f"`{column}`",
            *(f"{row[place]:g}" for row in kind.rows),
            *(["", ""] if place else [kind.about, kind.published]),
        ]
        for kind in kinds
        for place, column in enumerate(kind.columns)
    ]
    return markdown_table(["kind", "number", *severities, "what it is", "severity 3 follows"], rows)


#: Document -> its generated blocks by the name in their marks.
BLOCKS = {
    "README.md": {"picture": picture},
    "docs/architecture.md": {"picture": picture, "stages": stage_list},
    "docs/reproducibility.md": {"exactness": exactness_table},
    "docs/scenarios.md": {"corruptions": corruption_table},
}


def with_block(text: str, name: str, block: str, where: str) -> str:
    """Return a document with what stands between the marks of a block replaced.

    Raises
    ------
    UserError
        It has no such marks.
    """
    begin, end = f"<!-- {name}: generated from lvlmbench/stages -->", f"<!-- end of {name} -->"
    before, mark, rest = text.partition(begin)
    _, close, after = rest.partition(end)
    if not mark or not close:
        raise UserError(where, f"lacks '{begin}' or '{end}'", "put the marks back")
    return f"{before}{begin}\n\n{block.strip()}\n\n{end}{after}"


def wanted(root: Path) -> dict[str, str]:
    """Return what the generated files are to hold, by name."""
    found = {dvc_file.NAME: dvc_file.text(root)}
    for name, blocks in BLOCKS.items():
        text = (root / name).read_text(encoding="utf-8")
        for block, make in blocks.items():
            text = with_block(text, block, make(), name)
        found[name] = text
    return found


@main_guard
def main() -> None:
    """Write the files, or with ``--check`` compare."""
    for name, text in wanted(PROJECT_ROOT).items():
        path = PROJECT_ROOT / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if "--check" in sys.argv[1:]:
            raise UserError(name, "is not what the stages declare", "run 'make docs'")
        atomic_bytes(path, text.encode())


if __name__ == "__main__":
    main()
