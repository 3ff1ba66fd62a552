"""The catalogue of aspects: what the embedded examiner makes of a request (AutoDavis, 2.1).

A file of the folder describes one request: general aspects, and under each of them fine-grained
ones, with the family of questions that is asked about them. An aspect without a family is planned
and counted; only a model that plans pictures can have it asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import Field, field_validator

from lvlmbench.config import Params
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.loading import validate_as
from lvlmbench.config.section import Made, Name, Section
from lvlmbench.core.errors import UserError, meant
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.scene.subtasks import registered
from lvlmbench.scene.world import Facts
from lvlmbench.suites.autodavis.family import FAMILIES, Family
from lvlmbench.suites.autodavis.inputs import OWN
from lvlmbench.suites.autodavis.settings import Examining
from lvlmbench.suites.planned import AspectsBrief

#: What pictures can show, for a model that thinks of aspects.
_PICTURES = {
    "measured": "Pictures are drawn of some animals, things and people in front of a background, "
    "and can show nothing else.",
    "description": "Pictures are made from words by a text-to-image model: anything that is plain "
    "to see may be in them, in any style, texture and light. Writing is a word or two at most.",
}
#: What is known of things, and what is often right, beside the requests.
_FACTS, PRIOR = "facts.yaml", "prior.yaml"


class Fine(Made):
    """A fine-grained aspect."""

    registry: ClassVar[str] = "aspects"
    noun: ClassVar[str] = "family"

    called: str = Field(min_length=3, max_length=60, description="Its name for readers.")
    introduction: str = Field(min_length=20, description="What it is about, in a sentence.")
    guidance: str = Field(min_length=20, description="What pictures and questions should hold.")
    truth: Literal["construction", "knowledge", "convention"] = Field(
        "construction",
        description="Where the truth of its questions comes from: what was drawn, what is known of "
        "the world, or what people agree to read out of it.",
    )
    family: Name | None = Field(
        None, description="Family of questions; without one nobody can plan pictures of it yet."
    )

    @field_validator("family")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        if value is not None and value not in FAMILIES.names():
            fix = meant(value, FAMILIES.names(), f"use one of: {', '.join(FAMILIES.names())}")
            raise ValueError(f"'{value}' is no family of questions; {fix}")
        return value

    @classmethod
    def kind_in(cls, value: Mapping[str, object]) -> object:
        """Return the family's name, as it is written."""
        return value.get("family")

    def made(self) -> Family | None:
        """Return the family, made for this aspect; None where it has none."""
        if self.family is None:
            return None
        kind = FAMILIES.get(self.family, f"{self.name}: family")
        found: Family = kind(None if kind.settings is None else self.own(kind.settings))
        return found


class General(Section):
    """A general aspect and what it falls into."""

    name: Name
    called: str = Field(min_length=3, max_length=60)
    introduction: str = Field(min_length=20)
    fine: tuple[Fine, ...] = Field(min_length=1)


class Request(Section):
    """A file of the catalogue: one request."""

    request: Name
    called: str = Field(min_length=3, max_length=60)
    introduction: str = Field(min_length=20)
    general: tuple[General, ...] = Field(min_length=1)


class _Facts(Section):
    """What is known of kinds of things: property -> label -> what is so."""

    facts: dict[Name, dict[str, str]]


class _Prior(Section):
    """What is often right: aspect -> text of an option -> how often, of pictures of other seeds."""

    right: dict[Name, dict[str, Annotated[int, Field(ge=1)]]]


class Aspect(NamedTuple):
    """A fine-grained aspect in its place."""

    request: str
    general_no: int
    general: General
    fine_no: int
    fine: Fine

    def called(self, row: Mapping[str, Any]) -> Aspect:
        """Return it as a model has thought of it, a row of ``tables.PLANNED_ASPECTS``."""
        general = self.general.model_copy(update={"called": row["general"]})
        said = {key: row[key] for key in ("called", "introduction", "guidance")}
        return self._replace(general=general, fine=self.fine.model_copy(update=said))


class Catalogue(NamedTuple):
    """Requests by name, what is known of things, and what is often right, by aspect."""

    requests: Mapping[str, Request]
    facts: Facts
    prior: Mapping[str, Mapping[str, int]]

    def aspects(self, request: str, general: int, fine: int) -> Iterator[Aspect]:
        """Yield the first fine-grained aspects of the first general ones."""
        for g, one in enumerate(self.requests[request].general[:general]):
            for f, each in enumerate(one.fine[:fine]):
                yield Aspect(request, g, one, f, each)


def catalogue_of(params: Params) -> Catalogue:
    """Return the catalogue that parameters name.

    Raises
    ------
    UserError
        The folder does not exist, or the first mistake in a file of it.
    """
    folder = PROJECT_ROOT / params.corpus.own(Examining).aspects
    if not folder.is_dir():
        where = f"params.yaml: suites.{params.suite}.corpus.autodavis.aspects"
        raise UserError(where, f"{folder} is not a folder", "name one that holds aspects")
    stamps = tuple((p.name, p.stat().st_mtime_ns, p.stat().st_size) for p in folder.glob("*.yaml"))
    return _read(folder, tuple(sorted(stamps)))


@lru_cache(maxsize=4)
def _read(folder: Path, stamps: tuple[tuple[str, int, int], ...]) -> Catalogue:
    requests: dict[str, Request] = {}
    facts: Facts = {}
    prior: Mapping[str, Mapping[str, int]] = {}
    for name, _, _ in stamps:
        path = folder / name
        if name == _FACTS:
            facts = validate_as(_Facts, read_yaml(path), str(path)).facts
            continue
        if name == PRIOR:
            prior = validate_as(_Prior, read_yaml(path), str(path)).right
            continue
        found = validate_as(Request, read_yaml(path), str(path))
        if found.request not in registered():
            fix = f"use one of: {', '.join(registered())}"
            raise UserError(f"{path}: request", f"'{found.request}' is no subtask", fix)
        if found.request in requests:
            raise UserError(f"{path}: request", f"'{found.request}' has two files", "keep one")
        requests[found.request] = found
    _check_names(folder, requests)
    return Catalogue(requests, facts, prior)


def _check_names(folder: Path, requests: Mapping[str, Request]) -> None:
    """All names differ, whatever their capitals: models and readers tell aspects by them."""
    seen: dict[str, str] = {}
    for request in requests.values():
        for general in request.general:
            for fine in general.fine:
                for said in dict.fromkeys((fine.name, fine.called.casefold())):
                    if said in seen:
                        where = f"{folder}: {request.request}: {general.name}: {fine.name}"
                        raise UserError(where, f"'{said}' is taken by {seen[said]}", "rename one")
                    seen[said] = fine.name


def chosen(params: Params, where: str) -> dict[str, list[Aspect]]:
    """Return the aspects that are asked about, by the subtasks of parameters.

    Raises
    ------
    UserError
        A request is not in the catalogue or has fewer aspects than wanted, or one that is to be
        asked about is not known.
    """
    own, known = params.corpus.own(Examining), catalogue_of(params)
    found: dict[str, list[Aspect]] = {}
    for request in params.corpus.subtasks:
        if own.thought_of(request):
            found[request] = list(unnamed(request, own))
            continue
        if request not in known.requests:
            fix = f"add a file for it to {own.aspects}"
            raise UserError(f"{where}.aspects", f"holds nothing about '{request}'", fix)
        general = known.requests[request].general
        fewest = min(len(one.fine) for one in general)
        for key, wanted, there in (
            ("general", own.general, len(general)),
            ("fine", own.fine, fewest),
        ):
            if wanted > there:
                what = f"is {wanted}, but {request} has {there}"
                raise UserError(f"{where}.{key}", what, f"write {there}, or add to {own.aspects}")
        found[request] = list(known.aspects(request, own.general, own.fine))
    names = [aspect.fine.name for each in found.values() for aspect in each]
    for name in own.only:
        if name not in names:
            fix = meant(name, names, "'lvlmbench exam show' prints them")
            raise UserError(f"{where}.only", f"'{name}' is no aspect of what is asked", fix)
    if own.only:
        found = {k: [a for a in each if a.fine.name in own.only] for k, each in found.items()}
    return found


def unnamed(request: str, own: Examining) -> Iterator[Aspect]:
    """Yield aspects that a model is to think of: their places, and ids that hang on no reply."""
    for g in range(own.general):
        said = f"General aspect {g + 1}"
        general = General.model_construct(name=f"{request}_{g + 1}", called=said, introduction=said)
        for f in range(own.fine):
            fine = Fine.model_construct(
                name=f"{request}_{g + 1}_{f + 1}", called=f"Aspect {g + 1}.{f + 1}",
                introduction=said, guidance=said, truth="convention", family=None,
            )  # fmt: skip
            yield Aspect(request, g, general, f, fine)


def aspects_wanted(params: Params) -> Iterator[AspectsBrief]:
    """Yield the requests whose aspects a model is to think of, in the order of the subtasks."""
    own, known = params.corpus.own(Examining), catalogue_of(params)
    for request in params.corpus.subtasks:
        if own.thought_of(request):
            words, told = own.words or "", known.requests.get(request)
            if request != OWN:
                words = f"{told.called}. {told.introduction}" if told else request.replace("_", " ")
            ids = tuple(aspect.fine.name for aspect in unnamed(request, own))
            pictures = _PICTURES[own.truth]
            yield AspectsBrief(request, words, own.general, own.fine, pictures, ids, own.raw)


def unplanned(params: Params) -> int:
    """Return how many pictures are of aspects that have no family of questions, or of texts."""
    if params.corpus.own(Examining).by_text:
        return params.corpus.n_scenes
    by_request = chosen(params, f"params.yaml: suites.{params.suite}.corpus.autodavis")
    return sum(
        params.corpus.count(request) * sum(a.fine.family is None for a in each) // len(each)
        for request, each in by_request.items()
    )
