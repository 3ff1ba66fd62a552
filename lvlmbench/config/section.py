"""What every section of the parameters is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
    ValidationInfo,
    create_model,
    field_validator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import InitErrorDetails, PydanticCustomError, core_schema

from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import Kind, Kinds, kinds_of

S = TypeVar("S", bound=BaseModel)

#: Names become parts of paths, and of keys in tables.
NAME = r"^[a-z0-9][a-z0-9_.-]{0,62}$"
_LETTERS = "should be small letters, digits, '_'{} or '-', a letter or digit first, 63 at most"
NAME_IN_WORDS = _LETTERS.format(", '.'")
Name = Annotated[str, Field(pattern=NAME)]

#: Names of suites are parts of parameters' keys, too, which dots would part.
SUITE_NAME = r"^[a-z0-9][a-z0-9_-]{0,62}$"
SUITE_NAME_IN_WORDS = _LETTERS.format("")
SuiteName = Annotated[str, Field(pattern=SUITE_NAME)]

#: An environment variable that holds a server's key.
VARIABLE = r"^[A-Za-z_][A-Za-z0-9_]*$"
VARIABLE_IN_WORDS = (
    "should be the name of an environment variable, not the key itself; write MY_KEY, say, and "
    "'export MY_KEY=...' in the shell"
)


def no_truth_value(value: object) -> object:
    """YAML's true, yes and on would otherwise be taken for the number 1."""
    if isinstance(value, bool):
        raise ValueError("true and false mean nothing here, nor do yes, no, on and off")
    return value


def each_once(what: str, names: Iterable[str]) -> None:
    for name, n in Counter(names).items():
        if n > 1:
            raise ValueError(f"the {what} '{name}' is listed twice; list it once")


class Beside(ValueError):
    """What is wrong with another key of the same section, which is validated before."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(what)
        self.key = key


def once(what: str) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """Return a check that no two items of a list are the same, or have one name."""

    def check(value: tuple[Any, ...]) -> tuple[Any, ...]:
        each_once(what, (str(getattr(item, "name", item)) for item in value))
        return value

    return check


def inside(value: str) -> str:
    """Return a folder that the project may read."""
    if not value or ".." in PurePosixPath(value).parts:
        raise ValueError("give a folder inside the project or an absolute path")
    return value


Count = Annotated[int, BeforeValidator(no_truth_value), Field(ge=1, le=1_000_000)]
Price = Annotated[float, BeforeValidator(no_truth_value), Field(ge=0, allow_inf_nan=False)]


class Section(BaseModel):
    """A section of params.yaml: unknown keys are errors, values never change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    #: Keys that change no row of any table: how a server is asked, and what it may cost.
    changes_no_row: ClassVar[frozenset[str]] = frozenset()

    def folders(self) -> tuple[str, ...]:
        """Return the folders whose files decide what is planned, beside the parameters."""
        return ()

    @field_validator("*", mode="before")
    @classmethod
    def _numbers_are_numbers(cls, value: object, info: ValidationInfo) -> object:
        field = cls.model_fields[info.field_name or ""]
        return value if field.annotation is bool else no_truth_value(value)


@dataclass(frozen=True)
class Known:
    """Marks a text as the name of a registered kind."""

    registry: str

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(self._known, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        names = [kind.name for kind in kinds_of(self.registry).ordered()]
        return {**handler(schema), "enum": names}

    def _known(self, name: str) -> str:
        try:
            kinds_of(self.registry).get(name, "")
        except UserError as error:
            raise ValueError(f"{error.what}; {error.fix}") from None
        return name


class Composed(Section):
    """A section that takes keys which registered kinds declare beside its own.

    What a kind declares (:class:`lvlmbench.core.registry.Kind`) is read when parameters are, so
    that a kind is one file and needs no mention here.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    #: Public name of the registry.
    registry: ClassVar[str] = ""

    @classmethod
    def kinds(cls) -> Kinds[Any]:
        """Return the registry."""
        return kinds_of(cls.registry)

    @classmethod
    def sections(cls) -> dict[str, Any]:
        """Return the keys that kinds add, each with its annotation and field."""
        return {
            kind.section: (
                kind.settings | None,
                Field(None, description=f"For `{kind.name}`: {_first_line(kind.settings)}"),
            )
            for kind in cls.kinds().ordered()
            if kind.settings is not None
        }

    @classmethod
    def whole(cls) -> type[Section]:
        """Return the section with all keys that kinds add: for documents and look-ups of keys."""
        return create_model(
            cls.__name__,
            __base__=(cls, _Whole),
            __doc__=cls.__doc__,
            **cls.sections(),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        if issubclass(cls, _Whole):
            return handler(schema)
        found: JsonSchemaValue = handler(cls.whole().__pydantic_core_schema__)
        return found

    def own(self, model: type[S]) -> S:
        """Return the settings of this model, its defaults where none are written."""
        return self.find(model) or model()

    def find(self, model: type[S]) -> S | None:
        """Return the settings of this model; None where there are none."""
        found = (v for v in (self.__pydantic_extra__ or {}).values() if isinstance(v, model))
        return next(found, None)


class _Whole(Section):
    """Takes no key beside those of its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Made(Composed):
    """An item of a list, made by what is registered under a name.

    A kind may have settings in a section that is called after it; such an item has that section
    also where none is written, and no other. Of a kind that is not installed, all is taken as it
    is written.
    """

    #: What the kind is called in messages.
    noun: ClassVar[str] = "kind"
    #: Public name of the registry where a kind is looked for that its own has not.
    behind: ClassVar[str] = ""

    name: Name = Field(description="Name in tables, paths and the report; unique.")

    @classmethod
    def kind_in(cls, value: Mapping[str, Any]) -> Any:
        """Return the name of the kind that makes an item, as it is written."""
        return value.get("kind") or value.get("name")

    @model_validator(mode="before")
    @classmethod
    def _settings_fit(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        name = cls.kind_in(value)
        kind = cls.kinds().find(name) if isinstance(name, str) else None
        if kind is None:
            return value
        taken = {k: v for k, v in value.items() if k in cls.model_fields}
        mine = kind.section if kind.settings is not None else None
        for key, content in value.items():
            if key in taken or key == mine:
                continue
            if key not in cls.sections():
                raise unknown_key(key, content)
            if content is not None:
                raise ValueError(f"'{key}' is of no use to the {cls.noun} '{name}'")
        if kind.settings is not None:
            taken |= cls._section(kind, value.get(kind.section))
        return taken

    @classmethod
    def _section(cls, kind: Kind, content: Any) -> dict[str, Any]:
        model, key = kind.settings, kind.section
        needs = [n for n, f in model.model_fields.items() if f.is_required()] if model else []
        if content is None and needs:
            raise ValueError(f"{kind.name} needs '{key}' with at least {' and '.join(needs)}")
        return validated({key: model}, {key: {} if content is None else content})

    @property
    def registered(self) -> str:
        """Name that the kind is registered under."""
        return str(self.kind_in(self.__dict__))

    def made_by(self) -> Any:
        """Return the kind that makes the item; None for one that is not installed."""
        return self.kinds().find(self.registered)


class Kinded(Made):
    """An item whose kind has the item's own name where none is written: a filter, a scenario."""

    kind: Name | None = Field(None, description="Registered kind; null: the one called `name`.")


class Engined(Composed):
    """A section whose `engine` is registered under a name, and adds keys of its own beside it."""

    engine: Name = Field(description="What is registered under a name.")

    @model_validator(mode="before")
    @classmethod
    def _keys_fit(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        name = value.get("engine", cls.kinds().first().name)
        kind = cls.kinds().find(name) if isinstance(name, str) else None
        if kind is None:
            return value
        taken = {"engine": name} | {k: v for k, v in value.items() if k in cls.model_fields}
        model, known = kind.settings or Section, cls.sections()
        mine = {}
        for key, content in value.items():
            if key in model.model_fields:
                mine[key] = content
            elif key in known and content not in (None, known[key][1].default):
                raise at_key(key, f"is of no use to {name}", content)
            elif key not in taken and key not in known:
                raise unknown_key(key, content)
        found = model.model_validate(mine)
        rest = {key: known[key][1].default for key in known if key not in model.model_fields}
        return taken | rest | {key: getattr(found, key) for key in model.model_fields}

    @classmethod
    def sections(cls) -> dict[str, Any]:
        """Return the keys that engines add, each with its annotation and field."""
        return {
            key: (field.annotation, field)
            for kind in cls.kinds().ordered()
            if kind.settings is not None
            for key, field in kind.settings.model_fields.items()
        }

    def of(self, engine: Kind) -> Any:
        """Return the settings of the engine; None where it has none."""
        extra, model = self.__pydantic_extra__ or {}, engine.settings
        if model is None:
            return None
        return model(**{key: extra[key] for key in model.model_fields if key in extra})

    def made_by(self, where: str) -> Any:
        """Return the engine; one that is not known is a UserError at ``where``."""
        return self.kinds().get(self.engine, f"{where}: engine")

    def make(self, where: str) -> Any:
        """Return what the engine makes of its settings."""
        engine = self.made_by(where)
        return engine(self.of(engine), where)

    def check(self, where: str) -> None:
        """Have the engine check its settings, if it does."""
        engine = self.made_by(where)
        if engine.check is not None:
            engine.check(self.of(engine), where)


@cache
def _box(model: type[BaseModel], key: str) -> type[BaseModel]:
    return create_model("Box", **{key: (model, ...)})  # type: ignore[call-overload,no-any-return]


def validated(models: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return sections by their keys; a mistake in one is told at its place."""
    return {
        key: getattr(_box(model, key).model_validate({key: values[key]}), key)
        for key, model in models.items()
    }


def unknown_key(key: str, content: Any) -> ValidationError:
    """Return the mistake of a key that a section does not take."""
    line = InitErrorDetails(type="extra_forbidden", loc=(key,), input=content)
    return ValidationError.from_exception_data("section", [line])


def at_key(key: str | tuple[str, ...], what: str, content: Any) -> ValidationError:
    """Return the mistake of a value, at its key, or at keys in each other."""
    error = PydanticCustomError("value_error", what.replace("{", "{{"))
    loc = (key,) if isinstance(key, str) else key
    line = InitErrorDetails(type=error, loc=loc, input=content)
    return ValidationError.from_exception_data("section", [line])


def _first_line(model: Any) -> str:
    text = " ".join((model.__doc__ or "").split("\n\n")[0].split()).rstrip(".")
    return f"{text[:1].lower()}{text[1:]}."


def a_section(value: object) -> object:
    """For items that people write as a bare name."""
    if isinstance(value, str):
        raise ValueError(f"write '- name: {value}'")
    return value
