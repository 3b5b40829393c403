"""Converts a stored game of draw poker to hands, one per round, as its viewer knows them."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, NamedTuple

from pokersvc.betting.seats import has, seats_in
from pokersvc.cards import Card
from pokersvc.core.event import Event, Viewer
from pokersvc.eventlog.record import Record, SharedRecord
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.histories import statements
from pokersvc.histories.hand import (
    CHIPS,
    Currency,
    HandHistory,
    HistoryPlayer,
    HistoryTournament,
    Limit,
    WhenPlayed,
    seats_for,
)
from pokersvc.histories.statements import Cards, Statement
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.service.shown import Step
from pokersvc.text import counted, roman

SITE: Final = "pokersvc"
_LIMITS: Final[dict[str, Limit]] = {
    "no_limit": "no-limit",
    "pot_limit": "pot-limit",
    "fixed_limit": "fixed-limit",
}
_ANY_FORMAT: Final = "A hand history"


def hands_of(steps: Iterable[Step], viewer: Viewer) -> Iterator[HandHistory]:
    """Yield the finished rounds as hands, from the steps of a replay for the viewer.

    Raise `CannotBeWritten` for a house, or an event in a round, that no format of hand histories can express. An
    unfinished round is left out.
    """
    hand: _Hand | None = None
    for record, event, state in steps:
        if not isinstance(state, DrawPokerState):
            raise CannotBeWritten(_ANY_FORMAT, "it is not draw poker")
        if isinstance(event, events.GameStarted):
            refuse_house(event.rules)
        elif isinstance(event, events.RoundStarted):
            if state.is_bomb_pot:
                raise CannotBeWritten(_ANY_FORMAT, f"nobody bets before the draw of round {event.round}, a bomb pot")
            hand = _Hand(event, state, record, viewer)
        elif isinstance(event, events.RoundEnded) and hand is not None:
            yield hand.told(state)
            hand = None
        elif hand is not None:
            hand.take(event, state)


def refuse_house(rules: DrawPokerRules) -> None:
    """Raise `CannotBeWritten` if the house has a rule that no format can express."""
    betting = rules.betting
    reasons = {
        "chips that do not divide stay in the pot for the next round": rules.remainder == "carry",
        "who opens is drawn at random": betting.opener == "random",
        "hands are shown before the final betting": rules.open_hands == "after_draw",
        "a short stack surrenders its chips": rules.ante.short == "surrender",
        "its betting is neither no limit nor pot limit nor fixed limit": betting.raises not in _LIMITS,
        "its minimum bet differs after the draw": bool(betting.final_minimum) and betting.raises != "fixed_limit",
        "it has a highest bet": betting.maximum is not None,
    }
    for reason, holds in reasons.items():
        if holds:
            raise CannotBeWritten(_ANY_FORMAT, f"in the house {rules.name} {reason}")


class _Seats(NamedTuple):
    """The players' names and their seat numbers at the table, by seat of the game."""

    names: dict[int, str]
    numbers: dict[int, int]


class _Hand:
    """Builds a hand from a round; the line number of a statement is the number of the event that it comes from."""

    def __init__(
        self, started: events.RoundStarted, state: DrawPokerState, record: Record | SharedRecord, viewer: Viewer
    ) -> None:
        self._state, self._rules, self._viewer = state, state.rules, viewer
        self._first, self._seq = record.seq, record.seq
        self._game, self._at = record.game_id, record.recorded_at
        self._round, self._ante, self._button = started.round, started.ante, state.place_of_button
        self._stacks = {seat: state.stacks[seat] for seat in seats_in(state.seated)}
        self._dealt_in = seats_in(state.live)
        self._seats = _Seats(dict(enumerate(state.names)), dict(enumerate(state.places, 1)))
        self._told: list[Statement] = []
        self._rake = self._straddle = 0

    def take(self, event: Event, state: DrawPokerState) -> None:
        """Add the statements of an event."""
        self._seq += 1
        line = self._seq
        match event:
            case events.PotAwarded():
                self._award(event)
            case events.BlindPosted(amount=0, blind="big"):
                said = f"in round {self._round} an ante left a player no chips for the big blind"
                raise CannotBeWritten(_ANY_FORMAT, said)
            case events.Posted(kind="straddle") if event.amount < _due(state, event):
                self._straddle_short(event, state)
            case events.BlindPosted(amount=0) | events.Posted(amount=0):
                pass  # no site mentions such a post, and it changes nothing
            case events.RakeTaken():
                self._rake += event.amount
            case events.HandsOpened():
                names = self._seats.names
                self._told += [
                    statements.Showed(line=line, name=names[one.seat], cards=one.cards) for one in event.hands
                ]
            case events.DeckReshuffled():
                self._told.append(statements.Reshuffled(line=line))
            case events.RoundForgone():
                raise CannotBeWritten(_ANY_FORMAT, f"in round {self._round} a seat folded before its turn")
            case events.PlayerLeft(amount=amount) if amount:
                raise CannotBeWritten(_ANY_FORMAT, f"in round {self._round} a seat forfeited chips")
            case events.Forfeited(seat=seat) if has(state.live, seat):
                name = self._seats.names[seat]
                self._told.append(statements.Discarded(line=line, name=name, cards=(), count=0))
            case _:
                if (statement := _said(event, line, self._seats.names)) is not None:
                    self._told.append(statement)

    def _straddle_short(self, event: events.Posted, state: DrawPokerState) -> None:
        """Add a straddle that a stack could not cover; raise `CannotBeWritten` if it is empty or one of several."""
        several = state.table is not None and len(_stated_straddles(state)) > 1
        if several or not event.amount:
            why = "for one of several straddles" if several else "for an ante and a straddle"
            raise CannotBeWritten(_ANY_FORMAT, f"in round {self._round} a stack was too short {why}")
        self._straddle = _due(state, event)
        name = self._seats.names[event.seat]
        self._told.append(
            statements.Posted(line=self._seq, name=name, amount=event.amount, kind="straddle", all_in=True)
        )

    def _award(self, event: events.PotAwarded) -> None:
        for share in event.shares:
            if share.amount:
                name = self._seats.names[share.seat]
                self._told.append(statements.Won(line=self._seq, name=name, amount=share.amount, pot=event.pot - 1))
        if event.reason == "last_in" and event.pot == 1:
            name = self._seats.names[event.shares[0].seat]
            self._told.append(statements.NotShown(line=self._seq, name=name))

    def _tournament(self) -> HistoryTournament | None:
        """Return the tournament of a game that ranks its seats; None with rake, which no tournament's hand has.

        The entry is in units, which are no currency, so no format can state it as a buy-in.
        """
        state = self._state
        if not state.is_tournament or self._rules.rake is not None:
            return None
        return HistoryTournament(number=self._game, level=None if state.schedule is None else roman(state.round_level))

    def _button_seat(self) -> int | None:
        """Return the number of the seat with the button.

        With two players, the small blind has the button if the button is at the empty seat after the small blind.
        """
        numbers = {self._seats.names[seat]: self._seats.numbers[seat] for seat in self._dealt_in}
        if self._button is None or len(numbers) != 2 or self._button in numbers.values():
            return self._button
        before = max((number for number in numbers.values() if number < self._button), default=max(numbers.values()))
        small = next(
            (one.name for one in self._told if isinstance(one, statements.Posted) and one.kind == "small"), None
        )
        return before if small is not None and numbers[small] == before else self._button

    def _refuse_own_discards(self) -> None:
        """Refuse a round in which a player drew one of their own discards, after a reshuffle for another player."""
        gone = {one.name: one.cards or () for one in self._told if isinstance(one, statements.Discarded)}
        for one in self._told:
            if isinstance(one, statements.Drew) and not set(one.cards or ()).isdisjoint(gone.get(one.name, ())):
                why = f"in round {self._round} {one.name} was dealt a card that {one.name} had discarded"
                raise CannotBeWritten(_ANY_FORMAT, why)

    def told(self, state: DrawPokerState) -> HandHistory:
        """Return the round as a hand."""
        rules, table = self._rules, state.table
        self._refuse_own_discards()
        currency = CHIPS if table is None else Currency(table.currency.code, table.currency.exponent)
        if currency.exponent != 2 and currency != CHIPS:
            why = f"its amounts of {currency.code or 'chips'} have {counted(currency.exponent, 'decimal')}, and not 2"
            raise CannotBeWritten(_ANY_FORMAT, why)
        won = sum(one.amount for one in self._told if isinstance(one, statements.Won))
        fixed = rules.betting.raises == "fixed_limit"
        least = rules.betting.minimum
        blinds = rules.blinds
        hero = self._seats.names.get(self._viewer) if isinstance(self._viewer, int) else None
        return HandHistory(
            dialect=SITE,
            site=SITE,
            number=f"{self._game}-{self._round}",
            text="",
            first_line=self._first,
            last_line=self._seq,
            limit=_LIMITS[rules.betting.raises],
            currency=currency,
            ante=self._ante,
            small_blind=0 if blinds is None else blinds.small,
            big_blind=0 if blinds is None else blinds.big,
            straddle=self._straddle,
            min_bet=None if fixed else least,
            small_bet=least if fixed else None,
            big_bet=(rules.betting.final_minimum or least) if fixed else None,
            table=self._game,
            size=seats_for(state.places),
            button=self._button_seat(),
            draw=rules.draw,
            tournament=self._tournament(),
            played=WhenPlayed(utc=datetime.fromisoformat(self._at), zone="UTC", text=self._at),
            hero=hero,
            players=tuple(
                [
                    HistoryPlayer(
                        line=self._first,
                        name=self._seats.names[seat],
                        number=self._seats.numbers[seat],
                        stack=stack,
                        sitting_out=seat not in self._dealt_in,
                    )
                    for seat, stack in self._stacks.items()
                ]
            ),
            told=(*self._told, statements.Totals(line=self._seq, pot=won + self._rake, rake=self._rake)),
        )


def _due(state: DrawPokerState, event: events.Posted) -> int:
    """Return the full straddle that a seat owed, even if it did not have the chips."""
    stated = _stated_straddles(state)
    return stated.get(event.seat, 0) if stated else state.rules.straddle


def _stated_straddles(state: DrawPokerState) -> dict[int, int]:
    """Return the straddle of each seat in the round, if the table states them; else an empty dictionary."""
    posts = state.table.posts if state.table is not None and state.round == 1 else None
    return {post.seat: post.amount for post in posts or () if post.kind == "straddle"}


def _known(cards: Iterable[object] | None) -> Cards | None:
    """Return the cards if all are known, else None."""
    if cards is None:
        return None
    known = tuple([card for card in cards if isinstance(card, Card)])
    return known if len(known) == len(tuple(cards)) else None


def _said(event: Event, line: int, names: dict[int, str]) -> Statement | None:
    """Convert an event of one seat to a statement; return None if no statement corresponds to the event."""
    match event:
        case events.AntePosted(amount=amount, seat=seat):
            return statements.Posted(line=line, name=names[seat], amount=amount, kind="ante")
        case events.BlindPosted(amount=amount, blind=kind, seat=seat):
            return statements.Posted(line=line, name=names[seat], amount=amount, kind=kind)
        case events.Posted(amount=amount, kind=other, seat=seat):
            return statements.Posted(line=line, name=names[seat], amount=amount, kind=other)
        case (
            events.HandDealt(cards=cards, count=count, seat=seat)
            | earlier_events.HandDealt(cards=cards, count=count, seat=seat)
        ):
            return statements.Dealt(line=line, name=names[seat], cards=_known(cards), count=count)
        case events.Checked(seat=seat):
            return statements.Checked(line=line, name=names[seat])
        case events.Bet(amount=amount, seat=seat):
            return statements.Bet(line=line, name=names[seat], amount=amount)
        case events.Called(amount=amount, seat=seat):
            return statements.Called(line=line, name=names[seat], amount=amount)
        case events.Raised(to=to, seat=seat):
            return statements.Raised(line=line, name=names[seat], to=to)
        case events.Folded(seat=seat) | events.Forfeited(seat=seat):
            return statements.Folded(line=line, name=names[seat])
        case events.CardsDiscarded(cards=cards, count=count, seat=seat):
            return statements.Discarded(line=line, name=names[seat], cards=_known(cards), count=count)
        case (
            events.CardsDrawn(cards=cards, count=count, seat=seat)
            | earlier_events.CardsDrawn(cards=cards, count=count, seat=seat)
        ):
            return statements.Drew(line=line, name=names[seat], cards=_known(cards), count=count)
        case events.UncalledBetReturned(amount=amount, seat=seat):
            return statements.Returned(line=line, name=names[seat], amount=amount)
        case events.HandShown(cards=cards, seat=seat):
            return statements.Showed(line=line, name=names[seat], cards=_known(cards) or ())
        case events.HandMucked(seat=seat):
            return statements.Mucked(line=line, name=names[seat])
        case _:
            return None
