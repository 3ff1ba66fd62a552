"""Rule ``contact_sheets``: labelled thumbnails of every subtask, style and background drawn."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.render.kinds.pictograph.contact_sheets import Sheets, write_sheets
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer


@main_guard
def main() -> None:
    """Draw the sheets of the pictograph renderer with the given parameters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--out", type=Path, required=True, help="folder for the sheets")
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    vocabulary = load_vocabulary(vocabulary_dir(params))
    sheets = Sheets(params, vocabulary, PictographRenderer(params, vocabulary))
    for path in write_sheets(sheets, params.corpus.subtasks, args.out):
        print(path)


if __name__ == "__main__":
    main()
