"""What a viewer may know of a game of draw poker: an immutable value, made from the table."""

from dataclasses import dataclass
from typing import Final, Literal

from pokersvc.core.event import AUDITOR, Event, Viewer
from pokersvc.core.record import Seen
from pokersvc.core.seats import kind_seen
from pokersvc.core.state import Entry
from pokersvc.games.draw_poker.past import facts_of, hands_of, round_of
from pokersvc.games.draw_poker.phases import (
    ANTES,
    BETTING,
    BETWEEN,
    BLINDS,
    DEAL,
    DRAW,
    OPENER,
    OVER,
    RETURN,
    ROUND_END,
    SERVE,
    SHUFFLE,
    Phase,
)
from pokersvc.games.draw_poker.rules import DrawPokerRules
from pokersvc.games.draw_poker.seats import has
from pokersvc.games.draw_poker.table import Cards, Table

Stage = Literal["between rounds", "forced bets", "first betting", "draw", "final betting", "showdown", "over"]

Standing = Literal["in", "folded", "out"]

_STAGES: Final[dict[Phase, Stage]] = {
    BETWEEN: "between rounds",
    ANTES: "forced bets",
    BLINDS: "forced bets",
    SHUFFLE: "forced bets",
    DEAL: "forced bets",
    DRAW: "draw",
    SERVE: "draw",
    OVER: "over",
}
_BETTING: Final = (BLINDS, SHUFFLE, DEAL, OPENER, BETTING, RETURN)
"""Phases in which what a seat has put in, and the price, belong to a betting round."""


_IN_PLAY: Final = frozenset(Phase) - {BETWEEN, ROUND_END, OVER}


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
    standing: Standing


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
    return hand if has(table.shown, seat) else _seen(seat, viewer, hand)


def _drawn(table: Table) -> int:
    """Return the set of the seats that are in and have drawn."""
    if table.phase in (DRAW, SERVE):
        return table.live & ~table.pending
    return table.live if table.street == 2 else 0


def _standing(table: Table, seat: int) -> Standing:
    if not has(table.seated, seat):
        return "out"
    folded = table.phase not in (BETWEEN, OVER) and not has(table.live, seat) and table.hands[seat]
    return "folded" if folded else "in"


def _stage(table: Table) -> Stage:
    if (stage := _STAGES.get(table.phase)) is not None:
        return stage
    if table.phase in _BETTING:
        return "first betting" if table.street == 1 else "final betting"
    return "showdown"


def in_a_line(table: Table) -> str:
    """Return where the game stands, for who debugs it: no cards and no seeds."""
    seats = []
    for seat, who in enumerate(table.seats, 1):
        standing = _standing(table, seat)
        seats.append(f"{who.name} {table.stacks[seat]}" + ("" if standing == "in" else f" {standing}"))
    to_act = "" if table.phase is OVER else f"; {table.names[table.actor] or 'the dealer'} to act"
    return f"{table.rules.name}, round {table.round}, {_stage(table)}; {', '.join(seats)}; pot {table.pot}{to_act}"


def view_of(table: Table, viewer: Viewer) -> DrawPokerView:
    """Return what the viewer may know."""
    betting = table.phase in _BETTING
    drawn = _drawn(table)
    hidden = table.hidden_kinds and table.ended is None
    seats = []
    for seat, who in enumerate(table.seats, 1):
        seats.append(
            SeatView(
                all_in=table.phase in _IN_PLAY and has(table.all_in & table.live, seat),
                cards=_hand_seen(table, seat, viewer),
                discarded=_seen(seat, viewer, table.discarded[seat]),
                drew=len(table.discarded[seat]) if has(drawn, seat) else None,
                kind=kind_seen(who, seat, viewer, hidden=True) if hidden else who.kind,
                name=who.name,
                put=table.put[seat] if betting else 0,
                seat=seat,
                stack=table.stacks[seat],
                staked=table.staked[seat],
                standing=_standing(table, seat),
            )
        )
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
        stage=_stage(table),
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
