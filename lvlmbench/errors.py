"""The one exception that means "the user can mend this"."""

from __future__ import annotations


class UserError(Exception):
    """Bad input: shown as one line (where, what, what to do), never as a traceback.

    Parameters
    ----------
    where
        The place the user should look at, e.g. ``"params.yaml: render.size"`` or
        ``"data/vocabulary/animal.yaml:12"``.
    what
        What is wrong there, with the offending value.
    fix
        What to do about it.
    """

    def __init__(self, where: str, what: str, fix: str) -> None:
        self.where, self.what, self.fix = where, what, fix
        super().__init__(" ".join(f"{where}: {what}; {fix}".split()))
