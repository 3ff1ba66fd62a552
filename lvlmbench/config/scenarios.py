"""Parameters of the scenarios: the conditions under which the same items are shown."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from lvlmbench.config.section import Beside, Kinded, Name, Section, a_section, each_once, once
from lvlmbench.core.errors import meant
from lvlmbench.core.registry import kinds_of

#: The images as they were rendered; every other scenario is made from it.
CLEAN = "clean"


def _plain(value: object) -> object:
    if not isinstance(value, str | int | float):
        raise ValueError("should be text, a number, true or false")
    return value


#: A setting of a kind that another package brings.
Setting = Annotated[str | int | float | bool, BeforeValidator(_plain)]


class ScenarioSpec(Kinded):
    """One scenario other than clean, and how it is made."""

    registry = "scenarios"

    settings: dict[str, Setting] = Field(
        default_factory=dict, description="For kinds of other packages: whatever they take."
    )

    @property
    def in_many_forms(self) -> bool:
        """Whether it shows each image in many forms, for severity curves alone."""
        kind = self.made_by()
        return kind is not None and kind.every is not None and bool(kind.every(self))

    @property
    def again(self) -> bool:
        """Whether it shows scenes again in other styles, for the sensitivity to style alone."""
        kind = self.made_by()
        return kind is not None and bool(kind.again)

    @property
    def control(self) -> bool:
        """Whether what is asked cannot be seen in it."""
        kind = self.made_by()
        return kind is not None and bool(kind.control)

    @property
    def drafts(self) -> bool:
        """Whether it offers options as they were before wrong ones were adjusted."""
        kind = self.made_by()
        return kind is not None and kind.drafts is not None and bool(kind.drafts(self))

    @property
    def checks(self) -> bool:
        """Whether it asks the atomic checks of questions, which count in no score."""
        kind = self.made_by()
        return kind is not None and bool(kind.checks)

    @property
    def condition(self) -> bool:
        """Whether it is a condition of the image, as the paper's four scenarios are (Dysca, section
        3.3): no control, no severity curve, not the same scenes in other styles, no other options,
        and no checks."""
        other = self.control or self.in_many_forms or self.again or self.drafts
        return not (other or self.checks)

    @model_validator(mode="after")
    def _settings_of_others(self) -> ScenarioSpec:
        if self.settings and self.registered in self.kinds().ours():
            raise ValueError(f"'settings' is of no use to the kind '{self.registered}'")
        return self


def _default() -> tuple[ScenarioSpec, ...]:
    return tuple(map(ScenarioSpec.model_validate, kinds_of("scenarios").defaults()))


class Scenarios(Section):
    """Conditions under which the same items are shown (Dysca, sections 3.3 and 4.1)."""

    names: tuple[Name, ...] = Field(
        default_factory=lambda: (CLEAN, *(spec.name for spec in _default())),
        min_length=1,
        description="Scenarios that models are asked in: `clean` and names from `noisy`.",
    )
    noisy: tuple[Annotated[ScenarioSpec, BeforeValidator(a_section)], ...] = Field(
        default_factory=_default,
        validate_default=True,
        description="The scenarios other than clean. In params.yaml each stands in `names`, too; "
        "of a file laid over it, one that `names` lacks is not made.",
    )

    _names_once = field_validator("names")(once("scenario"))

    @field_validator("noisy")
    @classmethod
    def _as_named(
        cls, value: tuple[ScenarioSpec, ...], info: ValidationInfo
    ) -> tuple[ScenarioSpec, ...]:
        each_once("scenario", [s.name for s in value])
        if CLEAN in [s.name for s in value]:
            raise ValueError("'clean' names the images as they were rendered; leave it out")
        names = info.data.get("names", ())
        known = [CLEAN, *(s.name for s in value)]
        for name in names:
            if name not in known:
                other = f"or describe it under 'noisy' ('- name: {name}')"
                fix = meant(name, known, f"use some of: {', '.join(known)}, {other}")
                odd = (s.name for s in value if s.made_by() is None and meant(s.name, [name], ""))
                if (misspelt := next(odd, None)) is not None:
                    fix = f"write '{name}' where '{misspelt}' stands under 'noisy'"
                raise Beside("names", f"there is no scenario '{name}' under 'noisy'; {fix}")
        return tuple(s for s in value if s.name in names)

    @property
    def first(self) -> str:
        """The scenario that speaks for the others: clean where it is run."""
        return CLEAN if CLEAN in self.names else (self.counted or self.names)[0]

    @property
    def counted(self) -> tuple[str, ...]:
        """Those whose answers count: all but what asks the atomic checks of questions."""
        return tuple(name for name in self.names if not self.spec(name).checks)

    @property
    def checking(self) -> tuple[str, ...]:
        """Those that ask the atomic checks of questions."""
        return tuple(name for name in self.names if self.spec(name).checks)

    @property
    def conditions(self) -> tuple[str, ...]:
        """Those that are conditions of the image: clean and what the paper's scenarios are (Dysca,
        section 3.3), neither controls nor curves nor scenes shown again."""
        return tuple(name for name in self.names if self.spec(name).condition)

    def spec(self, name: str) -> ScenarioSpec:
        """How a scenario is made; clean, which is listed nowhere, by the kind of its name.

        Raises
        ------
        KeyError
            There is no such scenario.
        """
        for spec in self.noisy:
            if spec.name == name:
                return spec
        if name == CLEAN:
            return ScenarioSpec(name=CLEAN)  # type: ignore[call-arg]
        raise KeyError(name)
