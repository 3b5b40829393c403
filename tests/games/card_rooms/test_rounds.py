"""Being out, the end, forfeits, and the deck that runs out."""

import pytest

from pokersvc.cards import parse_cards
from pokersvc.core.actions import Forfeit
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.actions import Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.events import GameEnded, PlayerLeft, PotAwarded, Share

from ..draw_poker.table import ACES, KINGS, NOTHING, QUEENS, Table, happened, seated
from .rooms import HOUSES, before, drawn, final, house, on, opened, passed

pytestmark = pytest.mark.parametrize("name", HOUSES)


def all_in(table: Table) -> Table:
    """Everybody raises and calls as much as there is, and stands pat."""
    table.ready()
    while table.to_act is not None and table.view().stage != "between rounds":
        seat, legal = table.to_act, table.legal
        if legal.discard is not None:
            table.given(Discard(seat, ()))
        elif legal.raise_to is not None:
            table.given(Raise(seat, legal.raise_to[1]))
        else:
            table = table.given(Call(seat)) if legal.call else passed(table)
        on(table)
    return table


# Out, and the end.


def test_who_has_no_chips_is_out(name: str) -> None:
    table = drawn(passed(opened(name, 3, ACES, KINGS, QUEENS, stacks=(200, 2, 200))))
    passed(table)
    assert table.stacks[1] == 0
    assert table.dealer() == PlayerLeft(0, "short", 2)


def test_who_has_one_chip_plays_on(name: str) -> None:
    table = before(name, 3, stacks=(200, 1, 200)).ready()
    assert table.view().seat(2).standing == "in"


def test_the_game_ends_with_one_player_left(name: str) -> None:
    table = drawn(passed(opened(name, 2, ACES, KINGS, stacks=(200, 2))))
    on(table)
    assert table.stacks == (202, 0)
    assert table.given(PlayerLeft(0, "short", 2)).dealer() == GameEnded("last_player", (202, 0), (1,))


def test_the_game_ends_after_its_rounds(name: str) -> None:
    table = seated(3, rounds=1, rules=house(name))
    on(table.ready().given(Fold(1), Fold(2)))
    assert table.dealer() == GameEnded("rounds", (200, 199, 201), (3,))


def test_a_remainder_at_the_end_cannot_exist(name: str) -> None:
    # Odd chips go out by position, so that no pot leaves any.
    table = seated(3, rounds=1, rules=house(name, ante=1)).ready()
    for seat, cards in enumerate(("JH AD 8C 6S 3C", "JD AH 8D 6H 3D", "JC TS 8H 6C 3H"), 1):
        table.state.hands[seat] = parse_cards(cards)
    table.given(Call(1), Call(2), Check(3))
    passed(drawn(table))
    assert (table.pot, table.stacks) == (0, (201, 202, 197))
    assert happened(table.log, events.RemainderCarried) == []
    assert isinstance(table.dealer(), GameEnded), "and no pot is awarded at the end of the game"


# Forfeits.


def test_a_forfeit_facing_a_bet_folds(name: str) -> None:
    table = opened(name, 3).given(Forfeit(1, "timeout"))
    assert table.view().seat(1).standing == "folded"


def test_a_forfeit_folds_even_a_free_hand(name: str) -> None:
    table = final(name, 3).given(Forfeit(2, "illegal"))
    assert table.view().seat(2).standing == "folded"
    assert table.to_act == 3


def test_the_big_blind_that_forfeits_its_option_is_folded(name: str) -> None:
    table = passed_to_the_big_blind(name).given(Forfeit(3, "raised"))
    assert table.ready().view().seat(3).standing == "folded"
    assert table.view().stage == "draw"


def passed_to_the_big_blind(name: str) -> Table:
    return opened(name, 3).given(Call(1), Call(2))


def test_when_all_others_forfeit_free_hands_the_last_player_wins(name: str) -> None:
    table = final(name, 3).given(Forfeit(2, "illegal"), Forfeit(3, "timeout"))
    assert table.to_act is None
    assert table.dealer() == PotAwarded(1, "last_in", (Share(6, 1),))


def test_a_forfeit_in_the_draw_stands_pat(name: str) -> None:
    table = passed(opened(name, 3, ACES, KINGS, QUEENS)).given(Forfeit(2, "timeout"))
    assert table.view().seat(2).standing == "in"
    assert table.hand(2) == parse_cards(KINGS)
    assert table.to_act == 3


def test_an_all_in_player_is_not_asked_and_so_not_folded(name: str) -> None:
    table = opened(name, 3, stacks=(200, 200, 2)).given(Call(1), Call(2)).ready()
    assert table.refusal(Forfeit(3, "timeout")) == "not_your_turn"


# The deck.


def draw_the_most(table: Table) -> list[int]:
    """Everyone discards as many cards as they may; return how many that was."""
    counts = []
    while table.ready().to_act is not None and table.view().stage == "draw":
        seat, most = table.to_act, table.legal.discard
        assert seat is not None
        assert most is not None
        table.given(Discard(seat, table.hand(seat)[:most]))
        on(table)
        counts.append(most)
    return counts


@pytest.mark.parametrize("players", range(2, 6))
def test_up_to_five_seats_the_deck_is_enough(name: str, players: int) -> None:
    table = passed(opened(name, players))
    assert draw_the_most(table) == [5] * players
    assert happened(table.log, events.DeckReshuffled) == []


@pytest.mark.parametrize("players", range(6, 11))
def test_above_five_seats_it_is_made_anew_from_what_others_threw_away(name: str, players: int) -> None:
    table = passed(opened(name, players))
    counts = draw_the_most(table)
    assert counts[0] == min(5, 52 - 5 * players)
    assert happened(table.log, events.DeckReshuffled) != []
    assert len(counts) == players


def test_at_ten_seats_with_nobody_folded_the_first_to_draw_may_take_two(name: str) -> None:
    table = passed(opened(name, 10))
    assert table.legal.discard == 2


def test_folded_hands_are_in_the_new_deck(name: str) -> None:
    table = opened(name, 10).given(Fold(4), Fold(5))
    assert passed(table).legal.discard == 5, "the 2 cards left and 10 folded ones"


def test_nobody_is_dealt_their_own_discard(name: str) -> None:
    table = passed(opened(name, 10))
    draw_the_most(table)
    gone: dict[int, set[object]] = {}
    for event in table.log:
        if isinstance(event, events.CardsDiscarded):
            gone[event.seat] = set(event.cards or ())
        if isinstance(event, events.CardsDrawn):
            assert not gone[event.seat] & set(event.cards or ())


def test_stacks_gone_all_at_once_leave_one_winner_of_every_chip(name: str) -> None:
    table = opened(name, 4, ACES, KINGS, QUEENS, NOTHING, stacks=(9, 9, 9, 9))
    while isinstance(table.view().to_act, int):
        table = all_in(table)
    assert sum(table.stacks) == 36
    assert table.pot == 0
