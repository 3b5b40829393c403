"""What an audit says: of each game how much was checked, and what was found."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from pokersvc.eventlog.errors import DatabaseDamaged
from pokersvc.evidence.findings import Check, Fault, Finding, failure

MOST_FINDINGS: Final = 1000
"""The most findings of one check in one game that are shown; others are only counted."""
_OF_EVENTS: Final[frozenset[Check]] = frozenset({"chain", "schema", "rules", "deal", "money", "clock"})
"""Checks of the events themselves: whoever finds something by one of them does not say what else they prove."""

UNKNOWN: Final = "unknown game"
"""In `Audited.unchecked` of the database: games whose kind is not installed, whose hands are in no tallies."""
UNCOUNTED: Final = "uncounted game"
"""Games with hands in the tallies that cannot be counted, as their logs are damaged."""


@dataclass(slots=True)
class Audited:
    """One game, or the database itself, after its audit."""

    game_id: str | None
    """None where the database itself is meant."""
    kind: str | None = None
    """The kind of game."""
    known: bool = True
    """Whether this pokersvc knows the game; if not, only its chain was checked."""
    only_chain: bool = False
    """Whether only the chain was to be checked."""
    fault: Fault | None = None
    """The bug in pokersvc that ended the check of the game, where nothing was found before it."""
    over: bool = False
    """Whether the game is over."""
    in_checkpoint: bool | None = None
    """Whether the checkpoint that the log is compared with has the game; None where there is none."""
    events: int = 0
    """How many events were read."""
    shuffled: str | None = None
    """Who took part in a common shuffle and how far it was checked, in sentences.

    None where the dealer shuffles alone, and where what was found contradicts it."""
    tallied: int | None = None
    """What its hands that are in the tallies come to (`RandomSums`); None where they were not counted."""
    missed_shares: dict[int, int] = field(default_factory=dict)
    """Seat → how many of its shares were missed, where any were."""
    unchecked: dict[str, int] = field(default_factory=dict)
    """What could not be checked: each kind with its number.

    Of a game that was recorded elsewhere, what is taken as recorded; of the database, games whose hands were not
    compared with the tallies (`UNKNOWN`, `UNCOUNTED`).
    """
    findings: list[Finding] = field(default_factory=list)
    """What is not as it should be, at most 1,000 of each check."""
    not_shown: Counter[Check] = field(default_factory=Counter)
    """How many more findings there were of each check."""
    shown: Counter[Check] = field(default_factory=Counter)

    @property
    def checked(self) -> bool:
        """Whether everything that should be was checked."""
        return self.fault is None and (self.known or self.only_chain) and UNCOUNTED not in self.unchecked

    @property
    def passed(self) -> bool:
        """Whether everything was checked and nothing found."""
        return self.checked and not self.findings

    @property
    def count(self) -> int:
        """The number of findings, those among them that are not shown."""
        return len(self.findings) + self.not_shown.total()

    @property
    def intact(self) -> bool:
        """Whether nothing contradicts the events themselves."""
        return _OF_EVENTS.isdisjoint(self.shown)

    def add(self, finding: Finding) -> None:
        """Take a finding down; beyond a thousand of one check it is only counted, so that memory stays bounded."""
        if self.shown[finding.check] < MOST_FINDINGS:
            self.shown[finding.check] += 1
            self.findings.append(finding)
        else:
            self.not_shown[finding.check] += 1

    def fail(self, error: Exception, seq: int | None, type_: str | None) -> None:
        """Take down an exception that came up while the game was followed; only the first bug in pokersvc.

        Outside of games nothing is followed, so there it is a bug whatever was found.
        """
        failed = failure(error, self.game_id, seq, type_, found=bool(self.findings) and self.game_id is not None)
        if isinstance(failed, Finding):
            self.add(failed)
        elif self.fault is None:
            self.fault = failed


def damage(game_id: str | None, error: DatabaseDamaged) -> Finding:
    """Return a finding that says what the database itself cannot read."""
    return Finding(game_id, None, None, "storage", f"this: {str(error).rstrip('.')}", "a database that can be read")
