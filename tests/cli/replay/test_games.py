"""The list of games: filters, whose turn it is, and the choice of a game by `resume`."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokersvc
from pokersvc.cli.replay.games import moment
from pokersvc.errors import InvalidValue
from tests.cli.program import TWO_MINIMUM, Program, lines_of

NOTHING = "No game in this database is like that; `pokersvc games` lists all.\n"


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A home with five games, from the oldest: two that are over, one of Kalah between bots, and two of people.

    Ann must bet; Bob and Cy are between two rounds.
    """
    program = Program(tmp_path_factory.mktemp("several"))
    program.run(*TWO_MINIMUM, "--rounds", "1")
    program.run(
        "play", "--auto", "--rules", "no-limit", "--player", "Ann=minimum", "--opponents", "minimum", "--rounds", "1"
    )
    kalah = ("--game", "kalah", "--holes", "2", "--beans", "1", "--player", "K=random", "--player", "L=random")
    program.run("play", "--auto", *kalah)
    program.run("play", "--player", "Ann=human", "--player", "Bot=minimum", typed="quit\n")
    people = ("--player", "Bob=human", "--player", "Cy=human", "--player", "Di=minimum")
    program.run("play", *people, typed=lines_of("fold", "fold", "quit"))
    for number, row in enumerate(program.sql("SELECT game_id FROM game_summaries ORDER BY started_at"), 1):
        program.sql(
            *(
                f"UPDATE {table} SET started_at = '2026-01-0{number}T12:00:00.000000Z' WHERE game_id = '{row[0]}'"
                for table in ("game_summaries", "game_players")
            )
        )
    return program


def days(program: Program, *options: str) -> list[int]:
    """Return the days on which the listed games started."""
    return [int(game["started_at"][8:10]) for game in program.json("games", *options)]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], [5, 4, 3, 2, 1]),
        (["--game", "kalah"], [3]),
        (["--house", "no-limit"], [2]),
        (["--player", "ann"], [4, 2]),
        (["--player", "An"], []),
        (["--finished"], [3, 2, 1]),
        (["--open"], [5, 4]),
        (["--my-turn"], [5, 4]),
        (["--open", "--player", "Ann"], [4]),
        (["--since", "2026-01-03"], [5, 4, 3]),
        (["--since", "2026-01-03T12:00"], [5, 4, 3]),
        (["--since", "2026-01-03T12:01"], [5, 4]),
        (["--since", "2026-01-03T14:00+02:00"], [5, 4, 3]),
        (["--since", "99999d"], [5, 4, 3, 2, 1]),
        (["--game", "kalah", "--player", "Ann"], []),
    ],
    ids=str,
)  # fmt: skip
def test_only_games_that_are_sought_are_listed(several: Program, options: list[str], expected: list[int]) -> None:
    assert days(several, *options) == expected
    lines = several.read("games", *options).splitlines(keepends=True)
    assert [int(line[18:20]) for line in lines] == expected if expected else lines == [NOTHING]


def test_only_the_newest_games_are_listed(several: Program) -> None:
    assert days(several, "--last", "2") == [5, 4]
    assert days(several, "--last", "1", "--player", "Ann") == [4]
    assert len(several.read("games", "--last", "3").splitlines()) == 3
    assert len(several.read("games", "--last", "99").splitlines()) == 5
    assert len(several.read("games").splitlines()) == 5, "in a pipe all are"
    terminal = several.terminal("games", run="tests.cli.odd_runs:two_newest")
    assert terminal.end() == 0
    assert [line[18:20] for line in terminal.seen.splitlines()[:2]] == ["05", "04"]
    assert terminal.seen.splitlines()[2:] == ["", "These are the newest 2; --last N lists more."]


def test_at_a_terminal_the_whole_list_says_of_open_games_whose_turn_it_is(several: Program) -> None:
    terminal = several.terminal("games")
    assert terminal.end() == 0
    between, ann, *over = terminal.seen.splitlines()
    assert ann.removesuffix("\x1b[0m").endswith("your turn")
    assert "your turn: Bob and Cy" in between
    assert len(over) == 3
    assert all("turn" not in line for line in over)
    assert several.read("games").count("unfinished") == 2, "through a pipe it takes no log"


def test_the_list_of_open_games_says_whose_turn_it_is(several: Program) -> None:
    between, ann = several.read("games", "--open").splitlines()
    assert ann.endswith("0 rounds  your turn")
    assert between.endswith("1 round  your turn: Bob and Cy")
    assert [(game["waits_for"], game["my_turn"]) for game in several.json("games", "--open")] == [
        (["Bob", "Cy"], True),
        (["Ann"], True),
    ]
    assert "my_turn" not in several.json("games")[0], "it takes the log of every game, so it is for who asks"


def test_a_game_that_waits_for_a_bot_is_open_and_nobody_s_turn(program: Program) -> None:
    seats = pokersvc.Seat("minimum", "A"), pokersvc.Seat("minimum", "B")
    program.database.parent.mkdir(parents=True)
    with pokersvc.open_database(program.database) as database:
        service = pokersvc.Service(pokersvc.EventLog(database))
        service.start("draw", pokersvc.Setup(seats, pokersvc.EntropySource.from_text("demo")))
        service.step(pokersvc.EventLog(database).find("last"))
    [game] = program.json("games", "--open")
    assert (game["waits_for"], game["my_turn"]) in [(["A"], False), (["B"], False)]
    assert re.search("waits for [AB]$", program.read("games", "--open"), re.MULTILINE)
    assert program.read("games", "--my-turn") == NOTHING


def test_a_game_that_cannot_be_read_is_listed_with_a_warning(played: Program, program: Program) -> None:
    program.ended("play", "--player", "Ann=human", "--player", "Bob=minimum", typed="quit\n")
    program.sql("DROP TRIGGER events_refuse_update", "UPDATE events SET payload = '{}' WHERE seq = 2")
    ended = program.ended("games", "--open")
    assert ended.code == 0
    assert ended.out.endswith("unfinished\n")
    assert ended.err.startswith("Warning: ")


@pytest.mark.parametrize(
    "text", ["", "yesterday", "7", "7w", "2026-13-01", "9999999d", "-1d", "0001-01-01T00:00+05:00"]
)
def test_what_is_no_moment_is_refused(played: Program, text: str) -> None:
    assert f"--since {text!r} is not a time" in played.refused("games", f"--since={text}")


@given(st.integers(0, 10_000))
def test_a_number_of_hours_is_counted_back_from_now(hours: int) -> None:
    before = datetime.now(UTC) - timedelta(hours=hours, seconds=1)
    assert before.isoformat()[:19] <= moment(f"{hours}h") <= datetime.now(UTC).isoformat()[:19]


@given(st.datetimes(timezones=st.sampled_from([UTC, None])))
def test_a_moment_is_read_as_it_is_written_in_utc(when: datetime) -> None:
    assert moment(when.isoformat()) == when.isoformat()[:19]


@pytest.mark.parametrize("other", ["--open", "--my-turn"])
def test_finished_and_open_exclude_each_other(played: Program, other: str) -> None:
    assert "cannot be combined" in played.refused("games", "--finished", other)


def test_resume_alone_takes_the_last_game_that_is_not_over(program: Program) -> None:
    program.ended("play", "--player", "Old=human", "--player", "Bob=minimum", typed="quit\n")
    program.ended("play", "--player", "Ann=human", "--player", "Bob=minimum", typed="quit\n")
    program.run(*TWO_MINIMUM, "--rounds", "1")
    assert re.search(r"it is Ann's turn", program.run("resume", typed="quit\n"))


def test_resume_alone_says_that_no_game_is_unfinished(program: Program) -> None:
    program.run(*TWO_MINIMUM, "--rounds", "1")
    assert program.refused("resume") == "No game is unfinished: `pokersvc play` starts one."


def test_no_moment_is_a_typed_error() -> None:
    with pytest.raises(InvalidValue, match="2026-01-31T12:00"):
        moment("soon")


def test_an_imported_hand_is_listed_with_its_site_its_number_and_when_it_was_played(program: Program) -> None:
    samples = Path(__file__).parents[2] / "histories/samples"
    program.ended("import", samples / "pokerstars.txt")
    doctored = program.home / "wrong.txt"
    doctored.write_text((samples / "pokerstars.txt").read_text("utf-8").replace("Rake $0.90", "Rake $0.80"), "utf-8")
    program.ended("import", "--keep", doctored)
    lines = program.run("games").splitlines()
    assert {line.partition("  ")[2] for line in lines if "15504835000" in line} == {
        "2010-09-21 00:00  draw       1 round  Dora won $10.10; PokerStars 15504835000",
        "2010-09-21 00:00  draw       1 round  Dora won $10.10; PokerStars 15504835000, 1 finding",
    }
    hands = [game["hand"] for game in program.json("games") if game["hand"]["number"] == "15504835000"]
    assert [(hand["site"], hand["table"], hand["played"]) for hand in hands] == [
        ("PokerStars", "Table E II", "2010-09-21T00:00:00Z")
    ] * 2
    assert sorted(hand["findings"] for hand in hands) == [0, 1]
