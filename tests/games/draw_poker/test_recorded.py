"""Hands dealt elsewhere, with real hands of five sites: given the record, then the state."""

from dataclasses import replace

import pytest
from pydantic import TypeAdapter, ValidationError

from pokersvc.cards import Card, parse_cards
from pokersvc.cards.unknown import UNKNOWN, unknown
from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.event import EVERYONE
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, DiscardUnknown, Fold, Raise
from pokersvc.games.draw_poker.events import HandMucked, HandShown, HandsRevealed, OpenHand, PotAwarded, Share
from pokersvc.games.draw_poker.recorded_hands.recorded import RecordedHand, Recording, hand_id, is_same_hand
from pokersvc.games.draw_poker.recorded_hands.recorded_events import (
    Award,
    CardsLearned,
    DealRecorded,
    PlayedAt,
    RecordedCardsDiscarded,
    RecordedCardsDrawn,
    RecordedHandDealt,
    SeatCards,
    Text,
)

from .told import big_bet, cards, fixed_limit, known, of_type, quote, sitting, told


def some(seat: int, count: int) -> DiscardUnknown:
    """A discard of which only the number is known."""
    return DiscardUnknown(seat, unknown(count))


MUCKED = RecordedHand(
    seats=("Jon", "Kai", "Ida", "Hero", "Hal"),
    rules=fixed_limit(5, 10, 20),
    table=sitting({1: 143, 2: 264, 3: 237, 4: 335, 6: 85}, button=6),
    cards=(known(1, held="Th Qc 7c 5h Ah"), known(2, held="4h Ks 3s Jc 7h"), known(4, "6d 8s 2c Td 5c")),
    mucked=(2,),
)
"""PokerStars #79625180593, without its rake: a called loser mucks, and the summary tells his hand."""
MUCKED_ACTIONS: tuple[Action, ...] = (
    Fold(3), Fold(4), Fold(5), Call(1), Check(2), some(1, 3), some(2, 3), Check(1), Check(2),
)  # fmt: skip
UNCALLED = RecordedHand(
    seats=("Cid", "Dora", "Eve", "Hero"),
    rules=fixed_limit(5, 10, 20),
    table=sitting({1: 66, 2: 359, 3: 385, 4: 531}, button=1),
    cards=(known(4, "Kh Jh Qd 4d 7h"),),
)
"""PokerStars #57273888010: everybody folds to a raise, and the winner does not show the hand."""
DRAWN = RecordedHand(
    seats=("Ida", "Hero"),
    rules=fixed_limit(5, 10, 20),
    table=sitting({3: 237, 4: 354}, button=3),
    cards=(known(1, held="3s Js 5s 6s 2s"), known(2, "7s 6c Qh 6d 7h", "8c", held="7s 6c 8c 6d 7h")),
    mucked=(2,),
)
"""The hands of PokerStars #13059921315: the hero's discard is named, and he mucks what the summary tells."""
DRAWN_ACTIONS: tuple[Action, ...] = (
    Call(1), Check(2), Discard(2, parse_cards("Qh")), Discard(1, ()), Check(2), Bet(1, 20), Call(2),
)  # fmt: skip


class TestCards:
    def test_only_the_heros_cards_are_known_and_everybody_elses_are_unknown(self) -> None:
        game = told(MUCKED, MUCKED_ACTIONS)
        hands = {event.seat: event.cards for event in game.events if isinstance(event, RecordedHandDealt)}
        assert hands == {1: unknown(5), 2: unknown(5), 3: unknown(5), 4: cards("6d 8s 2c Td 5c"), 5: unknown(5)}

    def test_the_discards_of_others_are_counted_and_the_heros_are_named(self) -> None:
        game = told(DRAWN, DRAWN_ACTIONS)
        discards = of_type(game.events, RecordedCardsDiscarded)
        assert discards == [RecordedCardsDiscarded(cards("Qh"), 1, 2), RecordedCardsDiscarded((), 0, 1)]
        assert of_type(game.events, RecordedCardsDrawn) == [RecordedCardsDrawn(cards("8c"), 1, 2)]

    def test_a_folded_hand_is_never_known(self) -> None:
        assert told(MUCKED, MUCKED_ACTIONS).state.hands[3] == unknown(5)

    def test_a_hand_that_is_partly_known_keeps_what_is_known_of_it(self) -> None:
        game = Recording(replace(UNCALLED, cards=(known(2, "?? ?? ?? Kd As"),)))
        list(game.deal())
        for action in (Fold(4), Fold(1), Call(2), Check(3)):
            game.choose(action)
            list(game.deal())
        game.choose(DiscardUnknown(2, cards("Kd ??")))
        assert game.state.hands[2] == unknown(3), "which of the others was discarded is not known"
        assert game.state.discarded[2] == cards("Kd ??")

    @pytest.mark.parametrize(
        ("discard", "code"),
        [
            (Discard(2, cards("As")), "not_your_card"),  # type: ignore[arg-type]
            (Discard(2, ("As",)), "not_cards"),  # type: ignore[arg-type]
            (Discard(2, None), "not_cards"),  # type: ignore[arg-type]
            (DiscardUnknown(2, cards("7s 7s")), "repeated_card"),
            (some(2, 6), "too_many_cards"),
        ],
    )
    def test_the_hero_discards_only_what_he_holds(self, discard: Action, code: str) -> None:
        game = Recording(DRAWN)
        for action in DRAWN_ACTIONS[:2]:
            list(game.deal())
            game.choose(action)
        list(game.deal())
        with pytest.raises(IllegalAction) as refused:
            game.choose(discard)
        assert refused.value.code == code


class TestShowdown:
    def test_a_called_loser_mucks_and_everybody_is_told_the_hand_at_the_end(self) -> None:
        game = told(MUCKED, MUCKED_ACTIONS)
        assert of_type(game.events, HandShown, HandMucked) == [HandShown(cards("Th Qc 7c 5h Ah"), 1), HandMucked(2)]  # type: ignore[arg-type]
        assert of_type(game.events, HandsRevealed) == [HandsRevealed((OpenHand(cards("4h Ks 3s Jc 7h"), 2),), 1)]  # type: ignore[arg-type]
        assert of_type(game.events, PotAwarded) == [PotAwarded(1, "showdown", (Share(20, 1),))]
        assert game.state.outcome is not None
        assert game.state.outcome.scores == (10, -10, 0, 0, 0)
        assert game.state.stacks[1:] == [153, 254, 237, 335, 85]

    def test_the_winner_does_not_show_a_hand_when_all_others_fold(self) -> None:
        game = told(UNCALLED, (Fold(4), Fold(1), Raise(2, 20), Fold(3)))
        assert not of_type(game.events, HandShown, HandMucked, HandsRevealed)
        assert of_type(game.events, PotAwarded) == [PotAwarded(1, "last_in", (Share(20, 2),))]
        assert game.state.outcome is not None
        assert game.state.outcome.scores == (0, 10, -10, 0)
        assert game.state.stacks[1:] == [66, 369, 375, 531]

    def test_a_shown_hand_that_was_beaten_before_is_shown_all_the_same(self) -> None:
        game = told(replace(MUCKED, mucked=()), MUCKED_ACTIONS)
        assert of_type(game.events, HandShown, HandMucked) == [
            HandShown(cards("Th Qc 7c 5h Ah"), 1), HandShown(cards("4h Ks 3s Jc 7h"), 2),  # type: ignore[arg-type]
        ]  # fmt: skip

    def test_a_known_hand_that_is_not_beaten_is_not_mucked(self) -> None:
        better = (known(1, held="Th Qc 7c 5h Ah"), known(2, held="4h 4s 3s Jc 7h"))
        game = told(replace(MUCKED, cards=better), MUCKED_ACTIONS)
        assert of_type(game.events, HandMucked) == []

    @pytest.mark.parametrize(
        ("hands", "mucked", "said", "right"),
        [
            ((), (2, 3), "2, 3", "1, 2"),
            ((known(1, held="Th Qc 7c 5h Ah"), known(2, held="4h 4s 3s Jc 7h")), (2,), "2", "none"),
        ],
    )
    def test_mucks_that_were_recorded_of_others_than_who_mucked_are_found(
        self, hands: tuple[SeatCards, ...], mucked: tuple[int, ...], said: str, right: str
    ) -> None:
        game = told(replace(MUCKED, cards=hands, mucked=mucked), MUCKED_ACTIONS)
        assert [wrong for _, wrong in game.wrong] == [(f"mucks of the seats {said}", f"mucks of {right} only")]

    def test_a_pot_that_an_unknown_hand_wins_is_paid_as_it_was_recorded(self) -> None:
        hand = replace(MUCKED, cards=(known(1, held="Th Qc 7c 5h Ah"),), awards=(Award(1, (Share(20, 2),)),))
        game = told(hand, MUCKED_ACTIONS)
        assert of_type(game.events, PotAwarded) == [PotAwarded(1, "showdown", (Share(20, 2),))]
        assert game.unchecked["recorded showdown"] == 1

    def test_a_pot_that_known_hands_decide_is_not_paid_otherwise(self) -> None:
        game = told(replace(MUCKED, awards=(Award(1, (Share(20, 2),)),)), MUCKED_ACTIONS)
        assert of_type(game.events, PotAwarded) == [PotAwarded(1, "showdown", (Share(20, 1),))]
        assert "recorded showdown" not in game.unchecked

    def test_a_share_for_who_cannot_win_the_pot_is_not_paid(self) -> None:
        hand = replace(MUCKED, cards=(), mucked=(1, 2), awards=(Award(1, (Share(20, 3),)),))
        assert of_type(told(hand, MUCKED_ACTIONS).events, PotAwarded) == [
            PotAwarded(1, "showdown", (Share(10, 1), Share(10, 2)))
        ]

    def test_an_odd_chip_goes_where_it_was_recorded_to_go(self) -> None:
        tie = (known(1, held="Th Qc 7c 5h Ah"), known(2, held="Td Qd 7d 5s As"))
        rules = fixed_limit(5, 10, 20).model_copy(update={"ante": MUCKED.rules.ante.model_copy(update={"amount": 1})})
        hand = replace(MUCKED, cards=tie, rules=rules, mucked=())
        for shares in ((13, 12), (12, 13)):
            paid = tuple(Share(amount, seat) for seat, amount in enumerate(shares, 1))
            game = told(replace(hand, awards=(Award(1, paid),)), MUCKED_ACTIONS)
            assert of_type(game.events, PotAwarded) == [PotAwarded(1, "showdown", paid)]
        lopsided = (Award(1, (Share(15, 1), Share(10, 2))),)
        game = told(replace(hand, awards=lopsided), MUCKED_ACTIONS)
        assert of_type(game.events, PotAwarded) == [PotAwarded(1, "showdown", (Share(13, 1), Share(12, 2)))]


def test_a_cancelled_hand_leaves_everybody_what_they_had() -> None:
    game = Recording(UNCALLED)
    game.cancel()
    assert game.state.outcome is not None
    assert game.state.outcome.scores == (0, 0, 0, 0)
    assert tuple(game.state.stacks[1:]) == UNCALLED.table.stacks
    assert [type(event).__name__ for event in game.events] == ["GameStarted", "GameClosed", "GameEnded"]


def test_a_tournament_hand_has_antes_and_short_stacks_that_are_all_in() -> None:
    rules = big_bet(50, 100, ante={"amount": 10, "short": "post"})
    hand = RecordedHand(
        seats=("Ann", "Bob", "Cid"),
        rules=rules,
        table=sitting({1: 2000, 2: 60, 3: 1500}, button=1),
        cards=(known(1, held="As Ad Kc Qc 2s"), known(2, held="Ks Kd 9c 8c 2d"), known(3, "2c 3d 4h 8s 9s")),
    )
    game = told(hand, (Call(1), Check(3), some(2, 2), some(3, 1), some(1, 3), Check(3), Bet(1, 100), Fold(3)))
    assert game.state.outcome is not None
    assert game.state.outcome.scores == (60 + 110, -60, -110)
    assert game.state.stacks[1:] == [2000 + 60 + 110, 0, 1500 - 110]
    assert game.wrong == []


class TestDoubleCards:
    def test_the_same_card_twice_in_a_deal_is_found(self) -> None:
        twice = (known(1, "As Kd ?? ?? ??"), known(4, "As Jh Qd 4d 7h"))
        game = told(replace(UNCALLED, cards=twice), (Fold(4), Fold(1), Raise(2, 20), Fold(3)))
        ((event, wrong),) = game.wrong
        assert isinstance(event, RecordedHandDealt)
        assert wrong == ("AS with Cid", "another card, as Hero had AS") or wrong == (
            "AS with Hero", "another card, as Cid had AS",
        )  # fmt: skip

    def test_a_draw_of_a_card_of_another_hand_is_found(self) -> None:
        other = (known(1, held="3s Js 5s 6s 2s"), known(2, "7s 6c Qh 6d 7h", "Js"))
        game = told(replace(DRAWN, cards=other, mucked=()), DRAWN_ACTIONS)
        assert {(type(event), wrong.found) for event, wrong in game.wrong} == {
            (HandShown, "JS with Ida"), (HandShown, "JS with Hero"),
        }  # fmt: skip

    @pytest.mark.parametrize("held", ["7s 6c Qh 6d 7h", "7s 6c 9c 6d 7h", "7s 6c 8c 6d As"])
    def test_a_hand_that_was_never_held_is_found(self, held: str) -> None:
        cards_known = (known(1, held="3s Js 5s 6s 2s"), known(2, "7s 6c Qh 6d 7h", "8c", held=held))
        game = told(replace(DRAWN, cards=cards_known, mucked=()), DRAWN_ACTIONS)
        assert [wrong.found for _, wrong in game.wrong] == ["cards that Hero cannot have had"]

    @pytest.mark.parametrize(("card", "who"), [("Th", "Jon"), ("8s", "Hero")])
    def test_a_card_of_another_in_a_mucked_hand_is_found_when_everybody_is_told_it(self, card: str, who: str) -> None:
        hands = (known(1, held="Th Qc 7c 5h Ah"), known(2, held=f"4h Ks 3s Jc {card}"), known(4, "6d 8s 2c Td 5c"))
        game = told(replace(MUCKED, cards=hands), MUCKED_ACTIONS)
        ((event, wrong),) = game.wrong
        assert isinstance(event, HandsRevealed)
        assert wrong == (f"{Card(card)} with Kai", f"another card, as {who} had {Card(card)}")

    def test_nobody_is_dealt_their_own_discard(self) -> None:
        back = (known(1, held="3s Js 5s 6s 2s"), known(2, "7s 6c Qh 6d 7h", "Qh"))
        game = told(replace(DRAWN, cards=back), DRAWN_ACTIONS)
        assert "cards that Hero did not have already" in [wrong.expected for _, wrong in game.wrong]


class TestLearning:
    def test_cards_may_become_known_after_the_end(self) -> None:
        game = told(MUCKED, MUCKED_ACTIONS)
        learned = CardsLearned(cards("4h Ks 9c 9d 9s"), cards("9c 9d 9s"), cards("3s Jc 7h"), (), 2)
        game.learn(quote(text="as Kai saw it"), learned)
        assert game.wrong == []
        assert game.state.hands[2] == cards("4h Ks 3s Jc 7h")
        assert game.unchecked == {"unknown hand": 3, "unknown discard": 1, "unknown draw": 1}

    @pytest.mark.parametrize(
        ("learned", "found"),
        [
            (CardsLearned(cards("4h Ks 9c 9d 9s"), cards("9c 9d 9s"), cards("3s Jc 8h"), (), 2), "cannot have had"),
            (CardsLearned(cards("6d Ks 9c 9d 9s"), cards("6d ?? ??"), cards("?? ?? ??"), (), 2), "6D with Kai"),
            (CardsLearned(unknown(5), unknown(3), unknown(3), cards("4h 4s 3s Jc 7h"), 2), "pot 1 paid to Jon"),
        ],
    )
    def test_everything_that_they_decide_is_checked_again(self, learned: CardsLearned, found: str) -> None:
        game = told(MUCKED, MUCKED_ACTIONS)
        game.learn(quote(text="as Kai saw it"), learned)
        assert any(found in wrong.found for _, wrong in game.wrong), game.wrong

    @pytest.mark.parametrize(
        ("other", "found"),
        [
            (("4h Ks 9c 9d 2c", "9c 9d 2c", "3s Jc 7h"), "4H KS 9C 9D 2C dealt to Kai"),
            (("4h Ks 9c 9d 9s", "9c 9d 9s", "3s Jc 8h"), "3S JC 8H drawn by Kai"),
            (("4h Ks 9c 9d 9s", "Ks 9d 9s", "3s Jc 7h"), "KS 9D 9S discarded by Kai"),
        ],
    )
    def test_known_cards_do_not_become_others(self, other: tuple[str, str, str], found: str) -> None:
        game = told(MUCKED, MUCKED_ACTIONS)
        for dealt, gone, drawn in (("4h Ks 9c 9d 9s", "9c 9d 9s", "3s Jc 7h"), other):
            assert game.wrong == []
            game.learn(quote(text=dealt), CardsLearned(cards(dealt), cards(gone), cards(drawn), (), 2))
        assert found in [wrong.found for _, wrong in game.wrong]

    def test_a_game_that_is_recorded_can_be_taken_up_again(self) -> None:
        first = told(MUCKED, MUCKED_ACTIONS)
        again = Recording.of(first.finished(quote()))
        assert again.state.stacks == first.state.stacks
        assert again.unchecked == first.unchecked


def test_a_hand_that_is_not_over_is_no_game() -> None:
    with pytest.raises(InvalidValue, match="is not over"):
        Recording(MUCKED).finished(quote())


_NO_BUTTON = {"blinds": None, "remainder": "carry"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"open_hands": "showdown"}, "open_hands"),
        ({"betting": MUCKED.rules.betting.model_copy(update={"opener": "random"}), **_NO_BUTTON}, "opener"),
    ],
)
def test_a_house_whose_chance_a_file_does_not_tell_is_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidValue, match=said):
        Recording(replace(MUCKED, rules=MUCKED.rules.model_copy(update=changes)))


def test_a_hand_of_one_is_no_game() -> None:
    alone = replace(MUCKED, seats=("Jon",), table=sitting({1: 143}, button=1), cards=(), mucked=())
    with pytest.raises(InvalidValue, match="1 player cannot play"):
        Recording(alone)


def test_a_name_from_elsewhere_may_be_longer_and_is_still_one_name() -> None:
    long = "a name [of: somebody] who likes long names 1234567890"
    game = told(replace(UNCALLED, seats=(long, "Dora", "Eve", "Hero")), (Fold(4), Fold(1), Raise(2, 20), Fold(3)))
    assert game.state.names[1] == long
    with pytest.raises(InvalidValue, match="64"):
        Recording(replace(UNCALLED, seats=("x" * 65, "Dora", "Eve", "Hero")))
    with pytest.raises(InvalidValue, match="the same"):
        Recording(replace(UNCALLED, seats=("Eve", "Dora", "Eve", "Hero")))


def test_the_id_follows_from_site_and_number() -> None:
    assert hand_id("PokerStars", "1") == hand_id("PokerStars", "1")
    assert len({hand_id("PokerStars", "1"), hand_id("PokerStars", "2"), hand_id("Full Tilt", "1")}) == 3


def test_the_same_text_makes_the_same_game_whatever_file_it_stands_in() -> None:
    game = told(MUCKED, MUCKED_ACTIONS)
    one, again = game.finished(quote()), game.finished(quote(digest="1" * 64, first_line=7))
    assert is_same_hand(one, again)
    assert not is_same_hand(one, game.finished(quote(text="another text")))
    assert not is_same_hand([], [])


def test_who_sees_which_cards() -> None:
    game = told(MUCKED, MUCKED_ACTIONS)
    assert game.state.view(EVERYONE).seat(4).cards == (None,) * 5, "the hero's hand stays secret"
    assert game.state.view(4).seat(4).cards == cards("6d 8s 2c Td 5c")
    assert game.state.view(4).seat(3).cards == (None,) * 5
    assert game.state.view("auditor").seat(3).cards == unknown(5)
    assert game.state.view(EVERYONE).seat(2).cards == cards("4h Ks 3s Jc 7h"), "everybody was told it"


@pytest.mark.parametrize(
    ("played", "said"),
    [
        (PlayedAt(False, "2009/11/25 14:14:04 ET", "2009-11-25T19:14:04Z", "ET"), "played 2009/11/25 14:14:04 ET"),
        (PlayedAt(False, "1315776178", "2011-09-11T21:22:58Z", ""), "played 2011-09-11 21:22:58 UTC"),
    ],
)
def test_when_it_was_played_is_said_by_the_sites_clock_or_in_utc(played: PlayedAt, said: str) -> None:
    told = DRAW_POKER.words.tell(quote(played=played), Recording(MUCKED).state)
    assert told.endswith(f", {said}")


def test_what_is_unknown_is_said() -> None:
    game = told(MUCKED, MUCKED_ACTIONS)
    said = [DRAW_POKER.words.tell(event, game.state) for event in game.finished(quote(hero=4))]
    assert "Jon is dealt 5 unknown cards" in said
    assert "Kai discards 3 unknown cards" in said
    assert "Kai draws 3 unknown cards" in said
    assert any("PokerStars hand 1" in line for line in said)
    table = DRAW_POKER.words.show(game.state.view("auditor"))
    assert UNKNOWN.notation not in "".join(table)


def test_a_recording_that_is_missing_is_one_of_which_nothing_is_known() -> None:
    game = Recording(replace(UNCALLED, cards=()))
    recorded = of_type(list(game.deal()), DealRecorded)
    assert recorded == [DealRecorded((), (), ())]


def test_what_a_hand_was_told_to_be_has_at_most_200_characters() -> None:
    text: TypeAdapter[str] = TypeAdapter(Text)
    assert text.validate_python("x" * 200) == "x" * 200
    with pytest.raises(ValidationError, match="at most 200"):
        text.validate_python("x" * 201)
