"""What a served model has cost on this machine, and whether its budget is reached.

Each reply that is paid for is added to a small file beside the answer cache, one for each server
and model, which all runs and jobs share. What the cache knows costs nothing and is not added.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lvlmbench.core.cache import SYNC_S, take_flock
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import request_hash
from lvlmbench.stages.requests.server import Server

#: US dollars by which sums of prices may be off.
_ROUNDING = 1e-9
#: Bytes of a ledger at most.
_LONGEST = 1 << 16


def dollars(usd: float) -> str:
    """E.g. ``$5.00`` or ``$0.0123``: cents, and two more digits where they say something."""
    text = f"{usd:,.4f}"
    return "$" + (text[:-2] if text.endswith("00") else text)


class Ledger:
    """The sum that one model of one server has cost, in US dollars.

    Parameters
    ----------
    folder
        Folder of the ledgers of all models.
    base_url, model
        The server and the model's id there.
    """

    def __init__(self, folder: Path, base_url: str, model: str) -> None:
        self._of = {"base_url": base_url.rstrip("/"), "model": model}
        self.path = folder / f"{request_hash(*self._of.values())[:16]}.json"
        self._synced = time.monotonic()

    def spent(self) -> float:
        """The sum as it stands now.

        Raises
        ------
        UserError
            The file is damaged, or its file system has no locks.
        """
        try:
            with self._opened(os.O_RDWR) as file:
                return self._read(file)
        except FileNotFoundError:
            return 0.0

    def add(self, usd: float) -> float:
        """Add what a reply has cost; returns the sum. A kill leaves the sum before or after it.

        Raises
        ------
        UserError
            The file is damaged, or its file system has no locks.
        """
        try:
            return self._add(usd)
        except FileNotFoundError:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return self._add(usd)

    @contextmanager
    def _opened(self, flags: int) -> Iterator[int]:
        """The file, locked; who waits for it waits for microseconds."""
        file = os.open(self.path, flags, 0o644)
        try:
            take_flock(file, self.path)
            yield file
        except OSError as error:
            error.filename = str(self.path)
            raise
        finally:
            os.close(file)

    def _read(self, file: int) -> float:
        text = os.pread(file, _LONGEST, 0)
        try:
            # Empty where a process was killed that had just made it.
            return float(json.loads(text)["spent_usd"]) if text else 0.0
        except (ValueError, TypeError, LookupError):
            fix = 'delete it, or write {"spent_usd": N} with what the server has charged so far'
            raise UserError(str(self.path), "is damaged", fix) from None

    def _add(self, usd: float) -> float:
        with self._opened(os.O_RDWR | os.O_CREAT) as file:
            total = self._read(file) + usd
            # One write of one length in one place: no reader and no kill finds half a number. What
            # somebody has written by hand may be longer: blanks are put over its rest.
            rest = json.dumps(self._of).removeprefix("{")
            text = f'{{"spent_usd": {total!r:>24}, {rest}\n'.encode()
            os.pwrite(file, text.ljust(os.fstat(file).st_size), 0)
            if time.monotonic() - self._synced >= SYNC_S:
                os.fsync(file)
                self._synced = time.monotonic()
        return total


class Budget:
    """Keeps a model's ledger, and tells when its budget is reached.

    Parameters
    ----------
    usd
        US dollars to spend at most; None: only the ledger is kept.
    """

    def __init__(self, ledger: Ledger, usd: float | None) -> None:
        self.usd = usd
        self._ledger = ledger
        self._spent = ledger.spent()

    @classmethod
    def of(cls, server: Server | None, cache: Path) -> Budget | None:
        """The budget of a server whose ledger lies beside the file ``cache``; None without prices.

        Raises
        ------
        UserError
            The ledger is damaged.
        """
        if server is None or not server.priced:
            return None
        ledger = Ledger(cache.parent / "spent", server.base_url, server.model)
        return cls(ledger, server.budget_usd)

    def take(self, usd: float | None) -> None:
        """Add what a reply that has just arrived has cost; None where nobody knows."""
        if usd:
            self._spent = self._ledger.add(usd)

    def covers(self, usd: float) -> bool:
        """Whether so much may be spent beside what all runs and jobs have spent."""
        if self.usd is None:
            return True
        self._spent = self._ledger.spent()
        return self._spent + usd <= self.usd + _ROUNDING

    def reached(self) -> bool:
        """Whether all runs and jobs together have spent the budget."""
        if self.usd is None:
            return False
        self._spent = self._ledger.spent()
        return self._spent >= self.usd

    @property
    def state(self) -> str:
        """E.g. ``12% of $5.00``; empty without a budget."""
        if self.usd is None:
            return ""
        share = self._spent / self.usd if self.usd else 1.0
        return f"{share:.0%} of {dollars(self.usd)}"

    @property
    def spent(self) -> float:
        """US dollars, as far as this process has seen."""
        return self._spent
