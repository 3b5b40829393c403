"""Audits of the Poker Market: intact games have no findings, and changes are found."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from pokersvc.core.actions import Forfeit
from pokersvc.core.books import LedgerPage
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.record import Record
from pokersvc.evidence.findings import Finding
from pokersvc.games.poker_market import POKER_MARKET, events
from pokersvc.games.poker_market.actions import Accept
from pokersvc.service import Service
from tests.audit.changes import each_column, rows
from tests.audit.played import Tampered, in_one_file, tampering
from tests.sending import send

from .scenario import Scenario, dealt, propose, setup


def write(service: Service) -> None:
    """A database with two markets in one game, and one in which a choice was forfeited."""
    kinds = (Seat("random", "Ann"), Seat("greedy", "Bob"), Seat("rank", "Cy"))
    for name, markets in (("two", 2), ("forfeited", 1)):
        setup = Setup(kinds, EntropySource.from_text(name), 2, {"markets": markets})
        service.start("market", setup, game_id=name)
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


def changed(tampered: Tampered, type_: str, change: Callable[[dict[str, Any]], None]) -> list[Finding]:
    """Change the last event of a type, recompute the hashes, and audit."""
    records = tampered.records("two")
    at = max(at for at, record in enumerate(records) if record.type == type_)
    payload = json.loads(records[at].payload)
    change(payload)
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"))
    tampered.rewrite("two", [*records[:at], records[at]._replace(payload=text), *records[at + 1 :]])
    return [finding for finding in tampered.audit("two") if finding.check != "read_models"]


def test_finished_markets_are_whole(tampered: Tampered) -> None:
    audited = {one.game_id: one.findings for one in tampered.audited()}
    assert audited == {"two": [], "forfeited": [], None: []}


@pytest.mark.parametrize(
    ("type_", "change", "check"),
    [
        ("HandsDealt", lambda p: p["hands"][0].update(cards=p["hands"][0]["cards"][::-1]), "deal"),
        ("HandsDealt", lambda p: p["hands"].reverse(), "deal"),
        ("SwapProposed", lambda p: p.update(partner=p["seat"]), "rules"),
        ("SwapProposed", lambda p: p.update(partner=9), "rules"),
        ("SwapProposed", lambda p: p.update(gives=p["gets"]), "rules"),
        ("SwapAccepted", lambda p: p.update(seat=p["seat"] % 3 + 1), "rules"),
        ("TurnPassed", lambda p: p.update(seat=p["seat"] % 3 + 1), "rules"),
        ("RoundEnded", lambda p: p.update(round=1), "rules"),
        ("HandsRanked", lambda p: p["hands"][0].update(points=2), "money"),
        ("HandsRanked", lambda p: p["hands"].reverse(), "rules"),
        ("GameEnded", lambda p: p.update(scores=[9, 2, 1]), "money"),
        ("GameStarted", lambda p: p.update(shuffle=2), "deal"),
        ("GameStarted", lambda p: p.update(reproducible=False), "deal"),
        ("GameStarted", lambda p: p.update(seats=p["seats"][:1]), "deal"),
        ("GameStarted", lambda p: p["rules"].update(rounds=1), "rules"),
    ],
)
def test_what_is_made_to_fit_and_cannot_be_is_found(
    tampered: Tampered, type_: str, change: Callable[[dict[str, Any]], None], check: str
) -> None:
    assert check in {finding.check for finding in changed(tampered, type_, change)}


@pytest.mark.parametrize(("players", "said"), [(1, ["1 player"]), (2, []), (10, []), (11, ["11 players"])])
def test_a_start_with_too_few_or_too_many_players_cannot_be(players: int, said: list[str]) -> None:
    started = POKER_MARKET.start(setup(2))
    seats = tuple(Seat("rank", f"Player{number}") for number in range(players))
    found = [one.found for one in POKER_MARKET.contradictions(replace(started, seats=seats))]
    assert found == said


def test_every_row_and_column_that_is_changed_is_found(tampered: Tampered) -> None:
    records: list[Record] = tampered.records("two")
    changes = [*each_column(records), *rows(records)]
    for change in Random(1).sample(changes, 60):
        tampered.restore()
        try:
            change.make(tampered)
        except sqlite3.IntegrityError:
            continue
        found = tampered.audit("two") or tampered.audit()
        assert found or "cut off" in change.kind or "command" in change.kind, change


# The books.


def test_the_books_give_every_card_to_who_holds_it_and_a_page_for_each_market() -> None:
    market = dealt()
    market.swap(1, "7C", 2, "KS")
    market.pass_all()
    books = POKER_MARKET.books(_started(market))
    state, pages = _replayed(market), []
    for event in market.happened:
        state.apply(event)
        assert list(books.post(event)) == []
        assert list(books.compare(state)) == []
        if (page := books.ledger_page()) is not None:
            pages.append(page)
    rows_ = (("Player1", (1, 3, 3)), ("Player2", (1, 1, 1)), ("Player3", (0, 2, 2)), ("total", (2, 6, 6)))
    assert pages == [LedgerPage("Market 1", ("swaps", "points", "in all"), rows_)]


def test_the_books_find_what_does_not_add_up() -> None:
    market = dealt()
    hands = market.last(events.HandsDealt).hands
    books = POKER_MARKET.books(_started(market))
    twice = events.HandsDealt((hands[0], events.DealtHand(hands[0].cards, 2), hands[2]), 1)
    assert [str(found.found) for found in books.post(twice)] == [f"{card} dealt twice" for card in hands[0].cards]
    list(books.post(market.last(events.HandsDealt)))
    assert [found.found for found in books.post(events.SwapAccepted(2))] == ["an accepted swap"]
    market.act(propose(1, "7C", 2, "KS"), Accept(2))
    assert [(one.found, one.expected) for one in books.compare(market.state)] == [("7C with Player2", "with Player1")]
    other = propose(1, "3C", 2, "KD")
    list(books.post(events.SwapProposed(other.gets, other.gives, 2, 1)))
    assert [found.found for found in books.post(events.SwapAccepted(2))] == [
        "3C given away by Player1", "KD given away by Player2"
    ]  # fmt: skip
    market.pass_all()
    ranked = market.last(events.HandsRanked)
    wrong = [found.found for found in books.post(events.HandsRanked(ranked.hands[:2], 1))]
    assert wrong[-1].startswith("points [")
    assert "a hand of Player1 that is ranked" in wrong
    assert [found.found for found in books.post(events.GameEnded((9, 9, 9), (1,)))] == ["final scores [9, 9, 9]"]


def _started(market: Scenario) -> events.GameStarted:
    return POKER_MARKET.start(setup(len(market.state.seats), rounds=market.state.rules.rounds))


def _replayed(market: Scenario) -> Any:
    return POKER_MARKET.new(_started(market))
