"""The questions of docs/sql.md, answered by DuckDB from the files that the page tells to write, and by other means."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import duckdb
import pytest

from pokersvc.histories.tables import COLUMNS
from tests.cli.program import Program

PAGE: Final = (Path(__file__).parents[2] / "docs/sql.md").read_text("utf-8")
QUESTIONS: Final = dict(re.findall(r"^(\S[^\n]*\?)\n\n```sql\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))

Ask = Callable[[str], list[Any]]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program(tmp_path_factory.mktemp("sql"))
    program.run("play", "--auto", "--rules", "no-limit", "--players", "4", "--rounds", "60", "--seed", "sql")
    program.run("play", "--auto", "--rules", "rising-ante", "--players", "2", "--rounds", "5", "--seed", "sql")
    program.run("play", "--auto", "--game", "kalah", "--holes", "2", "--beans", "1", "--seed", "sql")
    said = program.run("export", "--format", "parquet", "-o", program.home / "hands")
    assert re.search(r"tables with rows as follows: \d+ of hands, \d+ of players, \d+ of actions and \d+ of show", said)
    return program


def answers(sql: str) -> list[Any]:
    found = duckdb.sql(sql)
    assert found is not None
    return found.fetchall()


@pytest.fixture
def ask(program: Program, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Ask what a question's first words begin, in the folder of the files."""
    monkeypatch.chdir(program.home / "hands")

    def ask(words: str) -> list[Any]:
        (sql,) = (sql for question, sql in QUESTIONS.items() if question.startswith(words))
        return answers(sql)

    return ask


def stats(program: Program, *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = program.json("stats", *arguments)
    return found


def test_there_are_ten_and_each_has_an_answer(ask: Ask) -> None:
    assert len(QUESTIONS) == 10
    assert [question for question in QUESTIONS if not ask(question)] == []


def test_who_won_how_much(ask: Ask, program: Program) -> None:
    assert sorted(ask("Who won how much")) == sorted(
        (row["player"], row["hands"], row["net"]) for row in stats(program)
    )


def test_big_blinds_in_100_hands(ask: Ask, program: Program) -> None:
    theirs = {row["player"]: row["rates"]["won_per_100"] for row in stats(program)}
    assert dict(ask("How many big blinds")) == pytest.approx(theirs)


def test_voluntarily_by_position(ask: Ask, program: Program) -> None:
    rows = stats(program, "--by", "position")
    theirs = {(row["player"], row["value"]): row["rates"]["vpip"] for row in rows if row["rates"]["vpip"] is not None}
    assert {(player, position): vpip for player, position, vpip in ask("How often does each")} == pytest.approx(theirs)


def test_cards_drawn(ask: Ask, program: Program) -> None:
    drew = [sum(counts) for counts in zip(*(row["drew"] for row in stats(program)), strict=True)]
    assert dict(ask("How many cards")) == {cards: times for cards, times in enumerate(drew) if times}


def test_the_largest_pots_are_in_the_histories(ask: Ask, program: Program) -> None:
    won = {
        (game["game"], entry["round"]): entry["line"]
        for game in program.json("games")
        if game["kind"] == "draw"
        for entry in program.json("history", game["game"])["history"]
    }
    largest = ask("Which were the three largest")
    assert len(largest) == 3
    for game, round_, _pot, winners in largest:
        assert set(winners.split(" and ")) <= set(re.findall(r"Player\d", won[game, round_]))


def test_how_results_went_ends_with_what_was_won(ask: Ask, program: Program) -> None:
    last = {player: won for player, _, _, _, won in ask("How did what each")}
    assert last == {row["player"]: row["net"] for row in stats(program)}


def test_showdowns_by_cards_drawn(ask: Ask, program: Program) -> None:
    showdowns = sum(row["showdowns"] for row in stats(program))
    won = sum(row["won_showdowns"] for row in stats(program))
    found = ask("What do hands win")
    assert sum(count for _, count, _ in found) == showdowns
    assert sum(count * share for _, count, share in found) == pytest.approx(won)


def test_heads_up_results_cancel_out(ask: Ask) -> None:
    net = {(one, other): net for one, other, _, net in ask("Who wins against whom")}
    assert net
    assert all(net[other, one] == -found for (one, other), found in net.items())


def test_bets_that_make_all_fold_are_a_share(ask: Ask) -> None:
    ((share,),) = ask("How often does a bet")
    assert 0 < share < 1


def test_who_draws_little_and_bets_shows_no_more_hands_than_bets(ask: Ask) -> None:
    assert all(0 <= shown <= bets for _, bets, shown in ask("Who bets after drawing"))


def test_the_page_names_every_column() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]* \| (.*) \|$", PAGE, re.MULTILINE))
    assert set(rows) == set(COLUMNS)
    for table, columns in COLUMNS.items():
        named = set(re.findall(r"`(\w+)`", rows[table]))
        drawn = {f"drew_{count}" for count in range(6)}
        assert named | drawn | {"game", "round"} >= set(columns)


def test_hands_of_cards_are_those_that_were_shown(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(program.home / "hands")
    hands = answers("SELECT game, round, hand FROM 'showdowns.parquet' WHERE hand IS NOT NULL")
    assert hands
    public = {game: program.read("events", game) for game in {game for game, _, _ in hands}}
    for game, _, hand in hands:
        assert all(f'"{card}"' in public[game] for card in hand.split())
