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
"""The number of findings after which reading stops."""


class Verified(NamedTuple):
    """The result of verifying an export."""

    export: Export
    """The first line of the file: it names the game, the viewer, the number of events, and the last event's hash."""
    findings: tuple[Finding, ...]
    """The findings, in the order of the file. Reading stops after 1,000 findings."""
    checked: bool
    """Whether everything that the copy shows was checked. False if this pokersvc does not know the kind of game, or
    after a bug in pokersvc (``fault``)."""
    fault: Fault | None
    """The bug in pokersvc that ended the check, if nothing was found before it."""
    over: bool
    """Whether the game was over at the end of the copy, as far as the copy could be followed."""
    secrets: int
    """The number of events that have a secret."""
    shown: int
    """The number of these secrets that are in the file and match their digests."""

    @property
    def passed(self) -> bool:
        """Whether everything was checked and nothing is wrong."""
        return self.checked and not self.findings


def verify_export(path: str | Path, known: Iterable[Known] = ()) -> Verified:
    """Verify an export without a database: its chain, its secrets and, as far as it shows them, rules, deal and money.

    A file alone cannot prove that its end, or all of it, was not recomputed. ``known`` are hashes that its reader
    trusts, from a checkpoint or noted during the game. Memory does not grow with the file.

    Raises `InvalidFile` if the file is not an export.
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
