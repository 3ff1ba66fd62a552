"""Rule ``contact_sheets``: labelled thumbnails of all that is drawn, and sheets with questions."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.loading import load_project
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.questions import sheets as questions
from lvlmbench.stages.render.kinds.pictograph.contact_sheets import Sheets, write_sheets
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer


@main_guard
def main() -> None:
    """Draw the sheets of the pictograph renderer with the given parameters, suite by suite."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; all of them where none is given")
    parser.add_argument("--key", action="store_true", help="mark the right options")
    parser.add_argument("--out", type=Path, required=True, help="folder for the sheets")
    args = parser.parse_args()

    project = load_project(args.config)
    names = list(project.suites) if args.suite is None else [args.suite]
    vocabulary = load_vocabulary(vocabulary_dir(project))
    for name in names:
        params = project.suite(name)
        renderer = PictographRenderer(params, vocabulary)
        if name == names[0]:  # what the vocabulary holds is the same for all
            for path in write_sheets(
                Sheets(params, vocabulary, renderer), params.corpus.subtasks, args.out
            ):
                print(path)
        for path in questions.write_sheets(params, vocabulary, renderer, args.out, args.key):
            print(path)


if __name__ == "__main__":
    main()
