"""The findings for tampered tables are exactly the stored ones."""

import pytest

from .tampered_rows import FOUND, found_after

STORED = FOUND.stored()
LONG = frozenset({"events", "game_summaries", "played_rounds", "tallies"})
"""Tables with so many changes that the slow tests make them."""


@pytest.mark.parametrize("table", [pytest.param(table, marks=[pytest.mark.slow] * (table in LONG)) for table in STORED])
def test_a_changed_table_has_the_findings_that_it_had(table: str) -> None:
    assert FOUND.digest(table) == STORED[table], f"see: python -m tests.audit.tampered_rows {table}"


def test_there_are_findings_of_these_tables_alone() -> None:
    assert list(STORED) == list(FOUND.texts())


def test_a_kind_that_is_no_text_is_damage_of_the_game_and_of_the_database() -> None:
    found = found_after("UPDATE games SET kind = CAST(x'ff' AS TEXT) WHERE game_id = 'a'")
    damage = "found this: /games.sqlite is damaged: it holds a text that is not UTF-8"
    expected = "a database that can be read (storage)"
    assert [line for line in found.splitlines() if "found" in line] == [
        f"{where}: {damage} where there should be {expected}" for where in ("Game a", "The database")
    ]
    assert "bug in pokersvc" not in found
