"""Rule ``consensus``: which questions the best models get wrong together."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.config import load_params
from lvlmbench.config.headline import headline_of
from lvlmbench.config.identity import params_id
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.consensus.consensus import consensus_rows


@main_guard
def main() -> None:
    """Read the scores of all models in one scenario; write which closed questions are kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument(
        "--scores", type=Path, nargs="+", required=True, help="of all models, in one scenario"
    )
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    columns = ["question_id", "scene_id", "chance"]
    rows = consensus_rows(
        tables.read(args.scores, tables.SCORES),
        tables.read(args.questions, tables.QUESTIONS, columns),
        params.answer.models,
        params.consensus,
        headline_of(params),
    )
    tables.write_rows(rows, args.out, tables.CONSENSUS, params_id(params))
    dropped = sum(not row["keep"] for row in rows)
    unreliable = sum(row["verdict"] == "unreliable" for row in rows)
    print(f"{dropped} of {len(rows)} closed questions dropped", end="")
    print(f"; {unreliable} not, as the voters are wrong too often" if unreliable else "")


if __name__ == "__main__":
    main()
