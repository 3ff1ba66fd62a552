"""A user's own copy of TouchStone: questions, references and pictures, as released in one table.

Importing this package only registers the suite; what reads the table is loaded when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lvlmbench.suites.dialogue import HEADLINE, TASKS
from lvlmbench.suites.suite import SUITES, Suite
from lvlmbench.suites.touchstone_bench.settings import OwnQuestions
from lvlmbench.tables import TRUTH

if TYPE_CHECKING:
    import pyarrow as pa

    from lvlmbench.config import Params
    from lvlmbench.config.headline import Headline
    from lvlmbench.core.decoding import Held
    from lvlmbench.scene.vocabulary import Vocabulary
    from lvlmbench.suites.dialogue import Task
    from lvlmbench.suites.look import Look


def check(params: Params, source: str) -> None:
    """Check that the table is named, whole, and holds as many questions as are asked for."""
    from lvlmbench.suites.touchstone_bench import rows

    rows.check(params, source)


@SUITES.register(
    "touchstone_bench", label="TouchStone, your own copy", settings=OwnQuestions, check=check
)
class TouchStoneBench(Suite):
    """Questions about photographs whose answers are compared with references (TouchStone)."""

    about = (
        "Models answer in their own words what they are asked about photographs, and a judge "
        "compares each answer with a reference answer. It measures how good and how helpful "
        "their answers are."
    )

    private = True
    listed = False

    def scenes(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return a scene a question; see :func:`.rows.scenes`."""
        from lvlmbench.suites.touchstone_bench.rows import scenes

        return scenes(params, start, stop)

    def pictures(self, params: Params) -> Callable[[Mapping[str, Any]], Held]:
        """Return what gives the picture of a scene, a cell of the table."""
        from lvlmbench.suites.touchstone_bench.rows import picture_of

        return picture_of(params)

    def released(self, params: Params) -> Callable[[Mapping[str, Any]], Mapping[str, str]]:
        """Return what gives the table's row of a scene."""
        from lvlmbench.suites.touchstone_bench.rows import row_of

        return row_of(params)

    def questions(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return the question of each scene; see :func:`.rows.questions`."""
        from lvlmbench.suites.touchstone_bench.rows import questions

        return questions(params, scenes)

    def truth(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return nothing: what pictures show is told in sentences, and no feature is listed."""
        return TRUTH.empty_table()

    def headline(self, params: Params) -> Headline:
        """Return the mean score of the first judge."""
        return HEADLINE

    def dialogue(self, params: Params) -> Mapping[str, Task]:
        """Return the tasks that are asked, each with a reference to compare answers with."""
        return {name: task for name, task in TASKS.items() if params.corpus.count(name)}

    def planned(self, params: Params) -> tuple[float, float]:
        """Return a question a scene, each answered freely."""
        return params.corpus.n_scenes, params.corpus.n_scenes

    def look(
        self, folder: Path, images: Path | None = None, tasks: Mapping[str, str] | None = None
    ) -> Look | None:
        """Return what is found in a table; None where it, or a folder's, is none of TouchStone."""
        from lvlmbench.suites.touchstone_bench.counts import look

        return look(folder, tasks or {})

    def notices(self, params: Params) -> list[str]:
        """Return a line where questions of the table are left out."""
        from lvlmbench.suites.touchstone_bench.rows import left_out

        return left_out(params)

    def prompt(
        self, params: Params, question_type: str, question: str, options: Sequence[str]
    ) -> str:
        """Return the question alone: the released ones say themselves how to answer."""
        return question
