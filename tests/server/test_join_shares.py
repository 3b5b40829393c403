"""`pokersvc join` at a table that shuffles together: it takes part by itself, and keeps what it sends."""

import json
import stat
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pokersvc.evidence.verified import verify_export
from pokersvc.games.draw_poker.actions import Bet
from pokersvc.remote.heads import Heads
from pokersvc.remote.link import link_of
from pokersvc.remote.table import RemoteTable
from tests.cli.program import COMMAND, Program

from .conftest import running
from .guests import Guest, Made
from .sharers import Sharer, dealing_of, until
from .test_shares import bound, play_round, together

ONE = {"name": "Ann"}
BOT = {"name": "Bob", "program": "steady"}


class Joined:
    """Clients at seats, each with a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.stack = folder, ExitStack()
        self.said: dict[str, list[str]] = {}

    def at(self, made: Made, seat: int, name: str = "", links: int = 10) -> RemoteTable:
        """Return a client that follows the table; clients of the same name share their folder."""
        name = name or f"seat{seat}"
        url = f"{str(made.guest.base_url).rstrip('/')}/t/{made.table}/seat/{seat}/"
        said = self.said.setdefault(name, [])
        heads = Heads(self._folder / name / "heads")
        table = RemoteTable(link_of(url), made.tokens[seat], heads, said.append, links=links)
        self.stack.enter_context(table)
        table.begin()
        return table

    def file(self, made: Made, seat: int, name: str = "") -> Path:
        return self._folder / (name or f"seat{seat}") / "shares" / f"{made.game}.{seat}"


@pytest.fixture
def joined(tmp_path: Path) -> Iterator[Joined]:
    joined = Joined(tmp_path)
    with joined.stack:
        yield joined


def follow(*tables: RemoteTable, upto: str, times: int = 1) -> None:
    """Follow until an event was told so often."""
    for _ in range(400):
        if all(sum(one.record.type == upto for one in table.copy.recorded) >= times for table in tables):
            return
        for table in tables:
            table.wait(0.05)
    raise AssertionError(f"no {upto} was told")


def test_two_clients_shuffle_together_and_keep_what_they_send(server: Guest, joined: Joined) -> None:
    made = together(server)
    ann, bob = joined.at(made, 1), joined.at(made, 2)
    follow(ann, bob, upto="DeckShuffled")
    assert dealing_of(made).part == {1: [(1, 1)], 2: [(1, 1)]}
    for seat, name in ((1, "seat1"), (2, "seat2")):
        assert joined.said[name] == [
            "You take part in the shuffle: this device keeps your shares, and opens one for each round."
        ]
        file = joined.file(made, seat)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        device, coming = json.loads(file.read_text())["devices"]
        assert coming is None
        assert set(device["signed"]) == {"1"}
    assert "Shuffled together by Ann in round 1; Bob in round 1. No share was missed." in ann.copy.verdict()
    assert "Bound, not yet checkable" in ann.copy.verdict()


def test_what_is_signed_is_on_the_disk_before_it_is_sent(
    server: Guest, joined: Joined, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = together(server)
    seen: list[str] = []
    ann = joined.at(made, 1)
    post = ann._http.post

    def noted(path: str, body: dict[str, object]) -> object:
        kept = joined.file(made, 1).read_text()
        if "/share?" in path:
            assert str(body["share"]) in kept
            assert str(body["signature"]) in kept
        seen.append(path.partition("?")[0].rpartition("/")[2])
        return post(path, body)

    monkeypatch.setattr(ann._http, "post", noted)
    bob = joined.at(made, 2)
    follow(ann, bob, upto="DeckShuffled")
    assert seen == ["share"], "sent once"


def test_who_joins_again_goes_on_with_the_same_chain(server: Guest, joined: Joined) -> None:
    made = together(server)
    with joined.stack:
        joined.at(made, 1)
        kept = joined.file(made, 1).read_text()
    again, bob = joined.at(made, 1), joined.at(made, 2)
    follow(again, bob, upto="DeckShuffled")
    assert json.loads(kept)["devices"][0]["key"] == json.loads(joined.file(made, 1).read_text())["devices"][0]["key"]
    assert dealing_of(made).replaced == {}


def test_a_second_client_of_a_seat_leaves_the_shuffle_to_the_first_and_can_play(server: Guest, joined: Joined) -> None:
    made = together(server)
    first = joined.at(made, 1)
    follow(first, upto="SeatBound")
    second, elsewhere = joined.at(made, 1), joined.at(made, 1, "elsewhere")
    assert joined.said["seat1"][-1] == (
        "Another program on this device takes part in the shuffle for your seat; you can play in both."
    )
    assert joined.said["elsewhere"] == [
        "Your seat takes part in the shuffle from another device, so this one watches the shuffles. If that device is"
        " lost, ask the host for a new link."
    ]
    bob = joined.at(made, 2)
    follow(second, elsewhere, bob, first, upto="DeckShuffled")
    assert dealing_of(made).replaced == {}
    assert not joined.file(made, 1, "elsewhere").exists()
    bet = second.act(made.game, Bet(1, 50), viewer=1, expected=second.copy.count, command_id=None)
    assert [one.record.type for one in bet] == ["Bet"], "what it says, it does"
    follow(first, elsewhere, upto="Bet")


def test_a_replaced_link_binds_the_seat_once_more_and_all_are_told(tmp_path: Path, joined: Joined) -> None:
    with running(tmp_path / "games.sqlite") as guest, joined.stack:
        made = together(guest)
        first = joined.at(made, 1)
        follow(first, upto="SeatBound")
        made.renewed(1)
        other = joined.at(made, 1, "other")
        follow(other, upto="SeatBound", times=2)
        bob = joined.at(made, 2)
        follow(other, bob, upto="DeckShuffled")
        assert dealing_of(made).replaced == {1: 1}
        assert dealing_of(made).part == {1: [(1, 1)], 2: [(1, 1)]}
        assert "No share was missed, key replaced: Ann." in other.copy.verdict()


def test_the_same_device_with_a_new_link_makes_a_chain_anew(tmp_path: Path, joined: Joined) -> None:
    with running(tmp_path / "games.sqlite") as guest, joined.stack:
        made = together(guest, rounds=3)
        with joined.stack:
            follow(joined.at(made, 1), joined.at(made, 2), upto="DeckShuffled")
        made.renewed(1)
        again, bob = joined.at(made, 1), joined.at(made, 2)
        play_round(made)
        follow(again, bob, upto="DeckShuffled", times=2)
        assert dealing_of(made).replaced == {1: 1}
        assert dealing_of(made).part == {1: [(1, 2)], 2: [(1, 2)]}


def test_another_key_on_its_seat_stops_a_client_with_a_warning(server: Guest, joined: Joined) -> None:
    made = together(server)
    ann = joined.at(made, 1)
    follow(ann, upto="SeatBound")
    assert Sharer(made, 1).bind().status_code == 200
    follow(ann, upto="SeatBound", times=2)
    assert "which this device did not make" in joined.said["seat1"][-1]
    bob = joined.at(made, 2)
    follow(ann, bob, upto="ShareOpened")
    assert dealing_of(made).waiting == (1,), "it opens nothing any more"


def test_a_used_up_chain_is_renewed_by_the_client(tmp_path: Path, joined: Joined) -> None:
    with running(tmp_path / "games.sqlite") as guest, joined.stack:
        made = together(guest)
        ann, bob = joined.at(made, 1, links=1), joined.at(made, 2)
        follow(ann, bob, upto="DeckShuffled")
        play_round(made)
        follow(ann, bob, upto="DeckShuffled", times=2)
        assert dealing_of(made).part == {1: [(1, 2)], 2: [(1, 2)]}
        assert dealing_of(made).replaced == {}


@pytest.mark.slow
def test_who_is_asked_through_a_pipe_opens_shares_meanwhile(tmp_path: Path) -> None:
    program = Program(tmp_path)
    with running(tmp_path / "games.sqlite") as guest:
        made = together(guest)
        url = f"{str(guest.base_url).rstrip('/')}/t/{made.table}/seat/1/"
        command = [*COMMAND, "join", url]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=tmp_path, env=program.environment, text=True
        ) as ann:
            assert ann.stdin is not None
            ann.stdin.write(f"{made.tokens[1]}\n")
            ann.stdin.flush()
            (bob,) = bound(made, 2)
            for round_ in (1, 2):
                until(made, lambda shares, this=round_: shares["round"] == this and 1 not in shares["waiting"])
                bob.open()
                play_round(made)
            assert ann.wait(30) == 0, "it saw the end, without an answer"
        assert dealing_of(made).part[1] == [(1, 2)]


def test_a_game_is_joined_to_its_end_and_the_verdict_says_who_shuffled(server: Guest, tmp_path: Path) -> None:
    program = Program(tmp_path)
    try:
        made = together(server, ONE, BOT, rounds=1)
        url = f"{str(server.base_url).rstrip('/')}/t/{made.table}/seat/1/"
        answers = "".join(f"{one}\n" for one in ("check", "call", "bet 50", "") * 100)
        ended = program.ended("join", url, "--save", "mine.jsonl", typed=f"{made.tokens[1]}\n{answers}")
        assert ended.code == 0, ended.err
        assert "You take part in the shuffle" in " ".join(ended.err.split())
        said = "Shuffled together by Ann in round 1. No share was missed. The dealer's secret is open"
        assert said in " ".join(ended.out.split())
        assert said in " ".join(program.run("verify", "mine.jsonl").split())
        saved = next(tmp_path.rglob("mine.jsonl"))
        lines = saved.read_text().splitlines()
        started = json.loads(lines[1])
        held_back = {key: value for key, value in started.items() if key not in ("salt", "secret")}
        head = json.loads(lines[0])
        head["opened"].remove(1)
        withheld = tmp_path / "withheld.jsonl"
        dumped = [json.dumps(one, sort_keys=True, separators=(",", ":")) for one in (head, held_back)]
        withheld.write_text("\n".join([*dumped, *lines[2:]]) + "\n")
        (finding,) = verify_export(withheld).findings
        assert (finding.check, finding.found) == ("deal", "no secret of the dealer's")
    finally:
        program.close()
