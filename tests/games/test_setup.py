"""The setup of every game: names, kinds, rounds and seeds, and the registry of games."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import UnknownGameKind, game_kinds, game_of, usable
from pokersvc.core.rules import UnknownEngine
from pokersvc.core.seats import HUMAN, Seat, check_name
from pokersvc.core.setup import Setup
from pokersvc.core.state import Outcome
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.text import counted

LOGS: Final = Path(__file__).parents[1] / "logs" / "engine-1"
FIRST_EVENTS: Final = [json.loads(log.read_text().splitlines()[0]) for log in sorted(LOGS.glob("*.jsonl"))]
OLD_STARTS: Final = {json.loads(first["payload"])["game"]: first for first in FIRST_EVENTS}
"""A start of version 1 of each kind of game."""
SOURCE = EntropySource.from_text("a setup")


def setup(*names: str, kinds: str = "steady", **more: Any) -> Setup:
    return Setup(tuple(Seat(kinds, name) for name in names), SOURCE, **more)


@pytest.mark.parametrize("name", ["A", "Player2", "Zoë", "李", "a b", "x" * 20, "O'Hara <3"])
def test_a_name_is_1_to_20_printable_characters(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name", ["", "x" * 21, " A", "A ", " ", "a\tb", "a\nb", "\x1b[31m", "\u200b", "\u202eA", "\ud800"]
)
def test_a_name_that_a_screen_could_not_show_is_refused(name: str) -> None:
    with pytest.raises(InvalidValue, match="1 to 20 printable characters"):
        check_name(name)
    with pytest.raises(InvalidValue, match="cannot be a"):
        setup("Ann", name)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ann", "Ann"),
        ("Ann", "ANN"),
        ("Straße", "STRASSE"),
        ("Ann", "".join(["A", "nn"])),
    ],
)
def test_every_seat_needs_a_name_of_its_own(first: str, second: str) -> None:
    with pytest.raises(InvalidValue, match=f"'{first}' and '{second}' are the same"):
        setup(first, "Bob", second)


@pytest.mark.parametrize("rounds", [0, -1])
def test_rounds_are_1_or_more(rounds: int) -> None:
    with pytest.raises(InvalidValue, match=f"{rounds} rounds cannot be played"):
        setup("Ann", "Bob", rounds=rounds)
    assert setup("Ann", "Bob", rounds=1).rounds == 1


@pytest.mark.parametrize("text", ["", "a\nb", "\ud800"])
def test_a_seed_is_printable_text(text: str) -> None:
    with pytest.raises(InvalidValue, match="seed"):
        Setup((), EntropySource(bytes(32), text))


def test_a_seat_is_played_by_a_person_or_a_known_program() -> None:
    DRAW_POKER.check_kinds((Seat(HUMAN, "Ann"), Seat("steady", "Bob")))
    with pytest.raises(InvalidValue, match=r"Ann cannot be played by 'robot'; kinds of players are human, .*steady"):
        DRAW_POKER.start(setup("Ann", "Bob", kinds="robot"))


@pytest.mark.parametrize("seats", [0, 1, 11])
def test_draw_poker_takes_2_to_10_players(seats: int) -> None:
    with pytest.raises(InvalidValue, match=f"{counted(seats, 'player')} cannot play rising-ante; it takes 2 to 10"):
        DRAW_POKER.start(setup(*(f"P{seat}" for seat in range(seats))))


def test_the_started_event_holds_what_later_reading_needs() -> None:
    started = DRAW_POKER.start(setup("Ann", "Bob", rounds=7))
    assert DRAW_POKER.seats(started) == (Seat("steady", "Ann"), Seat("steady", "Bob"))
    assert (started.game, started.rounds, started.reproducible, started.rules.name) == ("draw", 7, True, "rising-ante")
    assert DRAW_POKER.source(started) == SOURCE
    fresh = Setup(started.seats, EntropySource.fresh())
    assert not DRAW_POKER.start(fresh).reproducible


def test_an_unknown_option_of_the_game_is_refused() -> None:
    with pytest.raises(InvalidValue, match="no option 'limits'"):
        DRAW_POKER.options({"limits": 5})


def test_games_are_found_by_kind_and_an_unknown_one_is_refused() -> None:
    assert game_of("draw") is DRAW_POKER
    assert "draw" in game_kinds()
    with pytest.raises(UnknownGameKind, match=r"no game 'chess'; the games are .*draw"):
        game_of("chess")


def test_the_most_is_best_and_equal_scores_share_a_rank() -> None:
    outcome = Outcome.by_score((5, 9, 1, 9))
    assert outcome.ranks == (3, 1, 4, 1)
    assert outcome.winners == (2, 4)


# Bots.


@pytest.mark.parametrize("kind", [kind for kind in game_kinds() if usable(kind)])
def test_the_levels_of_bots_can_be_played_and_each_is_said_in_a_line(kind: str) -> None:
    game = game_of(kind)
    assert len(set(game.bot_levels)) == len(game.bot_levels)
    assert set(game.bot_levels) <= set(game.players)
    assert set(game.bot_levels) <= set(game.players_said)


# Engines.


@pytest.mark.parametrize("kind", OLD_STARTS)
def test_a_game_of_an_engine_that_is_not_known_is_refused_in_a_sentence(kind: str) -> None:
    game = game_of(kind)
    seats = (Seat(game.default_kind(game.options({})), "Ann"), Seat(game.default_kind(game.options({})), "Bob"))
    started: Any = game.start(Setup(seats, EntropySource.from_text("engines")))
    assert started.engine == game.engine
    for unknown in (0, game.engine + 1):
        assert [mismatch.found for mismatch in game.wrong_engine(unknown)] == [f"engine {unknown}"]
    newer = replace(started, engine=game.engine + 1)
    assert f"engine {game.engine + 1}" in [mismatch.found for mismatch in game.contradictions(newer)]
    with pytest.raises(UnknownEngine, match=f"engine {game.engine + 1} of '{kind}', but this pokersvc knows 1 to"):
        game.new(newer)


@pytest.mark.parametrize("kind", OLD_STARTS)
def test_a_start_of_version_1_is_lifted_to_engine_1_with_all_that_it_said(kind: str) -> None:
    game = game_of(kind)
    first = OLD_STARTS[kind]
    assert first["version"] == 1
    stored: Any = game.codec.decode_stored(first["type"], 1, first["payload"], first["secret"])
    lifted: Any = game.codec.decode(first["type"], 1, first["payload"], first["secret"])
    assert (lifted.engine, lifted.hidden_kinds) == (1, False)
    for field in fields(stored):
        if field.name != "rules":
            assert getattr(lifted, field.name) == getattr(stored, field.name)
    assert says_all(lifted.rules.model_dump(), stored.rules.model_dump())


def says_all(said: object, before: object) -> bool:
    """Return whether rules contain all earlier fields with the same values; new fields are allowed."""
    if isinstance(said, dict) and isinstance(before, dict):
        return all(key in said and says_all(said[key], value) for key, value in before.items())
    return said == before
