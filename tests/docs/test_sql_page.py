"""The queries of docs/sql.md, run by DuckDB on exported files, and checked by other means."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import duckdb
import pytest

from pokersvc.histories.tables import COLUMNS
from tests.cli.program import Program

PATH: Final = Path(__file__).parents[2] / "docs/sql.md"
PAGE: Final = PATH.read_text("utf-8")
QUESTIONS: Final = dict(re.findall(r"^(\S[^\n]*\?)\n\n```sql\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))

PLAY: Final = ("play", "--auto", "--seed", "sql", "--opponents", "steady")

Ask = Callable[[str], list[Any]]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program(tmp_path_factory.mktemp("sql"))
    program.run(*PLAY, "--rules", "no-limit", "--players", "4", "--rounds", "40")
    program.run(*PLAY, "--rules", "rising-ante", "--players", "2", "--rounds", "5")
    program.run("play", "--auto", "--game", "kalah", "--holes", "2", "--beans", "1", "--seed", "sql")
    assert program.ended("import", PATH.parents[1] / "tests/histories/samples").code == 0
    said = program.run("export", "--format", "parquet", "-o", program.home / "hands")
    assert re.search(r"rows as follows: [\d,]+ of hands, [\d,]+ of players, [\d,]+ of actions and [\d,]+ of show", said)
    return program


def answers(sql: str) -> list[Any]:
    found = duckdb.sql(sql)
    assert found is not None
    return found.fetchall()


@pytest.fixture
def ask(program: Program, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Run the query that begins with these words, in the folder of the files."""
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


def who(row: dict[str, Any]) -> tuple[str, str, str]:
    """Return the player and the currency of a line of statistics."""
    return row["player"], row["site"], row["currency"]


def test_there_are_hands_of_several_sites_and_currencies(program: Program) -> None:
    assert {row["currency"] for row in stats(program)} >= {"", "USD", "EUR"}
    assert {row["site"] for row in stats(program) if row["player"] == "Hero"} >= {"PokerStars", "Boss", "Merge"}


def test_who_won_how_much(ask: Ask, program: Program) -> None:
    assert sorted(ask("Who won how much")) == sorted((*who(row), row["hands"], row["net"]) for row in stats(program))


def test_big_blinds_in_100_hands(ask: Ask, program: Program) -> None:
    theirs = {who(row): row["rates"]["won_per_100"] for row in stats(program)}
    assert {tuple(whose): won for *whose, won in ask("How many big blinds")} == pytest.approx(theirs)


def test_voluntarily_by_position(ask: Ask, program: Program) -> None:
    counts: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for row in stats(program, "--by", "position"):
        asked = row["hands"] - row["walks"]
        counts[row["player"], row["site"], row["value"]].update(vpip=row["vpip"], asked=asked)
    theirs = {key: count["vpip"] / count["asked"] for key, count in counts.items() if count["asked"]}
    assert {tuple(whose): vpip for *whose, vpip in ask("How often does each")} == pytest.approx(theirs)


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
    for game, round_, _, winners in largest:
        assert all(winner in won[game, round_] for winner in winners.split(" and "))
    sizes = answers("SELECT pot / big_blind FROM 'hands.parquet'")
    assert [size for _, _, size, _ in largest] == sorted((size for (size,) in sizes), reverse=True)[:3]


def test_how_results_went_ends_with_what_was_won(ask: Ask, program: Program) -> None:
    rows = ask("How did each player")
    last = {tuple(whose): won for *whose, _, _, _, won in rows}
    assert last == {who(row): row["net"] for row in stats(program)}


def test_results_go_from_hand_to_hand_in_the_order_in_which_hands_were_played(ask: Ask, program: Program) -> None:
    played = [row[3] for row in ask("How did each player") if row[:2] == ("Hero", "PokerStars")]
    days = {row["day"] for row in stats(program, "Hero", "--list") if row["site"] == "PokerStars"}
    assert {str(moment.date()) for moment in played} == days, "not when they were imported"
    unsaid = answers("SELECT DISTINCT site FROM 'hands.parquet' WHERE played_at IS NULL")
    assert unsaid == [("PHH",)], "a file need not say when"


def test_showdowns_by_cards_drawn(ask: Ask, program: Program) -> None:
    showdowns = sum(row["showdowns"] for row in stats(program))
    won = sum(row["won_showdowns"] for row in stats(program))
    found = ask("How often does a hand win")
    assert sum(count for _, count, _ in found) == showdowns
    assert sum(count * share for _, count, share in found) == pytest.approx(won)


def test_heads_up_results_cancel_out(ask: Ask) -> None:
    net = {(one, other, *where): net for one, other, *where, _, net in ask("Who wins against whom")}
    raked = {tuple(row) for row in answers("SELECT DISTINCT site, currency FROM 'hands.parquet' WHERE rake > 0")}
    unraked = {key: found for key, found in net.items() if key[2:] not in raked}
    assert unraked
    assert all(net[other, one, *where] == -found for (one, other, *where), found in unraked.items())


def test_bets_that_make_all_fold_are_a_share(ask: Ask) -> None:
    ((share,),) = ask("How often does a bet")
    assert 0 < share < 1


def test_who_draws_little_and_bets_shows_no_more_hands_than_bets(ask: Ask) -> None:
    assert all(0 <= shown <= bets for *_, bets, shown in ask("Who bets after drawing"))


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
