"""Who plays whom on which deals, and what is refused."""

from itertools import combinations, permutations
from typing import Any

import pytest

from pokersvc.core.event import Event
from pokersvc.core.seats import Seat
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import DeckShuffled
from pokersvc.games.kalah.game import KALAH
from pokersvc.players import Programs
from pokersvc.tournament import plan
from pokersvc.tournament.plan import seat_orders
from pokersvc.tournament.play import play
from tests.nim.game import NIM

from .support import NAMES, all_played, planned


def events_of(tournament: Any, index: int) -> list[Event]:
    with Programs() as programs:
        return play(tournament, index, programs)[1]


def seeds_of(events: list[Event]) -> list[bytes | None]:
    return [event.seed for event in events if isinstance(event, DeckShuffled)]


def test_every_line_up_plays_every_deal_in_every_order() -> None:
    tournament = planned("random", "random", "random", "random", deals=3, seats=2, orders="all")
    sittings = [tournament.sitting(index) for index in range(tournament.games)]
    assert tournament.games == 3 * 6 * 2
    assert sorted(sittings) == sorted(
        (deal, order) for deal in (1, 2, 3) for pair in combinations(range(4), 2) for order in permutations(pair)
    )


def test_with_more_deals_the_games_so_far_have_the_same_numbers() -> None:
    few, many = (planned("random", "minimum", "table", deals=deals) for deals in (2, 5))
    assert [few.sitting(index) for index in range(few.games)] == [many.sitting(index) for index in range(few.games)]
    assert few.fingerprint == many.fingerprint


def test_without_a_number_of_seats_all_sit_at_one_table() -> None:
    assert planned("random", "random", "random").line_ups == ((0, 1, 2),)


@pytest.mark.parametrize(
    ("seats", "orders", "count"),
    [
        (2, None, 2),
        (3, None, 6),
        (4, None, 24),
        (5, None, 5),
        (5, "all", 5),
        (4, "rotations", 4),
        (4, 7, 7),
        (6, 100, 100),
    ],
)
def test_all_orders_up_to_24_else_the_rotations_or_as_many_as_one_says(seats: int, orders: Any, count: int) -> None:
    found = seat_orders(seats, orders, "1")
    assert len(set(found)) == len(found) == count
    assert found[0] == tuple(range(seats))
    assert all(sorted(order) == list(range(seats)) for order in found)


def test_rotations_seat_everybody_everywhere_once() -> None:
    for place in zip(*seat_orders(6, "rotations", "1"), strict=True):
        assert sorted(place) == list(range(6))


@pytest.mark.parametrize(
    ("seats", "orders"),
    [*((3, orders) for orders in range(1, 7)), *((4, orders) for orders in range(1, 25)), (5, 15), (6, 600), (10, 990)],
)
def test_in_any_number_of_orders_everybody_sits_everywhere_as_often_as_can_be(seats: int, orders: int) -> None:
    for seed in "abc":
        found = seat_orders(seats, orders, seed)
        assert len(set(found)) == len(found) == orders
        assert found[0] == tuple(range(seats))
        for place in zip(*found, strict=True):
            counts = [place.count(player) for player in range(seats)]
            assert max(counts) - min(counts) <= (orders % seats > 0), counts


def test_who_plays_after_whom_is_drawn_too() -> None:
    drawn = {seat_orders(4, 8, str(seed))[4:] for seed in range(100)}
    assert len({order[0].index(0) for order in drawn}) == 4, "a number that does not fill the seats favours no seat"
    assert len({frozenset(orders) for orders in drawn}) == 5, "every other circle is drawn"


def test_orders_drawn_at_random_follow_from_the_seed() -> None:
    assert seat_orders(6, 10, "a") == seat_orders(6, 10, "a") != seat_orders(6, 10, "b")


def test_the_same_deal_is_the_same_cards_in_every_order_and_line_up() -> None:
    tournament = planned("random", "steady", "table", deals=2, seats=2, rounds=3, seed="2")  # nobody goes broke
    decks = [seeds_of(events_of(tournament, index)) for index in range(tournament.games)]
    half = tournament.games // 2
    assert all(len(deck) == 3 for deck in decks)
    assert all(deck == decks[0] for deck in decks[:half])
    assert all(deck == decks[-1] for deck in decks[half:])
    assert not set(decks[0]) & set(decks[-1])


def choices_of(events: list[Event]) -> list[Any]:
    names = ("Bet", "Called", "Checked", "Folded", "CardsDiscarded")
    return [event for event in events if type(event).__name__ in names]


def test_the_same_player_has_other_luck_in_other_orders_and_the_same_when_played_again() -> None:
    tournament = planned("random", "random", deals=3, rounds=4)
    first, second = (choices_of(events_of(tournament, index)) for index in (0, 1))
    assert first != second
    assert first == choices_of(events_of(tournament, 0))


def test_another_seed_is_another_tournament() -> None:
    one, two = planned("random", "random", seed="1"), planned("random", "random", seed="2")
    assert seeds_of(events_of(one, 0)) != seeds_of(events_of(two, 0))
    assert one.fingerprint != two.fingerprint


@pytest.mark.parametrize(
    "others",
    [{"rounds": 2}, {"opening": 1}, {"orders": "rotations"}, {"seats": 2}, {"seed": "2"}],
    ids=str,
)
def test_what_changes_the_results_changes_the_fingerprint(others: Any) -> None:
    assert (
        planned("random", "steady", "table").fingerprint != planned("random", "steady", "table", **others).fingerprint
    )


def test_the_content_of_a_players_file_is_in_the_fingerprint(tmp_path: Any) -> None:
    file = tmp_path / "mine.py"
    prints = []
    for text in ("class Mine: ...", "class Mine:  ..."):
        file.write_text(text)
        prints.append(planned(f"{file}:Mine", "random").fingerprint)
    assert prints[0] != prints[1]


def test_an_opening_is_at_random_and_the_same_in_every_order() -> None:
    tournament = planned("minimum", "minimum", deals=12, opening=1)
    openings = [choices_of(events_of(tournament, index))[0] for index in range(tournament.games)]
    plain = [choices_of(events_of(planned("minimum", "minimum"), index))[0] for index in range(4)]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) > 3
    assert len(set(plain)) == 1


def test_where_nobody_says_a_game_that_deals_nothing_begins_with_four_moves_at_random() -> None:
    assert planned("bad", "random", game=KALAH).opening == 4
    assert planned("bad", "random", game=KALAH, opening=0).opening == 0
    assert planned("minimum", "random").opening == 0
    assert planned("careful", "careless", game=NIM).opening == 0


def test_the_deals_of_a_game_that_deals_nothing_differ() -> None:
    played = all_played(planned("bad", "bad", game=KALAH, deals=8))
    assert len({played[index].gains for index in range(0, 16, 2)}) > 3


def test_a_game_without_a_random_program_has_no_openings() -> None:
    with pytest.raises(InvalidValue, match="Openings are made by the bot 'random', which the game 'nim' does not have"):
        planned("careful", "careless", game=NIM, opening=2)


def test_the_rounds_of_a_game_are_the_games_own_where_nobody_says() -> None:
    assert planned("random", "random").rounds == 1
    assert planned("random", "random", rounds=7).rounds == 7
    assert planned("careful", "careless", game=NIM).rounds is None


@pytest.mark.parametrize(
    ("kinds", "others", "said"),
    [
        (["random"], {}, "needs two players or more, not 1"),
        (["random", "random"], {"deals": 0}, "A tournament of 0 deals"),
        (["random", "random"], {"seats": 3}, "2 players cannot fill tables of 3 seats"),
        (["random", "random"], {"seats": 1}, "cannot fill tables of 1 seat;"),
        (["random", "human"], {}, "Only bots play a tournament, and Bob is a person"),
        (["random", "nobody"], {}, "Bob cannot be played by 'nobody'"),
        (["random", "random"], {"orders": 0}, "2 seats have 2 orders; 0 of them"),
        (["random", "random"], {"orders": 3}, "2 seats have 2 orders; 3 of them"),
        (["random", "random"], {"seed": ""}, "'' cannot be a seed"),
        (["random", "random"], {"rounds": 0}, "A game of 0 rounds"),
        (["random", "random"], {"deals": 10**9}, "more than 1,000,000 games"),
    ],
)
def test_what_cannot_be_played_is_refused(kinds: list[str], others: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidValue, match=said):
        planned(*kinds, **others)


def test_two_players_of_one_name_are_refused_although_they_might_never_meet() -> None:
    players = (Seat("random", "Ann"), Seat("random", "Bob"), Seat("steady", "ann"))
    with pytest.raises(InvalidValue, match="are the same"):
        plan(DRAW_POKER, {}, players, 1, seats=2)


def test_no_seat_of_a_tournament_stays_open() -> None:
    players = (Seat("random", "Ann"), Seat("random", "Bob"))
    with pytest.raises(InvalidValue, match="In a tournament nobody sits down later"):
        plan(DRAW_POKER, {"rules": "no-limit", "cash": True, "open_seats": 1}, players, 1)


def test_more_players_than_the_game_seats_need_a_number_of_seats() -> None:
    players = tuple(Seat("careful", name) for name in NAMES[:4])
    with pytest.raises(InvalidValue, match="4 players cannot play Nim"):
        plan(NIM, {}, players, 1)
    assert plan(NIM, {}, players, 1, seats=3).games == 4 * 6
