"""Forged shows of cards: each is found, in the log and in copies, as far as each can know."""

import json
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

import pytest

from pokersvc.cards import Card
from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import Action
from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold
from pokersvc.service import Service
from pokersvc.streets.showing import Show
from tests.audit.judging import judged

ALL: Final[tuple[Viewer, ...]] = (AUDITOR, EVERYONE, 1, 2)


class Played(NamedTuple):
    records: tuple[Record, ...]
    gone: Card
    """A card that seat 2 has thrown away."""


def act(service: Service, *actions: Action) -> None:
    for action in actions:
        service.act("game", action)


@cache
def played() -> Played:
    """Round 1: seat 1 folds, seat 2 draws two cards and wins without a call. Seats 2 and 1 show; round 2 begins."""
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        service = Service(log)
        seats = tuple(Seat(HUMAN, name) for name in ("Ann", "Bob", "Cy"))
        setup = Setup(seats, EntropySource.from_text("shown"), 2, {"rules": "no-limit"})
        service.start("draw", setup, game_id="game")
        act(service, Fold(1), Call(2), Check(3))
        gone = known_among(service.view("game", 2).seat(2).cards)[:2]
        act(service, Discard(2, gone), Discard(3, ()), Bet(2, 2), Fold(3))
        own = known_among(service.view("game", 2).seat(2).cards)
        act(service, Show(2, own[:1]), Show(2, own[4:]), Show(1))
        service.go_on("game")
        return Played(tuple(log.read("game")), gone[0])


def places(type_: str) -> list[int]:
    return [at for at, record in enumerate(played().records) if record.type == type_]


def found(records: list[Record]) -> set[Viewer]:
    """Return the checkers that find something in a log with a recomputed chain."""
    numbered = [record._replace(seq=seq) for seq, record in enumerate(records, 1)]
    return {viewer for viewer in ALL if judged("draw", numbered, viewer)}


def said(record: Record, **members: object) -> Record:
    payload = {**json.loads(record.payload), **members}
    return record._replace(payload=json.dumps(payload, sort_keys=True, separators=(",", ":")))


def changed(at: int, **members: object) -> list[Record]:
    records = list(played().records)
    return [*records[:at], said(records[at], **members), *records[at + 1 :]]


def salts_of(seat: int, type_: str) -> dict[str, str]:
    """Return card → salt for the cards that a seat was dealt."""
    found: dict[str, str] = {}
    for at in places(type_):
        record = played().records[at]
        if json.loads(record.payload)["seat"] == seat:
            secret = json.loads(record.secret or "")
            found |= dict(zip(secret["cards"], secret["salts"], strict=True))
    return found


def test_what_was_shown_is_found_right_by_everybody() -> None:
    assert len(places("CardsShown")) == 3
    assert found(list(played().records)) == set()


def test_a_card_that_the_seat_was_not_dealt_is_found_by_everybody() -> None:
    first, *_ = places("CardsShown")
    for card, salt in [*salts_of(3, "HandDealt").items(), ("As", "00" * 16)]:
        assert found(changed(first, cards=[card], salts=[salt])) == set(ALL)


def test_another_salt_is_found_by_everybody() -> None:
    for at in places("CardsShown"):
        salts = json.loads(played().records[at].payload)["salts"]
        assert found(changed(at, salts=["00" * 16, *salts[1:]])) == set(ALL)
        assert found(changed(at, salts=salts[1:])) == set(ALL)


def test_a_card_that_was_thrown_away_is_found_by_its_seat_and_by_an_audit() -> None:
    first, *_ = places("CardsShown")
    gone = played().gone.notation
    forged = changed(first, cards=[gone], salts=[salts_of(2, "HandDealt")[gone]])
    assert found(forged) == {AUDITOR, 2}, "others do not know which two of five cards are gone"


def test_more_cards_of_a_deal_than_were_kept_are_found_by_everybody() -> None:
    first, *_ = places("CardsShown")
    dealt = dict(list(salts_of(2, "HandDealt").items())[:4])
    records = changed(first, cards=[*dealt], salts=[*dealt.values()])
    del records[places("CardsShown")[1]]
    assert found(records) == set(ALL)


def test_a_card_that_is_shown_twice_is_found_by_everybody() -> None:
    first, second, _ = places("CardsShown")
    once = json.loads(played().records[first].payload)
    assert found(changed(second, cards=once["cards"], salts=once["salts"])) == set(ALL)


def test_a_show_by_another_seat_or_by_none_is_found_by_everybody() -> None:
    first, *_ = places("CardsShown")
    for seat in (1, 3, 4):
        assert found(changed(first, seat=seat)) == set(ALL)


@pytest.mark.parametrize("type_", ["RoundStarted", "DeckShuffled", "HandDealt"])
def test_a_show_after_the_next_round_began_is_found_by_everybody(type_: str) -> None:
    records = list(played().records)
    moved = records.pop(places("CardsShown")[0])
    at = max(at for at, record in enumerate(records) if record.type == type_) + 1
    assert found([*records[:at], moved._replace(command_id="later", n=1), *records[at:]]) == set(ALL)


def test_a_show_before_the_award_is_found_by_everybody() -> None:
    records = list(played().records)
    moved = records.pop(places("CardsShown")[0])
    at = places("PotAwarded")[0]
    assert found([*records[:at], moved, *records[at:]]) == set(ALL)


def _other(texts: list[str]) -> list[str]:
    return ["f" * len(texts[0]), *texts[1:]]


@pytest.mark.parametrize("forge", [_other, lambda texts: texts[1:], lambda texts: [*texts, texts[0]]])
def test_other_digests_than_of_the_cards_dealt_are_found(forge: Callable[[list[str]], list[str]]) -> None:
    for type_ in ("HandDealt", "CardsDrawn"):
        for at in places(type_):
            said = json.loads(played().records[at].payload)
            finders = found(changed(at, digests=forge(said["digests"])))
            assert AUDITOR in finders
            assert said["seat"] not in (1, 2) or said["seat"] in finders


def test_salts_that_do_not_follow_from_the_seed_are_found_by_an_audit() -> None:
    at = places("HandDealt")[0]
    records = list(played().records)
    secret = json.loads(records[at].secret or "")
    secret["salts"][0] = "00" * 16
    records[at] = records[at]._replace(secret=json.dumps(secret, sort_keys=True, separators=(",", ":")))
    assert AUDITOR in found(records)
    assert json.loads(records[at].payload)["seat"] == 2
    assert 2 in found(records)
