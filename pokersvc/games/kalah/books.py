"""The books of Kalah: every bean in one hole or pot, moved by the events alone.

Here the board is a ring of numbers, so the effect of a sowing is computed a second time, in another way than the state
computes it.
"""

from collections.abc import Iterable
from typing import Any, Final

from pokersvc.core.books import LedgerPage, Mismatch
from pokersvc.core.event import Event
from pokersvc.games.kalah import events
from pokersvc.games.kalah.state import KalahState
from pokersvc.text import counted

COLUMNS: Final = ("moves", "sown", "captured", "swept", "pot")


class KalahBooks:
    """Beans by place around the board: South's holes 1 to m, its pot, North's holes m to 1, and its pot."""

    def __init__(self, started: events.GameStarted) -> None:
        self.holes = started.rules.holes
        self.names = tuple(seat.name for seat in started.seats)
        self.ring = ([started.rules.beans] * self.holes + [0]) * 2
        self.total = sum(self.ring)
        self.sums = [[0, 0, 0, 0], [0, 0, 0, 0]]
        """For each seat: its moves, and the beans that came into its pot by sowing, captures and the sweep."""
        self.done: LedgerPage | None = None

    def _place(self, seat: int, hole: int) -> int:
        """Return the place of a hole in the ring; hole 0 is the pot."""
        if hole == 0:
            return self.holes if seat == 1 else 2 * self.holes + 1
        return hole - 1 if seat == 1 else 2 * self.holes + 1 - hole

    @property
    def pots(self) -> tuple[int, int]:
        """The beans in the pots: South's and North's."""
        return self.ring[self._place(1, 0)], self.ring[self._place(2, 0)]

    def post(self, event: Event) -> Iterable[Mismatch]:
        """Book an event; yield the mismatches that it shows."""
        match event:
            case events.BeansSown():
                yield from self._sown(event)
            case events.BeansCaptured():
                yield from self._captured(event)
            case events.BeansSwept():
                yield from self._swept(event)
            case events.GameEnded():
                yield from self._ended(event)

    def _sown(self, event: events.BeansSown) -> Iterable[Mismatch]:
        at, pot = self._place(event.seat, event.hole), self._place(event.seat, 0)
        closed = self._place(3 - event.seat, 0)
        lying = self.ring[at]
        if event.beans != lying:
            yield Mismatch(
                f"{counted(event.beans, 'bean')} sown by {self._name(event.seat)}", f"{lying}, what lay in the hole"
            )
        self.ring[at] = 0
        before = self.ring[pot]
        for _ in range(lying):
            at = (at + 1) % len(self.ring)
            if at == closed:
                at = (at + 1) % len(self.ring)
            self.ring[at] += 1
        self.sums[event.seat - 1][0] += 1
        self.sums[event.seat - 1][1] += self.ring[pot] - before
        if at != self._place(event.last_side, event.last_hole):
            yield Mismatch(f"a last bean in hole {event.last_hole}", "the hole that so many beans reach")

    def _captured(self, event: events.BeansCaptured) -> Iterable[Mismatch]:
        places = [self._place(seat, event.hole) for seat in (1, 2)]
        yield from self._taken(event, places, "captured", 2)

    def _swept(self, event: events.BeansSwept) -> Iterable[Mismatch]:
        places = [self._place(event.seat, hole) for hole in range(1, self.holes + 1)]
        yield from self._taken(event, places, "swept", 3)

    def _taken(self, event: Any, places: list[int], how: str, column: int) -> Iterable[Mismatch]:
        lying = sum(self.ring[place] for place in places)
        if event.beans != lying:
            yield Mismatch(
                f"{counted(event.beans, 'bean')} {how} by {self._name(event.seat)}", f"{lying}, what lay there"
            )
        for place in places:
            self.ring[place] = 0
        self.ring[self._place(event.seat, 0)] += lying
        self.sums[event.seat - 1][column] += lying

    def _ended(self, event: events.GameEnded) -> Iterable[Mismatch]:
        if event.pots != self.pots:
            yield Mismatch(f"final pots {list(event.pots)}", f"{list(self.pots)}")
        rows = [(name, (*sums, pot)) for name, sums, pot in zip(self.names, self.sums, self.pots, strict=True)]
        total = tuple(map(sum, zip(*(numbers for _, numbers in rows), strict=True)))
        left = self.total - sum(self.pots)
        notes = (f"{counted(left, 'bean')} left in the holes.",) if left else ()
        self.done = LedgerPage("Game", COLUMNS, (*rows, ("total", total)), notes)

    def _name(self, seat: int) -> str:
        return self.names[seat - 1]

    def compare(self, state: KalahState) -> Iterable[Mismatch]:
        """Yield a mismatch if holes or pots of the state differ from those of the books."""
        board = state.board
        ring = [*board.south, board.pots[0], *reversed(board.north), board.pots[1]]
        if ring != self.ring:
            yield Mismatch(f"beans {ring}", f"{self.ring}")

    def ledger_page(self) -> LedgerPage | None:
        """Return the game's only page, once, after the end of the game; else None."""
        done, self.done = self.done, None
        return done

    def open_ledger_page(self) -> LedgerPage | None:
        """Return None: there is never an unfinished page, because the game's only page is made at its end."""
        return None
