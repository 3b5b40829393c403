"""A viewer's view of a game of draw poker: an immutable value, made from the situation."""

from dataclasses import dataclass
from typing import Final, Literal

from pokersvc.betting.seats import has
from pokersvc.core.event import AUDITOR, Event, Viewer
from pokersvc.core.record import Seen
from pokersvc.core.seats import kind_seen
from pokersvc.core.state import Entry
from pokersvc.core.value import Value
from pokersvc.games.draw_poker.cash_view import SeatAtCash, at_cash
from pokersvc.games.draw_poker.entries import may_add_on, may_reenter
from pokersvc.games.draw_poker.house.cash_rules import CashRules
from pokersvc.games.draw_poker.house.cash_table import CashTable
from pokersvc.games.draw_poker.house.entry import TournamentEntry
from pokersvc.games.draw_poker.house.levels import Levels
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.net_results import brought
from pokersvc.games.draw_poker.past_hands import facts_of, hands_of, round_of
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.streets.phases import (
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
from pokersvc.streets.state import Cards, hidden

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
"""The phases of forced bets, deal and betting, in which a betting round has a price and chips put in."""


_IN_PLAY: Final = frozenset(Phase) - {BETWEEN, ROUND_END, OVER}


@dataclass(frozen=True, slots=True)
class SeatView(Value):
    """One seat as the viewer sees it; chips are whole numbers, hidden cards are None."""

    all_in: bool
    """Whether the seat is in the round with all its chips."""
    at_cash: SeatAtCash | None
    """Further information about the seat in a cash game; None in other games, and for a bot."""
    cards: Cards
    """The seat's hand of this round or, between rounds, of the last.

    Of a hidden hand, the cards that its player has shown between rounds come first.
    """
    discarded: Cards
    drew: int | None
    """The number of cards that the seat drew; None before its draw, or if it is not in."""
    kind: str | None
    """The kind of the seat's player; None if kinds are hidden."""
    name: str
    number: int
    """The seat's number at the table, the same as ``seat`` unless the table says otherwise."""
    put: int
    """The chips that the seat put in during this betting round."""
    seat: int
    sitting_out: bool
    """Whether the seat is at the table of a cash game and is dealt no hands until its player sits in."""
    stack: int
    staked: int
    """The chips that the seat put in during this round."""
    standing: Standing
    place: int | None = None
    """In a tournament, the place of a seat that is out or, once the game is over, of each seat; otherwise None."""
    prize: int | None = None
    """What the seat has won of the prizes, in units; None before they are awarded."""
    paid: int = 0
    """What the seat has paid for entries and an add-on, in units."""
    may_reenter: bool = False
    """Whether the person of the seat may enter a tournament again now, between two rounds."""
    may_add_on: bool = False
    """Whether the person of the seat may take the add-on of a tournament now, between two rounds."""


@dataclass(frozen=True, slots=True)
class DrawPokerView(Value):
    """The table as the viewer sees it."""

    ante: int
    bomb_pots: tuple[int, ...]
    """The rounds that are announced as bomb pots, from the current or last one on."""
    button: int | None
    """The seat with the button; with a dead button, its player may be out."""
    button_at: int | None
    """The number of the place that has the button at the table, which may be empty."""
    cash: CashRules | None
    """The rules of a cash game besides those of its house; None if there are none."""
    changeable: bool
    """Whether the host may change the stakes between rounds."""
    deck_left: int
    engine: int
    """The version of the rules by which the game is dealt; see `Game.engine`."""
    entry: TournamentEntry | None
    """What an entry costs and what each place wins; None if the game is not played for prizes."""
    hand: int
    """The number of the current or last round in the table's count of hands; 0 before the first."""
    level: int | None
    """The level of the current round or, between rounds, of the next; None in a game without levels."""
    levels: Levels | None
    """The schedule of blinds and antes; None if there is none."""
    next_ante: int
    """The ante of the next round."""
    pot: int
    pots: tuple[int, ...]
    """The main pot and the side pots, which add up to ``pot``; the stakes of players who are all in divide them."""
    price: int
    """The amount that each seat must have put in this betting round to stay in."""
    record: Seen[Event]
    """The events that the viewer has seen, of this round and of the rounds before it."""
    round: int
    rounds: int | None
    """The number of rounds after which the game ends; None if it continues while two players have chips."""
    rules: DrawPokerRules
    """The rules, with the amounts that are now in force."""
    seats: tuple[SeatView, ...]
    stage: Stage
    table: CashTable | None
    """Stacks, seat numbers and currency at the start; None if they are simply those of the house."""
    to_act: int | None
    viewer: Viewer

    def seat(self, number: int) -> SeatView:
        """Return a seat, from 1."""
        return self.seats[number - 1]


def _seen(seat: int, viewer: Viewer, cards: Cards) -> Cards:
    return cards if viewer in (AUDITOR, seat) else (None,) * len(cards)


def _hand_seen(state: Situation, seat: int, viewer: Viewer) -> Cards:
    hand = state.hands[seat]
    return hand if has(state.shown, seat) else _with_shown(state, seat, _seen(seat, viewer, hand))


def _with_shown(state: Situation, seat: int, seen: Cards) -> Cards:
    """Return the cards of a seat, first those shown by its own choice, unless the viewer sees all anyway."""
    if seat not in state.showed or None not in seen:
        return seen
    shown = tuple(state.showed[seat].values())
    return (*shown, *hidden(len(seen) - len(shown))) if shown else seen


def _drawn(state: Situation) -> int:
    """Return the set of seats that are in and have drawn; after the round, the seat of a newcomer is not among them."""
    if state.phase in (DRAW, SERVE):
        return state.live & ~state.pending
    if state.betting_round < len(state.streets):  # the draw is on the last street
        return 0
    return sum(1 << seat for seat, hand in enumerate(state.hands) if hand and has(state.live, seat))


def _standing(state: Situation, seat: int) -> Standing:
    if not has(state.seated, seat):
        return "out"
    folded = state.phase not in (BETWEEN, OVER) and not has(state.live, seat) and state.hands[seat]
    return "folded" if folded else "in"


def _pots(state: Situation) -> tuple[int, ...]:
    """Return the chips of each pot; there is only one while nobody still in is all in."""
    return tuple([pot.amount for pot in state.levels()]) if state.all_in & state.live else (state.pot,)


def _stage(state: Situation) -> Stage:
    if (stage := _STAGES.get(state.phase)) is not None:
        return stage
    if state.phase in _BETTING:
        return "final betting" if state.betting_round == len(state.streets) else "first betting"
    return "showdown"


def in_a_line(state: Situation) -> str:
    """Return where the game stands in one line, for debugging: without cards and seeds."""
    seats = []
    for seat, who in enumerate(state.seats, 1):
        standing = _standing(state, seat)
        seats.append(f"{who.name} {state.stacks[seat]}" + ("" if standing == "in" else f" {standing}"))
    to_act = "" if state.phase is OVER else f"; {state.names[state.actor] or 'the dealer'} to act"
    return f"{state.rules.name}, round {state.round}, {_stage(state)}; {', '.join(seats)}; pot {state.pot}{to_act}"


def view_of(state: Situation, viewer: Viewer) -> DrawPokerView:
    """Return the game as the viewer may know it."""
    # A program that learns asks for a view at every step, so what is the same for all seats is read only once.
    phase, live, hands, discarded, prizes = state.phase, state.live, state.hands, state.discarded, state.prizes
    betting, in_play, over = phase in _BETTING, phase in _IN_PLAY, phase is OVER
    drawn, all_in, sitting_out, cash = _drawn(state), state.all_in & live, state.out, state.cash
    hidden = state.hidden_kinds and state.ended is None
    table, seated, open_, showed, all_seen = state.table, state.seated, state.shown, state.showed, viewer == AUDITOR
    ranking = state.ranking if state.is_tournament else ()
    pausing = state.tournament_entry is not None and state.pausing
    seats = []
    for seat, who in enumerate(state.seats, 1):
        bit, hand, put_away = 1 << seat, hands[seat], discarded[seat]
        own = all_seen or seat == viewer
        seats.append(
            SeatView(
                all_in=in_play and all_in & bit != 0,
                at_cash=at_cash(state, seat) if cash else None,
                cards=hand if open_ & bit or (own and not showed) else _hand_seen(state, seat, viewer),
                discarded=put_away if own else (None,) * len(put_away),
                drew=len(put_away) if drawn & bit else None,
                kind=kind_seen(who, seat, viewer, hidden=True) if hidden else who.kind,
                name=who.name,
                number=seat if table is None else table.numbers[seat - 1],
                place=ranking[seat - 1] if ranking and (over or not seated & bit) else None,
                paid=state.paid[seat],
                may_reenter=pausing and may_reenter(state, seat),
                may_add_on=pausing and may_add_on(state, seat),
                prize=None if prizes is None else prizes.prizes[seat - 1],
                put=state.put[seat] if betting else 0,
                seat=seat,
                sitting_out=sitting_out & bit != 0,
                stack=state.stacks[seat],
                staked=state.staked[seat],
                standing="in" if live & seated & bit else _standing(state, seat),
            )
        )
    return DrawPokerView(
        ante=state.ante,
        bomb_pots=state.bomb_pots,
        button=state.button or None,
        button_at=state.place_of_button,
        cash=state.cash_rules,
        changeable=state.changeable,
        deck_left=state.deck_left,
        engine=state.engine,
        entry=state.tournament_entry,
        hand=state.hand,
        level=None if state.schedule is None else state.stakes_level,
        levels=state.schedule,
        next_ante=state.next_ante,
        pot=state.pot,
        pots=_pots(state) if in_play else (),
        price=state.price if betting else 0,
        record=Seen(state.record, viewer),
        round=state.round,
        rounds=state.rounds,
        rules=state.rules,
        seats=tuple(seats),
        stage=_stage(state),
        table=table,
        to_act=state.actor or None,
        viewer=viewer,
    )


def entry_of(state: Situation, viewer: Viewer) -> Entry:
    """Return the line of history of the round just ended: the winners, the chips carried, and the hands seen."""
    seen = [hand._replace(cards=_hand_seen(state, hand.seat, viewer)) for hand in state.held()]
    facts = facts_of(state.pot, seen, state.names, state.table)
    return Entry(state.round, facts, net=brought(state.record.events), names=state.names[1:])


def entry_again(state: Situation) -> Entry:
    """Return a round's line of history again, now with the hands that were just revealed after the game."""
    kept = state.past[state.revealed - 1]
    round_, carried = round_of(kept)
    names = state.names_revealed
    return Entry(round_, facts_of(carried, hands_of(kept), names, state.table), again=True, names=names[1:])
