"""The kit names the promise that a game breaks, however it is broken, and nothing of a game that is right."""

import re
from pathlib import Path
from typing import Any

import kuhn
import pytest
from kuhn import KUHN

from pokersvc.core.registry import game_kinds, game_of
from pokersvc.testing import BrokenPromise, Promise, check_game
from pokersvc.testing.plans import Plans
from pokersvc.testing.trial import Onlookers, Trial, play
from tests.nim.game import NIM

from . import broken, broken_drawn, broken_secrets, broken_together

BROKEN = broken.BROKEN | broken_drawn.BROKEN | broken_secrets.BROKEN | broken_together.BROKEN

SCHEMAS = Path(kuhn.__file__).with_name("schemas")


def test_a_game_that_tells_its_rounds_for_sessions_keeps_every_promise() -> None:
    check_game(broken.TELLS_RIGHT, seeds=range(2), stored=1)


@pytest.mark.parametrize("how", [{"seeds": range(6), "stored": 1}, pytest.param({}, marks=pytest.mark.slow)])
def test_a_game_that_is_dealt_together_keeps_every_promise(how: dict[str, Any]) -> None:
    check_game(broken_together.TOGETHER, **how)


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_game_breaks_the_promise(what: str) -> None:
    promise, game, how = BROKEN[what]
    with pytest.raises(BrokenPromise) as raised:
        check_game(game, schemas=SCHEMAS if promise is Promise.SCHEMAS else None, **how)
    assert raised.value.promise is promise, (raised.value, getattr(raised.value, "__notes__", ""))
    assert str(raised.value).startswith(f"The game {game.kind!r} breaks the promise that ")


def test_every_promise_is_broken_by_a_game() -> None:
    assert {game.promise for game in BROKEN.values()} == set(Promise)


def test_the_error_names_the_promise_the_seed_and_the_event_and_its_seed_finds_it_again() -> None:
    game = BROKEN["the books lose a chip"].game
    with pytest.raises(BrokenPromise) as raised:
        check_game(game)
    error = raised.value
    assert re.fullmatch(
        r"The game 'kuhn' breaks the promise that the books balance at every event: the books found scores .+ where"
        rf" there should be .+ \(seed {error.seed}, event {error.event}\)\.",
        str(error),
    )
    assert error.seed is not None
    with pytest.raises(BrokenPromise) as again:
        check_game(game, seeds=[error.seed])
    assert str(again.value) == str(error)


def test_what_else_was_found_in_the_same_game_stands_in_the_notes() -> None:
    broken = BROKEN["`action_of` takes a bet for a pass"].game
    game = type("TwiceBroken", (type(broken),), {"words": BROKEN["no words for an event"].game.words})()
    with pytest.raises(BrokenPromise) as raised:
        check_game(game)
    assert raised.value.promise is Promise.ACTION_OF
    (note,) = raised.value.__notes__
    assert Promise.WORDS.value in note


def test_a_checked_game_is_not_left_in_the_registry() -> None:
    before = game_kinds()
    check_game(KUHN, seeds=[0], stored=1)
    assert game_kinds() == before


def test_every_number_of_seats_and_every_house_is_played() -> None:
    plans = Plans.of(game_of("draw"), None, ["random"])
    tables = {(options["rules"].name, seats) for options, seats in plans.tables}
    for house in game_of("draw").houses():
        rules = game_of("draw").options({"rules": house.name})["rules"]
        assert {seats for name, seats in tables if name == rules.name} == set(range(2, rules.seats.most + 1))
    played = {len(plans.plan(seed).setup.seats) for seed in range(len(plans.tables))}
    assert played == set(range(2, 11))


def test_people_play_and_leave_and_programs_forfeit() -> None:
    found: set[str] = set()
    for seed in range(20):
        trial = Trial.of(Plans.of(NIM, None, None).plan(seed))
        play(trial, Onlookers(trial, []))
        found |= {type(event).__name__ for event in trial.events}
        found |= {seat.kind for seat in trial.plan.setup.seats}
    assert found >= {"human", "careful", "PlayerLeft", "Forfeited"}


def test_seats_forgo_rounds_where_decks_can_be_shuffled_together() -> None:
    found: set[str] = set()
    for seed in range(20):
        trial = Trial.of(Plans.of(broken_together.TOGETHER, None, None).plan(seed))
        play(trial, Onlookers(trial, []))
        found |= {type(event).__name__ for event in trial.events}
    assert "RoundForgone" in found
