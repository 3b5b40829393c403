"""The Poker Market in words: its output for people, and the parsing of their input."""

import re
from typing import Any

import pytest

from pokersvc.cards import CARDS
from pokersvc.core.actions import Forfeit
from pokersvc.core.event import EVERYONE
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import Outcome
from pokersvc.core.words import InvalidAnswer
from pokersvc.games.poker_market import POKER_MARKET, events
from pokersvc.games.poker_market.actions import Accept, Decline, Pass
from pokersvc.text import cells

from .scenario import SOURCE, Scenario, dealt, new, propose

WORDS = POKER_MARKET.words


def read(market: Scenario, text: str) -> Any:
    seat = market.state.to_act
    assert seat is not None
    return WORDS.read(text, market.view, market.state.legal(seat))


def lines(market: Scenario) -> list[str]:
    """Return the whole history of a replayed game."""
    state, found = new_like(market), []
    for event in market.happened:
        state.apply(event)
        if (entry := state.entry(event, EVERYONE)) is not None:
            found += WORDS.line(entry).split("\n")
    return found


def new_like(market: Scenario) -> Any:
    return new(len(market.state.seats), rounds=market.state.rules.rounds, markets=market.state.rules.markets)


# What people type.


@pytest.mark.parametrize(
    "text",
    [
        "7C for Player2's KS", "7♣ for Player2's K♠", "7c for ks", "7C FOR KS", "3 for 2.3", "3 for 2:3", "7C for 2.3",
        "3 for KS", "propose 7C for Player2's KS", "swap my 7c for player2 ks", "  7C   for  Player2’s  KS ",
        "7C for 2 KS",
    ],
)  # fmt: skip
def test_a_swap_is_named_by_cards_or_by_numbers(text: str) -> None:
    assert read(dealt(), text) == propose(1, "7C", 2, "KS")


def test_a_name_may_have_spaces_and_an_s_at_its_end() -> None:
    seats = (Seat("human", "Ann"), Seat("human", "Lord of The Cards"))
    market = Scenario(POKER_MARKET.new(POKER_MARKET.start(Setup(seats, SOURCE))))
    market.deal()
    gives, gets = market.state.hands[1][0], market.state.hands[2][4]
    for whose in ("lord of the cards's", "Lord of The Cards'", "Lord of The Cards"):
        assert read(market, f"{gives} for {whose} {gets}") == propose(1, str(gives), 2, str(gets))


def test_a_partner_named_you_is_spoken_to_in_the_question_and_in_its_answers() -> None:
    seats = (Seat("human", "Ann"), Seat("human", "You"))
    market = Scenario(POKER_MARKET.new(POKER_MARKET.start(Setup(seats, SOURCE))))
    market.deal()
    gives, gets = market.state.hands[1][0], market.state.hands[2][0]
    asked = f"{gives} for your {gets}"
    assert f'"{asked}"' in WORDS.ask(market.view, market.state.legal(1))
    assert read(market, asked) == read(market, f"{gives} for You's {gets}") == propose(1, str(gives), 2, str(gets))
    absent = next(card for card in market.state.hands[1] if card not in market.state.hands[2])
    why = WORDS.why_not(f"{gives} for 2 {absent}", market.view, market.state.legal(1))
    assert why is not None
    assert why.startswith(f"You do not hold {absent}: you have ")


@pytest.mark.parametrize(("text", "action"), [("pass", Pass(1)), ("P", Pass(1))])
def test_a_turn_is_passed(text: str, action: Pass) -> None:
    assert read(dealt(), text) == action


@pytest.mark.parametrize(
    ("text", "action"), [("accept", Accept(2)), ("Yes", Accept(2)), ("decline", Decline(2)), ("n", Decline(2))]
)
def test_a_proposal_is_answered(text: str, action: Any) -> None:
    market = dealt()
    market.act(propose(1, "7C", 2, "KS"))
    assert read(market, text) == action


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello", "I don't understand 'hello'. You can: name a swap, such as 1 for 2.1, or pass."),
        ("", "No answer was given."),
        ("accept", "I don't understand 'accept'."),
        ("6 for 2.1", "There is no card 6; the cards of Player1 are 1 to 5."),
        ("0 for 2.1", "There is no card 0"),
        ("1 for 2.6", "There is no card 6; the cards of Player2 are 1 to 5."),
        ("1 for 4.1", "There is no seat 4; seats are 1 to 3."),
        ("ZZ for KS", "'ZZ' is not a card"),
        (
            "7C for Player9's KS",
            'Nobody at the table is called "Player9\'s"; the players are Player1, Player2, Player3.',
        ),
        ("7C for AS", "Nobody at the table holds AS; it is still in the deck."),
    ],
)
def test_what_is_not_understood_is_said(text: str, said: str) -> None:
    with pytest.raises(InvalidAnswer, match=re.escape(said)):
        read(dealt(), text)


def test_what_is_no_answer_to_a_proposal_is_said() -> None:
    market = dealt()
    market.act(propose(1, "7C", 2, "KS"))
    for text in ("pass", "7C for KS", ""):
        with pytest.raises(InvalidAnswer, match=r" You can: accept or decline\.$"):
            read(market, text)


def test_the_moment_says_what_can_be_typed_and_all_of_it_is_understood() -> None:
    market = dealt()
    typed = WORDS.moment(market.view, market.state.legal(1))[-1]
    assert typed.endswith("which is your card 1 for card 1 of seat 2. Type pass to propose nothing.")
    examples = re.findall('"(.*?)"', typed)
    assert examples == ["KD for Player2's 3C", "KD for 3C", "1 for 2.1"]
    for example in examples:
        assert read(market, example) == propose(1, "KD", 2, "3C")
    market.act(propose(1, "7C", 2, "8C"))
    typed = WORDS.moment(market.view, market.state.legal(2))[-1]
    assert typed == "Type accept or yes, or decline or no."
    for answer, action in (("accept", Accept), ("yes", Accept), ("decline", Decline), ("no", Decline)):
        assert read(market, answer) == action(2)


# What people see.


def test_the_table_shows_all_hands_with_their_places_in_the_order_of_turns() -> None:
    assert WORDS.show(dealt(rounds=5).view) == [
        "The market, round 1 of 5: Player1's turn",
        "> 1 Player1  KD  KH  7C  4S  2D  #2: pair of kings",
        "  2 Player2  3C  3H  KS  9D  8C  #3: pair of threes",
        "  3 Player3  QS  QH  QD  6C  5D  #1: three of a kind, queens",
    ]


def test_names_in_wide_letters_leave_the_table_straight() -> None:
    seats = tuple(Seat("human", name) for name in ("Ann", "王小明", "Zoe\u0301"))
    market = Scenario(POKER_MARKET.new(POKER_MARKET.start(Setup(seats, SOURCE))))
    market.deal()
    cards = [hand[0] for hand in market.view.hands]
    rows = WORDS.show(market.view)[1:]
    starts = {cells(row[: row.index(f" {card!s:>3} ")]) for row, card in zip(rows, cards, strict=True)}
    assert len(starts) == 1
    assert [cells(line) for line in WORDS.standings(seats, (3, 2, 1))] == [9, 9, 9]


def test_between_a_shuffle_and_its_deal_nobody_has_a_hand() -> None:
    market = dealt(rounds=1, markets=2)
    while market.state.to_act is not None:
        market.take(market.state.decide(Pass(market.state.to_act)))
    for _ in range(3):
        event: Any = market.state.dealer_event(market.entropy)
        market.take(event)
    assert isinstance(event, events.DeckShuffled)
    assert [seat.cards for seat in market.view.seats] == [()] * 3
    assert WORDS.show(market.view) == ["Market 2 of 2, before the deal"]
    market.deal()
    assert all(len(seat.cards) == 5 for seat in market.view.seats)


def test_all_that_is_shown_and_asked_fits_80_columns() -> None:
    names = [f"{'Longest of all name'[:18]}{number:>2}" for number in range(10)]
    seats = tuple(Seat("human", name) for name in names)
    market = Scenario(POKER_MARKET.new(POKER_MARKET.start(Setup(seats, SOURCE, 3, {"markets": 100}))))
    market.deal()
    tens = [card for card in CARDS if card.face == 8]
    for seat in market.state.seats:
        assert len(seat.name) == 20
    view = market.view
    object.__setattr__(view.seats[0], "cards", (*tens, CARDS[48]))
    full = (CARDS[20], CARDS[21], CARDS[22], CARDS[40], CARDS[41])  # sevens over queens, the longest there is
    object.__setattr__(view.seats[1], "cards", full)
    legal = market.state.legal(1)
    shown = [*WORDS.show(view), *f"{WORDS.ask(view, legal)} > ".split("\n")]
    assert max(map(len, shown)) <= 80, max(shown, key=len)


def test_a_proposal_says_what_the_hand_and_its_place_would_be() -> None:
    market = dealt()
    market.act(propose(1, "7C", 2, "8C"))
    assert WORDS.ask(market.view, market.state.legal(2)).split("\n") == [
        "Player1 gives 7C for your 8C:",
        "you would have pair of threes and be 3rd; accept or decline",
    ]
    market.act(Decline(2), propose(2, "KS", 3, "QH"))
    assert "you would have pair of queens and be 2nd" in WORDS.ask(market.view, market.state.legal(3))


def test_the_heading_says_where_the_game_stands() -> None:
    market = Scenario(new(2, rounds=2, markets=2))
    assert WORDS.show(market.view) == ["Before the first market"]
    market.deal()
    assert WORDS.show(market.view)[0] == "Market 1 of 2, round 1 of 2: Player1's turn"
    market.act(Pass(1), Pass(2), Pass(1), Pass(2))
    assert WORDS.show(market.view)[0] == "Market 2 of 2, round 1 of 2: Player2's turn"
    market.pass_all()
    assert WORDS.show(market.view)[0] == "The game is over after round 4"


def test_the_history_tells_each_swap_and_the_ranking_with_points() -> None:
    market = dealt(rounds=3)
    market.act(Pass(1), Pass(2), Pass(3))
    market.swap(1, "KD", 2, "3C")
    market.swap(2, "KD", 3, "6C")
    market.pass_all()
    assert lines(market) == [
        "Round 1 -- no swap",
        "Round 2 -- Player1 gave Player2 KD for 3C",
        "Round 2 -- Player2 gave Player3 KD for 6C",
        "Round 3 -- no swap",
        "Ranking -- Player3 3 points, Player2 2, Player1 1",
    ]


def test_the_history_of_several_markets_counts_rounds_on_and_adds_points_up() -> None:
    market = dealt(rounds=1, markets=2)
    market.pass_all()
    told = lines(market)
    assert told[:3] == [
        "Round 1 -- no swap",
        "Market 1 -- Player3 3 points (3 in all), Player1 2 (2 in all), Player2 1 (1 in all)",
        "Round 2 -- no swap",
    ]
    assert told[3].startswith("Market 2 -- Player")


def test_the_details_are_the_hands_ranked_ones_with_points() -> None:
    market = dealt(rounds=2)
    state = new_like(market)
    market.pass_all()
    details = []
    for event in market.happened:
        state.apply(event)
        if (entry := state.entry(event, EVERYONE)) is not None:
            details.append(WORDS.details(entry))
    assert details[0][0] == "Player1 [KD, KH, 7C, 4S, 2D] pair of kings"
    assert details[1][0] == "Player3 [QS, QH, QD, 6C, 5D] three of a kind, queens, 3 points"
    assert details[1][2].endswith("pair of threes, 1 point")


def test_every_event_is_told_in_a_sentence() -> None:
    market = dealt(rounds=1)
    state, told = new_like(market), []
    market.act(propose(1, "7C", 2, "KS"), Accept(2), Forfeit(2, "raised"), propose(3, "QS", 1, "KD"), Decline(1))
    for event in market.happened:
        state.apply(event)
        told.append(WORDS.tell(event, state))
    assert told == [
        "The deck is shuffled",
        "The hands are dealt: Player1 [KD, KH, 7C, 4S, 2D] pair of kings; Player2 [3C, 3H, KS, 9D, 8C] pair of threes;"
        " Player3 [QS, QH, QD, 6C, 5D] three of a kind, queens",
        "Player1 proposes 7C for Player2's KS",
        "Player2 accepts: Player1 has [KD, KH, KS, 4S, 2D] three of a kind, kings;"
        " Player2 has [3C, 3H, 7C, 9D, 8C] pair of threes",
        "Player2 failed and forfeits the choice",
        "Player3 proposes QS for Player1's KD",
        "Player1 declines",
        "Round 1 is over, the last one",
        "The hands are ranked: Player1 3 points, three of a kind, kings; Player3 2 points, three of a kind, queens;"
        " Player2 1 point, pair of threes",
        "The game is over: the market is closed",
    ]


def test_a_round_that_is_not_the_last_is_told_with_its_swaps() -> None:
    market = dealt(rounds=2)
    market.swap(1, "KD", 2, "3C")
    market.swap(2, "KD", 3, "6C")
    market.act(Pass(3))
    assert WORDS.tell(market.last(events.RoundEnded), market.state) == (
        "Round 1 -- Player1 gave Player2 KD for 3C; Player2 gave Player3 KD for 6C"
    )


def test_the_title_and_the_winners() -> None:
    seats = tuple(Seat("rank", name) for name in ("Ann", "Bob", "Cy"))
    assert WORDS.title(POKER_MARKET.facts(POKER_MARKET.start(Setup(seats, SOURCE)))) == "Poker Market, 5 rounds"
    several = POKER_MARKET.start(Setup(seats, SOURCE, 1, {"markets": 3}))
    assert WORDS.title(POKER_MARKET.facts(several)) == "Poker Market, 3 markets of 1 round"
    assert WORDS.tell(several, POKER_MARKET.new(several)) == (
        "Poker Market, 3 markets of 1 round: Ann (rank), Bob (rank), Cy (rank); reproducible from its seed"
    )
    assert WORDS.result(seats, Outcome.by_score((3, 2, 1))) == "Ann wins with 3 points"
    assert WORDS.result(seats, Outcome.by_score((1, 1, 0))) == "Ann and Bob win with 1 point each"
    assert WORDS.standings(seats, (10, 9, 8)) == ["Ann  10", "Bob   9", "Cy    8"]
    assert WORDS.explain("table", dealt().view, dealt().state.legal(1)) is None


@pytest.mark.parametrize("key", ["?", "h", "l", "u"])
def test_keys_that_mean_the_same_in_every_game_are_none_of_the_market(key: str) -> None:
    market = dealt()
    assert WORDS.explain(key, market.view, market.state.legal(1)) is None
