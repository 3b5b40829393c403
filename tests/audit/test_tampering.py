"""Every change that somebody with write access can make is found, by the audit alone or with a checkpoint."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import pytest

from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.evidence.checkpoint import now, write
from pokersvc.evidence.findings import Finding

from .changes import COMMAND_FOR_EACH, Change, every_change
from .flips import everything_in, everything_read, flipped, run
from .played import Tampered, written

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "audit-validation.md"
CHECKS: Final = ("chain", "schema", "rules", "deal", "money", "read_models", "storage")


@dataclass
class Tally:
    """The results of the changes of one class."""

    made: int = 0
    refused: int = 0
    """The number of changes that the database itself refuses."""
    by: Counter[str] = field(default_factory=Counter)
    """Check → the number of changes that it found."""
    by_checkpoint_only: int = 0
    same: int = 0
    """How many alter nothing that any command reads."""
    missed: list[str] = field(default_factory=list)


@pytest.fixture
def checkpoint(tampered: Tampered, tmp_path: Path) -> Path:
    path = tmp_path / "checkpoint.jsonl"
    with path.open("wb") as file, EventLog(tampered.database).snapshot() as snapshot:
        write(file, snapshot, created_at=now(), previous=None, signer=None)
    return path


def tried(tampered: Tampered, changes: Iterable[tuple[str, Change]], checkpoint: Path) -> dict[str, Tally]:
    """Make each change on its own, and run the audit."""
    tallies: dict[str, Tally] = {}
    tampered.restore()
    before = everything_in(tampered.database)
    for game_id, change in changes:
        tally = tallies.setdefault(change.kind, Tally())
        tampered.restore()
        try:
            change.make(tampered)
        except sqlite3.IntegrityError:
            tally.refused += 1
            continue
        tally.made += 1
        found = (tampered.audit(game_id) if game_id else []) or tampered.audit()
        tally.by.update({finding.check for finding in found})
        if not found and beside(tampered, checkpoint):
            tally.by_checkpoint_only += 1
        elif not found and everything_in(tampered.database) == before:
            tally.same += 1
        elif not found:
            tally.missed.append(change.words)
    return tallies


def beside(tampered: Tampered, checkpoint: Path) -> list[Finding]:
    """Return the findings of an audit with a checkpoint that was written before the change."""
    audited = audit(tampered.database, checkpoint=checkpoint)
    return [finding for one in audited for finding in one.findings if finding.check == "checkpoint"]


def table(tallies: dict[str, Tally]) -> list[str]:
    """Return the table of docs/audit-validation.md."""
    lines = [
        "| change | made | detected by the checks | only with a checkpoint | no visible effect | missed |",
        "| --- | ---: | --- | ---: | ---: | ---: |",
    ]
    for kind, tally in sorted(tallies.items()):
        by = ", ".join(check.replace("_", " ") for check in CHECKS if tally.by[check]) or "–"
        only, same, missed = tally.by_checkpoint_only, tally.same, len(tally.missed)
        lines.append(f"| {kind} | {tally.made:,} | {by} | {only:,} | {same:,} | {missed} |")
    made = sum(tally.made for tally in tallies.values())
    only = sum(tally.by_checkpoint_only for tally in tallies.values())
    same = sum(tally.same for tally in tallies.values())
    missed = sum(len(tally.missed) for tally in tallies.values())
    return [*lines, f"| total | {made:,} | | {only:,} | {same:,} | {missed} |"]


@pytest.mark.slow
def test_where_commands_end_is_found_beside_a_checkpoint_and_places_of_games_say_nothing(
    tampered: Tampered, checkpoint: Path
) -> None:
    boundaries, swapped = "command boundaries changed, hashes recomputed", "positions of two games swapped"
    changes = [(id_, change) for id_, change in every_change(tampered) if change.kind in (boundaries, swapped)]
    each = next(one for one in changes if one[1].kind == boundaries and COMMAND_FOR_EACH in one[1].words)
    places_of_two = next(one for one in changes if one[1].kind == swapped)
    drawn, places = (tried(tampered, [one], checkpoint) for one in (each, places_of_two))
    assert [(tally.made, tally.by_checkpoint_only, tally.missed) for tally in drawn.values()] == [(1, 1, [])]
    assert [(tally.made, tally.same, tally.missed) for tally in places.values()] == [(1, 1, [])]


@pytest.mark.slow
def test_what_is_changed_in_the_database_is_found(tampered: Tampered, checkpoint: Path) -> None:
    changes = list(every_change(tampered))
    tallies = tried(tampered, Random(5).sample(changes, 30), checkpoint)
    assert [words for tally in tallies.values() for words in tally.missed] == []
    assert sum(tally.made for tally in tallies.values()) > 20


ONLY_BESIDE_A_CHECKPOINT: Final = {
    "a game removed, positions renumbered",
    "a game replaced by another",
    "command_id of a command, hashes recomputed",
    "command boundaries changed, hashes recomputed",
    "payload of an event, hashes recomputed",  # the start says a little that nothing follows from
    "recorded_at of a command, hashes recomputed",
    "salt of an event, hashes recomputed",
    "secret of an event, hashes recomputed",  # which cards a player discards whose hand is never seen again
    "the end cut off after a command, everything adjusted",
}


def rows_of_the_page() -> list[str]:
    """Return the table of the page, a line each: a head of two lines, the kinds of changes, and the total."""
    return [line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("|")]


def test_the_page_has_every_kind_of_change_and_their_totals(tampered: Tampered) -> None:
    head, rows, total = (told := rows_of_the_page())[:2], told[2:-1], told[-1]
    assert head == table({})[:2]
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in [*rows, total]]
    assert [kind for kind, *_ in cells[:-1]] == sorted({change.kind for _, change in every_change(tampered)})
    for column in (1, 3, 4, 5):
        *counts, sum_of_all = (int(row[column].replace(",", "")) for row in cells)
        assert sum(counts) == sum_of_all


def a_thirtieth(tampered: Tampered) -> Iterator[tuple[str, Change]]:
    """Yield a thirtieth of the changes of each kind, one at least."""
    random, kinds = Random(5), dict[str, list[tuple[str, Change]]]()
    for one in every_change(tampered):
        kinds.setdefault(one[1].kind, []).append(one)
    for of in kinds.values():
        yield from random.sample(of, -(-len(of) // 30))


@pytest.mark.slow
def test_a_thirtieth_of_the_changes_of_each_kind_is_found_by_checks_that_the_page_says(
    tampered: Tampered, checkpoint: Path, measured: Callable[[str], None]
) -> None:
    changes = list(a_thirtieth(tampered))
    tallies = tried(tampered, changes, checkpoint)
    measured(f"Tampering: {len(changes):,} changes of {len(tallies)} kinds, a thirtieth of each")
    assert [words for tally in tallies.values() for words in tally.missed] == []
    assert {kind for kind, tally in tallies.items() if tally.by_checkpoint_only} <= ONLY_BESIDE_A_CHECKPOINT
    assert {kind for kind, tally in tallies.items() if tally.same} == {"positions of two games swapped"}
    for row in rows_of_the_page()[2:-1]:
        kind, _, checks, *_ = (cell.strip() for cell in row.split("|")[1:])
        assert {check.replace("_", " ") for check in tallies[kind].by} <= set(checks.split(", ")), kind


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("half", [0, 1])
def test_every_change_is_found_and_the_page_says_by_what(
    tampered: Tampered, checkpoint: Path, measured: Callable[[str], None], half: int
) -> None:
    """Each of the two variants tries every other kind of change, so that they can run in parallel."""
    changes = list(every_change(tampered))
    kinds = sorted({change.kind for _, change in changes})[half::2]
    tallies = tried(tampered, [(id_, change) for id_, change in changes if change.kind in kinds], checkpoint)
    told = table(tallies)
    print("\n".join(["", *told]))
    made, missed = (sum(counts) for counts in zip(*((t.made, len(t.missed)) for t in tallies.values()), strict=True))
    measured(f"Tampering: {made:,} changes of {len(kinds)} kinds, {missed:,} missed")
    assert [words for tally in tallies.values() for words in tally.missed] == []
    assert {kind for kind, tally in tallies.items() if tally.by_checkpoint_only} <= ONLY_BESIDE_A_CHECKPOINT
    assert {kind for kind, tally in tallies.items() if tally.same} == {"positions of two games swapped"} & set(kinds)
    assert told[2:-1] == rows_of_the_page()[2:-1][half::2], "docs/audit-validation.md has another table"


# Anything in any place.

ANYTHING: Final = ("NULL", "0", "-1", "1 << 62", "1.5", "1e999", "''", "'x'", "x'ff'", "CAST(x'ff41' AS TEXT)", "'[[['")
TABLES: Final = ("events", "games", "game_summaries", "history_entries")


def spoilt(tampered: Tampered, random: Random) -> str:
    """Write arbitrary data in one place, or duplicate a row; return a description. Half of the tables have no keys."""
    table = random.choice(TABLES)
    if keyless := random.random() < 0.5:
        tampered.without_keys(table)
    tampered.without_constraints()
    (count,) = tampered.sql(f"SELECT count(*) FROM {table}")[0]
    row = f"(SELECT rowid FROM {table} LIMIT 1 OFFSET {random.randrange(count)})"
    statement = f"INSERT INTO {table} SELECT * FROM {table} WHERE rowid = {row}"
    if not keyless or random.random() < 0.7:
        column = random.choice(tampered.columns(table))
        statement = f"UPDATE {table} SET {column} = {random.choice(ANYTHING)} WHERE rowid = {row}"
    with suppress(sqlite3.IntegrityError):
        tampered.sql(statement)
    return f"{statement}{', without keys' * keyless}"


@pytest.mark.slow
@pytest.mark.parametrize("places", [40, pytest.param(400, marks=pytest.mark.exhaustive)])
def test_anything_in_any_place_is_audited_to_the_end(tampered: Tampered, places: int) -> None:
    random = Random(7)
    for _ in range(places):
        tampered.restore()
        done = spoilt(tampered, random)
        try:
            *_, database = tampered.audited()
            assert database.game_id is None
        except Exception as error:
            raise AssertionError(done) from error


# Single bits of the file.


def found_or_harmless(folder: Path, content: bytes, bits: Iterable[int]) -> Counter[str]:
    """Flip bits one at a time; fail if a flip changes what commands read and the audit has no finding."""
    path = folder / "flipped.sqlite"
    path.write_bytes(content)
    before = everything_read(path)
    tally: Counter[str] = Counter()
    for bit in bits:
        path.write_bytes(flipped(content, bit))
        said = run(path, "audit")
        assert said.code in (0, 1, 3), (bit, said)
        assert "Traceback" not in said.err, bit
        if said.code == 0:
            assert everything_read(path) == before, f"bit {bit} changes what is read"
        tally[{0: "changed nothing", 1: "refused in a sentence", 3: "found"}[said.code]] += 1
    return tally


def everywhere(content: bytes, count: int) -> list[int]:
    """Positions of bits in the whole file, and as many in the first pages, where the table definitions are."""
    random = Random(count)
    bits = len(content) * 8
    return [random.randrange(bits) for _ in range(count)] + [random.randrange(4096 * 8 * 2) for _ in range(count)]


def test_a_flipped_bit_is_found_or_changes_nothing_that_is_read(tampered: Tampered, tmp_path: Path) -> None:
    assert sum(found_or_harmless(tmp_path, written(), everywhere(written(), 3)).values()) == 6


@pytest.mark.slow
@pytest.mark.parametrize("each", [15, pytest.param(500, marks=pytest.mark.exhaustive)])
def test_many_flipped_bits_are_found_or_change_nothing_that_is_read(
    tampered: Tampered, tmp_path: Path, measured: Callable[[str], None], each: int
) -> None:
    tally = found_or_harmless(tmp_path, written(), everywhere(written(), each))
    parts = ", ".join(f"{count:,} {what}" for what, count in tally.items())
    measured(f"Flipped bits: {sum(tally.values()):,} ({parts}), 0 missed")
