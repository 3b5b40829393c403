"""The Poker Market at the command line."""

import json
from typing import Any

import pytest

from tests.cli.program import Program, lines_of

MARKET = ("play", "--game", "market")


@pytest.fixture
def played(program: Program) -> Program:
    players = [f"--player={name}={kind}" for name, kind in (("Ann", "rank"), ("Bob", "greedy"), ("Cy", "random"))]
    program.run(*MARKET, "--auto", "--players", 3, *players, "--rounds", 3, "--markets", 2, "--seed", "market")
    return program


def test_programs_play_it_by_themselves(program: Program) -> None:
    said = program.run(*MARKET, "--auto", "--player", "A=rank", "--player", "B=greedy", "--seed", "x")
    assert "Round 5 -- " in said
    assert "Ranking -- " in said
    assert " wins with " in said


def test_without_more_it_seats_four_and_the_strongest_programs(program: Program) -> None:
    program.run(*MARKET, "--rounds", 1, "--seed", "x", typed=lines_of("pass", *["decline"] * 9))
    (game,) = json.loads(program.run("games", "--json"))
    assert [(seat["name"], seat["kind"]) for seat in game["seats"]] == [
        ("Player1", "human"), ("Player2", "rollout"), ("Player3", "rollout"), ("Player4", "rollout")
    ]  # fmt: skip
    assert game["title"] == "Poker Market, 1 round"


@pytest.mark.parametrize(
    ("named", "kinds"),
    [
        (["--player=Ann=human"], ["human", "rollout", "rollout", "rollout"]),
        (["--player=Ann=human", "--player=Bob=rank"], ["human", "rank"]),
        (["--player=Ann=human", "--player=Bob=rank", "--players=3"], ["human", "rank", "rollout"]),
        (["--player=Ann=human", "--players=2"], ["human", "rollout"]),
    ],
)
def test_one_who_is_named_is_joined_by_programs_and_several_are_all(
    program: Program, named: list[str], kinds: list[str]
) -> None:
    program.run(*MARKET, *named, "--seed", "x", typed="quit\n")
    assert [seat["kind"] for seat in program.facts()[0]["payload"]["seats"]] == kinds


def test_a_person_sees_all_hands_proposes_answers_and_passes(program: Program) -> None:
    people = ("--players", 3, "--player", "Ann=human", "--player", "Bob=human", "--player", "Cy=human")
    typed = lines_of("nonsense", "help", "1 for 2.1", "accept", "2 for 1.2", "no", "pass")
    said = program.run(*MARKET, *people, "--rounds", 1, "--seed", "demo", typed=typed)
    assert "I don't understand 'nonsense'." in said
    assert "Type pass to propose nothing." in said
    assert said.count("Propose a swap: ") == 5, "once for each answer that was typed on a turn"
    assert said.count("The market, round 1 of 1: Ann's turn") == 1
    assert "Bob accepts: Ann has [" in said
    assert "Ann declines" in said
    assert "Cy passes" in said
    assert "Round 1 -- Ann gave Bob " in said
    (swap,) = program.json("history", "last")["history"][0]["swaps"]
    assert (swap["name"], swap["partner_name"]) == ("Ann", "Bob")


def test_one_blank_line_stands_between_two_rounds(program: Program) -> None:
    people = ("--players", 2, "--player", "Ann=human", "--player", "Bob=human", "--rounds", 2, "--seed", "demo")
    said = program.run(*MARKET, *people, typed=lines_of(*["pass"] * 4))
    assert "Round 1 -- no swap\n\nThe market, round 2 of 2: Ann's turn\n" in said
    assert "\n\n\n" not in said


def test_a_game_is_resumed_in_the_middle_of_a_proposal(program: Program) -> None:
    people = ("--players", 2, "--player", "Ann=human", "--player", "Bob=human", "--rounds", 1, "--seed", "demo")
    program.ended(*MARKET, *people, typed=lines_of("1 for 2.1"))
    said = program.run("resume", "last", typed=lines_of("accept", "pass"))
    assert "Ann gives " in said
    assert "Bob accepts" in said


def test_the_history_tells_swaps_and_rankings(played: Program) -> None:
    lines = played.read("history", "last").splitlines()
    assert sum(line.startswith("Market ") for line in lines) == 2
    assert {line.split(" -- ")[0] for line in lines if line.startswith("Round")} == {f"Round {n}" for n in range(1, 7)}
    document = played.json("history", "last")
    assert [entry["ranking"] is not None for entry in document["history"]] == [False, False, True] * 2
    totals = {hand["name"]: hand["total"] for hand in document["history"][-1]["ranking"]}
    assert totals == {seat["name"]: seat["score"] for seat in document["seats"]}
    assert sum(totals.values()) == 2 * 6
    assert len(played.read("history", "last", "--hands").splitlines()) > len(lines) + 17


def test_it_is_replayed_by_rounds_and_ends_with_the_points(played: Program) -> None:
    said = played.read("replay", "last")
    assert "Market 1 is ranked: " in said
    assert said.splitlines()[-3].startswith("Ann ")
    fourth = played.read("replay", "last", "--round", 4)
    assert "The hands are dealt: Bob [" in fourth, "the order has moved on"
    assert "Market 1 is ranked" not in fourth


def test_its_events_hide_the_seed_alone(played: Program) -> None:
    events = played.json("events", "last")
    assert not any("secret" in event for event in events)
    assert {event["type"] for event in events if "digest" in event} == {"GameStarted", "DeckShuffled"}


def test_the_same_seed_plays_the_same_game(program: Program) -> None:
    for _ in range(2):
        program.run(*MARKET, "--auto", "--players", 3, "--rounds", 1, "--seed", "same", "--player", "A=rollout/100")
    first, second = (game["game"] for game in program.json("games"))
    assert program.facts(first) == program.facts(second)


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        (["--markets", 0], "A game of 0 markets cannot be played; markets are 1 to 1000000.", 1),
        (["--players", 11], "11 players cannot play the Poker Market; it takes 2 to 10.", 1),
        (["--rules", "no-limit"], "The Poker Market has no option 'rules'; its option is 'markets'.", 1),
        (
            ["--player", "A=steady"],
            "A cannot be played by 'steady'; kinds of players are human, beginner, club,",
            1,
        ),
        (["--markets", "two"], "Invalid value for '--markets'", 2),
        (["--holes", 6], "No such option: --holes", 2),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused_before_anything_is_made(
    program: Program, arguments: list[Any], said: str, code: int
) -> None:
    assert program.refused(*MARKET, "--auto", *arguments, code=code).startswith(said)
    assert list(program.home.iterdir()) == []


def test_help_for_the_market_shows_its_option(program: Program) -> None:
    assert "--markets M" in program.run(*MARKET, "--help")
    assert "--markets" not in program.run("play", "--help")
