"""params.yaml as a whole: the suites of a snapshot, and what they share."""

from __future__ import annotations

from typing import Any

from pydantic import Field, field_validator

from lvlmbench.config.scenarios import Scenarios
from lvlmbench.config.section import Name, Section, SuiteName, at_key
from lvlmbench.config.sections import Corpus, HeadlineChoice, Params, Shared
from lvlmbench.core.registry import kinds_of


class Suite(Section):
    """One benchmark of the snapshot: what it samples and asks, and in which scenarios.

    Its tables stand in ``data/<name>``, its results in ``results/<name>``.
    """

    kind: Name | None = Field(None, description="Registered kind; null: the suite's name.")
    corpus: Corpus = Field(
        default_factory=lambda: Corpus(),  # type: ignore[call-arg]
        description="What the suite samples and asks.",
    )
    scenarios: Scenarios = Field(
        default_factory=lambda: Scenarios(),
        description="Conditions under which its items are shown.",
    )
    headline: HeadlineChoice = Field(
        "own",
        description="The number that heads its results: its `own`, or that of its `paper` where "
        "these differ (Dysca's total with captions; docs/metrics.md).",
    )


class Project(Shared):
    """params.yaml as a whole."""

    suites: dict[SuiteName, Suite] = Field(
        default_factory=lambda: {"dysca": Suite(kind=None, headline="own")},
        min_length=1,
        validate_default=True,
        description="The benchmarks of the snapshot, side by side, by name. A file that is laid "
        "over params.yaml adds to them; `null` leaves one out.",
    )

    @field_validator("suites", mode="before")
    @classmethod
    def _null_leaves_out(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {name: suite for name, suite in value.items() if suite is not None}

    @field_validator("suites")
    @classmethod
    def _of_their_kinds(cls, value: dict[str, Suite]) -> dict[str, Suite]:
        found = {}
        for name, suite in value.items():
            try:
                corpus = suite.corpus.of(suite.kind or name)
            except ValueError as mistake:
                raise at_key((name, "corpus"), str(mistake), {}) from None
            found[name] = suite.model_copy(update={"corpus": corpus})
        return found

    def suite(self, name: str | None = None) -> Params:
        """Return the parameters of one suite; the name may be left out where there is one alone.

        Raises
        ------
        KeyError
            There is no such suite, or there are several and none is named.
        """
        if name is None:
            if len(self.suites) > 1:
                raise KeyError(f"which suite: {', '.join(self.suites)}")
            name = next(iter(self.suites))
        own = self.suites[name]
        sections = {field: getattr(self, field) for field in Shared.model_fields}
        sections |= {name: getattr(own, name) for name in ("corpus", "scenarios", "headline")}
        kind = own.kind or name
        sections["judge"] = self.judge.beside(_scoring(kind))
        return Params(suite=name, kind=kind, **sections)


def _scoring(kind: str) -> list[str]:
    """The registered judges that score types of a suite's questions that others do not read."""
    suite = kinds_of("suites").find(kind)
    types = {*getattr(None if suite is None else suite.make, "scored_forms", ())}
    judges = kinds_of("judges").ordered() if types else []
    return [str(judge.name) for judge in judges if types.issuperset(judge.reads)]


def project_of(params: Params) -> Project:
    """Return the project that holds this one suite."""
    own = Suite(
        kind=params.kind,
        corpus=params.corpus,
        scenarios=params.scenarios,
        headline=params.headline,
    )
    shared = {field: getattr(params, field) for field in Shared.model_fields}
    return Project(suites={params.suite: own}, **shared)
