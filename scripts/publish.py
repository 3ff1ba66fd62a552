"""Rule ``publish``: move what was built in ``BUILD``, and what it was built from, into place."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import as_user_error, main_guard
from lvlmbench.engine.failures import first_to_say
from lvlmbench.engine.publish import publish


@main_guard
def main() -> None:
    """Publish and say which stages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path, help="build folder of a stage")
    build = parser.parse_args().build
    try:
        done = publish(build)
    except (UserError, OSError) as error:
        # The guard says it; the run's last words repeat what is noted here.
        why = error if isinstance(error, UserError) else as_user_error(error)
        with suppress(OSError):  # a full disk takes no note
            first_to_say(str(why or ""))
        raise
    print(f"published: {', '.join(done)}")


if __name__ == "__main__":
    main()
