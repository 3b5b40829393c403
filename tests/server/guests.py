"""Clients of the server: a guest, and whoever holds a seat's link."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import sleep
from typing import Any, NamedTuple
from uuid import uuid4

import httpx


class Told(NamedTuple):
    """One server-sent event."""

    id: int | None
    event: str
    data: dict[str, Any]


class Guest(httpx.Client):
    """Whoever has the server's address."""

    def __init__(self, url: str) -> None:
        # There are no certificates without TLS, and to read those of the system takes 50 ms.
        super().__init__(base_url=url, timeout=10, verify=False)

    def made(self, *seats: dict[str, str], all_come: bool = True, **asked: Any) -> "Made":
        """Make a table; everybody with a link of their own comes, unless ``all_come`` is False."""
        answer = self.post("/api/tables", json={"kind": "draw", "seats": list(seats), **asked})
        assert answer.status_code == 201, answer.text
        made = answer.json()
        tokens = {int(seat): link.partition("#")[2] for seat, link in made["seats"].items()}
        table = Made(self, made["table"], made["host"].partition("#")[2], tokens, made["game"])
        table.links, table.invitation = dict(tokens), token_in(made["invitation"])
        for seat, link in table.links.items() if all_come else ():
            table.tokens[seat] = self.exchanged(table.table, seat, link)
        return table

    def exchanged(self, table: str, seat: int, link: str) -> str:
        """Return the token of a device for the link of a seat, of which this is the first exchange."""
        answer = self.post(f"/api/tables/{table}/seats/{seat}/session", json={"token": link, "bearer": True})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["token"])


def token_in(link: str) -> str:
    """Return the token in a link."""
    return link.partition("#")[2]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


class Made:
    """A table, with the tokens of its host and of its people."""

    def __init__(self, guest: Guest, table: str, host: str, tokens: dict[int, str], game: str = "") -> None:
        self.guest, self.table, self.host, self.tokens = guest, table, host, tokens
        self.game = game
        """The ID of its first game, if known."""
        self.links: dict[int, str] = {}
        """The tokens of the seats' own links, which were exchanged for ``tokens``."""
        self.invitation = ""
        """The token of the link to sit down."""

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}"

    def ask_host(self, what: str, **body: Any) -> httpx.Response:
        return self.guest.post(f"{self.path}/host/{what}", headers=bearer(self.host), json=body or None)

    def new_link(self, seat: int) -> str:
        """Have the host make a new link for a seat; return its token."""
        answer = self.ask_host(f"seats/{seat}/link")
        assert answer.status_code == 200, answer.text
        return token_in(answer.json()["link"])

    def renewed(self, seat: int) -> str:
        """Have the host make a new link for a seat, and exchange it; return the token, by which `seat` asks now."""
        self.tokens[seat] = self.guest.exchanged(self.table, seat, self.new_link(seat))
        return self.tokens[seat]

    def started(self) -> "Made":
        assert self.ask_host("start").status_code == 204
        return self

    def play_to_the_pause(self) -> "Made":
        """Play the current round, everybody making the simplest choice."""
        return self._play(lambda now: now["pausing"] or now["outcome"] is not None)

    def play_to_the_end(self) -> "Made":
        """Play until the game is over, everybody making the simplest choice."""
        return self._play(lambda now: now["outcome"] is not None)

    def _play(self, is_enough: Callable[[dict[str, Any]], bool]) -> "Made":
        """Play on, asking first whoever was awaited after the same seat last time: two requests for most choices."""
        asked, followers = self.watch, dict[int | None, int]()
        before: int | None = None
        while not is_enough(now := asked.snapshot()):
            turn = now["awaited"][0] if now["awaited"] else None
            if turn not in self.tokens:  # the dealer is to act, or a bot
                asked = self.watch
                sleep(0.001)
            elif asked.number != turn:
                followers[before] = turn
                asked = self.seat(turn)
            elif now["your_turn"]:
                asked.send(head=now["head"], action=simple_action(now))
                before = turn
                asked = self.seat(followers.get(turn, turn))
        return self

    def play_until_dealt_in(self, number: int) -> None:
        """Play rounds, as seat 1 sees them, until a seat is dealt in; a newcomer may wait for a blind."""
        ann = self.seat(1)
        while True:
            assert self.ask_host("next").status_code == 204
            dealt = [one for one in ann.events(ann.snapshot()["count"]) if one["type"] == "HandDealt"]
            if any(json.loads(one["payload"])["seat"] == number for one in dealt):
                return
            while not (now := ann.snapshot())["pausing"]:
                for seat in map(self.seat, self.tokens.keys() & set(now["awaited"])):  # else a bot is to act
                    if (mine := seat.snapshot())["your_turn"]:
                        seat.send(action=simple_action(mine))

    def seat(self, number: int) -> "Held":
        return Held(self, number)

    @property
    def watch(self) -> "Held":
        return Held(self, None)


class Held:
    """The door of one seat, or of whoever watches."""

    def __init__(self, made: Made, number: int | None) -> None:
        self.guest, self.number = made.guest, number
        self.path = f"{made.path}/watch" if number is None else f"{made.path}/seats/{number}"
        self.headers = {} if number is None else bearer(made.tokens[number])

    def get(self, what: str, **query: Any) -> httpx.Response:
        return self.guest.get(f"{self.path}/{what}", params=query, headers=self.headers)

    def snapshot(self, after: int = 0) -> dict[str, Any]:
        answer = self.get("snapshot", after=after)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def send(self, **command: Any) -> httpx.Response:
        command = {"id": str(uuid4()), **command}
        return self.guest.post(f"{self.path}/commands", json=command, headers=self.headers)

    @contextmanager
    def stream(self, after: int = 0, last: int | None = None) -> Iterator[Iterator[Told]]:
        headers = self.headers if last is None else self.headers | {"Last-Event-ID": str(last)}
        with self.guest.stream("GET", f"{self.path}/stream", params={"after": after}, headers=headers) as answer:
            assert answer.status_code == 200
            assert answer.headers["content-type"] == "text/event-stream"
            yield events_in(answer.iter_lines())

    def events(self, count: int, after: int = 0, last: int | None = None) -> list[dict[str, Any]]:
        """Return what a stream tells up to an event."""
        found: list[dict[str, Any]] = []
        with self.stream(after, last) as told:
            for one in told:
                if one.event == "record":
                    assert one.id == one.data["seq"]
                    found.append(one.data)
                if found and found[-1]["seq"] >= count:
                    return found
        raise AssertionError("the stream ended")


def events_in(lines: Iterator[str]) -> Iterator[Told]:
    told: dict[str, str] = {}
    for line in lines:
        if not line:
            if "data" in told:
                yield Told(int(told["id"]) if "id" in told else None, told["event"], json.loads(told["data"]))
            told = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            told[name] = value


def throws_all_away(table: Made, number: int) -> None:
    """Play draw poker by simple actions until a seat has drawn five cards, which no good bot does."""
    while True:
        turn = (table.watch.snapshot()["awaited"] or [0])[0]
        if turn and (now := table.seat(turn).snapshot())["your_turn"]:
            draws = now["legal"]["discard"] is not None and turn == number
            own = next(seat for seat in now["view"]["seats"] if seat["seat"] == turn)
            thrown = {"type": "Discard", "cards": own["cards"]}
            table.seat(turn).send(head=now["head"], action=thrown if draws else simple_action(now))
            if draws:
                return


def short(kind: str) -> tuple[dict[str, Any], int | None]:
    """Return the options and the number of rounds of a short game."""
    return ({"holes": 2, "beans": 2}, None) if kind == "kalah" else ({}, 2)


def simple_action(snapshot: dict[str, Any]) -> dict[str, Any]:
    """Return an action that is legal, in any of the three games."""
    kind, legal = snapshot["kind"], snapshot["legal"]
    if kind == "kalah":
        return {"type": "Sow", "hole": legal["holes"][0]}
    if kind == "market":
        return {"type": "Pass"} if legal["answer"] is None else {"type": "Accept"}
    if legal["discard"] is not None:
        return {"type": "Discard", "cards": []}
    if legal["check"]:
        return {"type": "Check"}
    if legal["call"]:
        return {"type": "Call"}
    return {"type": "Bet", "amount": legal["bet"][0]} if legal["bet"] else {"type": "Fold"}
