"""The viewer decides what is shown: a seat sees its own cards, an auditor all of a finished game."""

import json
from typing import Any

import pytest

from tests.cli.program import CARD, Program

GAME = "last"


def secrets(told: list[dict[str, Any]]) -> list[tuple[str, int | None]]:
    """Return the type and seat of each event whose secret was opened."""
    return [(event["type"], event["payload"].get("seat")) for event in told if "secret" in event]


def test_everyone_sees_digests_and_no_secret(played: Program) -> None:
    told = played.json("events", GAME)
    assert secrets(told) == []
    assert [event["type"] for event in told if "digest" in event] == [
        "GameStarted", "DeckShuffled", "HandDealt", "HandDealt", "CardsDiscarded", "CardsDiscarded",
        "DeckShuffled", "HandDealt", "HandDealt",
    ]  # fmt: skip
    assert not any("salt" in event for event in told)
    assert told == played.json("events", GAME, "--as", "everyone")
    assert "demo" not in json.dumps(told), "nor does the text of the seed show"


@pytest.mark.parametrize(("seat", "number"), [("1", 1), ("Zoë", 1), ("2", 2), ("Bob", 2)])
def test_a_seat_sees_its_own_secrets_alone(played: Program, seat: str, number: int) -> None:
    assert secrets(played.json("events", GAME, "--as", seat, "--force")) == [
        ("HandDealt", number), ("CardsDiscarded", number), ("HandDealt", number),
    ]  # fmt: skip


def test_an_auditor_sees_every_secret_of_a_finished_game(played: Program) -> None:
    game = played.json("games")[1]["game"]
    told = played.json("events", game, "--as", "auditor")
    assert [event for event in told if "digest" in event] == [event for event in told if "secret" in event]
    assert told[0]["secret"]["entropy"]["text"] == "demo"


@pytest.mark.parametrize(
    "command",
    [[name, GAME, *form] for name in ("events", "replay", "history") for form in ([], ["--json"])] + [["export", GAME]],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("who", "sees"),
    [
        ("auditor", "an auditor sees every hand"),
        ("1", "'1' sees a hidden hand"),
        ("bob", "'bob' sees a hidden hand"),
    ],
)
def test_secrets_of_an_unfinished_game_are_refused_without_force(
    played: Program, command: list[str], who: str, sees: str
) -> None:
    ended = played.ended(*command, "--as", who)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.endswith(f" is not over, and {sees}; wait for its end, or add --force.\n")
    assert played.run(*command, "--as", who, "--force")
    assert played.run(*command, "--as", "everyone") == played.run(*command), "what everyone may know is open"


@pytest.mark.parametrize("command", ["events", "replay", "history", "export"])
@pytest.mark.parametrize("who", ["auditor", "A", "2"])
def test_nobody_is_asked_for_force_once_the_game_is_over(played: Program, command: str, who: str) -> None:
    over = played.json("games")[1]["game"]
    assert played.run(command, over, "--as", who) == played.run(command, over, "--as", who, "--force")


@pytest.mark.parametrize("command", ["events", "replay", "history", "export"])
def test_the_rule_stands_in_the_help_of_every_command_that_it_holds_for(program: Program, command: str) -> None:
    told = " ".join(program.run(command, "--help").split())
    assert "while a game is in progress, a seat and the auditor need --force." in told
    assert "--force Show secrets of a game in progress." in told


def test_force_shows_a_seat_no_more_than_is_its_own(played: Program) -> None:
    over = played.json("games")[1]["game"]
    for seat in (1, 2):
        assert {number for _, number in secrets(played.json("events", over, "--as", str(seat), "--force"))} == {seat}


def test_each_seat_is_told_its_own_cards(played: Program) -> None:
    public = played.read("replay", GAME, "--round", "2")
    zoe = played.read("replay", GAME, "--round", "2", "--as", "Zoë", "--force")
    assert zoe == played.read("replay", GAME, "--round", "2", "--as", "zoë", "--force")
    bob = played.read("replay", GAME, "--round", "2", "--as", "2", "--force")
    assert not CARD.findall(public)
    assert "Zoë is dealt 8S 8H 8C AH KC\n" in zoe
    assert "  Zoë  $1,049  [8S, 8H, 8C, AH, KC] three of a kind, eights\n" in zoe
    assert set(CARD.findall(zoe)).isdisjoint(CARD.findall(bob))
    assert "Zoë is dealt 5 cards\n" in bob


def test_the_history_shows_a_seat_the_hands_it_held(played: Program) -> None:
    game = played.json("games")[2]["game"]
    public, mine, all_ = (
        played.read("history", game, "--hands", "--as", who).splitlines() for who in ("everyone", "Player1", "auditor")
    )
    for shown, own, whole in zip(public, mine, all_, strict=True):
        assert "[hidden]" not in whole
        assert own == (whole if shown.startswith("Player1") else shown)


def test_a_name_that_nobody_has_is_a_sentence(played: Program) -> None:
    for who in ("Zo", "3", "0", ""):
        assert played.refused("events", GAME, "--as", who) == (
            f"{who!r} is not a point of view; it must be everyone, auditor, or a seat: 1 (Zoë), 2 (Bob)."
        )


def test_a_number_means_a_seat_even_where_a_player_is_called_so(program: Program) -> None:
    program.run("play", "--auto", "--player", "2=minimum", "--player", "1=minimum", "--rounds", "1")
    assert secrets(program.json("events", GAME, "--as", "1"))[0] == ("HandDealt", 1)
