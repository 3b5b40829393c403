"""Events that all games share: the start in canonical form, forfeits and leaves, and their checks."""

import json
from dataclasses import dataclass, fields, replace
from typing import Literal

import pytest

from pokersvc.core.actions import FORFEIT_CODES, Action, CloseGame, Forfeit, IllegalAction, Leave
from pokersvc.core.codec import EventCodec
from pokersvc.core.common_events import Forfeited, PlayerLeft, Started, forfeited, open_kinds
from pokersvc.core.event import AUDITOR, EVERYONE, Audience, Event, secret_fields
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.rules import UnknownEngine
from pokersvc.core.seats import HUMAN, Seat, SeatSeen
from pokersvc.core.setup import Setup
from tests.sealed.game import SEALED, NumberSealed, NumbersRevealed, Pick, RoundStarted, SealedState


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started):
    aces: int
    game: Literal["given"]
    zeros: int


START = GameStarted(
    aces=1, engine=1, entropy=EntropySource.from_text("x"), game="given", hidden_kinds=True, program="1",
    reproducible=True, seats=(Seat("high", "Ann"),), zeros=2,
)  # fmt: skip


def state(*kinds: str, hidden_kinds: bool = False) -> SealedState:
    seats = tuple(map(Seat, kinds, ("Ann", "Bob", "Cy")))
    return SEALED.new(SEALED.start(Setup(seats, EntropySource.from_text("x"), 2, None, hidden_kinds)))


def given(*events: Event, kinds: tuple[str, ...] = ("high", HUMAN)) -> SealedState:
    made = state(*kinds)
    for event in events:
        made.apply(event)
    return made


def refusal(made: SealedState, action: Action) -> str:
    with pytest.raises(IllegalAction) as refused:
        made.decide(action)
    return refused.value.code


def test_the_fields_of_a_start_stand_in_one_alphabetical_order() -> None:
    names = [field.name for field in fields(START)]
    assert names == sorted(names)
    assert {"engine", "entropy", "seats", "aces", "zeros"} < set(names)
    assert secret_fields(GameStarted) == {"entropy": Audience.DEALER}


def test_a_start_is_stored_in_canonical_form_and_read_back() -> None:
    codec = EventCodec({("GameStarted", 1): GameStarted}, {})
    stored = codec.encode(START)
    assert list(json.loads(stored.payload)) == sorted(json.loads(stored.payload))
    assert codec.is_canonical(*stored)
    assert codec.decode(*stored) == START


def test_the_fields_that_follow_from_a_setup_are_given() -> None:
    source = EntropySource.from_text("x")
    started = SEALED.start(Setup((Seat("high", "Ann"), Seat(HUMAN, "Bob")), source, 2, None, True))
    assert (started.engine, started.hidden_kinds, started.reproducible, SEALED.source(started)) == (
        1, True, True, source
    )  # fmt: skip
    assert SEALED.seats(started) == (Seat("high", "Ann"), Seat(HUMAN, "Bob"))
    assert not SEALED.start(Setup(started.seats, EntropySource.fresh())).reproducible


def test_a_game_of_an_engine_that_is_not_known_does_not_begin() -> None:
    started = replace(state("high", "high").started, engine=2)
    with pytest.raises(UnknownEngine, match="started by engine 2 of 'sealed'"):
        SEALED.new(started)
    assert [one.found for one in SEALED.contradictions(started)] == ["engine 2"]


def test_a_start_that_is_untruly_reproducible_contradicts_itself() -> None:
    started = replace(state("high", "high").started, reproducible=False)
    assert [one.found for one in SEALED.contradictions(started)] == ["a game that is not reproducible"]


def test_forfeits_and_leaves_are_actions_of_every_game() -> None:
    assert SEALED.action_of(Forfeited("timeout", 2)) == Forfeit(2, "timeout")
    assert SEALED.action_of(PlayerLeft(2)) == Leave(2)
    assert SEALED.action_of(RoundStarted(1)) is None


@pytest.mark.parametrize("code", FORFEIT_CODES)
def test_a_program_that_is_awaited_forfeits(code: str) -> None:
    assert given(RoundStarted(1)).decide(Forfeit(1, code)) == Forfeited(code, 1)  # type: ignore[arg-type]  # one of three


def test_nobody_else_forfeits() -> None:
    assert refusal(given(RoundStarted(1)), Forfeit(2, "raised")) == "not_a_program"
    assert refusal(given(RoundStarted(1), NumberSealed(1, 1)), Forfeit(1, "raised")) == "not_your_turn"
    assert refusal(given(RoundStarted(1)), Forfeit(1, "bored")) == "unknown_code"
    with pytest.raises(IllegalAction, match="'bored' is no reason to forfeit; reasons are illegal, raised, timeout"):
        forfeited(Forfeit(1, "bored"), Forfeited)


def test_a_person_leaves_between_two_rounds_and_nobody_else_ever() -> None:
    between = (
        RoundStarted(1),
        NumberSealed(1, 1),
        NumberSealed(2, 2),
        NumberSealed(3, 3),
        NumbersRevealed((1, 2, 3), 1),
    )
    kinds = ("high", HUMAN, HUMAN)
    assert given(*between, kinds=kinds).decide(Leave(2)) == PlayerLeft(2)
    assert refusal(given(*between, kinds=kinds), Leave(1)) == "cannot_leave"
    assert refusal(given(*between, PlayerLeft(2), kinds=kinds), Leave(2)) == "cannot_leave"
    assert refusal(given(*between[:2], kinds=kinds), Leave(2)) == "cannot_leave"


def test_an_action_that_the_game_does_not_have_is_refused() -> None:
    assert refusal(given(RoundStarted(1)), Action(1)) == "unknown_action"
    assert refusal(given(RoundStarted(1)), Pick(3, 1)) == "not_your_turn"


def test_hidden_kinds_are_those_of_others_while_the_game_is_on() -> None:
    made = state("high", "random", hidden_kinds=True)
    assert made.seats_seen(1) == (SeatSeen("high", "Ann"), SeatSeen(None, "Bob"))
    assert made.seats_seen(EVERYONE) == (SeatSeen(None, "Ann"), SeatSeen(None, "Bob"))
    assert made.seats_seen(AUDITOR) == state("high", "random").seats_seen(EVERYONE)
    made.ended = True
    assert made.seats_seen(1) == made.seats_seen(AUDITOR)
    assert not getattr(open_kinds(made.started), "hidden_kinds")  # noqa: B009 - of any event
    assert open_kinds(RoundStarted(1)) == RoundStarted(1)


def test_a_state_does_not_show_the_dealers_secret_where_it_is_printed() -> None:
    made = state("high", "high")
    assert made.started.entropy is not None
    assert repr(made.started.entropy.secret) not in repr(made)


def test_an_action_of_nobody_names_a_seat_at_which_nobody_sits() -> None:
    """Seats are numbered from 1; a number below 0 would be a valid list index of another seat."""
    assert CloseGame().seat == 0
