"""Cash games: between rounds people sit down, get up, buy chips, sit out and come back; every chip is counted."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.betting.seats import has, seats_in
from pokersvc.core.actions import BetweenRounds, CloseGame, IllegalAction, Leave
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.core.seats import HUMAN
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.advising.players import RandomPlayer
from pokersvc.games.draw_poker.books import DrawPokerBooks
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.cash_table import CashTable
from pokersvc.games.draw_poker.house.rules import Rake
from pokersvc.testing import check_game

from ..card_rooms.rooms import HOUSES, house
from .checked import CHECKED, quicken
from .scenario import DEALER, Scenario, seated
from .tables import called, ledger_at_end, sitting, table

WORDS = DrawPokerWords()


def cash_game(*stacks: int, **fields: object) -> Scenario:
    """A cash game after its first round."""
    return called(sitting(table(*(stacks or (100, 100, 100)), cash=True, **fields), house("no-limit")))


def test_a_person_buys_chips_up_to_the_stack_of_the_house() -> None:
    game = cash_game()
    game.state.stacks[1] = 60
    assert game.event_of(BuyChips(1, 140)) == events.ChipsBought(140, 1)
    assert game.refusal(BuyChips(1, 141)) == "illegal_amount"
    assert game.refusal(BuyChips(1, 0)) == "illegal_amount"
    assert game.refusal(BuyChips(1, True)) == "illegal_amount"
    game.given(BuyChips(1, 40))
    assert game.stacks[0] == 100
    assert WORDS.tell(game.log[-1], game.state) == "Ann buys 40"


def test_a_person_gets_up_with_all_their_chips_and_sits_down_with_others() -> None:
    game = cash_game()
    game.state.stacks[2] = 120
    game.given(Leave(2))
    assert game.log[-1] == events.GotUp(120, 2)
    assert game.stacks[1] == 0
    assert game.view().seat(2).standing == "out"
    assert game.refusal(BuyChips(2, 1)) == "already_out"
    assert game.refusal(SitDown(2, 201)) == "illegal_amount"
    game.given(SitDown(2, 200))
    assert game.stacks[1] == 200
    assert game.refusal(SitDown(2, 1)) == "already_seated"


def test_a_seat_without_chips_is_open_at_the_start() -> None:
    game = cash_game(100, 100, 0)
    assert game.view().seat(3).standing == "out"
    assert game.refusal(SitOut(3)) == "already_out"
    game.given(SitDown(3, 50))
    assert game.view().seat(3).standing == "in"


def test_who_sits_out_comes_back() -> None:
    game = cash_game()
    assert game.refusal(SitIn(1)) == "not_sitting_out"
    game.given(SitOut(1))
    assert game.view().seat(1).sitting_out
    assert game.refusal(SitOut(1)) == "already_out"
    game.given(SitIn(1))
    assert not game.view().seat(1).sitting_out


@pytest.mark.parametrize("kind", [SitOut, SitIn, lambda seat: BuyChips(seat, 5), lambda seat: SitDown(seat, 5)])
def test_none_of_it_comes_within_a_round_nor_from_a_program_nor_in_a_freeze_out(
    kind: Callable[[int], BetweenRounds],
) -> None:
    assert cash_game().ready().refusal(kind(1)) == "not_between_rounds"
    assert cash_game().refusal(kind(4)) == "not_a_person"
    assert cash_game().refusal(kind(-1)) == "not_a_person"
    assert called(seated(2, persons=[1], rules=house("no-limit"))).refusal(kind(1)) == "no_cash_game"


def test_who_has_lost_all_keeps_the_seat_and_may_buy_more() -> None:
    game = cash_game()
    game.state.stacks[1:] = [200, 100, 0]
    assert game.state.pausing
    assert isinstance(game.dealer(), events.RoundStarted), "the others play on"
    game.given(BuyChips(3, 100))
    assert game.stacks == (200, 100, 100)


def test_where_fewer_than_two_can_play_on_the_game_waits_for_chips_and_ends_without() -> None:
    game = cash_game(100, 100)
    game.state.stacks[1:] = [200, 0]
    assert game.state.pausing, "chips may be bought"
    assert isinstance(game.dealer(), events.GameEnded)
    game.given(BuyChips(2, 200))
    assert isinstance(game.dealer(), events.RoundStarted)


def test_a_cash_game_is_closed_between_rounds_also_where_fewer_than_two_can_play() -> None:
    game = cash_game(100, 100)
    game.state.stacks[1:] = [200, 0]
    game.given(game.event_of(CloseGame()))
    assert game.dealer() == events.GameEnded("rounds", (200, 0), (1,))


def test_who_won_most_is_first_whatever_stacks_were_bought() -> None:
    game = cash_game(100, 100, 50)
    game.state.stacks[1:] = [80, 110, 60]
    game.given(BuyChips(1, 120), Leave(3))
    game.given(game.event_of(CloseGame()))
    game.deal_on()
    outcome = game.state.outcome
    assert outcome is not None
    assert outcome.scores == (-20, 10, 10)
    assert outcome.winners == (2, 3)
    started = game.log[0]
    assert isinstance(started, events.GameStarted)
    assert DRAW_POKER.gains(started, outcome) == (-20, 10, 10)


def test_the_ledger_shows_what_was_bought_and_cashed() -> None:
    game = cash_game().given(SitOut(1), Leave(3), SitDown(3, 40))
    page = ledger_at_end(game)
    assert page.columns == ("began", "bought", "put in", "returned", "in pots", "paid", "net", "cashed", "has")
    for _, (began, bought, *_, net, cashed, has_now) in page.rows:
        assert (began or 0) + (bought or 0) + (net or 0) - (cashed or 0) == has_now


# What always holds.


@st.composite
def tables(draw: st.DrawFn) -> tuple[CashTable, str, Rake | None, str, str]:
    """A cash table of any stacks, a house, its rake, and its order of the draw and of the reshuffle."""
    stacks = draw(st.lists(st.integers(0, 60), min_size=2, max_size=7).filter(lambda chips: sum(map(bool, chips)) > 1))
    rakes = st.builds(Rake, share=st.integers(0, 3000), caps=st.just((2, 5)), no_draw_no_rake=st.booleans())
    rake = draw(st.none() | rakes)
    numbers = tuple(sorted(draw(st.sets(st.integers(0, 12), min_size=len(stacks), max_size=len(stacks)))))
    button = draw(st.none() | st.integers(0, 12))
    at = CashTable(cash=True, button=button, numbers=numbers, stacks=tuple(stacks))
    button_rule, order = draw(st.sampled_from(["forward", "dead"])), draw(st.sampled_from(["in_turn", "together"]))
    return at, draw(st.sampled_from(HOUSES)), rake, button_rule, order


def play(made: tuple[CashTable, str, Rake | None, str, str], random: Random) -> Scenario:
    """Play some rounds at random, with people who come and go between them."""
    at, name, rake, button_rule, order = made
    rules = house(name, button_rule=button_rule, ante=random.choice([0, 0, 1]), straddle=random.choice([0, 4]))
    game = sitting(at, rules.model_copy(update={"rake": rake, "draw": order, "muck_all_in": random.random() < 0.5}))
    for _ in range(250):
        if game.state.outcome is not None:
            break
        if game.state.pausing and random.random() < 0.6:
            _come_and_go(game, random)
        elif game.to_act is not None:
            game.given(RandomPlayer().choose(game.view(game.to_act), game.legal, random))
        else:
            event = game.dealer()
            assert event is not None, "the game is stuck"
            game.given(event)
    else:
        if game.state.pausing:
            game.given(game.event_of(CloseGame()))
            game.deal_on()
    return game


def _come_and_go(game: Scenario, random: Random) -> None:
    seat, chips = random.randint(1, len(game.state.seats)), random.randint(1, 200)
    actions = [SitDown(seat, chips), BuyChips(seat, chips), SitOut(seat), SitIn(seat), Leave(seat)]
    try:
        game.given(random.choice(actions))
    except IllegalAction:
        return


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(made=tables(), random=st.randoms(use_true_random=False))
def test_no_chip_is_made_or_lost_and_the_books_agree_at_every_event(
    made: tuple[CashTable, str, Rake | None, str, str], random: Random
) -> None:
    started, *happened = play(made, random).log
    assert isinstance(started, events.GameStarted)
    books, state = DrawPokerBooks(started), DRAW_POKER.new(started)
    for event in happened:
        state.apply(event)
        assert [*books.post(event), *books.compare(state)] == []
        everywhere = sum(state.stacks) + state.pot + state.raked + sum(state.taken) - sum(state.brought)
        assert everywhere == sum(made[0].stacks)
        assert min(state.stacks) >= 0


@settings(deadline=None, max_examples=15)
@given(made=tables(), random=st.randoms(use_true_random=False))
def test_who_owes_a_blind_posts_it_or_waits_and_nobody_else_posts_more_than_a_blind(
    made: tuple[CashTable, str, Rake | None, str, str], random: Random
) -> None:
    started, *happened = play(made, random).log
    assert isinstance(started, events.GameStarted)
    state = DRAW_POKER.new(started)
    owed = 0
    for event in happened:
        if isinstance(event, events.RoundStarted):
            owed = state.owes_small | state.owes_big
            stayed = state.sitting() & ~owed & (state.two or ~0)
            owed *= stayed.bit_count() > 1  # else all begin as at a new table
        if isinstance(event, events.Posted):
            assert has(owed, event.seat) == (event.kind != "straddle")
        if isinstance(event, events.BlindPosted | events.Posted):
            assert not has(state.out, event.seat)
        state.apply(event)
        if isinstance(event, events.RoundStarted):
            assert state.live.bit_count() >= 2
            assert has(state.live, state.big_blind)


@settings(deadline=None, max_examples=15)
@given(made=tables(), random=st.randoms(use_true_random=False))
def test_the_next_after_the_big_blind_straddles_unless_two_play_or_that_one_owes_a_blind(
    made: tuple[CashTable, str, Rake | None, str, str], random: Random
) -> None:
    started, *happened = play(made, random).log
    assert isinstance(started, events.GameStarted)
    state = DRAW_POKER.new(started)
    due, posted = 0, list[int]()
    for event in happened:
        owed = state.owes_small | state.owes_big
        state.apply(event)
        if isinstance(event, events.RoundStarted):
            live = seats_in(state.live)
            after = min((seat for seat in live if seat > state.big_blind), default=live[0])
            owing = [other.seat for other in state.posts if other.kind in ("extra", "dead")]
            assert all(has(owed, seat) for seat in owing)
            due = after if started.rules.straddle and len(live) > 2 and after not in owing else 0
            posted.clear()
        if isinstance(event, events.Posted) and event.kind == "straddle":
            posted.append(event.seat)
        if isinstance(event, events.DeckShuffled):
            assert posted == [due] * bool(due)
            assert not due or state.price == started.rules.straddle


@pytest.mark.slow
def test_the_kit_for_authors_finds_nothing_in_cash_games(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)
    options = [
        {"rules": "no-limit", "cash": True, "rake": "5%", "rake_cap": "1,3"},
        {"rules": "rising-ante", "cash": True},
    ]
    check_game(DRAW_POKER, options=options, seeds=range(4), stored=2, **CHECKED)


def test_the_dealer_is_asked_with_the_same_answer_twice() -> None:
    game = cash_game()
    first: Event | None = game.state.dealer_event(DEALER)
    assert first == game.state.dealer_event(DEALER)
    assert [who.kind for who in game.state.seats] == [HUMAN] * 3


def test_what_people_do_in_cash_games_is_impossible_in_a_freeze_out() -> None:
    game = called(seated(2, persons=[1], rules=house("no-limit")))
    chips = (events.ChipsBought(5, 1), events.SatDown(5, None, 1, 1), events.GotUp(5, 1))
    for event in (*chips, events.SatOut(1), events.SatIn(1)):
        with pytest.raises(ImpossibleEvent, match="this is no cash game"):
            game.state.apply(event)
