"""A dry run predicts the import: new hands compared with the log and with earlier hands of the same files."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc import Database, EventLog, Service, open_database
from pokersvc.eventlog.errors import StorageFailed
from pokersvc.histories import dry_run
from pokersvc.histories.checking import CheckedHand, HandSource, check
from pokersvc.histories.dialect import Block
from pokersvc.histories.dry_run import audited, foreseen
from pokersvc.histories.importing import Became, Imported, store

from .test_importing import HAND, OF_DORA, SAME_OF_DORA, SAMPLES

HANDS = [HAND, *(SAMPLES / "pokerstars.txt").read_text("utf-8").split("\n\n\n")[:2]]
OTHER_CARDS = HAND.replace("[6s Jh 7d 2h 3s]", "[6s Jh 7d 2h 4s]").replace("[6s 7d 2h 3s]", "[6s 7d 2h 4s]")
"""The hero's file again with one card changed: only the card books can notice, not the public facts."""
TELLINGS = (
    *HANDS,
    SAME_OF_DORA,
    OF_DORA,
    OTHER_CARDS,
    HAND.replace("Rake $0.90", "Rake $0.80"),
    HAND.replace("Cid: calls $2\n", ""),
    re.sub("Seat 1: ([^ ]+) ", "Seat 9: \\1 ", HAND),
    HAND.replace("Table '", "Table 'Other "),
    HAND.replace("PokerStars", "PokerStars "),
    "PokerStars Hand #1: nothing\n",
)
"""Hands and second files of them: with another hero, other facts, findings, and one that cannot be read."""

FILES = st.lists(st.lists(st.sampled_from(TELLINGS), min_size=1, max_size=4), min_size=1, max_size=4)


def written(folder: Path, files: list[list[str]]) -> list[Path]:
    paths = [folder / f"{number}.txt" for number, _ in enumerate(files)]
    for path, texts in zip(paths, files, strict=True):
        path.write_text("\n\n\n".join(text.strip("\n") + "\n" for text in texts), "utf-8")
    return paths


def databases_in(folder: Path) -> dict[str, bytes]:
    """Return the content of all database files."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".txt"}


def said(found: Iterator[Imported]) -> list[object]:
    """Return the output about hands, except for when they were read."""
    return [
        (one.became, one.contradictions, one.told)
        if not isinstance(one.told, CheckedHand)
        else (one.became, one.contradictions, one.told.path, one.told.line, one.told.game_id, dict(one.told.unchecked))
        for one in found
    ]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(before=FILES, files=FILES, keep=st.booleans(), at_once=st.sampled_from([1, 2, 256]))
def test_what_is_foreseen_is_what_an_import_does(
    before: list[list[str]], files: list[list[str]], keep: bool, at_once: int
) -> None:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(dry_run, "HANDS_IN_A_TRANSACTION", at_once)
        folder = Path(name)
        path = folder / "games.sqlite"
        with open_database(str(path)) as database:
            for _ in store(Service(EventLog(database)), check(written(folder, before)), keep=True):
                pass
        found_before = databases_in(folder)
        paths = written(folder, files)
        with Database.for_reading(str(path)) as database:
            expected = said(foreseen(EventLog(database), check(paths), keep=keep))
        assert databases_in(folder) == found_before
        with open_database(str(path)) as database:
            assert said(store(Service(EventLog(database)), check(paths), keep=keep)) == expected


@settings(max_examples=15, deadline=None)
@given(files=FILES)
def test_where_there_is_no_database_it_is_as_with_an_empty_one(files: list[list[str]]) -> None:
    with TemporaryDirectory() as name:
        paths = written(Path(name), files)
        expected = said(foreseen(None, check(paths)))
        found = [(one.became, len(one.contradictions)) for one in audited(check(paths, events=False))]
        with open_database(":memory:") as database:
            assert said(store(Service(EventLog(database)), check(paths))) == expected
        assert found == [(one[0], len(one[1])) if len(one) > 3 else (one[0], 0) for one in map(_tuple, expected)]


def _tuple(one: object) -> tuple[Became, tuple[object, ...], *tuple[object, ...]]:
    assert isinstance(one, tuple)
    return one


def test_an_audit_finds_another_telling_in_the_same_run(tmp_path: Path) -> None:
    paths = written(tmp_path, [[HAND, HANDS[1]], [SAME_OF_DORA, HAND, SAME_OF_DORA], [OF_DORA]])
    found = list(audited(check(paths, events=False)))
    assert [one.became for one in found] == [
        Became.STORED,
        Became.STORED,
        Became.LEARNED,
        Became.KNOWN,
        Became.KNOWN,
        Became.REFUSED,
    ]
    (finding,) = found[-1].contradictions
    assert finding.against == "the hand as it was told before says"
    assert "discards two cards" in finding.says or "2 cards" in finding.says


def test_what_came_before_is_on_the_disk_and_not_in_memory(tmp_path: Path) -> None:
    before = dry_run._Before()
    assert before._rows.execute("PRAGMA database_list").fetchall() == [(0, "main", "")], "a temporary file"
    telling = HandSource(tmp_path, "pokerstars", Block(1, "text", "context"), "")
    assert [before.add("a", telling), before.add("a", telling)] == [True, False]
    pages = before._rows.execute("PRAGMA page_count").fetchone()[0]
    before._rows.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageFailed, match="database or disk is full"):
        before.add("b", telling._replace(block=Block(1, "x" * 100_000)))
    before.close()
    with pytest.raises(sqlite3.ProgrammingError):
        before._rows.execute("SELECT 1")
