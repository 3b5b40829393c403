"""Codes and moves of seats and of the host's rights, for the tests of moving to another device."""

from typing import Any

import httpx

from tests.server.guests import Made, bearer

TWO = ({"name": "Ann"}, {"name": "Bob"})


def asked(made: Made, seat: int) -> httpx.Response:
    """Ask for a code for a seat, or for the host's rights: seat 0."""
    door, token = ("host", made.host) if seat == 0 else (f"seats/{seat}", made.tokens[seat])
    return made.guest.post(f"{made.path}/{door}/code", headers=bearer(token))


def code_of(made: Made, seat: int) -> str:
    answer = asked(made, seat)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["code"])


def move(made: Made, code: str, **body: Any) -> httpx.Response:
    return made.guest.post(f"{made.path}/move", json={"code": code, "bearer": True, **body})


def moved(made: Made, seat: int) -> None:
    """Move a seat, or the host's rights, to another device, by which `Made` asks from now on."""
    answer = move(made, code_of(made, seat))
    assert answer.status_code == 200, answer.text
    assert (answer.json()["table"], answer.json()["seat"]) == (made.table, seat)
    if seat == 0:
        made.host = answer.json()["token"]
    else:
        made.tokens[seat] = answer.json()["token"]


def types(made: Made) -> list[str]:
    return [one["type"] for one in made.watch.events(made.watch.snapshot()["count"])]


def at(made: Made, seat: int) -> str:
    return f"{str(made.guest.base_url).rstrip('/')}/t/{made.table}/seat/{seat}/"
