"""Under which licence an exported snapshot may be passed on, and whom it credits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.stages.exports.facts import Facts
from lvlmbench.stages.exports.markdown import code, counts
from lvlmbench.stages.render.renderer import RENDERERS

#: Files that every form's folder holds.
LICENSE, CREDITS = "LICENSE.txt", "CREDITS.md"
#: Where the project says what its images are made of; relative to its root.
PROJECT_CREDITS = "CREDITS.md"

CC_BY_SA = "https://creativecommons.org/licenses/by-sa/4.0/"
APACHE = "https://www.apache.org/licenses/LICENSE-2.0"


@dataclass(frozen=True)
class Rights:
    """What holds for the pictures of a snapshot.

    Attributes
    ----------
    license
        Identifier on the Hugging Face hub: ``cc-by-sa-4.0``, or ``other`` where weights decide.
    url
        Where that licence can be read; None where LICENSE.txt alone says what holds.
    openmoji, weights, others
        Whether pictures hold OpenMoji's art; the models that drew pictures; other renderers.
    """

    license: str
    url: str | None
    openmoji: bool
    weights: tuple[str, ...]
    others: tuple[str, ...]


def _shown(model: str) -> str:
    """A model's id on the hub, or the last part of the path of a folder."""
    path = Path(model).expanduser()
    is_local = path.is_absolute() or model.startswith((".", "~")) or model.count("/") > 1
    return path.name or "a local folder" if is_local else model


def _weights(params: Params, drew: Iterable[str]) -> tuple[str, ...]:
    """Return the models that drew pictures."""
    kinds = [kind for name in sorted(drew) if (kind := RENDERERS.find(name))]
    found = [m for kind in kinds if kind.models is not None for m in kind.models(params)]
    return tuple(dict.fromkeys(map(_shown, found)))


def rights(params: Params, facts: Facts) -> Rights:
    """What holds for the pictures that the facts count."""
    drew = set(facts.renderers)
    art = {kind.name for kind in RENDERERS.ordered() if kind.art}
    generative = {kind.name for kind in RENDERERS.ordered() if kind.models is not None}
    others = tuple(sorted(drew - art - generative))
    weights = _weights(params, drew & generative)
    simple = not others and not weights
    return Rights(
        license="cc-by-sa-4.0" if simple else "other",
        url=CC_BY_SA if simple else None,
        openmoji=bool(drew & art),
        weights=weights,
        others=others,
    )


def license_text(params: Params, facts: Facts) -> str:
    """LICENSE.txt."""
    held = rights(params, facts)
    blocks = [
        "Licence of this dataset\n"
        f"Snapshot '{facts.name}' ({facts.snapshot_id}), made with lvlmbench.",
    ]
    if held.openmoji:
        blocks.append(
            "Pictures drawn by the renderer 'pictograph' hold graphics of OpenMoji\n"
            "(https://openmoji.org), the open-source emoji and icon project, licensed under\n"
            "CC BY-SA 4.0. The graphics were changed: recolored, resized, tilted, mirrored,\n"
            "composed over backgrounds and restyled. These pictures, and what is made of them by\n"
            "noise, attacks or printed words, are licensed under\n"
            "  Creative Commons Attribution-ShareAlike 4.0 International\n"
            f"  {CC_BY_SA}\n"
            "Whoever passes them on names OpenMoji, says that its graphics were changed, and\n"
            "passes them on under the same licence."
        )
    if held.weights:
        blocks.append(
            "Pictures drawn from prompts come from text-to-image models:\n"
            + "".join(f"  {model}\n" for model in held.weights)
            + "What may be done with them is decided by the licences of these models' weights, or\n"
            "by the terms of the service that runs them, some of which forbid uses or ask for\n"
            "terms to be passed on, and by the law where you are. This file cannot say it for\n"
            "them: read them before you publish."
        )
    if held.others:
        blocks.append(
            "Pictures drawn by these renderers follow what their authors say of them:\n"
            + "".join(f"  {name}\n" for name in held.others).rstrip("\n")
        )
    terms = (
        "are passed on here under the licence of the pictures"
        if held.url
        else "may be used under that licence"
    )
    blocks.append(
        "Questions, options, answers, captions, prompts and metadata are made from the templates\n"
        f"and the vocabulary of lvlmbench (Apache License 2.0, {APACHE})\n"
        f"and {terms}."
    )
    blocks.append("CREDITS.md names the sources.")
    return "\n\n".join(blocks) + "\n"


def _sections(path: Path) -> dict[str, str]:
    """Sections of the project's credits by their headings.

    Raises
    ------
    UserError
        There is no such file.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        fix = "restore it with 'git checkout CREDITS.md'"
        raise UserError(str(path), "cannot be read", fix) from None
    parts = text.split("\n## ")[1:]
    return {part.partition("\n")[0].strip(): part.partition("\n")[2].strip() for part in parts}


def credits_text(params: Params, facts: Facts, project: Path) -> str:
    """CREDITS.md: what drew these pictures, then what the project credits for all of them.

    Parameters
    ----------
    project
        The project's own CREDITS.md.

    Raises
    ------
    UserError
        It cannot be read.
    """
    held = rights(params, facts)
    lines = [
        "# Credits",
        "",
        f"This is snapshot {code(facts.name)} ({code(facts.snapshot_id)}), made with lvlmbench. "
        f"Different pictures by what drew them: {counts(facts.renderers)}.",
    ]
    if held.weights:
        models = ", ".join(code(model) for model in held.weights)
        lines += ["", f"Models that drew from prompts: {models}."]
    for title, text in _sections(project).items():
        if title != "Art" or held.openmoji:
            lines += ["", f"## {title}", "", text]
    return "\n".join(lines) + "\n"


def write_rights(params: Params, facts: Facts, folder: Path) -> None:
    """Write LICENSE.txt and CREDITS.md into a form's folder.

    Raises
    ------
    UserError
        The project's credits cannot be read.
    """
    from lvlmbench.config.identity import PROJECT_ROOT

    credits = credits_text(params, facts, PROJECT_ROOT / PROJECT_CREDITS)
    (folder / LICENSE).write_text(license_text(params, facts), encoding="utf-8")
    (folder / CREDITS).write_text(credits, encoding="utf-8")
