"""An export in a file, verified in one call."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from pokersvc.evidence.export import Export
from pokersvc.evidence.findings import Fault, Finding
from pokersvc.evidence.jsonl import lines_in, opened
from pokersvc.evidence.verification import Known, Verification

MOST_FINDINGS: Final = 1000
"""After so many the file is not read on: it could be of nothing else."""


class Verified(NamedTuple):
    """What came out when an export was verified."""

    export: Export
    """What the file says that it is: the game, whose copy, how many events, and the hash of the last."""
    findings: tuple[Finding, ...]
    """What is not as it should be, in the order of the file; after the first 1,000 it is not read on."""
    checked: bool
    """Whether everything was checked that the copy shows: not where the kind of game is unknown here, nor after a
    mistake in the program (``fault``)."""
    fault: Fault | None
    """The mistake in the program that ended the check, where nothing was found before it."""
    over: bool
    """Whether the game was over at the end of the copy, as far as it could be followed."""
    secrets: int
    """How many events have a secret."""
    shown: int
    """How many of these secrets are in the file and are those that were committed to."""

    @property
    def whole(self) -> bool:
        """Whether everything was checked, and nothing was found."""
        return self.checked and not self.findings


def verify_export(path: str | Path, known: Iterable[Known] = ()) -> Verified:
    """Verify an export, with no database: its chain, its secrets, and as far as it shows them rules, deal and money.

    A file proves nothing about whether its end, or all of it, was recomputed; ``known`` are hashes that its reader
    trusts, from a checkpoint or noted during the game. Memory does not grow with the file.

    Raises `InvalidFile` for what is no export.
    """
    with opened(Path(path)) as file:
        verification = Verification(lines_in(file, str(path)), str(path), known)
        findings = tuple(islice(verification.findings(), MOST_FINDINGS))
    return Verified(
        verification.export,
        findings,
        verification.checked,
        verification.fault,
        verification.over,
        verification.secrets,
        verification.shown,
    )
