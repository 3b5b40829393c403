"""The events of a game as told by replay, history, games and events."""

import re
from itertools import pairwise
from typing import Any

import pytest

from pokersvc.cli.main import main
from tests.cli.program import TWO_MINIMUM, Program, types

SPLIT = ("play", "--auto", "--players", "9", "--rounds", "1", "--seed", "split-25131")
"""Two of nine hands of the first round are equal and win."""


@pytest.fixture(scope="module")
def ids(played: Program) -> tuple[str, str, str]:
    """The ids of the person's unfinished game, of the two rounds, and of the demo."""
    newest, two_rounds, demo = (game["game"] for game in played.json("games"))
    return newest, two_rounds, demo


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program(tmp_path_factory.mktemp("split"))
    program.run(*SPLIT, "--player", "A=minimum", *(f"--player={name}=minimum" for name in "BCDEFGHI"))
    return program


def test_history_is_one_line_a_round(played: Program, ids: tuple[str, str, str]) -> None:
    lines = played.read("history", ids[2]).splitlines()
    assert len(lines) == played.json("games")[2]["rounds"]
    for number, line in enumerate(lines, 1):
        assert re.fullmatch(rf"Round {number} -- Player[12] won \d+", line)


def test_history_with_hands_has_the_form_of_the_founding_document(played: Program, ids: tuple[str, str, str]) -> None:
    assert played.read("history", ids[1], "--hands").splitlines() == [
        "A wins with $1,211",
        "Round 1 -- A won 210",
        "A [QH, 9S, 4D, 3S, KD] won 210",
        "B [3D, 2H, 5D, 7H, JS]",
        "Round 2 -- A won 212",
        "A [AH, 8C, 8S, KC, 8H] won 212",
        "B [JS, JC, AD, 6H, AC]",
    ]


def test_a_hand_that_was_never_shown_is_hidden(program: Program) -> None:
    program.run(
        "play", "--rules", "no-limit", "--player", "Ann=human", "--player", "Bob=minimum", typed="fold\nleave\n"
    )
    assert program.read("history", "last", "--hands").splitlines()[1:] == [
        "Round 1 -- Bob won 2",
        "Ann [hidden]",
        "Bob [hidden] won 2",
    ]


def test_a_split_pot_says_who_shares_and_what_is_carried(split: Program) -> None:
    assert split.run("history", "last") == "Round 1 -- C and I won 472 each, 1 carried\n"
    assert split.json("history", "last")["history"][0]["carried"] == 1


def test_an_unfinished_game_says_so_first(played: Program) -> None:
    assert played.read("history", "last") == "Unfinished after round 1\nRound 1 -- Zoë won 210\n"
    assert played.read("history", "last", "--hands").splitlines()[:2] == [
        "Unfinished after round 1",
        "Round 1 -- Zoë won 210",
    ]


def test_games_are_listed_newest_first_and_fit_80_columns(played: Program, ids: tuple[str, str, str]) -> None:
    lines = played.read("games").splitlines()
    assert [line[:8] for line in lines] == [game[:8] for game in ids]
    assert lines[0].endswith("1 round  unfinished")
    assert lines[1].endswith("2 rounds  A wins with $1,211")
    assert max(map(len, lines)) <= 80


def test_replay_tells_every_event_and_then_the_balances(played: Program, ids: tuple[str, str, str]) -> None:
    lines = played.read("replay", ids[1]).splitlines()
    assert lines[0] == f"Game {ids[1]}"
    assert lines[-3:] == ["A wins with $1,211", "A  $1,211", "B  $789"]
    count = len(played.json("events", ids[1]))
    assert [int(line[:5]) for line in lines[1:-4] if line[:5].strip()] == list(range(1, count + 1))
    assert lines[-4] == ""
    assert sum("Round 1 -- A won 210" in line for line in lines) == 1


def test_replay_to_an_event_stops_there_and_shows_the_table(played: Program, ids: tuple[str, str, str]) -> None:
    lines = played.read("replay", ids[1], "--to", "8").splitlines()
    assert lines[-5:] == [
        "    8  A bets 50, the pot is 60",
        "",
        "Round 1, first betting: pot 60, the bet is 50; it is B's turn",
        "  A  $945  put in 50  [hidden]",
        "  B  $995  [hidden]",
    ]
    assert played.read("replay", ids[1], "--to", "1").splitlines()[-3] == "Before the first round"


def test_every_event_can_be_stopped_at(played: Program, ids: tuple[str, str, str]) -> None:
    texts = [event["text"] for event in played.json("replay", ids[1])]
    for seq in range(2, len(texts), 7):
        told = played.json("replay", ids[1], "--to", str(seq))
        assert [event["text"] for event in told] == texts[:seq]


def test_replay_of_a_round_tells_that_round(played: Program, ids: tuple[str, str, str]) -> None:
    first, second = (played.json("replay", ids[1], "--round", number) for number in "12")
    assert [*first, *second] == played.json("replay", ids[1])
    assert {event["round"] for event in second} == {2}
    assert second[0]["text"] == "Round 2 starts: the ante is 6"
    assert second[-1]["type"] == "GameEnded", "what ends the game is told with its last round"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--to", "99999"], "has no event 99999; its events are 1 to"),
        (["--round", "3"], "has no round 3; its last is 2."),
        (["--round", "2", "--to", "4"], "Up to event 4 there is no round 2;"),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["plain", "json"])
def test_what_is_not_there_is_not_replayed(
    played: Program, ids: tuple[str, str, str], options: list[str], said: str, form: list[str]
) -> None:
    ended = played.ended("replay", ids[1], *options, *form)
    assert (ended.code, ended.out) == (1, "")
    assert said in ended.err


def test_replay_step_waits_for_enter(played: Program, ids: tuple[str, str, str]) -> None:
    lines = played.run("replay", ids[1], "--step", typed="\n\n").splitlines()
    assert [line[:5].strip() for line in lines[1:4]] == ["1", "2", "3"]
    assert lines[4:6] == ["", "Round 1, forced bets: pot 5"]


def test_an_ambiguous_game_is_a_sentence_with_the_candidates(program: Program) -> None:
    for _ in range(17):
        assert main(["--db", str(program.database), *TWO_MINIMUM, "--rounds", "1"]) == 0
    ids = sorted(game["game"] for game in program.json("games"))
    start = next(first[0] for first, second in pairwise(ids) if first[0] == second[0])
    sentence = program.refused("history", start)
    assert re.match(rf"'{start}' could be any of \d+ games \({start}", sentence)
    assert sentence.endswith("): write more of the ID.")


def test_a_game_is_named_by_any_unambiguous_beginning_of_its_id(played: Program, ids: tuple[str, str, str]) -> None:
    told = played.read("history", ids[1])
    for name in (ids[1], ids[1][:8], next(ids[1][:n] for n in range(1, 9) if _unique(ids, ids[1][:n]))):
        assert played.read("history", name) == told
    assert played.read("history", "last") == played.read("history", ids[0])


def _unique(ids: tuple[str, ...], start: str) -> bool:
    return sum(game.startswith(start) for game in ids) == 1


def test_an_unknown_game_is_a_sentence(played: Program) -> None:
    for command in ("history", "replay", "events", "resume"):
        assert played.refused(command, "zzz") == "There is no game 'zzz': `pokersvc games` lists them."


def test_an_empty_name_is_no_game(played: Program, ids: tuple[str, str, str]) -> None:
    assert played.refused("history", "") == "There is no game '': `pokersvc games` lists them."


def test_the_json_of_every_reading_command_is_one_document(played: Program, ids: tuple[str, str, str]) -> None:
    documents: dict[str, Any] = {
        "games": played.json("games"),
        "history": played.json("history", "last"),
        "replay": played.json("replay", "last"),
        "events": played.json("events", "last"),
        "db current": played.json("db", "current"),
    }
    assert documents["games"][0] == {name: value for name, value in documents["history"].items() if name != "history"}
    assert documents["games"][1]["seats"] == [
        {"seat": 1, "name": "A", "kind": "minimum", "score": 1211, "rank": 1},
        {"seat": 2, "name": "B", "kind": "minimum", "score": 789, "rank": 2},
    ]
    assert documents["history"]["history"][0]["line"] == "Round 1 -- Zoë won 210"
    assert [event["seq"] for event in documents["events"]] == list(range(1, len(documents["events"]) + 1))
    assert [event["type"] for event in documents["replay"]] == types(documents["events"])
    assert documents["db current"]["schema"] == documents["db current"]["newest"]


def test_an_empty_list_of_games_is_a_document_too(program: Program) -> None:
    program.run("db", "upgrade")
    assert program.json("games") == []
    assert program.read("games") == ""
    assert program.refused("history", "last") == "There is no game yet: `pokersvc play` starts one."
