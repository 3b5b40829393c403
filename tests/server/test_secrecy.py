"""No byte that is sent to a viewer holds what the viewer may not know, from the first event of a game to its last."""

import itertools
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from pokersvc.core.event import EVERYONE, Viewer, may_see
from pokersvc.core.registry import game_kinds
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service

from .conftest import running
from .guests import Held, Made, short, simple_action


def everything(door: Held, count: int, *, whole: bool) -> list[str]:
    """Ask for everything there is, ``whole`` games too, and return every answer."""
    said = [door.get(what).text for what in ("snapshot", *(("export", "replay", "advice") if whole else ()))]
    if door.number is None:
        table = door.path.removesuffix("/watch")
        said += [door.guest.get(f"{table}{what}").text for what in ("", *(("/history", "/audit") if whole else ()))]
    else:
        said += [door.send(typed=text).text for text in ("fly", "seat 2", "leave")]
        said += [door.send(head="00" * 32, action={"type": "GoOn"}).text]
    if whole:
        said.append(json.dumps(door.events(count)))
    return said


def play_and_listen(made: Made, said: dict[Viewer, list[str]]) -> None:
    authentication: dict[Viewer, Held] = {1: made.seat(1), 2: made.seat(2), EVERYONE: made.watch}
    for step in itertools.count():
        now = made.watch.snapshot()
        whole = now["outcome"] is not None or step % 3 == 0  # which tells what came before once more
        for viewer, door in authentication.items():
            said[viewer] += everything(door, now["count"], whole=whole)
        if now["outcome"] is not None:
            return
        for seat in now["awaited"]:
            mine = made.seat(seat).snapshot()
            if mine["your_turn"]:
                answer = made.seat(seat).send(head=mine["head"], action=simple_action(mine))
                said[seat].append(answer.text)


def hidden_from(viewer: Viewer, path: Path, game_id: str) -> set[str]:
    """Return every secret and every salt that a viewer may not know, in each way of writing it."""
    found, own = set(), set()
    with Database.for_reading(str(path)) as database:
        for record, event in Service(EventLog(database)).with_secrets.part(game_id, after=0, upto=10**6):
            if record.secret is None or record.salt is None:
                continue
            if may_see(event, viewer):
                own |= {record.secret, json.dumps(record.secret)[1:-1]}
            else:
                found |= {record.secret, json.dumps(record.secret)[1:-1], record.salt.hex()}
                found |= {value for value in json.loads(record.secret).values() if isinstance(value, str)}
    return found - own  # two may hide the same, such as that nothing was thrown away


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.slow] * (kind == "kalah")) for kind in game_kinds()]
)
def test_what_a_viewer_may_not_know_is_in_no_byte(kind: str, tmp_path: Path, caplog: Any, capfd: Any) -> None:
    path = tmp_path / "games.sqlite"
    options, rounds = short(kind)
    caplog.set_level(logging.DEBUG)
    with running(path, pause=0.0) as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"}, kind=kind, options=options, rounds=rounds and 1)
        made.started()
        said: dict[Viewer, list[str]] = {1: [], 2: [], EVERYONE: []}
        play_and_listen(made, said)
        metrics = guest.get("/metrics").text
    others = {viewer: hidden_from(viewer, path, made.game) for viewer in said}
    assert all(others.values())
    for viewer, answers in said.items():
        text = "\n".join(answers)
        assert [secret for secret in others[viewer] if secret in text] == [], viewer
    records = [record for record in caplog.records if not record.name.startswith("http")]  # the client's own
    logged = "\n".join([*(record.getMessage() for record in records), *capfd.readouterr(), metrics])
    named = {*made.tokens.values(), made.host, made.table, *others[EVERYONE]}
    assert [secret for secret in named if secret in logged] == []


def test_the_hand_of_another_is_in_no_view_until_it_is_shown(tmp_path: Path) -> None:
    """A card is in one place at a time, so those of another seat are in no view at all."""
    with running(tmp_path / "games.sqlite") as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"}).started()
        hands = {seat: made.seat(seat).snapshot()["view"]["seats"][seat - 1]["cards"] for seat in (1, 2)}
        assert not set(hands[1]) & set(hands[2])
        for seat, other in ((1, 2), (2, 1)):
            view = json.dumps(made.seat(seat).snapshot())
            assert all(f'"{card}"' in view for card in hands[seat])
            assert not any(f'"{card}"' in view for card in hands[other])
        watched = json.dumps(made.watch.snapshot())
        assert not any(f'"{card}"' in watched for card in [*hands[1], *hands[2]])
