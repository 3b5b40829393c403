"""Houses whose history shows all hands: after the game the dealer reveals every unshown hand, round by round."""

from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.cards import Card, parse_cards
from pokersvc.core.event import EVERYONE, ImpossibleEvent, redact
from pokersvc.core.state import Entry, WithheldSecrets
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Fold
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.houses import preset, preset_names
from pokersvc.games.draw_poker.past_hands import Held, hands_of, pack, round_of
from tests.games.draw_poker.committed import cards_drawn, hand_dealt

from ..draw_poker.scenario import ACES, KINGS, NOTHING, QUEENS, Scenario, dealt, happened, rules_with, seated, stand_pat


def folded_then_shown() -> Scenario:
    """Round 1: seat 1 folds aces, seat 2 wins with a bet. Round 2: all hands are shown. The game is over."""
    game = seated(3, rounds=2)
    game.given(*_dealt_to(game, ACES, KINGS, QUEENS), Fold(1), Bet(2, 50), Fold(3)).deal_on()
    game.given(*_dealt_to(game, NOTHING, KINGS, QUEENS), Bet(1, 50), Call(2), Call(3))
    game.given(*stand_pat(1, 2, 3), Check(1), Check(2), Check(3)).deal_on()
    return game


def _dealt_to(game: Scenario, *hands: str) -> list[events.HandDealt]:
    while not isinstance(event := game.dealer(), events.HandDealt):
        assert event is not None
        game.given(event)
    return [hand_dealt(parse_cards(cards), seat) for seat, cards in enumerate(hands, 1)]


def opened(*hands: tuple[int, str]) -> tuple[events.OpenHand, ...]:
    return tuple(events.OpenHand(parse_cards(cards), seat) for seat, cards in hands)


def test_the_founding_house_tells_all_and_no_other() -> None:
    assert {name: preset(name).history for name in preset_names()} == {
        name: "all" if name == "rising-ante" else "shown" for name in preset_names()
    }


def test_hands_that_were_not_shown_are_revealed_before_the_game_ends_a_round_an_event() -> None:
    revealed, ended = folded_then_shown().deal_on()
    assert revealed == events.HandsRevealed(opened((1, ACES), (2, KINGS), (3, QUEENS)), 1)
    assert isinstance(ended, events.GameEnded)


def test_a_house_that_tells_what_was_shown_reveals_nothing() -> None:
    game = dealt(2, ACES, KINGS, rules=rules_with(history="shown")).given(Fold(1))
    game.deal_on()
    assert not happened(game.log, events.HandsRevealed)


def test_a_hand_is_revealed_as_it_was_last_held() -> None:
    game = seated(2, rounds=1)
    game.given(*_dealt_to(game, ACES, KINGS), Bet(1, 50), Call(2)).deal_on()
    drew = game.hand(1)[2:]
    game.given(events.CardsDiscarded(drew, 3, 1), cards_drawn(parse_cards("2H 3H 4H"), 1))
    game.given(*stand_pat(2), Bet(1, 50), Fold(2)).deal_on()
    (revealed, _) = game.deal_on()
    assert revealed == events.HandsRevealed(opened((1, "AH AD 2H 3H 4H"), (2, KINGS)), 1)


def test_the_line_of_the_round_is_told_again_with_all_hands() -> None:
    game = folded_then_shown()
    words = DrawPokerWords()
    revealed = game.dealer()
    assert isinstance(revealed, events.HandsRevealed)
    game.given(revealed)
    entry = game.state.entry(revealed, EVERYONE)
    assert entry is not None
    assert entry.again
    assert words.line(entry) == "Round 1 -- Player2 won 65"
    assert words.details(entry) == [
        "Player1 [AH, AD, 8C, 6S, 3C]",
        "Player2 [KH, KD, 9C, 7S, 2C] won 65",
        "Player3 [QH, QD, 10C, 5S, 4C]",
    ]


def test_it_is_said_in_a_sentence() -> None:
    game = folded_then_shown()
    revealed = game.dealer()
    assert isinstance(revealed, events.HandsRevealed)
    said = DrawPokerWords().tell(revealed, game.given(revealed).state)
    assert said.split("  Player2")[0] == (
        "Round 1, the hands that were not shown:\n  Player1 [AH, AD, 8C, 6S, 3C] pair of aces\n"
    )


def test_between_reveals_nobody_may_leave_and_nobody_is_to_act() -> None:
    game = folded_then_shown()
    assert not game.state.pausing
    assert game.to_act is None


def test_after_the_last_round_is_revealed_everyone_sees_its_hands() -> None:
    game = dealt(2, ACES, KINGS).given(Fold(1))
    game.deal_on()
    game.state.rounds = 1
    assert game.view().seat(1).cards == (None,) * 5
    game.deal_on()
    assert [seat.cards for seat in game.view().seats] == [parse_cards(ACES), parse_cards(KINGS)]


def test_a_copy_without_secrets_is_told_the_same_and_cannot_tell_it_itself() -> None:
    game = folded_then_shown()
    public = DRAW_POKER.new(redact(game.log[0], EVERYONE))  # type: ignore[arg-type]  # the start
    for event in game.log[1:]:
        public.apply(redact(event, EVERYONE))
    with pytest.raises(WithheldSecrets):
        public.dealer_event(_NoEntropy())
    (revealed, _) = game.deal_on()
    public.apply(revealed)
    assert public.entry(revealed, EVERYONE) == _entry_of_round_1(game)


def _entry_of_round_1(game: Scenario) -> Entry:
    state = DRAW_POKER.new(game.log[0])  # type: ignore[arg-type]  # the start
    for event in game.log[1:]:
        state.apply(event)
        if isinstance(event, events.HandsRevealed):
            entry = state.entry(event, EVERYONE)
            assert entry is not None
            return entry
    raise AssertionError("nothing was revealed")


def test_hands_that_are_not_those_that_were_held_cannot_be_revealed() -> None:
    game = folded_then_shown()
    revealed = game.dealer()
    assert isinstance(revealed, events.HandsRevealed)
    hands = revealed.hands
    for wrong in (
        events.HandsRevealed(hands[1:], 1),
        events.HandsRevealed(hands, 2),
        events.HandsRevealed((events.OpenHand(parse_cards(NOTHING), 1), *hands[1:]), 1),
        events.HandsRevealed((events.OpenHand(hands[0].cards[:4], 1), *hands[1:]), 1),
        events.HandsRevealed((*hands, *hands), 1),
    ):
        with pytest.raises(ImpossibleEvent):
            game.state.apply(wrong)
    game.state.apply(revealed)


def test_a_game_does_not_end_before_all_is_revealed() -> None:
    game = folded_then_shown()
    early = events.GameEnded("rounds", game.stacks, (1,))
    with pytest.raises(ImpossibleEvent, match="there are hands to be revealed first"):
        game.state.apply(early)
    (_, ended) = deepcopy(game).deal_on()
    game.given(game.dealer() or early)
    game.state.apply(ended)


class _NoEntropy:
    def seed(self, index: int) -> bytes:
        raise AssertionError("no round begins any more")


# A few bytes a hand.

CARDS = st.lists(st.integers(0, 51).map(Card.of) | st.none(), min_size=5, max_size=5).map(tuple)
HANDS = st.builds(Held, st.integers(1, 10), CARDS, st.booleans(), st.integers(0, 10**10))


@settings(max_examples=40)
@given(round_=st.integers(1, 2**62), carried=st.integers(0, 10**10), hands=st.lists(HANDS, max_size=10))
def test_a_round_that_is_kept_is_read_as_it_was(round_: int, carried: int, hands: list[Held]) -> None:
    kept = pack(round_, carried, hands)
    assert round_of(kept) == (round_, carried)
    assert list(hands_of(kept)) == hands
    assert len(kept) == 16 + 14 * len(hands)
