"""Puts the events at a table into words."""

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.randomness.common_shuffle import Dealing
from pokersvc.core.randomness.share_events import DealingSet, SeatBound, ShareMissed, ShareOpened, SharesAwaited
from pokersvc.core.seats import Seat
from pokersvc.core.state import State
from pokersvc.core.tables.table_event import TableEvent
from pokersvc.core.tables.table_events import (
    CameBack,
    ClockChanged,
    ClockRestarted,
    DeviceChanged,
    SeatRemoved,
    SeatReplaced,
    TablePaused,
    TableResumed,
    TableSet,
    TimedOut,
)
from pokersvc.core.words import Words
from pokersvc.text import YOU, counted, does, listed, whose


def event_words(game: Game, event: Event, state: State, seats: tuple[Seat, ...]) -> str:
    """Return an event of the table or of the game in words; ``state`` is the state after the event.

    ``seats`` are the seats at the start.
    """
    if isinstance(event, TableSet):
        advises, deals = type(game.words).advise is not Words.advise, game.hides or bool(game.seeded)
        return f"The table is set: {settings_words(event, advises=advises, deals=deals)}."
    return (
        table_words(event, state.seats_now() or seats)
        if isinstance(event, TableEvent)
        else game.words.tell(event, state)
    )


def table_words(event: TableEvent, seats: tuple[Seat, ...]) -> str:
    """Return an event at the table in a sentence.

    >>> table_words(TimedOut(1), (Seat("human", "Ann"),))
    "Ann's time is over."
    """
    seat = getattr(event, "seat", 0)
    name = _name(seat, seats)
    if isinstance(event, SharesAwaited):
        return f"Shuffle {event.round} waits for shares of {listed([_other(seat, seats) for seat in event.seats])}."
    return _TELL[type(event)](event, name)


def _name(seat: int, seats: tuple[Seat, ...]) -> str:
    return seats[seat - 1].name if 1 <= seat <= len(seats) else f"Seat {seat}"


def _other(seat: int, seats: tuple[Seat, ...]) -> str:
    """Return the name of a seat for the middle of a sentence."""
    name = _name(seat, seats)
    return "you" if name == YOU else name


def part_words(dealing: Dealing, seats: tuple[Seat, ...]) -> str:
    """Return sentences on who took part in which common shuffles, and whose shares were missed.

    >>> part_words(Dealing(20), ())
    'Nobody has taken part in a common shuffle yet.'
    """

    def who(seat: int) -> str:
        return ", then ".join([*dealing.former.get(seat, ()), _other(seat, seats)])

    said = []
    for seat, spans in sorted(dealing.part.items()):
        rounds = listed([f"{first}" if first == last else f"{first} to {last}" for first, last in spans])
        one = len(spans) == 1 and spans[0].first == spans[0].last
        said.append(f"{who(seat)} in {'round' if one else 'rounds'} {rounds}")
    if not said and not dealing.missed:
        return "Nobody has taken part in a common shuffle yet."
    missed = [f"{counted(len(rounds), 'share')} of {who(seat)}" for seat, rounds in sorted(dealing.missed.items())]
    replaced = [who(seat) for seat in sorted(dealing.replaced)]
    parts = [f"Shuffled together by {'; '.join(said)}" if said else "No round was shuffled together"]
    parts.append(f"missed: {listed(missed)}" if missed else "no share was missed")
    if replaced:
        parts.append(f"key replaced: {listed(replaced)}")
    rest = ", ".join(parts[1:])
    return f"{parts[0]}. {rest[0].upper()}{rest[1:]}."


Checkable: TypeAlias = Literal["now", "later", "never"]
"""When a reader can check a common shuffle: now, because the dealer's secret is open; later, once it is; or never."""


class RoundsChecked(NamedTuple):
    """How many rounds' shuffles were checked against the shares, for each way of checking."""

    by_seed: int = 0
    """Rounds whose seed was opened, and matches both its commitment and the shares."""
    by_shown: int = 0
    """Rounds whose seed stayed secret: what was shown fits the dealer's secret and the shares."""
    not_at_all: int = 0

    def __str__(self) -> str:
        were = "was" if self.by_seed == 1 else "were"
        rounds = f"{counted(self.by_seed, 'round')} {were} checked by seed and commitment"
        return f"{rounds}, {self.by_shown:,} only by what was shown, and {self.not_at_all:,} not at all."


def shuffle_words(dealing: Dealing, seats: tuple[Seat, ...], checkable: Checkable, rounds: RoundsChecked) -> str:
    """Return `part_words`, then sentences on what a reader can check and how many rounds were checked.

    >>> print(shuffle_words(Dealing(20), (), "now", RoundsChecked(2, 1)).partition("open. ")[2])
    2 rounds were checked by seed and commitment, 1 only by what was shown, and 0 not at all.
    """
    return f"{part_words(dealing, seats)} {_CHECKABLE[checkable]} {rounds}"


_CHECKABLE: Final[dict[Checkable, str]] = {
    "now": "The dealer's secret is open.",
    "later": "Bound, not yet checkable: the dealer's secret opens after the game.",
    "never": "As the dealer's secret stays closed, only an auditor can check the shuffles.",
}


def settings_words(event: TableSet, *, advises: bool = True, deals: bool = True) -> str:
    """Return the settings in words; ``advises``: whether the game has advice; ``deals``: whether it hides anything.

    >>> settings_words(TableSet(advice=True, bank=60, opens_seeds=False, seconds=30))
    '30 seconds for a choice and 60 more for the game; advice is allowed; what is hidden stays hidden'
    >>> settings_words(TableSet(advice=True, bank=0, opens_seeds=False, seconds=0), advises=False, deals=False)
    'no clock'
    """
    agreed = [_clock_words(event)]
    if advises:
        agreed.append("advice is allowed" if event.advice else "no advice")
    if deals:
        agreed.append("everything hidden opens after the game" if event.opens_seeds else "what is hidden stays hidden")
    return "; ".join(agreed)


def _clock_words(event: TableSet | ClockChanged) -> str:
    bank = f" and {event.bank} more for the game" if event.bank else ""
    return f"{counted(event.seconds, 'second')} for a choice{bank}" if event.seconds else "no clock"


def _bound(event: SeatBound, name: str) -> str:
    renewed = f", as {'your' if name == YOU else 'their'} key before has signed" if event.renewal is not None else ""
    return f"{does(name, 'is')} bound to {counted(event.length, 'share')} by the key {event.key.hex()[:8]}{renewed}."


def _whose(name: str, what: str) -> str:
    """Return a possessive with its noun, such as "Ann's time", for the beginning of a sentence."""
    said = whose(name, what)
    return f"Y{said[1:]}" if name == YOU else said


_TELL: Final[dict[type[TableEvent], Callable[[Any, str], str]]] = {
    TableSet: lambda event, _: f"The table is set: {settings_words(event)}.",
    TimedOut: lambda _, name: f"{_whose(name, 'time')} is over.",
    CameBack: lambda _, name: f"{does(name, 'is')} back.",
    TablePaused: lambda _, __: "The table is paused.",
    TableResumed: lambda _, __: "The table is resumed.",
    ClockRestarted: lambda _, __: "The clock starts again after an outage.",
    ClockChanged: lambda event, _: f"From now on: {_clock_words(event)}.",
    SeatReplaced: lambda _, name: f"{_whose(name, 'seat')} has a new link; somebody else may hold it from now on.",
    DeviceChanged: lambda _, name: f"{does(name, 'goes')} on at another device.",
    DealingSet: lambda event, _: (
        f"The table shuffles together, and waits {counted(event.seconds, 'second')} for shares."
    ),
    SeatBound: _bound,
    ShareOpened: lambda _, name: f"{does(name, 'opens')} a share of the shuffle.",
    ShareMissed: lambda _, name: (
        f"{does(name, 'opens')} no share in time, so {'you' if name == YOU else 'they'} fold at once and sit out."
    ),
    SeatRemoved: lambda _, name: f"{does(name, 'is')} removed from the table by the host.",
}
