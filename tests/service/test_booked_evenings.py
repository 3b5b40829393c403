"""Random evenings of cash games with rules of their own, booked by a program that reads only their JSON."""

import json
import shutil
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.persons import Persons
from pokersvc.core.replay import Replay
from pokersvc.eventlog.database import Database
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.state import DrawPokerState
from tests.web.at_table import Evening
from tests.web.cash_evenings import ruled_evenings
from tests.web.node import WEB, node
from tests.web.played import repeatable


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
            case "StakesChanged":
                self.amount = event["stakes"]["straddle"]
            case "WishesSet":
                (self.wishing.add if event["straddles"] else self.wishing.discard)(seat)
            case "GotUp" | "SeatFreed":
                self.wishing.discard(seat)
                self.before = self.before - {seat}  # of two of whom one has gone nobody stays, and all begin anew
            case "RoundStarted":
                self.round, self.dealt = [], set()
            case "BlindPosted" | "Posted":
                self.round.append((seat, event.get("kind") or event["blind"]))
            case "HandDealt":
                self.dealt.add(seat)
            case "RoundEnded" if self.amount and self.round:  # nobody posts in a bomb pot
                self._check()
                self.before = self.dealt

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
        self.antes = cash.get("bomb_blinds") or 0
        self.ante = self.antes * blinds["big"]
        self.said: set[int] = set()
        self.round = self.blinds = 0
        self.drawn = False

    def see(self, type_: str, event: dict[str, Any]) -> None:
        bomb = self.round in self.said
        match type_:
            case "StakesChanged":
                self.ante = self.antes * (event["stakes"]["big"] or 0)
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


class Blinds:
    """Who posts the big blind, followed by what the JSON of a log says, without the rules of the service."""

    def __init__(self) -> None:
        self.posts: list[tuple[int, str]] = []
        self.dealt: set[int] = set()
        self.last: tuple[int, set[int]] | None = None
        """Who posted the big blind in the last round in which somebody did, and who was dealt in."""

    def see(self, type_: str, event: dict[str, Any]) -> None:
        match type_:
            case "RoundStarted":
                self.posts, self.dealt = [], set()
            case "BlindPosted" | "Posted":
                self.posts.append((event["seat"], event.get("kind") or event["blind"]))
            case "HandDealt":
                self.dealt.add(event["seat"])
            case "GotUp" | "SeatFreed" | "SatDown":
                self.last = None  # the button passes a seat that somebody has left, and the blinds with it
            case "RoundEnded" if self.posts:
                self._check()

    def _check(self) -> None:
        assert len(self.posts) == len({*self.posts}), "nobody posts a blind twice"
        (big,) = [seat for seat, kind in self.posts if kind == "big"]
        assert (big, "extra") not in self.posts
        if self.last is not None and self.last[1] == self.dealt:
            before = self.last[0]
            after = min(self.dealt, key=lambda seat: (seat <= before, seat))
            assert big == after, "nobody who stays escapes a blind, and nobody has it out of turn"
        self.last = big, self.dealt


def booked(evening: Evening) -> Counter[str]:
    """Follow chips and posts of the table and of each person through a log; return how often each event came."""
    came = Counter[str]()
    started = json.loads(evening.records[0].payload)
    straddles, bombs, blinds = Straddles(started), BombPots(started), Blinds()
    for record in evening.records:
        straddles.see(record.type, json.loads(record.payload))
        bombs.see(record.type, json.loads(record.payload))
        blinds.see(record.type, json.loads(record.payload))
        came[record.type] += 1
        came["straddles by choice"] += straddles.chosen and '"kind":"straddle"' in record.payload
    _book_chips(evening)
    return came


def _book_chips(evening: Evening) -> None:
    started = json.loads(evening.records[0].payload)
    stacks = dict(enumerate(started["table"]["stacks"], 1))
    people = {seat for seat, one in enumerate(started["seats"], 1) if one["kind"] == "human"}
    persons = {seat: seat if seat in people else -seat for seat in stacks}
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
    accounts = _persons(evening).accounts
    assert {one.number for one in accounts} == {number for number in brought if number > 0}
    for one in accounts:
        assert (one.brought, one.taken) == (brought[one.number], taken[one.number])


def _persons(evening: Evening) -> Persons:
    """Return what the service says of each person at the end."""
    replay = Replay(DRAW_POKER)
    for record in evening.records:
        replay.read(record)
    state = replay.state
    assert isinstance(state, DrawPokerState)
    persons = DRAW_POKER.persons(state)
    assert persons is not None
    return persons


@pytest.mark.slow
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_naive_program_books_them(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    """It books sixteen more below."""
    for evening in ruled_evenings(tmp_path_factory.mktemp("ruled"), Random(seed), 3):
        assert booked(evening)["RoundEnded"]


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(4))
def test_five_thousand_evenings_are_booked(tmp_path: Path, part: int) -> None:
    for index in range(1250):
        folder = tmp_path / str(index)
        folder.mkdir()
        for evening in ruled_evenings(folder, Random(part * 10_000 + index), 1):
            assert booked(evening)
        shutil.rmtree(folder)


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
