"""Checkpoints: removed, truncated or rewritten games are found, and a forged checkpoint has its own error."""

import json
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseDamaged
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.merkle import Tree
from pokersvc.eventlog.record import ChainBroken
from pokersvc.eventlog.snapshot import AmbiguousGame, UnknownGame
from pokersvc.evidence import checkpoint
from pokersvc.evidence.checkpoint import Checkpoint, CheckpointForged, check_previous, check_root, check_signature
from pokersvc.evidence.jsonl import InvalidFile, line_of, lines_in
from pokersvc.evidence.keys import Signer
from pokersvc.evidence.proof import proof_line, prove, read_proof, read_proof_lines

from .support import EVENT, checkpointed, compared, lines, mutations, record, tampered

SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


@pytest.fixture
def three(log: EventLog) -> EventLog:
    """A log of the games a, b and c with 3, 4 and 5 events."""
    for game_id, events in (("b", 4), ("c", 5), ("a", 3)):
        record(log, game_id, events)
    return log


@pytest.fixture
def file(three: EventLog, tmp_path: Path) -> Path:
    """The checkpoint of that log, signed."""
    checkpointed(three, tmp_path / "checkpoint", signer=SIGNER)
    return tmp_path / "checkpoint"


def rewrite(log: EventLog, database: Database, path: Path, game_id: str, events: int) -> None:
    """Replace a game by another one with an intact chain, as somebody with write access could."""
    tampered(path, f"DELETE FROM events WHERE game_id = '{game_id}'", f"DELETE FROM games WHERE game_id = '{game_id}'")
    for number in range(events):
        log.append(game_id, [EVENT], expected=number, command_id=f"new{number}", kind="test")
    assert len(list(log.read(game_id))) == events


# What it says.


def test_it_covers_every_game_in_order_of_id(three: EventLog, file: Path) -> None:
    entries = [(game.game_id, game.count, game.head) for game in checkpoint.games_in(file)]
    assert entries == [(game_id, head.count, head.hash) for game_id, head in three.games()]
    assert [game_id for game_id, *_ in entries] == ["a", "b", "c"]


def test_the_root_is_that_of_rfc_9162_over_the_games(file: Path) -> None:
    """The format written down a second time, from docs/checkpoints.md."""

    def u64(number: int) -> bytes:
        return number.to_bytes(8, "big")

    header, *games, end = map(json.loads, lines(file.read_bytes()))
    leaves = [
        sha256(
            b"\0"
            + b"pokersvc/game/1\0"
            + u64(len(game["game"]))
            + game["game"].encode()
            + u64(game["count"])
            + bytes.fromhex(game["head"])
        ).digest()
        for game in games
    ]
    root = sha256(b"\1" + sha256(b"\1" + leaves[0] + leaves[1]).digest() + leaves[2]).digest()
    statement = b"pokersvc/checkpoint/1\0" + root + u64(3) + u64(27) + header["created_at"].encode() + u64(0)
    assert end["root"] == root.hex()
    assert end["hash"] == sha256(statement).hexdigest()
    assert end["signature"] == SIGNER.sign(statement).hex()
    assert checkpoint.read(file).statement == statement


def test_it_names_the_one_before(three: EventLog, file: Path, tmp_path: Path) -> None:
    first = checkpoint.read(file)
    second = checkpointed(three, tmp_path / "second", previous=first.root)
    assert checkpoint.read(tmp_path / "second") == second
    check_previous(second, first)
    with pytest.raises(CheckpointForged, match="names none as the one before it"):
        check_previous(first, second)
    assert second.hash != checkpointed(three, tmp_path / "third").hash, "the root before is hashed too"


def test_a_log_without_games_has_a_checkpoint(log: EventLog, tmp_path: Path) -> None:
    made = checkpointed(log, tmp_path / "file")
    assert (made.games, made.root) == (0, sha256().digest())
    assert checkpoint.read(tmp_path / "file") == made


def test_the_signature_is_checked_by_a_public_key(three: EventLog, file: Path, tmp_path: Path) -> None:
    check_signature(checkpoint.read(file), SIGNER.public)
    with pytest.raises(CheckpointForged, match="is signed by the key"):
        check_signature(checkpoint.read(file), Signer(Ed25519PrivateKey.generate()).public)
    with pytest.raises(CheckpointForged, match="is not signed"):
        check_signature(checkpointed(three, tmp_path / "unsigned"), SIGNER.public)


def test_the_root_may_be_known_from_elsewhere(file: Path) -> None:
    made = checkpoint.read(file)
    check_root(made, made.root)
    with pytest.raises(CheckpointForged, match="has the root"):
        check_root(made, bytes(32))


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("UPDATE games SET count = 4 WHERE game_id = 'a'", ChainBroken),
        ("UPDATE games SET head = zeroblob(32) WHERE game_id = 'a'", ChainBroken),
        ("UPDATE games SET head = 'text', count = 3 WHERE game_id = 'a'", ChainBroken),
        ("DELETE FROM events WHERE game_id = 'a'", ChainBroken),
        ("UPDATE games SET game_id = char(10) WHERE game_id = 'a'", DatabaseDamaged),
        ("UPDATE games SET game_id = x'00ff' WHERE game_id = 'a'", DatabaseDamaged),
    ],
)
def test_a_log_whose_heads_are_not_its_last_events_gets_no_checkpoint(
    three: EventLog, path: Path, tmp_path: Path, statement: str, error: type[PokersvcError]
) -> None:
    tampered(path, statement)
    with pytest.raises(error):
        checkpointed(three, tmp_path / "file")


# What it finds.


def test_a_log_that_only_grew_has_no_findings(three: EventLog, database: Database, file: Path) -> None:
    assert compared(file, database) == []
    three.append("a", [EVENT], expected=3, command_id="more", kind="test")
    record(three, "new")
    assert compared(file, database) == []


def test_a_game_that_is_gone_is_found(three: EventLog, database: Database, path: Path, file: Path) -> None:
    tampered(path, "DELETE FROM events WHERE game_id = 'b'", "DELETE FROM games WHERE game_id = 'b'")
    (found,) = compared(file, database)
    assert (found.game_id, found.seq, found.type, found.check) == ("b", None, None, "checkpoint")
    assert str(found) == (
        "Game b: found no such game where there should be one of 4 events, as in the checkpoint of"
        " 2026-01-31T12:00:00.000000Z (checkpoint)"
    )


def test_a_game_that_only_the_table_of_games_lacks_is_found(database: Database, path: Path, file: Path) -> None:
    tampered(path, "DELETE FROM games WHERE game_id = 'b'")
    (found,) = compared(file, database)
    assert (found.game_id, found.found) == ("b", "no such game in the table of games")


def test_an_end_that_was_cut_off_is_found(three: EventLog, database: Database, path: Path, file: Path) -> None:
    before = next(record for record in three.read("c") if record.seq == 3)
    tampered(
        path,
        "DELETE FROM events WHERE game_id = 'c' AND seq > 3",
        f"UPDATE games SET count = 3, head = x'{before.hash.hex()}' WHERE game_id = 'c'",
    )
    assert len(list(three.read("c"))) == 3, "the chain alone cannot see it"
    (found,) = compared(file, database)
    assert (found.game_id, found.seq, found.found) == ("c", 4, "the end after 3 events")
    assert found.expected == "5 events, as in the checkpoint of 2026-01-31T12:00:00.000000Z"


@pytest.mark.parametrize("events", [4, 6])
def test_a_game_that_was_made_anew_is_found(
    three: EventLog, database: Database, path: Path, file: Path, events: int
) -> None:
    head = three.head("b")
    assert head is not None
    rewrite(three, database, path, "b", events)
    (found,) = compared(file, database)
    assert (found.game_id, found.seq, found.type) == ("b", 4, "Raised")
    assert found.found == f"the hash {next(r for r in three.read('b') if r.seq == 4).hash.hex()}"
    assert found.expected.startswith(f"{head.hash.hex()}, as in the checkpoint of ")
    assert "this event or one before it was rewritten" in found.expected


def test_a_hole_is_found(database: Database, path: Path, file: Path, three: EventLog) -> None:
    three.append("b", [EVENT], expected=4, command_id="more", kind="test")
    tampered(path, "DELETE FROM events WHERE game_id = 'b' AND seq = 4")
    (found,) = compared(file, database)
    assert (found.seq, found.found) == (4, "no event")


def test_all_that_changed_is_found_and_only_what_was_asked_for(
    three: EventLog, database: Database, path: Path, file: Path
) -> None:
    tampered(path, "DELETE FROM events", "DELETE FROM games WHERE game_id = 'a'")
    assert [found.game_id for found in compared(file, database)] == ["a", "b", "c"]
    assert [found.game_id for found in compared(file, database, only={"b"})] == ["b"]


# A forged one.


def changed(file: Path, at: int, **members: Any) -> Path:
    """Change members of a line of a checkpoint."""
    content = lines(file.read_bytes())
    content[at] = line_of({**json.loads(content[at]), **members})
    file.write_bytes(b"".join(content))
    return file


@pytest.mark.parametrize(
    ("at", "members", "said"),
    [
        (1, {"count": 2}, "says that its root is"),
        (2, {"head": "00" * 32}, "says that its root is"),
        (3, {"game": "d"}, "says that its root is"),
        (0, {"created_at": "2026-01-31T12:00:00.000001Z"}, "gives the hash"),
        (0, {"previous": "00" * 32}, "gives the hash"),
        (4, {"root": "00" * 32}, "gives the hash"),
        (4, {"games": 2}, "gives the hash"),
        (4, {"hash": "00" * 32}, "gives the hash"),
        (4, {"signature": "00" * 64}, "has a signature that was not made by the key"),
        (4, {"key": "11" * 32}, "has a signature that was not made by the key"),
    ],
)
def test_a_forged_checkpoint_is_an_error_by_its_own_name(
    file: Path, database: Database, at: int, members: dict[str, Any], said: str
) -> None:
    changed(file, at, **members)
    with pytest.raises(CheckpointForged, match=said) as caught:
        checkpoint.read(file)
    assert caught.value.code == "checkpoint_forged"
    with pytest.raises(CheckpointForged):
        compared(file, database)


def test_who_forges_the_root_as_well_needs_the_key(file: Path) -> None:
    games = [checkpoint.CheckpointEntry("a", 2, bytes(32))]
    signed = checkpoint.read(file)
    tree = Tree()
    tree.append(games[0].leaf)
    forged = Checkpoint(signed.created_at, 1, None, tree.root(), signed.signed)
    content = lines(file.read_bytes())
    game = line_of({"count": 2, "game": "a", "head": "00" * 32})
    file.write_bytes(content[0] + game + line_of(checkpoint.sealed(forged)))
    with pytest.raises(CheckpointForged, match="signature"):
        checkpoint.read(file)
    unsigned = Checkpoint(signed.created_at, 1, None, tree.root())
    file.write_bytes(content[0] + game + line_of(checkpoint.sealed(unsigned)))
    with pytest.raises(CheckpointForged, match="is not signed"):
        check_signature(checkpoint.read(file), SIGNER.public)


def test_what_is_no_checkpoint_is_refused(file: Path) -> None:
    whole = lines(file.read_bytes())
    for content, said in (
        (b"", "is empty"),
        (b"{}\n", "has no 'format'"),
        (b"".join(whole[:-1]), "is truncated"),
        (b"".join(whole) + whole[-1], "comes after the end"),
        (whole[0] + whole[2] + whole[1] + b"".join(whole[3:]), "IDs must ascend"),
        (whole[0] + whole[1] + b"".join(whole[1:]), "IDs must ascend"),
        (b"\0" * 5000, "not canonical|truncated"),
    ):
        file.write_bytes(content)
        with pytest.raises(InvalidFile, match=said):
            checkpoint.read(file)


@pytest.mark.no_cover
def test_no_byte_of_a_checkpoint_or_a_proof_can_be_changed(file: Path) -> None:
    checkpoint_, proof = file.read_bytes(), proof_line(prove(file, "b"))
    for content in mutations(checkpoint_):
        with pytest.raises((CheckpointForged, InvalidFile)):
            checkpoint.read_lines(lines_in(BytesIO(content), "file"), "file")
    for content in mutations(proof):
        with pytest.raises((CheckpointForged, InvalidFile)):
            read_proof_lines(lines_in(BytesIO(content), "file"), "file")


# Proofs.


@pytest.mark.parametrize("game_id", ["a", "b", "c"])
def test_a_proof_shows_one_game_without_the_others(file: Path, tmp_path: Path, game_id: str) -> None:
    made = prove(file, game_id)
    (tmp_path / "proof").write_bytes(proof_line(made))
    assert read_proof(tmp_path / "proof") == made
    assert made.checkpoint == checkpoint.read(file)
    assert made.entry.game_id == game_id
    others = [game for game in checkpoint.games_in(file) if game.game_id != game_id]
    assert not any(other.head.hex().encode() in proof_line(made) for other in others)


def test_the_proof_of_the_only_game_has_an_empty_path(log: EventLog, tmp_path: Path) -> None:
    record(log, "alone")
    checkpointed(log, tmp_path / "file")
    assert prove(tmp_path / "file", "alo").path == ()


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"count": 3}, "its path leads to the root"),
        ({"head": "00" * 32}, "its path leads to the root"),
        ({"game": "a"}, "its path leads to the root"),
        ({"index": 0}, "its path leads to the root"),
        ({"index": 3}, "no leaf 3 in a tree of 3"),
        ({"path": []}, "ends below the root"),
        ({"path": ["00" * 32] * 3}, "continues above the root"),
    ],
)
def test_a_proof_of_something_else_proves_nothing(
    file: Path, tmp_path: Path, members: dict[str, Any], said: str
) -> None:
    proof = tmp_path / "proof"
    proof.write_bytes(proof_line(prove(file, "b")))
    with pytest.raises(CheckpointForged, match=said):
        read_proof(changed(proof, 0, **members))


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"path": ["00" * 32] * 65}, "at most 64 hashes"),
        ({"path": ["00"]}, "at most 64 hashes"),
        ({"path": "00"}, "at most 64 hashes"),
        ({"checkpoint": []}, "an object"),
        ({"checkpoint": {}}, "has no 'created_at'"),
        ({"more": 1}, "does not belong"),
        ({"format": "pokersvc/checkpoint/1"}, "has 'format'"),
    ],
)
def test_what_is_no_proof_is_refused(file: Path, tmp_path: Path, members: dict[str, Any], said: str) -> None:
    proof = tmp_path / "proof"
    proof.write_bytes(proof_line(prove(file, "b")))
    with pytest.raises(InvalidFile, match=said):
        read_proof(changed(proof, 0, **members))


def test_a_game_is_named_by_its_id_or_its_beginning(log: EventLog, tmp_path: Path) -> None:
    for game_id in ("one", "one-more", "other", "three"):
        record(log, game_id, 1)
    file = tmp_path / "file"
    checkpointed(log, file)
    assert [prove(file, text).entry.game_id for text in ("one", "one-", "ot", "three")] == [
        "one", "one-more", "other", "three",
    ]  # fmt: skip
    with pytest.raises(AmbiguousGame, match="one, one-more, other"):
        prove(file, "o")
    for text in ("x", "", "last"):
        with pytest.raises(UnknownGame):
            prove(file, text)


@pytest.mark.parametrize("key", ["01" + "00" * 31, "00" * 32, "ec" + "ff" * 30 + "7f", "ee" + "ff" * 30 + "7f"])
def test_a_checkpoint_signed_by_a_key_that_binds_nobody_is_forged(file: Path, key: str) -> None:
    """If the key and the point in the signature are the neutral element, a signature fits every message."""
    members = json.loads(file.read_bytes().splitlines()[-1])
    members |= {"key": key, "signature": "01" + "00" * 63}
    file.write_bytes(b"".join(file.read_bytes().splitlines(True)[:-1]) + line_of(members))
    with pytest.raises(CheckpointForged, match=f"is signed by the key {key}, which belongs to no private key"):
        checkpoint.read(file)
