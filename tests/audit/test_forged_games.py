"""Every forged log either passes the audit or has findings, and never makes the audit report a bug."""

import json
from collections.abc import Callable, Sequence
from io import BytesIO
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.game import Game
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.eventlog.record import Record
from pokersvc.evidence.audit import Audited
from pokersvc.evidence.audit.reading import AnyRecord
from pokersvc.evidence.audit.walk import Walk
from pokersvc.evidence.findings import Finding
from pokersvc.evidence.jsonl import lines_in
from pokersvc.evidence.verification import Verification

from .changes import others
from .forger import GAMES, copied, forged_game, recorded
from .played import HOUSES, Tampered, rehashed

# What a forger can make.


def found_in(game: Game, records: Sequence[Record]) -> Audited:
    """Return the findings of an audit of a log."""
    result = Audited("forged", game.kind)

    def failed(record: AnyRecord | None, error: Exception) -> None:
        result.fail(error, *((None, None) if record is None else (record.seq, record.type)))

    def report(check: Any, record: AnyRecord | None, found: str, expected: str) -> None:
        result.add(Finding("forged", record and record.seq, record and record.type, check, found, expected))

    walk = Walk(game, report, failed, over=True, ledger=None)
    for record in records:
        walk.follow(record)
    walk.end()
    return result


def check_copy(game: Game, records: Sequence[Record], viewer: Viewer) -> Verification:
    verified = Verification(lines_in(BytesIO(copied(game, records, viewer)), "copy"), "copy")
    list(verified.findings())
    assert verified.fault is None, verified.fault
    return verified


VIEWERS: Final[tuple[Viewer, ...]] = (AUDITOR, AUDITOR, EVERYONE, 1, 2)


def a_forged_game_is_no_mistake_in_the_code(seed: int) -> None:
    """No start and no forged hidden part makes anything fail but the forger itself."""
    random = Random(seed)
    game, viewer = random.choice(GAMES), random.choice(VIEWERS)
    records = recorded(game, forged_game(game, random, viewer).events)
    if viewer == AUDITOR:
        assert found_in(game, records).fault is None
    check_copy(game, records, viewer)


EXTREME: Final[tuple[Any, ...]] = (0, -1, 1, 6, 53, 2**31, 2**63, 10**12, 10**4299, None, "", "7S", [], {})
"""Extreme values to put in place of any value of an event."""


def changed(records: list[Record], every: Sequence[Record], random: Random) -> list[Record]:
    """Change one place in a log: a value of an event, or the list of events."""
    at = random.randrange(len(records))
    record, (before, after) = records[at], (records[:at], records[at + 1 :])
    match random.randrange(9):
        case 0:
            return [*before, *after]
        case 1:
            return [*before, record, record, *after]
        case 2:
            return [*before, *after[:1], record, *after[1:]]
        case 3:
            return [*before, random.choice(every), record, *after]
        case 4:
            other = random.choice(every)
            return [*before, record._replace(type=other.type, version=other.version), *after]
        case 5 if record.secret is not None:
            return [*before, record._replace(secret=_other(record.secret, random)), *after]
        case _:
            return [*before, record._replace(payload=_other(record.payload, random)), *after]


def _other(text: str, random: Random) -> str:
    value = json.loads(text)
    possible = list(others(value))
    if random.random() < 0.5 and isinstance(value, dict) and value:
        name = random.choice(list(value))
        possible = [{**value, name: extreme} for extreme in EXTREME]
    return json.dumps(random.choice(possible), sort_keys=True, separators=(",", ":")) if possible else text


Logs = dict[str, list[Record]]


@pytest.fixture(scope="module")
def logs(_played: Tampered) -> Logs:
    """Short games of every kind and house."""
    _played.restore()
    return {
        game_id: _played.records(game_id)
        for game_id in (*HOUSES, "people", *[kind for kind in game_kinds() if kind != "draw"])
    }


def a_changed_log_is_no_mistake_in_the_code(logs: Logs, seed: int) -> None:
    random = Random(seed)
    game_id = random.choice(list(logs))
    game = game_of(game_id if game_id in game_kinds() else "draw")
    alike = HOUSES if game.kind == "draw" else (game_id,)
    every = [record for id_ in alike for record in logs[id_]]
    records = logs[game_id][: random.choice([20, 60, 10**6])]
    for _ in range(random.choice([1, 1, 2, 3])):
        records = changed(records, every, random) or records
    records = rehashed([record._replace(game_id="forged") for record in records])
    assert found_in(game, records).fault is None
    check_copy(game, records, random.choice(VIEWERS))


@given(st.integers(0, 2**32))
@settings(max_examples=10)
def test_a_forged_game_is_never_a_mistake_in_the_code(seed: int) -> None:
    a_forged_game_is_no_mistake_in_the_code(seed)


@given(st.integers(0, 2**32))
@settings(max_examples=15)
def test_a_changed_log_is_never_a_mistake_in_the_code(logs: Logs, seed: int) -> None:
    a_changed_log_is_no_mistake_in_the_code(logs, seed)


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("forged", "changed"),
    [(range(100), range(40)), pytest.param(range(100, 5000), range(40, 2000), marks=pytest.mark.exhaustive)],
    ids=["a fiftieth", "the others"],
)
def test_hundreds_of_forged_games_and_changed_logs_are_never_mistakes_in_the_code(
    logs: Logs, measured: Callable[[str], None], forged: range, changed: range
) -> None:
    for seed in forged:
        a_forged_game_is_no_mistake_in_the_code(seed)
    for seed in changed:
        a_changed_log_is_no_mistake_in_the_code(logs, seed)
    measured(f"Forged games: {len(forged):,}, and {len(changed):,} changed logs, none taken for a mistake in the code")


FAILS: Final = 639
"""A seed that forges rules by which the game cannot be followed; where it does so no longer, another is looked for."""


def test_rules_that_nobody_can_play_are_the_finding_where_following_them_fails() -> None:
    game = game_of("draw")
    said: list[str] = []
    for seed in (FAILS, *range(3000)):
        events, error = forged_game(game, Random(seed), AUDITOR)
        if error is not None:
            said = [f.found for f in found_in(game, recorded(game, events)).findings if "cannot be played" in f.found]
        if said:
            break
    assert said, "no forged game fails any more; then nothing has to be asked"
    assert said[0].startswith("rules that cannot be played, by their ")
