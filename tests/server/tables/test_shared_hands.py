"""A hand shared by a link: what it shows, from when, until when, and never anything of another hand or seat."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, get_type_hints

import httpx
import pytest

from pokersvc.core.event import Audience, may_see, secret_fields
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import event_hash, secret_digest
from pokersvc.server.app import parts_of
from pokersvc.server.connections.rate_limits import Rate
from pokersvc.server.settings import Limits, Settings
from pokersvc.server.tables.delay import Delay
from pokersvc.server.tables.housekeeping import Housekeeping
from pokersvc.server.tables.shared_hands import MOST
from pokersvc.server.tokens import new_token
from pokersvc.service import Service
from pokersvc.service.opening import open_database
from pokersvc.service.shown import StoredEvent
from tests.server.conftest import running
from tests.server.guests import Guest, Made, bearer, short, simple_action, token_in
from tests.server.sharers import Sharer, dealing_of
from tests.server.test_secrecy import hidden_from
from tests.waiting import eventually

TWO = ({"name": "Ann"}, {"name": "Bob"})
UNKNOWN = (404, "unknown_hand")


@pytest.fixture
def made(server: Guest) -> Made:
    """A game of three hands, the first of which is over."""
    return server.made(*TWO, rounds=3).started().play_to_the_pause()


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[tuple[Guest, Path]]:
    """A server whose tables pause until they are told to go on, and the file of its database."""
    path = tmp_path / "games.sqlite"
    with running(path, pause=600) as guest:
        yield guest, path


def share(made: Made, seat: int = 1, round_: int = 1, **asked: Any) -> httpx.Response:
    body = {"round": round_, **asked}
    return made.guest.post(f"{made.path}/seats/{seat}/hands", json=body, headers=bearer(made.tokens[seat]))


def link_of(made: Made, seat: int = 1, round_: int = 1, **asked: Any) -> str:
    """Share a hand, and return the token of its link."""
    answer = share(made, seat, round_, **asked)
    assert answer.status_code == 201, answer.text
    assert answer.json()["link"].startswith(f"{made.guest.base_url}/t/{made.table}/hand/#".replace("//t", "/t"))
    return token_in(answer.json()["link"])


def shown(made: Made, token: str | None, after: int = 0) -> httpx.Response:
    return made.guest.get(f"{made.path}/hand?after={after}", headers={} if token is None else bearer(token))


def hand(made: Made, token: str) -> dict[str, Any]:
    answer = shown(made, token)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def listed(made: Made, seat: int = 1) -> list[dict[str, Any]]:
    answer = made.guest.get(f"{made.path}/seats/{seat}/hands", headers=bearer(made.tokens[seat]))
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["hands"]
    return found


def end(made: Made, id_: str, seat: int = 1) -> httpx.Response:
    return made.guest.post(f"{made.path}/seats/{seat}/hands/end", json={"id": id_}, headers=bearer(made.tokens[seat]))


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def stored(path: Path, game: str) -> list[StoredEvent]:
    with Database.for_reading(str(path)) as database:
        return Service(EventLog(database)).with_secrets.part(game, after=0, upto=10**6)


def checked(found: dict[str, Any]) -> int:
    """Follow the chain from the hash before a hand to its head, as docs/log.md has it; return the secrets shown."""
    before, opened = bytes.fromhex(found["before"]), 0
    for step in found["steps"]:
        record = step["record"]
        digest = bytes.fromhex(record.get("digest", ""))
        if "secret" in record:
            digest = secret_digest(bytes.fromhex(record["salt"]), record["secret"])
            opened += 1
        before = event_hash(
            before, seq=record["seq"], n=record["n"], game_id=found["game"], type=record["type"],
            version=record["version"], recorded_at=record["recorded_at"], command_id=record["command_id"],
            payload=record["payload"], digest=digest,
        )  # fmt: skip
        assert before.hex() == record["hash"]
    assert before.hex() == found["head"]
    return opened


# What a link shows.


@pytest.mark.parametrize("kind", game_kinds())
def test_each_hand_of_each_game_is_shared_with_its_events_between_two_hashes(
    kept: tuple[Guest, Path], kind: str
) -> None:
    guest, path = kept
    options, rounds = short(kind)
    made = guest.made(*TWO, kind=kind, options=options, rounds=rounds).started()
    played = 0
    while made.play_to_the_pause().watch.snapshot()["outcome"] is None:
        played += 1
        assert hand(made, link_of(made, round_=played))["round"] == played, "as soon as it is over"
        made.ask_host("next")
    events, after = stored(path, made.game), 0
    for round_ in range(1, (rounds or 1) + 1):
        found = hand(made, link_of(made, round_=round_))
        assert (found["first"], found["kind"], found["names"]) == (after + 1, kind, ["Ann", "Bob"])
        assert found["round"] == (None if rounds is None else round_)
        assert [step["record"]["seq"] for step in found["steps"]] == [*range(after + 1, found["last"] + 1)]
        assert found["before"] == (events[after - 1].record.hash.hex() if after else "00" * 32)
        assert found["head"] == events[found["last"] - 1].record.hash.hex()
        assert checked(found) == 0
        assert all(step["text"] and step["view"] for step in found["steps"])
        after = found["last"]
    assert code(share(made, round_=(rounds or 1) + 1)) == (409, "hand_not_over")


def test_a_hand_in_play_is_not_shared(server: Guest) -> None:
    made = server.made(*TWO)
    assert code(share(made)) == (409, "hand_not_over"), "nor one of a game that has not begun"
    made.started()
    for round_ in (1, 2):
        assert code(share(made, round_=round_, cards=True)) == (409, "hand_not_over")


def test_what_happens_after_the_hand_changes_nothing_of_what_its_link_shows(kept: tuple[Guest, Path]) -> None:
    guest, _ = kept
    made = guest.made(*TWO, rounds=2, settings={"opens_seeds": True}).started().play_to_the_pause()
    tokens = [link_of(made), link_of(made, cards=True)]
    before = [shown(made, token).text for token in tokens]
    made.ask_host("next")
    made.play_to_the_end()
    assert made.ask_host("again").status_code == 200
    assert [shown(made, token).text for token in tokens] == before


def test_a_long_hand_comes_in_parts(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    token = link_of(made)
    whole = hand(made, token)["steps"]
    monkeypatch.setattr("pokersvc.server.following.shown_hand.MOST", 5)
    found: list[dict[str, Any]] = []
    while part := shown(made, token, found[-1]["record"]["seq"] if found else 0).json()["steps"]:
        assert len(part) <= 5
        found += part
    assert found == whole


# Whose cards come with it.


@pytest.mark.slow
def test_ones_own_cards_come_with_it_only_if_asked_for_and_nobody_elses(kept: tuple[Guest, Path]) -> None:
    guest, path = kept
    made = guest.made(*TWO, {"name": "Cid"}, rounds=3).started()
    for _ in range(2):
        made.play_to_the_pause()
        made.ask_host("next")
    made.play_to_the_pause()
    events = stored(path, made.game)
    for round_ in (1, 2, 3):
        for seat in (1, 2, 3):
            found = hand(made, link_of(made, seat, round_, cards=True))
            own = [
                record.secret
                for record, event in events[found["first"] - 1 : found["last"]]
                if record.secret is not None and may_see(event, seat)
            ]
            told = [step["record"]["secret"] for step in found["steps"] if "secret" in step["record"]]
            assert told == own != []
            assert checked(found) == len(own)
            text = json.dumps(found)
            assert [one for one in hidden_from(seat, path, made.game) if one in text] == []
            others = {secret for one in events if (secret := one.record.secret) is not None} - set(own)
            assert [one for one in others if json.dumps(one)[1:-1] in text] == [], "nor of another hand"
            closed = hand(made, link_of(made, seat, round_))
            assert [one for one in hidden_from("everyone", path, made.game) if one in json.dumps(closed)] == []


def test_a_common_shuffle_opens_only_ones_own_cards_too(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with running(path, pause=600) as guest:
        made = guest.made(*TWO, rounds=1, settings={"dealing": "together"}).started()
        sharers = {seat: Sharer(made, seat) for seat in (1, 2)}
        for sharer in sharers.values():
            sharer.bind()
        made.ask_host("next")
        for sharer in sharers.values():
            sharer.open()
        made.play_to_the_end()
        assert dealing_of(made) is not None
        found = hand(made, link_of(made, 1, cards=True))
        types = {step["record"]["type"] for step in found["steps"] if "secret" in step["record"]}
        assert {"SharesAwaited", "ShareOpened"} <= {step["record"]["type"] for step in found["steps"]}
        assert types <= {"HandDealt", "CardsDiscarded", "CardsDrawn"}
        assert checked(found) > 0
        text = json.dumps(found)
        assert [one for one in hidden_from(1, path, made.game) if one in text] == []


@pytest.mark.parametrize("kind", game_kinds())
def test_no_event_of_any_version_has_the_secret_of_a_seat_beside_that_of_another_or_of_the_dealer(kind: str) -> None:
    types = game_of(kind).event_types
    of_seats = {name for (name, _), event in types.items() if Audience.SEAT in secret_fields(event).values()}
    assert of_seats or kind != "draw"
    for (name, _), event in types.items():
        if name in of_seats:
            assert set(secret_fields(event).values()) == {Audience.SEAT}
            assert get_type_hints(event)["seat"] is int


def test_a_new_holder_of_a_seat_shares_no_cards_from_before(made: Made) -> None:
    made.renewed(1)
    found = hand(made, link_of(made, cards=True))
    assert checked(found) == 0
    assert '"secret"' not in json.dumps(found)
    assert set(found["steps"][-5]["view"]["seats"][0]["cards"]) == {None}


def test_a_hand_is_shared_by_who_folded_and_by_who_was_not_dealt_in(kept: tuple[Guest, Path]) -> None:
    guest, _ = kept
    made = guest.made({"name": "Ann"}, {"name": "Bob"}, {}, options={"cash": True, "rules": "no-limit"}).started()
    made.play_to_the_pause()
    sat = guest.post(f"{made.path}/sit", json={"name": "Cid", "token": made.invitation})
    assert sat.status_code == 201, sat.text
    made.tokens[3] = token_in(sat.json()["link"])
    found = hand(made, link_of(made, 3, cards=True))
    assert (found["seat"], checked(found)) == (3, 0), "they had no cards in it"


# From when, and until when.


def test_watchers_of_a_delayed_table_are_shown_a_hand_once_they_have_seen_it(
    kept: tuple[Guest, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, path = kept
    made = guest.made(*TWO, rounds=2)
    made.ask_host("access", delay=3600)
    play_live(made.started())
    token = link_of(made, cards=True)
    assert not listed(made)[0]["shown"]
    times = [one.record.recorded_at for one in stored(path, made.game)]
    moment = [""]
    monkeypatch.setattr(Delay, "before", lambda self, row: moment[0])
    for moment[0] in ("", times[0], max(time for time in times if time < times[-1])):
        assert (code(shown(made, token)), listed(made)[0]["shown"]) == (UNKNOWN, False)
    unknown = shown(made, new_token()).text
    assert shown(made, token).text == unknown, "as if there were none"
    moment[0] = times[-1]
    assert (hand(made, token)["round"], listed(made)[0]["shown"]) == (1, True)
    moment[0] = ""
    assert code(shown(made, token)) == UNKNOWN, "the delay is longer again"


def play_live(made: Made) -> None:
    """Play the round that is on, at a table of which watchers are told later."""
    while not (now := made.seat(1).snapshot())["pausing"]:
        seat = made.seat(now["awaited"][0])
        seat.send(action=simple_action(seat.snapshot()))


def test_who_sees_a_game_later_shares_nothing_that_they_have_not_seen(
    kept: tuple[Guest, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, _ = kept
    made = guest.made(*TWO, {}, options={"cash": True, "rules": "no-limit"})
    made.ask_host("access", delay=3600)
    play_live(made.started())
    sat = guest.post(f"{made.path}/sit", json={"name": "Cid", "token": made.invitation})
    made.tokens[3] = token_in(sat.json()["link"])
    assert code(share(made, 3)) == (409, "hand_not_over")
    assert share(made, 2).status_code == 201


def test_a_seat_is_told_which_hand_was_the_last(server: Guest) -> None:
    def told(made: Made) -> tuple[int, bool]:
        answer = server.get(f"{made.path}/seats/1/hands", headers=bearer(made.tokens[1])).json()
        return answer["last"], answer["rounds"]

    made = server.made(*TWO, rounds=2)
    assert told(made) == (0, True)
    assert told(made.started()) == (0, True)
    assert told(made.play_to_the_end()) == (2, True)
    options, _ = short("kalah")
    sown = server.made(*TWO, kind="kalah", options=options).started()
    assert told(sown) == (0, False)
    assert told(sown.play_to_the_end()) == (1, False)


def test_its_maker_ends_it_and_nobody_else(made: Made, server: Guest) -> None:
    first, second = link_of(made), link_of(made, cards=True)
    both = listed(made)
    assert [one["cards"] for one in both] == [True, False], "the newest first"
    assert {one["round"] for one in both} == {one["number"] for one in both} == {1}
    assert [one["id"] for one in both] == [sha256(token.encode()).hexdigest() for token in (second, first)]
    assert listed(made, 2) == []
    assert code(end(made, both[1]["id"], 2)) == UNKNOWN
    other = server.made(*TWO).started()
    assert code(end(other, both[1]["id"])) == UNKNOWN
    assert hand(made, first)["round"] == 1
    assert end(made, both[1]["id"]).status_code == 204
    assert code(shown(made, first)) == code(end(made, both[1]["id"])) == UNKNOWN
    assert hand(made, second)["round"] == 1
    assert [one["id"] for one in listed(made)] == [both[0]["id"]]


def test_it_ends_with_the_token_of_the_seat_that_made_it(made: Made) -> None:
    mine, others = link_of(made, cards=True), link_of(made, 2)
    made.new_link(1)
    assert code(shown(made, mine)) == UNKNOWN, "its maker could not end it any more"
    made.renewed(1)
    assert (listed(made), code(shown(made, mine))) == ([], UNKNOWN)
    assert hand(made, others)["seat"] == 2


def test_a_player_who_is_removed_shares_nothing_any_more(made: Made) -> None:
    mine, others = link_of(made, 2), link_of(made, 1)
    assert made.ask_host("seats/2/remove").status_code == 204
    made.play_to_the_end()
    eventually(lambda: shown(made, mine).status_code == 404)
    assert hand(made, others)["seat"] == 1


def test_a_player_who_is_removed_in_the_last_round_shares_nothing_after_the_game(server: Guest) -> None:
    made = server.made(*TWO, rounds=2).started().play_to_the_pause()
    mine = link_of(made, 2)
    if made.watch.snapshot()["pausing"]:
        made.ask_host("next")
    assert made.ask_host("seats/2/remove").status_code == 204
    made.play_to_the_end()
    eventually(lambda: shown(made, mine).status_code == 404)
    assert code(shown(made, mine)) == UNKNOWN


def test_it_goes_along_when_its_maker_moves_to_another_device(made: Made) -> None:
    token, before = link_of(made, cards=True), made.tokens[1]
    shares = hand(made, token)
    words = made.guest.post(f"{made.path}/seats/1/code", headers=bearer(before)).json()["code"]
    moved = made.guest.post(f"{made.path}/move", json={"code": words, "bearer": True})
    assert hand(made, token) == shares
    refused = made.guest.get(f"{made.path}/seats/1/hands", headers=bearer(before))
    assert code(refused) == (401, "wrong_token"), "the device before ends nothing any more"
    made.tokens[1] = moved.json()["token"]
    (one,) = listed(made)
    assert end(made, one["id"]).status_code == 204
    assert code(shown(made, token)) == UNKNOWN


def test_hands_of_earlier_games_are_shared_and_go_on_at_the_next_game(kept: tuple[Guest, Path]) -> None:
    guest, _ = kept
    made = guest.made(*TWO, rounds=1).started().play_to_the_end()
    token = link_of(made)
    assert made.ask_host("again").status_code == 200
    assert (hand(made, token)["game"], hand(made, token)["number"]) == (made.game, 1)
    assert [(one["game"], one["number"]) for one in listed(made)] == [(made.game, 1)]
    again = guest.post(f"{made.path}/seats/1/hands?game={made.game}", json={"round": 1}, headers=bearer(made.tokens[1]))
    assert again.status_code == 201
    assert code(share(made)) == (409, "hand_not_over"), "of the game that has just begun"
    made.play_to_the_end()
    assert made.ask_host("close").status_code == 204
    assert hand(made, token)["game"] == made.game


def test_it_is_deleted_with_the_chat_thirty_days_after_the_end_of_the_table(kept: tuple[Guest, Path]) -> None:
    guest, path = kept
    made = guest.made(*TWO, rounds=1).started().play_to_the_end()
    token = link_of(made)
    with open_database(path) as database:
        parts = parts_of(database, Settings())
        now = datetime.now(UTC)
        Housekeeping(parts).look(now + timedelta(days=29))
        assert hand(made, token)["round"] == 1, "the table is not closed"
        made.ask_host("close")
        Housekeeping(parts).look(now + timedelta(days=29))
        assert hand(made, token)["round"] == 1
        Housekeeping(parts).look(now + timedelta(days=31))
        assert code(shown(made, token)) == UNKNOWN
        assert listed(made) == []
        parts.hub.close()


# Who may, how much, and by what token.


def test_every_other_token_opens_no_shared_hand_and_that_of_a_hand_opens_nothing_else(
    made: Made, server: Guest
) -> None:
    token, other = link_of(made, cards=True), server.made(*TWO)
    tokens = (
        None,
        made.host,
        *made.tokens.values(),
        *made.links.values(),
        made.invitation,
        token[:-1],
        f"{token}A",
    )
    refused = {shown(made, one).text for one in (*tokens, new_token(), sha256(token.encode()).hexdigest())}
    assert len(refused) == 1, "whatever the reason is"
    assert {code(shown(made, one)) for one in tokens} == {UNKNOWN}
    by_cookie = {"Cookie": f"pokersvc={token}", "Origin": str(server.base_url).rstrip("/")}
    assert code(server.get(f"{made.path}/hand", headers=by_cookie)) == UNKNOWN
    elsewhere = server.get(f"{other.path}/hand", headers=bearer(token))
    assert code(elsewhere) == UNKNOWN
    for seat in (1, 2):
        for what in ("snapshot", "stream", "replay", "export", "session", "hands", "table", "chat"):
            assert server.get(f"{made.path}/seats/{seat}/{what}", headers=bearer(token)).status_code == 401
        for body in ({"round": 1}, {"round": 1, "cards": True}):
            asked = server.post(f"{made.path}/seats/{seat}/hands", json=body, headers=bearer(token))
            assert code(asked) == (401, "wrong_token")
    made.host = token
    assert code(made.ask_host("pause")) == (401, "wrong_token")


def test_the_token_is_stored_as_a_digest_and_no_answer_but_the_first_has_it(kept: tuple[Guest, Path]) -> None:
    guest, path = kept
    made = guest.made(*TWO, rounds=1).started().play_to_the_end()
    token = link_of(made)
    assert token.encode() not in path.read_bytes()
    assert token not in json.dumps([listed(made), hand(made, token)])


def test_a_seat_shares_twenty_hands_at_most(made: Made) -> None:
    for _ in range(MOST):
        link_of(made)
    assert code(share(made)) == (409, "too_many_hands")
    assert share(made, 2).status_code == 201, "each on its own"
    assert end(made, listed(made)[0]["id"]).status_code == 204
    assert share(made).status_code == 201


def test_wrong_tokens_are_limited_by_address(tmp_path: Path) -> None:
    limits = Limits(entries=Rate(1e-6, 5))
    with running(tmp_path / "games.sqlite", limits=limits, pause=600) as guest:
        made = guest.made(*TWO).started().play_to_the_pause()
        token = link_of(made)
        codes = [code(shown(made, new_token())) for _ in range(6)]
        assert {UNKNOWN, (429, "too_many")} == set(codes)
        assert hand(made, token)["round"] == 1, "who has the link is not held up"


def test_a_seat_shares_nothing_but_a_round_with_or_without_its_own_cards(made: Made) -> None:
    for body in ({}, {"round": 0}, {"round": 1, "seat": 2}, {"round": 1, "cards": 2}, {"round": "1"}):
        answer = made.guest.post(f"{made.path}/seats/1/hands", json=body, headers=bearer(made.tokens[1]))
        assert code(answer) == (422, "invalid_request"), body


def test_a_hand_of_a_game_at_which_one_had_no_seat_is_not_ones_own_to_share(kept: tuple[Guest, Path]) -> None:
    guest, _ = kept
    made = guest.made({"name": "Ann"}, {"name": "Bob"}, rounds=1).started().play_to_the_end()
    made.ask_host("seats/2/remove")
    assert code(share(made, 2)) == (401, "wrong_token")
