"""Who is who: every request with every wrong token; cookies, links that replace others, hosts and origins."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx
import pytest

from pokersvc.server.authentication import COOKIE
from pokersvc.server.commands import Commands
from pokersvc.server.tables.information import MOST_SEATS

from .guests import Guest, Made, bearer

TWO = ({"name": "Ann"}, {"name": "Bob"})


def bodies(token: str) -> dict[str, dict[str, Any]]:
    """A right body for each request that has one, by the end of its address."""
    return {
        "/session": {"token": token},
        "/commands": {"id": str(uuid4()), "typed": "fold"},
        "/program": {"kind": "steady"},
        "/name": {"name": "Eve"},
        "/move": {"to": 2},
        "/elsewhere": {"name": "Zoe", "to": 2},
        "/access": {"admits": "each"},
        "/say": {"text": "hello"},
        "/hands": {"round": 1},
        "/end": {"id": "00" * 32},
        "/delete": {"number": 1},
        "/stakes": {"stakes": {"ante": 1}},
        "/clock": {"seconds": 30},
        "/purchase": {"admits": True},
        "/binding": {"id": str(uuid4()), "key": "00" * 32, "tip": "00" * 32, "length": 1, "signature": "00" * 64},
        "/share": {"id": str(uuid4()), "share": "00" * 32, "signature": "00" * 64},
    }


def guarded(guest: Guest, made: Made, other: Made) -> Iterator[tuple[str, str, list[str]]]:
    """Yield every request that needs a token, with the tokens that are wrong for it."""
    for path, methods in guest.get("/openapi.json").json()["paths"].items():
        if not re.search(r"/host/|/seats/", path):
            continue
        of_host = "/host/" in path
        address = path.replace("{table}", made.table).replace("{seat}", "1")
        wrong = [other.host, *other.tokens.values(), made.tokens[2], "A" * 22]
        wrong.append(made.tokens[1] if of_host else made.host)
        if path.endswith(("/follow", "/elsewhere")):  # which tell whoever sits at the table where
            wrong.remove(made.tokens[2])
        for method in methods:
            yield method.upper(), address, wrong


@pytest.mark.slow
def test_every_request_with_every_wrong_token_is_refused(server: Guest) -> None:
    made, other = server.made(*TWO).started(), server.made(*TWO)
    before = made.watch.snapshot()["head"]
    asked = 0
    for method, address, tokens in guarded(server, made, other):
        for token in [*tokens, None]:
            body = next((value for end, value in bodies(token or "A" * 22).items() if address.endswith(end)), None)
            by_cookie = {"Cookie": f"{COOKIE}={token}", "Origin": str(server.base_url).rstrip("/")}
            ways: list[dict[str, str]] = []
            if token is None or address.endswith("/session"):  # where the body has the token
                ways.append({})
            if token is not None:
                ways += [bearer(token), by_cookie] if token == tokens[-1] else [bearer(token)]
            for headers in ways:
                answer = server.request(method, address, headers=headers, json=body)
                assert (answer.status_code, answer.json()["code"]) == (401, "wrong_token"), (method, address, headers)
                assert token is None or token not in answer.text
                asked += 1
    assert asked > 200
    assert made.watch.snapshot()["head"] == before
    assert server.get(other.path).json()["status"] == "waiting"


def test_a_link_is_traded_for_a_cookie_of_its_seat_alone(server: Guest) -> None:
    made = server.made(*TWO).started()
    origin = {"Origin": str(server.base_url).rstrip("/")}
    for seat in (1, 2):
        answer = server.post(f"{made.path}/seats/{seat}/session", json={"token": made.tokens[seat]}, headers=origin)
        assert answer.status_code == 204
        said = answer.headers["set-cookie"].lower()
        assert f"path={made.path}/seats/{seat};" in said
        assert "httponly" in said
        assert "samesite=strict" in said
        assert "secure" not in said, "http"
    assert all(server.get(f"{made.path}/seats/{seat}/snapshot").status_code == 200 for seat in (1, 2))
    server.cookies.clear()


def test_a_name_may_be_said_with_a_link_until_the_game_starts(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bob"}, all_come=False)
    said = {"token": made.links[1], "name": "Zoë"}
    taken = server.post(f"{made.path}/seats/1/session", json=said | {"name": "bob"})
    assert (taken.status_code, taken.json()["code"]) == (422, "invalid_value")
    assert server.post(f"{made.path}/seats/1/session", json=said).status_code == 204
    said["token"] = server.cookies["pokersvc"]
    server.cookies.clear()
    taken = server.post(f"{made.path}/seats/1/session", json=said | {"name": "bob"})
    assert (taken.status_code, taken.json()["code"]) == (422, "invalid_value")
    assert [seat["name"] for seat in server.get(made.path).json()["seats"]] == ["Zoë", "Bob"]


def test_a_new_link_ends_the_old_one_and_shows_no_hand_from_before(server: Guest) -> None:
    made = server.made(*TWO).started()
    old = made.seat(1)
    before = old.snapshot()
    assert None not in before["view"]["seats"][0]["cards"]
    command = {"id": str(uuid4()), "typed": "bet 50"}
    assert old.send(**command).status_code == 200
    with old.stream() as told:
        next(told)
        link = made.new_link(1)
        assert [one.data for one in told if one.event == "gone"] == [{"code": "link_replaced"}]
    assert old.get("snapshot").status_code == 401
    made.tokens[1] = server.exchanged(made.table, 1, link)
    new = made.seat(1)
    now = new.snapshot()
    assert set(now["view"]["seats"][0]["cards"]) == {None}
    records = new.events(now["count"])
    assert [one["hash"] for one in records] == [one["hash"] for one in made.watch.events(now["count"])]
    assert not any("secret" in one for one in records)
    again = new.send(**command)
    assert again.status_code == 200
    assert "secret" not in again.text
    assert "secret" not in new.get("replay").text
    assert new.get("export").status_code == 409
    assert made.seat(2).send(typed="call").status_code == 200
    held = before["view"]["seats"][0]["cards"]
    refused = [new.send(action={"type": "Discard", "cards": [card]}) for card in (held[0], "2c", "Ah")]
    assert len({(one.status_code, one.json()["code"]) for one in refused}) == 1, "no refusal tells what is held"
    assert new.send(action={"type": "Discard", "cards": []}).status_code == 200


def test_the_old_link_has_ended_before_the_table_is_told(server: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    made = server.made(*TWO).started()
    old, codes, tell = made.seat(1), [], Commands.at_table

    def told(*arguments: Any) -> None:
        codes.append(old.get("snapshot").status_code)
        tell(*arguments)

    monkeypatch.setattr(Commands, "at_table", told)
    assert made.ask_host("seats/1/link").status_code == 200
    assert codes == [401]


def ask(guest: Guest, **headers: str) -> httpx.Response:
    return guest.get("/api/tables", headers={name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "", "localhost:80@evil.example", "[::1"])
def test_a_request_for_another_host_is_refused(server: Guest, host: str) -> None:
    answer = ask(server, Host=host)
    assert answer.status_code in (400, 421)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1", "http://localhost:1", "", "file://"]
)
def test_nothing_is_read_or_written_for_another_sites_page(server: Guest, origin: str) -> None:
    assert (ask(server, Origin=origin).status_code, ask(server).status_code) == (403, 200)
    made = server.made(*TWO)
    headers = bearer(made.host) | {"Origin": origin}
    assert server.post(f"{made.path}/host/start", headers=headers).status_code == 403
    assert server.get(made.path).json()["status"] == "waiting"


def test_a_write_by_cookie_names_its_origin(server: Guest) -> None:
    made = server.made(*TWO)
    cookie = {"Cookie": f"{COOKIE}={made.host}"}
    refused = server.post(f"{made.path}/host/start", headers=cookie)
    assert (refused.status_code, refused.json()["code"]) == (403, "no_origin")
    right = cookie | {"Origin": str(server.base_url).rstrip("/")}
    assert server.post(f"{made.path}/host/start", headers=right).status_code == 204


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"seats": [{"program": "/tmp/evil.py:Evil"}, {}]}, "There is no bot"),
        ({"seats": [{"program": "rollout/1000000000"}, {}], "kind": "market"}, "There is no bot"),
        ({"seats": [{}, {}], "options": {"rules": "/etc/house.toml"}}, "is not a house"),
        ({"seats": [{}, {}], "options": {"rules": "../presets/kitchen.toml"}}, "is not a house"),
        ({"seats": [{}, {}], "options": {"rules": {"version": 1}}}, "lack the field"),
        ({"seats": [{}, {}], "options": {"rules": ["x"]}}, "is not a house"),
        ({"seats": [{}, {}], "options": {"advisor": "monte-carlo"}}, "has no option"),
        ({"seats": [{}, {}], "options": {"think": "0"}, "kind": "kalah"}, "has no option"),
        ({"seats": [{}, {}], "options": {"holes": "6"}, "kind": "kalah"}, "of type int"),
        ({"seats": [{}, {}], "options": {"holes": 10**9}, "kind": "kalah"}, "holes are 1 to"),
        ({"seats": [{}, {}], "kind": "chess"}, "There is no game"),
        ({"seats": [{}, {}], "seed": "mine"}, "body.seed"),
        ({"seats": [{}, {}], "options": {"seed": "mine"}}, "has no option"),
        ({"seats": [{"name": "x" * 41}, {}]}, "body.seats.0.name"),
        ({"seats": [{"name": "a\nb"}, {}]}, "body.seats.0.name"),
        ({"seats": [{"name": "Ann"}, {"name": "ann"}]}, "look alike"),
        ({"seats": [{}]}, "1 player cannot play"),
    ],
)
def test_a_request_names_no_path_no_class_and_no_seed(server: Guest, body: dict[str, Any], why: str) -> None:
    refused = server.post("/api/tables", json={"kind": "draw", **body})
    assert refused.status_code == 422, refused.text
    assert why in refused.json()["message"]


@pytest.mark.parametrize("path", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "x/../../app.py", ""])
def test_only_files_of_the_page_are_served(server: Guest, path: str) -> None:
    answer = server.get(f"/web/{path}")
    assert answer.status_code == 404
    assert "import" not in answer.text


@pytest.mark.parametrize("path", ["/", "/t/x/", "/web/index.html"])
def test_a_page_can_be_asked_for_its_headers_alone(server: Guest, path: str) -> None:
    head, whole = server.head(path), server.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == whole.headers["etag"]


def test_answers_have_the_headers_that_keep_other_sites_out(server: Guest) -> None:
    for answer in (server.get("/api/tables"), server.get("/nowhere"), ask(server, Host="evil.example")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("table", ["no table", "no!", "%E0%A4%A", "x" * 65])
@pytest.mark.parametrize("rest", ["", "/watch/snapshot", "/seats/1/stream", "/history"])
def test_an_address_that_cannot_be_a_tables_leads_to_no_table(server: Guest, table: str, rest: str) -> None:
    answer = server.get(f"/api/tables/{quote(table)}{rest}")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_table")
    assert answer.json()["message"] == "There is no such table: look at the link again, or at the lobby."


@pytest.mark.parametrize("seat", ["0", "x", "NaN", "1000"])
def test_an_address_that_cannot_be_a_seats_leads_to_no_seat(server: Guest, seat: str) -> None:
    made = server.made({"name": "Ann"}, {"name": "Bo"})
    answer = server.get(f"{made.path}/seats/{seat}/snapshot")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_table")
    assert answer.json()["message"] == f"There is no such seat: seats have numbers from 1 to {MOST_SEATS}."
