"""The check of a copy of a game, event by event: its chain, its times, and an audit's checks as far as possible.

Its events come from a file that is verified, or from a table that is followed over the network.
"""

from collections import deque
from collections.abc import Collection, Iterator
from functools import partial

from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, may_see
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of, usable
from pokersvc.core.tables.table_events import SeatReplaced
from pokersvc.eventlog.record import GENESIS, ChainBroken, SharedRecord, Withheld, verify
from pokersvc.evidence.audit.reading import AnyRecord
from pokersvc.evidence.audit.seeds import Seeds
from pokersvc.evidence.audit.timestamps import Moments
from pokersvc.evidence.audit.walk import Walk
from pokersvc.evidence.findings import Check, Fault, Finding, failure


class CopyCheck:
    """Checks the copy of ``viewer`` event by event; for an unknown kind of game, only its chain.

    ``opened`` are the events whose secrets are shown although the viewer could not see them. A ``live`` copy is of a
    game that is being played: findings quote no secret, and a withheld secret of the viewer's own is a finding only
    once all events are there (`settle`): a later `SeatReplaced` may say that the secret was another person's.
    """

    def __init__(
        self, game_id: str, kind: str, viewer: Viewer, opened: Collection[int] = (), *, live: bool = False
    ) -> None:
        self.game_id, self.kind, self.viewer = game_id, kind, viewer
        self.count = 0
        """The number of events taken whose chain is intact."""
        self.head = GENESIS
        """The hash of the last event taken whose chain is intact."""
        self.broken = False
        """Whether the chain is broken; no further event can then be taken."""
        self.fault: Fault | None = None
        """The bug in pokersvc that ended the check of the game, if nothing was found before it."""
        self.found = False
        """Whether there was a finding, up to the current event."""
        self.over = False
        """Whether the game was over at the end of the copy, as far as it could be followed."""
        self.others = 0
        """The number of secrets that are shown although the viewer could not see them."""
        self.place = viewer
        """The viewer; once the start event is read, a seat is given by the number that the table shows."""
        self.lacks_own = False
        """Whether a live copy withholds secrets of the viewer's own seat."""
        self.type: str | None = None
        """The type of the current event; None at the end."""
        self._opened = frozenset(opened)
        self._live = live
        self._kept_back: list[Finding] = []
        self._noted: list[Finding] = []
        self._shows = False
        self._ended = False
        self._coming: deque[SharedRecord] = deque()
        self._intact: Iterator[SharedRecord] = verify(iter(self._coming.popleft, None), game_id=game_id)
        self._moments = Moments()
        self._seeds: Seeds | None = None
        self._walk: Walk | None = None
        """Checks the events as an audit does; None if only the chain is checked."""
        if self.known_kind:
            try:
                self._ask(game_of(kind))
            except Exception as error:
                self._failed(None, error)

    def _ask(self, game: Game) -> None:
        self._seeds = Seeds(game)
        met = partial(self._met, game)
        self._walk = Walk(game, self._reported, self._failed, over=not self._live, viewer=self.viewer, met=met)

    @property
    def known_kind(self) -> bool:
        """Whether this pokersvc knows the game; if not, only its chain is checked."""
        return usable(self.kind)

    @property
    def followed(self) -> bool:
        """Whether the game is still checked by its rules."""
        return self._walk is not None and self.fault is None

    @property
    def shuffled(self) -> str | None:
        """Sentences that say who took part in the common shuffle, and how far it was checked.

        None if the dealer shuffles alone, or if anything was found.
        """
        return None if self._walk is None or self.fault is not None or self.found else self._walk.shuffled

    @property
    def unopened(self) -> str | None:
        """A sentence on the promised seeds that this copy lacks, if that is no finding; else None."""
        return None if self._walk is None or self.fault is not None or self.found else self._walk.unopened

    @property
    def undealt(self) -> int:
        """The number of random events (such as deals) that could not be checked because seeds or cards are hidden."""
        return 0 if self._walk is None else self._walk.undealt

    def take(self, record: SharedRecord, *, shows: bool) -> Iterator[Finding]:
        """Check the copy's next event and yield the findings; ``shows`` says that the copy has the event's secret."""
        self.type, self._shows = record.type, shows
        self._coming.append(record)
        try:
            next(self._intact)
        except ChainBroken as broken:
            self.broken = True
            yield from self.take_noted()
            yield self.finding("chain", broken.found, broken.expected, broken.seq)
            return
        self.count, self.head = record.seq, record.hash
        yield from self.take_noted()
        if (wrong := self._moments.check(record)) is not None:
            yield self.finding("chain", *wrong)
        yield from self._event(record)

    def settle(self) -> list[Finding]:
        """Return findings on secrets that a live copy withholds from its own viewer; call it after all events."""
        return self._kept_back

    def end(self) -> list[Finding]:
        """Check that the game may end where the copy ends, set ``over``, and return the findings."""
        self.type = None
        self._ended = True
        if self._walk is not None:
            self._walk.end()
            try:
                self.over = self._walk.state is not None and self._walk.state.outcome is not None
            except Exception as error:
                self._failed(None, error)
        return self.take_noted()

    def note(self, finding: Finding) -> None:
        """Keep a finding until `take_noted` returns it."""
        self._noted.append(finding)

    def take_noted(self) -> list[Finding]:
        """Return the findings that were kept, and clear them."""
        noted, self._noted = self._noted, []
        return noted

    def finding(self, check: Check, found: str, expected: str, seq: int | None = None) -> Finding:
        """Return a finding about the current event or, if ``seq`` is given, about that event."""
        return Finding(self.game_id, self.count if seq is None else seq, self.type, check, found, expected)

    def _event(self, record: SharedRecord) -> Iterator[Finding]:
        """Check an event against its schema, the promised secrets, and the rules."""
        walk, secret = self._walk, record.secret
        if walk is not None and self._seeds is not None:
            if isinstance(secret, Withheld):
                if self.viewer == AUDITOR:
                    walk.stop()  # an auditor's copy must have all secrets, and this one is missing
            elif secret is not None:
                again = self._seeds.check(record.type, record.seq, secret, self.game_id)
                if again is not None:
                    yield again
            walk.follow(record)
        yield from self.take_noted()

    def _met(self, game: Game, record: AnyRecord, event: Event) -> None:
        """Note a finding if an event's secret is shown but should be withheld, or the other way round."""
        viewer = self.viewer
        if record.seq == 1 and isinstance(viewer, int) and isinstance(event, game.start_event):
            seats = len(game.seats(event))
            if viewer <= seats:
                self.place = game.places(event)[viewer - 1]
            else:
                self.note(self.finding("export", f"the copy of seat {viewer}", f"one of the {seats} seats"))
        if isinstance(event, SeatReplaced) and event.seat == viewer:
            self._kept_back.clear()
        if record.secret is None or may_see(event, EVERYONE):
            return
        shows = may_see(event, viewer)
        if not shows and record.seq in self._opened:
            self.others += 1
            shows = True
        if self._shows == shows:
            return
        if self._live and shows:
            self.lacks_own = True
            self._kept_back.append(self.finding("export", "a secret withheld", f"one that seat {viewer} may see"))
        elif self._live:
            self.note(self.finding("export", "a secret shown", f"a digest, as {viewer!r} may not see it"))
        else:
            found = "an opened secret" if self._shows else "no opened secret"
            self.note(self.finding("export", found, f"what the first line says of the copy of {viewer}"))

    def _reported(self, check: Check, record: AnyRecord | None, found: str, expected: str) -> None:
        seq, type_ = (None, None) if record is None else (record.seq, record.type)
        self.note(Finding(self.game_id, seq, type_, check, found, expected))

    def _failed(self, record: AnyRecord | None, error: Exception) -> None:
        seq, type_ = (None, None) if self._ended else (self.count or None, self.type)
        failed = failure(error, self.game_id, seq, type_, found=self.found or bool(self._noted))
        if isinstance(failed, Finding):
            self.note(failed)
        elif self.fault is None:
            self.fault = failed
