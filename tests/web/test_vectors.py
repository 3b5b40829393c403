"""The test vectors of the verifier, checked in Python; JavaScript checks the same file (``chain.test.js``)."""

import json
from typing import Any

import pytest

from pokersvc.cards import FRESH_DECK, shuffle
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.ed25519 import is_signed
from pokersvc.core.registry import game_of
from pokersvc.core.replay import Replay
from pokersvc.eventlog.record import GENESIS, SharedRecord, Withheld, secret_digest, verify
from pokersvc.evidence.copy_check import CopyCheck
from pokersvc.evidence.findings import Finding
from pokersvc.evidence.spoken_head import spoken
from tests.web.at_table import CASH, NEWCOMERS
from tests.web.shown import SHOWN
from tests.web.shuffled import LIES, SHUFFLED
from tests.web.signed import SIGNATURES
from tests.web.vectors import GAMES, VECTORS

MADE_TODAY: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="ascii"))
GAMES_MADE = [*MADE_TODAY, *json.loads(VECTORS.with_name("earlier_vectors.json").read_text(encoding="ascii"))]
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


def test_starts_of_today_and_from_before_houses_had_straddles_are_read() -> None:
    versions = {game["records"][0]["version"] for game in GAMES_MADE if game["kind"] == "draw"}
    assert {2, 3, 4, 6} <= versions


def test_there_is_a_vector_of_every_game() -> None:
    names = [game.name for game in GAMES]
    assert [game["name"] for game in MADE_TODAY] == [*names, CASH, NEWCOMERS, SHOWN, *(game.name for game in SHUFFLED)]


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


# Tables that shuffle together.


def _checked(game: dict[str, Any], records: list[dict[str, Any]]) -> list[Finding]:
    own = {told["seq"] for told in game["records"] if "secret" in told}
    opened = [told["seq"] for told in records if "secret" in told and told["seq"] not in own]
    check = CopyCheck(game["game"], game["kind"], game["seat"], opened)
    found = [finding for told in records for finding in check.take(_record(game["game"], told), shows="secret" in told)]
    return found + (check.end() if len(records) == len(game["records"]) else [])


def _opened(game: dict[str, Any]) -> list[dict[str, Any]]:
    """The records with the dealer's secrets, which the table opens after the game."""
    opened = {one["seq"]: {"secret": one["secret"], "salt": one["salt"]} for one in game["opened"]}
    shown = [{**told, **opened[told["seq"]]} if told["seq"] in opened else told for told in game["records"]]
    return [{name: value for name, value in told.items() if name != "digest" or "secret" not in told} for told in shown]


@pytest.mark.parametrize("name", [game.name for game in SHUFFLED])
def test_a_game_that_was_shuffled_together_is_checked_from_the_shares_to_the_seeds(name: str) -> None:
    game = next(game for game in GAMES_MADE if game["name"] == name)
    closed = [finding.check for finding in _checked(game, game["records"])]
    assert closed == ["deal", "deal"], "neither the secret nor a seed is opened yet"
    assert _checked(game, _opened(game)) == []
    replay = Replay(game_of(game["kind"]), EVERYONE)
    opened = {one["seq"]: json.loads(one["secret"]) for one in game["opened"]}
    secret = bytes.fromhex(opened[1]["entropy"]["secret"])
    seeds = []
    for told in game["records"]:
        record = _record(game["game"], told)
        dealing = replay.dealing if replay.begun else None
        if record.type == "DeckShuffled":
            assert dealing is not None
            seeds.append((opened[record.seq]["seed"], dealing.seed(secret).hex()))
        event = replay.game.codec.decode(record.type, record.version, record.payload, None)
        replay.take(event, record.recorded_at, record.hash)
    assert len(seeds) == 6
    assert all(opened_seed == made for opened_seed, made in seeds)
    dealing = replay.dealing
    assert dealing is not None
    assert (dealing.missed, dealing.replaced) == ({1: [2, 4], 3: [4]}, {3: 1})
    assert dealing.part == {1: [(1, 1), (5, 6)], 2: [(1, 6)], 3: [(1, 3), (5, 6)]}


LIES_TOLD: list[dict[str, Any]] = json.loads(LIES.read_text(encoding="ascii"))


@pytest.mark.parametrize("lie", [pytest.param(lie, id=f"{lie['of']}: {lie['name']}") for lie in LIES_TOLD])
def test_a_lie_is_caught(lie: dict[str, Any]) -> None:
    game = next(game for game in GAMES_MADE if game["name"] == lie["of"])
    first = lie["records"][0]["seq"]
    found = _checked(game, [*game["records"][: first - 1], *lie["records"]])
    assert (found[0].check, found[0].seq) == (lie["check"], lie["seq"]), found


@pytest.mark.parametrize("told", [pytest.param(one, id=one["name"]) for one in json.loads(SIGNATURES.read_text())])
def test_a_signature_on_which_implementations_differ(told: dict[str, Any]) -> None:
    message, signature, key = (bytes.fromhex(told[name]) for name in ("message", "signature", "key"))
    assert is_signed(message, signature, key) is told["valid"]
