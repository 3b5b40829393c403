"""Showdown and payout: the winning hand, shares of equal hands, and carried chips."""

import pytest

from pokersvc.cards import parse_cards
from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import EVERYONE
from pokersvc.core.state import Entry
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Fold
from pokersvc.games.draw_poker.display.words import DrawPokerWords

from .scenario import ACES, KINGS, NOTHING, QUEENS, Scenario, dealt, happened, stand_pat

ACES_AGAIN = "AC AS 8D 6H 3S"  # ties with ACES
ACES_BETTER_KICKER = "AC AS 8D 6H 4S"


def at_the_showdown(*hands: str, carried: int = 0, bet: int = 50) -> Scenario:
    """Return a game at the showdown, after all called a bet, stood pat and checked."""
    seats = range(1, len(hands) + 1)
    game = dealt(len(hands), *hands, carried=carried).given(Bet(1, bet), *(Call(seat) for seat in seats[1:]))
    return game.given(*stand_pat(*seats), *(Check(seat) for seat in seats))


def line_of(game: Scenario) -> str:
    """Return the history line of the round that has just ended."""
    entry = game.state.entry(game.log[-1], EVERYONE)
    assert isinstance(entry, Entry)
    return DrawPokerWords().line(entry)


def test_the_hands_still_in_are_opened_in_seat_order() -> None:
    game = dealt(4, ACES, KINGS, QUEENS, NOTHING).given(Bet(1, 50), Fold(2), Call(3), Call(4))
    game.given(*stand_pat(1, 3, 4), Check(1), Check(3), Check(4))
    hands = tuple(events.OpenHand(parse_cards(cards), seat) for cards, seat in ((ACES, 1), (QUEENS, 3), (NOTHING, 4)))
    assert game.dealer() == events.HandsOpened(hands)


def test_everyone_sees_the_opened_hands_and_no_other() -> None:
    game = dealt(3, ACES, KINGS, QUEENS).given(Bet(1, 50), Fold(2), Call(3), *stand_pat(1, 3), Check(1), Check(3))
    assert all(None in seat.cards for seat in game.view().seats)
    game.deal_on()
    assert [seat.cards for seat in game.view().seats] == [parse_cards(ACES), (None,) * 5, parse_cards(QUEENS)]


@pytest.mark.parametrize(
    ("hands", "winner"),
    [
        ((ACES, KINGS), 1),
        ((KINGS, ACES), 2),
        ((QUEENS, NOTHING, KINGS), 3),
        ((ACES, ACES_BETTER_KICKER), 2),
        (("2C 3D 4H 5S 6C", "AC 2D 3H 4S 5C"), 1),
        (("AH 2D 3H 4S 5C", ACES_BETTER_KICKER), 1),
    ],
    ids=["aces", "aces behind", "kings of three", "kickers count", "wheel is lowest", "wheel is a straight"],
)
def test_the_best_hand_wins_the_pot(hands: tuple[str, ...], winner: int) -> None:
    game = at_the_showdown(*hands)
    pot = game.pot
    done = game.deal_on()
    assert happened(done, events.PotAwarded) == [events.PotAwarded(1, "showdown", (events.Share(pot, winner),))]
    assert line_of(game) == f"Round 1 -- Player{winner} won {pot}"


def test_suits_never_break_a_tie_equal_hands_share_equally() -> None:
    game = at_the_showdown(ACES, ACES_AGAIN)
    _, award, ended = game.deal_on()
    assert award == events.PotAwarded(1, "showdown", (events.Share(55, 1), events.Share(55, 2)))
    assert ended == events.RoundEnded(1)
    assert game.stacks == (1000, 1000)
    assert line_of(game) == "Round 1 -- Player1 and Player2 won 55 each"


def test_what_does_not_divide_is_carried_into_the_next_rounds_pot() -> None:
    game = at_the_showdown(ACES, KINGS, ACES_AGAIN)  # a pot of 165 for two
    _, award, carried, ended = game.deal_on()
    assert award == events.PotAwarded(1, "showdown", (events.Share(82, 1), events.Share(82, 3)))
    assert carried == events.RemainderCarried(1)
    assert ended == events.RoundEnded(1)
    assert game.pot == 1
    assert line_of(game) == "Round 1 -- Player1 and Player3 won 82 each, 1 carried"


def test_carried_chips_are_won_with_the_next_pot() -> None:
    game = at_the_showdown(ACES, KINGS, ACES_AGAIN)
    game.deal_on()
    game.ready()
    assert game.pot == 1 + 3 * 6
    game.given(Fold(1), Fold(2))
    assert game.dealer() == events.PotAwarded(1, "last_in", (events.Share(19, 3),))


def test_carried_chips_are_shared_with_the_pot() -> None:
    game = at_the_showdown(ACES, ACES_AGAIN, carried=3)
    _, award, carried, _ = game.deal_on()
    assert award == events.PotAwarded(1, "showdown", (events.Share(56, 1), events.Share(56, 2)))
    assert carried == events.RemainderCarried(1)


def test_carried_chips_may_be_carried_again() -> None:
    game = at_the_showdown(ACES, KINGS, ACES_AGAIN)
    game.deal_on()
    game.ready().given(Bet(1, 50), Call(2), Call(3), *stand_pat(1, 2, 3))
    assert game.pot == 1 + 3 * 56


def test_several_share_with_a_larger_remainder() -> None:
    hands = ("AH KD 8C 6S 3C", "AD KH 8S 6C 3D", "AC KS 8H 6D 3H", NOTHING)
    game = at_the_showdown(*hands, carried=2)  # 222 for three divides; 4 * 55 + 2
    assert happened(game.deal_on(), events.RemainderCarried) == []
    game = at_the_showdown(*hands)  # 220 for three does not
    done = game.deal_on()
    assert happened(done, events.RemainderCarried) == [events.RemainderCarried(1)]
    assert line_of(game) == "Round 1 -- Player1, Player2 and Player3 won 73 each, 1 carried"


def test_the_last_player_in_shows_nothing() -> None:
    game = dealt(2, ACES, KINGS).given(Bet(1, 50), Fold(2))
    done = game.deal_on()
    assert happened(done, events.HandsOpened, events.HandShown) == []
    assert game.view().seat(1).cards == (None,) * 5
    assert game.view(2).seat(1).cards == (None,) * 5
    entry = game.state.entry(done[-1], EVERYONE)
    assert entry is not None
    assert DrawPokerWords().details(entry) == ["Player1 [hidden] won 60", "Player2 [hidden]"]


def test_the_round_won_is_what_the_pots_gave() -> None:
    game = at_the_showdown(ACES, KINGS)
    done = game.deal_on()
    entry = game.state.entry(done[-1], EVERYONE)
    assert entry is not None
    assert entry.number == 1
    assert entry.facts == {
        "carried": 0,
        "hands": [
            {"cards": ["Ah", "Ad", "8c", "6s", "3c"], "name": "Player1", "seat": 1, "won": 110},
            {"cards": ["Kh", "Kd", "9c", "7s", "2c"], "name": "Player2", "seat": 2, "won": 0},
        ],
    }


def test_only_the_end_of_a_round_makes_a_line_of_history() -> None:
    game = at_the_showdown(ACES, KINGS)
    for event in (*game.log, *game.deal_on()[:-1]):
        assert game.state.entry(event, EVERYONE) is None


def test_nobody_acts_in_the_showdown() -> None:
    game = at_the_showdown(ACES, KINGS)
    with pytest.raises(IllegalAction, match="the dealer is to act") as refused:
        game.state.legal(1)
    assert refused.value.code == "not_your_turn"
