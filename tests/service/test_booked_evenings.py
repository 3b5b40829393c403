"""Random evenings of cash games with rules of their own, booked by a program that reads only their JSON."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.eventlog.database import Database
from pokersvc.evidence.audit import audit
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


@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_naive_program_books_them(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    """It books sixteen more below."""
    for evening in ruled_evenings(tmp_path_factory.mktemp("ruled"), Random(seed), 3):
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
