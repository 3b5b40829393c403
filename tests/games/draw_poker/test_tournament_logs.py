"""Logs of tournaments: audits and the page find what is doctored in entries, places and prizes."""

import json
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from pokersvc.core.actions import Leave
from pokersvc.core.event import EVERYONE
from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.games.draw_poker.advising.players import RandomPlayer
from pokersvc.games.draw_poker.entries import ReEnter, TakeAddOn
from pokersvc.service import Service
from tests.audit.forged import forged, only, public
from tests.audit.played import in_one_file, tampering
from tests.clock import ticking
from tests.web.node import WEB, node
from tests.web.played import opened, streamed

from .test_tournaments import FAST, setup

SOLD: Final[dict[str, Any]] = {"reentries": 2, "addon": "150/3", "entry_until": 3}


def play(service: Service, game_id: str, *kinds: str, **options: Any) -> None:
    """Play a tournament to its end: people choose at random, and buy what they may."""
    service.start("draw", setup(*kinds, **options), game_id=game_id)
    chance = Random(game_id)
    while (status := service.status(game_id)).outcome is None:
        if status.pausing:
            buying = [seat for seat in service.view(game_id, EVERYONE).seats if seat.may_reenter or seat.may_add_on]
            if buying and chance.randrange(3):
                seat = chance.choice(buying)
                service.act(game_id, ReEnter(seat.seat) if seat.may_reenter else TakeAddOn(seat.seat))
            else:
                service.go_on(game_id)
        elif status.kind_to_act == HUMAN:
            assert status.to_act is not None
            turn = service.turn(game_id, status.to_act)
            service.act(game_id, RandomPlayer().choose(turn.view, turn.legal, chance))
        else:
            service.step(game_id)


def write(service: Service) -> None:
    play(service, "prizes", HUMAN, "random", HUMAN, "random", text="d", **SOLD)
    play(service, "alone", HUMAN, "random", "random", text="d", **SOLD)


@pytest.fixture(scope="module")
def written() -> bytes:
    return in_one_file(write)


def test_they_pass_as_they_were_played(written: bytes) -> None:
    with tampering(written) as found:
        for game_id in ("prizes", "alone"):
            assert found.audit(game_id) == []
            types = [record.type for record in found.records(game_id)]
            assert {"Reentered", "AddOnTaken", "PrizesAwarded"} <= set(types)


@pytest.mark.parametrize("field", ["places", "prices", "prizes"])
def test_another_award_is_found(written: bytes, field: str) -> None:
    with tampering(written) as found:
        (record,) = [one for one in found.records("prizes") if one.type == "PrizesAwarded"]
        first, second, *rest = json.loads(record.payload)[field]
        doctored = [first + 1, second, *rest] if first == second else [second, first, *rest]
        seq = forged(found, "prizes", "PrizesAwarded", public(**{field: doctored}))
        assert seq in [one.seq for one in only(found.audit("prizes"), "rules")]


@pytest.mark.parametrize(
    "change", [{"price": 20}, {"prizes": [100]}, {"reentries": 0}, {"until": 1}, {"addon": None}, {"until": 9}]
)
def test_another_entry_than_that_of_the_events_is_found(written: bytes, change: dict[str, Any]) -> None:
    with tampering(written) as found:
        entry = json.loads(found.records("prizes")[0].payload)["entry"] | change
        forged(found, "prizes", "GameStarted", public(entry=entry))
        assert found.audit("prizes")


@pytest.mark.parametrize("change", [{"prizes": [90]}, {"prizes": [20, 80]}, {"until": 0}, {"until": 4}])
def test_an_entry_that_cannot_be_is_found_in_the_start(written: bytes, change: dict[str, Any]) -> None:
    with tampering(written) as found:
        entry = json.loads(found.records("prizes")[0].payload)["entry"] | change
        forged(found, "prizes", "GameStarted", public(entry=entry))
        assert 1 in [one.seq for one in found.audit("prizes")]


@pytest.mark.parametrize("type_", ["Reentered", "AddOnTaken"])
@pytest.mark.parametrize("field", ["amount", "price", "seat"])
def test_other_chips_another_price_or_another_seat_are_found(written: bytes, type_: str, field: str) -> None:
    with tampering(written) as found:
        (record, *_) = [one for one in found.records("prizes") if one.type == type_]
        value = json.loads(record.payload)[field]
        other = value + 1 if field != "seat" else 2
        seq = forged(found, "prizes", type_, public(**{field: other}))
        assert seq in [one.seq for one in found.audit("prizes")]


@pytest.mark.parametrize("type_", ["Reentered", "AddOnTaken", "PrizesAwarded"])
def test_an_event_that_is_missing_or_comes_twice_is_found(written: bytes, type_: str) -> None:
    with tampering(written) as found:
        records = found.records("prizes")
        at = next(at for at, one in enumerate(records) if one.type == type_)
        for doctored in (records[:at] + records[at + 1 :], records[: at + 1] + records[at:]):
            found.rewrite("prizes", doctored)
            assert found.audit("prizes")


def test_an_entry_after_its_level_is_found(written: bytes) -> None:
    """The same re-entry, put between the last round and the end, when nobody may buy chips any more."""
    with tampering(written) as found:
        records = found.records("prizes")
        bought = next(one for one in records if one.type == "Reentered")
        end = max(at for at, one in enumerate(records) if one.type == "RoundEnded") + 1
        found.rewrite("prizes", [*records[:end], bought, *records[end:]])
        assert end + 1 in [one.seq for one in found.audit("prizes")]


# The page.


def logs(path: Path, *games: tuple[str, tuple[str, ...], dict[str, Any]]) -> dict[str, list[Record]]:
    with Database.for_writing(str(path)) as database:
        log = EventLog(database)
        service = Service(log, clock=ticking())
        for game_id, kinds, options in games:
            play(service, game_id, *kinds, **options)
        with log.snapshot() as snapshot:
            return {game_id: list(snapshot.read(game_id)) for game_id, _, _ in games}


def verified(folder: Path, logs: dict[str, list[Record]]) -> list[str]:
    """Return what the page's verifier says of each log that is not good, and what it checked of all of them."""
    file = folder / "games.jsonl"
    games = (
        {
            "name": game_id, "game": game_id, "seat": 1, "records": streamed(records, "draw", 1),
            "opened": opened(records, "draw"), "head": records[-1].hash.hex(),
        }
        for game_id, records in logs.items()
    )  # fmt: skip
    file.write_text("".join(json.dumps(game) + "\n" for game in games), encoding="ascii")
    return node(WEB / "verify_games.js", file, timeout=120).stdout.splitlines()


@pytest.mark.slow
def test_the_page_verifies_places_prizes_and_entries(tmp_path: Path) -> None:
    people = (HUMAN, "random", HUMAN, "random")
    games: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
        (
            f"{house}-{number}",
            people if number else ("random",) * 4,
            {"rules": house, "text": f"{house}{number}", **sold},
        )
        for house in ("no-limit", "pot-limit", "fixed-limit")
        for number, sold in enumerate(({"prizes": "60,40"}, SOLD, {**SOLD, "prizes": "100"}))
    ]
    games += [("capped", ("random",) * 3, {"rules": "capped-raise", "levels": None, "stack": "20", "prizes": "100"})]
    games += [("levels", people, {"entry": None, "prizes": None, "levels": FAST})]
    *not_good, total = verified(tmp_path, logs(tmp_path / "x.sqlite", *games))
    assert not_good == []
    assert json.loads(total)["games"] == len(games)


@pytest.mark.parametrize(
    ("type_", "fields"),
    [
        ("PrizesAwarded", {"prizes": [40, 0, 0, 0]}), ("PrizesAwarded", {"places": [4, 3, 2, 1]}),
        ("Reentered", {"amount": 1000}), ("Reentered", {"price": 1}), ("AddOnTaken", {"amount": 151}),
        ("AddOnTaken", {"price": 4}), ("AddOnTaken", {"seat": 2}),
    ],
)  # fmt: skip
def test_the_page_finds_what_is_doctored(written: bytes, tmp_path: Path, type_: str, fields: dict[str, Any]) -> None:
    with tampering(written) as found:
        forged(found, "prizes", type_, public(**fields))
        not_good, _ = verified(tmp_path, {"prizes": found.records("prizes")})
        assert json.loads(not_good)["problem"] is not None


def test_who_leaves_with_chips_is_ranked_by_the_page_too(tmp_path: Path) -> None:
    with Database.for_writing(str(tmp_path / "x.sqlite")) as database:
        log = EventLog(database)
        service = Service(log, clock=ticking())
        service.start("draw", setup(HUMAN, HUMAN, HUMAN, "minimum", rounds=3), game_id="left")
        gone = [2, 3]
        while (status := service.status("left")).outcome is None:
            if status.pausing:
                service.act("left", Leave(gone.pop())) if gone else service.go_on("left")
            elif status.kind_to_act == HUMAN:
                assert status.to_act is not None
                turn = service.turn("left", status.to_act)
                service.act("left", RandomPlayer().choose(turn.view, turn.legal, Random(1)))
            else:
                service.step("left")
        with log.snapshot() as snapshot:
            assert len(verified(tmp_path, {"left": list(snapshot.read("left"))})) == 1
