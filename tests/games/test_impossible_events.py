"""Impossible events are refused by `apply` and change nothing; possible ones keep chips and cards consistent."""

from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import fields, is_dataclass
from operator import attrgetter
from random import Random
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.cards import FRESH_DECK, Card
from pokersvc.core.codec import UnreadableEvent
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import State
from pokersvc.games.draw_poker import events as draw
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.kalah import events as kalah
from pokersvc.games.kalah.state import KalahState
from pokersvc.games.poker_market import events as market
from pokersvc.games.poker_market.state import PokerMarketState
from tests.games.draw_poker.committed import cards_drawn

from .draw_poker.scenario import dealt

SOURCE = EntropySource.from_text("impossible")
GAMES: list[tuple[str, str | None]] = [
    (kind, house) for kind in game_kinds() for house in ([house.name for house in game_of(kind).houses()] or (None,))
]


def start(kind: str, house: str | None) -> State:
    game = game_of(kind)
    seats = tuple(Seat("random", name) for name in ("Ann", "Bob", "Cleo")[: 2 if kind == "kalah" else 3])
    state: State = game.new(game.start(Setup(seats, SOURCE, options={"rules": house} if house else None)))
    return state


def any_event(game: Game, types: Sequence[type[Event]], random: Random) -> Event:
    """Return any event that a log may hold."""
    while True:
        made: Event = _any(random.choice(types), "", random)
        with suppress(UnreadableEvent, UserWarning):  # of texts and models, for which this makes a number
            return game.codec.decode(*game.codec.encode(made))


def _any(hint: Any, name: str, random: Random) -> Any:
    if isinstance(hint, type) and is_dataclass(hint):
        hints = get_type_hints(hint)
        return hint(**{field.name: _any(hints[field.name], field.name, random) for field in fields(hint)})
    of, parts = get_origin(hint), get_args(hint)
    if of is Literal:
        return random.choice(parts)
    if of is tuple:
        many = [parts[0]] * random.choice([0, 1, 2, 3, 5]) if parts[-1] is ... else parts
        return tuple([_any(part, name, random) for part in many])
    if parts:  # perhaps None, which a secret in a log is not
        return _any(parts[0], name, random)
    if hint is Card:
        return random.choice(FRESH_DECK[:16])
    if hint is bytes:
        return random.randbytes(32)
    least = [1, 1, 2, 2, 3, 3, 4, 12, 2**70]
    return random.choice(least if name in ("seat", "partner", "button") else [0, 1, 5, 5, 50, 1000, 10**30, *least])


def next_event(game: Game, state: State, random: Random) -> Event | None:
    event = state.dealer_event(SOURCE.entropy())
    if event is None and (seat := state.to_act) is not None:
        player = game.players["random"]()
        event = state.decide(player.choose(state.view(seat), state.legal(seat), random))
    return event


def check(state: Any, at_start: Any) -> None:
    """Check the invariants of any event: chips, cards, points and beans stay consistent."""
    match state:
        case DrawPokerState():
            assert min(state.stacks) >= 0
            assert min(state.staked) >= 0
            assert state.pot >= 0
            kept = state.raked + sum(state.taken) - sum(state.brought)
            assert sum(state.stacks) + state.pot + kept == sum(at_start.stacks)
            assert state.deck_left >= 0
            assert all(len(hand) <= 5 for hand in state.hands)
        case PokerMarketState():
            held = [card for hand in state.hands for card in hand]
            assert len(set(held)) == len(held) == (15 if state.hands else 0)
            assert min(state.points) >= 0
        case KalahState():
            assert state.board.total == at_start.board.total
    assert repr(state).startswith("<")
    state.view(1)


@pytest.mark.parametrize(("kind", "house"), GAMES)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32), played=st.integers(0, 60))
def test_any_event_in_any_state_keeps_what_must_hold_or_is_refused_and_changes_nothing(
    kind: str, house: str | None, seed: int, played: int
) -> None:
    random = Random(seed)
    game, state = game_of(kind), start(kind, house)
    state.record.stop()  # copies of it would take most of the time
    at_start = deepcopy(state)
    types = sorted(set(game.event_types.values()) - {game.start_event, *game.upcasters}, key=attrgetter("__name__"))
    for _ in range(played):
        if (event := next_event(game, state, random)) is None:
            break
        state.apply(event)
    for _ in range(20):
        event = any_event(game, types, random)
        before = deepcopy(state)
        try:
            state.apply(event)
        except ImpossibleEvent:
            assert state == before
        check(state, at_start)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (draw.Called(5000, 1), "seat 1 has 995 chips, not 5000"),
        (draw.Bet(996, 1), "seat 1 has 995 chips, not 996"),
        (draw.Bet(50, 2), "seat 1 is to act, not seat 2"),
        (draw.Folded("chosen", 2), "seat 1 is to act, not seat 2"),
        (draw.Checked(9), "seat 1 is to act, not seat 9"),
        (draw.RoundEnded(1), "the phase is BETTING"),
        (kalah.BeansSwept(4, 1), "the phase is BETTING"),
    ],
)
def test_in_betting_a_seat_in_turn_puts_in_what_it_has(event: Event, why: str) -> None:
    state = dealt(2).state
    before = deepcopy(state)
    with pytest.raises(ImpossibleEvent) as refused:
        state.apply(event)
    assert str(refused.value) == f"{type(event).__name__} cannot happen here: {why}."
    assert state == before


def test_cards_are_discarded_once_by_who_holds_them() -> None:
    game = dealt(2).given(draw.Bet(50, 1), draw.Called(50, 2))
    held, others = game.hand(1), game.hand(2)
    first, second, other = held[0], held[1], others[0]
    for cards, count in (((other,), 1), ((first, first), 2), ((first, first), 1), ((first, second), 1), ((), 1)):
        with pytest.raises(ImpossibleEvent, match="seat 1 does not hold these cards"):
            game.state.apply(draw.CardsDiscarded(cards, count, 1))
    game.state.apply(draw.CardsDiscarded((first,), 1, 1))
    with pytest.raises(ImpossibleEvent, match="seat 1 is to be dealt cards, not seat 2"):
        game.state.apply(cards_drawn((second,), 2))
    with pytest.raises(ImpossibleEvent, match="the deck has 1 card for this seat, not 2"):
        game.state.apply(cards_drawn((first, other), 1))
    with pytest.raises(ImpossibleEvent, match="seat 1 cannot be dealt these cards"):
        game.state.apply(cards_drawn((second,), 1))


def test_a_pot_pays_what_is_in_it() -> None:
    game = dealt(2).given(draw.Bet(50, 1), draw.Folded("chosen", 2))
    shares = (draw.Share(60, 1), draw.Share(1, 2))
    with pytest.raises(ImpossibleEvent, match="the pot has 60 chips, not 61"):
        game.state.apply(draw.PotAwarded(1, "last_in", shares))
    with pytest.raises(ImpossibleEvent, match="there is no seat 3"):
        game.state.apply(draw.PotAwarded(1, "last_in", (draw.Share(60, 3),)))
    game.state.apply(draw.PotAwarded(1, "last_in", shares[:1]))
    assert (game.state.stacks, game.state.pot) == ([0, 1005, 995], 0)


def test_beans_are_sown_from_a_hole_that_has_some_by_whose_turn_it_is() -> None:
    state = start("kalah", None)
    for event, why in (
        (kalah.BeansSown(4, 1, 5, 2, 2), "seat 1 is to act, not seat 2"),
        (kalah.BeansSown(4, 7, 0, 1, 1), "hole 7 of South has no beans"),
        (kalah.BeansCaptured(4, 1, 1), "nothing is captured"),
        (kalah.BeansSwept(4, 1), "no beans are left over"),
        (kalah.GameEnded((0, 0), "no_beans", ()), "there are beans in play"),
        (draw.Checked(1), "there is no such event in Kalah"),
    ):
        with pytest.raises(ImpossibleEvent, match=why):
            state.apply(event)
    state.apply(kalah.BeansSown(4, 3, 0, 1, 1))
    with pytest.raises(ImpossibleEvent, match="hole 3 of South has no beans"):
        state.apply(kalah.BeansSown(4, 3, 0, 1, 1))


def test_a_swap_is_of_cards_that_the_two_hold() -> None:
    state = start("market", None)
    while state.to_act is None:
        event = state.dealer_event(SOURCE.entropy())
        assert event is not None
        state.apply(event)
    seat, hands = state.to_act, state.view(1).seats
    partner = seat % 3 + 1
    mine, theirs = hands[seat - 1].cards[0], hands[partner - 1].cards[0]
    swaps: list[tuple[Card, Card, int, int, str]] = [
        (mine, mine, partner, seat, f"seat {partner} does not hold {mine}"),
        (theirs, theirs, partner, seat, f"seat {seat} does not hold {theirs}"),
        (theirs, mine, 9, seat, f"seat 9 is no partner of seat {seat}"),
        (mine, mine, seat, seat, f"seat {seat} is no partner of seat {seat}"),
        (theirs, mine, partner, partner, f"seat {seat} is to act, not seat {partner}"),
    ]
    for gets, gives, other, own, why in swaps:
        with pytest.raises(ImpossibleEvent, match=why):
            state.apply(market.SwapProposed(gets, gives, other, own))
    state.apply(market.SwapProposed(theirs, mine, partner, seat))
    with pytest.raises(ImpossibleEvent, match="the phase is ANSWER"):
        state.apply(market.TurnPassed(partner))


def test_a_state_says_in_a_line_where_the_game_stands() -> None:
    game = dealt(3).given(draw.Bet(50, 1), draw.Folded("chosen", 2))
    assert repr(game.state) == (
        "<rising-ante, round 1, first betting; Player1 945, Player2 995 folded, Player3 995; pot 65; Player3 to act>"
    )
    assert not any(card.notation in repr(game.state) for hand in game.state.hands for card in hand if card)
