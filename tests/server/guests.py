"""Clients of the server: a guest, and whoever holds a seat's link."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
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
        super().__init__(base_url=url, timeout=10)

    def made(self, *seats: dict[str, str], **asked: Any) -> "Made":
        """Make a table."""
        answer = self.post("/api/tables", json={"kind": "draw", "seats": list(seats), **asked})
        assert answer.status_code == 201, answer.text
        made = answer.json()
        tokens = {int(seat): link.partition("#")[2] for seat, link in made["seats"].items()}
        return Made(self, made["table"], made["host"].partition("#")[2], tokens)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


class Made:
    """A table, with the tokens of its host and of its people."""

    def __init__(self, guest: Guest, table: str, host: str, tokens: dict[int, str]) -> None:
        self.guest, self.table, self.host, self.tokens = guest, table, host, tokens

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}"

    def ask_host(self, what: str, **body: Any) -> httpx.Response:
        return self.guest.post(f"{self.path}/host/{what}", headers=bearer(self.host), json=body or None)

    def started(self) -> "Made":
        assert self.ask_host("start").status_code == 204
        return self

    def play_to_the_pause(self) -> "Made":
        """Play the round that is on, each doing what is simplest."""
        while not (now := self.watch.snapshot())["pausing"]:
            seat = self.seat(now["awaited"][0])
            mine = seat.snapshot()
            if mine["your_turn"]:
                seat.send(head=mine["head"], action=simple_action(mine))
        return self

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


def short(kind: str) -> tuple[dict[str, Any], int | None]:
    """Return the options and the rounds of a short game."""
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
