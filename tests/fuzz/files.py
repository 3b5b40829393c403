"""Generated files of every kind, derived from valid ones, and the function that reads each.

What is changed is hashed and signed anew, mostly: a reader gets as far as with a file of a forger who knows the format.
"""

import base64
import json
import struct
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pokersvc.cli.evidence.verify import _Trusted, _Verified, _verified
from pokersvc.core.bots.custom_players import own_file
from pokersvc.errors import PokersvcError, printable
from pokersvc.eventlog import high_water_mark
from pokersvc.eventlog.merkle import Tree
from pokersvc.eventlog.record import event_hash, secret_digest
from pokersvc.evidence.checkpoint import CheckpointEntry
from pokersvc.evidence.jsonl import lines_in
from pokersvc.evidence.keys import Signer, public_key
from pokersvc.games.draw_poker.house.houses import load_rules
from pokersvc.tournament.hidden import HiddenSeed
from pokersvc.tournament.results import Results, seed_shown_in

from . import histories, samples
from .grammar import RAW, TEXTS, changed, spoilt, text_of, value

Lines = list[dict[str, Any]]


_UNHASHABLE = (ValueError, TypeError, KeyError, AttributeError, OverflowError, struct.error)
"""Errors that may occur when a file that is already damaged is hashed or changed; it is then left as it is."""


class Kind(NamedTuple):
    """A kind of file: how one is made, and how it is read."""

    make: Callable[[Random, Path], bytes]
    read: Callable[[bytes, Path], None]
    weight: int


def made(seed: int, number: int, folder: Path) -> tuple[str, bytes]:
    """Return a file and its kind, always the same for a seed and a number."""
    random = Random(f"{seed}:{number}")
    name = random.choices(list(KINDS), [kind.weight for kind in KINDS.values()])[0]
    return name, KINDS[name].make(random, folder)


def read(name: str, content: bytes, folder: Path) -> None:
    """Read a file as the program does; any error except a typed one with a sentence is raised."""
    try:
        KINDS[name].read(content, folder)
    except PokersvcError as error:
        said = printable(error)
        said.encode()
        assert said.rstrip().endswith((".", '"', "'")), said


# Exports


def _export(random: Random, folder: Path) -> bytes:
    copy = random.choice(samples.copies())
    header, events = dict(copy.header), [dict(event) for event in copy.events]
    for _ in range(random.choice((0, 1, 1, 1, 1, 2, 4))):
        _change_events(random, header, events)
    if random.random() < 0.95:
        _hash_anew(header, events, random)
    return _written(random, [header, *events])


def _change_events(random: Random, header: dict[str, Any], events: Lines) -> None:
    if not events:
        return
    place = random.randrange(len(events))
    opened = [number for number, event in enumerate(events) if "secret" in event]
    if opened and random.random() < 0.4:  # of which there are few, so that chance alone would find them late
        place = random.choice(opened)
    event = events[place]
    match random.randrange(14):
        case 0:
            other = _object(changed(random, header))
            header.clear()
            header.update(other)
        case 1:
            del events[place]
        case 2:
            events.insert(place, dict(random.choice(events)))
        case 3:
            events.insert(place, dict(random.choice(random.choice(samples.copies()).events)))
        case 4:
            events[place:] = events[place:][::-1]
        case 5:
            member = random.choice(list(event))
            event[member] = value(random)
        case 6:
            event.pop(random.choice(list(event)))
        case 7:
            event |= {name: old for name, old in random.choice(events).items() if name in ("type", "version")}
        case 8 if "secret" in event:
            event["secret"] = random.choice(TEXTS)
        case 8 | 9 | 10 if "secret" in event:
            _change_text(random, event, "secret")
        case _:
            _change_text(random, event, "payload")


def _change_text(random: Random, event: dict[str, Any], member: str) -> None:
    with suppress(*_UNHASHABLE, RecursionError):  # it may have been changed before, to what is no JSON
        event[member] = text_of(random, changed(random, json.loads(event[member])))


def _hash_anew(header: dict[str, Any], events: Lines, random: Random) -> None:
    """Recompute the numbers, chain, digests, count and head of a file, as far as possible."""
    head = bytes(32)
    numbered = random.random() < 0.9
    for seq, event in enumerate(events, 1):
        if numbered:
            event["seq"] = seq
        with suppress(*_UNHASHABLE):
            if "secret" in event:
                event["digest"] = secret_digest(bytes.fromhex(event["salt"]), event["secret"]).hex()
            public = {name: event[name] for name in ("n", "type", "version", "recorded_at", "command_id", "payload")}
            digest = bytes.fromhex(event.get("digest", ""))
            head = event_hash(head, seq=event["seq"], game_id=header["game"], digest=digest, **public)
            event["hash"] = head.hex()
    if random.random() < 0.95:
        header |= {"count": len(events), "head": head.hex()}


def _written(random: Random, lines: Lines) -> bytes:
    """Write canonical lines, and then damage the file in some cases."""
    texts = [json.dumps(line, sort_keys=True, separators=(",", ":")) for line in lines]
    if random.random() < 0.03:
        texts[random.randrange(len(texts))] = text_of(random, random.choice(lines))
    return spoilt(random, "".join(f"{text}\n" for text in texts).encode("utf-8", "surrogatepass"))


def verified(content: bytes) -> _Verified:
    """Return the result of `pokersvc verify` for a file."""
    return _verified(lines_in(BytesIO(content), "file"), "file", _Trusted(None, None, None, None, None, None))


def _verify(content: bytes, folder: Path) -> None:
    told = verified(content)
    json.dumps([told.facts, [finding._asdict() for finding in told.findings]], ensure_ascii=False)
    for finding in told.findings:
        str(finding).encode()
    printable(told.words).encode()


# Checkpoints and proofs


def _checkpoint(random: Random, folder: Path) -> bytes:
    header, *games, end = ({**line} for line in samples.checkpoint_file())
    for _ in range(random.choice((0, 1, 1, 2))):
        match random.randrange(5):
            case 0:
                header = _object(changed(random, header))
            case 1:
                end = _object(changed(random, end))
            case 2 if games:
                place = random.randrange(len(games))
                games[place] = _object(changed(random, games[place]))
            case 3 if games:
                games.insert(random.randrange(len(games)), random.choice(games))
            case _:
                games = games[: random.randrange(len(games) + 1)]
    if random.random() < 0.9:
        with suppress(*_UNHASHABLE):
            end |= _sealed(header, games, signed=random.random() < 0.8)
    return _written(random, [header, *games, end])


def _object(found: Any) -> dict[str, Any]:
    return found if isinstance(found, dict) else {"x": found}


def _sealed(header: dict[str, Any], games: Lines, *, signed: bool) -> dict[str, Any]:
    """Return the last line of a checkpoint, by docs/checkpoints.md."""
    tree = Tree()
    for game in games:
        tree.append(CheckpointEntry(game["game"], game["count"], bytes.fromhex(game["head"])).leaf)
    return _end(tree.root(), len(games), header, signed=signed)


def _end(root: bytes, games: int, header: dict[str, Any], *, signed: bool) -> dict[str, Any]:
    previous = bytes.fromhex(header["previous"] or "")
    moment = header["created_at"].encode()
    named = len(moment).to_bytes(8) + moment + len(previous).to_bytes(8) + previous
    statement = b"pokersvc/checkpoint/1\0" + root + games.to_bytes(8) + named
    end: dict[str, Any] = {"games": games, "hash": sha256(statement).hexdigest(), "root": root.hex()}
    if signed:
        signer = Signer(samples.KEY)
        end |= {"key": signer.public.hex(), "signature": signer.sign(statement).hex()}
    return end


def _proof(random: Random, folder: Path) -> bytes:
    header, *games, _ = ({**line} for line in samples.checkpoint_file())
    index = random.randrange(len(games))
    before, whole = Tree(index), Tree(index)
    for game in games:
        for tree in (before, whole):
            tree.append(CheckpointEntry(game["game"], game["count"], bytes.fromhex(game["head"])).leaf)
    line: dict[str, Any] = {
        "checkpoint": {"created_at": header["created_at"], "previous": header["previous"]}
        | _end(whole.root(), len(games), header, signed=True),
        "format": "pokersvc/proof/1",
        "index": index,
        "path": [beside.hex() for beside in whole.path()],
        **games[index],
    }
    for _ in range(random.choice((0, 1, 1, 2))):
        line = _object(changed(random, line))
    with suppress(*_UNHASHABLE):
        if random.random() < 0.8:
            inner = line["checkpoint"]
            line["checkpoint"] = inner | _end(bytes.fromhex(inner["root"]), inner["games"], inner, signed=True)
    return _written(random, [line])


# Keys, rules, results, marks, names


def _key(random: Random, folder: Path) -> bytes:
    first, *body, last = random.choice(samples.keys()).splitlines()
    raw = bytearray(base64.b64decode(b"".join(body)))
    for _ in range(random.choice((0, 1, 1, 3))):
        raw[random.randrange(len(raw))] = random.randrange(256)
    if random.random() < 0.2:
        raw[-32:] = random.choice((bytes(32), b"\xff" * 32, b"\x01" + bytes(31), random.randbytes(32)))
    if random.random() < 0.1:
        raw = raw[: random.randrange(len(raw))]
    return spoilt(random, b"\n".join((first, base64.b64encode(bytes(raw)), last, b"")))


def _read_key(content: bytes, folder: Path) -> None:
    path = folder / "key"
    path.write_bytes(content)
    with suppress(PokersvcError):
        Signer.read(path)
    public_key(path)


def _rules(random: Random, folder: Path) -> bytes:
    lines = list(random.choice(samples.houses()))
    for _ in range(random.choice((1, 1, 2, 5))):
        place = random.randrange(len(lines))
        name, equals, old = lines[place].partition(" = ")
        match random.randrange(5):
            case 0:
                del lines[place : place + 1]
                lines = lines or ["x = 1"]
            case 1:
                lines.insert(place, random.choice(lines))
            case 2 if equals:
                lines[place] = f"{name}.{random.choice(('a', name, 'a.b'))} = {old}"
            case _:
                lines[place] = f"{name or 'x'} = {_toml(random)}"
    return spoilt(random, ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass"))


def _toml(random: Random) -> str:
    return random.choice(
        (
            json.dumps(value(random)),
            *RAW,
            "nan",
            "-inf",
            "0xffff",
            "1979-05-27",
            "07:32:00",
            '"""a"""',
            "{a = 1}",
            "[[1]]",
        )
    )


def _read_rules(content: bytes, folder: Path) -> None:
    path = folder / "my.toml"
    path.write_bytes(content)
    load_rules(str(path))


def _results(random: Random, folder: Path) -> bytes:
    lines: list[Any] = [dict(line) for line in samples.results(folder)]
    for _ in range(random.choice((0, 1, 1, 2))):
        place = random.randrange(len(lines))
        lines[place] = changed(random, lines[place])
    texts = [text_of(random, line) if number else json.dumps(line) for number, line in enumerate(lines)]
    return spoilt(random, "".join(f"{text}\n" for text in texts).encode("utf-8", "surrogatepass"))


def _read_results(content: bytes, folder: Path) -> None:
    path = folder / "fuzzed-results"
    path.write_bytes(content)
    with Results(path, samples.tournament()) as results:
        assert all(type(one.number) is int for one in results.played.values())
        list(results.missing)
    seed_shown_in(path)


def _seed(random: Random, folder: Path) -> bytes:
    return spoilt(random, random.choice((random.randbytes(32).hex(), *TEXTS)).encode("utf-8", "surrogatepass") + b"\n")


def _read_seed(content: bytes, folder: Path) -> None:
    results = folder / "begun"
    results.write_bytes(b"{}\n")
    path = Path(f"{results}.seed")
    path.write_bytes(content)
    path.chmod(0o600)
    assert HiddenSeed(results).text


def _mark(random: Random, folder: Path) -> bytes:
    lines = []
    for _ in range(random.randrange(4)):
        said = high_water_mark._line(
            high_water_mark.Mark(random.randrange(-(2**31), 2**31), random.randrange(2**63), random.randbytes(32))
        )
        lines.append(said)
    return spoilt(random, b"".join(lines))


def _read_mark(content: bytes, folder: Path) -> None:
    path = folder / "games.sqlite"
    high_water_mark.path_of(path).write_bytes(content)
    for found in high_water_mark.read(path):
        assert len(found.hash) == 32
    high_water_mark.says_nothing(path)


def _name(random: Random, folder: Path) -> bytes:
    name = random.choice(list(samples.names()))
    place = random.randrange(len(name) + 1)
    return (name[:place] + random.choice(TEXTS) + name[place:]).encode("utf-8", "surrogatepass")


def _read_name(content: bytes, folder: Path) -> None:
    from pokersvc.players.programs import content_of

    kind = content.decode("utf-8", "surrogatepass")
    if own_file(kind) is not None:
        content_of(kind, folder)


KINDS = {
    "export": Kind(_export, _verify, 55),
    "checkpoint": Kind(_checkpoint, _verify, 12),
    "proof": Kind(_proof, _verify, 8),
    "key": Kind(_key, _read_key, 6),
    "rules": Kind(_rules, _read_rules, 8),
    "results": Kind(_results, _read_results, 6),
    "seed": Kind(_seed, _read_seed, 2),
    "mark": Kind(_mark, _read_mark, 3),
    "name": Kind(_name, _read_name, 2),
    "history": Kind(histories.make, histories.read, 14),
}
