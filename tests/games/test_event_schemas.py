"""The stored format of events is frozen: a change needs a new version and an upcaster."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from pokersvc.core.event import Event
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.tables.table_events import TABLE_EVENT_TYPES
from pokersvc.testing import Promise, write_schemas
from pokersvc.testing.schemas import stored_form, wrong_schemas

RECORDED: Final = Path(__file__).with_name("event_schemas")


@pytest.mark.parametrize("kind", game_kinds())
def test_every_event_of_every_game_is_recorded_and_keeps_its_stored_form(kind: str) -> None:
    assert [str(wrong) for wrong in wrong_schemas(game_of(kind), RECORDED / kind)] == []


def test_nothing_is_recorded_of_games_that_there_are_not() -> None:
    assert {folder.name for folder in RECORDED.iterdir()} == {*game_kinds(), "table"}


@dataclass(frozen=True, slots=True)
class OtherEvent(Event):
    zero: int
    one: int


def test_a_file_is_written_for_what_has_none_and_never_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("kalah")
    assert len(write_schemas(game, tmp_path)) == len(game.event_types)
    assert write_schemas(game, tmp_path) == []
    (tmp_path / "BeansSown.1.json").unlink()
    assert [path.name for path in write_schemas(game, tmp_path)] == ["BeansSown.1.json"]
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr(type(game), "event_types", {**game.event_types, ("BeansSown", 1): OtherEvent})
    assert write_schemas(game, tmp_path) == []
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_what_is_changed_missing_gone_or_out_of_order_is_one_sentence_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of("kalah")
    write_schemas(game, tmp_path)
    types = {**game.event_types, ("BeansSown", 1): OtherEvent, ("BeansSown", 2): game.event_types["BeansSown", 1]}
    del types["GameEnded", 1]
    monkeypatch.setattr(type(game), "event_types", types)
    wrong = list(wrong_schemas(game, tmp_path))
    assert {one.promise for one in wrong} == {Promise.SCHEMAS}
    said = [str(one).partition(" is frozen: ")[2] for one in wrong]
    assert said == [
        "BeansSown.1 is not as BeansSown.1.json has it; keep the old class under its version, and make a new version"
        " with an upcaster from it.",
        "GameEnded.1 has a file and no event type, so stored games that have it cannot be read.",
        f"BeansSown.2.json is missing in {tmp_path.name}; `write_schemas` writes it.",
        "the fields of BeansSown.1 do not stand in alphabetical order: zero, one.",
    ]


def test_events_at_the_table_of_any_game_are_stored_as_they_always_were() -> None:
    recorded = {path.name: json.loads(path.read_text("utf-8")) for path in (RECORDED / "table").glob("*.json")}
    forms = {f"{name}.{version}.json": stored_form(event) for (name, version), event in TABLE_EVENT_TYPES.items()}
    assert forms == recorded
