"""Draw poker in words: what people are shown, and how what they type is read. Plain text, no terminal codes."""

import re
from collections.abc import Callable
from textwrap import shorten
from typing import Any, Final

from pokersvc.cards import Card, Hand, InvalidCard
from pokersvc.cards.phrases import say_hand
from pokersvc.core.actions import Action
from pokersvc.core.event import EVERYONE, Event
from pokersvc.core.seats import say_seats
from pokersvc.core.words import InvalidAnswer, Words, not_understood
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise, either, say_range
from pokersvc.games.draw_poker.advice import best_for_person, own_hand, say_worth, table_for_person
from pokersvc.games.draw_poker.history_words import HIDDEN, DrawPokerHistoryWords
from pokersvc.games.draw_poker.seats import has
from pokersvc.games.draw_poker.short import folded_unasked
from pokersvc.games.draw_poker.situation import Cards, Situation
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.draw_poker.view import DrawPokerView, SeatView, entry_of
from pokersvc.text import cells, counted, padded


def say_cards(cards: Cards | None, count: int) -> str:
    """Return cards, or how many they are where they are hidden."""
    if not cards or None in cards:
        return counted(count, "card")
    return " ".join(map(str, cards))


class DrawPokerWords(DrawPokerHistoryWords, Words[events.GameStarted, DrawPokerState, DrawPokerView, LegalActions]):
    """What draw poker shows to people and reads from them; see `pokersvc.core.words.Words`."""

    def tell(self, event: Event, state: DrawPokerState) -> str:
        """Return an event in a sentence; several hands are a line each."""
        return _TELL[type(event)](event, state)

    def show(self, view: DrawPokerView) -> list[str]:
        """Return the table, one line per seat."""
        if view.round == 0:
            head = "Before the first round"
        elif view.stage == "over":
            head = f"The game is over after round {view.round}"
        else:
            head = f"Round {view.round}, {view.stage}: pot {view.pot}{_say_pots(view)}"
            if view.price:
                head += f", the bet is {view.price}"
            if view.to_act is not None:
                head += f"; it is {view.seat(view.to_act).name}'s turn"
        width = max(cells(_label(seat, view)) for seat in view.seats)
        chips = max(len(f"{seat.stack:,}") for seat in view.seats)
        return [head, *(_show_seat(seat, view, width, chips) for seat in view.seats)]

    def ask(self, view: DrawPokerView, legal: LegalActions) -> str:
        """Return the question with the possible answers; before a draw, with advice."""
        if not legal.discard or not _seen(view):
            return self.question(view, legal)
        return f'{_advice(view, legal)}\n{_ask_for_discards(legal.discard)}, "table" to compare, or Enter to keep all'

    def question(self, view: DrawPokerView, legal: LegalActions) -> str:
        """Return the question with the possible answers."""
        if legal.discard is not None:
            if not legal.discard:
                return "No cards are left to draw: press Enter to keep your hand"
            if not _seen(view):
                return "You have not seen this hand: press Enter to keep all"
            return f"{_ask_for_discards(legal.discard)}, or Enter to keep all"
        said = legal.said()
        if legal.call and legal.call == view.seat(view.to_act or 0).stack:
            said[said.index(f"call {legal.call}")] += " (all in)"
        question = either(said)
        return question[0].upper() + question[1:]

    def explain(self, text: str, view: DrawPokerView, legal: LegalActions) -> list[str] | None:
        """Return the table of all discards if the text is ``table``."""
        return self.advise(view, legal) if text.strip().lower() == _SHOWS_ADVICE else None

    def advise(self, view: DrawPokerView, legal: LegalActions) -> list[str] | None:
        """Return the table of all discards; None where there is no draw, or where the hand is not shown."""
        if legal.discard is None or not _seen(view):
            return None
        return table_for_person(view, legal)

    def takes_advice(self, text: str, legal: LegalActions) -> bool:
        """Tell whether the answer is ``ok`` or the like in the draw, or ``table``, which shows what it takes."""
        return legal.discard is not None and text.strip().lower() in (*_TAKES_ADVICE, _SHOWS_ADVICE)

    def before_round(self, view: DrawPokerView, seat: int) -> list[str]:
        """Warn of a short stack that the house may fold without asking."""
        folded = folded_unasked(view, seat)
        if folded is None:
            return []
        one = view.seat(seat)
        if folded == "surrenders":
            due = f"less than the ante of {view.rules.ante_of(view.round + 1)}"
            lost = f"The next round takes it and {one.name} is out; leave to keep it."
            return [f"{one.name} has ${one.stack:,}, {due}. {lost}"]
        ante = "the ante and " if view.rules.ante_of(view.round + 1) else ""
        if folded == "surely":
            due = f"less than {ante}the minimum bet"
            return [f"{one.name} has ${one.stack:,}, {due}. Unless all others fold, the hand is folded without asking."]
        more = f"If {ante}the bets of the next round come to more"
        return [f"{one.name} has ${one.stack:,}. {more}, the hand is folded without asking."]

    def read(self, text: str, view: DrawPokerView, legal: LegalActions) -> Action:
        """Return the action that an answer names: ``bet 50``, ``fold``; in the draw ``1,3,5``, cards, or ``ok``."""
        assert view.to_act is not None
        if legal.discard is not None:
            if text.strip().lower() in _TAKES_ADVICE and _seen(view):
                return Discard(view.to_act, best_for_person(view, legal).thrown)
            return _read_discard(text, view, view.to_act)
        return self._read_betting(text, view, legal, view.to_act)

    def _read_betting(self, text: str, view: DrawPokerView, legal: LegalActions, seat: int) -> Action:
        word, _, rest = text.strip().lower().partition(" ")
        rest = rest.strip().removeprefix("to ").strip()
        if word in _PLAIN and not rest:
            return _PLAIN[word](seat)
        if word in ("call", "c") and rest == str(legal.call):
            return Call(seat)
        if legal.check and not view.price and " ".join([word, rest]).strip() in _NO_BET:
            return Check(seat)
        amounts = legal.bet or legal.raise_to
        if " ".join([word, rest]).strip() in _ALL_IN:
            return _all_in(view.seat(seat), legal)
        if word.lstrip("-+").isdigit() and not rest:
            word, rest = ("bet" if legal.bet is not None else "raise"), word
        if word in ("bet", "b", "raise", "r") and amounts is not None and not rest and amounts[0] == amounts[1]:
            rest = str(amounts[0])
        if word in ("bet", "b", "raise", "r") and (amounts is not None or rest.isdecimal()):
            amount = _read_chips(rest, "bet" if legal.bet is not None else "raise", amounts)
            return Bet(seat, amount) if word.startswith("b") else Raise(seat, amount)
        raise InvalidAnswer(f"{not_understood(text)} You can: {self.ask(view, legal).lower()}.")


_PLAIN: Final[dict[str, Callable[[int], Action]]] = {
    "check": Check, "k": Check, "hold": Check, "call": Call, "c": Call, "fold": Fold, "f": Fold,
}  # fmt: skip


_TAKES_ADVICE: Final = ("ok", "okay", "advice", "y", "yes")
_SHOWS_ADVICE: Final = "table"


def _seen(view: DrawPokerView) -> bool:
    """Tell whether the viewer has seen the hand that they hold: not where they took the seat over in the round."""
    hand = view.seat(own_hand(view)[0]).cards
    return bool(hand) and None not in hand


def _ask_for_discards(most: int) -> str:
    return f"Discard up to {most}: positions ({'1,3' if most > 1 else '3'})"


def _advice(view: DrawPokerView, legal: LegalActions) -> str:
    """Return the line that a person sees before the draw: which cards to throw away, and at which positions."""
    best = best_for_person(view, legal)
    advice = f"Advice ({say_worth(view, best)})"
    if not best.thrown:
        return f'{advice}: keep all; say "ok" to do so'
    hand = view.seat(view.to_act or 0).cards
    positions = sorted(hand.index(card) + 1 for card in best.thrown)
    named = " ".join(str(hand[position - 1]) for position in positions)
    word = "position" if len(positions) == 1 else "positions"
    return f'{advice}: discard {named} ({word} {",".join(map(str, positions))}); "ok" takes it'


_ALL_IN: Final = ("all in", "all-in", "allin")


def _all_in(seat: SeatView, legal: LegalActions) -> Action:
    """Return the bet, raise or call with which a seat goes all in."""
    if legal.bet is not None and legal.bet[1] == seat.stack:
        return Bet(seat.seat, seat.stack)
    if legal.raise_to is not None and legal.raise_to[1] == seat.put + seat.stack:
        return Raise(seat.seat, seat.put + seat.stack)
    if legal.call == seat.stack:
        return Call(seat.seat)
    raise InvalidAnswer(f"{seat.name} cannot go all in now. You can: {either(legal.said())}.")


_NO_BET: Final = ("0", "bet 0", "b 0")
"""A bet of nothing is a check."""


def _read_chips(text: str, what: str, limits: tuple[int, int] | None) -> int:
    example = f"{what} {say_range(limits)}" if limits is not None else f"{what} and a number"
    if re.fullmatch(r"[+-]?[0-9]{1,15}", text):
        return int(text)
    wrong = f"{shorten(text, 40)!r} is not a number of chips" if text else "A number of chips is missing"
    raise InvalidAnswer(f"{wrong}. You can: {example}.")


_LIST_MARKS: Final = str.maketrans(",()[]", "     ")
"""Punctuation that people type in a list."""


def _read_discard(text: str, view: DrawPokerView, seat: int) -> Action:
    hand = view.seat(seat).cards
    words = text.translate(_LIST_MARKS).split()
    if [word.lower() for word in words] in (["none"], ["pat"], ["keep"]):
        words = []
    if words and None in hand:
        raise InvalidAnswer("You have not seen this hand, so you can only keep all: press Enter.")
    chosen: list[Card] = []
    for word in words:
        if word.isdecimal():
            if len(word) > 9 or not 1 <= int(word) <= len(hand):
                raise InvalidAnswer(f"There is no card {word}; positions are 1 to {len(hand)}.")
            card = hand[int(word) - 1]
            assert card is not None
        else:
            try:
                card = Card.parse(word)
            except InvalidCard as error:
                raise InvalidAnswer(f"{error} You can also name positions, 1 to {len(hand)}.") from error
        if card in chosen:
            raise InvalidAnswer(f"{card} is named twice; name each card once.")
        chosen.append(card)
    return Discard(seat, tuple(chosen))


def _say_pots(view: DrawPokerView) -> str:
    """Return the pots if there are several."""
    if len(view.pots) < 2:
        return ""
    side = ", ".join(f"side pot {number} {amount}" for number, amount in enumerate(view.pots[1:], 1))
    return f" (main pot {view.pots[0]}, {side})"


def _label(seat: SeatView, view: DrawPokerView) -> str:
    """Return a seat's name, marked if it has the dealer button."""
    return f"{seat.name} (D)" if view.button == seat.seat else seat.name


def _show_seat(seat: SeatView, view: DrawPokerView, width: int, chips: int) -> str:
    parts = [f"  {padded(_label(seat, view), width)}  ${f'{seat.stack:,}':<{chips}}"]
    if seat.put:
        parts.append(f"put in {seat.put}")
    if seat.all_in:
        parts.append("all in")
    if seat.cards and view.stage != "over":
        parts.append(HIDDEN if None in seat.cards else _named(seat.cards))
    if seat.standing != "in":
        parts.append(seat.standing)
    return "  ".join(parts)


def _named(cards: Cards) -> str:
    seen = [card for card in cards if card is not None]
    return say_hand(seen) + (f" {Hand(seen).describe()}" if len(seen) == 5 else "")


def _started(event: events.GameStarted, state: Situation) -> str:
    who = say_seats(event.seats, hidden_kinds=event.hidden_kinds)
    again = "; reproducible from its seed" if event.reproducible else ""
    return f"Five-card draw, {event.rules.name}: {who}; ${event.rules.stack:,} each{again}"


def _round_started(event: events.RoundStarted, state: Situation) -> str:
    carried = f", {state.pot} carried in the pot" if state.pot else ""
    ante = f": the ante is {event.ante}" if event.ante else ""
    return f"Round {event.round} starts{ante}{_button(event, state)}{carried}"


def _button(event: events.RoundStarted, state: Situation) -> str:
    """Return where the button is, and whether the small blind is missing because its player has left."""
    if not event.button:
        return ""
    name = state.names[event.button]
    empty = not has(state.seated, event.button)
    said = f", the button is at the empty seat of {name}" if empty else f", {name} has the button"
    return said + (", nobody has the small blind" if state.small_blind_missing else "")


def _all_in_by(seat: int, state: Situation) -> str:
    return " and is all in" if has(state.all_in, seat) else ""


def _blind(event: events.BlindPosted, state: Situation) -> str:
    name = state.names[event.seat]
    if not event.amount:
        return f"{name} has nothing left for the {event.blind} blind"
    return f"{name} posts the {event.blind} blind, {event.amount}{_all_in_by(event.seat, state)}"


def _opened(event: events.HandsOpened, state: Situation) -> str:
    valued = state.rules.open_hands == "after_draw"  # before the final betting, a value helps to judge them
    hands = (
        f"{state.names[hand.seat]} {_named(hand.cards)}" + (f", worth {Hand(hand.cards).linear}" if valued else "")
        for hand in event.hands
    )
    return "\n  ".join(["All hands are shown:" if valued else "Showdown:", *hands])


def _discarded(event: events.CardsDiscarded, state: Situation) -> str:
    if not event.count:
        return f"{state.names[event.seat]} stands pat"
    return f"{state.names[event.seat]} discards {say_cards(event.cards, event.count)}"


def _forfeited(event: events.Forfeited, state: Situation) -> str:
    why = {"illegal": "gave an illegal answer", "raised": "failed", "timeout": "took too long"}[event.code]
    return f"{state.names[event.seat]} {why} and forfeits the choice"


def _forgone(event: events.RoundForgone, state: Situation) -> str:
    return f"The share of the shuffle from {state.names[event.seat]} was missed, so {state.names[event.seat]} folds"


def _awarded(event: events.PotAwarded, state: Situation) -> str:
    which = f" of side pot {event.pot - 1}" if event.pot > 1 else " of the main pot" if state.several_pots() else ""
    if event.reason == "game_end":
        which = ", the chips left in the pot"
    if event.reason == "last_in":
        which = ", the only player left"
    return "; ".join(f"{state.names[share.seat]} wins {share.amount}{which}" for share in event.shares)


def _left(event: events.PlayerLeft, state: Situation) -> str:
    name = state.names[event.seat]
    if event.reason == "withdrew":
        return f"{name} leaves the game with ${state.stacks[event.seat]:,}"
    if event.amount:
        return f"{name} cannot pay the ante and is out; {counted(event.amount, 'chip')} left in the pot"
    return f"{name} cannot continue and is out with ${state.stacks[event.seat]:,}"


def _revealed(event: events.HandsRevealed, state: Situation) -> str:
    hands = (f"{state.names[hand.seat]} {_named(hand.cards)}" for hand in event.hands)
    return "\n  ".join([f"Round {event.round}, the hands that were not shown:", *hands])


def _ended(event: events.GameEnded, state: Situation) -> str:
    if state.closed:
        return "The game is over: it was closed"
    why = "all rounds are played" if event.reason == "rounds" else "fewer than two players can go on"
    return f"The game is over: {why}"


_TELL: Final[dict[type, Callable[[Any, Situation], str]]] = {
    events.GameStarted: _started,
    events.RoundStarted: _round_started,
    events.DeckShuffled: lambda _, __: "The deck is shuffled",
    events.AntePosted: lambda e, s: f"{s.names[e.seat]} antes {e.amount}{_all_in_by(e.seat, s)}",
    events.BlindPosted: _blind,
    events.HandDealt: lambda e, s: f"{s.names[e.seat]} is dealt {say_cards(e.cards, e.count)}",
    events.OpenerChosen: lambda e, s: f"{s.names[e.seat]} is chosen at random to open the betting",
    events.Checked: lambda e, s: f"{s.names[e.seat]} checks",
    events.Bet: lambda e, s: f"{s.names[e.seat]} bets {e.amount}{_all_in_by(e.seat, s)}, the pot is {s.pot}",
    events.Called: lambda e, s: f"{s.names[e.seat]} calls {e.amount}{_all_in_by(e.seat, s)}, the pot is {s.pot}",
    events.Raised: lambda e, s: f"{s.names[e.seat]} raises to {e.to}{_all_in_by(e.seat, s)}, the pot is {s.pot}",
    events.Folded: lambda e, s: f"{s.names[e.seat]} folds" + (", short of chips" if e.reason == "short" else ""),
    events.Forfeited: _forfeited,
    events.RoundForgone: _forgone,
    events.CardsDiscarded: _discarded,
    events.CardsDrawn: lambda e, s: f"{s.names[e.seat]} draws {say_cards(e.cards, e.count)}",
    events.DeckReshuffled: lambda e, _: f"The deck ran out; the new one has {counted(e.count, 'card')}",
    events.HandsOpened: _opened,
    events.HandShown: lambda e, s: f"{s.names[e.seat]} shows {_named(e.cards)}",
    events.HandMucked: lambda e, s: f"{s.names[e.seat]} mucks a beaten hand",
    events.UncalledBetReturned: lambda e, s: f"{s.names[e.seat]} takes back {e.amount}, which nobody called",
    events.PotAwarded: _awarded,
    events.RemainderCarried: lambda e, _: f"{counted(e.amount, 'chip')} carried into the next round",
    events.PlayerLeft: _left,
    events.RoundEnded: lambda _, s: DrawPokerWords().line(entry_of(s, EVERYONE)),
    events.HandsRevealed: _revealed,
    events.GameClosed: lambda _, __: "The game is closed: no more rounds are played",
    events.GameEnded: _ended,
}
