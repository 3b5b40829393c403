"""Open seats of a cash game: a newcomer gives the seat its name, and later results are the newcomer's."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.betting.seats import fewer_than_two, has, passed
from pokersvc.core.actions import BetweenRounds, CloseGame, IllegalAction, Leave
from pokersvc.core.drawing import Room, Shortcut, plain
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, OPEN, Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Fold, Raise
from pokersvc.games.draw_poker.books import DrawPokerBooks
from pokersvc.games.draw_poker.counting import DrawPokerCounter
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.cash_table import CashTable
from pokersvc.games.draw_poker.net_results import brought

from ..card_rooms.rooms import house
from .scenario import Scenario
from .tables import called, ledger_at_end

WORDS = DrawPokerWords()
PEOPLE = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"))


def setup(*seats: Seat, still_open: int = 2, **options: object) -> Setup:
    given = {"rules": house("no-limit"), "cash": True, "open_seats": still_open, **options}
    return Setup(seats or PEOPLE, EntropySource.from_text("open seats"), None, given)


def with_open_seats(*seats: Seat, still_open: int = 2, **options: object) -> Scenario:
    """A cash game with open seats, after its first round."""
    return called(Scenario(DRAW_POKER.start(setup(*seats, still_open=still_open, **options))))


def another_round(game: Scenario) -> Scenario:
    game.deal_on()
    return called(game)


def test_an_open_seat_is_stored_as_a_persons_without_chips() -> None:
    started = DRAW_POKER.start(setup())
    assert started.seats == (*PEOPLE, Seat(HUMAN, "Seat3"), Seat(HUMAN, "Seat4"))
    assert started.table is not None
    assert started.table.stacks == (200, 200, 0, 0)
    assert DRAW_POKER.seats(started) == (*PEOPLE, Seat(OPEN, "Seat3"), Seat(OPEN, "Seat4"))
    assert DRAW_POKER.new(started).seats_now() == DRAW_POKER.seats(started)


@pytest.mark.parametrize("asked", [10**21, 10**5000], ids=["large", "too long to write"])
def test_more_open_seats_than_a_house_has_are_refused_before_any_is_made(asked: int) -> None:
    with pytest.raises(InvalidValue, match="So many open seats are not possible"):
        DRAW_POKER.start(setup(still_open=asked))
    with pytest.raises(InvalidValue, match="So many open seats are not possible"):
        DRAW_POKER.seated(PEOPLE, {"cash": True, "open_seats": asked})


def test_a_newcomer_is_not_said_to_have_drawn_what_the_seats_holder_before_did() -> None:
    game = with_open_seats(*PEOPLE, Seat(HUMAN, "Cy"), still_open=0)
    game.given(Leave(3))
    game.given(SitDown(3, 50, "Dee"))
    seats = game.state.view(EVERYONE).seats
    assert [(seat.name, seat.drew) for seat in seats] == [("Ann", 0), ("Bob", 0), ("Dee", None)]


def test_what_a_round_brought_is_shown_of_who_played_it_and_not_of_who_took_their_seat() -> None:
    game = with_open_seats(*PEOPLE, Seat(HUMAN, "Cy"), still_open=0)
    assert brought(game.state.view(EVERYONE).record.round) == ((1, 4), (2, -2), (3, -2))
    game.given(Leave(3), SitDown(3, 50, "Dee"))
    lines = plain(WORDS.draw(game.state.view(EVERYONE), Room(120, 40)))
    rows = [line.split() for line in lines[-3:]]
    assert [row[1] for row in rows] == ["Ann", "Bob", "Dee"]
    assert [{"+4", "-2"}.intersection(row) for row in rows] == [{"+4"}, {"-2"}, set()]


def test_how_many_open_seats_were_asked_for_is_said_where_that_can_be_written() -> None:
    with pytest.raises(InvalidValue, match=f"{10**9 - 1:,} open seats are not possible"):
        DRAW_POKER.start(setup(still_open=10**9 - 1))
    with pytest.raises(InvalidValue, match="So many open seats are not possible"):
        DRAW_POKER.start(setup(still_open=10**9))


def test_open_seats_are_told_as_open_when_the_game_starts() -> None:
    started = DRAW_POKER.start(setup())
    told = WORDS.tell(started, DRAW_POKER.new(started))
    assert told.startswith("Five-card draw, no-limit: Ann (human), Bob (human), 2 open seats; seat 1 $200, seat 2 $200")
    assert "seat 3" not in told


def test_open_seats_are_for_cash_games_and_for_no_more_than_the_house_seats() -> None:
    with pytest.raises(InvalidValue, match="Seats stay open in cash games alone"):
        DRAW_POKER.start(setup(cash=False))
    with pytest.raises(InvalidValue, match="12 players cannot play no-limit; it takes 2 to 10"):
        DRAW_POKER.start(setup(still_open=10))
    with pytest.raises(InvalidValue, match="99 open seats are not possible: this house has 10 seats in all"):
        DRAW_POKER.start(setup(still_open=99))
    with pytest.raises(InvalidValue, match="must be a whole number"):
        DRAW_POKER.start(setup(still_open=-1))
    with pytest.raises(InvalidValue, match="'open'"):
        DRAW_POKER.start(Setup((*PEOPLE, Seat(OPEN, "Seat3")), EntropySource.from_text("x"), None, None))


def test_an_open_seat_may_stand_anywhere_at_the_table() -> None:
    seats = (Seat(HUMAN, "Ann"), Seat(OPEN, "Seat2"), Seat(HUMAN, "Bob"))
    game = with_open_seats(*seats, still_open=0)
    assert game.state.seats_now() == seats
    game.given(SitDown(2, 50, "Carl"))
    assert game.state.names[1:] == ("Ann", "Carl", "Bob")


def test_a_seat_with_a_name_of_its_own_and_no_chips_is_not_one_of_them() -> None:
    game = with_open_seats(*PEOPLE, Seat(HUMAN, "Cy"), still_open=1, stack={"Cy": 0})
    assert [seat.kind for seat in game.state.seats] == [HUMAN, HUMAN, HUMAN, OPEN]
    game.given(SitDown(3, 50))
    assert game.state.names[3] == "Cy"


def test_a_person_without_chips_who_is_called_as_an_open_seat_is_refused() -> None:
    said = "With a stack of 0, 'Seat1' would be taken for the open seat 1; give them more, or another name."
    with pytest.raises(InvalidValue, match=said):
        DRAW_POKER.start(setup(Seat(HUMAN, "Seat1"), *PEOPLE, stack={"Seat1": 0}))
    at = CashTable(cash=True, numbers=(1, 2, 3), stacks=(0, 50, 50))
    people = (Seat(HUMAN, "Seat1"), *PEOPLE)
    with pytest.raises(InvalidValue, match=said):
        DRAW_POKER.start(Setup(people, EntropySource.from_text("x"), None, {"rules": "no-limit", "table": at}))
    for stack, name in (({"Seat1": 5}, "Seat1"), ({"Seat9": 0}, "Seat9")):
        DRAW_POKER.start(setup(Seat(HUMAN, name), *PEOPLE, stack=stack))


@pytest.mark.parametrize("columns", [60, 100])
def test_an_open_seat_is_called_open_at_the_table(columns: int) -> None:
    view = with_open_seats().given(SitDown(3, 120, "Carl")).view(EVERYONE)
    drawn = plain(WORDS.draw(view, Room(columns, 20)))
    for lines in (drawn, WORDS.show(view)):
        assert [line.split()[-1] for line in lines if "Seat4" in line] == ["open"]
        assert not any("open" in line for line in lines if "Carl" in line)


def test_who_sits_down_gives_the_seat_their_name() -> None:
    game = with_open_seats().given(SitDown(3, 120, "Carl"))
    assert game.log[-1] == events.SatDown(120, "Carl", 3, 3)
    assert WORDS.tell(game.log[-1], game.state) == "Carl sits down at seat 3 with 120"
    seen = game.view().seat(3)
    assert (seen.name, seen.kind, seen.standing, seen.stack) == ("Carl", HUMAN, "in", 120)
    assert game.view().seat(4).kind == OPEN


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (None, "no_name"),
        ("ANN", "name_taken"),
        ("seat4", "name_taken"),
        ("", "illegal_name"),
        (" Carl", "illegal_name"),
        ("C" * 21, "illegal_name"),
        ("Car\nl", "illegal_name"),
        (5, "illegal_name"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name: str | None, code: str) -> None:
    assert with_open_seats().refusal(SitDown(3, 100, name)) == code


def test_who_got_up_comes_back_under_their_name_and_another_takes_the_seat_by_another() -> None:
    game = with_open_seats().given(SitDown(3, 100, "Carl"), Leave(3))
    assert game.refusal(SitDown(4, 100, "Carl")) == "name_taken", "it is kept for the seat until another sits there"
    assert game.event_of(SitDown(3, 100)) == events.SatDown(100, None, 3, 3)
    assert game.event_of(SitDown(3, 100, "cARL")) == events.SatDown(100, None, 3, 3), (
        "the same person, as far as we know"
    )
    game.given(SitDown(3, 100, "Dee"))
    assert game.state.names[3] == "Dee"
    game.given(SitDown(4, 100, "Carl"))
    assert game.state.names[4] == "Carl"


def test_a_newcomer_has_won_and_lost_nothing_and_sees_no_hand_of_before() -> None:
    game = with_open_seats()
    game.state.stacks[1:3] = [260, 140]
    game.given(Leave(2), SitDown(2, 100, "Carl"))
    assert game.view(2).seat(2).cards == ()
    assert game.view(2).seat(2).discarded == ()
    game.state.stacks[2] = 130
    assert game.state.net()[1:] == [60, 30, 0, 0]
    game.given(game.event_of(CloseGame()))
    game.deal_on()
    outcome = game.state.outcome
    assert outcome is not None
    assert (outcome.scores, outcome.ranks) == ((60, 30, 0, 0), (1, 2, 3, 3))


def test_an_open_seat_wins_nothing_where_all_others_lose() -> None:
    game = with_open_seats()
    game.state.stacks[1:3] = [190, 180]  # the house took the rest
    game.given(game.event_of(CloseGame()))
    game.deal_on()
    outcome = game.state.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.ranks) == ((1,), (1, 2, 3, 3))
    assert WORDS.standings(game.state.seats, outcome.scores) == ["Ann  -$10", "Bob  -$20"]


def test_a_hand_counts_for_who_sat_there_in_it() -> None:
    game = with_open_seats().given(SitDown(3, 100, "Carl"))
    another_round(another_round(game))
    another_round(another_round(game.given(Leave(3), SitDown(3, 100, "Dee"))))
    started, *happened = game.log
    assert isinstance(started, events.GameStarted)
    counter = DrawPokerCounter(started)
    hands = [count for event in happened if (count := counter.take(event)) is not None]
    assert [{seat.seat: seat.player for seat in hand.seats}.get(3) for hand in hands] == [
        None, None, "Carl", None, "Dee",
    ]  # fmt: skip


def test_hands_that_are_shown_after_the_game_are_of_who_held_them() -> None:
    rules = house("no-limit").model_copy(update={"history": "all"})
    game = Scenario(DRAW_POKER.start(setup(rules=rules)))
    game.deal_on()
    seat = game.to_act
    assert seat is not None
    game.given(Fold(seat))
    game.deal_on()
    hidden = [1, 2]
    game.given(Leave(2), SitDown(2, 100, "Carl"), game.event_of(CloseGame()))
    revealed = [event for event in game.deal_on() if isinstance(event, events.HandsRevealed)]
    said = [WORDS.tell(event, game.state) for event in revealed]
    assert [hand.seat for event in revealed for hand in event.hands] == hidden
    assert all("Bob" in text for text in said)
    assert not any("Carl" in text for text in said)


def test_the_ledger_names_everybody_who_held_a_seat() -> None:
    game = with_open_seats().given(SitDown(3, 50, "Carl"), Leave(3), SitDown(3, 70, "Dee"), BuyChips(3, 5))
    page = ledger_at_end(game)
    assert [name for name, _ in page.rows] == ["Ann", "Bob", "Carl, then Dee", "total"]


def test_what_a_newcomer_types_finds_a_seat_for_them() -> None:
    game = with_open_seats().given(SitDown(3, 100, "Carl"), Leave(3))
    view = game.view(EVERYONE)
    assert WORDS.newcomers(view, (3, 4)) == [Shortcut("sit down with 200 as Dana", "(1 to 200)")]
    assert WORDS.read_newcomer("Sit  down with $80 as Zoë B", view, (3, 4)) == SitDown(4, 80, "Zoë B")
    assert WORDS.read_newcomer("sit down 80 as carl", view, (3, 4)) == SitDown(3, 80, "carl")
    assert WORDS.read_newcomer("sit down with 80 as Zoë", view, (3,)) == SitDown(3, 80, "Zoë")
    assert WORDS.read_newcomer("sit down with 80", view, (3, 4)) is None
    assert WORDS.read_newcomer("sit down with 80 as Zoë", view, ()) is None
    assert WORDS.read_between("sit down with 80 as Zoë", view, 4) == SitDown(4, 80, "Zoë")
    assert WORDS.between_rounds(view, 3) == [Shortcut("sit down with 200", "(1 to 200)")]
    assert WORDS.between_rounds(view, 4) == [Shortcut("sit down with 200 as Dana", "(1 to 200)")]


def test_somebody_may_come_between_rounds_where_bots_alone_play_on() -> None:
    bots = Seat("minimum", "Bob"), Seat("minimum", "Cid")
    game = with_open_seats(*bots, still_open=1)
    assert game.state.pausing
    assert not game.state.ends_next
    game.given(SitDown(3, 100, "Carl"))
    assert game.view(EVERYONE).seat(3).stack == 100
    before = called(Scenario(replace(DRAW_POKER.start(setup(*bots, still_open=1)), engine=3)))
    assert not before.state.pausing, "games that began before go on as they began"


def test_numbers_of_ten_seats_stand_in_a_column() -> None:
    game = with_open_seats(still_open=8)
    shown = [line for line in WORDS.show(game.view(EVERYONE)) if "Seat" in line]
    lines = ["".join(piece.text for piece in line) for line in WORDS.draw(game.view(EVERYONE), Room(80, 40))]
    for rows in (shown, [line for line in lines if "Seat" in line]):
        assert len(rows) == 8
        assert len({row.index("Seat") for row in rows}) == 1


def test_help_between_the_rounds_of_a_cash_game_explains_what_may_be_typed_and_the_rake() -> None:
    explained = " ".join(" ".join(WORDS.about(with_open_seats(rake="5%", rake_cap="1,3").view(EVERYONE))).split())
    for typed in ("`leave`", "`buy 60`", "up to 200", "`sit out`", "`sit in`", "`sit down with 100 as Carl`"):
        assert typed in explained
    assert "The house takes 5% of each pot, at most 1, or 3 with 3 or more players;" in explained
    assert "a round that ends before the draw pays nothing." in explained
    in_none = " ".join(WORDS.about(called(Scenario(DRAW_POKER.start(setup(still_open=0, cash=False)))).view(EVERYONE)))
    assert "Cash game" not in in_none
    assert "The house takes" not in in_none


def test_a_third_player_waits_where_one_of_the_two_would_have_the_big_blind_again() -> None:
    game = with_open_seats(still_open=1).given(SitDown(3, 100, "Carl"))
    assert (game.state.small_blind, game.state.big_blind) == (1, 2)
    game.deal_on()
    assert (game.state.button, game.state.small_blind, game.state.big_blind) == (2, 2, 1)
    assert not has(game.state.live, 3)
    called(game).deal_on()
    assert (game.state.button, game.state.small_blind, game.state.big_blind) == (1, 2, 3)
    assert has(game.state.live, 3)


def test_a_third_player_who_sits_where_the_big_blind_comes_to_is_dealt_in_at_once() -> None:
    seats = (Seat(HUMAN, "Ann"), Seat(OPEN, "Seat2"), Seat(HUMAN, "Bob"))
    game = with_open_seats(*seats, still_open=0).given(SitDown(2, 100, "Carl"))
    game.deal_on()
    assert (game.state.button, game.state.small_blind, game.state.big_blind) == (3, 1, 2)


def test_who_sat_out_of_a_round_of_two_waits_where_the_button_would_be_a_blind() -> None:
    """Seat 3 missed no blind, so by debts alone it would be dealt in, and seat 2 have both button and big blind."""
    rules = house("no-limit").model_copy(update={"button_rule": "dead"})
    seats = tuple(Seat(HUMAN, f"P{number}") for number in (1, 2, 3))
    game = with_open_seats(*seats, still_open=0, rules=rules)
    state = game.state
    assert (state.button, state.small_blind, state.big_blind) == (1, 2, 3)
    game.given(SitOut(3)).deal_on()
    assert (state.button, state.big_blind) == (2, 1)
    called(game).given(SitIn(3)).deal_on()
    assert (state.button, state.big_blind, has(state.live, 3)) == (1, 2, False)
    called(game).deal_on()
    assert (state.button, state.small_blind, state.big_blind) == (1, 2, 3)


@pytest.mark.parametrize("button_rule", ["forward", "dead"])
def test_where_one_of_the_two_has_gone_the_other_does_not_have_the_big_blind_again(button_rule: str) -> None:
    rules = house("no-limit").model_copy(update={"button_rule": button_rule})
    seats = tuple(Seat(HUMAN, f"P{number}") for number in (1, 2, 3, 4))
    game = with_open_seats(*seats, still_open=0, rules=rules)
    state = game.state
    game.given(SitOut(3), SitOut(4)).deal_on()
    two, big = state.live, state.big_blind
    other = next(seat for seat in (1, 2) if seat != big)
    assert two == 0b110
    called(game).given(SitIn(3), SitIn(4), SitOut(other)).deal_on()
    assert state.live.bit_count() == 3
    assert state.big_blind != big
    assert state.button not in (state.small_blind, state.big_blind)


BETWEEN = st.tuples(
    st.sampled_from([SitDown, Leave, SitOut, SitIn, BuyChips]), st.integers(1, 6), st.sampled_from([1, 3, 200])
)


@pytest.mark.slow
@given(
    st.sampled_from(["forward", "dead"]),
    st.lists(st.sampled_from([HUMAN, OPEN]), min_size=1, max_size=4).flatmap(
        lambda kinds: st.permutations([HUMAN, HUMAN, *kinds])
    ),
    st.lists(st.tuples(st.lists(BETWEEN, max_size=3), st.booleans()), max_size=12),
)
@settings(max_examples=300)
def test_whoever_comes_and_goes_nobody_has_the_big_blind_twice_in_a_row_or_comes_in_before_it(
    button_rule: str,
    kinds: list[str],
    rounds: list[tuple[list[tuple[type[BetweenRounds], int, int]], bool]],
) -> None:
    seats = tuple(Seat(kind, f"{'Seat' if kind == OPEN else 'P'}{number}") for number, kind in enumerate(kinds, 1))
    rules = house("no-limit").model_copy(update={"button_rule": button_rule})
    game = with_open_seats(*seats, still_open=0, rules=rules)
    state, names = game.state, 0
    for moves, all_in in rounds:
        before = state.big_blind, state.names[state.big_blind]
        for move, seat, chips in moves:
            names += 1
            with suppress(IllegalAction):
                game.given(
                    SitDown(seat, chips, f"New{names}")
                    if move is SitDown
                    else BuyChips(seat, chips)
                    if move is BuyChips
                    else move(seat)
                )
        if fewer_than_two(state.sitting()):
            return
        owed = state.owing(state.sitting())
        game.deal_on()
        assert has(state.live, state.big_blind)
        if state.live.bit_count() == 2:
            assert state.button == state.small_blind
            assert has(state.live, state.button)
        else:
            assert state.button not in (state.small_blind, state.big_blind)
            early = passed(state.button, state.big_blind) | 1 << state.small_blind
            assert not state.live & owed & early & ~(1 << state.big_blind)
        assert (state.big_blind, state.names[state.big_blind]) != before
        if all_in and game.to_act is not None and (to := game.legal.raise_to) is not None:
            game.given(Raise(game.to_act, to[1]))
        called(game)


MOVES = st.tuples(st.sampled_from(["sit", "up", "round"]), st.integers(1, 4), st.integers(1, 200))


@given(st.lists(MOVES, max_size=12))
def test_whoever_comes_and_goes_every_chip_is_counted(moves: list[tuple[str, int, int]]) -> None:
    game = with_open_seats()
    names = 0
    for what, seat, chips in moves:
        if what == "round" and game.state.two_able(1):
            another_round(game)
        elif what == "sit" and not game.state.seated >> seat & 1:
            names += 1
            game.given(SitDown(seat, chips, f"New{names}"))
        elif what == "up" and game.state.seated >> seat & 1 and game.state.seated & (game.state.seated - 1):
            game.given(Leave(seat))
    state = game.state
    assert sum(state.stacks) + sum(state.taken) - sum(state.brought) == 400
    assert sum(state.net()) + sum(state.former) == 0
    started, *happened = game.log
    assert isinstance(started, events.GameStarted)
    again = DRAW_POKER.new(started)
    books, counter = DrawPokerBooks(started), DrawPokerCounter(started)
    for event in happened:
        again.apply(event)
        assert [*books.post(event)] == []
        if (hand := counter.take(event)) is not None:
            assert {seat.seat: seat.player for seat in hand.seats}.items() <= dict(enumerate(again.names)).items()
    assert again == state
