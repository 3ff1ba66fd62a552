"""Mistakes in the section ``exports`` that can be told before anything runs."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.errors import UserError
from lvlmbench.stages.exports.export import EXPORTS
from lvlmbench.stages.exports.kinds.huggingface.parquet import split_name


def _check_scenario(params: Params, name: str, source: str) -> None:
    known = params.scenarios.counted
    if name not in known:
        raise UserError(
            f"{source}: exports.scenarios",
            f"'{name}' is no scenario that models are asked in",
            f"use some of: {', '.join(known)}; or name '{name}' in scenarios.names, too",
        )
    kind = None if name == CLEAN else params.scenarios.spec(name).made_by()
    if kind is not None and not kind.pictures:
        raise UserError(
            f"{source}: exports.scenarios",
            f"'{name}' shows no images",
            "leave it out; the forms hold a picture in each row",
        )


def check_exports(params: Params, source: str) -> None:
    """Every form and scenario is there, and what a form refers to is written too.

    Parameters
    ----------
    source
        Where the parameters come from, for the message.

    Raises
    ------
    UserError
        The first mistake.
    """
    formats = params.exports.formats
    for name in formats:
        for needed in EXPORTS.get(name, f"{source}: exports.formats").needs:
            if needed not in formats:
                raise UserError(
                    f"{source}: exports.formats",
                    f"'{name}' refers to '{needed}', which is not written",
                    f"add {needed}, or leave {name} out",
                )
    splits: dict[str, str] = {}
    for name in params.exports.scenarios if formats else ():
        _check_scenario(params, name, source)
        other = splits.setdefault(split_name(name), name)
        if other != name:
            raise UserError(
                f"{source}: exports.scenarios",
                f"'{other}' and '{name}' would be one split, '{split_name(name)}'",
                "export one of them, or rename it",
            )
