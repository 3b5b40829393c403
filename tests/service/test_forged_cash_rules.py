"""Logs of cash games with rules of their own that somebody has doctored, with all hashes made anew."""

import json
from pathlib import Path
from typing import Any

import pytest

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.betting.wishes import Wish
from pokersvc.core.actions import Leave
from pokersvc.service import Service
from tests.audit.forged import forged, only, public
from tests.audit.played import in_one_file, tampering
from tests.web.at_table import Evening
from tests.web.node import WEB, node

from .ruled import GAME, a_game
from .support import play_to_the_pause


def write(service: Service) -> None:
    """A log with every event of the rules of a cash game, one of each but for purchases."""
    a_game(service, game_id=GAME, buy_least=5, away_rounds=1, return_rounds=50)
    service.act(GAME, Wish(1, top_up_to=150))
    service.go_on(GAME)
    play_to_the_pause(service, GAME)
    service.act(GAME, SitOut(1))
    service.act(GAME, SitIn(1))
    service.act(GAME, Wish(1, top_up_to=0))
    service.act(GAME, Leave(1))
    service.act(GAME, SitDown(1, 200))
    service.act(GAME, SitOut(1))
    service.go_on(GAME)
    while not service.status(GAME).pausing:
        service.step(GAME)
    service.go_on(GAME)
    while not service.status(GAME).pausing:
        service.step(GAME)
    service.close(GAME)


def write_approved(service: Service) -> None:
    a_game(service, game_id=GAME, approval=True)
    service.act(GAME, BuyChips(1, 50))
    service.answer_purchase(GAME, 1, admits=True, by=1)
    service.go_on(GAME)
    play_to_the_pause(service, GAME)
    service.close(GAME)


def write_straddled(service: Service) -> None:
    """Ann wishes to straddle, does, and wishes it no more."""
    a_game(service, game_id=GAME, straddle=4, straddle_by_choice=True)
    service.act(GAME, Wish(1, straddles=True))
    for _ in range(3):
        service.go_on(GAME)
        play_to_the_pause(service, GAME)
    service.act(GAME, Wish(1, straddles=False))
    for _ in range(3):
        service.go_on(GAME)
        play_to_the_pause(service, GAME)
    service.close(GAME)


def write_bombed(service: Service) -> None:
    """Ann, the host, announces a bomb pot; every fourth round is one anyway."""
    a_game(service, game_id=GAME, bomb_pot=5, bomb_every=4)
    service.change_stakes(GAME, {"bomb_pot": True}, seat=1)
    for _ in range(4):
        service.go_on(GAME)
        play_to_the_pause(service, GAME)
    service.close(GAME)


@pytest.fixture(scope="module")
def bombed() -> bytes:
    return in_one_file(write_bombed)


@pytest.fixture(scope="module")
def straddled() -> bytes:
    return in_one_file(write_straddled)


@pytest.fixture(scope="module")
def written() -> bytes:
    return in_one_file(write)


@pytest.fixture(scope="module")
def approved() -> bytes:
    return in_one_file(write_approved)


def test_they_pass_as_they_were_played(written: bytes, approved: bytes, straddled: bytes, bombed: bytes) -> None:
    for log in (written, approved, straddled, bombed):
        with tampering(log) as found:
            assert found.audit(GAME) == []


@pytest.mark.parametrize(
    ("type_", "change"),
    [
        ("ToppedUp", {"amount": 1}),
        ("ToppedUp", {"seat": 2}),
        ("SeatFreed", {"amount": 3}),
        ("WishesSet", {"top_up_to": 900}),
        ("WishesSet", {"in_with_blind": True}),
        ("SatDown", {"amount": 100}),
        ("SatDown", {"person": None}),
    ],
)
def test_an_event_that_says_something_else_is_found(written: bytes, type_: str, change: dict[str, Any]) -> None:
    with tampering(written) as found:
        seq = forged(found, GAME, type_, public(**change))
        assert min(one.seq for one in only(found.audit(GAME), "rules") if one.seq) == seq


@pytest.mark.parametrize("type_", ["ToppedUp", "SeatFreed", "WishesSet"])
def test_an_event_that_is_missing_is_found(written: bytes, type_: str) -> None:
    with tampering(written) as found:
        records = found.records(GAME)
        at = next(at for at, one in enumerate(records) if one.type == type_)
        found.rewrite(GAME, records[:at] + records[at + 1 :])
        assert only(found.audit(GAME), "rules")


@pytest.mark.parametrize(
    "rules", [{"away_rounds": 9}, {"away_rounds": None}, {"return_rounds": None, "least": 2}, {"most": 20}, None]
)
def test_rules_that_were_changed_afterwards_are_found_where_they_matter(written: bytes, rules: Any) -> None:
    with tampering(written) as found:
        stated = json.loads(found.records(GAME)[0].payload)["cash"]
        forged(found, GAME, "GameStarted", public(cash=rules if rules is None else {**stated, **rules}))
        matters = rules is None or "return_rounds" not in rules
        assert bool([one for one in found.audit(GAME) if one.check == "rules"]) == matters


@pytest.mark.parametrize("missing", ["PurchaseAsked", "PurchaseAdmitted", "ChipsBought"])
def test_a_purchase_that_nobody_asked_for_or_admitted_or_made_is_found(approved: bytes, missing: str) -> None:
    with tampering(approved) as found:
        records = found.records(GAME)
        (at,) = [at for at, one in enumerate(records) if one.type == missing]
        found.rewrite(GAME, records[:at] + records[at + 1 :])
        assert only(found.audit(GAME), "rules")


@pytest.mark.parametrize(("type_", "change"), [("PurchaseAdmitted", {"by": 2}), ("ChipsBought", {"amount": 60})])
def test_an_answer_or_a_purchase_that_was_forged_is_found(approved: bytes, type_: str, change: dict[str, int]) -> None:
    with tampering(approved) as found:
        seq = forged(found, GAME, type_, public(**change))
        assert min(one.seq for one in only(found.audit(GAME), "rules") if one.seq) == seq


FORGERIES = [
    ("ToppedUp", {"amount": 1}),
    ("ToppedUp", None),
    ("SeatFreed", {"amount": 3}),
    ("SeatFreed", None),
    ("WishesSet", {"top_up_to": 900}),
    ("WishesSet", {"in_with_blind": True}),
    ("WishesSet", None),
    ("SatDown", {"amount": 100}),
    ("SatDown", {"person": None}),
    ("GameStarted", {"cash": None}),
]


OF_STRADDLES = [
    ("Posted", None),
    ("Posted", {"seat": 2}),
    ("WishesSet", None),
    ("WishesSet", {"seat": 2}),
    ("WishesSet", {"straddles": False}),
    ("GameStarted", {"cash": None}),
]


OF_BOMB_POTS = [
    ("BombPotAnnounced", None),
    ("BombPotAnnounced", {"by": 2}),
    ("BombPotAnnounced", {"by": None, "by_rule": True}),
    ("BombPotAnnounced", {"round": 4}),
    ("RoundStarted", {"ante": 2}),
    ("GameStarted", {"cash": None}),
]


OF_PURCHASES = [
    ("PurchaseAsked", None),
    ("PurchaseAdmitted", None),
    ("PurchaseAdmitted", {"by": 2}),
    ("ChipsBought", None),
    ("ChipsBought", {"amount": 60}),
    ("GameStarted", {"cash": None}),
]


def forgery(log: bytes, type_: str, change: dict[str, Any] | None) -> Evening:
    """Return a log in which an event says something else or, with None, is missing; its chain is made anew."""
    with tampering(log) as found:
        if change is None:
            records = found.records(GAME)
            at = next(at for at, one in enumerate(records) if one.type == type_)
            found.rewrite(GAME, records[:at] + records[at + 1 :])
        elif type_ != "unchanged":
            forged(found, GAME, type_, public(**change))
        return Evening(f"{type_} {change}", "draw", GAME, found.records(GAME), [])


def payloads(log: bytes, type_: str) -> list[dict[str, Any]]:
    """Return what the events of a type say."""
    with tampering(log) as found:
        return [json.loads(one.payload) for one in found.records(GAME) if one.type == type_]


def breaks_a_rule(log: bytes, type_: str, change: dict[str, Any] | None) -> bool:
    """Return whether an audit of the forgery finds that a rule was broken."""
    with tampering(log) as found:
        found.rewrite(GAME, forgery(log, type_, change).records)
        return bool(only(found.audit(GAME), "rules"))


@pytest.mark.parametrize(("type_", "change"), OF_STRADDLES)
def test_a_straddle_that_was_not_wished_or_a_wish_that_was_not_heard_is_found(
    straddled: bytes, type_: str, change: dict[str, Any] | None
) -> None:
    assert [one["seat"] for one in payloads(straddled, "Posted")] == [1]
    assert breaks_a_rule(straddled, type_, change)


@pytest.mark.parametrize(("type_", "change"), OF_BOMB_POTS)
def test_a_bomb_pot_that_nobody_announced_or_that_was_not_played_is_found(
    bombed: bytes, type_: str, change: dict[str, Any] | None
) -> None:
    said = payloads(bombed, "BombPotAnnounced")
    assert [(one["by"], one["by_rule"], one["round"]) for one in said] == [(1, False, 3), (None, True, 4)]
    assert breaks_a_rule(bombed, type_, change)


def test_the_page_finds_the_same_forgeries(
    written: bytes, approved: bytes, straddled: bytes, bombed: bytes, tmp_path: Path
) -> None:
    made = [forgery(log, "unchanged", {}) for log in (written, approved, straddled, bombed)]
    made += [forgery(written, *one) for one in FORGERIES] + [forgery(approved, *one) for one in OF_PURCHASES]
    made += [forgery(straddled, *one) for one in OF_STRADDLES] + [forgery(bombed, *one) for one in OF_BOMB_POTS]
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(evening.vector()) + "\n" for evening in made), encoding="ascii")
    *not_good, _ = node(WEB / "verify_games.js", file, timeout=120).stdout.splitlines()
    found = [json.loads(line) for line in not_good]
    assert [one["game"] for one in found] == [evening.name for evening in made]
    assert [one["problem"]["code"] for one in found[:4]] == ["seeds"] * 4, "but for the seeds, which are not opened"
    assert all(one["problem"]["code"] in ("move", "chips") for one in found[4:])
