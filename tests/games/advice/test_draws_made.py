"""Bets at random: by the given stream, by the library's generator, and by the order of a set."""

from collections.abc import Iterable
from dataclasses import replace

from pokersvc.cards import parse_cards
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, redact
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Bet, Call, Discard, Fold
from pokersvc.games.draw_poker.advising.discards_made import DrawMade, DrawsMade
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.recorded_hands.recorded_events import CardsLearned

from ..draw_poker.scenario import ACES, KINGS, NOTHING, QUEENS, Scenario, dealt, rules_with
from ..draw_poker.test_recorded import MUCKED, MUCKED_ACTIONS
from ..draw_poker.told import cards, quote, told


def drawn() -> Scenario:
    """Four players are dealt in and one folds; two discard, and the third must choose."""
    game = dealt(4, ACES, KINGS, QUEENS, NOTHING, rules=rules_with(discards=3))
    game.given(Bet(1, 50), Call(2), Call(3), Fold(4))
    return game.given(Discard(1, parse_cards("8C 3C")), Discard(2, ()))


def made(log: Iterable[Event], viewer: Viewer) -> list[DrawMade]:
    """Return the discards found in a viewer's events."""
    follower = DrawsMade()
    started, *happened = (redact(event, viewer) for event in log)
    assert isinstance(started, GameStarted)
    state = DRAW_POKER.new(started)
    for event in happened:
        state.apply(event)
        follower.take(event, state)
    return follower.all()


def test_a_discard_is_of_the_hand_as_it_was_dealt_against_who_was_in() -> None:
    first, second = made(drawn().log, 1)[:2]
    assert first == DrawMade(1, 1, parse_cards("AH AD 6S 8C 3C"), parse_cards("8C 3C"), 2, 3)
    assert (second.seat, second.thrown, second.opponents) == (2, (), 2)


def test_of_cards_that_a_viewer_may_not_know_only_the_number_is_known() -> None:
    first, second = made(drawn().log, EVERYONE)
    assert (first.hand, first.thrown) == ((None,) * 5, (None,) * 2)
    assert (second.hand, second.thrown) == ((None,) * 5, ())
    (_, of_another) = made(drawn().log, 1)
    assert of_another.hand == (None,) * 5


def test_each_round_has_its_own_and_they_stay_in_the_order_of_choices() -> None:
    game = dealt(2, ACES, KINGS)
    for _ in range(2):
        game.ready().given(Bet(1, 50), Call(2), Discard(1, ()), Discard(2, ()), Bet(1, 50), Fold(2)).ready()
    assert [(one.round, one.seat) for one in made(game.log, 1)] == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_what_becomes_known_after_a_hand_that_was_dealt_elsewhere_replaces_what_was_not() -> None:
    game = told(MUCKED, MUCKED_ACTIONS)
    log = game.finished(quote())
    before = made(log, AUDITOR)
    learned = CardsLearned(cards("4h Ks 9c 9d 9s"), cards("9c 9d 9s"), cards("3s Jc 7h"), (), 2)
    after = made([*log, learned], AUDITOR)
    assert [one.seat for one in before] == [one.seat for one in after]
    (old,), (new,) = ([one for one in found if one.seat == 2] for found in (before, after))
    assert new == replace(old, hand=cards("4h Ks 9c 9d 9s"), thrown=cards("9c 9d 9s"))
    assert [one for one in before if one.seat != 2] == [one for one in after if one.seat != 2]


def test_cards_of_one_who_threw_nothing_away_make_no_discard() -> None:
    game = told(MUCKED, MUCKED_ACTIONS)
    learned = CardsLearned(cards("2h 3h 4c 5c 6c"), (), (), (), 4)
    log = game.finished(quote())
    assert made([*log, learned], AUDITOR) == made(log, AUDITOR)
