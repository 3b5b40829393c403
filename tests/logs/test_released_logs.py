"""The logs that earlier programs wrote verify, are read, and replay to the state they made then."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pokersvc.core.actions import BetweenRounds
from pokersvc.core.event import AUDITOR, EVERYONE, Event, redact
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of
from pokersvc.core.state import State
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.record import Record, verify
from pokersvc.eventlog.tables import events as log_events
from pokersvc.eventlog.tables import games
from pokersvc.evidence.audit import audit
from pokersvc.service.read_models.history import rebuild

from .write import LOGS, decode, facts

RELEASED = sorted(LOGS.glob("*/*.jsonl"))


class Log(NamedTuple):
    """A whole log as it was kept, read by this program."""

    game: Game
    records: list[Record]
    events: list[Event]
    expected: dict[str, Any]


@pytest.fixture(scope="module", params=RELEASED, ids=[f"{path.parent.name}/{path.stem}" for path in RELEASED])
def log(request: pytest.FixtureRequest) -> Log:
    return read(request.param)


def read(path: Path) -> Log:
    records = [decode(line) for line in path.read_text().splitlines()]
    expected = json.loads((path.parent / "expected.json").read_text())[path.stem]
    game = game_of(expected["kind"])
    events = [game.codec.decode(r.type, r.version, r.payload, r.secret) for r in records]
    return Log(game, records, events, expected)


def test_every_game_that_was_kept_is_here() -> None:
    folders = {path.parent for path in RELEASED}
    assert {folder.name for folder in folders} == {"0.1.0", "engine-1", "engine-3", "engine-3-newcomer", "engine-4"}
    for folder in folders:
        expected = json.loads((folder / "expected.json").read_text())
        assert {path.stem for path in folder.glob("*.jsonl")} == set(expected)


def test_the_games_are_what_they_are_kept_for() -> None:
    found = {path.stem: path.read_text() for path in (LOGS / "0.1.0").glob("*.jsonl")}
    assert '"RemainderCarried"' in found["carried"]
    assert '"DeckReshuffled"' in found["reshuffled"]
    assert '"PlayerLeft"' in found["left"]
    assert "withdrew" in found["left"]


def test_what_engine_1_did_is_kept() -> None:
    found = {path.stem: path.read_text() for path in (LOGS / "engine-1").glob("*.jsonl")}
    last_round = found["short_price"].rpartition('"RoundStarted"')[2]
    assert '\\"amount\\":1,\\"blind\\":\\"big\\"' in last_round
    assert '\\"reason\\":\\"chosen\\",\\"seat\\":1' in last_round, "who had matched all there was folded"
    assert '\\"stacks\\":[70,50,30],\\"winners\\":[1]' in found["leader_left"]
    assert '\\"withdrew\\",\\"seat\\":1' in found["leader_left"]
    assert '\\"withdrew\\",\\"seat\\":1' in found["without_chips"]
    big_blinds = re.findall(r'\\"big\\",\\"seat\\":(\d)', found["three_become_two"])
    assert big_blinds == ["3", "1", "2", "3", "3", "2", "3", "2"], "seat 3 had it twice in a row"
    assert '"Folded"' in found["folded_rounds"]
    assert '"SwapAccepted"' in found["traded"]
    assert '"BeansCaptured"' in found["sown"]


def test_starts_from_before_houses_had_straddles_are_kept() -> None:
    found = {path.stem: path.read_text() for path in (LOGS / "engine-3").glob("*.jsonl")}
    poker = [text for text in found.values() if '\\"game\\":\\"draw\\"' in text]
    assert len(poker) == len(found) - 2
    assert all('"type": "GameStarted", "version": 3' in text.partition("\n")[0] for text in poker)
    assert not any("straddle" in text for text in poker)
    for said in ('"Posted"', '"SatOut"', '"SatIn"', '"ChipsBought"', '"RakeTaken"', '\\"dead\\"', '\\"extra\\"'):
        assert said in found["cash_game"], said


def test_a_newcomer_to_two_of_engine_3_is_kept() -> None:
    found = (LOGS / "engine-3-newcomer" / "third.jsonl").read_text()
    big_blinds = re.findall(r'\\"big\\",\\"seat\\":(\d)', found)
    assert big_blinds == ["2", "1", "2", "2", "2", "3", "1"], "seat 2 had it three times in a row"
    assert '\\"name\\":\\"Carl\\"' in found


def test_what_engine_4_dealt_is_kept_without_digests() -> None:
    found = {path.stem: path.read_text() for path in (LOGS / "engine-4").glob("*.jsonl")}
    poker = [text for text in found.values() if '\\"game\\":\\"draw\\"' in text]
    assert len(poker) == len(found) - 2
    assert all('\\"engine\\":4' in text.partition("\n")[0] for text in poker)
    assert all('"type": "HandDealt", "version": 1' in text for text in poker)


def test_its_chain_holds(log: Log) -> None:
    *_, last = verify(log.records, game_id=log.records[0].game_id)
    assert last.hash.hex() == log.expected["head"]


def test_its_texts_are_canonical_in_their_own_version(log: Log) -> None:
    for record in log.records:
        stored = (record.type, record.version, record.payload, record.secret)
        assert log.game.codec.is_canonical(*stored), record.seq


def test_it_replays_to_the_state_it_made(log: Log) -> None:
    assert facts(log.game, log.records, log.events) == log.expected


def test_the_dealer_would_do_the_same_again(log: Log) -> None:
    source = log.game.source(log.events[0])
    assert source is not None
    entropy = source.entropy()
    state: State = log.game.new(log.events[0])
    for record, event in zip(log.records[1:], log.events[1:], strict=True):
        leaves = state.pausing and isinstance(log.game.action_of(event), BetweenRounds)
        if not leaves and (dealt := state.dealer_event(entropy)) is not None:
            assert event == dealt, record.seq
        elif not leaves:
            assert getattr(event, "seat", None) == state.to_act, record.seq
        state.apply(event)
    assert state.dealer_event(entropy) is None


@pytest.mark.parametrize("folder", sorted({path.parent.name for path in RELEASED}))
def test_an_audit_of_all_that_a_program_wrote_finds_nothing(folder: str) -> None:
    found = [read(path) for path in RELEASED if path.parent.name == folder]
    with Database.for_writing(":memory:") as database:
        with database.append() as connection:
            for log in found:
                game_id, last = log.records[0].game_id, log.records[-1]
                connection.execute(
                    games.insert().values(game_id=game_id, kind=log.game.kind, count=last.seq, head=last.hash)
                )
                connection.execute(log_events.insert(), [record._asdict() for record in log.records])
        assert rebuild(database) == len(found)
        audited = list(audit(database))
        assert [one for one in audited if one.findings] == []
        assert len(audited) == len(found) + 1, "and the read models"


def test_without_its_secrets_it_replays_to_the_public_state(log: Log) -> None:
    whole: State = log.game.new(log.events[0])
    public: State = log.game.new(redact(log.events[0], EVERYONE))
    hidden = False
    for event in log.events[1:]:
        whole.apply(event)
        public.apply(redact(event, EVERYONE))
        assert public.view(EVERYONE) == whole.view(EVERYONE)
        if not hidden:
            seen = whole.view(AUDITOR)  # whose record has the seeds in every game
            hidden = replace(public.view(AUDITOR), record=seen.record) != seen
    assert public.outcome == whole.outcome
    assert hidden == (log.game.kind == "draw"), "in the market and in Kalah everything lies open"
