"""What a viewer may know of a game of draw poker: an immutable value, made from the state."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from pokersvc.games.draw_poker.deck import Cards
from pokersvc.games.draw_poker.phases import Phase
from pokersvc.games.draw_poker.rules import DrawPokerRules
from pokersvc.games.event import AUDITOR, Viewer
from pokersvc.games.game import Entry

if TYPE_CHECKING:
    from pokersvc.games.draw_poker.state import DrawPokerState

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


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as the viewer sees it; chips are whole numbers, hidden cards are None."""

    cards: Cards
    """The hand: of this round and, between rounds, of the last."""
    discarded: Cards
    kind: str
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
    deck_left: int
    pot: int
    price: int
    """What each seat has to have put in this betting round to stay in."""
    round: int
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


def _hand_seen(state: "DrawPokerState", seat: int, viewer: Viewer) -> Cards:
    hand = state.hands[seat]
    return hand if state.shown >> seat & 1 else _seen(seat, viewer, hand)


def view_of(state: "DrawPokerState", viewer: Viewer) -> DrawPokerView:
    """Return what the viewer may know."""
    seats = []
    for seat, who in enumerate(state.seats, 1):
        standing: Any = "in"
        if not state.seated >> seat & 1 and not state.live >> seat & 1:
            standing = "out"
        elif state.phase is not Phase.BETWEEN and not state.live >> seat & 1 and state.hands[seat]:
            standing = "folded"
        seats.append(
            SeatView(
                cards=_hand_seen(state, seat, viewer),
                discarded=_seen(seat, viewer, state.discarded[seat]),
                kind=who.kind,
                name=who.name,
                put=state.put[seat],
                seat=seat,
                stack=state.stacks[seat],
                staked=state.staked[seat],
                standing=standing,
            )
        )
    betting: Stage = "first betting" if state.street == 1 else "final betting"
    late = state.phase in (Phase.OPEN, Phase.SHOWDOWN, Phase.AWARD, Phase.CARRY, Phase.ROUND_END)
    return DrawPokerView(
        ante=state.ante,
        button=state.button or None,
        deck_left=state.deck_left,
        pot=state.pot,
        price=state.price,
        round=state.round,
        rules=state.rules,
        seats=tuple(seats),
        stage=_STAGES.get(state.phase, "showdown" if late else betting),
        to_act=state.to_act,
        viewer=viewer,
    )


def entry_of(state: "DrawPokerState", viewer: Viewer) -> Entry:
    """Return the round just ended as a line of history: who won what, what was carried, and the hands seen."""
    hands = []
    for seat, hand in enumerate(state.hands[1:], 1):
        if hand:
            seen = _hand_seen(state, seat, viewer)
            cards = None if None in seen else [card.notation for card in seen if card is not None]
            hands.append({"cards": cards, "name": state.names[seat], "seat": seat, "won": state.won[seat]})
    return Entry(state.round, {"carried": state.pot, "hands": hands})
