"""The state of a game of Kalah, and the one place that changes it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from pokersvc.core.actions import Action, CloseGame, Forfeit, IllegalAction
from pokersvc.core.common_events import forfeited
from pokersvc.core.event import AUDITOR, Event, ImpossibleEvent, Viewer
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.record import GameRecord, Seen
from pokersvc.core.seats import Seat, SeatSeen, seats_seen
from pokersvc.core.state import Entry, Outcome, State
from pokersvc.games.kalah import events
from pokersvc.games.kalah.actions import LegalActions, Sow
from pokersvc.games.kalah.board import POT, STORED_SIDES, Board, Side
from pokersvc.games.kalah.rules import KalahRules
from pokersvc.games.kalah.view import KalahView


@dataclass(slots=True, repr=False)
class KalahState(State[KalahView, LegalActions]):
    """A game of Kalah in progress; see `pokersvc.core.state.State` for what its methods promise."""

    seats: tuple[Seat, ...]
    rules: KalahRules
    board: Board
    hidden_kinds: bool
    shown: tuple[SeatSeen, ...]
    """The seats as shown to viewers who may know the kinds of the players."""
    turn: Side = Side.SOUTH
    moves: int = 0
    """The number of sowings so far."""
    earlier: GameRecord[tuple[Board, Side]] = field(default_factory=GameRecord)
    """The board before each sowing, and the side that sowed."""
    record: GameRecord[Event] = field(default_factory=GameRecord)
    sown: events.BeansSown | None = None
    """The last sowing."""
    capturing: int = 0
    """The number of beans that the last sowing captures, until the dealer has moved them."""
    captured: int = 0
    """The number of beans that the last sowing has captured."""
    swept: events.BeansSwept | None = None
    """The last sweep: the beans left on one side when the other had none."""
    forfeited: Side | None = None
    closed: bool = False
    """Whether the game was closed: the beans left then go to the pots of the sides on which they lie."""
    ended: events.GameEnded | None = None

    @classmethod
    def after(cls, started: events.GameStarted) -> "KalahState":
        """Return the state before the first move."""
        rules = started.rules
        return cls(
            started.seats,
            rules,
            Board.start(rules.holes, rules.beans),
            started.hidden_kinds,
            seats_seen(started.seats, AUDITOR, hidden=False),
        )

    def __repr__(self) -> str:
        """Return the board and whose turn it is, as text.

        >>> from pokersvc.core.randomness.chance import EntropySource
        >>> from pokersvc.core.setup import Setup
        >>> from pokersvc.games.kalah import KALAH
        >>> seats = (Seat("human", "Ann"), Seat("random", "Bob"))
        >>> KALAH.new(KALAH.start(Setup(seats, EntropySource.from_text("a seed"))))
        <Kalah(6, 4), move 0; South 4 4 4 4 4 4 pot 0, North 4 4 4 4 4 4 pot 0; Ann to act>
        """
        rows = ", ".join(
            f"{side.label} {' '.join(map(str, self.board.row(side)))} pot {self.board.pot(side)}" for side in Side
        )
        seat = self.to_act
        to_act = (
            "" if self.ended is not None else f"; {'the dealer' if seat is None else self.seats[seat - 1].name} to act"
        )
        return f"<Kalah({self.rules.holes}, {self.rules.beans}), move {self.moves}; {rows}{to_act}>"

    @property
    def finished(self) -> bool:
        """Whether no more moves are possible."""
        return self.forfeited is not None or self.closed or (not self.capturing and self.board.over)

    @property
    def moving_beans(self) -> bool:
        """Whether captured beans, or those left at the end of the game, have yet to be moved into a pot."""
        over = self.closed or self.board.over
        return self.capturing > 0 or (over and any(self.board.south + self.board.north))

    def dealer_event(self, _entropy: Entropy) -> Event | None:
        """Return the capture, the sweep or the end that the rules require next; Kalah has no randomness."""
        if self.ended is not None:
            return None
        if self.capturing:
            assert self.sown is not None
            return events.BeansCaptured(self.capturing, self.sown.last_hole, self.sown.seat)
        if not self.finished:
            return None
        if self.forfeited is not None:
            return events.GameEnded(self.board.pots, "forfeit", (self.forfeited.other.value,))
        for side in Side:
            if left := self.board.in_play(side):
                return events.BeansSwept(left, side.value)
        return events.GameEnded(self.board.pots, "no_beans", Outcome.by_score(self.board.pots).winners)

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seat that must choose, if any."""
        return () if self.capturing or self.finished else (self.turn.value,)

    def playing(self, seat: int) -> bool:
        """Return whether the game is in progress; both seats play to its end."""
        return not self.finished

    def legal(self, seat: int) -> LegalActions:
        """Return the holes from which the seat may sow; raise `IllegalAction` if it is not its turn."""
        if seat != self.to_act:
            whose = "nobody's" if self.to_act is None else f"seat {self.to_act}'s"
            raise IllegalAction("not_your_turn", f"It is {whose} turn, not seat {seat!r}'s.")
        return LegalActions(self.board.moves(self.turn))

    def decide(self, action: Action) -> Event:
        """Return the event of an action; raise `IllegalAction` if it is not legal."""
        deciding = _DECIDE.get(type(action))
        if deciding is None:
            raise IllegalAction(
                "unknown_action", f"{type(action).__name__} is not an action of Kalah; a seat sows, and nothing else."
            )
        return deciding(self, action)

    def _sow(self, action: Sow) -> Event:
        holes = self.legal(action.seat).holes
        hole = action.hole
        if type(hole) is not int or not 1 <= hole <= self.rules.holes:
            raise IllegalAction("no_such_hole", f"There is no hole {hole!r}; holes are 1 to {self.rules.holes}.")
        if hole not in holes:
            possible = ", ".join(map(str, holes))
            raise IllegalAction("empty_hole", f"Hole {hole} has no beans; holes with beans are {possible}.")
        _, side, last = self.board.sow(self.turn, hole)
        return events.BeansSown(self.board.beans(self.turn, hole), hole, last, side.value, self.turn.value)

    def _forfeit(self, action: Forfeit) -> Event:
        self.legal(action.seat)
        return forfeited(action, events.Forfeited)

    def _close(self, _action: CloseGame) -> Event:
        if not self.awaited:
            raise IllegalAction("not_now", "A game of Kalah can only be closed while a player is to move.")
        return events.GameClosed()

    def default_action(self, seat: int, *, away: bool, random: Random) -> Action:
        """Return the action of a seat whose time is over: a random legal move."""
        return Sow(seat, random.choice(self.legal(seat).holes))

    def apply(self, event: Event) -> None:
        """Change the state by a recorded event; raise `ImpossibleEvent` if this state cannot take it."""
        handler = _APPLY.get(type(event))
        if handler is None or self.ended is not None:
            raise ImpossibleEvent(event, "there is no such event in Kalah" if handler is None else "the game is over")
        handler(self, event)
        self.record.events.append(event)

    def _in_turn(self, event: events.BeansSown | events.Forfeited) -> None:
        """Raise `ImpossibleEvent` for a choice of a side whose turn it is not."""
        if event.seat != self.to_act:
            whose = "the dealer" if self.to_act is None else f"seat {self.to_act}"
            raise ImpossibleEvent(event, f"{whose} is to act, not seat {event.seat}")

    def _beans_sown(self, event: events.BeansSown) -> None:
        self._in_turn(event)
        side, before = Side(event.seat), self.board
        if event.hole > before.holes or not before.beans(side, event.hole):
            raise ImpossibleEvent(event, f"hole {event.hole} of {side.label} has no beans")
        self.earlier.events.append((before, side))
        self.board, where, hole = before.sow(side, event.hole)
        self.capturing = self.board.captured(side, (where, hole), empty_capture=self.rules.empty_capture)
        self.captured = 0
        self.sown = event
        self.moves += 1
        self.turn = side if hole == POT else side.other

    def _beans_captured(self, event: events.BeansCaptured) -> None:
        if not self.capturing or event.hole > self.board.holes:
            why = f"there is no hole {event.hole}" if self.capturing else "nothing is captured"
            raise ImpossibleEvent(event, why)
        self.board = self.board.capture(Side(event.seat), event.hole)
        self.capturing, self.captured = 0, event.beans

    def _beans_swept(self, event: events.BeansSwept) -> None:
        if self.capturing or not self.moving_beans:
            raise ImpossibleEvent(event, "no beans are left over")
        self.board = self.board.swept_side(Side(event.seat)) if self.closed else self.board.swept()
        self.swept = event

    def _forfeited(self, event: events.Forfeited) -> None:
        self._in_turn(event)
        self.forfeited = Side(event.seat)

    def _game_closed(self, event: events.GameClosed) -> None:
        if self.to_act is None:
            raise ImpossibleEvent(event, "no player is to move")
        self.closed = True

    def _game_ended(self, event: events.GameEnded) -> None:
        if not self.finished or (self.forfeited is None and self.moving_beans):
            raise ImpossibleEvent(event, "there are beans in play")
        self.ended = event

    def view(self, viewer: Viewer) -> KalahView:
        """Return what the viewer may know: everything, except the kinds of the seats if they are hidden."""
        hidden = self.hidden_kinds and self.ended is None
        return KalahView(
            again=self.sown is not None and self.to_act == self.sown.seat,
            board=self.board,
            earlier=Seen(self.earlier, AUDITOR),
            move=self.moves,
            record=Seen(self.record, viewer),
            rules=self.rules,
            seats=seats_seen(self.seats, viewer, hidden=True) if hidden else self.shown,
            to_act=self.to_act,
            viewer=viewer,
        )

    def entry(self, event: Event, viewer: Viewer) -> Entry | None:
        """Return a move as a line of history, once its captured and swept beans are in the pots.

        A forfeit is a line of its own, the last one; so is the sweep of each side's beans after the game was closed.
        """
        if isinstance(event, events.Forfeited):
            return Entry(self.moves + 1, {**self._mover(event.seat), "forfeit": event.code})
        if self.closed:
            swept = isinstance(event, events.BeansSwept) and not self.moving_beans
            return Entry(self.moves + 1, {"closed": True, "pots": list(self.board.pots)}) if swept else None
        moved = isinstance(event, events.BeansSown | events.BeansCaptured | events.BeansSwept)
        if not moved or self.sown is None or self.moving_beans:
            return None
        facts = {
            **self._mover(self.sown.seat),
            "again": self.to_act == self.sown.seat,
            "beans": self.sown.beans,
            "captured": self.captured,
            "hole": self.sown.hole,
            "in_pot": self.sown.last_hole == POT,
            "pots": list(self.board.pots),
            "swept": None
            if self.swept is None
            else {"beans": self.swept.beans, "side": STORED_SIDES[Side(self.swept.seat)]},
        }
        return Entry(self.moves, facts)

    def _mover(self, seat: int) -> dict[str, object]:
        return {"name": self.seats[seat - 1].name, "seat": seat, "side": STORED_SIDES[Side(seat)]}

    @property
    def outcome(self) -> Outcome | None:
        """The result once the game is over; the score is the pot. Whoever forfeits loses every bean on the board."""
        if self.ended is None:
            return None
        if self.forfeited is None:
            return Outcome.by_score(self.ended.pots)
        return Outcome.by_score((0, self.board.total) if self.forfeited is Side.SOUTH else (self.board.total, 0))


_DECIDE: Final[dict[type[Action], Callable[[KalahState, Any], Event]]] = {
    Sow: KalahState._sow,
    Forfeit: KalahState._forfeit,
    CloseGame: KalahState._close,
}
_APPLY: Final[dict[type[Event], Callable[[KalahState, Any], None]]] = {
    events.BeansSown: KalahState._beans_sown,
    events.BeansCaptured: KalahState._beans_captured,
    events.BeansSwept: KalahState._beans_swept,
    events.Forfeited: KalahState._forfeited,
    events.GameClosed: KalahState._game_closed,
    events.GameEnded: KalahState._game_ended,
}
