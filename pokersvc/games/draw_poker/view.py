"""What a viewer may know of a game of draw poker: an immutable value, made from the table."""

from dataclasses import dataclass
from typing import Any, Final, Literal

from pokersvc.core.event import AUDITOR, Event, Viewer
from pokersvc.core.record import Seen
from pokersvc.core.seats import kind_seen
from pokersvc.core.state import Entry
from pokersvc.games.draw_poker.past import facts_of, hands_of, round_of
from pokersvc.games.draw_poker.phases import Phase
from pokersvc.games.draw_poker.rules import DrawPokerRules
from pokersvc.games.draw_poker.table import Cards, Table

Stage = Literal["between rounds", "forced bets", "first betting", "draw", "final betting", "showdown", "over"]

_STAGES: Final[dict[Phase, Stage]] = {
    Phase.BETWEEN: "between rounds",
    Phase.ANTES: "forced bets",
    Phase.BLINDS: "forced bets",
    Phase.SHUFFLE: "forced bets",
    Phase.DEAL: "forced bets",
    Phase.DRAW: "draw",
    Phase.SERVE: "draw",
    Phase.OVER: "over",
}
_BETTING: Final = (Phase.BLINDS, Phase.SHUFFLE, Phase.DEAL, Phase.OPENER, Phase.BETTING, Phase.RETURN)
"""Phases in which what a seat has put in, and the price, belong to a betting round."""


_IN_PLAY: Final = frozenset(Phase) - {Phase.BETWEEN, Phase.ROUND_END, Phase.OVER}


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as the viewer sees it; chips are whole numbers, hidden cards are None."""

    all_in: bool
    """In the round with all its chips."""
    cards: Cards
    """The hand: of this round and, between rounds, of the last."""
    discarded: Cards
    drew: int | None
    """How many cards it drew, if it is in; None before its draw."""
    kind: str | None
    """None where kinds are hidden."""
    name: str
    put: int
    """What it put in this betting round."""
    seat: int
    stack: int
    staked: int
    """What it put in this round."""
    standing: Literal["in", "folded", "out"]


@dataclass(frozen=True, slots=True)
class DrawPokerView:
    """The table as the viewer sees it."""

    ante: int
    button: int | None
    """The seat with the button; by the rule of the dead button its player may be out."""
    deck_left: int
    engine: int
    """By which of its rules the game is dealt; see `Game.engine`."""
    pot: int
    pots: tuple[int, ...]
    """The main pot and the side pots that it is made of, from the levels at which players are all in."""
    price: int
    """What each seat has to have put in this betting round to stay in."""
    record: Seen[Event]
    """What the viewer has seen: the events of this round, and those of the rounds before it."""
    round: int
    rounds: int | None
    """After how many rounds the game ends; None if it continues while two players have chips."""
    rules: DrawPokerRules
    seats: tuple[SeatView, ...]
    stage: Stage
    to_act: int | None
    viewer: Viewer

    def seat(self, number: int) -> SeatView:
        """Return a seat, from 1."""
        return self.seats[number - 1]


def _seen(seat: int, viewer: Viewer, cards: Cards) -> Cards:
    return cards if viewer in (AUDITOR, seat) else (None,) * len(cards)


def _hand_seen(table: Table, seat: int, viewer: Viewer) -> Cards:
    hand = table.hands[seat]
    return hand if table.shown >> seat & 1 else _seen(seat, viewer, hand)


def _drawn(table: Table) -> int:
    """Return the seats, as a bit mask, that are in and have drawn."""
    if table.phase in (Phase.DRAW, Phase.SERVE):
        return table.live & ~table.pending
    return table.live if table.street == 2 else 0


def view_of(table: Table, viewer: Viewer) -> DrawPokerView:
    """Return what the viewer may know."""
    betting = table.phase in _BETTING
    drawn = _drawn(table)
    hidden = table.hidden_kinds and table.ended is None
    seats = []
    for seat, who in enumerate(table.seats, 1):
        standing: Any = "in"
        if not table.seated >> seat & 1:
            standing = "out"
        elif table.phase not in (Phase.BETWEEN, Phase.OVER) and not table.live >> seat & 1 and table.hands[seat]:
            standing = "folded"
        seats.append(
            SeatView(
                all_in=table.phase in _IN_PLAY and (table.all_in & table.live) >> seat & 1 == 1,
                cards=_hand_seen(table, seat, viewer),
                discarded=_seen(seat, viewer, table.discarded[seat]),
                drew=len(table.discarded[seat]) if drawn >> seat & 1 else None,
                kind=kind_seen(who, seat, viewer, hidden=True) if hidden else who.kind,
                name=who.name,
                put=table.put[seat] if betting else 0,
                seat=seat,
                stack=table.stacks[seat],
                staked=table.staked[seat],
                standing=standing,
            )
        )
    stage: Stage = "showdown"
    if betting:
        stage = "first betting" if table.street == 1 else "final betting"
    return DrawPokerView(
        ante=table.ante,
        button=table.button or None,
        deck_left=table.deck_left,
        engine=table.engine,
        pot=table.pot,
        pots=tuple(pot.amount for pot in table.levels()) if table.phase in _IN_PLAY else (),
        price=table.price if betting else 0,
        record=Seen(table.record, viewer),
        round=table.round,
        rounds=table.rounds,
        rules=table.rules,
        seats=tuple(seats),
        stage=_STAGES.get(table.phase, stage),
        to_act=table.actor or None,
        viewer=viewer,
    )


def entry_of(table: Table, viewer: Viewer) -> Entry:
    """Return the round just ended as a line of history: who won what, what was carried, and the hands seen."""
    seen = [hand._replace(cards=_hand_seen(table, hand.seat, viewer)) for hand in table.held()]
    return Entry(table.round, facts_of(table.pot, seen, table.names))


def entry_again(table: Table) -> Entry:
    """Return the round whose hands were just revealed after the game as its line of history shows it from now on."""
    kept = table.past[table.revealed - 1]
    round_, carried = round_of(kept)
    return Entry(round_, facts_of(carried, hands_of(kept), table.names), again=True)
