"""Converts the public part of hands to rows of tables, for pandas, Polars, DuckDB and the like."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeAlias

from pokersvc.core.counting import Figures, RoundCount
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import DRAW_POKER, earlier_events, events
from pokersvc.games.draw_poker.counting import DrawPokerCounter
from pokersvc.games.draw_poker.recorded_hands import recorded_events as recorded

Value: TypeAlias = str | int | bool | datetime | None
Row: TypeAlias = dict[str, Value]

HAND: Final[Mapping[str, type]] = {"game": str, "round": int}
"""The columns that identify a hand in every table."""
COLUMNS: Final[Mapping[str, Mapping[str, type]]] = {
    "hands": {
        **HAND, "recorded_at": datetime, "played_at": datetime, "day": str, "site": str, "house": str,
        "currency": str, "exponent": int, "big_blind": int, "players": int, "pot": int, "rake": int, "showdown": bool,
    },
    "players": {
        **HAND, "seat": int, "player": str, "position": str, "opponents": int,
        **{"hands" if name == "dealt" else name: int for name in Figures._fields if "square" not in name},
    },
    "actions": {
        **HAND, "event": int, "seat": int, "player": str, "street": str, "action": str, "amount": int, "cards": int,
    },
    "showdowns": {**HAND, "seat": int, "player": str, "hand": str, "won": int},
}  # fmt: skip
"""Table → its columns and their types, in order."""


class Rows(NamedTuple):
    """The rows of one hand, by table."""

    hands: list[Row]
    players: list[Row]
    actions: list[Row]
    showdowns: list[Row]


class HandRows:
    """Makes the rows of the hands of one game from its public events."""

    def __init__(self, started: events.GameStarted, game_id: str) -> None:
        self._game_id = game_id
        self._names = [seat.name for seat in started.seats]
        self._places = DRAW_POKER.places(started)
        self._counter = DrawPokerCounter(started)
        self._begin(0)

    def _begin(self, round_: int) -> None:
        self._hand: Row = {"game": self._game_id, "round": round_}
        self._street = "before the draw"
        self._actions: list[Row] = []
        self._shown: dict[int, str | None] = {}
        """Seat → its hand in the showdown; None if it was mucked."""
        self._won: dict[int, int] = {}

    def take(self, event: Event, seq: int, at: datetime) -> Rows | None:
        """Take the next event; return the rows of the hand that it completed."""
        if isinstance(event, events.RoundStarted):
            self._begin(event.round)
        elif (say := _ACTIONS.get(event.__class__)) is not None:
            self._act(event, seq, say(event))
        else:
            self._show(event)
        counted = self._counter.take(event)
        if counted is None:
            return None
        players: list[Row] = []
        for seat in counted.seats:
            figures = {"hands" if name == "dealt" else name: count for name, count in seat.figures._asdict().items()}
            row = {"seat": self._place(seat.seat), "player": seat.player, "position": seat.position, **figures}
            players.append({**self._hand, **row, "opponents": len(seat.opponents)})
        hand: Row = {
            **self._hand,
            "recorded_at": at,
            "played_at": _played_at(counted, at),
            "day": counted.day or at.date().isoformat(),
            "site": counted.site,
            "house": counted.house,
            "currency": counted.currency,
            "exponent": counted.exponent,
            "big_blind": self._counter.unit,
            "players": sum(seat.figures.dealt for seat in counted.seats),
            "pot": sum(self._won.values()),
            "rake": sum(seat.figures.rake for seat in counted.seats),
            "showdown": any(seat.figures.showdowns for seat in counted.seats),
        }
        return Rows([hand], players, self._actions, self._showdowns())

    def _act(self, event: Event, seq: int, said: "_Action") -> None:
        seat: int = getattr(event, "seat")  # noqa: B009  # every event in `_ACTIONS` has a seat
        if isinstance(event, events.CardsDiscarded | recorded.RecordedCardsDiscarded):
            self._street = "after the draw"
        street = "the draw" if said.cards is not None else self._street
        who: Row = {"event": seq, "seat": self._place(seat), "player": self._name(seat)}
        self._actions.append({**self._hand, **who, "street": street, **said._asdict()})

    def _show(self, event: Event) -> None:
        match event:
            case events.HandsOpened(hands=hands):
                self._shown |= {hand.seat: " ".join(card.notation for card in hand.cards) for hand in hands}
            case events.HandShown(cards=cards, seat=seat):
                self._shown[seat] = " ".join(card.notation for card in cards)
            case events.HandMucked(seat=seat):
                self._shown[seat] = None
            case events.SatDown(name=str(name), seat=seat):
                self._names[seat - 1] = name
            case events.PotAwarded(reason=reason, shares=shares) if reason != "game_end":
                for share in shares:
                    self._won[share.seat] = self._won.get(share.seat, 0) + share.amount

    def _showdowns(self) -> list[Row]:
        return [
            {
                **self._hand,
                "seat": self._place(seat),
                "player": self._name(seat),
                "hand": hand,
                "won": self._won.get(seat, 0),
            }
            for seat, hand in sorted(self._shown.items())
        ]

    def _place(self, seat: int) -> int:
        """Return the number of a seat at its table."""
        return self._places[seat - 1]

    def _name(self, seat: int) -> str:
        return self._names[seat - 1]


def _played_at(hand: RoundCount, recorded_at: datetime) -> datetime | None:
    """Return when a hand was played: the time of recording for a game played here; None if a file does not say."""
    if hand.played_at is None:
        return None if hand.site else recorded_at
    return datetime.fromisoformat(hand.played_at).astimezone(UTC).replace(tzinfo=None)


class _Action(NamedTuple):
    action: str
    amount: int | None = None
    cards: int | None = None


_POSTS: Final = {"extra": "extra blind", "dead": "dead blind", "straddle": "straddle"}

_ACTIONS: Final[Mapping[type[Event], Callable[..., _Action]]] = {
    events.AntePosted: lambda event: _Action("ante", event.amount),
    events.BlindPosted: lambda event: _Action(f"{event.blind} blind", event.amount),
    events.Posted: lambda event: _Action(_POSTS[event.kind], event.amount),
    events.Checked: lambda _: _Action("check"),
    events.Bet: lambda event: _Action("bet", event.amount),
    events.Called: lambda event: _Action("call", event.amount),
    events.Raised: lambda event: _Action("raise", event.amount),
    events.Folded: lambda _: _Action("fold"),
    events.Forfeited: lambda _: _Action("forfeit"),
    events.RoundForgone: lambda _: _Action("forgo"),
    events.CardsDiscarded: lambda event: _Action("discard", None, event.count),
    events.CardsDrawn: lambda event: _Action("draw", None, event.count),
    earlier_events.CardsDrawn: lambda event: _Action("draw", None, event.count),
    recorded.RecordedCardsDiscarded: lambda event: _Action("discard", None, event.count),
    recorded.RecordedCardsDrawn: lambda event: _Action("draw", None, event.count),
    events.UncalledBetReturned: lambda event: _Action("uncalled bet returned", event.amount),
    events.PlayerLeft: lambda event: _Action("leave", event.amount),
}
