"""Many honest games, of every house and of changed houses, pass the page's verifier."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from pokersvc.core.event import EVERYONE, Viewer
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker.house.houses import load_rules, preset_names
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from tests.web.at_table import cash_games, games_at_tables, games_with_newcomers
from tests.web.missed import some_missed
from tests.web.node import WEB, node
from tests.web.played import repeatable
from tests.web.together import cash_games_together, games_together
from tests.web.vectors import Vector, made

MANY: Final = [
    pytest.param(24, marks=pytest.mark.slow),
    pytest.param(60, marks=[pytest.mark.slow, pytest.mark.exhaustive]),
]
"""The numbers of games that the slow and the exhaustive tests play."""


def _changed(house: str, random: Random) -> DrawPokerRules:
    """Return the rules of a house with some of them changed, such that it can be played."""
    rules = load_rules(house)
    changes: dict[str, object] = {
        "discards": random.choice([rules.discards, 0, 3, 5]),
        "history": random.choice(["all", "shown"]),
        "open_hands": random.choice([rules.open_hands, "after_draw", "showdown", "in_order"]),
        "stack": random.choice([rules.stack, 150, 300]),
    }
    if rules.blinds is not None:
        changes["button_rule"] = random.choice(["forward", "dead"])
        straddle = random.choice([0, 2 * rules.blinds.big])
        changes["blinds"] = rules.blinds.model_copy(update={"straddle": straddle})
    return rules.model_copy(update=changes)


def _games(random: Random) -> list[Vector]:
    games = []
    for number, house in enumerate(preset_names() * 5):
        names = [f"P{seat}" for seat in range(1, random.randint(2, 10) + 1)]
        seats = tuple(Seat(random.choice(["random", "steady"]), name) for name in names)
        viewers: list[Viewer] = [EVERYONE, 1, len(seats)]
        options = {"rules": _changed(house, random)}
        games.append(
            Vector(f"{house}-{number}", "draw", seats, random.choice(viewers), options, rounds=random.randint(1, 6))
        )
    for number in range(4):
        seats = tuple(Seat("random", f"P{seat}") for seat in range(1, random.randint(2, 10) + 1))
        games.append(Vector(f"market-{number}", "market", seats, EVERYONE, {"markets": 3}, rounds=2))
        board = {"holes": random.randint(1, 8), "beans": random.randint(0, 6), "empty_capture": number % 2 == 0}
        games.append(Vector(f"kalah-{number}", "kalah", (Seat("random", "A"), Seat("bad", "B")), 1, board))
    return games


def _verified(folder: Path, games: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Have the page's code verify games that must be good, and return how much it checked."""
    file = folder / "games.jsonl"
    file.write_text("".join(json.dumps(game) + "\n" for game in games), encoding="ascii")
    done = node(WEB / "verify_games.js", file, timeout=120)
    *not_good, total = done.stdout.splitlines()
    assert (not_good, done.stderr) == ([], "")
    checked: dict[str, int] = json.loads(total)
    return checked


@pytest.mark.slow
def test_games_of_all_houses_are_good(tmp_path: Path) -> None:
    games = _games(Random(13))
    checked = _verified(tmp_path, (made(game, tmp_path) for game in games))
    assert checked["games"] == len(games)
    assert min(checked[what] for what in ("hands", "cards", "chips", "moves", "results", "decks")) > 100


def _games_with_missed(random: Random, number: int) -> list[Vector]:
    games = []
    for index in range(number):
        seats = tuple(Seat("random", f"P{seat}") for seat in range(1, random.randint(2, 6) + 1))
        missed = some_missed(len(seats), 4, random)
        viewers: list[Viewer] = [EVERYONE, 1, len(seats)]
        if index % 3 == 0:
            options: dict[str, object] = {"markets": 3}
            games.append(Vector(f"market-{index}", "market", seats, 1, options, rounds=2, missed=missed))
        else:
            options = {"rules": _changed(preset_names()[index % len(preset_names())], random)}
            games.append(
                Vector(f"draw-{index}", "draw", seats, random.choice(viewers), options, rounds=4, missed=missed)
            )
    return games


def test_games_with_rounds_forgone_are_good(tmp_path: Path) -> None:
    games = [made(game, tmp_path) for game in _games_with_missed(Random(5), 8)]
    forgone = [record for game in games for record in game["records"] if record["type"] == "RoundForgone"]
    assert len(forgone) > 12
    assert _verified(tmp_path, games)["games"] == len(games)


@pytest.mark.slow
def test_games_of_all_houses_with_rounds_forgone_are_good(tmp_path: Path) -> None:
    games = _games_with_missed(Random(6), 120)
    assert _verified(tmp_path, (made(game, tmp_path) for game in games))["games"] == len(games)


@pytest.mark.slow
def test_games_at_tables_are_good(tmp_path: Path) -> None:
    with repeatable(7):
        games = list(games_at_tables(tmp_path, Random(7), 24))
    types = {record["type"] for game in games for record in game["records"]}
    assert types >= {"TableSet", "TimedOut", "CameBack", "SeatReplaced", "SeatRemoved", "PlayerLeft", "GameClosed"}
    assert "DeviceChanged" in types
    assert _verified(tmp_path, games)["games"] == 24


@pytest.mark.parametrize("number", MANY)
def test_cash_games_are_good(tmp_path: Path, number: int) -> None:
    with repeatable(number):
        games = list(cash_games(tmp_path, Random(number), number))
    types = {record["type"] for game in games for record in game["records"]}
    assert types >= {"SatDown", "GotUp", "ChipsBought", "SatOut", "SatIn", "Posted", "RakeTaken", "BlindPosted"}
    checked = _verified(tmp_path, games)
    assert checked["games"] == number
    assert checked["decks"] > number, "each opens its seeds"


@pytest.mark.parametrize("number", MANY)
def test_cash_games_with_newcomers_are_good(tmp_path: Path, number: int) -> None:
    with repeatable(number):
        games = list(games_with_newcomers(tmp_path, Random(number), number))
    came = [record["payload"] for game in games for record in game["records"] if record["type"] == "SatDown"]
    names = [json.loads(payload)["name"] for payload in came]
    assert None in names
    assert len({*names}) > 3
    assert _verified(tmp_path, games)["games"] == number


@pytest.mark.parametrize("number", [4, *MANY])
def test_cash_games_with_newcomers_and_a_dead_button_are_good(tmp_path: Path, number: int) -> None:
    dead = load_rules("no-limit").model_copy(update={"button_rule": "dead"})
    with repeatable(number):
        games = list(games_with_newcomers(tmp_path, Random(number), number, [dead]))
    assert any(two_after_more(game["records"]) for game in games), "a round of two, after one of three"
    assert _verified(tmp_path, games)["games"] == number


def two_after_more(records: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a game has a round of two that follows one of more."""
    dealt = [0]
    for record in records:
        if record["type"] == "RoundStarted":
            dealt.append(0)
        dealt[-1] += record["type"] == "HandDealt"
    return any(now == 2 < before for before, now in pairwise(dealt))


@pytest.mark.slow
@pytest.mark.parametrize("number", [4, *MANY])
def test_cash_games_shuffled_together_are_good(tmp_path: Path, number: int) -> None:
    games = list(cash_games_together(tmp_path, Random(3), number))
    types = {record["type"] for game in games for record in game["records"]}
    assert types >= {"DealingSet", "ShareOpened", "ChipsBought", "SatOut", "SatIn"}
    assert _verified(tmp_path, games)["games"] == number


@pytest.mark.slow
def test_games_shuffled_together_are_good(tmp_path: Path) -> None:
    games = list(games_together(tmp_path, Random(11), 24))
    types = {record["type"] for game in games for record in game["records"]}
    assert types >= {
        "SeatBound",
        "ShareOpened",
        "ShareMissed",
        "RoundForgone",
        "TablePaused",
        "SeatReplaced",
        "CameBack",
    }
    bound = [
        json.loads(record["payload"]) for game in games for record in game["records"] if record["type"] == "SeatBound"
    ]
    assert any(one["renewal"] for one in bound)
    checked = _verified(tmp_path, games)
    assert checked["games"] == 24
    assert checked["decks"] > 24, "each follows from the shares"


@pytest.mark.slow
@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_every_change_of_a_character_is_caught(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVERY", str(every))
    done = node("--test", "--test-reporter=tap", "fuzz.slow.js", timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr
