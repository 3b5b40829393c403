"""The Poker Market in words: texts shown to people, and the answers read from them. Plain text, no terminal codes."""

from collections.abc import Callable
from typing import Any, Final

from pokersvc.cards import Hand
from pokersvc.core.actions import Action
from pokersvc.core.drawing import Line, Room, Shortcut
from pokersvc.core.event import Event
from pokersvc.core.seats import say_seats
from pokersvc.core.setup import Options
from pokersvc.core.words import Words
from pokersvc.games.poker_market import advice, events, reminders, typed_swaps
from pokersvc.games.poker_market.actions import LegalActions
from pokersvc.games.poker_market.history_words import PokerMarketHistoryWords, described, market_length, swaps
from pokersvc.games.poker_market.market import Market
from pokersvc.games.poker_market.market_drawn import drawn
from pokersvc.games.poker_market.state import PokerMarketState
from pokersvc.games.poker_market.view import PokerMarketView, SeatView, entry_of
from pokersvc.games.poker_market.view_summary import place_in, swapped
from pokersvc.text import YOU, cells, counted, does, ordinal, padded, whose


class PokerMarketWords(
    PokerMarketHistoryWords, Words[events.GameStarted, PokerMarketState, PokerMarketView, LegalActions]
):
    """The texts that the Poker Market shows to people and reads from them; see `pokersvc.core.words.Words`."""

    def tell(self, event: Event, state: PokerMarketState) -> str:
        """Return a sentence that tells an event."""
        return _TELL[type(event)](event, state)

    def show(self, view: PokerMarketView) -> list[str]:
        """Return all hands in a table, in the order of turns: seat, name, cards 1 to 5, rank and hand."""
        if not view.best_first:
            return [f"{_market(view)}, before the deal" if view.market else "Before the first market"]
        width = max(cells(seat.name) for seat in view.seats)
        out = [seat.seat for seat in view.seats if seat.seat not in view.order]
        return [_heading(view), *(_row(view.seat(seat), view, width) for seat in (*view.order, *out))]

    def terms(self, options: Options) -> list[str]:
        """Return the number of markets if there are several."""
        return [counted(options["markets"], "market")] if options["markets"] > 1 else []

    def short_title(self, options: Options) -> str | None:
        """Return the name of the game."""
        return "Poker Market"

    def ask(self, view: PokerMarketView, legal: LegalActions) -> str:
        """Return the question with the possible answers."""
        if legal.answer is None:
            named, short, numbered = typed_swaps.examples(view, legal)
            partner = legal.gets[0][0]
            return (
                f'Propose a swap: "{named}", "{short}", or numbers:'
                f'\n"{numbered}" (your card 1 for card 1 of seat {partner}); pass, or help'
            )
        asked = legal.answer
        hand, place = Hand(swapped(view, asked)[asked.partner]), place_in(view, asked.partner, asked)
        return (
            f"{does(view.seat(asked.seat).name, 'gives')} {asked.gives} for your {asked.gets}:"
            f"\nyou would have {hand.describe()} and be {ordinal(place)}; accept or decline"
        )

    def ask_briefly(self, view: PokerMarketView, legal: LegalActions, *, advised: bool) -> str:
        """Return the question in one line; the table shows the proposal and its result."""
        if legal.answer is None:
            return "Propose a swap, or pass"
        return f"Accept what {view.seat(legal.answer.seat).name} proposes, or decline"

    def explain(self, text: str, view: PokerMarketView, legal: LegalActions) -> list[str] | None:
        """Return the best swaps or answers, the best last, if a text asks for advice, such as ``odds``; else None."""
        return advice.advice(view, legal)[::-1] if self.takes_advice(text, legal) else None

    def advise(self, view: PokerMarketView, legal: LegalActions) -> list[str] | None:
        """Return the best swaps or answers, the best first."""
        return advice.advice(view, legal)

    def takes_advice(self, text: str, legal: LegalActions) -> bool:
        """Return whether a typed answer asks for advice: ``odds``, ``o`` or ``advice``."""
        return text.strip().lower() in advice.ASKING

    def read(self, text: str, view: PokerMarketView, legal: LegalActions) -> Action:
        """Return the action of an answer: ``KD for Player2's 3C``, ``1 for 2.3``, ``1 2.3``, ``pass``; ``accept``."""
        return typed_swaps.read(text, view, legal)

    def draw(self, view: PokerMarketView, room: Room) -> list[Line]:
        """Return all hands by rank, and the result of an offer."""
        return drawn(view, room)

    def draw_picked(self, text: str, view: PokerMarketView, legal: LegalActions, room: Room) -> list[Line] | None:
        """Return all hands with the cards of a half-typed swap marked, and its result; None if no card is named."""
        found = typed_swaps.picked(text, view, legal)
        return None if found is None else drawn(view, room, found)

    def shortcuts(self, view: PokerMarketView, legal: LegalActions) -> list[Shortcut]:
        """Return ``a`` and ``d`` for an answer; on the seat's own turn, a swap by numbers, and ``p``."""
        return typed_swaps.shortcuts(view, legal)

    def completions(self, view: PokerMarketView, legal: LegalActions) -> list[str]:
        """Return all swaps by their cards, and ``pass``; or the two answers to a proposal."""
        return typed_swaps.completions(legal)

    def why_not(self, text: str, view: PokerMarketView, legal: LegalActions) -> str | None:
        """Return why a swap, an answer or a pass is not allowed now; None if it is allowed, and for any other text."""
        return typed_swaps.why_not(text, view, legal)

    def about(self, view: PokerMarketView) -> list[str]:
        """Return the rules of the market, and the ranking of hands."""
        return reminders.about(view)

    def moment(self, view: PokerMarketView, legal: LegalActions) -> list[str]:
        """Return the rules of a proposal or an answer, how the market ends, the ranking of hands, and what to type."""
        return reminders.moment(view, legal)


def _market(view: PokerMarketView) -> str:
    return f"Market {view.market} of {view.rules.markets}" if view.rules.markets > 1 else "The market"


def _heading(view: PokerMarketView) -> str:
    if view.stage == "over":
        return f"The game is over after round {view.round}"
    if view.to_act is None:
        return f"{_market(view)} after round {view.round_in_market}"
    to_do = whose(view.seat(view.to_act).name, "turn" if view.proposal is None else "answer")
    return f"{_market(view)}, round {view.round_in_market} of {view.rules.rounds}: {to_do}"


def _row(seat: SeatView, view: PokerMarketView, width: int) -> str:
    mark = ">" if view.to_act == seat.seat else " "
    place = f"#{view.best_first.index(seat.seat) + 1}" if seat.seat in view.order else "out"
    cards = " ".join(f"{card!s:>3}" for card in seat.cards)
    return f"{mark}{seat.seat:>2} {padded(seat.name, width)} {cards} {place:>3}: {Hand(seat.cards).describe()}"


def _started(event: events.GameStarted, state: Market) -> str:
    who = say_seats(event.seats, hidden_kinds=event.hidden_kinds)
    again = "; reproducible from its seed" if event.reproducible else ""
    return f"Poker Market, {market_length(event.rules.rounds, event.rules.markets)}: {who}{again}"


def _dealt(event: events.HandsDealt, state: Market) -> str:
    return "The hands are dealt: " + "; ".join(f"{state.names[h.seat]} {described(h.cards)}" for h in event.hands)


def _swap(event: events.SwapProposed, state: Market) -> str:
    gets = whose(state.names[event.partner], str(event.gets))
    return f"{does(state.names[event.seat], 'proposes')} {event.gives} for {gets}"


def _accepted(event: events.SwapAccepted, state: Market) -> str:
    swap = state.swaps[-1]
    hands = "; ".join(
        f"{does(state.names[seat], 'has')} {described(state.hands[seat])}" for seat in (swap.seat, swap.partner)
    )
    return f"{does(state.names[event.seat], 'accepts')}: {hands}"


def _forfeited(event: events.Forfeited, state: Market) -> str:
    why = {"illegal": "gave an illegal answer", "raised": "failed", "timeout": "took too long"}[event.code]
    forfeits = "forfeit" if state.names[event.seat] == YOU else "forfeits"
    return f"{state.names[event.seat]} {why} and {forfeits} the choice"


def _forgone(event: events.RoundForgone, state: Market) -> str:
    name = state.names[event.seat]
    shared = "Your share of the shuffle" if name == YOU else f"The share of the shuffle from {name}"
    return f"{shared} was missed, so {'you are' if name == YOU else f'{name} is'} out of {_this_market(state)}"


def _this_market(state: Market) -> str:
    return "the market" if state.rules.markets == 1 else f"market {state.number}"


def _round_ended(event: events.RoundEnded, state: Market) -> str:
    if event.round % state.rules.rounds == 0:
        return f"Round {event.round} is over, the last one{'' if state.rules.markets == 1 else ' of this market'}"
    return f"Round {event.round} -- {'; '.join(swaps(entry_of(state).facts))}"


def _ranked(event: events.HandsRanked, state: Market) -> str:
    which = f"Market {event.market} is ranked: " if state.rules.markets > 1 else "The hands are ranked: "
    return which + "; ".join(
        f"{state.names[hand.seat]} {counted(hand.points, 'point')}, {Hand(hand.cards).describe()}"
        for hand in event.hands
    )


def _closed(state: Market) -> str:
    return "the market is" if state.rules.markets == 1 else "all markets are"


_TELL: Final[dict[type, Callable[[Any, Market], str]]] = {
    events.GameStarted: _started,
    events.DeckShuffled: lambda _, __: "The deck is shuffled",
    events.HandsDealt: _dealt,
    events.SwapProposed: _swap,
    events.SwapAccepted: _accepted,
    events.SwapDeclined: lambda e, s: does(s.names[e.seat], "declines"),
    events.TurnPassed: lambda e, s: does(s.names[e.seat], "passes"),
    events.Forfeited: _forfeited,
    events.RoundForgone: _forgone,
    events.RoundEnded: _round_ended,
    events.HandsRanked: _ranked,
    events.GameClosed: lambda _, __: "The game is closed: no more rounds are played",
    events.GameEnded: lambda _, s: f"The game is over: {_closed(s)} closed",
}
