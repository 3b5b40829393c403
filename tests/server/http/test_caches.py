"""What depends on who asks is kept by no cache: every route of the application, asked by everybody there is."""

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from http.client import HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from fastapi import APIRouter

from pokersvc.server.authentication import COOKIE
from tests.server.conftest import FAST, running
from tests.server.guests import Guest, Made, bearer

FOR_ONE = ("no-store", "Authorization, Cookie")
FOR_ALL = ("no-cache", "accept-encoding")
"""A file of the page, which is the same for everybody."""
PAGE = (
    "/",
    "/t/{table}/",
    "/t/{table}/seat/{seat}/",
    "/t/{table}/host/",
    "/t/{table}/sit/",
    "/t/{table}/move/",
    "/t/{table}/hand/",
    "/replay/{table}/",
    "/ladders/",
    "/web/{name:path}",
    "/worker.js",
)
READ = ("stream", "snapshot", "replay", "export")
RESULTS = ("/api/tables/{table}/results", "/api/tables/{table}/seats/{seat}/results")
ANSWERED = {
    "/api/games", "/api/ladders", "/api/tables", "/api/replays", "/api/tables/{table}", "/api/tables/{table}/history",
    "/api/tables/{table}/audit", "/healthz", "/metrics", "/openapi.json", *RESULTS,
    *(f"/api/tables/{{table}}/watch/{what}" for what in READ),
    *(f"/api/tables/{{table}}/seats/{{seat}}/{what}" for what in READ),
}  # fmt: skip
"""Where somebody at least is told what they ask for; the others need bodies of their own, and are refused here."""


Routes = set[tuple[str, str]]


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Guest, Routes]]:
    """A server, and every method and path that its application was given."""
    routes: Routes = {("GET", "/openapi.json"), ("HEAD", "/openapi.json")}
    add = APIRouter.add_api_route

    def noted(self: APIRouter, path: str, endpoint: Any, **named: Any) -> None:
        routes.update((method, f"{self.prefix}{path}") for method in named.get("methods") or ["GET"])
        add(self, path, endpoint, **named)

    monkeypatch.setattr(APIRouter, "add_api_route", noted)
    with running(tmp_path / "games.sqlite") as guest:
        yield guest, routes


def everybody(guest: Guest, made: Made) -> Iterator[dict[str, str]]:
    """Yield the headers of a guest, of the host and of each seat, with tokens as a page or as a bot sends them."""
    yield {}
    for token in (made.host, made.tokens[1]):
        yield {"Cookie": f"{COOKIE}={token}", "Origin": str(guest.base_url).rstrip("/")}
    for token in (made.host, made.tokens[1], made.tokens[2], "A" * 22):
        yield bearer(token)


@pytest.mark.slow
def test_every_answer_of_every_route_says_for_whom_it_is(served: tuple[Guest, Routes]) -> None:
    guest, routes = served
    made = guest.made({"name": "Ann"}, {"name": "Bob"}, public=True).started()
    over = guest.made({"program": "minimum"}, {"program": "steady"}, rounds=1, public=True).started()
    with over.watch.stream() as told:
        assert any(one.data["type"] == "GameEnded" for one in told if one.event == "record")
    answered = set()
    for method, path in sorted(routes, key=lambda one: (one[0] not in ("GET", "HEAD"), one)):  # what only reads first
        table = over if path.endswith(("/audit", "/export")) and "{seat}" not in path else made
        address = path.replace("{table}", table.table).replace("{seat}", "1").replace("{name:path}", "app/main.js")
        for headers in everybody(guest, made):
            with guest.stream(method, address, headers=headers) as answer:
                said = (answer.headers.get("cache-control"), answer.headers.get("vary"))
                assert answer.status_code < 500, (method, path)
            if answer.status_code < 300 and method == "GET":
                answered.add(path)
            assert said == (FOR_ALL if path in PAGE else FOR_ONE), (method, path, answer.status_code)
    assert answered >= ANSWERED | {*PAGE}


def test_what_is_not_there_may_come_and_is_kept_by_no_cache(served: tuple[Guest, Routes]) -> None:
    for path in ("/nothing", "/web/nothing.js", "/api/tables/none", "/api/tables/none/watch/snapshot"):
        answer = served[0].get(path)
        assert (answer.status_code, answer.headers["cache-control"], answer.headers["vary"]) == (404, *FOR_ONE), path


def test_a_refusal_before_the_application_is_kept_by_no_cache(served: tuple[Guest, Routes]) -> None:
    refused = served[0].get("/", headers={"Host": "elsewhere.example"})
    assert (refused.status_code, refused.headers["cache-control"], refused.headers["vary"]) == (421, *FOR_ONE)


REFUSED_CONNECTIONS = {
    400: FAST,
    429: replace(FAST, connections_of_address=1),
    503: replace(FAST, connections=1),
}
"""Refusals that no application gives, and under which limits the second connection of an address has them."""
CODES = {400: "bad_request", 429: "too_many", 503: "full"}
OF_ONE_ANSWER = {"connection", "content-length", "content-type", "date", "retry-after"}


@pytest.mark.parametrize(
    ("status", "url"), [*((status, None) for status in REFUSED_CONNECTIONS), (503, "https://cards.example")]
)
def test_a_refusal_of_the_connection_itself_has_what_every_answer_has(
    tmp_path: Path, status: int, url: str | None
) -> None:
    with running(tmp_path / "games.sqlite", limits=REFUSED_CONNECTIONS[status], url=url) as guest:
        usual = guest.get("/healthz").headers
        where, nobody = (guest.base_url.host, guest.base_url.port or 0), ("127.0.0.2", 0)  # who is no proxy of ours
        with (
            socket.create_connection(where, source_address=nobody),
            socket.create_connection(where, timeout=10, source_address=nobody) as wire,
        ):
            if status == 400:
                wire.sendall(b"GET /healthz HTTP/1.1\r\nX-Long: 1\r\n 2\r\n\r\n")
            with closing(HTTPResponse(wire)) as refused:
                refused.begin()
                said = {name.lower(): value for name, value in refused.getheaders()}
                assert (refused.status, json.loads(refused.read())["code"]) == (status, CODES[status])
    assert (said["cache-control"], said["vary"]) == FOR_ONE
    assert ("cross-origin-opener-policy" in said) is (url is not None)
    kept = [{name: of[name] for name in of.keys() - OF_ONE_ANSWER} for of in (said, dict(usual))]
    assert kept[0] == kept[1]


def test_a_page_is_the_same_for_everybody(served: tuple[Guest, Routes]) -> None:
    guest, _ = served
    made = guest.made({"name": "Ann"}, {"name": "Bob"}).started()
    for path in (f"/t/{made.table}/", f"/t/{made.table}/seat/1/", f"/t/{made.table}/host/"):
        assert len({guest.get(path, headers=headers).content for headers in everybody(guest, made)}) == 1
