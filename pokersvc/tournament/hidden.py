"""The seed of a tournament started without one: drawn at random, and hidden from the players until the end.

Anyone who knows the seed can compute every card. So only its digest is shown at the start; the seed is kept in a file
beside the results, which only its owner may read, and shown when the tournament is over.
"""

import os
import re
from pathlib import Path
from typing import Final, NamedTuple

from pokersvc.evidence.jsonl import opened, written
from pokersvc.tournament.announced import after_plan
from pokersvc.tournament.lines_file import InvalidResults
from pokersvc.tournament.results import Results, seed_shown_in
from pokersvc.tournament.seed import drawn_seed

_DRAWN: Final = re.compile(rb"[0-9a-f]{64}\n")
_LONGEST: Final = 100
"""Maximum number of bytes read of a seed file; a valid one has fewer."""


class HiddenSeed:
    """The hidden seed of a tournament with a results file: the seed of the results so far, or a newly drawn one."""

    def __init__(self, results: Path, *, again: bool = False) -> None:
        """Find the seed; draw a new one if nothing was played yet or ``again`` discards the results.

        Nothing is written before `keep`. Raise `InvalidResults` if there are results but not their seed.
        """
        self.path = Path(f"{results}.seed")
        begun = _begun(results) and not again
        found = (self._private() or seed_shown_in(results)) if begun else drawn_seed()
        if found is None:
            raise InvalidResults(
                f"The file with the seed of the tournament in {results} is missing; give it with --seed,"
                " or start the tournament again with --again."
            )
        self.text = found

    def keep(self) -> None:
        """Write the seed to its file, which only its owner may read; when this returns, it is on the disk."""
        kept = self._kept()
        if kept == _Kept(self.text, private=True):
            return
        if kept is not None:  # the seed of a tournament that never began, or was forgotten
            self.path.unlink()
        with written(self.path, private=True) as file:
            file.write(f"{self.text}\n".encode())

    def check(self, results: Results) -> None:
        """Raise `InvalidResults` if games are missing and the seed was already shown: players may know the deals."""
        if results.shown and results.missing:
            raise InvalidResults(
                f"The tournament in {results.path} is over and its seed was shown; play more of its deals with"
                " --seed, which players may know, or begin a new one with --again."
            )

    def forget(self) -> None:
        """Remove the file: the tournament is over, and its seed was shown."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise InvalidResults(f"{self.path} cannot be removed: {error.strerror}.") from error

    def _private(self) -> str | None:
        """Return the seed in the file, or None; raise `InvalidResults` if somebody else may have read it."""
        kept = self._kept()
        if kept is not None and not kept.private:
            raise InvalidResults(
                f"{self.path} may be read by others, who can compute every card from it; make it yours alone"
                " (chmod 600) if nobody has read it, or start the tournament again with --again."
            )
        return None if kept is None else kept.text

    def _kept(self) -> "_Kept | None":
        if not os.path.lexists(self.path):
            return None
        with opened(self.path) as file:
            status = os.fstat(file.fileno())
            content = file.read(_LONGEST)
        if not _DRAWN.fullmatch(content):
            raise InvalidResults(f"{self.path} is not a seed file; remove it, or name another file of results.")
        return _Kept(content.decode().strip(), private=status.st_uid == os.geteuid() and not status.st_mode & 0o077)


class _Kept(NamedTuple):
    """The content of a seed file, and whether only its owner may read it."""

    text: str
    private: bool


def _begun(results: Path) -> bool:
    """Return whether there are results after the plan, which is written before a seed is drawn."""
    if not results.is_file():
        return False
    with opened(results) as file:
        return bool(after_plan(file, 1)[1])
