"""Secrecy of exports: they contain nothing hidden from their reader, and do not depend on it."""

import json
import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, may_see
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
from pokersvc.games.draw_poker import DRAW_POKER, earlier_events, events
from tests.games.draw_poker.played import Plan, plans, play
from tests.games.draw_poker.scenario import RISING_ANTE
from tests.games.draw_poker.test_properties import with_other_hidden_cards

from .support import exported, findings, lines, verification

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
"""A card as payloads and secrets write it."""
FRESH = ("command_id", "digest", "hash", "head", "recorded_at", "salt")


def recorded(game_id: str, started: events.GameStarted, happened: list[Event]) -> tuple[Database, EventLog]:
    """Record a game that was played elsewhere, in memory."""
    database = Database.for_writing(":memory:")
    log = EventLog(database)
    new = [NewEvent(*DRAW_POKER.codec.encode(event)) for event in (started, *happened)]
    log.append(game_id, new, expected=0, command_id="all", kind="draw")
    return database, log


def with_another_deck(event: Event, random: Random) -> Event:
    return replace(event, seed=random.randbytes(32)) if isinstance(event, events.DeckShuffled) else event


def blanked(content: bytes) -> list[dict[str, Any]]:
    """Return the lines with random values blanked."""
    found = [json.loads(line) for line in lines(content)]
    return [{name: "" if name in FRESH else value for name, value in line.items()} for line in found]


def an_export_does_not_depend_on_what_is_hidden(plan: Plan) -> None:
    started, happened = play(plan)
    random = Random(plan.seed)
    viewer = random.choice([EVERYONE, *range(1, len(plan.kinds) + 1)])
    others = [with_another_deck(event, random) for event in with_other_hidden_cards(happened, viewer, random)]
    other_start = replace(started, entropy=EntropySource.from_text("another"))
    copies = []
    for start, events_ in ((started, happened), (other_start, others)):
        database, log = recorded("game", start, events_)
        with database:
            copies.append(exported(log, "game", viewer))
    assert blanked(copies[0]) == blanked(copies[1])


def an_export_holds_nothing_that_is_hidden(plan: Plan) -> None:
    started, happened = play(plan)
    viewer = Random(plan.seed).choice([EVERYONE, *range(1, len(plan.kinds) + 1)])
    database, log = recorded("game", started, happened)
    with database:
        content = exported(log, "game", viewer)
        records = list(log.read("game"))
    told = [json.loads(line) for line in lines(content)[1:]]
    for event, record, line in zip((started, *happened), records, told, strict=True):
        assert ("secret" in line) == (record.secret is not None and may_see(event, viewer))
        if record.secret is not None and not may_see(event, viewer):
            assert record.salt is not None
            assert record.salt.hex().encode() not in content
            for seed in re.findall("[0-9a-f]{64}", record.secret):
                assert seed.encode() not in content
            assert not CARD.search(line["payload"]), "the payload of a hidden hand names no card"
        if isinstance(event, events.HandDealt | earlier_events.HandDealt):
            assert record.secret is not None
            assert len(CARD.findall(record.secret)) == 5, "the search above would find cards"


def every_copy_verifies(plan: Plan) -> None:
    started, happened = play(plan)
    random = Random(plan.seed)
    viewers: list[Viewer] = [EVERYONE, AUDITOR, random.randint(1, len(plan.kinds))]
    database, log = recorded("game", started, happened)
    with database:
        secrets = [record.seq for record in log.read("game") if record.secret is not None]
        for viewer in viewers:
            for opened in ([], random.sample(secrets, min(3, len(secrets)))):
                content = exported(log, "game", viewer, opened=opened)
                assert findings(content) == []
                verified = verification(content)
                assert list(verified.findings()) == []
                assert verified.over


PROPERTIES = [
    an_export_does_not_depend_on_what_is_hidden,
    an_export_holds_nothing_that_is_hidden,
    every_copy_verifies,
]
SOME = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda p: p.__name__)
def test_property(holds: Any) -> None:
    SOME(given(plans())(holds))()


@pytest.mark.slow
@pytest.mark.parametrize("games", [50, pytest.param(150, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda p: p.__name__)
def test_property_in_many_games(holds: Any, games: int) -> None:
    settings(SOME, max_examples=games)(given(plans(most_rounds=6))(holds))()


def test_a_copy_that_knows_one_of_a_seat_s_two_draws_verifies() -> None:
    """Six people discard four cards each: the deck runs out within a draw, and copies with some secrets are made."""
    every_copy_verifies(Plan(("human",) * 6 + ("house",), 3, RISING_ANTE, 0, 1000))


def test_the_exchange_of_hidden_cards_is_seen_by_who_may_see_them() -> None:
    """The property above can fail: it would not hold if events were exchanged."""
    started, happened = play(Plan(("steady",) * 3, 3, RISING_ANTE, 1, 1000))
    others = with_other_hidden_cards(happened, 1, Random(1))
    copies = []
    for events_ in (happened, others):
        database, log = recorded("game", started, events_)
        with database:
            copies.append([blanked(exported(log, "game", viewer)) for viewer in (1, 2)])
    assert copies[0][0] == copies[1][0]
    assert copies[0][1] != copies[1][1]
