"""params.yaml as a whole: the suites of a snapshot, and what they share."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator

from lvlmbench.config.scenarios import Scenarios
from lvlmbench.config.section import Kinded, a_section, each_once
from lvlmbench.config.sections import Corpus, Params, Shared


class Suite(Kinded):
    """One benchmark of the snapshot: what it samples and asks, and in which scenarios.

    Its tables stand in ``data/<name>``, its results in ``results/<name>``.
    """

    corpus: Corpus = Field(
        default_factory=lambda: Corpus(),  # type: ignore[call-arg]
        description="What the suite samples and asks.",
    )
    scenarios: Scenarios = Field(
        default_factory=lambda: Scenarios(),  # type: ignore[call-arg]
        description="Conditions under which its items are shown.",
    )


_DEFAULT = (Suite(name="dysca"),)  # type: ignore[call-arg]


class Project(Shared):
    """params.yaml as a whole."""

    suites: tuple[Annotated[Suite, BeforeValidator(a_section)], ...] = Field(
        _DEFAULT,
        min_length=1,
        description="The benchmarks of the snapshot, side by side. A file that is laid over "
        "params.yaml lists those that run; what it leaves out of one stands as in the file below.",
    )

    @field_validator("suites")
    @classmethod
    def _each_once(cls, value: tuple[Suite, ...]) -> tuple[Suite, ...]:
        each_once("suite", [suite.name for suite in value])
        return value

    def names(self) -> tuple[str, ...]:
        """Return the names of the suites."""
        return tuple(suite.name for suite in self.suites)

    def suite(self, name: str | None = None) -> Params:
        """Return the parameters of one suite; the name may be left out where there is one alone.

        Raises
        ------
        KeyError
            There is no such suite, or there are several and none is named.
        """
        names = self.names()
        if name is None and len(names) > 1:
            raise KeyError(f"which suite: {', '.join(names)}")
        own = self.suites[0] if name is None else {s.name: s for s in self.suites}[name]
        shared = {field: getattr(self, field) for field in Shared.model_fields}
        return Params(
            suite=own.name,
            kind=own.registered,
            corpus=own.corpus,
            scenarios=own.scenarios,
            **shared,
        )
