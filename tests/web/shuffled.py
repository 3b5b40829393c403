"""Games whose seats shuffle together, for ``vectors.json``, and the lies about them that both verifiers must catch."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from pokersvc.core.event import Viewer
from pokersvc.core.randomness.ed25519 import KEY_BYTES
from pokersvc.core.tables.table_events import ComeBack, PauseTable, ReplaceSeat, ResumeTable
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import GENESIS, Record, event_hash, secret_digest
from pokersvc.evidence.spoken_head import spoken
from pokersvc.remote.device import Device
from pokersvc.service import Service
from tests.shuffling import Table, Turned
from tests.web.played import fingerprint, opened, repeatable, streamed

LIES: Final = Path(__file__).with_name("lies.json")
_FEW: Final = 3
"""The length of a chain that has to be renewed soon."""


class Shuffled(NamedTuple):
    """A game: what it is called and what is played, and whose eyes see it."""

    name: str
    kind: str
    viewer: Viewer
    rounds: int
    options: Mapping[str, object] = {}


SHUFFLED: Final = (
    Shuffled("draw-together", "draw", 2, rounds=6),
    Shuffled("market-together", "market", 1, rounds=1, options={"markets": 6}),
)


def whole(game: Shuffled, folder: Path) -> list[Record]:
    """Play a game in which a chain is renewed, a key replaced and shares are missed, and return its log."""
    with repeatable(fingerprint(game.name)), Database.for_writing(str(folder / f"{game.name}.sqlite")) as database:
        log = EventLog(database)
        clock = Turned()
        table = Table(
            Service(log, clock), clock, game.kind, people=3, rounds=game.rounds, options=game.options, named=game.name
        )
        _play(table)
        with log.snapshot() as snapshot:
            return list(snapshot.read(table.game_id))


def made(game: Shuffled, folder: Path) -> dict[str, Any]:
    """Play a game, and return its vector."""
    records = whole(game, folder)
    head = records[-1].hash
    return {
        "name": game.name,
        "kind": game.kind,
        "game": game.name,
        "seat": game.viewer,
        "records": streamed(records, game.kind, game.viewer),
        "opened": opened(records, game.kind),
        "head": head.hex(),
        "spoken": spoken(head),
    }


def _play(table: Table) -> None:
    """Ann misses a share, sits out and comes back; Bob renews a chain that is used up; Cy has a new device."""
    service, game_id = table.service, table.game_id
    table.bind(1, 3)
    bob = table.devices[2] = Device.fresh(table.start, 2, length=_FEW)
    service.table_act(game_id, bob.bind())
    while service.status(game_id).outcome is None:
        round_ = table.dealing.round + 1
        table.clock.turn(1)
        if round_ == 3:
            table.devices.pop(3)
            service.table_act(game_id, ReplaceSeat(3))
            table.bind(3)
        elif round_ == 4:
            table.bind(2)
            service.table_act(game_id, ComeBack(1))
        table.open_round()
        if round_ == 2:
            table.share(2, 3)
            table.miss()
        elif round_ == 4:
            table.share(2)
            table.clock.turn(15)
            service.table_act(game_id, PauseTable())
            table.clock.turn(100)
            service.table_act(game_id, ResumeTable())
            table.clock.turn(5)
            service.miss_shares(game_id, table.clock.now)
            service.table_act(game_id, ComeBack(1))
            service.table_act(game_id, ComeBack(3))
        else:
            table.share()
        table.play_round()


# Lies: what a game says is changed from one event on, with every hash made anew.

Told = dict[str, Any]
"""A vector, of which a lie changes the records."""
Lie = Callable[[list[Told]], int]
"""Changes records, and returns the place of the first that is wrong."""


def rehash(game: Told) -> None:
    """Renumber the records of a game and recompute the hashes; commands stay as they are."""
    previous, command, n = GENESIS, "", 0
    for seq, record in enumerate(game["records"], 1):
        n = n + 1 if record["command_id"] == command else 1
        command = record["command_id"]
        record.update(seq=seq, n=n)
        digest = bytes.fromhex(record.get("digest", ""))
        if "secret" in record:
            digest = secret_digest(bytes.fromhex(record["salt"]), record["secret"])
        told = {name: record[name] for name in ("type", "version", "recorded_at", "command_id", "payload")}
        previous = event_hash(previous, seq=seq, n=n, game_id=game["game"], digest=digest, **told)
        record["hash"] = previous.hex()


def _at(records: list[Told], type_: str, *, nth: int = 0, after: int = 0, **says: object) -> int:
    """Return the place of an event of a type that says this."""
    found = [
        place
        for place, record in enumerate(records)
        if place >= after and record["type"] == type_ and says.items() <= json.loads(record["payload"]).items()
    ]
    return found[nth]


def _say(record: Told, **says: object) -> None:
    payload = json.loads(record["payload"]) | says
    record["payload"] = json.dumps(payload, sort_keys=True, separators=(",", ":"))


def _said(record: Told, name: str) -> Any:
    return json.loads(record["payload"])[name]


def _flip(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


def _insert(records: list[Told], place: int, record: Told, **says: object) -> int:
    """Insert a copy of an event as its own command, with the time of the event before."""
    copy = record | {"command_id": "forged", "recorded_at": records[place - 1]["recorded_at"]}
    _say(copy, **says)
    records.insert(place, copy)
    return place


def _wrong_share(records: list[Told]) -> int:
    place = _at(records, "ShareOpened")
    _say(records[place], share=_flip(_said(records[place], "share")))
    return place


def _wrong_signature(records: list[Told]) -> int:
    place = _at(records, "ShareOpened")
    _say(records[place], signature=_flip(_said(records[place], "signature")))
    return place


def _other_second_half(records: list[Told]) -> int:
    """The same signature with the group's order added to its second half, which is not canonical."""
    order = 2**252 + 27742317777372353535851937790883648493
    place = _at(records, "ShareOpened")
    signature = bytes.fromhex(_said(records[place], "signature"))
    second = int.from_bytes(signature[32:], "little") + order
    _say(records[place], signature=(signature[:32] + second.to_bytes(32, "little")).hex())
    return place


def _wrong_head(records: list[Told]) -> int:
    """The round is opened at another moment, so its head is another than the one that was signed."""
    place = _at(records, "SharesAwaited", round=3)
    command = records[place]["command_id"]
    for record in records:
        if record["command_id"] == command:
            record["recorded_at"] = record["recorded_at"].replace("000000Z", "000001Z")
    return _at(records, "ShareOpened", after=place)


def _other_seat(records: list[Told]) -> int:
    place = _at(records, "ShareOpened", seat=1)
    other = json.loads(records[_at(records, "ShareOpened", seat=2)]["payload"])
    _say(records[place], share=other["share"], signature=other["signature"])
    return place


def _other_round(records: list[Told]) -> int:
    first = _at(records, "ShareOpened", seat=2)
    place = _at(records, "ShareOpened", seat=2, nth=1)
    records[place]["payload"] = records[first]["payload"]
    return place


def _other_game(records: list[Told]) -> int:
    """Replace a binding by one of the same devices that was signed for another game."""
    place = _at(records, "SeatBound")
    device = Device(bytes(32), 1, bytes(32), bytes(KEY_BYTES), 5)
    action = device.bind()
    signed = {"key": action.key, "tip": action.tip, "signature": action.signature}
    _say(records[place], length=5, **{name: value.hex() for name, value in signed.items()})
    return place


def _weak_key(records: list[Told]) -> int:
    place = _at(records, "SeatBound")
    _say(records[place], key="01" + "00" * 31, signature="01" + "00" * 63)
    return place


def _unsigned_renewal(records: list[Told]) -> int:
    place = next(at for at, r in enumerate(records) if r["type"] == "SeatBound" and _said(r, "renewal") is not None)
    _say(records[place], renewal=_said(records[place], "signature"))
    return place


def _bound_in_a_round(records: list[Told]) -> int:
    bound = records[_at(records, "SeatBound")]
    return _insert(records, _at(records, "SharesAwaited") + 1, bound)


def _bound_while_played(records: list[Told]) -> int:
    place = _at(records, "RoundForgone") + 1
    return _insert(records, place, records[_at(records, "SeatBound")])


def _bound_again(records: list[Told]) -> int:
    """A binding comes again, so that links would be asked for that everybody knows."""
    bound = records[_at(records, "SeatBound", seat=1)]
    return _insert(records, _at(records, "SharesAwaited", round=2), bound)


def _old_link_asked(records: list[Told]) -> int:
    """A seat whose link was replaced is asked although no device of the new one is bound."""
    del records[_at(records, "SeatBound", after=_at(records, "SeatReplaced"))]
    return _at(records, "SharesAwaited", round=3)


def _something_between(records: list[Told]) -> int:
    return _insert(records, _at(records, "SharesAwaited") + 1, records[_at(records, "SeatReplaced")])


def _left_between(records: list[Told]) -> int:
    came_back = records[_at(records, "CameBack")]
    return _insert(records, _at(records, "ShareOpened") + 1, came_back)


def _deck_later(records: list[Told]) -> int:
    """Move the deck to a command after that of the last share."""
    shuffled = _at(records, "DeckShuffled")
    share = max(place for place in range(shuffled) if records[place]["type"] == "ShareOpened")
    for record in records[share + 1 :]:
        if record["command_id"] != records[share]["command_id"]:
            break
        record["command_id"] = "forged"
    return share + 1


def _deck_before_shares(records: list[Told]) -> int:
    """Start a round before one of its shares is opened or missed."""
    shuffled = _at(records, "DeckShuffled")
    share = max(place for place in range(shuffled) if records[place]["type"] == "ShareOpened")
    del records[share]
    return share


def _no_shares(records: list[Told]) -> int:
    """Start a round without asking for shares."""
    place = _at(records, "SharesAwaited", round=3)
    shuffled = _at(records, "DeckShuffled", after=place)
    share = max(at for at in range(shuffled) if records[at]["type"] == "ShareOpened")
    del records[place : share + 1]
    return place


def _other_seats(records: list[Told]) -> int:
    place = _at(records, "SharesAwaited", round=1)
    _say(records[place], seats=[1, 2])
    return place


def _round_again(records: list[Told]) -> int:
    place = _at(records, "SharesAwaited", round=2)
    _say(records[place], round=1)
    return place


def _early(records: list[Told]) -> int:
    """A share is called missed a microsecond before its time is over."""
    place = _at(records, "ShareMissed")
    command, at = records[place]["command_id"], records[place]["recorded_at"]
    moment = f"{int(at[17:19]) - 1:02}.999999Z"
    for record in records:
        if record["command_id"] == command:
            record["recorded_at"] = at[:17] + moment
    return place


def _early_in_pause(records: list[Told]) -> int:
    """The table is resumed a second later, so that less time has passed."""
    place = _at(records, "TableResumed")
    at = records[place]["recorded_at"]
    records[place]["recorded_at"] = at[:17] + f"{int(at[17:19]) + 1:02}" + at[19:]
    return _at(records, "ShareMissed", after=place)


def _not_forgone(records: list[Told]) -> int:
    """A seat whose share was missed plays on."""
    place = _at(records, "RoundForgone")
    del records[place]
    return place


def _forgone_with_share(records: list[Told]) -> int:
    place = _at(records, "RoundForgone")
    _say(records[place], seat=2)
    return place


class Caught(NamedTuple):
    """A lie about a game, and the results of the verifiers."""

    name: str
    lie: Lie
    code: str
    """The code of the page's verifier."""
    check: str
    """The check of the audit."""


TOLD: Final = (
    Caught("a share is another one", _wrong_share, "shares", "rules"),
    Caught("a share's signature is another one", _wrong_signature, "shares", "rules"),
    Caught("a signature is not in canonical form", _other_second_half, "shares", "rules"),
    Caught("a share is signed over another history", _wrong_head, "shares", "rules"),
    Caught("a share is another seat's", _other_seat, "shares", "rules"),
    Caught("a share is that of another round", _other_round, "shares", "rules"),
    Caught("a binding is that of another game", _other_game, "shares", "rules"),
    Caught("a key is weak", _weak_key, "shares", "rules"),
    Caught("a renewal is not signed by the key before", _unsigned_renewal, "shares", "rules"),
    Caught("a seat is bound while shares are awaited", _bound_in_a_round, "shares", "rules"),
    Caught("a seat is bound within a round", _bound_while_played, "shares", "rules"),
    Caught("a binding comes a second time", _bound_again, "shares", "rules"),
    Caught("the device of a link that was replaced is asked", _old_link_asked, "shares", "rules"),
    Caught("a link is replaced while shares are awaited", _something_between, "shares", "rules"),
    Caught("somebody comes back while shares are awaited", _left_between, "shares", "rules"),
    Caught("the deck comes in a later command than the last share", _deck_later, "shares", "rules"),
    Caught("a deck comes although a share is awaited", _deck_before_shares, "shares", "rules"),
    Caught("a round begins without shares", _no_shares, "shares", "rules"),
    Caught("a seat is not asked for its share", _other_seats, "shares", "rules"),
    Caught("a round's number comes again", _round_again, "shares", "rules"),
    Caught("a share is called missed too early", _early, "clock", "clock"),
    Caught("time in a pause counts", _early_in_pause, "clock", "clock"),
    Caught("whose share was missed is not out of the round", _not_forgone, "shares", "rules"),
    Caught("somebody whose share came is out of the round", _forgone_with_share, "shares", "rules"),
)


def lies(game: Told) -> list[Told]:
    """Return every lie about a game: from which event on it is another, and how it goes on up to the wrong one."""
    found = []
    for told in TOLD:
        forged = {"game": game["game"], "records": [dict(record) for record in game["records"]]}
        place = told.lie(forged["records"])
        rehash(forged)
        first = next(at for at, record in enumerate(forged["records"]) if record["hash"] != game["records"][at]["hash"])
        found.append(
            {
                "name": told.name,
                "of": game["name"],
                "code": told.code,
                "check": told.check,
                "seq": place + 1,
                "records": forged["records"][first : place + 1],
            }
        )
    return found
