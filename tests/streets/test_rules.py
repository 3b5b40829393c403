"""Rounds of a game of streets: 2 to 10 seats, all-ins and side pots, and constant chips."""

from collections import Counter
from functools import partial
from random import Random

import pytest

from pokersvc.betting.choices import Choices
from pokersvc.betting.terms import Terms
from pokersvc.cards import parse_cards
from pokersvc.core.actions import Action
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.core.randomness.chance import Entropy, EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.streets.openers import faces_up
from pokersvc.streets.showdown import shows_next
from pokersvc.streets.state import StreetsState, check_streets, known
from pokersvc.streets.street import CardTerms, Deal, DrawTerms, Street

from . import events
from .game import Poker, any_action
from .state import PokerState, best_of
from .variants import HOLDEM, STUD

every_game = pytest.mark.parametrize("game", [HOLDEM, STUD], ids=lambda game: game.kind)


def dealt_by(state: PokerState, entropy: Entropy) -> Event:
    """Return the dealer's next event, and the seats to act."""
    event = state.dealer_event(entropy)
    assert event is not None
    return event


def started(game: Poker, stacks: list[int], seed: str) -> tuple[PokerState, EntropySource]:
    source = EntropySource.from_text(seed)
    seats = tuple(Seat("any", f"Player{seat}") for seat in range(1, len(stacks) + 1))
    state = game.new(game.start(Setup(seats, source, 1)))
    state.stacks[1:] = stacks
    return state, source


def played(game: Poker, stacks: list[int], seed: str) -> list[Event]:
    """Play a round with random legal actions, and check that chips are neither created nor lost."""
    state, source = started(game, stacks, seed)
    entropy, random, done = source.entropy(), Random(seed), []
    while not isinstance(event := state.dealer_event(entropy), events.RoundEnded):
        event = event or state.decide(any_action(state.actor, state.legal(state.actor), random))
        state.apply(event)
        done.append(event)
        assert sum(state.stacks) + state.pot == sum(stacks)
    assert not state.pot
    return done


@every_game
@pytest.mark.parametrize("seats", range(2, 11))
def test_rounds_are_played_with_all_ins_and_side_pots(game: Poker, seats: int) -> None:
    met: Counter[str] = Counter()
    for number in range(30):
        random = Random(f"{seats}/{number}")
        done = played(game, [random.randint(1, 25) for _ in range(seats)], f"{game.kind}/{seats}/{number}")
        met["side pot"] += sum(isinstance(event, events.PotAwarded) for event in done) > 1
        met["showdown"] += any(isinstance(event, events.HandShown) for event in done)
        dealt = [event.cards for event in done if isinstance(event, events.CardsDealt) and event.cards]
        dealt += [event.cards for event in done if isinstance(event, events.UpCardsDealt | events.BoardDealt)]
        cards = [card for some in dealt for card in some]
        assert len(set(cards)) == len(cards), "no card is dealt twice"
    assert met["showdown"] > 10
    assert met["side pot"] or seats == 2


def test_a_board_is_dealt_to_its_end_where_nobody_can_bet_any_more() -> None:
    done = played(HOLDEM, [2, 1], "all in by the blinds")
    assert [len(event.cards) for event in done if isinstance(event, events.BoardDealt)] == [3, 1, 1]
    assert not any(isinstance(event, events.Called | events.Checked) for event in done)


@pytest.mark.parametrize("number", range(20))
def test_the_lowest_card_begins_and_later_the_highest_hand(number: int) -> None:
    state, source = started(STUD, [100, 100, 100, 100], f"stud/{number}")
    entropy, asked = source.entropy(), Counter[int]()
    while not isinstance(event := state.dealer_event(entropy), events.RoundEnded):
        if event is None:
            if not asked[state.street]:
                ups = {seat: state.up[seat] for seat in range(1, 5)}
                if state.street == 1:
                    lowest = min(ups, key=lambda seat: ups[seat][0].number)  # type: ignore[union-attr]  # all are known
                    assert state.actor == lowest
                    assert not state.legal(lowest).check, "it must bet"
                else:
                    assert faces_up(ups[state.actor]) == max(map(faces_up, ups.values()))
            asked[state.street] += 1
            legal = state.legal(state.actor)
            event = state.decide(
                events.Bet(state.actor, 2) if legal.bet and not legal.check
                else events.Call(state.actor) if legal.call else events.Check(state.actor)
            )  # fmt: skip
        state.apply(event)
    assert asked == {1: 4, 2: 4, 3: 4, 4: 4}


def test_pairs_face_up_beat_higher_cards_and_no_straight_counts() -> None:
    ordered = ["2C 3D 4H 5S", "AC KD QH 9S", "2C 2D 3H 4S", "2C 2D 4H 3S", "KC KD 3H 4S", "2C 2D 3H 3S", "2C 2D 2H 3S"]
    found = [faces_up(parse_cards(cards)) for cards in ordered]
    assert found == sorted(found)
    assert found[2] == found[3]


def test_the_best_five_of_seven_cards_count() -> None:
    assert best_of(parse_cards("2C 7D AH KH QH JH 10H")) == 7462


def test_what_is_not_due_is_refused_and_changes_nothing() -> None:
    state, source = started(HOLDEM, [100, 100], "refused")
    entropy = source.entropy()
    while state.phase.name != "DEAL":
        state.apply(dealt_by(state, entropy))
    two, flop = parse_cards("2C 3C"), parse_cards("2C 3C 4C")
    impossible: list[tuple[Event, str]] = [
        (events.BoardDealt(flop), "cards are dealt face down now"),
        (events.UpCardsDealt(two, 1), "cards are dealt face down now"),
        (events.CardsDealt(flop, 3, 1), "a hand has 2 cards, all different"),
        (events.CardsDealt((two[0], two[0]), 2, 1), "a hand has 2 cards, all different"),
        (events.CardsDealt(two, 2, 3), "not to be dealt a hand"),
    ]
    for event, why in impossible:
        before = state.view("auditor")
        with pytest.raises(ImpossibleEvent, match=why):
            state.apply(event)
        assert state.view("auditor") == before
    while state.street == 1:
        legal = state.legal(state.actor) if state.actor else None
        state.apply(
            state.dealer_event(entropy) or state.decide(any_action(state.actor, legal._replace(fold=False), Random(1)))  # type: ignore[union-attr]
        )
    with pytest.raises(ImpossibleEvent, match="the board is dealt 3 cards now"):
        state.apply(events.BoardDealt(two))
    with pytest.raises(ImpossibleEvent, match="seat 1 is not to be dealt a hand"):
        state.apply(events.CardsDealt(two, 2, 1))


def before(game: Poker, phase: str, seed: str, *, up_to: int = 1) -> tuple[PokerState, Entropy]:
    """A round of two in which both only check or call, up to a phase of a street."""
    state, source = started(game, [100, 100], seed)
    entropy = source.entropy()
    while (state.phase.name, state.street) != (phase, up_to):
        event = state.dealer_event(entropy)
        state.apply(event or state.decide(calling(state.actor, state.legal(state.actor))))
    return state, entropy


def calling(seat: int, legal: Choices) -> Action:
    if legal.check:
        return events.Check(seat)
    return events.Call(seat) if legal.call else events.Bet(seat, 2)


def refused(state: PokerState, *impossible: tuple[Event, str]) -> None:
    """Each event is refused with its sentence, and nothing is changed."""
    for event, why in impossible:
        as_it_was = state.view("auditor"), state.deck_left, state.pending, state.settled
        with pytest.raises(ImpossibleEvent, match=why):
            state.apply(event)
        assert (state.view("auditor"), state.deck_left, state.pending, state.settled) == as_it_was


def test_cards_are_dealt_where_the_deal_says_and_so_many() -> None:
    state, entropy = before(STUD, "DEAL", "where")
    for _ in range(2):  # a card face down for each, before one face up
        state.apply(dealt_by(state, entropy))
    two = parse_cards("2C 3C")
    held = state.hands[1]
    refused(
        state,
        (events.CardsDealt(two[:1], 1, 1), "cards are dealt face up now"),
        (events.BoardDealt(two[:1]), "cards are dealt face up now"),
        (events.UpCardsDealt(two, 1), "a hand has 2 cards, all different"),
        (events.UpCardsDealt(known(held), 1), "a hand has 2 cards, all different"),
        (events.UpCardsDealt(two[:1], 3), "seat 3 is not to be dealt a hand"),
    )
    board, _ = before(HOLDEM, "DEAL", "board", up_to=2)
    refused(
        board,
        (events.BoardDealt(two), "the board is dealt 3 cards now, all different"),
        (events.BoardDealt(parse_cards("2C 3C 4C 5C")), "the board is dealt 3 cards now, all different"),
        (events.BoardDealt((*two, two[0])), "the board is dealt 3 cards now, all different"),
    )


def test_each_seat_shows_or_mucks_once_and_a_whole_hand() -> None:
    state, entropy = before(HOLDEM, "SHOWDOWN", "showing", up_to=4)
    first, other = shows_next(state), state.button
    assert (first, other) == (2, 1), "nobody has bet, so the seat left of the button begins"
    shown = state.dealer_event(entropy)
    assert isinstance(shown, events.HandShown)
    refused(
        state,
        (events.HandShown(shown.cards[:1], first), "a hand has 2 cards, all different"),
        (events.HandShown((shown.cards[0],) * 2, first), "a hand has 2 cards, all different"),
        (events.HandShown(shown.cards, 3), "seat 3 is not to show a hand"),
        (events.HandMucked(3), "seat 3 is not to show a hand"),
    )
    state.apply(shown)
    assert shows_next(state) == other
    refused(
        state,
        (shown, f"seat {first} is not to show a hand"),
        (events.HandMucked(first), f"seat {first} is not to show a hand"),
    )
    state.apply(events.HandMucked(other))
    assert state.phase.name == "AWARD"


street = partial(Street, least=2)


@pytest.mark.parametrize(
    ("streets", "players", "why"),
    [
        ((street(deals=(Deal(7),)),), 8, "8 players cannot play: the deck has 52 cards, and 56 cards are dealt"),
        ((street(deals=(Deal(2),)), street(deals=(Deal(5, "board"),))), 24, "24 players cannot play"),
        ((street(deals=(Deal(4), Deal(1, "up"))), street(draw=DrawTerms(5))), 2, "can have no draw"),
        ((street(deals=(Deal(5),), opens_hands=True), street()), 2, "on the last street alone"),
    ],
)
def test_a_list_of_streets_that_cannot_be_played_is_refused(
    streets: tuple[Street, ...], players: int, why: str
) -> None:
    with pytest.raises(InvalidValue, match=why):
        check_streets(streets, players)
    check_streets((street(deals=(Deal(2),)), street(deals=(Deal(4, "board"),), opens_hands=True)), 24)


def test_states_are_equal_where_their_cards_are() -> None:
    terms, seats = Terms(raises="fixed_limit"), (Seat("any", "Ann"), Seat("any", "Bob"))
    one, other = (StreetsState((street(deals=(Deal(5),)),), CardTerms(), terms, seats, [0, 100, 100]) for _ in range(2))
    assert one == other
    other.hands[1] = parse_cards("2C 3C 4C 5C 6C")
    assert one != other
