"""What a renderer is: it turns a planned scene into an image, or says why it will not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from lvlmbench.core.registry import Kind, Kinds

if TYPE_CHECKING:
    from PIL import Image

    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary
    from lvlmbench.stages.render.layout import Instance

#: A row of :data:`lvlmbench.tables.SCENES`; ``Graph.of`` reads what is to be shown.
Scene = Mapping[str, Any]


@dataclass(frozen=True)
class Depiction:
    """A picture, and what it shows where; None where the renderer cannot measure that."""

    image: Image.Image
    layout: tuple[Instance, ...] | None = None


class Renderer(Protocol):
    """Draws scenes.

    ``name`` and ``version`` go into the images table; ``version`` changes whenever the renderer
    would draw other pixels for the same scene.
    """

    name: str
    version: str

    def refuses(self, scene: Scene) -> str | None:
        """Why this scene cannot be drawn, as a phrase for the funnel; None when it can."""
        ...

    def draw(self, scene: Scene) -> Depiction:
        """Return the scene as an RGB image of ``render.size`` pixels a side.

        The layout is measured from what was drawn, never taken from a plan. The same scene gives
        the same pixels, alone or among others, in any order. Only called for scenes that
        :meth:`refuses` lets pass.
        """
        ...


@dataclass(frozen=True)
class Attempt:
    """One try at a scene.

    Attributes
    ----------
    number
        0 for the first one.
    seed
        What its noise comes from: the scene's own seed at the first one.
    prompt
        What the scene's prompt was changed to, as ``scene`` has it; None where it is unchanged.
    """

    scene: Scene
    number: int
    seed: int
    prompt: str | None = None


@dataclass(frozen=True)
class Making:
    """How an image came about: columns of :data:`lvlmbench.tables.ATTEMPTS`.

    Attributes
    ----------
    method
        ``drawn``, ``text-to-image``, ``composited`` or the name of another way.
    prompt_tokens, prompt_chunks, prompt_tokens_cut
        Length of the prompt in the first text encoder, pieces that it was encoded in, and tokens
        that no encoder has read; None where no prompt is encoded.
    exact, batch
        Whether it was drawn so that nothing depends on others, and with how many in all.
    """

    method: str = "drawn"
    prompt_tokens: int | None = None
    prompt_chunks: int | None = None
    prompt_tokens_cut: int | None = None
    exact: bool = True
    batch: int = 1


@dataclass(frozen=True)
class Drawn:
    """An image, how it came about, and what it shows where if that was measured.

    ``request`` is what a server was asked for it: columns of
    :data:`lvlmbench.tables.IMAGE_REQUESTS`; None where none was.
    """

    attempt: Attempt
    image: Image.Image
    making: Making
    layout: tuple[Instance, ...] | None = None
    request: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Failed:
    """An attempt that gave no image. Another attempt may give one.

    Attributes
    ----------
    status
        What came of it, in one word: ``timeout``, ``refused`` (by whoever was asked) ...
    why
        The reason, in one line.
    request
        As of :class:`Drawn`.
    """

    attempt: Attempt
    status: str
    why: str
    request: Mapping[str, Any] | None = None

    @property
    def reason(self) -> str:
        """The status with the reason, for verdicts and attempts."""
        return f"{self.status}: {self.why}"


class Sampler(Renderer, Protocol):
    """A renderer that draws several scenes at once, and the same scene anew with another seed.

    ``provenance`` is what drew the images, ready for JSON: model, hashes of weights, device,
    versions. It is the same for all images of a process.
    """

    provenance: Mapping[str, Any] | None

    def batches(self, attempts: Sequence[Attempt]) -> list[list[Attempt]]:
        """Which attempts are drawn together, in order; each of them is in one batch.

        Only depends on the attempts and on what the renderer is: a killed shard goes on with the
        batches it had.
        """
        ...

    def draw_batches(self, batches: Iterable[Sequence[Attempt]]) -> Iterator[Drawn | Failed]:
        """What comes of these batches, as it is done, each attempt once."""
        ...


class OneByOne:
    """A renderer as a :class:`Sampler` that draws one scene at a time.

    It has no other image for a second attempt.
    """

    provenance: Mapping[str, Any] | None = None

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self.name, self.version = renderer.name, renderer.version

    def refuses(self, scene: Scene) -> str | None:
        """As the renderer says."""
        return self._renderer.refuses(scene)

    def draw(self, scene: Scene) -> Depiction:
        """As the renderer draws."""
        return self._renderer.draw(scene)

    def batches(self, attempts: Sequence[Attempt]) -> list[list[Attempt]]:
        """Each attempt by itself."""
        return [[attempt] for attempt in attempts]

    def draw_batches(self, batches: Iterable[Sequence[Attempt]]) -> Iterator[Drawn]:
        """The image of each attempt, in order."""
        for batch in batches:
            for attempt in batch:
                drawing = self._renderer.draw(attempt.scene)
                yield Drawn(attempt, drawing.image, Making(), drawing.layout)


class Anew(OneByOne):
    """A renderer that draws a scene by its id, so that under another one all lies otherwise."""

    #: How many ids are tried for one under which all has its place.
    _IDS = 8

    def __init__(self, renderer: Renderer, attempts: int = 0) -> None:
        super().__init__(renderer)
        self._most = self._IDS + attempts
        #: Scene id -> ids under which it can be drawn, and how many were tried.
        self._able: dict[str, tuple[list[Scene], int]] = {}

    def refuses(self, scene: Scene) -> str | None:
        """As the renderer says of the scene, if it says so under all ids."""
        reason = self._renderer.refuses(scene)
        return None if reason is None or self._under(scene, 0) else reason

    def _under(self, scene: Scene, number: int) -> Scene | None:
        """The scene under an id: of those under which it can be drawn, the one of this number."""
        able, tried = self._able.get(scene["scene_id"], ([], 0))
        while len(able) <= number and tried < self._most:
            other = _called(scene, tried)
            tried += 1
            if self._renderer.refuses(other) is None:
                able.append(other)
        self._able[scene["scene_id"]] = able, tried
        return able[number] if number < len(able) else None

    def draw_batches(self, batches: Iterable[Sequence[Attempt]]) -> Iterator[Drawn]:
        """The image of each attempt, in order; the same again where no other one can be planned."""
        for batch in batches:
            for attempt in batch:
                given, number = attempt.scene, attempt.number
                scene = self._under(given, number) or self._under(given, 0) or given
                drawing = self._renderer.draw(scene)
                yield Drawn(attempt, drawing.image, Making(), drawing.layout)


def _called(scene: Scene, number: int) -> Scene:
    """A scene under another id; what it shares its places with is called so as well."""
    if not number:
        return scene
    shared = {name: scene.get(name) for name in ("scene_id", "base", "pair")}
    return {**scene, **{name: f"{own}/{number}" for name, own in shared.items() if own}}


def can_redraw(renderer: Renderer) -> bool:
    """Whether another attempt may give another image."""
    if isinstance(renderer, OneByOne):
        return isinstance(renderer, Anew)
    return hasattr(renderer, "draw_batches")


def sampler(renderer: Renderer, again: int | None = None) -> Sampler:
    """The renderer itself where it draws in batches, else wrapped: to draw so often ``again``, or
    once where that is None."""
    if hasattr(renderer, "draw_batches"):
        found: Sampler = renderer  # type: ignore[assignment]
        return found
    return OneByOne(renderer) if again is None else Anew(renderer, again)


Factory = Callable[["Params", "Vocabulary"], Renderer]


@dataclass(frozen=True, kw_only=True)
class RendererKind(Kind):
    """A registered renderer; :data:`Factory` is what makes it, of parameters and vocabulary.

    ``check`` takes parameters and the place to name; ``asks`` and ``exact`` take parameters.

    Attributes
    ----------
    simple
        Whether it draws from a fixed set of glyphs: the reference models have learned to read its
        pictures, and none of them shows what a benchmark must not show.
    lacks
        What it lacks on this machine, None where it could draw: ``render.renderer: auto`` takes
        the first renderer that says None, and without one the first of all.
    models
        Hub ids and folders of the weights that draw; without, nothing is told of its pictures'
        rights.
    prompts
        Whether it draws whatever a prompt says: what "no renderer named" stands for.
    art
        Whether its pictures hold OpenMoji's art.
    realistic
        Whether its pictures in a realistic style ("studio photograph") may pass for such: what
        comparisons of realistic images count.
    price
        Where a server draws: US dollars for a picture, or None where that is not known.
    vocabulary, part
        Whether it needs more of the vocabulary than the entries that its scenes name; where it
        says False it is given these alone. Of a renderer that hands the vocabulary on, ``part``
        gives by parameters the kind that it hands it to, which says so as well.
    """

    simple: bool = False
    lacks: Callable[[Params], str | None] | None = None
    models: Callable[[Params], Sequence[str]] | None = None
    prompts: bool = False
    art: bool = False
    realistic: bool = False
    part: Callable[[Params], Kind] | None = None
    price: Callable[[Params], float | None] | None = None

    def looks_words_up(self, params: Params) -> bool:
        """Return whether it needs more of the vocabulary than the entries that scenes name."""
        return self.vocabulary or (self.part is not None and self.part(params).vocabulary)

    @property
    def truth(self) -> str:
        """How it is known what its pictures show: ``measured``, or by their ``description``."""
        return "description" if self.prompts else "measured"


RENDERERS: Kinds[RendererKind] = Kinds("renderers", "lvlmbench.stages.render.kinds", RendererKind)


def is_realistic(renderer: str | None) -> bool:
    """Return whether what a renderer draws in a realistic style is realistic."""
    kind = RENDERERS.find(renderer) if renderer else None
    return kind is not None and kind.realistic


def described(pictures: Mapping[str, int]) -> dict[str, int]:
    """Return those of the renderers, with their pictures, whose truth is a description alone."""
    kinds = {name: RENDERERS.find(name) for name in pictures}
    return {
        name: n
        for name, n in pictures.items()
        if (kind := kinds[name]) is not None and kind.truth == "description"
    }
