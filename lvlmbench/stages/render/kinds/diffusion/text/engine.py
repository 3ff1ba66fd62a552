"""What a text engine is: it sees to it that the image of a text item shows its word.

There are two kinds. A :class:`TextEngine` works with the main pipeline: it gives the prompts of
a scene, and finishes the picture that the pipeline draws from them. A :class:`DrawingEngine` has
a pipeline of its own, which draws text items instead of the main one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from typing_extensions import TypeIs

from lvlmbench.core.registry import Kind, Kinds
from lvlmbench.stages.render.renderer import Attempt, Drawn, Scene

if TYPE_CHECKING:
    from PIL import Image

    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary

#: The subtask whose scenes go through an engine.
SUBTASK = "text"


class TextEngine(Protocol):
    """Puts words into pictures of the main pipeline.

    ``version`` changes whenever the same picture would get other pixels; it goes into
    ``images.renderer_version``.
    """

    name: str
    version: str

    def prompts(self, scene: Scene) -> tuple[str, str]:
        """Prompt and negative prompt for the main pipeline, for a scene of subtask ``text``."""
        ...

    def finish(self, attempt: Attempt, image: Image.Image) -> tuple[Image.Image, str]:
        """The RGB picture with the word, of the same size, and the method for ``Making``.

        It depends on the picture and the attempt alone. Called from another thread than
        :meth:`prompts`, and maybe from several at once.
        """
        ...


class DrawingEngine(Protocol):
    """Draws text items with a pipeline of its own.

    ``provenance`` says what draws, ready for JSON, as
    :class:`lvlmbench.stages.render.renderer.Sampler` has it.
    """

    name: str
    version: str
    provenance: Mapping[str, Any]

    def draw(self, attempts: Sequence[Attempt]) -> Iterator[Drawn]:
        """The images of these attempts, in order, RGB and of ``render.size`` pixels a side."""
        ...


Engine = TextEngine | DrawingEngine
Factory = Callable[["Params", "Vocabulary"], Engine]

#: Engine name -> factory(params, vocabulary). What a factory loads may be heavy, and may take a
#: GPU; other packages add theirs by the entry point group ``lvlmbench.text_engines``.
TEXT_ENGINES: Kinds[Kind] = Kinds("text_engines", __name__.rpartition(".")[0] + ".kinds", Kind)


def draws(engine: Engine) -> TypeIs[DrawingEngine]:
    """Whether the engine draws by itself instead of finishing what the main pipeline draws."""
    return hasattr(engine, "draw")


def text_engine(params: Params, vocabulary: Vocabulary) -> Engine:
    """The engine that ``render.diffusion.text.engine`` names, ready to work.

    Raises
    ------
    UserError
        There is no such engine, or its weights cannot be used.
    """
    from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion

    text = params.render.own(Diffusion).text
    found: Engine = text.made_by("render.diffusion.text")(params, vocabulary)
    return found
