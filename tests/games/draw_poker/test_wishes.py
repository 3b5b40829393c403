"""Standing wishes: chips bought before a round, sitting out and coming back at the blinds, and seats that are freed."""

from dataclasses import replace
from random import Random
from typing import cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.betting.cash_seats import NO_WISHES
from pokersvc.betting.seats import has, seats_in
from pokersvc.betting.wishes import Wish
from pokersvc.core.actions import BetweenRounds, CloseGame, IllegalAction, Leave
from pokersvc.core.event import ImpossibleEvent
from pokersvc.games.draw_poker import DRAW_POKER, cash_events, events
from pokersvc.games.draw_poker.actions import AnswerPurchase
from pokersvc.games.draw_poker.advising.players import RandomPlayer
from pokersvc.games.draw_poker.books import DrawPokerBooks
from pokersvc.games.draw_poker.display.words import DrawPokerWords

from .cash_evening import after_a_round, another_round, before_the_round, evening
from .scenario import Scenario
from .test_stakes import called as bets_called

WORDS = DrawPokerWords()

# Chips up to an amount.


def test_chips_are_bought_before_the_round_up_to_the_wish() -> None:
    game = after_a_round().given(Wish(1, top_up_to=150))
    game.state.stacks[1] = 90
    assert game.log[-1] == cash_events.WishesSet(False, False, 1, False, 150)
    assert WORDS.tell(game.log[-1], game.state) == "Ann wishes chips up to 150 before each round"
    assert game.state.deals_to() is None, "shares are awaited after the purchase"
    assert before_the_round(game) == [cash_events.ToppedUp(60, 1)]
    assert WORDS.tell(game.log[-1], game.state) == "Ann tops up by 60"
    assert game.stacks[0] == 150
    assert game.state.deals_to() is not None


def test_it_is_bought_again_before_each_round_until_it_is_taken_back() -> None:
    game = after_a_round().given(Wish(1, top_up_to=150))
    before_the_round(game)
    another_round(game)
    game.state.stacks[1] = 100
    assert before_the_round(game) == [cash_events.ToppedUp(50, 1)]
    game.state.stacks[1] = 100
    game.given(Wish(1, top_up_to=0))
    assert before_the_round(game) == []


def test_it_keeps_to_the_bounds_of_a_purchase() -> None:
    game = after_a_round(buy_least=20, buy_most=40).given(Wish(1, top_up_to=150))
    game.state.stacks[1] = 131
    assert before_the_round(game) == [], "less than the least"
    game.state.stacks[1] = 50
    assert before_the_round(game) == [
        cash_events.ToppedUp(40, 1),
        cash_events.ToppedUp(40, 1),
        cash_events.ToppedUp(20, 1),
    ]


def test_a_lost_stack_is_bought_anew_so_the_game_goes_on() -> None:
    game = after_a_round(seats=2).given(Wish(2, top_up_to=100))
    game.state.stacks[1:] = [200, 0]
    assert not game.state.ends_next
    assert before_the_round(game) == [cash_events.ToppedUp(100, 2)]
    assert isinstance(game.dealer(), events.RoundStarted)


def test_nothing_is_bought_for_who_sits_out_or_has_left() -> None:
    game = after_a_round().given(Wish(1, top_up_to=200), Wish(2, top_up_to=200), SitOut(1), Leave(2))
    assert before_the_round(game) == []


def test_wishes_that_cannot_be_are_refused() -> None:
    game = after_a_round()
    assert game.refusal(Wish(1, top_up_to=201)) == "illegal_amount"
    assert game.refusal(Wish(1, top_up_to=True)) == "illegal_amount"
    assert game.refusal(Wish(1)) == "nothing_changes"
    assert game.refusal(Wish(1, in_with_blind=True)) == "not_sitting_out"
    assert game.refusal(Wish(1, out_at_blind=cast(bool, 1))) == "not_a_wish"
    game.given(SitOut(1))
    assert game.refusal(Wish(1, out_at_blind=True)) == "already_out"
    assert game.refusal(Wish(4, top_up_to=5)) == "not_a_person"
    assert after_a_round(approval=True).refusal(Wish(1, top_up_to=50)) == "needs_approval"
    without = bets_called(evening(house="rising-ante"))
    assert without.refusal(Wish(1, out_at_blind=True)) == "no_blinds"
    assert game.ready().refusal(Wish(2, top_up_to=50)) == "not_between_rounds"


def test_a_wish_of_an_empty_seat_is_impossible() -> None:
    game = after_a_round().given(Leave(1))
    with pytest.raises(ImpossibleEvent, match="at the table"):
        game.given(cash_events.WishesSet(False, False, 1, False, 50))


# At the blinds.


def big_blind(game: Scenario) -> int:
    return game.state.big_blind


def test_who_wishes_so_sits_out_when_the_big_blind_would_be_theirs() -> None:
    game = after_a_round(seats=4)
    seat = big_blind(game) % 4 + 1
    then = seat % 4 + 1
    game.given(Wish(then, out_at_blind=True))
    assert before_the_round(game) == [], "the next blind is another's"
    another_round(game)
    assert big_blind(game) == seat
    assert before_the_round(game) == [cash_events.SatOutAtBlind(then)]
    another_round(game)
    assert has(game.state.owes_big, then), "the blind was missed, and is owed"
    assert game.view().seat(then).sitting_out


def test_who_wishes_so_comes_back_as_the_big_blind_and_posts_nothing_more() -> None:
    game = after_a_round(seats=4)
    seat = big_blind(game) % 4 + 1
    game.given(SitOut(seat))
    another_round(game)
    assert has(game.state.owes_big, seat)
    game.given(Wish(seat, in_with_blind=True))
    came = []
    for _ in range(4):
        came += before_the_round(game)
        another_round(game)
    assert came == [cash_events.SatInWithBlind(seat)]
    began = game.log.index(came[0])
    posts = [
        one for one in game.log[began:] if isinstance(one, events.BlindPosted | events.Posted) and one.seat == seat
    ]
    assert posts[0] == events.BlindPosted(2, "big", seat)
    assert all(isinstance(one, events.BlindPosted) for one in posts)


def test_who_missed_no_blind_comes_back_at_once() -> None:
    game = after_a_round(seats=4)
    seat = (big_blind(game) + 1) % 4 + 1
    game.given(SitOut(seat), Wish(seat, in_with_blind=True))
    assert before_the_round(game) == [cash_events.SatInWithBlind(seat)]


def test_sitting_in_and_out_now_takes_such_a_wish_back() -> None:
    game = after_a_round(seats=4).given(Wish(1, out_at_blind=True, top_up_to=100), SitOut(1))
    assert game.state.cash_seats.wishes[1] == (False, False, False, 100)
    game.given(Wish(1, in_with_blind=True, top_up_to=0), SitIn(1))
    assert game.state.cash_seats.wishes == {}


def test_the_game_waits_if_a_wish_leaves_fewer_than_two() -> None:
    game = after_a_round(seats=2)
    seat = 3 - big_blind(game)
    game.given(Wish(seat, out_at_blind=True))
    assert not game.state.ending()
    assert game.state.ends_next


# Seats that are freed.


def test_who_sits_out_too_long_gets_up_with_their_chips() -> None:
    game = after_a_round(seats=4, away_rounds=2).given(SitOut(2))
    left = []
    for _ in range(2):
        assert before_the_round(game) == []
        at_cash = game.view().seat(2).at_cash
        assert at_cash is not None
        left.append(at_cash.rounds_left)
        another_round(game)
    stack = game.stacks[1]
    assert left == [2, 1]
    assert before_the_round(game) == [cash_events.SeatFreed(stack, 2)]
    assert WORDS.tell(game.log[-1], game.state) == f"Bob has sat out for too long and gets up with {stack}"
    assert game.view().seat(2).standing == "out"
    assert DRAW_POKER.left_by(game.log[-1]) == 2
    assert DRAW_POKER.action_of(game.log[-1]) is None, "only the service makes it"
    game.given(SitDown(2, 50, "Zoe"))


def test_coming_back_in_time_keeps_the_seat() -> None:
    game = after_a_round(seats=4, away_rounds=2).given(SitOut(2))
    another_round(game)
    game.given(SitIn(2), SitOut(2))
    another_round(game)
    assert before_the_round(game) == []


def test_the_wish_in_words() -> None:
    view = after_a_round().given(SitOut(2), Wish(3, out_at_blind=True, top_up_to=150)).view()
    assert [WORDS.read_between(text, view, 1) for text in ("top up to 150", "top up off", "sit out at blind")] == [
        Wish(1, top_up_to=150),
        Wish(1, top_up_to=0),
        Wish(1, out_at_blind=True),
    ]
    assert WORDS.read_between("sit in with blind", view, 2) == Wish(2, in_with_blind=True)
    assert [one.typed for one in WORDS.between_rounds(view, 1)][1:] == ["sit out", "top up to 200", "sit out at blind"]
    assert [one.typed for one in WORDS.between_rounds(view, 2)][1:] == ["sit in", "top up to 200", "sit in with blind"]
    assert [one.typed for one in WORDS.between_rounds(view, 3)][1:] == ["sit out", "top up off", "stay in"]


def test_the_help_names_wishes_only_where_they_are_taken() -> None:
    started = evening().log[0]
    assert isinstance(started, events.GameStarted)
    earlier = Scenario(replace(started, engine=4))
    helps = [" ".join(WORDS.about(game.view())) for game in (evening(), earlier)]
    assert ["`sit out at blind` and `sit in with blind`" in " ".join(help_.split()) for help_ in helps] == [True, False]
    assert all("`sit in` stop and start being dealt hands" in " ".join(help_.split()) for help_ in helps)


# What always holds, over random evenings.


def _do(random: Random, seat: int) -> BetweenRounds:
    chips = random.randint(1, 120)
    return random.choice(
        [
            BuyChips(seat, chips),
            SitOut(seat),
            SitIn(seat),
            Leave(seat),
            SitDown(seat, chips, random.choice([None, "Zoe", "Yan", f"N{seat}"])),
            Wish(seat, top_up_to=random.choice([0, 50, 150])),
            Wish(seat, out_at_blind=random.random() < 0.8),
            Wish(seat, in_with_blind=random.random() < 0.8),
            *[Wish(seat, straddles=random.random() < 0.8)] * 2,
        ]
    )


def _between(game: Scenario, random: Random) -> None:
    for _ in range(random.randrange(5)):
        try:
            game.given(_do(random, random.randint(1, len(game.stacks))))
        except IllegalAction:
            continue
    for seat in list(game.state.cash_seats.asked):
        try:
            game.given(game.event_of(AnswerPurchase(seat, random.random() < 0.7)))
        except IllegalAction:
            continue
        if (event := game.dealer()) is not None and game.state.cash_seats.admitted:
            game.given(event)


def _check_round(game: Scenario, began: int, owing: tuple[int, int], out: int, two: int) -> None:
    """Nobody is dealt in while away, who owed a blind has posted it or is the big blind, who wishes to straddles."""
    state, happened = game.state, game.log[began:]
    dealt = {event.seat for event in happened if isinstance(event, events.HandDealt)}
    assert not any(has(out, seat) for seat in dealt)
    posts = [(one.seat, one.kind) for one in happened if isinstance(one, events.Posted)]
    blinds = [(one.seat, one.blind) for one in happened if isinstance(one, events.BlindPosted)]
    assert len(posts) == len(set(posts)), "nobody posts the same twice"
    assert len(blinds) == len(set(blinds)) <= 2
    steady = [seat for seat in dealt if not has(owing[0] | owing[1] | (~two if two else 0), seat)]
    for seat in dealt:
        if has(owing[1], seat) and len(dealt) > 2 and len(steady) > 1:
            assert (seat, "extra") in posts or (seat, "big") in blinds, "a missed big blind was not posted"
        if not has(owing[1], seat):
            assert (seat, "extra") not in posts
        assert not ((seat, "extra") in posts and (seat, "big") in blinds)
    assert not state.owes_big & sum(1 << seat for seat in dealt), "who was dealt in owes nothing more"
    big = next((seat for seat, kind in blinds if kind == "big"), None)
    straddled = [seat for seat, kind in posts if kind == "straddle"]
    turn = None if big is None else min(dealt, key=lambda seat: (seat <= big, seat))
    may = len(dealt) > 2 and state.rules.straddle and not {(turn, "extra"), (turn, "dead")} & set(posts)
    if two and all(seat in dealt for seat in seats_in(two)) and not has(two, turn or 0):
        may = False  # who comes after a round of two owes a blind, though they need not post it now
    wishes = not state.terms.at_cash.straddle_by_choice or state.cash_seats.wishes.get(turn or 0, NO_WISHES).straddles
    assert straddled == ([turn] if may and wishes else []), "who may straddle and wishes to does, and nobody else"


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6))
@example(seed=3380, seats=5)  # one of two goes, and two come back: all begin as at a new table
def test_an_evening_balances_and_nobody_plays_away_or_escapes_a_blind(seed: int, seats: int) -> None:
    random = Random(seed)
    options = {
        "buy_least": random.choice([None, 5]),
        "buy_most": random.choice([None, 90]),
        "approval": random.random() < 0.3 or None,
        "away_rounds": random.choice([None, 1, 3]),
        "return_rounds": random.choice([None, 2, 5]),
        **random.choice([{}, {"straddle": 4}, *[{"straddle": 4, "straddle_by_choice": True}] * 2]),
    }
    game = evening(seats=seats, house=random.choice(["no-limit", "fixed-limit"]), **options)
    started = game.log[0]
    assert isinstance(started, events.GameStarted)
    books, seen, player = DrawPokerBooks(started), 1, RandomPlayer()
    began, owing, out, two = 1, (0, 0), 0, 0
    for _ in range(400):
        if game.state.outcome is not None:
            break
        if game.state.pausing:
            _between(game, random)
        if game.state.pausing and game.state.ends_next:
            game.given(game.event_of(CloseGame()))
        if (seat := game.to_act) is not None:
            game.given(player.choose(game.view(seat), game.legal, random))
        elif (event := game.dealer()) is not None:
            if isinstance(event, events.RoundStarted):
                began, out, two = len(game.log), game.state.out, game.state.two
                owing = game.state.owes_small, game.state.owes_big
            game.given(event)
            if isinstance(event, events.RoundEnded):
                _check_round(game, began, owing, out, two)
        for happened in game.log[seen:]:
            books.post(happened)
        seen = len(game.log)
        assert list(books.compare(game.state)) == []
        state = game.state
        there = sum(state.stacks) + state.pot + state.raked
        assert sum(one.brought - one.taken for one in state.cash_seats.accounts.values()) == there
        sitting = [number for at, number in enumerate(state.cash_seats.persons) if at and has(state.seated, at)]
        assert len(sitting) == len(set(sitting)), "each person sits at one seat"
