"""`pokersvc join` at a server that lies: it is caught, with exit code 3; and at one that loses connections."""

import json
import re
import time
from collections.abc import Iterable
from itertools import chain, product
from threading import Event
from types import ModuleType
from typing import Any

import pytest

from pokersvc.cards import parse_cards, strength
from pokersvc.core.randomness.chance import FreshEntropy
from pokersvc.eventlog.record import digest_of
from pokersvc.games.poker_market import dealer as market_dealer
from pokersvc.remote import stream, table
from pokersvc.remote.copy import record_of
from pokersvc.streets import state as draw_deck
from tests.cli.program import Program

from .guests import Guest, Made, simple_action
from .liar import Liar, Rewriter, Told, lying
from .test_playing import play

TWO = ({"name": "Ann"}, {"name": "Bob"})


@pytest.fixture(scope="module")
def finished(server: Guest) -> Made:
    made = server.made(*TWO, rounds=1).started()
    play(made)
    return made


def at(url: str, made: Made, seat: int = 1) -> tuple[str, ...]:
    return "join", f"{url}/t/{made.table}/seat/{seat}/"


def the_url(made: Made) -> str:
    return str(made.guest.base_url).rstrip("/")


def caught(program: Program, made: Made, liar: Liar, *typed: str) -> str:
    with lying(liar) as url:
        said = program.refused(*at(url, made), code=3, typed="\n".join([made.tokens[1], *typed, ""]))
    assert said.startswith("The server does not tell the truth. ")
    return said


class Changed(Liar):
    def record(self, record: Told) -> Iterable[Told]:
        return [record | {"payload": record["payload"].replace('"seat":1', '"seat":2')}]


class LeavesOut(Liar):
    def record(self, record: Told) -> Iterable[Told]:
        return [] if record["seq"] == 5 else [record]


class Reorders(Liar):
    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.kept: list[Told] = []

    def record(self, record: Told) -> Iterable[Told]:
        if record["seq"] == 5:
            self.kept = [record]
            return []
        told, self.kept = [record, *self.kept], []
        return told


class SwapsACard(Liar):
    def record(self, record: Told) -> Iterable[Told]:
        if record["type"] == "HandDealt" and "secret" in record:
            cards = json.loads(record["secret"])
            cards["cards"] = cards["cards"][::-1]
            return [record | {"secret": json.dumps(cards, separators=(",", ":"))}]
        return [record]


class KeepsMyCards(Liar):
    def record(self, record: Told) -> Iterable[Told]:
        if record["type"] == "HandDealt" and "secret" in record:
            digest = digest_of(record_of("", record)).hex()
            return [
                {name: value for name, value in record.items() if name not in ("secret", "salt")} | {"digest": digest}
            ]
        return [record]


@pytest.mark.parametrize(
    ("lie", "said"),
    [
        (Changed, "found the hash"),
        (LeavesOut, "found event 6"),
        (Reorders, "found event 6"),
        (SwapsACard, "found the hash"),
        (KeepsMyCards, "found a secret withheld where there should be one that seat 1 may see"),
    ],
)
def test_a_lie_about_an_event_is_caught(program: Program, finished: Made, lie: type[Liar], said: str) -> None:
    assert said in caught(program, finished, lie(the_url(finished)))


def another_time(record: Told) -> Told:
    return record | {"recorded_at": "2026-01-01T00:00:00.000000Z"}


def against_the_rules(record: Told) -> Told:
    return record | {"payload": record["payload"].replace('"amount":5,', '"amount":6,').replace('"ante":5', '"ante":6')}


def test_a_story_against_the_rules_is_caught_although_its_hashes_are_right(program: Program, finished: Made) -> None:
    said = caught(program, finished, Rewriter(the_url(finished), finished.game, against_the_rules))
    assert "(rules)" in said or "(deal)" in said or "(money)" in said


def test_a_past_that_is_rewritten_is_caught_by_what_the_device_has_seen(program: Program, finished: Made) -> None:
    url = the_url(finished)
    program.run(*at(url, finished), typed=finished.tokens[1])
    said = caught(program, finished, Rewriter(url, finished.game, another_time))
    assert "tells two stories" in said
    assert "this device was told before" in said


def test_a_past_that_is_cut_off_is_caught_by_what_the_device_has_seen(program: Program, finished: Made) -> None:
    url = the_url(finished)
    program.run(*at(url, finished), typed=finished.tokens[1])

    class CutsOff(Liar):
        head = ""

        def record(self, record: Told) -> Iterable[Told]:
            self.head = record["hash"] if record["seq"] == 8 else self.head
            return [record] if record["seq"] <= 8 else []

        def answer(self, path: str, answer: Told) -> Told:
            return answer | {"count": 8, "head": self.head} if "snapshot" in path else answer

    assert "but this device has seen" in caught(program, finished, CutsOff(url))


def test_events_that_are_kept_back_are_missed(
    program: Program, finished: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "SOON", 0.2)

    class KeepsBack(Liar):
        def record(self, record: Told) -> Iterable[Told]:
            return [record] if record["seq"] <= 8 else []

    assert "withholds those after event 8" in caught(program, finished, KeepsBack(the_url(finished)))


class LosesTheConnection(Liar):
    """Loses the stream in the middle of a command, and lets nobody connect for longer than events may take."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.streams = self.lost = 0

    def record(self, record: Told) -> Iterable[Told]:
        if record["seq"] == 6 and not self.lost:
            self.lost = 1
            raise OSError
        return [record]

    def cuts(self, method: str, path: str) -> bool:
        self.streams += "stream" in path
        if "stream" in path and self.streams == 2:
            time.sleep(2 * table.SOON)
        return False


def test_a_connection_that_is_lost_in_a_command_for_long_is_no_lie(
    program: Program, finished: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "SOON", 0.2)
    monkeypatch.setattr(stream, "FIRST_PAUSE", 0.01)
    liar = LosesTheConnection(the_url(finished))
    with lying(liar) as url:
        ended = program.ended(*at(url, finished), typed=finished.tokens[1])
    assert ended.code == 0, ended.err
    assert liar.streams == 2
    assert ended.err.splitlines() == [
        "The connection is lost: the server ended it; trying again.",
        "The connection is back.",
    ]


class FallsSilent(Liar):
    """Sends nothing more in the middle of a command, as a network does that is gone without a word."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.over, self.silent = Event(), False

    def record(self, record: Told) -> Iterable[Told]:
        if record["seq"] == 6 and not self.silent:
            self.silent = True
            self.over.wait(60)
        return [record]


def test_a_connection_that_is_dead_without_a_word_is_made_anew(
    program: Program, finished: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "SOON", 0.2)
    liar = FallsSilent(the_url(finished))
    with lying(liar) as url:
        ended = program.ended(*at(url, finished), typed=finished.tokens[1])
        liar.over.set()
    assert (ended.code, ended.err) == (0, "")
    assert len([path for path in liar.requests if "stream" in path]) == 2


def test_a_seat_that_is_told_another_story_cannot_act_in_the_true_one(server: Guest, program: Program) -> None:
    made = server.made(*TWO).started()
    before = made.watch.snapshot()
    said = caught(program, made, Rewriter(the_url(made), made.game, another_time), "bet 50")
    assert "tells two stories" in said
    assert made.watch.snapshot()["head"] == before["head"]


def test_a_lost_connection_is_made_again_and_a_lost_answer_is_asked_for_again(
    server: Guest, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(table, "AGAIN", 0.01)
    made = server.made({"name": "Ann"}, {"name": "Bob", "program": "steady"}, rounds=1, all_come=False).started()

    class Loses(Liar):
        def __init__(self, url: str) -> None:
            super().__init__(url)
            self.lost = {"session", "stream", "commands"}

        def cuts(self, method: str, path: str) -> bool:
            first = {what for what in self.lost if f"/{what}" in path}
            self.lost -= first
            return bool(first)

    liar = Loses(the_url(made))
    with lying(liar) as url:
        ended = program.ended(*at(url, made), typed="\n".join([made.links[1], *(("bet 50", "check", "call", "") * 50)]))
    assert ended.code == 0
    assert ended.err.splitlines() == [
        "The connection is lost: the server ended it; trying again.",
        "The connection is back.",
        "The choice did not reach the server; it is sent again.",
    ]
    first, second = liar.commands[:2]
    assert first == second
    ids = [one["command_id"] for one in made.watch.events(made.watch.snapshot()["count"]) if one["n"] == 1]
    assert ids.count(first["id"]) == 1


@pytest.fixture(scope="module")
def open_afterwards(server: Guest) -> Made:
    made = server.made(*TWO, rounds=1, settings={"opens_seeds": True}).started()
    play(made)
    return made


def test_seeds_that_are_opened_are_those_committed_to(program: Program, open_afterwards: Made) -> None:
    said = program.run(
        *at(the_url(open_afterwards), open_afterwards), "--save", "open.jsonl", typed=open_afterwards.tokens[1]
    )
    assert "as committed to before the deal" in said
    assert "1 deck dealt again, each from a seed of its own: all that was seen is right." in " ".join(said.split())
    assert "over" in program.run("verify", "open.jsonl")


class OtherSeeds(Liar):
    def opened(self, opened: list[Told]) -> list[Told]:
        return [one | {"salt": "00" * 16} for one in opened]


class FewerSeeds(Liar):
    def opened(self, opened: list[Told]) -> list[Told]:
        return opened[:-1]


@pytest.mark.parametrize(("lie", "said"), [(OtherSeeds, "opens a different secret"), (FewerSeeds, "but not this one")])
def test_a_lie_about_the_seeds_is_caught(program: Program, open_afterwards: Made, lie: type[Liar], said: str) -> None:
    assert said in caught(program, open_afterwards, lie(the_url(open_afterwards)))


def played(server: Guest, *, rounds: int = 1, discards: int = 0) -> Made:
    """Return a finished table that opens its seeds, at which everybody discarded so many cards."""
    made = server.made(*TWO, rounds=rounds, settings={"opens_seeds": True}).started()
    while (now := made.watch.snapshot())["outcome"] is None:
        for seat in now["awaited"]:
            mine = made.seat(seat).snapshot()
            action = simple_action(mine)
            if action["type"] == "Discard":
                action["cards"] = mine["view"]["seats"][seat - 1]["cards"][:discards]
            assert made.seat(seat).send(head=mine["head"], action=action).status_code == 200
    return made


def watched(program: Program, url: str, made: Made) -> str:
    """Return the message to a watcher who is told a lie."""
    said = program.refused("join", f"{url}/t/{made.table}/", code=3)
    assert said.startswith("The server does not tell the truth. ")
    return said


@pytest.mark.parametrize("discards", [0, 2, 4])
def test_hands_that_the_opened_deck_did_not_have_are_caught(server: Guest, program: Program, discards: int) -> None:
    """Whoever watches knows no hand, so only the deck tells that another was shown."""
    made = played(server, discards=discards)
    known = [card for hand in dealt(made) for card in hand]

    def another_hand(record: Told) -> Told:
        if record["type"] != "HandsOpened":
            return record
        shown = json.loads(record["payload"])
        cards = shown["hands"][0]["cards"]
        worth = strength(parse_cards(" ".join(cards)))
        one_card = ([*cards[:at], cards[at][0] + suit, *cards[at + 1 :]] for at, suit in product(range(5), "cdhs"))
        all_cards = ([card[0] + suit for card in cards] for suit in "cdhs")  # of a flush
        for changed in chain(one_card, all_cards):  # a hand worth the same, or the pots tell of it
            new = {*changed} - {*cards}
            if new and new.isdisjoint(known) and strength(parse_cards(" ".join(changed))) == worth:
                shown["hands"][0]["cards"] = changed
                break
        else:
            raise AssertionError(cards)
        return record | {"payload": json.dumps(shown, separators=(",", ":"))}

    honest = Rewriter(the_url(made), made.game, lambda record: record)
    with lying(honest) as url:
        assert "1 deck dealt again" in " ".join(program.run("join", f"{url}/t/{made.table}/").split())
    (program.home / "other").mkdir()
    other = Program(program.home / "other")  # a device that was shown nothing before
    with lying(Rewriter(the_url(made), made.game, another_hand)) as url:
        said = watched(other, url, made)
    assert "(HandsOpened)" in said


def dealt(made: Made) -> list[list[str]]:
    """Return the cards that each seat got, by what the table opens."""
    steps = made.watch.get("opened").json()["steps"]
    hands: list[list[str]] = [[], []]
    for step in steps:
        for seat, hand in zip(step["view"]["seats"], hands, strict=True):
            hand += [card for card in seat["cards"] if card not in hand]
    return hands


@pytest.mark.parametrize(("dealer", "event"), [(draw_deck, "HandDealt"), (market_dealer, "HandsDealt")])
def test_a_deck_that_is_not_the_one_of_its_seed_is_caught(
    server: Guest, program: Program, monkeypatch: pytest.MonkeyPatch, dealer: ModuleType, event: str
) -> None:
    with monkeypatch.context() as cheating:
        cheating.setattr(dealer, "shuffle", lambda cards, *_: tuple(cards))
        asked: dict[str, Any] = {"rounds": 1} if dealer is draw_deck else {"kind": "market"}
        made = server.made(*TWO, settings={"opens_seeds": True}, **asked)
        play(made.started())
    said = program.refused(*at(the_url(made), made), code=3, typed=made.tokens[1])
    assert f"({event})" in said
    assert "(deal)" in said


def test_a_seed_that_is_used_twice_is_caught(server: Guest, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as cheating:
        cheating.setattr(FreshEntropy, "seed", lambda *_: b"7" * 32)
        made = played(server, rounds=2)
    said = program.refused(*at(the_url(made), made), code=3, typed=made.tokens[1])
    assert re.search(r"found the seed of event \d+ again", said)
