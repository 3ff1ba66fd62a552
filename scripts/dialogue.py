"""Rule ``dialogue``: what judges say of answers beside references becomes the table dialogue."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.dialogue.run import write_dialogue


@main_guard
def main() -> None:
    """Read judgements and pairs; write scores, wins, bias, strengths and agreement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--data", type=Path, required=True, help="folder of the suite's tables")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    labels = PROJECT_ROOT / params.labels.folder
    write_dialogue(params, args.data, labels, args.out)


if __name__ == "__main__":
    main()
