"""The Poker Market in words: what people are shown, and how what they type is read. Plain text, no terminal codes."""

import re
from collections.abc import Callable
from textwrap import shorten
from typing import Any, Final

from pokersvc.cards import Card, Hand, InvalidCard
from pokersvc.core.actions import Action
from pokersvc.core.event import Event
from pokersvc.core.seats import say_seats
from pokersvc.core.words import InvalidAnswer, Words, not_understood
from pokersvc.games.poker_market import events
from pokersvc.games.poker_market.actions import Accept, Decline, LegalActions, Pass, Propose
from pokersvc.games.poker_market.history_words import PokerMarketHistoryWords, described, market_length, swaps
from pokersvc.games.poker_market.market import Market
from pokersvc.games.poker_market.state import PokerMarketState
from pokersvc.games.poker_market.view import PokerMarketView, SeatView, entry_of
from pokersvc.text import cells, counted, ordinal, padded


class PokerMarketWords(
    PokerMarketHistoryWords, Words[events.GameStarted, PokerMarketState, PokerMarketView, LegalActions]
):
    """What the Poker Market shows to people and reads from them; see `pokersvc.core.words.Words`."""

    def tell(self, event: Event, state: PokerMarketState) -> str:
        """Return an event in a sentence."""
        return _TELL[type(event)](event, state)

    def show(self, view: PokerMarketView) -> list[str]:
        """Return all hands in a table, in the order of turns: seat, name, cards 1 to 5, rank and hand."""
        if not view.best_first:
            return [f"{_market(view)}, before the deal" if view.market else "Before the first market"]
        width = max(cells(seat.name) for seat in view.seats)
        out = [seat.seat for seat in view.seats if seat.seat not in view.order]
        return [_heading(view), *(_row(view.seat(seat), view, width) for seat in (*view.order, *out))]

    def ask(self, view: PokerMarketView, legal: LegalActions) -> str:
        """Return the question with the possible answers."""
        if legal.answer is None:
            named, short, numbered = _examples(view, legal)
            partner = legal.gets[0][0]
            return (
                f'Propose a swap: "{named}", "{short}", or numbers:'
                f'\n"{numbered}" (your card 1 for card 1 of seat {partner}); pass, or help'
            )
        asked = legal.answer
        hand, place = _after(asked, view)
        return (
            f"{view.seat(asked.seat).name} gives {asked.gives} for your {asked.gets}:"
            f"\nyou would have {hand.describe()} and be {ordinal(place)}; accept or decline"
        )

    def explain(self, text: str, view: PokerMarketView, legal: LegalActions) -> list[str] | None:
        """Return what may be typed if the text is ``help``."""
        if text.strip().lower() not in _HELP:
            return None
        if legal.answer is not None:
            ways = {"accept": f"or yes: take {legal.answer.gives} for your {legal.answer.gets}", "decline": "or no"}
        else:
            named, short, numbered = _examples(view, legal)
            ways = {
                named: "propose this swap",
                short: "the same, shorter",
                numbered: "by numbers: your card, then seat.card",
                "pass": "propose nothing",
            }
        ways["quit"] = "stop here; you can resume the game"
        width = max(map(cells, ways))
        return [f"{padded(way, width)}  {meaning}" for way, meaning in ways.items()]

    def read(self, text: str, view: PokerMarketView, legal: LegalActions) -> Action:
        """Return the action that an answer names: ``KD for Player2's 3C``, ``1 for 2.3``, ``pass``; ``accept``."""
        assert view.to_act is not None
        said = " ".join(text.split())
        plain = _ANSWERS if legal.answer is not None else _PASSES
        if (action := plain.get(said.lower())) is not None:
            return action(view.to_act)
        if legal.answer is None and (found := _FOR.fullmatch(said)):
            return _read_swap(found["gives"], found["gets"], view, view.to_act)
        can = "accept or decline" if legal.answer is not None else "name a swap, such as 1 for 2.1, or pass"
        raise InvalidAnswer(f"{not_understood(text)} You can: {can}.")


_ANSWERS: Final[dict[str, Callable[[int], Action]]] = {
    "accept": Accept, "a": Accept, "yes": Accept, "y": Accept, "take": Accept, "take it": Accept, "ok": Accept,
    "decline": Decline, "d": Decline, "no": Decline, "n": Decline, "leave it": Decline,
}  # fmt: skip
_PASSES: Final[dict[str, Callable[[int], Action]]] = {"pass": Pass, "p": Pass}
_HELP: Final = ("help", "?", "h")
_FOR: Final = re.compile(r"(?:(?:propose|swap|offer) )?(?:my )?(?P<gives>[^ ]+) for (?P<gets>.+)", re.IGNORECASE)
_PLACE: Final = re.compile(r"(?P<seat>[0-9]{1,3})[.:](?P<card>[0-9]{1,3})")


def _examples(view: PokerMarketView, legal: LegalActions) -> tuple[str, str, str]:
    """Return a swap as it may be typed: with the partner's name, by the two cards, by numbers."""
    give, (partner, (get, *_)) = legal.gives[0], legal.gets[0]
    return f"{give} for {view.seat(partner).name}'s {get}", f"{give} for {get}", f"1 for {partner}.1"


def _read_swap(gives: str, gets: str, view: PokerMarketView, seat: int) -> Action:
    """Return the swap of a card of the seat's own, by name or number, for another's, by name, or as seat.number."""
    given = _at(view.seat(seat), int(gives)) if re.fullmatch("[0-9]", gives) else _card(gives)
    if numbered := _PLACE.fullmatch(gets):
        partner = int(numbered["seat"])
        if not 1 <= partner <= len(view.seats):
            raise InvalidAnswer(f"There is no seat {partner}; seats are 1 to {len(view.seats)}.")
        return Propose(seat, given, partner, _at(view.seat(partner), int(numbered["card"])))
    whose, _, last = gets.rpartition(" ")
    card = _card(last)
    if whose:
        return Propose(seat, given, _named(whose, view), card)
    holder = next((other.seat for other in view.seats if card in other.cards), None)
    if holder is None:
        raise InvalidAnswer(f"Nobody at the table holds {card}; it is still in the deck.")
    return Propose(seat, given, holder, card)


def _card(text: str) -> Card:
    try:
        return Card.parse(text)
    except InvalidCard as error:
        raise InvalidAnswer(f"{error} You can also use numbers, such as 1 for 2.3.") from error


def _at(seat: SeatView, number: int) -> Card:
    if not 1 <= number <= len(seat.cards):
        raise InvalidAnswer(f"There is no card {number}; the cards of {seat.name} are 1 to {len(seat.cards)}.")
    return seat.cards[number - 1]


def _named(whose: str, view: PokerMarketView) -> int:
    """Return the seat that a text names: ``Player2's``, ``player2``, or its number."""
    asked = whose.casefold()
    for seat in view.seats:
        name = seat.name.casefold()
        if asked in (name, f"{name}'s", f"{name}’s", f"{name}'", f"{name}’", str(seat.seat)):
            return seat.seat
    names = ", ".join(seat.name for seat in view.seats)
    raise InvalidAnswer(f"Nobody at the table is called {shorten(whose, 40)!r}; the players are {names}.")


def _after(swap: Propose, view: PokerMarketView) -> tuple[Hand, int]:
    """Return the hand of the partner after a swap, and its rank."""
    hands = {seat.seat: list(seat.cards) for seat in view.seats}
    hands[swap.seat][hands[swap.seat].index(swap.gives)] = swap.gets
    hands[swap.partner][hands[swap.partner].index(swap.gets)] = swap.gives
    standing = {seat: (Hand(hands[seat]), turn) for turn, seat in enumerate(view.order)}
    hand, turn = standing[swap.partner]
    return hand, 1 + sum((other, its_turn) > (hand, turn) for other, its_turn in standing.values())


def _market(view: PokerMarketView) -> str:
    return f"Market {view.market} of {view.rules.markets}" if view.rules.markets > 1 else "The market"


def _heading(view: PokerMarketView) -> str:
    if view.stage == "over":
        return f"The game is over after round {view.round}"
    if view.to_act is None:
        return f"{_market(view)} after round {view.round_in_market}"
    name = view.seat(view.to_act).name
    to_do = f"{name}'s turn" if view.proposal is None else f"{name}'s answer"
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
    return f"{state.names[event.seat]} proposes {event.gives} for {state.names[event.partner]}'s {event.gets}"


def _accepted(event: events.SwapAccepted, state: Market) -> str:
    swap = state.swaps[-1]
    hands = "; ".join(f"{state.names[seat]} has {described(state.hands[seat])}" for seat in (swap.seat, swap.partner))
    return f"{state.names[event.seat]} accepts: {hands}"


def _forfeited(event: events.Forfeited, state: Market) -> str:
    why = {"illegal": "gave an illegal answer", "raised": "failed", "timeout": "took too long"}[event.code]
    return f"{state.names[event.seat]} {why} and forfeits the choice"


def _forgone(event: events.RoundForgone, state: Market) -> str:
    name = state.names[event.seat]
    return f"The share of the shuffle from {name} was missed, so {name} is out of {_this_market(state)}"


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
    events.SwapDeclined: lambda e, s: f"{s.names[e.seat]} declines",
    events.TurnPassed: lambda e, s: f"{s.names[e.seat]} passes",
    events.Forfeited: _forfeited,
    events.RoundForgone: _forgone,
    events.RoundEnded: _round_ended,
    events.HandsRanked: _ranked,
    events.GameClosed: lambda _, __: "The game is closed: no more rounds are played",
    events.GameEnded: lambda _, s: f"The game is over: {_closed(s)} closed",
}
