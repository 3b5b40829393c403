"""Tables that shuffle together over HTTP: bound, opened, missed, left, and opened for everybody at the end."""

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest

from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.eventlog.record import GENESIS
from pokersvc.evidence.verified import verify_export
from pokersvc.server.commands import Commands
from pokersvc.server.running.next_step import Next, next_step
from pokersvc.server.running.share_waits import ShareWaits
from pokersvc.server.settings import Settings
from pokersvc.service import Status
from pokersvc.service.table_status import SharesStatus, TableStatus

from .conftest import running
from .guests import Guest, Made, simple_action
from .sharers import Sharer, awaited, dealing_of, post, until

TWO = ({"name": "Ann"}, {"name": "Bob"})
TOGETHER: dict[str, Any] = {"dealing": "together", "opens_seeds": True}


def together(guest: Guest, *seats: dict[str, str], kind: str = "draw", rounds: int = 2, **settings: Any) -> Made:
    return guest.made(*(seats or TWO), kind=kind, rounds=rounds, settings=TOGETHER | settings).started()


def bound(made: Made, *seats: int) -> list[Sharer]:
    sharers = [Sharer(made, seat) for seat in seats]
    for sharer in sharers:
        assert sharer.bind().status_code == 200
    return sharers


def types_at(made: Made) -> list[str]:
    return [one["type"] for one in made.watch.events(made.watch.snapshot()["count"])]


def play_round(made: Made) -> None:
    """Let people choose until the round is over."""
    while (now := made.watch.snapshot())["awaited"]:
        seat = made.seat(now["awaited"][0])
        mine = seat.snapshot()
        assert seat.send(head=mine["head"], action=simple_action(mine)).status_code == 200


@pytest.mark.parametrize("kind", [kind for kind in game_kinds() if game_of(kind).dealt_together])
def test_a_game_is_shuffled_together_to_its_end(server: Guest, kind: str, tmp_path: Path) -> None:
    made = together(server, kind=kind)
    assert made.watch.snapshot()["shares"] == {
        "round": 0, "head": None, "asked": [], "waiting": [], "bound": {}, "due": True, "deadline": None, "seconds": 20,
    }  # fmt: skip
    (ann,) = bound(made, 1)
    assert "SharesAwaited" not in types_at(made), "the round waits for Bob"
    (bob,) = bound(made, 2)
    for round_ in count(1):
        shares = awaited(made, round_)
        assert (shares["waiting"], shares["asked"]) == ([1, 2], [1, 2])
        assert shares["bound"] == {"1": 41 - round_, "2": 41 - round_}
        last = made.watch.events(made.watch.snapshot()["count"])[-1]
        assert (last["type"], last["hash"]) == ("SharesAwaited", shares["head"])
        assert shares["deadline"] > last["recorded_at"]
        assert bob.open().status_code == 200
        assert made.watch.snapshot()["shares"]["waiting"] == [1]
        last_share = ann.open().json()["events"]
        assert [one["type"] for one in last_share][:1] == ["ShareOpened"]
        assert "DeckShuffled" in [one["type"] for one in last_share], "the command that completes the shares shuffles"
        play_round(made)
        if made.watch.snapshot()["outcome"] is not None:
            break
    assert server.get(f"{made.path}/audit").json()["findings"] == []
    with made.watch.stream(after=made.watch.snapshot()["count"] - 1) as told:
        opened: Any = next(one.data for one in told if one.event == "opened")
    assert opened[0]["seq"] == 1, "the secret that the dealer bound itself to"
    for held in (made.watch, made.seat(1)):
        file = tmp_path / f"{held.number}.jsonl"
        file.write_bytes(held.get("export").content)
        verified = verify_export(file)
        assert verified.passed, verified.findings
        assert set(verified.export.opened) <= {one["seq"] for one in opened}
        assert 1 in verified.export.opened


def test_a_file_says_nothing_of_the_secret_before_the_end_or_where_seeds_stay_closed(server: Guest) -> None:
    made = together(server, rounds=1, opens_seeds=False)
    sharers = bound(made, 1, 2)
    awaited(made, 1)
    assert '"opened":[]' in made.watch.get("export").text
    for sharer in sharers:
        sharer.open()
    play_round(made)
    assert '"opened":[]' in made.watch.get("export").text
    on = together(server)
    assert '"opened":[]' in on.watch.get("export").text


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"kind": "kalah", "seats": list(TWO)}, "no deck"),
        ({"kind": "draw", "seats": [{"program": "steady"}, {"program": "steady"}]}, "needs a person"),
    ],
)
def test_what_cannot_be_shuffled_together_is_refused(server: Guest, asked: dict[str, Any], said: str) -> None:
    refused = server.post("/api/tables", json={**asked, "settings": TOGETHER})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_value")
    assert said in refused.json()["message"]
    for wrong in ({"share_seconds": 0}, {"share_seconds": 3601}, {"dealing": "nobody"}):
        assert server.post("/api/tables", json={**asked, "settings": TOGETHER | wrong}).status_code == 422


def test_a_table_whose_last_seat_a_bot_takes_does_not_start(server: Guest) -> None:
    made = server.made({}, {"program": "steady"}, public=True, settings=TOGETHER)
    assert made.ask_host("seats/1/program", kind="steady").status_code == 204
    refused = made.ask_host("start")
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_value")
    assert server.get(made.path).json()["status"] == "waiting"


def test_what_is_sent_again_is_recorded_once(server: Guest) -> None:
    made = together(server)
    ann, bob = Sharer(made, 1), Sharer(made, 2)
    body = ann.binding()
    first, again = post(ann.held, "binding", body), post(ann.held, "binding", body)
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    other = post(ann.held, "binding", Sharer(made, 1).binding() | {"id": body["id"]})
    assert (other.status_code, other.json()["code"]) == (422, "command_reused")
    bob.bind()
    awaited(made, 1)
    share, last = ann.share(), bob.share()
    first, done = post(ann.held, "share", share), post(bob.held, "share", last)
    assert post(ann.held, "share", share).json() == first.json()
    assert post(bob.held, "share", last).json() == done.json()
    assert len(done.json()["events"]) > 5, "with the deck and what follows"
    late = post(ann.held, "share", share | {"id": str(uuid4())})
    assert (late.status_code, late.json()["code"]) == (422, "not_awaited")
    assert types_at(made).count("ShareOpened") == 2
    assert types_at(made).count("SeatBound") == 2


def test_what_is_not_signed_or_does_not_fit_is_refused(server: Guest) -> None:
    made, stranger = together(server), together(server)
    ann, bob = Sharer(made, 1), Sharer(made, 2)

    def refused(sharer: Sharer, what: str, body: dict[str, Any]) -> Any:
        answer = post(sharer.held, what, body)
        assert answer.status_code == 422, answer.text
        return answer.json()["code"]

    assert refused(ann, "binding", Sharer(stranger, 1).binding()) == "not_signed"
    assert refused(ann, "binding", bob.binding()) == "not_signed", "another seat's"
    assert refused(ann, "binding", ann.binding() | {"key": "00"}) == "invalid_request"
    assert refused(ann, "binding", ann.binding() | {"length": 0}) == "invalid_request"
    assert refused(ann, "binding", ann.binding() | {"seat": 2}) == "invalid_request"
    assert refused(ann, "binding", ann.binding(Sharer(made, 1).device)) == "not_signed", "there is nothing to renew"
    ann.bind(), bob.bind()
    shares = awaited(made, 1)
    good = ann.share()
    assert refused(ann, "share", good | {"signature": "00" * 64}) == "not_signed"
    assert refused(ann, "share", good | {"share": "00" * 32}) == "wrong_share"
    assert refused(bob, "share", good) == "wrong_share"
    assert refused(ann, "share", good | {"head": shares["head"]}) == "invalid_request", "the head is in the signature"
    assert refused(ann, "binding", ann.binding()) == "shares_awaited"
    assert post(made.seat(1), "share", good).status_code == 200
    dealers = server.made(*TWO).started()
    answer = post(dealers.seat(1), "share", good)
    assert (answer.status_code, answer.json()["code"]) == (422, "dealer_shuffles")
    waiting = server.made(*TWO, settings=TOGETHER)
    assert post(waiting.seat(1), "share", good).json()["code"] == "not_started"
    waiting.tokens[1] = waiting.tokens[2]
    assert post(waiting.seat(1), "share", good).status_code == 401


def test_nothing_else_happens_while_shares_are_awaited(server: Guest) -> None:
    made = together(server)
    assert made.seat(1).send(action={"type": "GoOn"}).json()["code"] == "not_bound"
    bound(made, 1)
    early = made.seat(1).send(action={"type": "GoOn"})
    assert (early.status_code, early.json()["code"]) == (422, "not_bound"), "nobody is left out of a shuffle in haste"
    assert made.ask_host("next").json()["code"] == "not_bound"
    bound(made, 2)
    awaited(made, 1)
    head = made.watch.snapshot()["head"]
    for action in ({"type": "GoOn"}, {"type": "Leave"}, {"type": "Fold"}, {"type": "ComeBack"}):
        assert made.seat(1).send(action=action).json()["code"] == "shares_awaited"
    assert made.ask_host("close").json()["code"] == "shares_awaited"
    assert made.ask_host("seats/2/remove").status_code == 204, "once the round is over"
    assert made.watch.snapshot()["head"] == head
    assert made.ask_host("pause").status_code == 204
    assert made.watch.snapshot()["shares"]["deadline"] is None, "the clock for shares stands still"


@pytest.mark.slow
def test_missed_shares_fold_a_seat_until_it_comes_back(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite") as guest:
        made = together(guest, *TWO, {"name": "Cid"}, rounds=3, share_seconds=2)
        ann, bob, cid = bound(made, 1, 2, 3)
        awaited(made, 1)
        ann.open(), bob.open()
        until(made, lambda shares: not shares["waiting"])
        types = types_at(made)
        assert types[-1] != "ShareMissed", "the deck is in the same command"
        assert {"ShareMissed", "DeckShuffled", "RoundForgone"} <= set(types)
        assert made.watch.snapshot()["sitting_out"] == [3]
        play_round(made)
        assert awaited(made, 2)["asked"] == [1, 2], "who sits out is asked for no share"
        ann.open(), bob.open()
        assert cid.held.send(action={"type": "ComeBack"}).status_code == 200
        play_round(made)
        assert awaited(made, 3)["asked"] == [1, 2, 3]
        assert cid.open().status_code == 200, "its chain has gone on without it"
        ann.open(), bob.open()
        play_round(made)
        assert dealing_of(made).missed == {3: [1]}
        assert guest.get(f"{made.path}/audit").json()["passed"]


@pytest.mark.slow
def test_a_round_without_a_person_who_is_not_bound_begins_once_their_time_is_over(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite") as guest:
        made = together(guest, share_seconds=1)
        began = datetime.now(UTC)
        (ann,) = bound(made, 1)
        assert awaited(made, 1)["asked"] == [1]
        assert datetime.now(UTC) - began > timedelta(seconds=0.5), "Bob had a second to take part"
        ann.open()
        play_round(made)
        began = datetime.now(UTC)
        assert awaited(made, 2)["asked"] == [1]
        assert datetime.now(UTC) - began < timedelta(seconds=0.9), "who let it pass is not waited for again"


@pytest.mark.slow
def test_a_round_for_which_no_share_came_is_not_played(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite") as guest:
        made = together(guest, share_seconds=1)
        bound(made, 1, 2)
        until(made, lambda shares: shares["round"] == 1 and not shares["waiting"])
        now = made.watch.snapshot()
        assert (now["sitting_out"], now["awaited"]) == ([1, 2], [])
        assert "DeckShuffled" not in types_at(made)
        assert made.seat(1).send(action={"type": "ComeBack"}).status_code == 200
        assert awaited(made, 2)["asked"] == [1], "it goes on with whoever is back"


def test_a_seat_with_a_new_link_is_bound_anew_and_all_are_told(server: Guest) -> None:
    made = together(server, rounds=3)
    ann, bob = bound(made, 1, 2)
    awaited(made, 1)
    ann.open(), bob.open()
    link = made.new_link(2)
    assert post(bob.held, "binding", bob.binding()).status_code == 401, "the link before holds no more"
    made.tokens[2] = server.exchanged(made.table, 2, link)
    other = Sharer(made, 2)
    assert other.bind().json()["code"] == "round_on"
    play_round(made)


def test_a_used_up_chain_is_renewed(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", pause=3600) as guest:
        made = together(guest)
        ann, bob = Sharer(made, 1, length=1), Sharer(made, 2)
        ann.bind(), bob.bind()
        assert awaited(made, 1)["bound"] == {"1": 1, "2": 40}
        ann.open(), bob.open()
        play_round(made)
        shares = made.watch.snapshot()["shares"]
        assert (shares["bound"], shares["asked"]) == ({"1": 0, "2": 39}, [2])
        anew = Sharer(made, 1)
        assert anew.bind(ann.device).status_code == 200
        assert dealing_of(made).replaced == {}
        made.ask_host("next")
        assert awaited(made, 2)["asked"] == [1, 2]
        anew.open(), bob.open()
        assert "shares" in made.watch.snapshot()
        assert made.watch.snapshot()["shares"]["due"] is False


def test_a_table_without_a_person_ends(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", pause=0.2) as guest:
        made = together(guest, {"name": "Ann"}, {"program": "steady"}, {"program": "steady"}, rounds=5)
        (ann,) = bound(made, 1)
        awaited(made, 1)
        ann.open()
        while not (now := made.watch.snapshot())["pausing"]:
            if 1 in now["awaited"]:
                mine = made.seat(1).snapshot()
                made.seat(1).send(head=mine["head"], action=simple_action(mine))
            else:
                with made.watch.stream(after=now["count"]) as told:
                    next(one for one in told if one.event == "record")
        assert made.seat(1).send(action={"type": "Leave"}).status_code == 200
        with made.watch.stream() as told:
            next(one for one in told if one.data.get("type") == "GameEnded")
        assert types_at(made).count("SharesAwaited") == 1
        assert guest.get(f"{made.path}/audit").json()["passed"]


# What the server does by itself.

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def next_of(waits: ShareWaits, *, pausing: bool = False, paused: bool = False, **shares: Any) -> Next | None:
    seats = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"))
    status = Status((), 7, GENESIS, "draw", None, None, pausing, seats, None)
    given: dict[str, Any] = {
        "asked": (1, 2), "bound": {1: 9, 2: 9}, "deadline": None, "due": True, "head": None, "round": 3, "seconds": 20,
        "unbound": (), "waiting": (),
    }  # fmt: skip
    people = shares.pop("people", (1, 2))
    table = TableStatus({}, None, 7, {}, {}, paused, people, {}, None, SharesStatus(**given | shares), ())
    return next_step(status, table, NOON, cast(Commands, Commands), Settings(pace=1.0, pause=5.0), "t", waits)


def test_an_outage_folds_nobody() -> None:
    watch = Watch()
    waits = ShareWaits(watch)
    late = NOON - timedelta(hours=1)

    def left(**shares: Any) -> float:
        found = next_of(waits, waiting=(2,), **shares)
        assert found is not None
        return found.seconds

    assert left(deadline=late) == 20, "a full time again after the start of the server"
    assert left(deadline=NOON + timedelta(seconds=30)) == 30
    watch.now = 15
    assert left(deadline=late) == 5
    watch.now = 25
    assert left(deadline=late) == 0
    assert next_of(waits, waiting=(2,), paused=True) is None


def test_who_is_not_bound_is_waited_for_once() -> None:
    watch = Watch()
    waits = ShareWaits(watch)

    def left(**shares: Any) -> float | None:
        found = next_of(waits, **shares)
        return None if found is None else found.seconds

    assert left() == 0
    assert left(pausing=True) == 5
    assert left(asked=()) is None, "nobody is bound"
    assert left(asked=(), people=()) == 1.0, "nobody is left, so the table closes"
    assert left(unbound=(2,)) == 20
    watch.now = 8
    assert left(unbound=(2,)) == 12
    assert left(unbound=(2,), paused=True) is None
    assert left(unbound=(2,)) == 20, "a pause of the table counts for nobody"
    watch.now = 28
    assert left(unbound=(2,)) == 0
    assert left(unbound=(2,), round=4) == 0
    assert left(unbound=(1, 2), round=5) == 20, "somebody else"
    assert left(unbound=(), round=6) == 0
    assert left(unbound=(2,), round=7) == 20, "bound in between, and then not any more"


def test_whoever_joins_a_delayed_table_sees_it_live_once_they_have_sat_down(tmp_path: Path) -> None:
    """Their device takes part in the shuffle by which they are dealt in."""
    with running(tmp_path / "games.sqlite", pause=600) as guest:
        options = {"cash": True, "rules": "no-limit"}
        made = guest.made(*TWO, {}, options=options, settings=TOGETHER).started()
        sharers = bound(made, 1, 2)
        awaited(made, 1)
        for sharer in sharers:
            sharer.open()
        play_round(made)
        made.ask_host("access", delay=3600)
        made.renewed(3)
        cid = made.seat(3)
        assert cid.get("snapshot").json()["code"] == "not_started"
        sat = cid.send(action={"type": "SitDown", "chips": 50})
        assert sat.status_code == 200, sat.text
        assert cid.snapshot()["shares"]["round"] == 1
