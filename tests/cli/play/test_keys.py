"""The keys that work in every game, and the summary of a round, line by line."""

from unittest.mock import patch

import pytest

import pokersvc
from pokersvc.cli.drawing.layout import packed, within
from pokersvc.cli.drawing.screen import Screen
from pokersvc.cli.play.keys import CommonKeys
from pokersvc.core.drawing import Piece, Tone, plain, width
from pokersvc.core.registry import game_kinds
from tests.cli.program import Program, lines_of

PLAY = ("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo")


@pytest.mark.parametrize("game", game_kinds())
def test_the_keys_of_every_game_explain_the_moment_and_show_the_rounds(program: Program, game: str) -> None:
    said = program.run("play", "--game", game, "--seed", "demo", typed=lines_of("?", "help", "h", "l", "q"))
    asked, again, rounds, log, *_ = said.split(" > \n")[1:]
    assert asked == again
    rules, _, keys = asked.partition("\n\n")
    assert len(rules.splitlines()) > 3, "the rules of the moment"
    assert "  the rounds so far\n" in keys
    assert rounds.startswith("No round is over yet.\n")
    assert log.splitlines()[0] in said.partition(" > ")[0], "from the first event"


def test_what_a_round_brought_is_told_line_by_line_and_so_is_what_all_of_them_brought(program: Program) -> None:
    said = program.run(*PLAY, "--rounds", 2, typed=lines_of("bet 50", "", "check", "call", "h", "?", "", "fold"))
    ended, _, rest = said.partition("\nPress Enter for the next round")
    net = ended.rstrip().splitlines()[-1]
    amount = int(net.removeprefix("Net: Ann ").split()[0])
    assert net == f"Net: Ann {amount:+}   Bob {-amount:+}"
    assert abs(amount) == 105, "the ante, a bet before the draw and one after it"
    shown, _, rest = rest.partition("\nPress Enter for the next round")
    assert f"\n  Net: Ann {amount:+}   Bob {-amount:+}" in shown, "h shows it below its round"
    shown, _, rest = rest.partition("\nPress Enter for the next round")
    assert "\nHouse rising-ante: the ante is 5, and 1 more each round.\n" in shown
    assert " high card.\n" in shown, "also when nobody has to choose, ? has the ranking"
    assert "Net: Ann -6   Bob +6\n" in rest, "the second ante is 6"
    assert f"\n\nNet: Ann {amount - 6:+}   Bob {6 - amount:+}\n" in rest, "and the end tells all rounds"
    assert "Net: " not in program.run("play", "--auto", "--rounds", 1), "where nobody looks, nothing is added"


def test_a_name_and_its_amount_are_never_parted() -> None:
    items = [(Piece(f"Player{number} "), Piece("-1,000", Tone.BAD)) for number in range(1, 7)]
    assert plain(packed(items, 60, "Net: ")) == [
        "Net: Player1 -1,000   Player2 -1,000   Player3 -1,000",
        "     Player4 -1,000   Player5 -1,000   Player6 -1,000",
    ]
    assert len(packed(items, None, "Net: ")) == 1, "a pipe has no edge"
    assert packed([], 60, "Net: ") == []
    for columns in range(20, 100):
        assert all(width(line) <= columns for line in packed(items, columns, "Net: "))


def test_a_note_that_is_too_wide_is_broken_between_words() -> None:
    net = Piece("  Ann  "), Piece("+5", Tone.GOOD)
    won = Piece("Round 1 -- ", Tone.STRONG), Piece("Player2 won 1,210")
    assert plain(within([net, won], 20)) == ["  Ann  +5", "Round 1 -- Player2", "won 1,210"]


@pytest.mark.parametrize("kind", game_kinds())
def test_every_game_tells_its_rules_to_who_only_watches_and_how_to_come_back(program: Program, kind: str) -> None:
    program.ended("play", "--game", kind, "--seed", "demo", typed="")
    game = pokersvc.game_of(kind)
    with pokersvc.Database.for_reading(str(program.database)) as database:
        service, (summary,) = pokersvc.Service(pokersvc.EventLog(database)), pokersvc.list_games(database)
        seen = service.status(summary.game_id).count
        session = pokersvc.Session(service, summary.game_id, seats=(), viewer=pokersvc.EVERYONE, seen=seen)
        with patch.object(Screen, "say_privately") as said:
            assert CommonKeys(session, Screen(shared=False), "goes on without you").pressed("?")
        view = session.state.view(pokersvc.EVERYONE)
    lines = said.call_args.args
    rules = game.words.about(view)
    assert len(rules) > 3
    assert lines[: len(rules) + 1] == (*rules, "")
    assert lines[-1] == "q  quit; the game goes on without you, and you can come back"


def test_errors_are_folded_where_the_terminal_ends(program: Program) -> None:
    terminal = program.terminal("join", "nonsense" * 4 + " " + "words " * 12, size=(24, 60))
    assert terminal.end() == 1
    assert max(map(len, terminal.seen.splitlines())) <= 60
    assert len(terminal.seen.splitlines()) > 1
    assert program.refused("join", "words " * 40).count("words") == 40, "a pipe has one line"
