"""Games over HTTP: played to their ends, commands that come twice or too late, streams that are taken up again."""

import json
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from kuhn import KUHN

from pokersvc.cards import Card
from pokersvc.core.actions import Action
from pokersvc.core.registry import game_kinds, registered
from pokersvc.games.draw_poker.actions import Bet, Discard
from pokersvc.games.poker_market.actions import LegalActions as LegalSwaps
from pokersvc.games.poker_market.actions import Propose
from pokersvc.server.models.game_models import json_of

from .conftest import FAST, running
from .guests import Guest, Made, short, simple_action

TWO = ({"name": "Ann"}, {"name": "Bob"})


def play(made: Made, *, most: int = 400) -> dict[str, Any]:
    """Play to the end; return everyone's last snapshot."""
    for _ in range(most):
        now = made.watch.snapshot()
        if now["outcome"] is not None:
            return now
        people = [seat for seat in now["awaited"] if seat in made.tokens]
        for seat in people:
            mine = made.seat(seat).snapshot()
            if mine["your_turn"]:
                made.seat(seat).send(head=mine["head"], action=simple_action(mine))
        if not people:  # a bot chooses, or a pause ends
            with made.watch.stream(after=now["count"]) as told:
                next(one for one in told if one.event == "record")
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("kind", game_kinds())
def test_a_game_is_played_to_its_end(server: Guest, kind: str) -> None:
    options, rounds = short(kind)
    made = server.made(*TWO, kind=kind, rounds=rounds, options=options)
    assert server.get(made.path).json()["status"] == "waiting"
    end = play(made.started())
    assert end["status"] == "over"
    assert len(end["outcome"]["scores"]) == 2
    told = made.watch.events(end["count"])
    assert [one["seq"] for one in told] == list(range(1, end["count"] + 1))
    assert told[-1]["hash"] == end["head"]
    assert server.get(made.path).json()["status"] == "over"
    assert server.get(f"{made.path}/audit").json() == {"events": end["count"], "passed": True, "findings": []}
    assert server.get(f"{made.path}/history").json()["result"]
    steps = made.watch.get("replay", **{"from": 2, "to": 3}).json()
    assert [step["seq"] for step in steps["steps"]] == [2, 3]
    assert steps["count"] == end["count"]


def test_a_command_that_is_sent_again_is_recorded_once(server: Guest) -> None:
    made = server.made(*TWO).started()
    seat = made.seat(1)
    before = seat.snapshot()
    command = {"id": str(uuid4()), "head": before["head"], "action": {"type": "Bet", "amount": 50}}
    first, again = seat.send(**command), seat.send(**command)
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert seat.snapshot()["count"] == before["count"] + len(first.json()["events"])
    other = seat.send(**command | {"action": {"type": "Bet", "amount": 60}})
    assert (other.status_code, other.json()["code"]) == (422, "command_reused")


def test_a_command_with_another_head_is_told_the_present_one(server: Guest) -> None:
    made = server.made(*TWO).started()
    seat = made.seat(1)
    before = seat.snapshot()
    stale = seat.send(head="00" * 32, action={"type": "Bet", "amount": 50})
    assert stale.status_code == 409
    assert stale.json() == {
        "code": "concurrent_update", "message": stale.json()["message"],
        "count": before["count"], "head": before["head"],
    }  # fmt: skip
    assert seat.snapshot()["count"] == before["count"]


REFUSALS: list[tuple[dict[str, Any], str]] = [
    ({"action": {"type": "Bet", "amount": 10**9}}, "illegal_amount"),
    ({"action": {"type": "Bet", "amount": "50"}}, "invalid_action"),
    ({"action": {"type": "Bet", "amount": 50, "seat": 2}}, "invalid_action"),
    ({"action": {"type": "Forfeit", "code": "raised"}}, "invalid_action"),
    ({"action": {"type": "Fly"}}, "invalid_action"),
    ({"action": {"type": "GoOn"}}, "nothing_to_do"),
    ({"action": {"type": "Leave"}}, "not_between_rounds"),
    ({"typed": "fly"}, "invalid_answer"),
    ({}, "invalid_action"),
    ({"typed": "bet 50", "action": {"type": "Fold"}}, "invalid_action"),
    ({"typed": 5}, "invalid_request"),
    ({"id": "me", "typed": "bet 50"}, "invalid_request"),
]


def test_a_refusal_says_why_and_leaves_no_trace(server: Guest) -> None:
    made = server.made(*TWO).started()
    before = made.watch.snapshot()
    for command, code in REFUSALS:
        refused = made.seat(1).send(**command)
        assert (refused.status_code, refused.json()["code"]) == (422, code), (command, refused.text)
        assert refused.json()["message"].endswith(".")
        assert made.watch.snapshot()["head"] == before["head"], command


def test_what_is_typed_is_read_as_at_the_terminal(server: Guest) -> None:
    made = server.made(*TWO).started()
    assert made.seat(1).send(typed="bet 50").status_code == 200
    assert made.seat(2).send(typed="call").status_code == 200
    assert made.seat(1).send(typed="1,3").status_code == 200


def test_what_a_seat_may_choose_has_its_type_and_its_name_and_is_sent_as_it_stands(server: Guest) -> None:
    with registered(KUHN):
        made = server.made(*TWO, kind="kuhn", rounds=1).started()
        seats = [made.seat(1), made.seat(2)]
        for seat, called in ((0, ("check", "bet")), (1, ("check", "bet")), (0, ("fold", "call"))):
            now = seats[seat].snapshot()
            assert now["legal"] == [{"type": "Pass", "seat": seat + 1}, {"type": "Bet", "seat": seat + 1}]
            assert now["choices"] == [
                {"action": action, "label": label} for action, label in zip(now["legal"], called, strict=True)
            ]
            assert seats[1 - seat].snapshot()["choices"] == made.watch.snapshot()["choices"] == []
            refused = seats[seat].send(head=now["head"], action={"type": "Bet", "seat": 2 - seat})
            assert refused.json()["code"] == "invalid_action"
            assert refused.json()["message"] == (
                f"That is an action of seat {2 - seat}, and this is the link of seat {seat + 1}."
            )
            assert seats[seat].send(head=now["head"], action=now["legal"][seat]).status_code == 200
        acted = [one for one in made.watch.events(made.watch.snapshot()["count"]) if one["type"] == "Acted"]
        assert [json.loads(one["payload"])["bet"] for one in acted] == [False, True, False]


@dataclass(frozen=True)
class Held:
    """A view that holds actions in several ways."""

    by_name: dict[str, Bet]
    of_base: tuple[Action, ...]
    of_any: Any
    of_pairs: tuple[tuple[int, Action], ...]
    of_numbers: range


def test_every_action_in_a_view_has_its_type_wherever_it_stands() -> None:
    made, held = Bet(1, 50), Discard(2, (Card("AS"),))
    offered = Propose(1, Card("KH"), 2, Card("10D"))
    assert json_of(LegalSwaps(answer=offered)) == {
        "answer": {"type": "Propose", "seat": 1, "gives": "Kh", "partner": 2, "gets": "Td"}, "gives": [], "gets": [],
    }  # fmt: skip
    bet, discard = {"type": "Bet", "seat": 1, "amount": 50}, {"type": "Discard", "seat": 2, "cards": ["As"]}
    view = Held({"last": made}, (held,), [made, None], ((1, held),), range(2))
    assert json_of(view) == {
        "by_name": {"last": bet},
        "of_base": [discard],
        "of_any": [bet, None],
        "of_pairs": [[1, discard]],
        "of_numbers": [0, 1],
    }


def test_a_stream_is_taken_up_at_every_event(server: Guest) -> None:
    made = server.made(*TWO).started()
    made.seat(1).send(typed="bet 50")
    made.seat(2).send(typed="call")
    seat = made.seat(2)
    count = seat.snapshot()["count"]
    whole = seat.events(count)
    for after in range(count):
        assert seat.events(count, after=after) == whole[after:]
        assert seat.events(count, last=after) == whole[after:]


def test_a_stream_tells_of_the_lobby_and_then_of_the_game(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {}, public=True)
    with made.watch.stream() as told:
        assert next(told).event == "lobby"
        sat = server.post(f"{made.path}/sit", json={"name": "Bob"})
        assert sat.json()["seat"] == 2
        first = next(one for one in told if one.event == "record")
        assert first.data["type"] == "GameStarted"


def test_a_bot_plays_at_the_table(server: Guest) -> None:
    made = server.made({"name": "Ann"}, {"program": "steady"}, rounds=1)
    end = play(made.started())
    assert end["outcome"] is not None


def test_the_file_of_a_seat_is_verified_without_the_server(server: Guest, tmp_path: Any) -> None:
    from pokersvc.evidence.verified import verify_export

    made = server.made(*TWO, rounds=1).started()
    play(made)
    for door in (made.seat(1), made.watch):
        file = tmp_path / f"{door.number}.jsonl"
        file.write_bytes(door.get("export").content)
        assert verify_export(file).passed


def test_a_stream_without_events_has_a_heartbeat(tmp_path: Path) -> None:
    with running(tmp_path / "games.sqlite", limits=replace(FAST, heartbeat=0.05)) as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"}).started()
        with made.watch.stream(after=made.watch.snapshot()["count"]) as told:
            beats = [one for one in islice(told, 5) if one.event == "heartbeat"]
    assert len(beats) >= 3
    assert all(one.id is None for one in beats), "it moves no reader on"
