"""A seat's view contains everything it has seen: different histories give different views, in every game."""

import gc
import pickle
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from types import FunctionType, ModuleType
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.actions import Forfeit
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, may_see, redact
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.record import ROUNDS, Extent, GameRecord, Seen, extend, without_secrets
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import State
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Fold
from tests.nim.game import NIM

from .draw_poker.scenario import ACES, KINGS, dealt, rules_with, stand_pat


@dataclass(frozen=True)
class Case:
    """A game as these tests play it: by a program that may choose anything, for some rounds."""

    game: Game
    players: int
    player: str = "random"
    rounds: int | None = 3
    options: Mapping[str, Any] | None = None

    def setup(self, text: str, **changed: Any) -> Setup:
        seats = tuple(Seat(self.player, f"Player{number}") for number in range(1, self.players + 1))
        return replace(Setup(seats, EntropySource.from_text(text), self.rounds, self.options), **changed)


def case_of(kind: str) -> Case:
    """Return the setup of a game for these tests; Kalah is for two, and has no rounds."""
    if kind == "kalah":
        return Case(game_of(kind), 2, rounds=None, options={"holes": 3, "beans": 2})
    return Case(game_of(kind), 3, options={"markets": 2} if kind == "market" else None)


CASES: Final = {
    **{house.name: Case(DRAW_POKER, 3, options={"rules": house.name}) for house in DRAW_POKER.houses()},
    **{kind: case_of(kind) for kind in game_kinds() if kind != DRAW_POKER.kind},
    "nim": Case(NIM, 3, player="careless"),
}
EVERY_GAME = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def moments(case: Case, setup: Setup, choices: int) -> Iterator[tuple[State, list[Event]]]:
    """Play a game by chance; give the state, and the events after the first, before each choice and in the end."""
    game, random = case.game, Random(choices)
    state, entropy, happened = game.new(game.start(setup)), setup.source.entropy(), list[Event]()
    while (seat := state.to_act) is not None or state.outcome is None:
        if seat is None:
            event = state.dealer_event(entropy)
            assert event is not None
        else:
            yield state, happened
            player = game.players[case.player]()
            action = player.choose(state.view(seat), state.legal(seat), random)
            event = state.decide(Forfeit(seat, "raised") if random.random() < 0.03 else action)
        state.apply(event)
        happened.append(event)
    yield state, happened


def test_these_are_all_the_games() -> None:
    assert {case.game.kind for case in CASES.values()} >= set(game_kinds())


@EVERY_GAME
@settings(max_examples=2, deadline=None)
@given(deal=st.integers(0, 10**6), choices=st.integers(0, 10**6))
def test_a_seat_that_can_tell_two_histories_apart_has_views_that_differ(case: Case, deal: int, choices: int) -> None:
    setup = case.setup(str(deal))
    for viewer in (1, case.players, EVERYONE):
        told: list[tuple[tuple[Event, ...], Any]] = []
        for path in range(4):
            for state, happened in moments(case, setup, choices + path):
                told.append((tuple(redact(event, viewer) for event in happened), state.view(viewer)))
        for (one, view), (other, its) in combinations(Random(choices).sample(told, min(len(told), 40)), 2):
            assert (view == its) == (one == other)
            assert view != its or hash(view) == hash(its)


@EVERY_GAME
def test_the_record_is_what_has_happened_as_its_viewer_saw_it(case: Case) -> None:
    viewers: tuple[Viewer, ...] = (*range(1, case.players + 1), EVERYONE, AUDITOR)
    for state, happened in moments(case, case.setup("whole"), 7):
        for viewer in viewers:
            record = state.view(viewer).record
            assert list(record) == [redact(event, viewer) for event in happened]
            assert [event for round_ in record.past for event in round_] + list(record.round) == list(record)


@EVERY_GAME
def test_a_record_has_as_many_past_rounds_as_there_were(case: Case) -> None:
    for state, _ in moments(case, case.setup("rounds"), 8):
        view = state.view(1)
        assert len(view.record.past) == getattr(view, "round", 1) - 1
        assert all(view.record.past)


@EVERY_GAME
def test_what_is_hidden_from_a_seat_does_not_leave_the_process_with_its_view(case: Case) -> None:
    for state, happened in moments(case, case.setup("secret"), 9):
        for viewer in (1, EVERYONE):
            written = pickle.dumps(view := state.view(viewer))
            read = pickle.loads(written)
            assert read == view
            assert list(read.record.of[0].seen(AUDITOR)) == [redact(event, viewer) for event in happened]


@EVERY_GAME
def test_a_view_to_be_given_away_tells_the_same_and_holds_nothing_that_is_hidden(case: Case) -> None:
    for state, happened in moments(case, case.setup("given"), 15):
        for viewer in (1, EVERYONE):
            view = state.view(viewer)
            given = without_secrets(view)
            assert given == view
            assert given.record.extent == view.record.extent
            held = reached(given)
            assert not [event for event in happened if not may_see(event, viewer) and id(event) in held]


def reached(value: Any) -> set[int]:
    """Return all objects reachable from a value, by their ids, except through types."""
    found, left = set[int](), [value]
    while left:
        one = left.pop()
        if id(one) not in found and not isinstance(one, type | ModuleType | FunctionType):
            found.add(id(one))
            left += gc.get_referents(one)
    return found


@EVERY_GAME
def test_a_seats_own_copy_of_the_game_gives_its_view(case: Case) -> None:
    setup = case.setup("copy")
    started = case.game.start(setup)
    *_, (_, happened) = moments(case, setup, 10)
    whole, copy = case.game.new(started), case.game.new(redact(started, 2))
    for event in happened:
        whole.apply(event)
        copy.apply(redact(event, 2))
        assert copy.view(2) == whole.view(2)


@EVERY_GAME
def test_a_record_stays_as_it_was_whatever_happens_later(case: Case) -> None:
    views, texts = [], []
    for state, _ in moments(case, case.setup("later"), 11):
        views.append(state.view(1))
        if len(views) % 2:  # the others are read only after the game
            texts.append((len(views) - 1, list(views[-1].record)))
        else:
            texts.append((len(views) - 1, list(deepcopy(views[-1]).record)))
    assert [(number, list(views[number].record)) for number, _ in texts] == texts


def test_how_the_betting_went_is_told_in_the_draw_and_in_the_last_betting() -> None:
    """Pot, price, stacks and turn are the same after bet and call as after check, bet and call."""
    rules = rules_with(betting__check="always")
    short, long = (dealt(2, ACES, KINGS, rules=rules) for _ in range(2))
    short.given(Bet(1, 50), Call(2)).ready()
    long.given(Check(1), Bet(2, 50), Call(1)).ready()
    for then in ([], stand_pat(1, 2)):
        for seat in (1, 2):
            one, other = (game.given(*then if seat == 1 else ()).ready().view(seat) for game in (short, long))
            assert one != other
            assert replace(one, record=other.record) == other, "nothing else tells them apart"


def test_how_long_a_game_of_draw_poker_goes_on_and_by_which_rules_is_told() -> None:
    case = CASES["no-limit"]
    views = []
    for rounds, engine in ((3, 2), (4, 2), (None, 2), (3, 1)):
        started = replace(DRAW_POKER.start(case.setup("long", rounds=rounds)), engine=engine)
        views.append(DRAW_POKER.new(started).view(1))
    assert all(one != other for one, other in combinations(views, 2))
    assert [(view.rounds, view.engine) for view in views] == [(3, 2), (4, 2), (None, 2), (3, 1)]


# However long a game is, the last 1,000 rounds are told, and no more are kept than a few hundred before them.


def test_a_record_tells_the_last_thousand_rounds_and_the_state_keeps_few_more() -> None:
    game = dealt(2, rules=rules_with(ante__amount=1, ante__increase=0, stack=1_000_000))
    seen = []
    for number in range(1, 2_700):
        assert game.state.to_act is not None
        if number % 450 == 0:
            seen.append((number, len(game.log), game.view(1)))
        game.given(Fold(game.state.to_act)).ready()
        game.ready()
    assert len(game.state.record.rounds) <= ROUNDS + 250
    for number, length, view in seen:
        told, past = list(view.record), view.record.past
        assert (view.round, len(past)) == (number, min(number - 1, ROUNDS))
        assert told == [redact(event, 1) for event in game.log[length - len(told) : length]]
        assert isinstance(first := past[0][0], events.RoundStarted)
        assert first.round == number - len(past)


def test_a_state_that_nobody_asks_for_views_keeps_no_events() -> None:
    for case in CASES.values():
        setup = case.setup("stopped")
        *_, (whole, happened) = moments(case, setup, 12)
        state = case.game.new(case.game.start(setup))
        state.record.stop()
        for event in happened:
            state.apply(event)
        assert (len(state.record.events), state.record.rounds) == (0, [])
        assert state == whole, "as far as both keep it"
        if case.game.kind == "market":
            bargains: Any = state.view(1).bargains
            assert list(bargains) == []


# The value itself.


ITEMS = st.lists(st.lists(st.integers(), max_size=4), min_size=1, max_size=8)


def told(rounds: list[list[int]]) -> GameRecord[int]:
    happened: GameRecord[int] = GameRecord()
    extend(happened, rounds)
    return happened


@given(ITEMS, st.integers(0, 20))
def test_the_last_of_a_record_are_those_at_its_end(rounds: list[list[int]], count: int) -> None:
    seen = told(rounds).seen(AUDITOR)
    assert seen.last(count) == list(seen)[max(0, len(list(seen)) - count) :]
    assert (list(seen.past), seen.round) == ([tuple(one) for one in rounds[:-1]], tuple(rounds[-1]))


@given(ITEMS, ITEMS)
def test_what_is_new_since_then_makes_of_what_was_told_what_is_told_now(
    before: list[list[int]], after: list[list[int]]
) -> None:
    happened = told(before)
    then = happened.seen(AUDITOR)
    copy = told([list(one) for one in then.all()])
    extend(happened, after)
    now = happened.seen(AUDITOR)
    news = now.since(then.extent)
    assert news is not None
    assert sum(map(len, news)) == sum(map(len, after))
    extend(copy, news)
    assert copy == happened
    assert copy.seen(AUDITOR) == now
    assert (now == then) == (after == [[]])
    assert then.since(now.extent) is None or now.extent == then.extent


def test_what_was_told_before_a_forgotten_round_is_told_anew() -> None:
    happened: GameRecord[int] = GameRecord()
    extend(happened, [[number] for number in range(3 * ROUNDS)])
    seen = happened.seen(AUDITOR)
    assert seen.since(Extent(seen.extent.rounds - ROUNDS, 0)) == [*seen.past, seen.round]
    assert seen.since(Extent(seen.extent.rounds - ROUNDS - 1, 0)) is None


def test_records_are_equal_where_they_tell_the_same() -> None:
    one, other = (told([[1, 2], [3]]) for _ in range(2))
    assert one.seen(AUDITOR) == other.seen(AUDITOR)
    assert hash(one.seen(AUDITOR)) == hash(other.seen(AUDITOR))
    assert pickle.loads(pickle.dumps(one.seen(AUDITOR))) == one.seen(AUDITOR)
    for changed in ([[1, 2], [4]], [[1], [3]], [[1, 2, 3]], [[0, 2], [3]]):
        assert told(changed).seen(AUDITOR) != one.seen(AUDITOR)
    assert one != told([[1, 2], [4]])
    assert one.seen(AUDITOR) != ((1, 2), (3,))
    assert repr(one.seen(AUDITOR)) == "Seen(<1 past rounds>, (3,))"


def test_a_record_cannot_be_given_other_rounds() -> None:
    seen: Any = Seen.of_events([[1]], [2])
    with pytest.raises(AttributeError):
        seen.round = (3,)
    with pytest.raises(AttributeError):
        seen.past = ()


# Hidden kinds.


@EVERY_GAME
def test_hidden_kinds_are_known_to_their_own_seat_and_to_auditors_until_the_game_is_over(case: Case) -> None:
    kinds = [case.player] * case.players
    hidden: list[str | None] = [None] * case.players
    for state, _ in moments(case, case.setup("kinds", hidden_kinds=True), 13):
        over = state.outcome is not None
        assert [seat.kind for seat in state.view(AUDITOR).seats] == kinds
        assert [seat.kind for seat in state.view(EVERYONE).seats] == (kinds if over else hidden)
        assert [seat.kind for seat in state.view(2).seats] == (kinds if over else [None, kinds[1], *hidden[2:]])
    for state, _ in moments(case, case.setup("kinds"), 13):
        assert [seat.kind for seat in state.view(2).seats] == kinds


@EVERY_GAME
def test_views_of_a_game_with_hidden_kinds_do_not_depend_on_the_kinds_of_others(case: Case) -> None:
    setup = case.setup("others", hidden_kinds=True)
    other = replace(setup, seats=(setup.seats[0], *(replace(seat, kind="human") for seat in setup.seats[1:])))
    state, its = case.game.new(case.game.start(setup)), case.game.new(case.game.start(other))
    for event in [happened for _, happened in moments(case, setup, 14)][-1][:-1]:
        state.apply(event)
        its.apply(event)
        if state.outcome is None:
            assert state.view(1) == its.view(1)
            assert state.view(EVERYONE) == its.view(EVERYONE)


@EVERY_GAME
def test_who_starts_a_game_with_hidden_kinds_is_told_without_them(case: Case) -> None:
    words = case.game.words
    for hidden in (True, False):
        started = case.game.start(case.setup("words", hidden_kinds=hidden))
        said = words.tell(started, case.game.new(started))
        assert "Player2" in said
        assert (f"({case.player})" in said) == (not hidden and case.game.kind not in ("kalah", "nim"))
