"""The result of an audit: for each game, how much was checked and what was found."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from pokersvc.eventlog.errors import DatabaseDamaged
from pokersvc.evidence.findings import Check, Fault, Finding, failure

MOST_FINDINGS: Final = 1000
"""The maximum number of findings of one check in one game that are shown; others are only counted."""
_OF_EVENTS: Final[frozenset[Check]] = frozenset({"chain", "schema", "rules", "deal", "money", "clock"})
"""The checks of the events themselves: after a finding of one of these checks, a game is not `Audited.intact`."""

UNKNOWN: Final = "unknown game"
"""Key of the database's `Audited.unchecked` for games of kinds not installed, whose hands are in no tallies."""
UNCOUNTED: Final = "uncounted game"
"""Key of the database's `Audited.unchecked` for games whose hands cannot be counted because their logs are damaged."""


@dataclass(slots=True)
class Audited:
    """The result of the audit of one game, or of the database itself."""

    game_id: str | None
    """None for the database itself."""
    kind: str | None = None
    """The kind of game."""
    known: bool = True
    """Whether this pokersvc knows the game; if not, only its chain was checked."""
    only_chain: bool = False
    """Whether only the chain was to be checked."""
    fault: Fault | None = None
    """The bug in pokersvc that ended the check of the game, if nothing was found before it."""
    over: bool = False
    """Whether the game is over."""
    in_checkpoint: bool | None = None
    """Whether the checkpoint that the log is compared with has the game; None without a checkpoint."""
    events: int = 0
    """The number of events read."""
    shuffled: str | None = None
    """Sentences that say who took part in a common shuffle and how far it was checked.

    None if the dealer shuffles alone, or if a finding contradicts it."""
    tallied: int | None = None
    """The random sum (`RandomSums`) of its hands that are in the tallies; None if they were not counted."""
    missed_shares: dict[int, int] = field(default_factory=dict)
    """Seat → the number of its shares that were missed, if any."""
    unchecked: dict[str, int] = field(default_factory=dict)
    """Kind of thing that could not be checked → the number of such things.

    For a game that was recorded elsewhere, the parts that are taken as recorded; for the database, games whose hands
    were not compared with the tallies (`UNKNOWN`, `UNCOUNTED`).
    """
    findings: list[Finding] = field(default_factory=list)
    """The findings, at most 1,000 of each check."""
    not_shown: Counter[Check] = field(default_factory=Counter)
    """Check → the number of its findings beyond those in ``findings``."""
    shown: Counter[Check] = field(default_factory=Counter)

    @property
    def checked(self) -> bool:
        """Whether everything that should be checked was checked."""
        return self.fault is None and (self.known or self.only_chain) and UNCOUNTED not in self.unchecked

    @property
    def passed(self) -> bool:
        """Whether everything was checked and nothing found."""
        return self.checked and not self.findings

    @property
    def count(self) -> int:
        """The number of findings, including those that are not shown."""
        return len(self.findings) + self.not_shown.total()

    @property
    def intact(self) -> bool:
        """Whether no finding contradicts the events themselves."""
        return _OF_EVENTS.isdisjoint(self.shown)

    def add(self, finding: Finding) -> None:
        """Add a finding; after the first thousand of a check, findings are only counted, to keep memory bounded."""
        if self.shown[finding.check] < MOST_FINDINGS:
            self.shown[finding.check] += 1
            self.findings.append(finding)
        else:
            self.not_shown[finding.check] += 1

    def fail(self, error: Exception, seq: int | None, type_: str | None) -> None:
        """Add an exception raised while the game was followed, as a finding or a fault; only the first fault is kept.

        For the database itself, an exception is always a fault, even after findings.
        """
        failed = failure(error, self.game_id, seq, type_, found=bool(self.findings) and self.game_id is not None)
        if isinstance(failed, Finding):
            self.add(failed)
        elif self.fault is None:
            self.fault = failed


def damage(game_id: str | None, error: DatabaseDamaged) -> Finding:
    """Return a finding that says that the database cannot be read."""
    return Finding(game_id, None, None, "storage", f"this: {str(error).rstrip('.')}", "a database that can be read")
