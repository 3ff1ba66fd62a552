"""Rule ``distances``: how far the snapshot's images are from other sets of images."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.distances.distances import distance_rows, embedded, load_encoder, set_rows
from lvlmbench.stages.distances.styles import read_styles
from lvlmbench.stages.reference.folder import WEIGHTS_HELP, folders
from lvlmbench.stages.validity.files import encode


@main_guard
def main() -> None:
    """Embed the images of all sets, write the distances of each pair, and what the sets are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--data", type=Path, required=True, help="folder of the tables")
    parser.add_argument("--weights", type=Path, nargs="*", default=[], help=WEIGHTS_HELP)
    parser.add_argument("--distances-out", type=Path, required=True)
    parser.add_argument("--sets-out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    kmmd = params.validity.kmmd
    encoder = None if kmmd.encoder is None else load_encoder(kmmd, folders(args.weights))
    given = PROJECT_ROOT / params.validity.image_sets
    sets = embedded(params, args.data, given, read_styles(vocabulary_dir(params)), encoder)
    distances = distance_rows(params, sets)
    atomic_bytes(args.distances_out, encode("distances.csv", distances))
    atomic_bytes(args.sets_out, encode("image_sets.csv", set_rows(sets)))


if __name__ == "__main__":
    main()
