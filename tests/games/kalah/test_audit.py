"""Audits of Kalah: intact games have no findings, and changes are found."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pokersvc.core.actions import Forfeit
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.kalah import KALAH, events
from pokersvc.service import Service
from tests.audit.played import Tampered, in_one_file, tampering
from tests.sending import send

KINDS = (Seat("random", "Ann"), Seat("smart/3", "Bob"))


def write(service: Service) -> None:
    """A database with a finished game, one with empty captures, and one that was forfeited."""
    for name, options in (("whole", {}), ("empty", {"holes": 4, "empty_capture": True}), ("forfeited", {})):
        service.start("kalah", Setup(KINDS, EntropySource.from_text(name), None, options), game_id=name)
        if name == "forfeited":
            send(service, name, Forfeit(1, "timeout"))
        while service.status(name).outcome is None:
            service.play_round(name)


@cache
def written() -> bytes:
    return in_one_file(write)


@pytest.fixture
def tampered() -> Iterator[Tampered]:
    with tampering(written()) as found:
        yield found


def test_finished_games_are_whole(tampered: Tampered) -> None:
    audited = {one.game_id: one.findings for one in tampered.audited()}
    assert audited == {"whole": [], "empty": [], "forfeited": [], None: []}


@pytest.mark.parametrize(
    ("type_", "change", "checks"),
    [
        ("BeansSown", lambda p: p.update(hole=99), {"rules"}),
        ("BeansSown", lambda p: p.update(hole=p["hole"] % 6 + 1), {"rules"}),
        ("BeansSown", lambda p: p.update(beans=p["beans"] + 1), {"rules", "money"}),
        ("BeansSown", lambda p: p.update(seat=3 - p["seat"]), {"rules"}),
        ("BeansSown", lambda p: p.update(last_hole=(p["last_hole"] + 1) % 7), {"rules", "money"}),
        ("BeansSown", lambda p: p.update(last_side=3 - p["last_side"]), {"rules"}),
        ("BeansCaptured", lambda p: p.update(beans=p["beans"] + 1), {"rules", "money"}),
        ("BeansCaptured", lambda p: p.update(hole=99), {"rules"}),
        ("BeansCaptured", lambda p: p.update(seat=3 - p["seat"]), {"rules"}),
        ("BeansSwept", lambda p: p.update(beans=p["beans"] + 1), {"rules", "money"}),
        ("BeansSwept", lambda p: p.update(seat=3 - p["seat"]), {"rules"}),
        ("GameEnded", lambda p: p.update(pots=[24, 24]), {"rules", "money"}),
        ("GameEnded", lambda p: p.update(winners=[1, 2]), {"rules"}),
        ("GameEnded", lambda p: p.update(reason="forfeit"), {"rules"}),
        ("GameStarted", lambda p: p.update(reproducible=False), {"deal"}),
        ("GameStarted", lambda p: p.update(seats=p["seats"][:1]), {"deal"}),
        ("GameStarted", lambda p: p["rules"].update(beans=5), {"rules"}),
    ],
)
def test_what_is_made_to_fit_and_cannot_be_is_found(
    tampered: Tampered, type_: str, change: Callable[[dict[str, Any]], None], checks: set[str]
) -> None:
    records = tampered.records("whole")
    at = max(at for at, record in enumerate(records) if record.type == type_)
    payload = json.loads(records[at].payload)
    change(payload)
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"))
    tampered.rewrite("whole", [*records[:at], records[at]._replace(payload=text), *records[at + 1 :]])
    assert checks <= {finding.check for finding in tampered.audit("whole")}


def test_no_game_with_a_program_that_thinks_for_a_time_is_reproducible() -> None:
    seats = (Seat("smart/0.5s", "Ann"), Seat("bad", "Bob"))
    started = KALAH.start(Setup(seats, EntropySource.from_text("x")))
    assert list(KALAH.contradictions(started)) == []
    found = list(KALAH.contradictions(replace(started, reproducible=True)))
    assert [mismatch.found for mismatch in found] == ["a reproducible game"]


def test_an_empty_capture_is_found_where_the_rule_has_none(tampered: Tampered) -> None:
    records = tampered.records("empty")
    payload = json.loads(records[0].payload)
    payload["rules"]["empty_capture"] = False
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"))
    captured = [json.loads(record.payload)["beans"] for record in records if record.type == "BeansCaptured"]
    assert 1 in captured, "the game has no empty capture; choose another seed"
    tampered.rewrite("empty", [records[0]._replace(payload=text), *records[1:]])
    assert "rules" in {finding.check for finding in tampered.audit("empty")}


def test_the_books_say_where_every_bean_went() -> None:
    started = KALAH.start(Setup(KINDS, EntropySource.from_text("x"), None, {"holes": 2, "beans": 1}))
    books = KALAH.books(started)
    happened = [
        events.BeansSown(1, 1, 2, 1, 1),
        events.BeansSown(1, 1, 0, 2, 2),
        events.BeansSown(1, 2, 1, 2, 2),
        events.BeansSown(2, 2, 2, 2, 1),
        events.BeansSwept(2, 2),
        events.GameEnded((1, 3), "no_beans", (2,)),
    ]
    assert [list(books.post(event)) for event in happened] == [[]] * 6
    page = books.ledger_page()
    assert page is not None
    assert page.columns == ("moves", "sown", "captured", "swept", "pot")
    assert page.rows == (("Ann", (2, 1, 0, 0, 1)), ("Bob", (2, 1, 0, 2, 3)), ("total", (4, 2, 0, 2, 4)))
    assert books.ledger_page() is None
