"""The draw: how many cards, in what order, and what happens when the deck runs out."""

from collections.abc import Sequence

import pytest

from pokersvc.cards import FRESH_DECK, Card, parse_cards, shuffle
from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import Forfeit
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Discard, Fold, LegalActions
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from tests.games.draw_poker.committed import cards_drawn

from .scenario import ACES, KINGS, Scenario, dealt, happened, rules_with


def in_the_draw(players: int, *hands: str, folded: Sequence[int] = (), persons: Sequence[int] = ()) -> Scenario:
    """Return a game in the draw: seat 1 has bet 50 and all others have called, except the ``folded``."""
    game = dealt(players, *hands, persons=persons).given(Bet(1, 50))
    return game.given(*(Fold(seat) if seat in folded else Call(seat) for seat in range(2, players + 1)))


def discards(game: Scenario, count: int) -> Event:
    """Let the seat to act discard the first cards of its hand; the log has the dealer's next events."""
    seat = game.ready().to_act
    assert seat is not None
    game.given(Discard(seat, game.hand(seat)[:count]))
    game.deal_on()
    return game.log[-1]


def drawn_by(game: Scenario, seat: int) -> list[Card]:
    """Return the cards dealt to a seat in the draw."""
    found: list[Card] = []
    for event in game.log:
        if isinstance(event, events.CardsDrawn) and event.seat == seat:
            assert event.cards is not None
            assert len(event.cards) == event.count
            found += known_among(event.cards)
    return found


def seed_of(game: Scenario) -> bytes:
    (event,) = happened(game.log, events.DeckShuffled)
    assert isinstance(event, events.DeckShuffled)
    assert event.seed is not None
    return event.seed


@pytest.mark.parametrize("count", range(5))
def test_a_player_discards_0_to_4_cards_and_draws_as_many(count: int) -> None:
    game = in_the_draw(2)
    hand = game.hand(1)
    assert game.legal == LegalActions(discard=4)
    discards(game, count)
    assert len(drawn_by(game, 1)) == count
    assert game.hand(1) == (*hand[count:], *drawn_by(game, 1))
    assert game.to_act == 2


def test_five_cards_are_too_many() -> None:
    game = in_the_draw(2)
    assert game.refusal(Discard(1, game.hand(1))) == "too_many_cards"


def test_a_discard_is_of_ones_own_different_cards() -> None:
    game = in_the_draw(2, ACES, KINGS)
    assert game.refusal(Discard(1, parse_cards("KH"))) == "not_your_card"
    assert game.refusal(Discard(1, parse_cards("8C 2D"))) == "not_your_card"
    assert game.refusal(Discard(1, (Card("8C"), Card("8C")))) == "repeated_card"


@pytest.mark.parametrize("cards", ["8C", ("8C",), [Card("8C")], None, 1, (None,)])
def test_what_is_not_a_tuple_of_cards_is_no_discard(cards: object) -> None:
    assert in_the_draw(2, ACES, KINGS).refusal(Discard(1, cards)) == "not_cards"  # type: ignore[arg-type]  # as a wrong program


def test_the_discard_is_one_event_and_the_cards_for_it_the_dealers() -> None:
    game = in_the_draw(2, ACES, KINGS)
    game.given(Discard(1, parse_cards("8C 3C")))
    assert game.log[-1] == events.CardsDiscarded(parse_cards("8C 3C"), 2, 1)
    assert game.to_act is None
    game.given(cards_drawn(parse_cards("2H AS"), 1))
    assert game.hand(1) == parse_cards("AH AD 6S 2H AS")
    assert game.to_act == 2


def test_standing_pat_is_an_event_with_no_cards_and_the_dealer_has_nothing_to_do() -> None:
    game = in_the_draw(2).given(Discard(1, ()))
    assert game.log[-1] == events.CardsDiscarded((), 0, 1)
    assert game.to_act == 2


def test_players_draw_in_seat_order_each_served_before_the_next_chooses() -> None:
    game = in_the_draw(4, folded=(3,))
    assert game.to_act == 1
    for count in (1, 2, 3):
        discards(game, count)
    drawn = [(type(e).__name__, e.seat) for e in game.log if isinstance(e, events.CardsDiscarded | events.CardsDrawn)]
    assert drawn == [(name, seat) for seat in (1, 2, 4) for name in ("CardsDiscarded", "CardsDrawn")]


def test_the_draw_deals_the_next_cards_of_the_deck() -> None:
    game = in_the_draw(2)
    deck = shuffle(FRESH_DECK, seed_of(game))
    discards(game, 3)
    discards(game, 2)
    assert tuple(drawn_by(game, 1)) == deck[10:13]
    assert tuple(drawn_by(game, 2)) == deck[13:15]
    assert game.view().deck_left == 52 - 15


def test_after_the_draw_comes_the_final_betting() -> None:
    game = in_the_draw(2)
    discards(game, 1)
    discards(game, 0)
    assert game.view().stage == "final betting"
    assert game.legal.check


def test_a_program_that_forfeits_in_the_draw_stands_pat() -> None:
    game = in_the_draw(3)
    hand = game.hand(1)
    game.given(Forfeit(1, "illegal"))
    assert game.log[-1] == events.Forfeited("illegal", 1)
    assert game.hand(1) == hand
    assert game.view().seat(1).standing == "in"
    assert game.to_act == 2


def test_the_last_to_draw_may_forfeit_too() -> None:
    game = in_the_draw(2).given(Discard(1, ()), Forfeit(2, "timeout"))
    assert game.view().stage == "final betting"
    assert game.to_act == 1


def test_a_person_forfeits_nothing_in_the_draw() -> None:
    assert in_the_draw(2, persons=(1,)).refusal(Forfeit(1, "illegal")) == "not_a_program"


@pytest.mark.parametrize("limit", [1, 3, 5])
def test_the_limit_is_the_houses(limit: int) -> None:
    game = dealt(2, rules=rules_with(discards=limit)).given(Bet(1, 50), Call(2))
    assert game.legal == LegalActions(discard=limit)
    discards(game, limit)
    assert len(drawn_by(game, 1)) == limit


def test_a_house_without_a_draw_goes_on_to_the_final_betting() -> None:
    game = dealt(2, rules=rules_with(discards=0)).given(Bet(1, 50), Call(2))
    assert game.view().stage == "final betting"


# When the deck runs out.


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_up_to_five_seats_the_deck_lasts(players: int) -> None:
    game = in_the_draw(players)
    for _ in range(players):
        discards(game, 4)
    assert happened(game.log, events.DeckReshuffled) == []


def test_with_ten_seats_and_nobody_folded_the_first_to_draw_may_take_2() -> None:
    game = in_the_draw(10)
    assert game.legal == LegalActions(discard=2)
    assert game.refusal(Discard(1, game.hand(1)[:3])) == "too_many_cards"
    discards(game, 2)
    assert len(drawn_by(game, 1)) == 2


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (2, "You may change up to 4 cards; new"),
        (10, "You may change up to 2 cards, as there are no more to be dealt; new"),
    ],
)
def test_the_rules_of_the_moment_say_why_fewer_cards_may_be_changed(players: int, said: str) -> None:
    game = in_the_draw(players)
    lines = DrawPokerWords().moment(game.view(1), game.legal)
    assert said in " ".join(" ".join(lines).split())


def test_what_the_first_discards_is_all_that_the_next_of_ten_can_be_dealt() -> None:
    game = in_the_draw(10)
    first = game.hand(1)[:2]
    discards(game, 2)
    assert game.legal == LegalActions(discard=2)
    discards(game, 2)
    assert happened(game.log, events.DeckReshuffled) == [events.DeckReshuffled(2, 1)]
    assert sorted(drawn_by(game, 2)) == sorted(first)


def test_every_seat_of_ten_that_stands_pat_leaves_the_two_cards_to_the_next() -> None:
    game = in_the_draw(10)
    for _ in range(9):
        assert game.legal == LegalActions(discard=2)
        discards(game, 0)
    assert game.legal == LegalActions(discard=2)


def test_folded_hands_can_be_dealt_again() -> None:
    game = in_the_draw(10, folded=(5, 6))
    assert game.legal == LegalActions(discard=4)
    folded = {*game.hand(5), *game.hand(6)}
    discards(game, 4)
    (reshuffled,) = happened(game.log, events.DeckReshuffled)
    assert reshuffled == events.DeckReshuffled(10, 1)
    assert set(drawn_by(game, 1)[2:]) <= folded


def test_the_rest_of_the_deck_is_dealt_first_then_the_new_one() -> None:
    game = in_the_draw(10, folded=(5,))
    rest = shuffle(FRESH_DECK, seed_of(game))[50:]
    discards(game, 3)
    served = [(type(event), getattr(event, "count", None)) for event in game.log[-3:]]
    assert served == [(events.CardsDrawn, 2), (events.DeckReshuffled, 5), (events.CardsDrawn, 1)]
    assert tuple(drawn_by(game, 1)[:2]) == rest


def test_a_new_deck_is_the_cards_out_of_play_shuffled_with_the_rounds_seed_under_a_label_of_its_own() -> None:
    game = in_the_draw(10, folded=(5,))
    expected = shuffle(sorted(game.hand(5)), seed_of(game), "reshuffle/1")
    discards(game, 3)
    discards(game, 4)
    assert (drawn_by(game, 1)[2], *drawn_by(game, 2)) == expected


def test_nobody_is_dealt_their_own_discard() -> None:
    game = in_the_draw(10, folded=(5,))
    own = set(game.hand(1)[:4])
    discards(game, 4)  # 2 from the deck, then from the folded hand alone
    assert happened(game.log, events.DeckReshuffled) == [events.DeckReshuffled(5, 1)]
    assert not own & set(drawn_by(game, 1))


def test_ones_own_discard_does_not_count_towards_what_one_may_discard() -> None:
    game = in_the_draw(10)
    discards(game, 1)  # one of the two cards that are left
    assert game.legal == LegalActions(discard=2)  # the other, and what seat 1 threw away
    discards(game, 2)
    assert game.legal == LegalActions(discard=2)  # what seat 2 threw away


def test_the_discards_of_several_others_make_the_second_new_deck() -> None:
    game = in_the_draw(10, folded=(5,))
    thrown = {*game.hand(1)[:4], *game.hand(2)[:3]}
    discards(game, 4)  # the two cards left, and two of the folded hand
    discards(game, 3)  # the rest of it
    assert game.view().deck_left == 0
    discards(game, 4)
    assert happened(game.log, events.DeckReshuffled)[-1] == events.DeckReshuffled(4 + 3, 2)
    assert set(drawn_by(game, 3)) < thrown


def test_a_hand_folded_in_the_first_betting_by_forfeit_can_be_dealt_again() -> None:
    game = dealt(10).given(Bet(1, 50), Forfeit(2, "timeout"), *(Call(seat) for seat in range(3, 11)))
    folded = set(game.hand(2))
    discards(game, 3)
    assert drawn_by(game, 1)[2] in folded
