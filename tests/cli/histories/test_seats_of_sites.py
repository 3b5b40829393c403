"""An imported hand's seats have the numbers that its site gave them, wherever a seat is named by a number."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pokersvc.cli.setup.completions import candidates
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import hands_in
from tests.cli.program import Program

SAMPLES = Path(__file__).parents[2] / "histories/samples"
FILES = sorted(path for path in SAMPLES.iterdir() if path.suffix != ".told")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A home with the samples of all sites, and the rows of all their hands."""
    program = Program(tmp_path_factory.mktemp("sites"))
    program.ended("import", *FILES)
    program.run("export", "--format", "parquet", "-o", "tables")
    yield program
    program.close()


@pytest.fixture(scope="module")
def listed(program: Program) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = program.json("games")
    return found


def with_gaps(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a game of each site in which seats are not counted from 1."""
    found = {game["hand"]["site"]: game for game in listed if numbers(game) != [*range(1, len(game["seats"]) + 1)]}
    assert {"Boss", "Merge", "OnGame", "PokerStars"} <= found.keys()
    return list(found.values())


def numbers(game: dict[str, Any]) -> list[int]:
    return [seat["seat"] for seat in game["seats"]]


def test_the_list_has_the_numbers_that_each_file_tells(listed: list[dict[str, Any]]) -> None:
    told = {
        (hand.site, hand.number): {player.name: player.number for player in hand.dealt_in()}
        for path in FILES
        for hand in hands_in(path)
        if isinstance(hand, HandHistory)
    }
    assert {
        (game["hand"]["site"], game["hand"]["number"]): {seat["name"]: seat["seat"] for seat in game["seats"]}
        for game in listed
    } == told


def test_a_number_of_the_list_is_the_point_of_view_of_the_player_beside_it(
    program: Program, listed: list[dict[str, Any]]
) -> None:
    first, *others = with_gaps(listed)
    every = (["events"], ["replay"], ["history", "--hands"], ["export"], ["export", "--format", "phh"])
    for game in (first, *others):
        id_ = game["game"]
        for seat in game["seats"]:
            for command in every if game is first else every[:1]:  # each command asks for a seat in the same words
                by_number, by_name = (program.ended(*command, id_, "--as", who) for who in (seat["seat"], seat["name"]))
                assert by_number == by_name
        other = next(number for number in range(30) if number not in numbers(game))
        seats = ", ".join(f"{seat['seat']} ({seat['name']})" for seat in game["seats"])
        assert program.refused("events", id_, "--as", other).endswith(f"or a seat: {seats}.")


def test_completion_offers_players_with_the_numbers_of_the_list(program: Program, listed: list[dict[str, Any]]) -> None:
    for game in listed:
        found = list(candidates(["--db", str(program.database), "replay", game["game"], "--as"], ""))
        assert [one for one in found if one.about] == [
            (seat["name"], f"seat {seat['seat']}") for seat in game["seats"]
        ]  # fmt: skip


def test_the_history_the_rows_and_a_verified_copy_have_them_too(program: Program, listed: list[dict[str, Any]]) -> None:
    tables = {
        name: pq.read_table(program.home / f"tables/{name}.parquet") for name in ("players", "actions", "showdowns")
    }
    for game in with_gaps(listed):
        names = {seat["name"]: seat["seat"] for seat in game["seats"]}
        history = program.json("history", game["game"])
        assert numbers(history) == numbers(game)
        assert {hand["name"]: hand["seat"] for hand in history["history"][0]["hands"]} == names
        for table in tables.values():
            rows = [row for row in table.to_pylist() if row["game"] == game["game"]]
            assert all(row["seat"] == names[row["player"]] for row in rows)
        number = max(names.values())
        copy = program.home / f"{game['game']}.jsonl"
        program.ended("export", game["game"], "--as", number, "-o", copy)
        assert f"; seat {number}'s export, " in program.run("verify", copy)
        counted = json.loads(copy.read_text("utf-8").partition("\n")[0])["as"]
        assert counted == numbers(game).index(number) + 1, "a file has the number that events have"


def test_games_played_here_count_from_one_open_seats_too(program: Program, tmp_path: Path) -> None:
    here = Program(tmp_path)
    here.run("play", "--auto", "--player", "Ann=minimum", "--player", "Bob=minimum", "--rounds", 1)
    here.ended("play", "--cash", "--open-seats", 2, "--player", "Ann=human", "--player", "Bob=minimum", typed="quit\n")
    assert [numbers(game) for game in here.json("games")] == [[1, 2, 3, 4], [1, 2]]
    here.sql("DROP TRIGGER events_refuse_update", "UPDATE events SET payload = '{}' WHERE seq = 1")
    assert [numbers(game) for game in here.json("games")] == [[1, 2, 3, 4], [1, 2]], "where a start is damaged too"
