"""Kalah at the command line: playing, replaying, solving, analysing, statistics."""

import json
import re
import signal
from io import StringIO
from typing import Any

import pytest

from pokersvc.cli.kalah import _Display, _say_interrupted
from pokersvc.games.kalah.engine import Variant, compiled, fast
from pokersvc.games.kalah.perfect_play import endgames
from pokersvc.games.kalah.solver import Progress
from tests.cli.program import Program, lines_of

KALAH = ("play", "--game", "kalah")
PROGRAMS = ("--player", "S=smart/3", "--player", "B=bad")


@pytest.fixture
def played(program: Program) -> Program:
    program.run(*KALAH, "--auto", *PROGRAMS, "--seed", "kalah")
    return program


def test_a_person_plays_by_hole_numbers_against_smart(program: Program) -> None:
    said = program.run(*KALAH, "--think", "0.01", "--seed", "x", typed=lines_of("nonsense", "7", "3", "3", "1", "quit"))
    assert "      North: Player2\nhole  1  2  3  4  5  6\n      4  4  4  4  4  4\n   0                     0\n" in said
    assert "Player1 (South) sows 4 beans from hole 3; the last falls into the pot: another turn." in said
    assert "I don't understand 'nonsense'. Type the number of a hole: 1, 2, 3, 4, 5 or 6." in said
    assert "There is no hole 7: each side has 6 holes." in said
    assert "Your hole 3 is empty (the 4 there are North's), and a move takes all beans of a hole." in said
    assert "Player2 (North) sows" in said
    (game,) = json.loads(program.run("games", "--json"))
    assert [seat["kind"] for seat in game["seats"]] == ["human", "smart/0.01s"]


def test_two_people_share_a_screen_as_they_share_a_board(program: Program) -> None:
    terminal = program.terminal(*KALAH, "--player", "Ann=human", "--player", "Bob=human", "--holes", "1")
    assert "North: Bob" in terminal.question()
    terminal.type("quit")
    assert terminal.end() == 0
    assert "only you can see" not in terminal.seen


def test_a_game_of_any_size_and_by_the_other_rule(program: Program) -> None:
    said = program.run(*KALAH, "--auto", "--player", "A=bad", "--player", "B=random", "--holes", "3", "--beans", "2",
                       "--empty-capture", "--seed", "x")  # fmt: skip
    assert re.search(r"\) wins [0-9]+ to [0-9]+|Tie, ", said)
    (game,) = program.json("games")
    assert game["title"] == "Kalah(3, 2) with empty capture"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--holes", "0"], "A board cannot have 0 holes per side; holes are 1 to 32."),
        (["--beans", "65"], "A board cannot start with 65 beans per hole; beans are 0 to 64."),
        (["--think", "soon"], "A bot cannot think for 'soon' seconds;"),
        (["--player", "A=smart/0"], "A cannot be played by 'smart/0'; kinds of players are human, bad, level-01, "),
        (["--players", "3"], "3 players cannot play Kalah; it takes 2, South and North."),
        (["--rounds", "3"], "Kalah has no rounds, so it cannot end after 3; leave out the rounds."),
        (["--rules", "no-limit"], "Kalah has no option 'rules';"),
    ],
)
def test_what_cannot_be_played_is_refused(program: Program, arguments: list[str], said: str) -> None:
    assert program.refused(*KALAH, "--auto", *arguments).startswith(said)


def test_a_game_with_a_time_to_think_says_that_its_seed_does_not_play_it_again(program: Program) -> None:
    program.run(*KALAH, "--auto", "--player", "A=smart", "--player", "B=bad", "--think", "0.001", "--seed", "demo")
    assert program.facts(program.json("games")[0]["game"])[0]["payload"]["reproducible"] is False
    assert "passed" in program.read("audit", "last")


def test_the_same_seed_plays_the_same_game(program: Program, played: Program) -> None:
    program.run(*KALAH, "--auto", *PROGRAMS, "--seed", "kalah")
    games = [game["game"] for game in program.json("games")]
    assert len({json.dumps([fact["payload"] for fact in program.facts(game)]) for game in games}) == 1


def test_the_history_has_a_line_for_each_move_and_the_replay_a_sentence_for_each_event(played: Program) -> None:
    lines = played.read("history", "last").splitlines()
    moves = [event for event in played.json("events", "last") if event["type"] == "BeansSown"]
    assert [line.split(" -- ")[0] for line in lines] == [f"Move {number}" for number in range(1, len(moves) + 1)]
    ended = next(event for event in played.json("events", "last") if event["type"] == "GameEnded")
    assert lines[-1].endswith("; pots {}-{}".format(*ended["payload"]["pots"]))
    assert sum(ended["payload"]["pots"]) == 48
    replayed = played.read("replay", "last")
    assert "Kalah(6, 4): S plays South and moves first, B plays North." in replayed
    assert "The game is over: " in replayed
    assert "hole  1  2  3  4  5  6" in played.read("replay", "last", "--to", "5")


def test_a_game_is_audited_and_its_beans_accounted_for(played: Program) -> None:
    assert "passed" in played.read("audit", "last")
    assert "captured" in played.read("audit", "last", "--ledger")


TOURNAMENT = ("tournament", "--game", "kalah", "--holes", "3", "--beans", "2", "--player", "B=bad", "--deals", "1",
              "--processes", "1")  # fmt: skip


@pytest.mark.parametrize(("options", "kind"), [([], "smart/8"), (["--think", "0"], "smart/0s")])
def test_in_a_tournament_smart_is_bounded_by_work(program: Program, options: list[str], kind: str) -> None:
    said = program.run(*TOURNAMENT, "--player", "A=smart", "--seed", "1", "--json", *options)
    assert [player["kind"] for player in json.loads(said)["players"]] == ["bad", kind]


@pytest.mark.parametrize("options", [["--player", "A=smart", "--think", "0.005"], ["--player", "A=smart/0.005s"]])
def test_in_a_tournament_nobody_thinks_for_a_time(program: Program, options: list[str]) -> None:
    assert program.refused(*TOURNAMENT, *options) == (
        "'smart/0.005s' has a time limit, but a tournament must go the same on every machine; use smart/DEPTH,"
        " such as smart/8."
    )


def test_a_game_goes_on_after_a_pause(program: Program) -> None:
    people = ("--player", "Ann=human", "--player", "Bob=bad", "--holes", "2", "--beans", "1")
    program.ended(*KALAH, *people, typed=lines_of("1"))
    said = program.run("resume", "last", typed=lines_of("2"))
    assert re.search(r"\) wins [0-9]+ to [0-9]+|Tie, ", said)


# pokersvc kalah.


def test_solving_tells_the_margin_and_every_first_move(program: Program) -> None:
    said = program.run("kalah", "solve", "3", "3").splitlines()
    assert said[0] == "Kalah(3, 3): South wins by 2 with perfect play."
    assert said[1] == "Best first moves are holes 1, 2."
    assert said[3:7] == ["hole  margin for South", "   1      +2", "   2      +2", "   3      -4"]
    assert said[-1].split()[1] == "sowings,"
    assert "The best first move is hole 4.\n" in program.run("kalah", "solve", "4", "2")
    assert program.run("kalah", "solve", "2", "2").startswith("Kalah(2, 2): North wins by 2 with perfect play.\n")
    assert "a tie with perfect play" in program.run("kalah", "solve", "3", "0")
    solved = json.loads(program.run("kalah", "solve", "2", "4", "--empty-capture", "--json"))
    assert (solved["margin"], solved["best"], solved["empty_capture"]) == (-12, [1, 2], True)
    assert solved["moves"] == [{"hole": 1, "margin": -12}, {"hole": 2, "margin": -12}]
    assert solved["nodes"] > 0


@pytest.mark.parametrize("size", [7, 8])
def test_solving_shows_its_progress_on_a_terminal_and_stops_at_once(program: Program, size: int) -> None:
    game = Variant(size, 2 * size * size)
    assert game.compilable == (size == 7)
    terminal = program.terminal("kalah", "solve", str(size), str(size))
    terminal.until(f" sowings: South's margin is {-game.beans} to +{game.beans} (")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 130
    assert "pokersvc: Interrupted after " in terminal.last_line
    assert f"Kalah({size}, {size}) is not solved." in terminal.last_line
    assert ("which may take hours" in terminal.seen) == (not fast(game))


class InterruptedTerminal(StringIO):
    """A terminal that presses Ctrl-C as soon as a given text appears."""

    interrupted = False

    def isatty(self) -> bool:
        return True

    def flush(self) -> None:
        if not self.interrupted:
            self.interrupted = True
            raise KeyboardInterrupt


def test_ctrl_c_as_progress_is_shown_leaves_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    display = _Display()
    monkeypatch.setattr("pokersvc.cli.kalah.SECONDS_BETWEEN", 0)
    monkeypatch.setattr("sys.stderr", terminal := InterruptedTerminal())
    with pytest.raises(KeyboardInterrupt):
        display.show("9,000 sowings")
    display.clear()
    shown = "9,000 sowings (0 s)"
    assert terminal.getvalue() == f"\r{shown}\r{' ' * len(shown)}\r"


@pytest.mark.parametrize(
    ("progress", "said"),
    [
        (None, "Interrupted; Kalah(6, 4) is not solved."),
        (Progress(9000, 2, 10, None, ()), "Interrupted after 9,000 sowings: South's margin is +2 to +10; Kalah(6, 4) is"
         " not solved."),
        (Progress(9000, 8, 8, 3, ()), "Interrupted after 9,000 sowings; Kalah(6, 4): South wins by 8 with perfect play."
         " No first move is known yet."),
        (Progress(9000, 8, 8, 4, ((3, 8), (6, 4))), "Interrupted after 9,000 sowings; Kalah(6, 4): South wins by 8 with"
         " perfect play. Of the first moves, these are known: hole 3 +8, hole 6 +4."),
    ],
)  # fmt: skip
def test_interrupted_solving_says_what_is_known(progress: Progress | None, said: str) -> None:
    assert _say_interrupted("Kalah(6, 4)", progress) == said


def test_a_board_that_cannot_be_is_not_solved(program: Program) -> None:
    assert program.refused("kalah", "solve", "0", "4").startswith("A board cannot have 0 holes per side")
    program.refused("kalah", "solve", "four", "4", code=2)


def test_each_move_of_a_stored_game_is_judged(program: Program) -> None:
    program.run(*KALAH, "--auto", "--player", "A=smart/0s", "--player", "B=bad", "--holes", "3", "--beans", "3")
    judged: list[dict[str, Any]] = json.loads(program.read("kalah", "analyse", "last", "--think", "0", "--json"))
    moves = [event["payload"] for event in program.json("events", "last") if event["type"] == "BeansSown"]
    assert [(move["hole"], move["side"]) for move in judged] == [
        (move["hole"], "South" if move["seat"] == 1 else "North") for move in moves
    ]
    assert {move["cost"] for move in judged if move["name"] == "A"} == {0}
    assert all(move["exact"] and move["depth"] is None for move in judged)
    assert judged[0]["margin"] == judged[0]["best_margin"] == 2
    told = program.read("kalah", "analyse", "last", "--think", "0").splitlines()
    assert len(told) == 1 + len(moves) + 2
    assert max(map(len, told)) <= 80
    assert told[-1].startswith("Moves cost South 0 and North ")
    pots = next(e["payload"]["pots"] for e in program.json("events", "last") if e["type"] == "GameEnded")
    assert pots[0] - pots[1] == 2 + sum(move["cost"] for move in judged if move["side"] == "North")


def test_what_is_not_seen_to_the_end_is_marked(played: Program) -> None:
    _, first, *_, total = played.read("kalah", "analyse", "last", "--think", "0.001").splitlines()
    assert "~" in first
    assert first.endswith(" ahead")
    assert re.fullmatch(r"Moves cost South ~[0-9]+ and North ~[0-9]+\.", total)


def test_a_game_that_is_not_kalah_is_not_judged(program: Program) -> None:
    program.run("play", "--auto", "--rounds", "1")
    assert "is not a game of Kalah" in program.refused("kalah", "analyse", "last")


def test_sowings_are_counted_by_depth(program: Program) -> None:
    assert program.run("kalah", "perft", "--depth", "5").split() == [
        "1", "6", "2", "35", "3", "185", "4", "942", "5", "4,690"
    ]  # fmt: skip
    counted = json.loads(program.run("kalah", "perft", "3", "2", "--depth", "4", "--json"))
    assert [row["sequences"] for row in counted] == [3, 8, 19, 40]
    assert "a depth is 1 to 30" in program.refused("kalah", "perft", "--depth", "31")


@pytest.mark.skipif(compiled() is None, reason="endgames are computed with numba")
def test_endgames_are_built_verified_and_used(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endgames, "MOST_POSITIONS", 2_000)
    said = program.refused("kalah", "verify", "3")
    assert said.startswith("The database of endgames with 3 holes a side is not built; build it with `pokersvc kalah")
    before = program.json("kalah", "solve", "3", "3")
    built = program.run("kalah", "build", "3")
    assert re.fullmatch(r".*/kalah/endgames-3\.bin: 1,716 positions of up to 7 beans, [0-9.]+ s\n", built)
    assert program.run("kalah", "verify", "3").startswith("endgames-3.bin: all 1,716 values are right, ")
    after = program.json("kalah", "solve", "3", "3")
    assert after["moves"] == before["moves"]
    assert after["nodes"] < before["nodes"]
    assert program.refused("kalah", "build", "3").endswith("endgames-3.bin is already built.")
    (file,) = program.home.rglob("endgames-3.bin")
    file.write_bytes(file.read_bytes()[:-1])
    endgames._read.cache_clear()
    for command in ("verify", "solve"):
        assert "is damaged" in program.refused("kalah", command, "3", *["3"] * (command == "solve"))


def test_endgames_of_a_board_without_a_database_are_refused(program: Program) -> None:
    sentence = "There is no database of endgames with 9 holes a side; holes are 2 to 8."
    assert program.refused("kalah", "build", "9").strip() == sentence


def test_each_move_of_a_game_is_reviewed_by_its_exact_cost(program: Program) -> None:
    program.run(*KALAH, "--auto", "--player", "A=smart/8", "--player", "B=bad", "--holes", "3", "--beans", "3")
    said = program.read("review", "last", "--as", "B")
    assert said.startswith("Review of B. The program perfect plays without a mistake, so costs are exact.\n\n")
    told = program.json("review", "last", "--as", "B")
    costs = [choice["cost"] for choice in told["choices"]]
    assert re.findall(r"^move .* ([0-9]+) perfect$", said, re.MULTILINE) == [f"{cost:.0f}" for cost in costs]
    assert said.endswith(f"Together: {sum(costs):.0f} beans in {len(costs)} choices.\n")
