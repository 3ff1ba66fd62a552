"""Rule ``publish``: move what was built in ``BUILD``, and what it was built from, into place."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lvlmbench.core.guard import main_guard
from lvlmbench.engine.publish import publish


@main_guard
def main() -> None:
    """Publish and say which stages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path, help="build folder of a stage")
    print(f"published: {', '.join(publish(parser.parse_args().build))}")


if __name__ == "__main__":
    main()
