"""A user's own copy of VALOR-Bench: its pictures and annotation, read from a folder as released.

Importing this package only registers the suite; what reads the folder is loaded when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lvlmbench.core.errors import UserError
from lvlmbench.suites.claimed import HEADLINE, SCOPES
from lvlmbench.suites.suite import SUITES, Suite
from lvlmbench.suites.valor_bench.settings import OwnCopy

if TYPE_CHECKING:
    import pyarrow as pa

    from lvlmbench.config import Params
    from lvlmbench.config.headline import Headline
    from lvlmbench.scene.claims import Scope
    from lvlmbench.scene.vocabulary import Vocabulary
    from lvlmbench.suites.look import Look


def check(params: Params, source: str) -> None:
    """Check that the copy is named, whole, and holds as many pictures as are asked for."""
    from lvlmbench.suites.valor_bench import rows

    rows.check(params, source)


@SUITES.register("valor_bench", label="VALOR-Bench, your own copy", settings=OwnCopy, check=check)
class ValorBench(Suite):
    """Five subsets of photographs that are to be described (VALOR-Eval, section 3)."""

    about = (
        "Models describe photographs in their own words, and each claim is held against what "
        "people have noted of the picture. It measures what they make up (hallucination) and "
        "what they leave out."
    )

    private = True

    def scenes(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return a scene an annotated picture; see :func:`.rows.scenes`."""
        from lvlmbench.suites.valor_bench.rows import scenes

        return scenes(params, start, stop)

    def pictures(self, params: Params) -> Callable[[Mapping[str, Any]], Path]:
        """Return what names the picture of a scene."""
        from lvlmbench.suites.valor_bench.rows import picture_of

        return picture_of(params)

    def questions(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return a request for a description a scene; see :func:`.rows.questions`."""
        from lvlmbench.suites.valor_bench.rows import questions

        return questions(params, scenes)

    def truth(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return what is annotated of the pictures; see :func:`.rows.truth`."""
        from lvlmbench.suites.valor_bench.rows import truth

        return truth(params, scenes)

    def headline(self, params: Params) -> Headline:
        """Return F1 of faithfulness and coverage."""
        return HEADLINE

    def scopes(self, params: Params) -> Mapping[str, Scope]:
        """Return what descriptions are to speak of, by subset."""
        return {name: SCOPES[name] for name in params.corpus.subtasks}

    def planned(self, params: Params) -> tuple[float, float]:
        """Return a description a scene."""
        return params.corpus.n_scenes, params.corpus.n_scenes

    def look(
        self, folder: Path, images: Path | None = None, tasks: Mapping[str, str] | None = None
    ) -> Look | None:
        """Return what is found in a folder; None where nothing in it has VALOR-Bench's names."""
        from lvlmbench.suites.valor_bench.counts import look

        found = look(folder, images)
        if found is not None and tasks:
            raise UserError("--tasks", f"{folder} has no names of tasks", "leave it out")
        return found

    def notices(self, params: Params) -> list[str]:
        """Return a line where pictures of the folder are left out."""
        from lvlmbench.suites.valor_bench.rows import left_out

        return left_out(params)

    def prompt(
        self, params: Params, question_type: str, question: str, options: Sequence[str]
    ) -> str:
        """Return the question alone: VALOR-Bench's prompts say themselves how to answer."""
        return question
