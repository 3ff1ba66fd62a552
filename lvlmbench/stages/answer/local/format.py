"""Named prompt formats: how a model without a chat template wants to be asked.

To add one, write a module in the folder ``kinds`` (or an outside package with an entry point in
the group ``lvlmbench.prompt_formats``) that registers what stands around a prompt::

    @FORMATS.register("my_format", model_types=("my_type",), mark="<image>\\n")
    def my_format(prompt: str, image: str) -> str:
        return f"Human: {image}{prompt} AI:"

``image`` is the mark where there is an image, else empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import Kind, Kinds
from lvlmbench.stages.answer.local.settings import AUTO


def _always(config: Any) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class FormatKind(Kind):
    """A registered format.

    Attributes
    ----------
    model_types
        ``model_type`` in config.json of the models that can be asked so.
    trained
        Of the models of these types (by their configuration): those that were trained with it,
        for which ``auto`` takes it.
    mark
        What stands in the text for an image; empty where the processor puts it there itself.
    needs_image
        Whether the model cannot be asked without an image. It is shown a gray one then.
    """

    model_types: tuple[str, ...]
    trained: Callable[[Any], bool] = _always
    mark: str = ""
    needs_image: bool = False

    def text(self, prompt: str, *, image: bool) -> str:
        """Return the text that the processor is given."""
        made: str = self.make(prompt, self.mark if image else "")
        return made

    @property
    def parameters(self) -> Mapping[str, str]:
        """What of it decides a reply."""
        return {
            "format": self.name,
            "format_text": self.text("{prompt}", image=True),
            "without_image": "gray image" if self.needs_image else "text alone",
        }


FORMATS: Kinds[FormatKind] = Kinds(
    "prompt_formats", "lvlmbench.stages.answer.local.kinds", FormatKind
)


def check_name(name: str, where: str) -> FormatKind | None:
    """Return the format called ``name``; None for ``auto``.

    Raises
    ------
    UserError
        There is none.
    """
    return None if name == AUTO else FORMATS.get(name, f"{where}: format")


def may_need_one(model_type: str | None) -> bool:
    """Return whether there is a format for models of this type."""
    return any(model_type in kind.model_types for kind in FORMATS.ordered())


def choose(name: str, model: str, config: Any, has_template: bool, where: str) -> FormatKind | None:
    """Return the format in which a model is asked; None: its chat template is used.

    Parameters
    ----------
    name
        The format that the parameters name, or ``auto``.
    model
        What the parameters call the model.
    config
        Its configuration.
    has_template
        Whether it has a chat template.

    Raises
    ------
    UserError
        The format is for other models, or there is neither template nor format.
    """
    named, kind_of_model = check_name(name, where), config.model_type
    if named is not None:
        if kind_of_model not in named.model_types:
            others = ", ".join(k.name for k in FORMATS.ordered() if kind_of_model in k.model_types)
            raise UserError(
                f"{where}: format",
                f"'{name}' is for {', '.join(named.model_types)}, and '{model}' is a "
                f"{kind_of_model}",
                f"use one of: {others}" if others else "leave it out",
            )
        return named
    if has_template:
        return None
    mine = [k for k in FORMATS.ordered() if kind_of_model in k.model_types]
    for kind in mine:
        if kind.trained(config):
            return kind
    of_these = ", ".join(k.name for k in mine)
    fix = (
        f"write as 'format' the one it was trained with (one of: {of_these})"
        if mine
        else f"known formats ({', '.join(FORMATS.names())}) are for other models"
    )
    raise UserError(
        f"{where}: model",
        f"'{model}' has no chat template, and no format is known for such a {kind_of_model}",
        f"{fix}, put its template there as chat_template.jinja, or give another model",
    )
