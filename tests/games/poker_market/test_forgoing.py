"""Common shuffles before each market, and seats that sit a market out because their share was missed."""

from random import Random
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokersvc.core.actions import CloseGame, ForgoRound, IllegalAction
from pokersvc.core.event import EVERYONE, ImpossibleEvent, redact
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import Outcome
from pokersvc.games.poker_market import POKER_MARKET, events
from pokersvc.games.poker_market.actions import Accept, Decline, LegalActions, Pass
from pokersvc.games.poker_market.history_words import detail
from pokersvc.games.poker_market.players import RankPlayer
from pokersvc.games.poker_market.trader.kinds import PLAYERS

from .scenario import HANDS, Scenario, dealt, new, propose

FOUR: Final = (*HANDS, "AC AD 8H 7D 2C")
"""The usual hands, and one with a pair of aces."""


def refused(market: Scenario, action: ForgoRound, code: str) -> str:
    before = market.view
    with pytest.raises(IllegalAction) as refusal:
        market.state.decide(action)
    assert refusal.value.code == code
    assert market.view == before
    return str(refusal.value)


# To whom a deck is dealt.


def test_before_each_market_the_deck_is_dealt_to_all_and_nowhere_else() -> None:
    market = Scenario(new(3, rounds=1, markets=2))
    assert POKER_MARKET.dealt_together
    shuffles = 0
    while market.state.outcome is None:
        event = market.state.dealer_event(market.entropy)
        to = market.state.deals_to()
        assert (to is not None) == isinstance(event, events.DeckShuffled)
        if to is not None:
            assert to == (1, 2, 3)
            shuffles += 1
        if event is None:
            assert market.state.to_act is not None
            event = market.state.decide(Pass(market.state.to_act))
        market.take(event)
    assert market.state.deals_to() is None
    assert shuffles == 2


def test_no_deck_comes_after_a_game_that_was_closed() -> None:
    market = dealt(markets=2)
    market.take(market.state.decide(CloseGame()))
    market.deal()
    assert market.state.outcome is not None
    assert sum(isinstance(event, events.DeckShuffled) for event in market.happened) == 1


def test_a_game_is_closed_before_any_market_where_shares_are_awaited() -> None:
    market = dealt(markets=3)
    while not isinstance(market.happened[-1], events.HandsRanked):
        event = market.state.dealer_event(market.entropy) or market.state.decide(Pass(market.state.to_act or 0))
        market.take(event)
    assert market.state.deals_to() == (1, 2, 3)
    market.take(market.state.decide(CloseGame()))
    assert market.state.deals_to() is None
    market.deal()
    assert market.state.outcome == Outcome.by_score((2, 1, 3))
    first = Scenario(new(3))
    first.take(first.state.decide(CloseGame()))
    first.deal()
    assert first.state.outcome == Outcome.by_score((0, 0, 0))


# Who may forgo a market, and when.


def test_a_seat_forgoes_whoever_s_turn_it_is_and_only_once() -> None:
    market = dealt(FOUR)
    for seat in (1, 2, 3, 4):
        assert market.state.decide(ForgoRound(seat)) == events.RoundForgone(seat)
        assert POKER_MARKET.action_of(events.RoundForgone(seat)) == ForgoRound(seat)
    market.act(ForgoRound(2))
    said = refused(market, ForgoRound(2), "already_out")
    assert said == "Seat 2 is not in this market; the seats that are in it are 1, 3, 4."


@pytest.mark.parametrize("seat", [0, -1, 5, True, 1.0, "1", None])
def test_a_seat_that_there_is_not_cannot_forgo(seat: int) -> None:
    refused(dealt(FOUR), ForgoRound(seat), "already_out")


def test_nobody_forgoes_while_the_dealer_is_to_act_or_after_the_game() -> None:
    market = Scenario(new(3, rounds=1))
    refused(market, ForgoRound(1), "dealer_to_act")
    market.deal()
    market.pass_all()
    assert market.state.outcome is not None
    refused(market, ForgoRound(1), "dealer_to_act")


def test_what_cannot_be_is_refused_before_anything_changes() -> None:
    market = dealt(FOUR)
    market.act(ForgoRound(2))
    before = market.view
    for wrong in (events.RoundForgone(2), events.RoundForgone(9)):
        with pytest.raises(ImpossibleEvent, match="is not in this market"):
            market.state.apply(wrong)
    swap = market.state.decide(propose(1, "KD", 3, "QS"))
    assert isinstance(swap, events.SwapProposed)
    with pytest.raises(ImpossibleEvent, match="seat 2 is out of this market"):
        market.state.apply(events.SwapProposed(swap.gets, swap.gives, 2, 1))
    assert market.view == before


# Turns and swaps.


def test_its_turns_are_skipped_in_every_round_of_the_market_and_it_is_back_in_the_next() -> None:
    market = dealt(FOUR, rounds=2, markets=2)
    market.act(ForgoRound(2), ForgoRound(4))
    asked = []
    while market.state.number == 1:
        assert market.state.to_act is not None
        asked.append(market.state.to_act)
        market.act(Pass(market.state.to_act))
    assert asked == [1, 3, 1, 3]
    assert market.view.order == (2, 3, 4, 1)
    assert market.state.to_act == 2


def test_the_turn_moves_on_when_the_seat_in_turn_forgoes() -> None:
    market = dealt(FOUR)
    market.act(ForgoRound(1))
    assert (market.state.to_act, market.view.turn) == (2, 0)
    market.act(Pass(2), Pass(3))
    market.act(ForgoRound(4))
    assert market.last(events.RoundEnded) == events.RoundEnded(1, 1)


def test_the_turn_stays_when_a_seat_forgoes_that_had_its_turn() -> None:
    market = dealt(FOUR, rounds=2)
    market.act(Pass(1), ForgoRound(1))
    assert (market.state.to_act, market.view.turn, market.view.order) == (2, 0, (2, 3, 4))
    market.act(Pass(2), Pass(3), Pass(4))
    assert (market.state.to_act, market.view.round) == (2, 2)


def test_nobody_can_swap_with_it() -> None:
    market = dealt(FOUR)
    market.act(ForgoRound(2))
    legal = market.state.legal(1)
    assert [seat for seat, _ in legal.gets] == [3, 4]
    with pytest.raises(IllegalAction) as refusal:
        market.state.decide(propose(1, "KD", 2, "KS"))
    assert refusal.value.code == "out_of_market"
    assert str(refusal.value) == "Player2 is out of this market; name a card of another player."


def test_a_proposal_to_it_is_declined_and_the_next_seat_has_its_turn() -> None:
    market = dealt(FOUR)
    market.act(propose(1, "KD", 3, "QS"), ForgoRound(3))
    assert (market.state.to_act, market.view.proposal, market.view.turn) == (2, None, 1)
    assert [bargain.answer for bargain in market.state.bargains.events] == ["forfeited"]
    assert market.hand(1) == "KD KH 7C 4S 2D"


def test_its_own_proposal_is_void() -> None:
    market = dealt(FOUR)
    market.act(propose(1, "KD", 3, "QS"), ForgoRound(1))
    assert (market.state.to_act, market.view.proposal, market.view.turn) == (2, None, 0)
    assert list(market.state.bargains.events) == []


@pytest.mark.parametrize("seat", [1, 4])
def test_a_proposal_between_two_others_stays_open(seat: int) -> None:
    market = dealt(FOUR)
    market.act(Pass(1), propose(2, "KS", 3, "QS"), ForgoRound(seat))
    assert market.state.to_act == 3
    assert market.state.legal(3) == LegalActions(market.view.proposal)
    market.act(Accept(3))
    assert market.hand(3) == "KS QH QD 6C 5D"
    assert (market.state.to_act, market.view.order) == (3, tuple(other for other in (1, 2, 3, 4) if other != seat))


# The ranking.


def test_its_hand_scores_nothing_and_the_others_are_ranked_without_it() -> None:
    market = dealt(FOUR)
    market.act(ForgoRound(3))  # three queens, the best hand
    assert market.view.best_first == (4, 1, 2)
    market.pass_all()
    ranked = market.last(events.HandsRanked)
    assert [(hand.seat, hand.points) for hand in ranked.hands] == [(4, 3), (1, 2), (2, 1)]
    assert market.last(events.GameEnded) == events.GameEnded((2, 1, 0, 3), (4,))
    assert market.state.outcome == Outcome.by_score((2, 1, 0, 3))


def test_the_market_is_over_at_once_where_only_one_is_left_in_it() -> None:
    market = dealt(FOUR, rounds=3, markets=2)
    market.act(ForgoRound(1), ForgoRound(2), ForgoRound(3))
    ranked = next(event for event in market.happened if isinstance(event, events.HandsRanked))
    assert [(hand.seat, hand.points) for hand in ranked.hands] == [(4, 1)]
    assert not any(isinstance(event, events.RoundEnded) for event in market.happened)
    assert (market.view.market, market.view.round, market.view.round_in_market) == (2, 4, 1)
    assert market.view.order == (2, 3, 4, 1)


def test_swaps_before_the_end_of_such_a_market_are_in_its_history() -> None:
    market = dealt(rounds=2)
    market.swap(1, "KD", 2, "KS")
    market.act(ForgoRound(1))
    market.take(market.state.decide(ForgoRound(2)))
    ranked = market.state.dealer_event(market.entropy)
    assert ranked is not None
    market.take(ranked)
    entry = market.state.entry(ranked, EVERYONE)
    assert entry is not None
    assert POKER_MARKET.words.line(entry).splitlines() == [
        "Round 1 -- Player1 gave Player2 KD for KS",
        "Ranking -- Player3 1 point",
    ]


@pytest.mark.parametrize("without", [2, 4])
def test_hands_of_a_ranking_are_refused_that_are_not_those_of_who_is_in_the_market(without: int) -> None:
    market = dealt(FOUR)
    market.act(ForgoRound(2), Pass(1), Pass(3))
    market.take(market.state.decide(Pass(4)))
    market.take(events.RoundEnded(1, 1))
    hands = [
        events.RankedHand(market.state.hands[seat], points, seat)
        for points, seat in enumerate((1, 2, 3, 4), 1)
        if seat != without
    ]
    wrong = events.HandsRanked(tuple(hands), 1)
    if without == 2:
        market.take(wrong)
        return
    with pytest.raises(ImpossibleEvent, match="a hand of each seat in 1, 3, 4 is due"):
        market.take(wrong)


# Words, books, history, old logs.


@pytest.mark.parametrize(("markets", "which"), [(1, "the market"), (2, "market 1")])
def test_it_is_told_in_a_sentence(markets: int, which: str) -> None:
    market = dealt(FOUR, markets=markets)
    market.act(ForgoRound(2))
    said = POKER_MARKET.words.tell(market.happened[-1], market.state)
    assert said == f"The share of the shuffle from Player2 was missed, so Player2 is out of {which}"


def test_its_hand_is_shown_below_the_others_and_said_to_be_out() -> None:
    market = dealt(FOUR)
    market.act(ForgoRound(2))
    lines = POKER_MARKET.words.show(market.view)
    assert [line.split()[0].lstrip(">") or line.split()[1] for line in lines[1:]] == ["1", "3", "4", "2"]
    assert " out: " in lines[-1]


def test_the_history_says_which_hand_was_out() -> None:
    market = dealt(FOUR, rounds=2)
    market.act(ForgoRound(3), Pass(1), Pass(2))
    market.take(market.state.decide(Pass(4)))
    for _ in range(2):
        while (event := market.state.dealer_event(market.entropy)) is not None:
            market.take(event)
            if (entry := market.state.entry(event, EVERYONE)) is not None:
                assert [hand.get("forgone") for hand in entry.facts["hands"]] == [None, None, True, None]
                said = [line for line in POKER_MARKET.words.details(entry) if "missed" in line]
                assert said == [detail(entry.facts["hands"][2])]
                assert said[0].startswith("Player3 ")
                assert said[0].endswith(", out of the market as its share of the shuffle was missed")
        for seat in market.view.order:
            if market.state.outcome is None:
                market.take(market.state.decide(Pass(seat)))


def test_the_books_find_points_of_a_seat_that_is_out() -> None:
    market = dealt(FOUR)
    market.act(ForgoRound(2), Pass(1), Pass(3))
    market.take(market.state.decide(Pass(4)))
    books = POKER_MARKET.books(POKER_MARKET.start(Setup(market.state.seats, EntropySource.from_text("x"))))
    for event in market.happened:
        assert list(books.post(event)) == []
    hands = tuple(events.RankedHand(market.state.hands[seat], seat, seat) for seat in (4, 3, 2, 1))
    wrong = [(one.found, one.expected) for one in books.post(events.HandsRanked(hands, 1))]
    assert wrong == [
        ("points [1, 2, 3, 4]", "each of 1 to 3 once"),
        ("2 points for Player2", "none, as it is out of this market"),
    ]


def test_an_end_that_was_stored_before_reads_as_ever() -> None:
    codec = POKER_MARKET.codec
    old = ("GameEnded", 1, '{"scores":[2,1],"winners":[1]}', None)
    assert codec.decode(*old) == events.GameEnded((2, 1), (1,))
    assert codec.is_canonical(*old)
    assert codec.encode(events.GameEnded((2, 0), (1,))).version == 2


# Bots.


@pytest.mark.parametrize("kind", sorted(kind for kind in PLAYERS if "/" not in kind))
def test_bots_play_on_among_those_who_are_left(kind: str) -> None:
    market = dealt(FOUR, rounds=2)
    market.act(propose(1, "KD", 3, "QS"), Decline(3), ForgoRound(3))
    random = Random(1)
    while (seat := market.state.to_act) is not None:
        assert seat != 3
        player = PLAYERS[f"{kind}/100" if kind in ("rollout", "trader") else kind]()
        market.act(player.choose(market.state.view(seat), market.state.legal(seat), random))
    assert market.state.outcome is not None
    assert market.state.outcome.scores[2] == 0


def test_a_bot_does_not_think_of_swaps_that_were_declined_by_a_seat_that_is_out() -> None:
    market = dealt(FOUR, rounds=2)
    market.act(propose(1, "KD", 3, "QS"), Decline(3), ForgoRound(3), Pass(2), Pass(4))
    assert market.state.to_act == 1
    action = RankPlayer().choose(market.state.view(1), market.state.legal(1), Random(1))
    assert getattr(market.state.decide(action), "partner", 0) != 3


# In any market.


@st.composite
def missed(draw: st.DrawFn) -> tuple[int, int, int, int]:
    return draw(st.integers(2, 6)), draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(0, 2**32))


@given(missed())
@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
def test_whoever_misses_shares_in_any_market(plan: tuple[int, int, int, int]) -> None:
    """Points add up, books balance, replay equals play, copies show the same, and the game ends."""
    players, rounds, markets, seed = plan
    random = Random(seed)
    seats = tuple(Seat("random", f"Player{seat}") for seat in range(1, players + 1))
    source = EntropySource.from_text(str(seed))
    started = POKER_MARKET.start(Setup(seats, source, rounds, {"markets": markets}))
    game, replayed = Scenario(POKER_MARKET.new(started), source.entropy()), POKER_MARKET.new(started)
    copy, books, codec = POKER_MARKET.new(redact(started, EVERYONE)), POKER_MARKET.books(started), POKER_MARKET.codec
    early, bot = random.random() < 0.7, PLAYERS["random"]()
    due: list[int] = []
    ranked = expected = 0
    while game.state.outcome is None:
        if (to := game.state.deals_to()) is not None:
            assert to == tuple(range(1, players + 1))
            due = [seat for seat in to if random.random() < 0.3][: players - 1]
            left = players
        seat = game.state.to_act
        if seat is None:
            event = game.state.dealer_event(game.entropy)
            assert event is not None
        elif due and (early or random.random() < 0.2):
            event = game.state.decide(ForgoRound(due.pop(0)))
            left -= 1
        else:
            event = game.state.decide(bot.choose(game.state.view(seat), game.state.legal(seat), random))
        game.take(event)
        if isinstance(event, events.HandsRanked):
            ranked += sum(hand.points for hand in event.hands)
            expected += left * (left + 1) // 2
            due = []
        assert list(books.post(event)) == []
        assert list(books.compare(game.state)) == []
        replayed.apply(codec.decode(*codec.encode(event)))
        copy.apply(redact(event, EVERYONE))
        assert replayed == game.state
        assert copy.view(EVERYONE) == game.state.view(EVERYONE)
        assert copy.deals_to() == game.state.deals_to()
        assert copy.entry(event, EVERYONE) == game.state.entry(event, EVERYONE)
    assert sum(game.state.outcome.scores) == ranked == expected
    assert game.last(events.HandsRanked).market == markets
