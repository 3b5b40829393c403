"""The rules of a cash game at the service: answered once, told to all, audited, verified, and found when forged."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.betting.wishes import Wish
from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker import cash_events, events
from pokersvc.games.draw_poker.actions import AnnounceBombPot, AnswerPurchase
from pokersvc.service import CommandReused, Service
from tests.audit.forged import forged, only, public
from tests.audit.played import in_one_file, tampering
from tests.web.at_table import Evening
from tests.web.cash_evenings import ruled_evenings
from tests.web.node import WEB, node
from tests.web.played import repeatable

from .support import play_to_the_pause, types

SEATS = (Seat(HUMAN, "Ann"), Seat("minimum", "Bob"), Seat("minimum", "Cy"))
GAME = "ruled"


def a_game(service: Service, *, game_id: str | None = None, **options: Any) -> str:
    stacks = ["200", "Ann=100", "Bob=100", "Cy=100"]
    given = {"rules": "no-limit", "cash": True, "stack": stacks, **options}
    found, _ = service.start("draw", Setup(SEATS, EntropySource.from_text("ruled"), None, given), game_id=game_id)
    play_to_the_pause(service, found)
    return found


# Commands.


def test_the_host_admits_a_purchase_and_it_is_made_in_the_same_command(service: Service) -> None:
    game_id = a_game(service, approval=True)
    (asked,) = service.act(game_id, BuyChips(1, 50))
    assert asked.event == cash_events.PurchaseAsked(50, None, None, 1)
    answered = service.answer_purchase(game_id, 1, admits=True, command_id="yes")
    assert [one.event for one in answered] == [cash_events.PurchaseAdmitted(None, 1), events.ChipsBought(50, 1)]
    assert service.answer_purchase(game_id, 1, admits=True, command_id="yes") == answered
    with pytest.raises(CommandReused):
        service.answer_purchase(game_id, 1, admits=False, command_id="yes")
    assert service.status(game_id).pausing


def test_only_the_service_answers(service: Service) -> None:
    game_id = a_game(service, approval=True)
    service.act(game_id, BuyChips(1, 50))
    with pytest.raises(IllegalAction) as refused:
        service.act(game_id, AnswerPurchase(1, True))
    assert refused.value.code == "service_only"


def test_other_games_sell_nothing(service: Service) -> None:
    setup = Setup((Seat(HUMAN, "Ann"), Seat("random", "Bob")), EntropySource.from_text("kalah"))
    game_id, _ = service.start("kalah", setup)
    with pytest.raises(InvalidValue, match="Nobody buys"):
        service.answer_purchase(game_id, 1, admits=True)


def test_what_is_wished_is_done_before_the_round_in_its_command(service: Service) -> None:
    game_id = a_game(service)
    service.act(game_id, Wish(1, top_up_to=200))
    first, second, *_ = types(service.go_on(game_id))
    assert (first, second) == ("ToppedUp", "RoundStarted")


def test_who_sits_out_too_long_gets_up_before_a_round(service: Service) -> None:
    game_id = a_game(service, away_rounds=1)
    service.act(game_id, SitOut(1))
    service.go_on(game_id)
    while not service.status(game_id).pausing:
        service.step(game_id)
    began = types(service.go_on(game_id))
    assert began[:2] == ["SeatFreed", "RoundStarted"]
    assert service.view(game_id, EVERYONE).seat(1).standing == "out"


# Logs that somebody has doctored, with all hashes made anew.


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


# Random evenings, booked by a program that reads only their JSON.


class Straddles:
    """Who straddles by choice, followed by what the JSON of a log says, without the rules of the service."""

    def __init__(self, started: dict[str, Any]) -> None:
        blinds = started["rules"]["blinds"]
        self.amount = blinds["straddle"] if blinds else 0
        self.chosen = bool(started["cash"] and started["cash"]["straddle_by_choice"])
        self.wishing: set[int] = set()
        self.round: list[tuple[int, str]] = []
        self.dealt: set[int] = set()
        self.before: set[int] = set()

    def see(self, type_: str, event: dict[str, Any]) -> None:
        seat = event.get("seat", 0)
        match type_:
            case "WishesSet":
                (self.wishing.add if event["straddles"] else self.wishing.discard)(seat)
            case "GotUp" | "SeatFreed":
                self.wishing.discard(seat)
            case "RoundStarted":
                self.round, self.dealt, self.before = [], set(), self.dealt
            case "BlindPosted" | "Posted":
                self.round.append((seat, event.get("kind") or event["blind"]))
            case "HandDealt":
                self.dealt.add(seat)
            case "RoundEnded" if self.amount and self.round:  # in a bomb pot nobody posts
                self._check()

    def _check(self) -> None:
        big = next(seat for seat, kind in self.round if kind == "big")
        later = sorted(self.dealt, key=lambda seat: (seat <= big, seat))
        owes = {(later[0], "extra"), (later[0], "dead")} & set(self.round)
        if len(self.before) == 2 and self.before < self.dealt and later[0] not in self.before:
            owes = {(later[0], "came after a round of two")}
        may = len(later) > 2 and not owes
        does = may and (not self.chosen or later[0] in self.wishing)
        assert [seat for seat, kind in self.round if kind == "straddle"] == ([later[0]] if does else [])


class BombPots:
    """Which rounds are bomb pots, followed by what the JSON of a log says, without the rules of the service."""

    def __init__(self, started: dict[str, Any]) -> None:
        cash, blinds = started["cash"] or {}, started["rules"]["blinds"] or {"big": 0}
        self.every: int | None = cash.get("bomb_every")
        self.ante = (cash.get("bomb_blinds") or 0) * blinds["big"]
        self.said: set[int] = set()
        self.round = self.blinds = 0
        self.drawn = False

    def see(self, type_: str, event: dict[str, Any]) -> None:
        bomb = self.round in self.said
        match type_:
            case "BombPotAnnounced":
                assert self.ante
                assert event["round"] == self.round + 2 not in self.said
                self.said.add(event["round"])
            case "RoundStarted":
                self.round, self.drawn, self.blinds = event["round"], False, 0
                assert (event["ante"] == self.ante) == (self.round in self.said) or not self.ante
                assert not self.every or self.round < 3 or self.round % self.every or self.round in self.said
            case "BlindPosted" | "Posted":
                assert not bomb, "nothing but the ante is put in before the deal"
            case "CardsDiscarded":
                self.drawn = True
            case "Checked" | "Bet" | "Called" | "Raised" | "Folded":
                assert self.drawn or not bomb, "nobody bets before the draw"


def booked(evening: Evening) -> Counter[str]:
    """Follow chips and posts of the table and of each person through a log; return how often each event came."""
    came = Counter[str]()
    started = json.loads(evening.records[0].payload)
    straddles, bombs = Straddles(started), BombPots(started)
    for record in evening.records:
        straddles.see(record.type, json.loads(record.payload))
        bombs.see(record.type, json.loads(record.payload))
        came[record.type] += 1
        came["straddles by choice"] += straddles.chosen and '"kind":"straddle"' in record.payload
    _book_chips(evening)
    return came


def _book_chips(evening: Evening) -> None:
    started = json.loads(evening.records[0].payload)
    stacks = dict(enumerate(started["table"]["stacks"], 1))
    persons = {seat: number for number, seat in enumerate(stacks, 1)}
    total, pot, raked = sum(stacks.values()), 0, 0
    brought, taken = Counter({persons[seat]: stack for seat, stack in stacks.items()}), Counter[int]()
    out: set[int] = set()
    for record in evening.records[1:]:
        event = json.loads(record.payload)
        seat, amount = event.get("seat"), event.get("amount", 0)
        match record.type:
            case "AntePosted" | "BlindPosted" | "Posted" | "Bet" | "Called" | "Raised":
                assert seat not in out, "who is away puts nothing in"
                stacks[seat] -= amount
                pot += amount
            case "UncalledBetReturned":
                stacks[seat] += amount
                pot -= amount
            case "PotAwarded":
                for share in event["shares"]:
                    stacks[share["seat"]] += share["amount"]
                    pot -= share["amount"]
            case "RakeTaken":
                pot, raked = pot - amount, raked + amount
            case "SatDown" | "ChipsBought" | "ToppedUp":
                persons[seat] = event.get("person", persons[seat])
                stacks[seat] += amount
                brought[persons[seat]] += amount
                total += amount
            case "GotUp" | "SeatFreed":
                assert stacks[seat] == amount
                stacks[seat] = 0
                taken[persons[seat]] += amount
                total -= amount
                out.discard(seat)
            case "SatOut" | "SatOutAtBlind":
                out.add(seat)
            case "SatIn" | "SatInWithBlind":
                out.discard(seat)
            case "HandDealt":
                assert seat not in out, "nobody is dealt in while away"
        assert min(stacks.values()) >= 0
        assert sum(stacks.values()) + pot + raked == total == brought.total() - taken.total()


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_naive_program_books_them(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    for evening in ruled_evenings(tmp_path_factory.mktemp("ruled"), Random(seed), 2):
        assert booked(evening)["RoundEnded"]


@pytest.mark.slow
def test_the_page_verifies_them_and_so_does_an_audit(tmp_path: Path) -> None:
    with repeatable(6):
        found = list(ruled_evenings(tmp_path, Random(6), 16))
    came = sum((booked(evening) for evening in found), Counter())
    asked = ("PurchaseAsked", "PurchaseAdmitted", "PurchaseRefused", "WishesSet")
    done = ("ToppedUp", "SatOutAtBlind", "SatInWithBlind", "SeatFreed")
    looked_for = (*asked, *done, "straddles by choice", "BombPotAnnounced")
    assert min(came[type_] for type_ in looked_for) > 1, {type_: came[type_] for type_ in looked_for}
    for evening in found:
        with Database.for_reading(str(tmp_path / f"{evening.game_id}.sqlite")) as database:
            assert not any(one.findings for one in audit(database))
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(evening.vector()) + "\n" for evening in found), encoding="ascii")
    *not_good, total = node(WEB / "verify_games.js", file, timeout=120).stdout.splitlines()
    assert not_good == []
    assert json.loads(total)["games"] == 16


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


@pytest.mark.parametrize(("type_", "change"), OF_STRADDLES)
def test_a_straddle_that_was_not_wished_or_a_wish_that_was_not_heard_is_found(
    straddled: bytes, type_: str, change: dict[str, Any] | None
) -> None:
    records = forgery(straddled, type_, change).records
    with tampering(straddled) as found:
        assert [json.loads(one.payload)["seat"] for one in found.records(GAME) if one.type == "Posted"] == [1]
        found.rewrite(GAME, records)
        assert only(found.audit(GAME), "rules")


@pytest.mark.parametrize(("type_", "change"), OF_BOMB_POTS)
def test_a_bomb_pot_that_nobody_announced_or_that_was_not_played_is_found(
    bombed: bytes, type_: str, change: dict[str, Any] | None
) -> None:
    records = forgery(bombed, type_, change).records
    with tampering(bombed) as found:
        said = [json.loads(one.payload) for one in found.records(GAME) if one.type == "BombPotAnnounced"]
        assert [(one["by"], one["by_rule"], one["round"]) for one in said] == [(1, False, 3), (None, True, 4)]
        found.rewrite(GAME, records)
        assert only(found.audit(GAME), "rules")


def test_a_bomb_pot_is_announced_once(service: Service) -> None:
    game_id = a_game(service, bomb_pot=5)
    said = service.change_stakes(game_id, {"bomb_pot": True}, command_id="boom")
    assert [one.event for one in said] == [cash_events.BombPotAnnounced(None, False, 3)]
    assert service.change_stakes(game_id, {"bomb_pot": True}, command_id="boom") == said
    with pytest.raises(IllegalAction) as refused:
        service.act(game_id, AnnounceBombPot(1))
    assert refused.value.code == "service_only"


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


def test_a_wish_that_leaves_too_few_pauses_the_game_instead_of_ending_it(service: Service) -> None:
    seats = (Seat(HUMAN, "Ann"), Seat("minimum", "Bob"))
    given = {"rules": "no-limit", "cash": True}
    game_id, _ = service.start("draw", Setup(seats, EntropySource.from_text("two"), None, given))
    play_to_the_pause(service, game_id)
    service.act(game_id, Wish(1, out_at_blind=True))
    for _ in range(2):
        done = types(service.go_on(game_id))
        if done == ["SatOutAtBlind"]:
            break
        play_to_the_pause(service, game_id)
    assert done == ["SatOutAtBlind"]
    assert service.status(game_id).pausing
    assert service.status(game_id).outcome is None
