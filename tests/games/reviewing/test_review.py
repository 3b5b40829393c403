"""Reviews: blunders are dear, good play costs nothing, and only what the seat saw counts."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from json import dumps
from math import hypot
from statistics import median
from typing import Any

import numpy as np
import pytest

from pokersvc.cards import parse_cards, ranking
from pokersvc.cards.arrays import strengths
from pokersvc.cards.discards import outcomes, totals
from pokersvc.cards.opponents import WIN_UNITS, win_values
from pokersvc.cli.replay.review import document
from pokersvc.core.bots.review import Review, reviewed
from pokersvc.core.bots.reviewing import Reviewable, ReviewedChoice, ReviewTerms
from pokersvc.core.event import Event, redact
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER, earlier_events, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.mixtures import MIXTURES
from pokersvc.games.draw_poker.reading.hands_held import ranges
from pokersvc.games.draw_poker.reading.shark import STAY
from pokersvc.games.draw_poker.reading.table_spot import spot_of
from pokersvc.games.draw_poker.reviewing import by_reading, programs
from pokersvc.games.draw_poker.reviewing.by_reading import ReadingProgram
from pokersvc.games.draw_poker.reviewing.mixtures_of_hands import Mixed, Numbers, Thrown
from pokersvc.games.draw_poker.reviewing.playing_on import PlayingOn
from pokersvc.games.draw_poker.reviewing.programs import program_for
from pokersvc.games.draw_poker.reviewing.unseen_hands import UnseenHands
from pokersvc.games.draw_poker.strategy.equilibrium_player import EquilibriumPlayer
from pokersvc.games.draw_poker.view import DrawPokerView

from .seen import Hand, played

TERMS = ReviewTerms(b"a seed")


def review(happened: Sequence[Event], seat: int = 2, terms: ReviewTerms = TERMS, rounds: int | None = None) -> Review:
    return reviewed(DRAW_POKER, [redact(event, seat) for event in happened], seat, terms, rounds=rounds)


def test_to_fold_a_full_house_to_the_smallest_bet_is_the_dearest_choice() -> None:
    hand = Hand("AS AH AD KS KH", rules="fixed-limit")
    hand.act(Call(1), Check(2), Discard(2, ()), Discard(1, tuple(parse_cards("2C 3C 4C"))), Check(2), Bet(1, 4))
    hand.act(Fold(2))
    hand.shows("")
    found = review(hand.events)
    (dearest, *_) = found.dearest
    assert (dearest.chose, dearest.by, dearest.number) == ("fold", "equilibrium", 4)
    assert (dearest.would, dearest.improvised) == ((("raise to 8", 1.0),), True)  # it would not have checked before
    assert dearest.cost - dearest.error > 8  # the pot, and more to come
    assert found.rounds[0].net == -2


def test_to_call_all_in_with_seven_high_is_the_dearest_choice() -> None:
    hand = Hand("7S 5H 4D 3S 2H", rules="no-limit")
    hand.act(Call(1), Check(2), Discard(2, ()), Discard(1, tuple(parse_cards("AC 3C"))), Check(2))
    hand.act(Bet(1, 198), Call(2))
    hand.shows("KC KD KH 8S 8D")
    (dearest, *_) = review(hand.events).dearest
    assert (dearest.chose, dearest.when) == ("call 198", "after the draw")
    assert [action for action, _ in dearest.would] == ["fold"]
    assert 190 < dearest.cost <= 198


class _Calls:
    """Calls or checks and stands pat whatever it holds, so that what others do tells nothing of their hands."""

    def bets(self, view: DrawPokerView, legal: LegalActions, hands: Numbers, *, sizes: int | None) -> Mixed:
        seat = view.to_act
        assert seat is not None
        actions = (Call(seat) if legal.call else Check(seat), Bet(seat, legal.bet[0]) if legal.bet else Fold(seat))
        return Mixed(actions, np.array([[1.0, 0.0]]), np.zeros(len(hands), np.intp))

    def draws(self, view: DrawPokerView, legal: LegalActions, hands: Numbers) -> Thrown:
        return Thrown(np.zeros((len(hands), 1), np.uint8), np.ones((len(hands), 1)))


def test_the_cost_of_a_fold_after_the_draw_is_that_of_all_hands_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = programs.ReviewingProgram("calls", lambda _: _Calls(), 20_000, "It calls.")
    monkeypatch.setattr(programs, "PROGRAMS", (calls,))
    monkeypatch.setattr("pokersvc.games.draw_poker.reviewing.review.PROGRAMS", (calls,))
    mine = parse_cards("KS KH 9D 5S 2H")
    hand = Hand("KS KH 9D 5S 2H", rules="no-limit")
    hand.act(Call(1), Check(2), Discard(2, ()), Discard(1, ()), Check(2), Bet(1, 100), Fold(2))
    hand.shows("")
    fold = review(hand.events).choices[-1]
    own = {card.number for card in mine}
    others = np.array(list(combinations([number for number in range(52) if number not in own], 5)))
    theirs = strengths(others).astype(int)
    (strength,) = strengths([sorted(own)]).astype(int)
    share = float(((strength > theirs) + 0.5 * (strength == theirs)).mean())
    exact = share * (4 + 2 * 100) - 100  # the pot of 4 and both bets, for 100
    assert fold.would == (("call 100", 1.0),)
    assert fold.error < 2
    assert abs(fold.cost - exact) < fold.error


@pytest.mark.slow
@pytest.mark.parametrize("house", ["fixed-limit", "no-limit"])
def test_the_play_of_equilibrium_itself_costs_about_nothing(house: str) -> None:
    games = [review(played(["equilibrium", "equilibrium"], 25, f"{seed}", rules=house)) for seed in range(5)]
    found = [choice for one in games for choice in one.choices if not choice.improvised]
    assert len(found) > 200
    assert abs(sum(choice.cost for choice in found)) < 2 * hypot(*[choice.error for choice in found])
    often = [one for one in found if one.when == "the draw" and dict(one.would)[one.chose] >= 0.01]
    assert {choice.points for choice in often} == {0.0}
    assert len(often) > 0.9 * sum(one.when == "the draw" for one in found)


def _otherwise(happened: Sequence[Event]) -> list[Event]:
    """Return a game that differs only in what the second seat did not see: the first one's cards, and the decks."""
    shown = {type(event) for event in happened} & {events.HandShown, events.HandsOpened}
    assert not shown
    changed: list[Event] = []
    for event in happened:
        if isinstance(event, earlier_events.HandDealt | earlier_events.CardsDrawn | events.CardsDiscarded):
            if event.seat == 1 and event.cards:
                event = replace(event, cards=tuple(parse_cards("2C 3C 4C 5C 7D")[: event.count]))
        elif isinstance(event, events.DeckShuffled):
            event = replace(event, seed=bytes(32))
        changed.append(event)
    return changed


def test_what_the_seat_did_not_see_changes_nothing() -> None:
    hand = Hand("QS QH 9D 5S 2H JC 8C", rules="fixed-limit")
    hand.act(Raise(1, 4), Call(2), Discard(2, tuple(parse_cards("5S 2H"))), Discard(1, ()), Check(2), Bet(1, 4))
    hand.act(Fold(2))
    hand.shows("")
    whole = []
    for event in hand.events:  # as the first seat's cards were
        if isinstance(event, earlier_events.HandDealt) and event.seat == 1:
            event = replace(event, cards=tuple(parse_cards("AS AH AD KS KH")))
        whole.append(event)
    other = _otherwise(whole)
    assert whole != other
    said = [dumps(document(review(one))) for one in (whole, other)]
    assert said[0] == said[1]


@pytest.mark.parametrize(("kinds", "options"), [
    (["steady", "minimum", "table"], {"rules": "fixed-limit"}),
    (["steady", "random"], {"rules": "rising-ante"}),
    (["table", "random"], {"rules": "capped-raise"}),
])  # fmt: skip
def test_other_hands_are_reviewed_by_the_best_bot(kinds: list[str], options: dict[str, object]) -> None:
    happened = played(kinds, 2, "others", **options)
    found = review(happened, terms=ReviewTerms(b"a", 60))
    assert [kind for kind, _ in found.programs] == ["shark"]
    assert all(one.choices for one in found.rounds)
    assert len(found.choices) == sum(one.choices for one in found.rounds)
    again = review(happened, terms=ReviewTerms(b"a", 60))
    assert document(found) == document(again)
    assert document(found) != document(review(happened, terms=ReviewTerms(b"b", 60)))


def test_the_last_hands_are_reviewed_as_among_all() -> None:
    happened = played(["steady", "random"], 5, "last", rules="fixed-limit")
    last, whole = review(happened, rounds=1), review(happened)
    assert [one.round for one in last.rounds] == [whole.rounds[-1].round]
    assert list(last.choices) == [one for one in whole.choices if one.round == last.rounds[0].round]


def test_a_hand_that_goes_on_is_left_out() -> None:
    happened = played(["steady", "minimum"], 2, "going on", rules="fixed-limit")
    ends = [place for place, event in enumerate(happened) if isinstance(event, events.RoundEnded)]
    assert {choice.round for choice in review(happened[: ends[1]]).choices} <= {1}


def test_games_without_a_review_say_so() -> None:
    without = [game for game in map(game_of, game_kinds()) if type(game).review is Reviewable.review]
    assert without
    for game in without:
        started = game.start(
            Setup((Seat(next(iter(game.players)), "Ann"), Seat(next(iter(game.players)), "Bob")), EntropySource.fresh())
        )
        with pytest.raises(InvalidValue, match=f"There is no review of the game {game.kind} yet."):
            reviewed(game, [started], 1, TERMS)


def test_a_house_with_open_hands_is_refused() -> None:
    houses = [house.name for house in DRAW_POKER.houses()]
    opened = [name for name in houses if DRAW_POKER.options({"rules": name})["rules"].open_hands == "after_draw"]
    assert opened
    with pytest.raises(InvalidValue, match="where hands are open before the last betting"):
        review(played(["steady", "steady"], 1, "open", rules=opened[0]))


def test_the_best_bot_finds_its_own_play_as_good_as_any_and_a_bot_that_calls_anything_dear() -> None:
    happened = played(["shark", "minimum", "club"], 12, "whose8", rules="no-limit")
    its, calls = (review(happened, seat) for seat in (1, 2))
    assert median(choice.cost for choice in its.choices) < 1, "a few are dear: it tries large bets"
    assert calls.cost.amount > max(20, 2 * its.cost.amount)
    alike = [one for one in its.choices if one.would == ((one.chose, 1.0),)]
    assert alike
    assert all(choice.cost == 0 == choice.error for choice in alike)


def test_what_a_call_wins_is_what_the_range_says_that_the_best_bot_reads() -> None:
    hand = Hand("KS KH 9D 5S 2H", rules="no-limit", stack="2000")  # too deep for a strategy
    hand.act(Call(1), Check(2), Discard(2, ()), Discard(1, ()), Check(2), Bet(1, 1998))
    spot = spot_of(hand.state.view(2))
    mine, (theirs, _) = ranking.strength(parse_cards("KS KH 9D 5S 2H")), ranges(spot)
    share = float(theirs @ ((spot.hands.final < mine) + 0.5 * (spot.hands.final == mine)))
    exact = share * (4 + 2 * 1998) - 1998
    hand.act(Call(2) if exact < 0 else Fold(2))
    hand.shows("2C 2D 3C 3D 4S")
    found = review(hand.events).choices[-1]
    assert [action for action, _ in found.would] == ["fold" if exact < 0 else "call 1998"]
    assert 0 < found.error < 80
    assert abs(found.cost - abs(exact)) < found.error


def test_where_the_rules_leave_one_action_nothing_is_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = Hand("KS KH 9D 5S 2H", rules="no-limit")
    monkeypatch.setattr(by_reading, "lines_of", lambda *_: [STAY])
    monkeypatch.setattr(by_reading, "spot_of", None)
    view, legal = hand.state.view(1), hand.state.legal(1)
    assert ReadingProgram().would(view, legal, Call(1), 2, np.random.default_rng(1)) == ({Call(1): 1.0}, {})


@pytest.mark.parametrize(("kind", "options"), [
    ("equilibrium", {"rules": "no-limit"}), ("equilibrium", {"rules": "fixed-limit"}),
    ("steady", {"rules": "capped-raise"}),
])  # fmt: skip
def test_a_program_mixes_many_hands_as_its_bot_does_each(kind: str, options: dict[str, object]) -> None:
    happened = played([kind, kind], 3, "many hands", **options)
    started = happened[0]
    assert isinstance(started, events.GameStarted)
    state = DRAW_POKER.new(started)
    checked = 0
    for event in happened[1:]:
        if (seat := state.to_act) is not None:
            view, legal = state.view(seat), state.legal(seat)
            program = program_for(view)
            own = np.array([[card.number for card in parse_cards(" ".join(map(str, state.hands[seat])))]])
            policy = _policy(kind, view, legal)
            play = program.anywhere if kind == "steady" else program.play
            assert not isinstance(play, ReadingProgram)
            assert program.of.kind == ("shark" if kind == "steady" else kind)
            if legal.discard is None:
                mixed = play.bets(view, legal, own, sizes=None)
                found = {one: mixed.of(one)[0] for one in mixed.actions}
                assert found == pytest.approx(dict.fromkeys(mixed.actions, 0.0) | dict(policy))
            else:
                thrown = play.draws(view, legal, own)
                sizes = {count: thrown.of_size(count)[0] for count in range(6)}
                assert sizes == pytest.approx(
                    {count: sum(p for one, p in policy.items() if len(one.cards) == count) for count in range(6)}
                )
            checked += 1
        state.apply(event)
    assert checked > 3


def _policy(kind: str, view: DrawPokerView, legal: LegalActions) -> dict[Any, float]:
    """Return the policy of the bot itself, one hand at a time."""
    mixture = MIXTURES[kind] if kind in MIXTURES else EquilibriumPlayer().policy
    return dict(mixture(view, legal))


def _judged(hand: Hand, at: int = -1) -> ReviewedChoice:
    return review(hand.events).choices[at]


def test_after_what_the_program_never_does_a_small_bet_is_not_dear() -> None:
    hand = Hand("6C 6H KS 7C 5D 10D 9H JH", rules="no-limit")
    hand.act(Raise(1, 6), Call(2), Discard(2, tuple(parse_cards("KS 7C 5D"))))
    hand.act(Discard(1, tuple(parse_cards("2C 3C 4C 5C 7D"))))  # it never draws five after a raise
    hand.act(Bet(2, 6), Fold(1))
    hand.shows("")
    bet = _judged(hand)
    assert (bet.chose, bet.doubted, bet.improvised) == ("bet 6", True, True)
    assert bet.cost < 6 + bet.error, "it was 72 where the others played on by what the program had not learned"


def test_what_the_seat_itself_does_leaves_no_doubt_of_the_others() -> None:
    hand = Hand("KS QH 7D 5C 2H 3S 3D 9C 8C 4S", rules="fixed-limit")
    hand.act(Call(1), Check(2), Discard(2, tuple(parse_cards("KS QH 7D 5C 2H"))))
    hand.act(Discard(1, tuple(parse_cards("2C 3C 4C"))), Check(2), Check(1))
    hand.shows("AC AD QC JC 8S")
    assert [choice.doubted for choice in review(hand.events).choices] == [False, False, False]


def test_where_the_program_would_not_be_the_seat_folds_what_a_bet_beats() -> None:
    hand = Hand("AS AH AD KS KH", rules="no-limit")
    hand.act(Call(1), Check(2), Discard(2, ()), Discard(1, tuple(parse_cards("2C 3C 4C"))))
    playing = {}
    for cards in ("AS AH AD KS KH", "7S 5H 4D 3S 2H"):
        own = np.array([card.number for card in parse_cards(cards)])
        unseen = UnseenHands(own, [1], np.random.default_rng(1))
        check = Check(2)
        programs_ = {1: _BetsAll(), 2: _Calls()}
        for answers in (False, True):
            on = PlayingOn(hand.state, 2, unseen, programs_, 500, np.random.default_rng(2), answers=answers)
            playing[cards[:2], answers] = on.brings(check)
    assert (playing["AS", True] == playing["AS", False]).all(), "a full house calls"
    assert (playing["7S", True] == 198).all(), "seven high folds, and keeps its stack"
    assert playing["7S", False].mean() < 20


class _BetsAll(_Calls):
    """Bets all it has."""

    def bets(self, view: DrawPokerView, legal: LegalActions, hands: Numbers, *, sizes: int | None) -> Mixed:
        assert view.to_act is not None
        assert legal.bet is not None
        return Mixed((Bet(view.to_act, legal.bet[1]),), np.ones((1, 1)), np.zeros(len(hands), np.intp))


def test_a_discard_is_judged_as_the_table_advises_by_own_cards_and_by_what_others_drew() -> None:
    happened = played(["minimum", "random"], 30, "what others drew", rules="fixed-limit", blinds="1/3", stack="2000")
    choices = review(happened, terms=ReviewTerms(b"a", 2)).choices
    found = {one.round: one for one in choices if one.points and one.chose.split()[-1] != one.would[0][0].split()[-1]}
    started, known = happened[0], 0
    assert isinstance(started, events.GameStarted)
    state = DRAW_POKER.new(started)
    for event in happened[1:]:
        if isinstance(event, events.CardsDiscarded) and event.seat == 2 and state.round in found:
            hand, thrown = parse_cards(" ".join(map(str, state.hands[2]))), event.cards
            assert thrown is not None
            drew = () if (others := state.view(2).seat(1).drew) is None else (others,)
            known += len(drew)
            mine = sum(1 << place for place, card in enumerate(state.hands[2]) if card in thrown)
            sums = totals(hand, win_values(1, drew, hand))
            wins = [total / outcomes(mask) / WIN_UNITS for mask, total in enumerate(sums)]
            assert found[state.round].points == pytest.approx(100 * (max(wins) - wins[mine]))
        state.apply(event)
    assert 0 < known < len(found)


def test_cards_are_in_the_order_of_the_table() -> None:
    hand = Hand("9D AD 2S 10S 9S 5C 4D", rules="no-limit")
    hand.act(Call(1), Check(2), Discard(2, tuple(parse_cards("10S 2S"))), Discard(1, ()), Check(2), Check(1))
    hand.shows("KC KD QH JH 8S")
    draw = _judged(hand, 1)
    assert (draw.had, draw.chose) == ("[9S, 9D, AD, 10S, 2S]", "keep 9S 9D AD, draw two")
