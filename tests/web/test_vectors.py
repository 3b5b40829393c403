"""The test vectors of the verifier, checked in Python; JavaScript checks the same file (``chain.test.js``)."""

import json
from typing import Any

import pytest

from pokersvc.cards import FRESH_DECK, shuffle
from pokersvc.eventlog.record import GENESIS, SharedRecord, Withheld, secret_digest, verify
from pokersvc.evidence.spoken import spoken
from tests.web.vectors import GAMES, VECTORS

GAMES_MADE: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="ascii"))
every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game["name"]) for game in GAMES_MADE])


def _record(game_id: str, told: dict[str, Any]) -> SharedRecord:
    salt = bytes.fromhex(told["salt"]) if "salt" in told else None
    secret = Withheld.fromhex(told["digest"]) if "digest" in told else told.get("secret")
    return SharedRecord(
        game_id,
        told["seq"],
        told["type"],
        told["version"],
        told["recorded_at"],
        told["command_id"],
        told["n"],
        told["payload"],
        secret,
        salt,
        bytes.fromhex(told["hash"]),
    )


def test_there_is_a_vector_of_every_game() -> None:
    assert [game["name"] for game in GAMES_MADE] == [game.name for game in GAMES]


@every_game
def test_the_chain_holds(game: dict[str, Any]) -> None:
    records = list(verify([_record(game["game"], told) for told in game["records"]], game_id=game["game"]))
    assert (records[-1].hash.hex(), spoken(records[-1].hash)) == (game["head"], game["spoken"])


@every_game
def test_what_is_opened_is_what_was_committed_to(game: dict[str, Any]) -> None:
    assert game["opened"]
    for opened in game["opened"]:
        digest = secret_digest(bytes.fromhex(opened["salt"]), opened["secret"])
        assert digest.hex() == game["records"][opened["seq"] - 1]["digest"]


def test_the_seeds_deal_what_the_viewer_saw() -> None:
    game = next(game for game in GAMES_MADE if game["name"] == "market")
    shuffled, dealt = game["records"][1:3]
    seed = next(json.loads(opened["secret"])["seed"] for opened in game["opened"] if opened["seq"] == shuffled["seq"])
    deck = [card.notation for card in shuffle(FRESH_DECK, bytes.fromhex(seed))]
    hands = [hand["cards"] for hand in json.loads(dealt["payload"])["hands"]]
    assert hands == [deck[0:5], deck[5:10], deck[10:15]]


def test_the_short_form_is_the_first_80_bits() -> None:
    assert spoken(GENESIS) == "0000 0000 0000 0000"
    assert spoken(bytes.fromhex("ff" * 10 + "00" * 22)) == "ZZZZ ZZZZ ZZZZ ZZZZ"


def test_the_page_of_the_verifier_shows_a_short_form_of_a_vector() -> None:
    page = (VECTORS.parents[2] / "docs" / "verifier.md").read_text(encoding="utf-8")
    assert f"`{GAMES_MADE[0]['spoken']}`" in page
