"""What every party at a table was ever sent, through an evening of comings and goings: nothing of what is others'."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from pokersvc.server.tokens import new_token
from tests.server.conftest import running
from tests.server.guests import Guest, Made, bearer, simple_action, token_in
from tests.server.test_secrecy import hidden_from

READ = ("snapshot", "replay", "export", "table", "chat", "session")


class Party:
    """One person with one device: its requests, its tokens, and all that it was ever sent."""

    def __init__(self, url: str) -> None:
        self.said: list[str] = []
        self.tokens: list[str] = []
        self.client = httpx.Client(base_url=url, timeout=10, verify=False, event_hooks={"response": [self._hear]})

    def __enter__(self) -> "Party":
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def _hear(self, answer: httpx.Response) -> None:
        answer.read()
        self.said.append(f"{answer.headers.get('set-cookie', '')}\n{answer.text}")

    def post(self, path: str, **body: Any) -> Any:
        answer = self.client.post(path, json=body, headers=bearer(self.tokens[-1]) if self.tokens else {})
        assert answer.status_code < 300, answer.text  # done
        return answer.json() if answer.content else None

    def asks_all(self, path: str, doors: list[str], tokens: list[str]) -> None:
        """Ask for everything at some doors, by every token that this party ever had or was sent."""
        for door in doors:
            for token in [*tokens, None]:
                for what in READ:
                    self.client.get(f"{path}/{door}/{what}", headers={} if token is None else bearer(token))
        for what in ("", "/games", "/history", "/audit"):
            self.client.get(f"{path}{what}")


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    with running(tmp_path / "games.sqlite", pause=600) as guest:
        yield guest


@pytest.mark.slow
def test_what_each_party_was_ever_sent_opens_and_shows_nothing_of_others(guest: Guest, tmp_path: Path) -> None:
    url = str(guest.base_url)
    with ExitStack() as parties:
        evening(guest, tmp_path, [parties.enter_context(Party(url)) for _ in range(5)])


def evening(guest: Guest, tmp_path: Path, parties: list[Party]) -> None:
    host, ann, bo, cid, eve = parties
    made = host.post("/api/tables", kind="draw", seats=[{"name": "Ann"}, {}, {}], options={"rules": "no-limit"})
    path, table = f"/api/tables/{made['table']}", made["table"]
    host.tokens.append(token_in(made["host"]))
    invitation, link = token_in(made["invitation"]), token_in(made["seats"]["1"])
    ann.tokens.append(ann.post(f"{path}/seats/1/session", token=link, bearer=True, fresh=new_token())["token"])
    for party, name in ((bo, "Bo"), (cid, "Cid")):
        party.tokens.append(token_in(party.post(f"{path}/sit", name=name, token=invitation)["link"]))
    seats = {1: ann, 2: bo, 3: cid}
    host.post(f"{path}/host/start")
    games = [made["game"]]

    def round_() -> None:
        door = Made(guest, table, host.tokens[-1], {seat: party.tokens[-1] for seat, party in seats.items()})
        while not (now := door.watch.snapshot())["pausing"] and now["outcome"] is None:
            for seat in now["awaited"]:
                mine = seats[seat].client.get(f"{path}/seats/{seat}/snapshot", headers=bearer(seats[seat].tokens[-1]))
                if mine.json()["your_turn"]:
                    seats[seat].post(
                        f"{path}/seats/{seat}/commands",
                        id=f"{len(seats[seat].said):08d}-0000-4000-8000-{seat:012d}",
                        action=simple_action(mine.json()),
                    )

    def everybody_asks() -> None:
        for party in (host, ann, bo, cid, eve):
            known = [*party.tokens, *([link, invitation] if party is host else [])]
            party.asks_all(path, ["host", "seats/1", "seats/2", "seats/3", "watch"], known)

    everybody_asks()
    round_()
    everybody_asks()
    new = token_in(host.post(f"{path}/host/seats/2/link")["link"])  # Bo lost their device, and has another
    bo.tokens.append(bo.post(f"{path}/seats/2/session", token=new, bearer=True)["token"])
    code = ann.post(f"{path}/seats/1/code")["code"]  # Ann goes on at another
    ann.tokens.append(ann.post(f"{path}/move", code=code, bearer=True)["token"])
    host.post(f"{path}/host/next")
    round_()
    everybody_asks()
    host.post(f"{path}/host/end")
    games.append(host.post(f"{path}/host/again")["game"])
    round_()
    host.post(f"{path}/host/seats/3/remove")
    everybody_asks()

    known = {
        "host": [*host.tokens],
        "ann": [link, *ann.tokens],
        "bo": [*bo.tokens],
        "cid": [*cid.tokens],
    }
    heard = {"host": host, "ann": ann, "bo": bo, "cid": cid, "eve": eve}
    for who, party in heard.items():
        text = "\n".join(party.said)
        others = [token for other, tokens in known.items() if other != who for token in tokens]
        if who == "host":
            others.remove(link)  # which the host passes on
        assert [token for token in others if token in text] == [], who
    viewers: dict[str, Any] = {"host": "everyone", "eve": "everyone", "ann": 1, "cid": 3}
    for who, viewer in viewers.items():
        text = "\n".join(heard[who].said)
        for game in games:
            hidden = hidden_from(viewer, tmp_path / "games.sqlite", game)
            assert hidden
            assert [secret for secret in hidden if secret in text] == [], (who, game)
    assert all(len(party.said) > 100 for party in heard.values()), json.dumps(  # a few hundred answers
        {who: len(party.said) for who, party in heard.items()}
    )
