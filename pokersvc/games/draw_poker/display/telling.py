"""The events of draw poker in sentences, with cards and amounts formatted for people."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from pokersvc.betting.seats import has
from pokersvc.cards import Hand
from pokersvc.cards.phrases import say_hand
from pokersvc.cards.unknown import all_known, known_among
from pokersvc.core.event import EVERYONE
from pokersvc.core.seats import OPEN, say_seats
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.games.draw_poker.display.cash_telling import cash_telling
from pokersvc.games.draw_poker.display.hand_drawn import in_reading_order
from pokersvc.games.draw_poker.display.history_words import HIDDEN, HISTORY_WORDS, NOT_KNOWN
from pokersvc.games.draw_poker.display.stakes_words import (
    chips_raced_off,
    level_begun,
    stakes_changed,
    timed_level_began,
)
from pokersvc.games.draw_poker.display.tournament_words import add_on_taken, prizes_awarded, reentered, say_places
from pokersvc.games.draw_poker.house.cash_table import CashTable, seats_at_start
from pokersvc.games.draw_poker.recorded_hands.recorded_events import (
    CardsLearned,
    DealRecorded,
    HandQuoted,
    PlayedAt,
    RecordedCardsDiscarded,
    RecordedCardsDrawn,
    RecordedHandDealt,
)
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.games.draw_poker.view import entry_of
from pokersvc.streets.state import Cards
from pokersvc.text import YOU, counted, does, whose


def say_cards(cards: Cards | None, count: int) -> str:
    """Return cards as text, or their number if they are hidden or if nobody recorded any of them."""
    if not cards or None in cards:
        return counted(count, "card")
    return " ".join(map(str, cards)) if known_among(cards) else counted(count, "unknown card")


def held(cards: Cards) -> str:
    """Return a hand and its rank, the cards in the order of their numbers; or that the hand is hidden, or not known."""
    if None in cards:
        return HIDDEN
    return named(in_reading_order(cards)) if known_among(cards) else NOT_KNOWN


def named(cards: Cards) -> str:
    """Return the visible cards of a hand, with its rank if all are known."""
    seen = [card for card in cards if card is not None]
    return say_hand(seen) + (f" {Hand(cards).describe()}" if len(cards) == 5 and all_known(cards) else "")


def dollars(amount: int, table: CashTable | None) -> str:
    """Return an amount in the format of a balance: chips as dollars, other money in its currency."""
    return f"${amount:,}" if table is None or not table.currency.code else table.currency.say(amount)


def amount_of(amount: int, table: CashTable | None) -> str:
    """Return an amount in chips, or in the currency of the table."""
    return str(amount) if table is None else table.currency.say(amount)


def in_digits(amount: int, table: CashTable | None) -> str:
    """Return an amount as `amount_of` does, with commas in large numbers of chips, for a drawn table."""
    return f"{amount:,}" if table is None or not table.currency.code else table.currency.say(amount)


def _started(event: events.GameStarted, state: Situation) -> str:
    who = say_seats(seats_at_start(event.seats, event.table), hidden_kinds=event.hidden_kinds)
    again = "; reproducible from its seed" if event.reproducible else ""
    return f"Five-card draw, {event.rules.name}: {who}; {_say_stacks(event)}{again}"


def _say_stacks(event: events.GameStarted) -> str:
    """Return the starting stacks: one amount for all, or the place and the stack of each seat that is not open."""
    if event.table is None:
        return f"${event.rules.stack:,} each"
    seats = seats_at_start(event.seats, event.table)
    places = zip(event.table.numbers, event.table.stacks, seats, strict=False)
    stacks = ", ".join(
        f"seat {number} {dollars(stack, event.table)}" for number, stack, seat in places if seat.kind != OPEN
    )
    return f"{stacks}; hand {event.table.hand}" if event.table.hand > 1 else stacks


def _round_started(event: events.RoundStarted, state: Situation) -> str:
    carried = f", {state.pot} carried in the pot" if state.pot else ""
    ante = f": the ante is {_money(event.ante, state)}" if event.ante else ""
    bomb = " as a bomb pot" if state.is_bomb_pot else ""
    return f"Round {event.round} starts{bomb}{level_begun(event, state)}{ante}{_button(event, state)}{carried}"


def _button(event: events.RoundStarted, state: Situation) -> str:
    """Return where the button is, and that there is no small blind if the player who should post it has left."""
    if not event.button:
        return ""
    name = state.names[event.button]
    empty = not has(state.seated, event.button)
    place, own = state.place_of_button, state.places[event.button - 1]
    if place != own:
        said = f", the button is at seat {place}, where nobody sits"
    elif empty:
        said = f", the button is at the empty seat of {name}"
    else:
        said = f", {name.lower() if name == YOU else name} {_verb(name, 'has')} the button"
    return said + (", nobody has the small blind" if state.small_blind_missing else "")


def _verb(name: str, verb: str) -> str:
    """Return the verb form for somebody named earlier in the sentence, who may be ``You``."""
    return does(name, verb).removeprefix(f"{name} ")


def _all_in_by(seat: int, state: Situation) -> str:
    if not has(state.all_in, seat):
        return ""
    return f" and {_verb(state.names[seat], 'is')} all in"


def _blind(event: events.BlindPosted, state: Situation) -> str:
    name = state.names[event.seat]
    if not event.amount:
        return f"{does(name, 'has')} nothing left for the {event.blind} blind"
    return (
        f"{does(name, 'posts')} the {event.blind} blind, {_money(event.amount, state)}{_all_in_by(event.seat, state)}"
    )


def _where(event: events.SatDown, state: Situation) -> str:
    """Return the seat at which a newcomer sits down; empty for anybody else."""
    return f" at seat {state.places[event.seat - 1]}" if event.name is not None else ""


_POSTED: Final = {"extra": "an extra blind", "dead": "dead money", "straddle": "a straddle"}


def _posted(event: events.Posted, state: Situation) -> str:
    name, what = state.names[event.seat], _POSTED[event.kind]
    if not event.amount:
        return f"{does(name, 'has')} nothing left for {what}"
    return f"{does(name, 'posts')} {what}, {_money(event.amount, state)}{_all_in_by(event.seat, state)}"


def _money(amount: int, state: Situation) -> str:
    return amount_of(amount, state.table)


def _into_the_pot(event: events.Bet | events.Called | events.Raised, amount: int, state: Situation) -> str:
    """Return an amount, whether it puts the seat all in, and the pot after it."""
    return f"{_money(amount, state)}{_all_in_by(event.seat, state)}, the pot is {_money(state.pot, state)}"


def _raked(event: events.RakeTaken, state: Situation) -> str:
    main = "the main pot" if state.several_pots() else "the pot"
    which = main if event.pot == 1 else f"side pot {event.pot - 1}"
    return f"The house takes {_money(event.amount, state)} of {which}"


def _dealt(event: events.HandDealt | earlier_events.HandDealt, state: Situation) -> str:
    """Return the sentence that a seat was dealt a hand, with the cards in the order of their numbers."""
    return f"{does(state.names[event.seat], 'is')} dealt {say_cards(in_reading_order(event.cards or ()), event.count)}"


def _opened(event: events.HandsOpened, state: Situation) -> str:
    valued = state.rules.open_hands == "after_draw"  # before the final betting, values help to judge the hands
    hands = (
        f"{state.names[hand.seat]} {named(hand.cards)}" + (f", worth {Hand(hand.cards).linear}" if valued else "")
        for hand in event.hands
    )
    return "\n  ".join(["All hands are shown:" if valued else "Showdown:", *hands])


def _mucked(event: events.HandMucked, state: Situation) -> str:
    hand = state.hands[event.seat]
    unknown = bool(hand) and None not in hand and not known_among(hand)
    return f"{does(state.names[event.seat], 'mucks')} {'a hand that is not known' if unknown else 'a beaten hand'}"


def _discarded(event: events.CardsDiscarded | RecordedCardsDiscarded, state: Situation) -> str:
    if not event.count:
        return f"{does(state.names[event.seat], 'stands')} pat"
    return f"{does(state.names[event.seat], 'discards')} {say_cards(event.cards, event.count)}"


def _drew(event: events.CardsDrawn | earlier_events.CardsDrawn | RecordedCardsDrawn, state: Situation) -> str:
    return f"{does(state.names[event.seat], 'draws')} {say_cards(event.cards, event.count)}"


def _forfeited(event: events.Forfeited, state: Situation) -> str:
    why = {"illegal": "gave an illegal answer", "raised": "failed", "timeout": "took too long"}[event.code]
    name = state.names[event.seat]
    return f"{name} {why} and {_verb(name, 'forfeits')} the choice"


def _forgone(event: events.RoundForgone, state: Situation) -> str:
    name = state.names[event.seat]
    who = name.lower() if name == YOU else name
    return f"The share of the shuffle from {who} was missed, so {who} {_verb(name, 'folds')}"


def _awarded(event: events.PotAwarded, state: Situation) -> str:
    which = f" of side pot {event.pot - 1}" if event.pot > 1 else " of the main pot" if state.several_pots() else ""
    if event.reason == "game_end":
        which = ", the chips left in the pot"
    if event.reason == "last_in":
        which = ", the only player left"
    return "; ".join(
        f"{does(state.names[share.seat], 'wins')} {_money(share.amount, state)}{which}" for share in event.shares
    )


def _left(event: events.PlayerLeft, state: Situation) -> str:
    name = state.names[event.seat]
    if event.reason == "withdrew":
        return f"{does(name, 'leaves')} the game with {dollars(state.stacks[event.seat], state.table)}"
    if event.amount:
        return (
            f"{name} cannot pay the ante and {_verb(name, 'is')} out; {counted(event.amount, 'chip')} left in the pot"
        )
    return f"{name} cannot continue and {_verb(name, 'is')} out with {dollars(state.stacks[event.seat], state.table)}"


def _revealed(event: events.HandsRevealed, state: Situation) -> str:
    names = state.names_revealed
    hands = (f"{names[hand.seat]} {named(hand.cards)}" for hand in event.hands)
    return "\n  ".join([f"Round {event.round}, the hands that were not shown:", *hands])


def _ended(event: events.GameEnded, state: Situation) -> str:
    why = "all rounds are played" if event.reason == "rounds" else "fewer than two players can go on"
    why = "it was closed" if state.closed else why
    places = f". Places: {say_places(state)}" if state.is_tournament else ""
    return f"The game is over: {why}{places}"


def _quoted(event: HandQuoted, state: Situation) -> str:
    at = f" at {event.table}" if event.table is not None else ""
    when = f", played {_moment(event.played)}" if event.played is not None else ""
    hero = f", as {state.names[event.hero]} saw it" if event.hero is not None else ""
    level = event.tournament.level if event.tournament is not None else None
    in_ = f", tournament {event.tournament.number}" if event.tournament is not None else ""
    found = f"; {counted(len(event.findings), 'finding')}: {event.findings[0]}" if event.findings else ""
    return f"{event.site} hand {event.number}{at}{in_}{f' level {level}' if level else ''}{when}{hero}{found}"


def _moment(played: PlayedAt) -> str:
    """Return when a hand was played: as the site writes it if the site names a time zone; otherwise in UTC."""
    return played.text if played.zone else f"{played.utc.removesuffix('Z').replace('T', ' ')} UTC"


def _recorded(event: DealRecorded, _state: Situation) -> str:
    if event.cards is None:
        return "There is no deck: the cards are those that were recorded"
    seats = sum(bool(known_among((*of.dealt, *of.drawn, *of.held))) for of in event.cards)
    return f"There is no deck: cards of {counted(seats, 'seat')} were recorded"


def _learned(event: CardsLearned, state: Situation) -> str:
    name = state.names[event.seat]
    parts = (("dealt", event.dealt), ("discarded", event.discarded), ("drew", event.drawn), ("held", event.held))
    said = [f"{verb} {' '.join(map(str, cards))}" for verb, cards in parts if cards and known_among(cards)]
    return f"More of {whose(name, 'cards')} became known" + (f": {name} {', '.join(said)}" if said else "")


EventSentence: TypeAlias = Callable[[Any, Situation], str]
"""A function that returns an event in words, given the situation after it."""

TELL: Final[dict[type, EventSentence]] = {
    events.GameStarted: _started,
    events.RoundStarted: _round_started,
    events.DeckShuffled: lambda _, __: "The deck is shuffled",
    events.AntePosted: lambda e, s: f"{does(s.names[e.seat], 'antes')} {_money(e.amount, s)}{_all_in_by(e.seat, s)}",
    events.BlindPosted: _blind,
    events.Posted: _posted,
    events.HandDealt: _dealt,
    earlier_events.HandDealt: _dealt,
    events.OpenerChosen: lambda e, s: f"{does(s.names[e.seat], 'is')} chosen at random to open the betting",
    events.Checked: lambda e, s: f"{does(s.names[e.seat], 'checks')}",
    events.Bet: lambda e, s: f"{does(s.names[e.seat], 'bets')} {_into_the_pot(e, e.amount, s)}",
    events.Called: lambda e, s: f"{does(s.names[e.seat], 'calls')} {_into_the_pot(e, e.amount, s)}",
    events.Raised: lambda e, s: f"{does(s.names[e.seat], 'raises')} to {_into_the_pot(e, e.to, s)}",
    events.Folded: lambda e, s: (
        f"{does(s.names[e.seat], 'folds')}" + (", short of chips" if e.reason == "short" else "")
    ),
    events.Forfeited: _forfeited,
    events.RoundForgone: _forgone,
    events.CardsDiscarded: _discarded,
    events.CardsDrawn: _drew,
    earlier_events.CardsDrawn: _drew,
    events.DeckReshuffled: lambda e, _: f"The deck ran out; the new one has {counted(e.count, 'card')}",
    events.HandsOpened: _opened,
    events.HandShown: lambda e, s: f"{does(s.names[e.seat], 'shows')} {named(e.cards)}",
    events.HandMucked: _mucked,
    events.UncalledBetReturned: lambda e, s: (
        f"{does(s.names[e.seat], 'takes')} back {_money(e.amount, s)}, which nobody called"
    ),
    events.RakeTaken: _raked,
    events.PotAwarded: _awarded,
    events.RemainderCarried: lambda e, _: f"{counted(e.amount, 'chip')} carried into the next round",
    events.PlayerLeft: _left,
    events.SatDown: lambda e, s: f"{does(s.names[e.seat], 'sits')} down{_where(e, s)} with {_money(e.amount, s)}",
    events.GotUp: lambda e, s: f"{does(s.names[e.seat], 'gets')} up with {_money(e.amount, s)}",
    events.ChipsBought: lambda e, s: f"{does(s.names[e.seat], 'buys')} {_money(e.amount, s)}",
    events.SatOut: lambda e, s: f"{does(s.names[e.seat], 'sits')} out",
    events.CardsShown: lambda e, s: f"{does(s.names[e.seat], 'shows')} {say_cards(e.cards, len(e.cards))}",
    events.SatIn: lambda e, s: f"{does(s.names[e.seat], 'plays')} again",
    **cash_telling(_money),
    events.LevelBegan: timed_level_began,
    events.ChipsRacedOff: lambda e, s: chips_raced_off(e, s, lambda amount: _money(amount, s)),
    events.StakesChanged: lambda e, s: stakes_changed(e, s, lambda amount: _money(amount, s)),
    events.RoundEnded: lambda _, s: HISTORY_WORDS.line(entry_of(s, EVERYONE)),
    events.HandsRevealed: _revealed,
    events.GameClosed: lambda _, __: "The game is closed: no more rounds are played",
    events.Reentered: reentered,
    events.AddOnTaken: add_on_taken,
    events.PrizesAwarded: prizes_awarded,
    events.GameEnded: _ended,
    HandQuoted: _quoted,
    DealRecorded: _recorded,
    RecordedHandDealt: lambda e, s: f"{does(s.names[e.seat], 'is')} dealt {say_cards(e.cards, e.count)}",
    RecordedCardsDiscarded: _discarded,
    RecordedCardsDrawn: _drew,
    CardsLearned: _learned,
}
