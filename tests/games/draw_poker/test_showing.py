"""Showing cards after a round: who may, what everybody then sees and can check, and what is refused."""

from dataclasses import replace
from random import Random
from typing import Any, Final, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cards import CARDS
from pokersvc.cards.deck import SALT_BYTES, card_digest, card_digests
from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import AUDITOR, EVERYONE, Event, ImpossibleEvent, Viewer, redact
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER, earlier_events, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.advising.players import RandomPlayer
from pokersvc.games.draw_poker.display.telling import TELL
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.houses import preset
from pokersvc.streets.showing import Show
from pokersvc.streets.state import next_salts
from tests.games.card_rooms.rooms import opened
from tests.games.draw_poker.scenario import ACES, KINGS, NOTHING, Scenario, happened, seated

ROOM: Final = preset("no-limit")
WORDS: Final = DrawPokerWords()


def game(engine: int = DRAW_POKER.engine, persons: tuple[int, ...] = (1, 2, 3)) -> Scenario:
    """Three seats before the first choice of a card room's first round; seat 1 has the button."""
    return seated(3, persons=persons, rules=ROOM, engine=engine).ready()


def over(engine: int = DRAW_POKER.engine, persons: tuple[int, ...] = (1, 2, 3)) -> Scenario:
    """After a round that seat 3 won with the big blind, as the others folded."""
    return game(engine, persons).given(Fold(1), Fold(2)).ready()


def shown(done: Scenario, *actions: Show) -> list[events.CardsShown]:
    """Return the events of shows."""
    before = len(done.log)
    return [event for event in done.given(*actions).log[before:] if isinstance(event, events.CardsShown)]


def test_who_won_without_a_call_shows_one_card_and_everybody_can_check_it() -> None:
    done = over()
    card = done.hand(3)[2]
    (event,) = shown(done, Show(3, (card,)))
    (dealt,) = [one for one in happened(done.log, events.HandDealt) if one.seat == 3]
    public = redact(dealt, EVERYONE)
    assert isinstance(public, events.HandDealt)
    assert (public.cards, public.salts) == (None, None)
    assert card_digest(event.salts[0], card) == public.digests[2]
    assert done.view().seat(3).cards == (card, None, None, None, None)
    assert done.view(1).seat(3).cards == (card, None, None, None, None)
    assert done.view(3).seat(3).cards == done.hand(3)


def test_who_folded_shows_all_cards() -> None:
    done = over()
    (event,) = shown(done, Show(1))
    assert event.cards == done.hand(1)
    assert done.view().seat(1).cards == done.hand(1)


def test_cards_may_be_shown_one_after_the_other() -> None:
    done = over()
    first, second, *rest = done.hand(3)
    shown(done, Show(3, (second,)), Show(3, (first,)))
    assert done.view().seat(3).cards == (second, first, None, None, None)
    (event,) = shown(done, Show(3))
    assert event.cards == tuple(rest)
    assert done.refusal(Show(3)) == "already_shown"


def test_a_drawn_card_is_shown_and_one_that_was_thrown_away_is_not() -> None:
    done = game().given(Call(1), Call(2), Check(3)).ready()
    gone, kept = done.hand(2)[0], done.hand(2)[1]
    done.given(Discard(2, (gone,)), Discard(3, ()), Discard(1, ())).ready()
    drawn = done.hand(2)[-1]
    done.given(Bet(2, 10), Fold(3), Fold(1)).ready()
    assert done.refusal(Show(2, (gone,))) == "not_your_card"
    (event,) = shown(done, Show(2, (drawn, kept)))
    (served,) = happened(done.log, events.CardsDrawn)
    assert isinstance(served, events.CardsDrawn)
    assert card_digests((drawn,), event.salts[:1]) == served.digests


def test_who_mucked_at_the_showdown_may_show() -> None:
    done = opened("no-limit", 3, NOTHING, ACES, KINGS, persons=(1, 2, 3))
    done.given(Call(1), Call(2), Check(3), Discard(2, ()), Discard(3, ()), Discard(1, ())).ready()
    done.given(Check(2), Check(3), Check(1)).ready()
    (mucked, *_) = happened(done.log, events.HandMucked)
    assert isinstance(mucked, events.HandMucked)
    (event,) = shown(done, Show(mucked.seat))
    assert len(event.cards) == 5
    (showed, *_) = happened(done.log, events.HandShown)
    assert isinstance(showed, events.HandShown)
    assert done.refusal(Show(showed.seat)) == "already_shown"


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (lambda done: Show(3, (done.hand(1)[0],)), "not_your_card"),
        (lambda done: Show(3, (done.hand(3)[0],) * 2), "repeated_card"),
        (lambda _: Show(3, cast(Any, ("As",))), "not_cards"),
        (lambda _: Show(3, cast(Any, 5)), "not_cards"),
        (lambda _: Show(0), "not_a_person"),
        (lambda _: Show(4), "not_a_person"),
        (lambda _: Show(cast(Any, "3")), "not_a_person"),
    ],
)
def test_what_cannot_be_shown_is_refused(action: Any, code: str) -> None:
    done = over()
    assert done.refusal(action(done)) == code


def test_a_program_shows_nothing() -> None:
    assert over(persons=(1, 2)).refusal(Show(3)) == "not_a_person"


def test_cards_are_shown_from_the_award_until_the_next_round_and_at_no_other_time() -> None:
    assert seated(3, persons=(1, 2, 3), rules=ROOM).refusal(Show(3)) == "not_between_rounds"
    assert game().refusal(Show(3)) == "not_between_rounds"
    done = over()
    (event,) = shown(done, Show(3))
    done.ready()
    assert done.refusal(Show(2)) == "not_between_rounds"
    with pytest.raises(ImpossibleEvent):
        done.state.apply(event)


def test_a_show_keeps_nobody_waiting() -> None:
    done = over()
    before = done.dealer()
    shown(done, Show(2))
    assert done.dealer() == before


@pytest.mark.parametrize("engine", range(1, 5))
def test_a_game_of_an_earlier_engine_offers_no_show(engine: int) -> None:
    done = over(engine)
    assert done.refusal(Show(3)) == "no_showing"
    assert not [one for one in WORDS.between_rounds(done.view(), 3) if one.typed == "show"]
    assert WORDS.read_between("show", done.view(), 3) is None
    with pytest.raises(ImpossibleEvent):
        done.state.apply(events.CardsShown(done.hand(3), (bytes(SALT_BYTES),) * 5, 3))


def until_the_deal(game: Scenario) -> Event:
    """Let the dealer act until a hand is to be dealt; return that event."""
    while not isinstance(event := game.dealer(), events.HandDealt | earlier_events.HandDealt):
        assert event is not None
        game.given(event)
    return event


def test_a_deal_of_another_engine_is_impossible() -> None:
    old, new = seated(3, rules=ROOM, engine=4), seated(3, rules=ROOM)
    deals = [until_the_deal(old), until_the_deal(new)]
    for one, event in zip((new, old), deals, strict=True):
        with pytest.raises(ImpossibleEvent):
            one.state.apply(event)


@pytest.mark.parametrize("digests", [0, 4, 6])
def test_a_deal_has_a_digest_for_each_card(digests: int) -> None:
    new = seated(3, rules=ROOM)
    event = until_the_deal(new)
    assert isinstance(event, events.HandDealt)
    with pytest.raises(ImpossibleEvent, match="5 digests"):
        new.state.apply(replace(event, digests=(bytes(32),) * digests))


def test_a_folded_hand_of_which_a_new_deck_was_made_is_not_shown() -> None:
    done = over()
    done.state.reused = 1 << 1
    assert done.refusal(Show(1)) == "no_cards"


def test_a_card_that_is_dealt_again_has_another_salt() -> None:
    done = game()
    state = done.state
    state.deck_left = len(state.deck_cards)
    first = next_salts(state, 52)
    assert len(set(first)) == 52
    state.deck_label, state.cached_salts = "reshuffle/1", ()
    assert not set(first).intersection(next_salts(state, 52))


def test_what_is_typed_and_told() -> None:
    done = over()
    view = done.view()
    assert [one.typed for one in WORDS.between_rounds(view, 3)] == ["show"]
    one, two, *_ = done.hand(3)
    assert WORDS.read_between("show", view, 3) == WORDS.read_between("Show ALL", view, 3) == Show(3)
    assert WORDS.read_between(f"show {one} {two}", view, 3) == Show(3, (one, two))
    assert WORDS.read_between("show me", view, 3) is None
    (event,) = shown(done, Show(3, (one,)))
    assert TELL[events.CardsShown](event, done.state) == f"Player3 shows {one}"
    assert done.state.entry(event, EVERYONE) is None
    shown(done, Show(3))
    assert not WORDS.between_rounds(done.view(), 3)


def test_it_is_no_showdown_for_statistics() -> None:
    started, counts = over().log[0], []
    assert isinstance(started, events.GameStarted)
    for shows in (False, True):
        done = over()
        if shows:
            shown(done, Show(3), Show(1))
        done.ready()
        counter = DRAW_POKER.round_counter(started)
        counts.append([counter.take(event) for event in done.log[1:]])
    assert [one for one in counts[0] if one] == [one for one in counts[1] if one]


def test_all_in_hands_are_opened_only_when_no_draw_and_no_bet_is_left() -> None:
    done = game().given(Raise(1, 200), Call(2), Fold(3)).ready()
    assert not happened(done.log, events.HandShown)
    done.given(Discard(2, ()), Discard(1, ())).ready()
    assert {event.seat for event in happened(done.log, events.HandShown)} == {1, 2}


class _Evening:
    """A freeze-out of people who play and show at random, followed by a copy for each viewer."""

    def __init__(self, seed: int, seats: int, house: str) -> None:
        self.random = Random(seed)
        players = tuple(Seat(HUMAN if self.random.random() < 0.7 else "random", f"P{n}") for n in range(1, seats + 1))
        source = EntropySource.from_text(f"an evening {seed}")
        started = DRAW_POKER.start(Setup(players, source, 4, {"rules": house}))
        self.entropy = source.entropy()
        self.state = DRAW_POKER.new(started)
        self.viewers: tuple[Viewer, ...] = (AUDITOR, EVERYONE, *range(1, seats + 1))
        self.copies = {viewer: DRAW_POKER.new(redact(started, viewer)) for viewer in self.viewers}
        self.shown = 0

    def take(self, event: Any) -> None:
        self.state.apply(event)
        for viewer, copy in self.copies.items():
            copy.apply(redact(event, viewer))

    def play(self) -> None:
        state = self.state
        while state.outcome is None:
            if state.pausing:
                self.shows()
            if state.to_act is None:
                event = state.dealer_event(self.entropy)
                assert event is not None
                self.take(event)
            else:
                seat = state.to_act
                self.take(state.decide(RandomPlayer().choose(state.view(seat), state.legal(seat), self.random)))

    def shows(self) -> None:
        state = self.state
        for _ in range(self.random.randrange(4)):
            seat = self.random.randint(1, len(state.seats))
            hand = known_among(state.hands[seat])
            cards = tuple(self.random.sample([*hand, *self.random.sample(CARDS, 1)], self.random.randint(0, len(hand))))
            before = [copy.view(viewer) for viewer, copy in self.copies.items()]
            try:
                event = state.decide(Show(seat, cards))
            except IllegalAction:
                assert [copy.view(viewer) for viewer, copy in self.copies.items()] == before
                continue
            assert isinstance(event, events.CardsShown)
            self.take(event)
            self.shown += 1
            for viewer, copy in self.copies.items():
                assert copy.view(viewer) == state.view(viewer)
                again = DRAW_POKER.action_of(event)
                assert again is not None
            assert set(event.cards) <= {*state.view(EVERYONE).seat(seat).cards}


@given(st.integers(0, 2**32), st.integers(2, 8), st.sampled_from(["no-limit", "fixed-limit", "rising-ante"]))
def test_every_copy_of_an_evening_takes_every_show_and_sees_the_same(seed: int, seats: int, house: str) -> None:
    evening = _Evening(seed, seats, house)
    evening.play()
    for viewer, copy in evening.copies.items():
        assert copy.view(viewer) == evening.state.view(viewer)
