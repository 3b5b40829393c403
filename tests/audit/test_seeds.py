"""Seeds of decks that occur twice, and moments that cannot be: found in databases and in copies."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.chance import EntropySource, FreshEntropy
from pokersvc.core.registry import game_of
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit, audit_in_processes
from pokersvc.evidence.findings import Finding
from pokersvc.service import Service
from tests.evidence.support import exported, verification
from tests.postgres import Server, text

from .forger import copied
from .played import Tampered, play, rehashed, seats

GROUND = bytes(range(32))
"""A seed that a dealer found good, after trying many."""


@pytest.fixture
def deals(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make the dealer use the given seeds instead of random ones; None stands for a random one."""

    def deal(*seeds: bytes | None) -> None:
        chosen, fresh = iter(seeds), EntropySource.fresh
        drawn = (next(chosen, None) or fresh().secret for _ in iter(int, 1))
        monkeypatch.setattr(FreshEntropy, "seed", lambda *_: next(drawn))

    return deal


def played(database: Database, game_id: str, *, kind: str = "draw", seed: str | None = None, rounds: int = 3) -> None:
    """Play a game of bots to its end; they bet so little that nobody is out before the last round."""
    source = EntropySource.fresh() if seed is None else EntropySource.from_text(seed)
    service = Service(EventLog(database))
    options = {"markets": rounds} if kind == "market" else None
    bot = "random" if kind == "market" else "minimum"
    setup = Setup(seats(bot, bot), source, 1 if kind == "market" else rounds, options)
    play(service, service.start(kind, setup, game_id=game_id)[0])


def shuffles(database: Database, game_id: str) -> list[int]:
    return [record.seq for record in EventLog(database).read(game_id) if record.type == "DeckShuffled"]


def found(database: Database, *game_ids: str) -> list[Finding]:
    return [finding for one in audit(database, game_ids or None) for finding in one.findings]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def database(path: Path) -> Any:
    with Database.for_writing(str(path)) as opened:
        yield opened


# In one game.


def test_a_deck_that_is_dealt_twice_in_a_game_is_found(database: Database, deals: Callable[..., None]) -> None:
    deals(GROUND, None, GROUND, GROUND)
    played(database, "ground", rounds=4)
    first, _, *again = shuffles(database, "ground")
    expected = [
        Finding("ground", seq, "DeckShuffled", "deal", f"the seed of event {first} again", "a seed of its own")
        for seq in again
    ]
    assert found(database) == found(database, "ground") == expected
    assert GROUND.hex() not in str(expected), "a game that goes on may hold the seed of a deck in play"


def test_a_deck_of_a_market_that_is_dealt_twice_is_found(database: Database, deals: Callable[..., None]) -> None:
    deals(GROUND, GROUND)
    played(database, "ground", kind="market", rounds=2)
    assert [(finding.seq, finding.check) for finding in found(database)] == [(shuffles(database, "ground")[1], "deal")]


@pytest.mark.parametrize(("viewer", "opens"), [(AUDITOR, False), (EVERYONE, True), (1, True)])
def test_a_deck_that_is_dealt_twice_is_found_in_copies_that_show_it(
    database: Database, deals: Callable[..., None], viewer: Viewer, opens: bool
) -> None:
    deals(GROUND, None, GROUND)
    played(database, "ground")
    dealt = shuffles(database, "ground")
    verified = verification(exported(EventLog(database), "ground", viewer, opened=dealt if opens else ()))
    (again,) = verified.findings()
    assert (again.seq, again.check, again.found) == (dealt[2], "deal", f"the seed of event {dealt[0]} again")
    assert list(verification(exported(EventLog(database), "ground")).findings()) == [], "nobody can tell without seeds"


def test_of_a_reproducible_game_no_seed_may_occur_twice_either(tampered: Tampered) -> None:
    records = tampered.records("no-limit")
    first, second = (at for at, record in enumerate(records) if record.type == "DeckShuffled")
    records[second] = records[second]._replace(secret=records[first].secret)
    tampered.rewrite("no-limit", records)
    again = f"the seed of event {first + 1} again"
    assert (second + 1, again) in [(finding.seq, finding.found) for finding in tampered.audit("no-limit")]
    copy = verification(copied(game_of("draw"), tampered.records("no-limit"), AUDITOR))
    assert again in [finding.found for finding in copy.findings()]


# In several.


@pytest.mark.slow
def test_a_deck_that_is_dealt_in_two_games_is_found_by_processes_too(
    database: Database, path: Path, deals: Callable[..., None]
) -> None:
    deals(GROUND, None, None, None, GROUND)
    for game_id in ("one", "two"):
        played(database, game_id)
    by_processes = [finding for one in audit_in_processes(str(path), 2) for finding in one.findings]
    assert by_processes == found(database) != []


def test_a_deck_that_is_dealt_in_two_games_is_found_in_an_audit_of_everything(
    database: Database, deals: Callable[..., None]
) -> None:
    deals(GROUND, None, None, None, GROUND)
    for game_id in ("one", "two"):
        played(database, game_id)
    seq = shuffles(database, "two")[1]
    again = f"the seed of event {shuffles(database, 'one')[0]} of game one again"
    expected = [Finding("two", seq, "DeckShuffled", "deal", again, "a seed of its own")]
    assert found(database) == expected
    assert found(database, "one", "two") == [], "only an audit of everything compares games"
    assert [one.findings for one in audit(database, only_chain=True)] == [[], [], []]


def test_a_deck_that_is_dealt_in_two_kinds_of_game_is_found(database: Database, deals: Callable[..., None]) -> None:
    deals(GROUND, GROUND)
    played(database, "draw", rounds=1)
    played(database, "market", kind="market", rounds=1)
    assert [(finding.game_id, finding.check) for finding in found(database)] == [("market", "deal")]


def test_games_that_are_reproducible_from_the_same_text_have_the_same_decks(database: Database) -> None:
    for game_id in ("one", "two", "three"):
        played(database, game_id, seed="a text")
    assert found(database) == []


def test_a_deck_of_a_reproducible_game_is_dealt_in_no_other_game(
    database: Database, deals: Callable[..., None]
) -> None:
    for game_id in ("first", "second"):
        played(database, game_id, seed="a text")
    deals(EntropySource.from_text("a text").entropy().seed(2))
    played(database, "fresh")
    seq = shuffles(database, "fresh")[0]
    assert [(finding.game_id, finding.found) for finding in found(database)] == [
        (game_id, f"the seed of event {seq} of game fresh again") for game_id in ("first", "second")
    ]


def test_a_deck_that_is_dealt_twice_is_found_on_a_server(server: Server, deals: Callable[..., None]) -> None:
    deals(GROUND, GROUND, None, GROUND)
    with server.migrated() as url, Database.for_writing(text(url)) as database:
        played(database, "one", rounds=2)
        played(database, "two", rounds=2)
        first, second = shuffles(database, "one")
        assert [(finding.game_id, finding.seq, finding.found) for finding in found(database)] == [
            ("one", second, f"the seed of event {first} again"),
            ("two", shuffles(database, "two")[1], f"the seed of event {first} of game one again"),
        ]


# Moments.

IMPOSSIBLE = [
    "2026-13-45T99:99:99.000000Z",
    "2026-02-29T12:00:00.000000Z",
    "2026-01-31T24:00:00.000000Z",
    "2026-01-31T23:59:60.000000Z",
    "0000-01-01T00:00:00.000000Z",
    "٢٠٢٦-01-31T12:00:00.000000Z",
    "2026-01-31T12:00:00.00000२Z",
    "2026-01-31 12:00:00.000000Z",
    "2026-01-31T12:00:00.000000z",
]


@pytest.mark.parametrize("moment", IMPOSSIBLE)
def test_a_moment_that_cannot_be_is_found(tampered: Tampered, moment: str) -> None:
    records = [record._replace(recorded_at=moment) for record in tampered.records("no-limit")]
    tampered.rewrite("no-limit", records)
    (wrong,) = [finding for finding in tampered.audit("no-limit") if finding.check == "chain"]
    assert (wrong.seq, wrong.found) == (1, f"the moment {moment!r}")
    assert wrong.expected == "a moment that exists, written like 2026-01-31T12:00:00.000000Z"


@pytest.mark.parametrize("moment", [*IMPOSSIBLE, "yesterday"])
@pytest.mark.parametrize("viewer", [AUDITOR, EVERYONE, 1])
def test_a_moment_that_cannot_be_is_found_in_a_copy(tampered: Tampered, moment: str, viewer: Viewer) -> None:
    records = tampered.records("no-limit")
    last = records[-1].command_id
    late = [record._replace(recorded_at=moment) if record.command_id == last else record for record in records]
    (wrong,) = verification(copied(game_of("draw"), rehashed(late), viewer)).findings()
    assert (wrong.check, wrong.found) == ("chain", f"the moment {moment!r}")


def test_events_of_one_command_have_one_moment_in_a_copy_too(tampered: Tampered) -> None:
    records = tampered.records("no-limit")
    at = next(at for at, record in enumerate(records) if record.n == 2)
    records[at] = records[at]._replace(recorded_at="2030-01-01T00:00:00.000000Z")
    wrong = list(verification(copied(game_of("draw"), rehashed(records), EVERYONE)).findings())
    assert [finding.seq for finding in wrong] == [at + 1, at + 2]
    assert {finding.expected for finding in wrong} == {"that of the event before it, which is of the same command"}


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"])
def test_every_moment_that_there_is_can_be(tampered: Tampered, moment: str) -> None:
    records = [record._replace(recorded_at=moment) for record in tampered.records("no-limit")]
    assert list(verification(copied(game_of("draw"), rehashed(records), AUDITOR)).findings()) == []
