"""The books of Nim: every stone lies in a pile or was taken by a seat."""

from collections.abc import Iterable

from pokersvc.core.books import LedgerPage, Mismatch
from pokersvc.core.event import Event

from . import events
from .state import NimState


class NimBooks:
    """Stones by where they are; points by seat."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.piles: list[int] = []
        self.laid = 0
        self.taken = [0] * len(names)
        self.points = [0] * len(names)
        self.done: LedgerPage | None = None

    def post(self, event: Event) -> Iterable[Mismatch]:
        match event:
            case events.PilesLaid():
                self.piles, self.laid, self.taken = list(event.piles), sum(event.piles), [0] * len(self.names)
            case events.StonesTaken():
                self.piles[event.pile - 1] -= event.stones
                self.taken[event.seat - 1] += event.stones
                if self.piles[event.pile - 1] < 0:
                    yield Mismatch(f"{event.stones} stones taken from pile {event.pile}", "no more than it has")
            case events.RoundEnded():
                self.points = [had + won for had, won in zip(self.points, event.points, strict=True)]
                rows = [(name, (taken,)) for name, taken in zip(self.names, self.taken, strict=True)]
                rows.append(("left", (sum(self.piles),)))
                self.done = LedgerPage(f"Round {event.round}", ("stones",), (*rows, ("laid", (self.laid,))))
                if sum(self.taken) + sum(self.piles) != self.laid:
                    yield Mismatch(f"{sum(self.taken)} stones taken", f"{self.laid - sum(self.piles)}")
            case events.GameEnded():
                if list(event.scores) != self.points:
                    yield Mismatch(f"scores {event.scores}", f"{tuple(self.points)}")

    def compare(self, state: NimState) -> Iterable[Mismatch]:
        if (state.piles, state.scores) != (self.piles, self.points):
            yield Mismatch(f"piles {state.piles} and points {state.scores}", f"{self.piles} and {self.points}")

    def ledger_page(self) -> LedgerPage | None:
        done, self.done = self.done, None
        return done

    def open_ledger_page(self) -> LedgerPage | None:
        return None
