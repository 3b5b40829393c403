"""Any hand of the engine, converted to a record without a deck, has the same chips, whatever cards are unknown."""

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.cards import CARDS
from pokersvc.cards.unknown import UNKNOWN, all_known
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.recorded_hands.recorded import Recording
from pokersvc.games.draw_poker.recorded_hands.recorded_events import RecordedCardsDrawn, RecordedHandDealt

from ..card_rooms.rooms import HOUSES, house
from .retold import Dealt, dealt, learned, retold
from .told import quote, told


@st.composite
def hands(draw: st.DrawFn) -> Dealt:
    """Hands of 2 to 10 seats with unequal stacks, antes and all-ins; many of them run out of cards."""
    stacks = tuple(draw(st.lists(st.sampled_from([1, 3, 20, 55, 200, 999]), min_size=2, max_size=10)))
    rules = house(draw(st.sampled_from(HOUSES)), ante=draw(st.sampled_from([0, 1, 5])))
    return dealt(rules, stacks, draw(st.integers(0, 2**32)), loose=draw(st.booleans()))


@given(hands())
@settings(max_examples=60)
def test_a_hand_of_which_everything_is_known_is_the_same_hand(hand: Dealt) -> None:
    game = told(*retold(hand, set()))
    assert game.state.stacks == hand.state.stacks
    assert game.wrong == []
    assert game.unchecked == {}
    same = [type(event) for event in hand.log if not isinstance(event, events.HandDealt | events.CardsDiscarded)]
    others = {events.DeckShuffled, events.CardsDrawn}
    assert [type_ for type_ in same if type_ not in others] == [
        type(event) for event in game.events if type(event) in same and type(event) not in others
    ]
    for seat in hand.dealt_in:
        assert set(game.state.hands[seat]) == set(hand.state.hands[seat])


@given(hands(), st.integers(0, 2**16))
@settings(max_examples=60)
def test_unknown_cards_change_no_chip_and_contradict_nothing(hand: Dealt, seed: int) -> None:
    hidden = {seat for seat in hand.dealt_in if Random(seed + seat).random() < 0.6}
    game = told(*retold(hand, hidden))
    assert game.state.stacks == hand.state.stacks
    assert game.wrong == []
    assert game.unchecked.get("unknown hand", 0) == len(hidden)


@given(hands(), st.integers(0, 2**16))
@settings(max_examples=60)
def test_learning_the_cards_gives_the_whole_hand(hand: Dealt, seed: int) -> None:
    hidden = {seat for seat in hand.dealt_in if Random(seed + seat).random() < 0.6}
    game = told(*retold(hand, hidden))
    game.learn(quote(text="all cards"), *(learned(hand, seat) for seat in sorted(hidden)))
    assert game.wrong == []
    assert game.unchecked == {}
    for seat in hand.dealt_in:
        assert set(game.state.hands[seat]) == set(hand.state.hands[seat])
        assert game.state.recorded is not None
        assert all_known(game.state.recorded.dealt[seat])
    again = Recording.of(game.events)
    assert again.state == game.state
    assert again.wrong == []


@given(hands(), st.integers(0, 2**16))
@settings(max_examples=60)
def test_a_card_that_another_seat_has_is_found(hand: Dealt, seed: int) -> None:
    """Without a reshuffle every card is in one place, so giving a seat a card of another is a mismatch."""
    if any(isinstance(event, events.DeckReshuffled) for event in hand.log):
        return
    random = Random(seed)
    one, other = random.sample(hand.dealt_in, 2)
    recorded, actions = retold(hand, {one})
    stolen = random.choice(hand.cards(events.HandDealt, other))
    cards = tuple(replace(of, dealt=(stolen, *[UNKNOWN] * 4)) if of.seat == one else of for of in recorded.cards)
    assert told(replace(recorded, cards=cards), actions).wrong


@given(hands(), st.integers(0, 2**16))
@settings(max_examples=60)
def test_a_hand_that_was_never_held_is_found(hand: Dealt, seed: int) -> None:
    shown = [event for event in hand.log if isinstance(event, events.HandShown)]
    if not shown:
        return
    random = Random(seed)
    false = random.choice(shown)
    card = random.choice([card for card in CARDS if card not in false.cards])
    recorded, actions = retold(hand, set())
    held = (card, *false.cards[1:])
    cards = tuple(replace(of, held=held) if of.seat == false.seat else of for of in recorded.cards)
    game = told(replace(recorded, cards=cards), actions)
    assert isinstance(game.wrong[0][0], events.HandShown)


def test_some_of_these_hands_run_out_of_cards() -> None:
    found = [dealt(house("no-limit"), (200,) * 10, seed) for seed in range(30)]
    again = [hand for hand in found if any(isinstance(event, events.DeckReshuffled) for event in hand.log)]
    assert len(again) > 5
    for hand in again:
        game = told(*retold(hand, set()))
        assert game.wrong == []
        given_out: list[object] = []
        for event in game.events:
            if isinstance(event, RecordedCardsDrawn | RecordedHandDealt):
                given_out += event.cards or ()
        if len(given_out) > len(CARDS):
            assert len(set(given_out)) < len(given_out), "cards came twice, after the reshuffle"
