"""Levels that end by time: the service begins them, breaks are kept, and what is forged is found."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pokersvc.core.actions import BeginLevel, IllegalAction
from pokersvc.core.event import Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import PauseTable, ResumeTable, TableSettings
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.record import Record, stored_bytes
from pokersvc.games.draw_poker.actions import Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.house.houses import load_rules
from pokersvc.games.draw_poker.house.levels import Level, Levels
from pokersvc.service import LogFull, Service
from tests.audit.judging import VIEWERS, Found
from tests.audit.test_at_table import Played, later
from tests.audit.test_clock_changed import page_finds
from tests.service.support import play_to_the_pause

LEVELS = Levels(
    schedule=(
        Level(big=2, minutes=10, small=1),
        Level(ante=1, big=4, minutes=5, small=2),
        Level(big=8, minutes=5, rest=3, small=4),
    )
)


def setup(people: int = 2, seed: str = "levels", **options: Any) -> Setup:
    seats = tuple(Seat(HUMAN if at < people else "minimum", name) for at, name in enumerate(("Ann", "Bob", "Cy")))
    given = {"rules": "no-limit", "levels": LEVELS, "stack": "500", **options}
    return Setup(seats, EntropySource.from_text(seed), 30, given)


class Timed(Played):
    """A tournament between its first two rounds, at a table with or without a clock for choices."""

    def __init__(self, seconds: int = 0, people: int = 2, *, plays: bool = True, **options: Any) -> None:
        super().__init__()
        self.game, _ = self.service.start("draw", setup(people, **options), table=TableSettings(seconds=seconds))
        if people and plays:
            play_to_the_pause(self.service, self.game)

    def wait(self, minutes: float) -> None:
        self.turn(60 * minutes)

    def rounds(self, minutes: float, rounds: int = 1) -> None:
        """Play rounds, each after the given number of minutes."""
        for _ in range(rounds):
            self.wait(minutes)
            self.service.go_on(self.game)
            play_to_the_pause(self.service, self.game)

    def rest(self) -> None:
        """Play on until the break of three minutes with which level 3 begins."""
        self.rounds(10)
        self.wait(5)
        self.service.go_on(self.game)

    @property
    def records(self) -> list[Record]:
        return list(self.log.read(self.game))

    @property
    def began(self) -> list[tuple[int, int]]:
        """Each level that has begun by time, and the round before it."""
        found, round_ = [], 0
        for one in self.records:
            payload = json.loads(one.payload)
            round_ = payload["round"] if one.type == "RoundStarted" else round_
            if one.type == "LevelBegan":
                found.append((payload["level"], round_))
        return found

    @property
    def level(self) -> int:
        level = self.service.view(self.game, "everyone").level
        assert isinstance(level, int)
        return level

    def moved(self, type_: str, seconds: float) -> list[Record]:
        """The records, with other times from the last event of a type on."""
        records = self.records
        at = max(at for at, one in enumerate(records) if one.type == type_)
        command = records[at].command_id
        first = next(at for at, one in enumerate(records) if one.command_id == command)
        return [one._replace(recorded_at=later(one, seconds)) if n >= first else one for n, one in enumerate(records)]


# Given a tournament at a table.


def test_the_next_level_begins_before_the_first_round_after_its_time(tmp_path: Path) -> None:
    played = Timed()
    played.rounds(3, 3)
    assert (played.level, played.began) == (1, []), "nine minutes"
    played.rounds(3)
    assert (played.level, played.began) == (2, [(2, 4)]), "twelve minutes: the fifth round is at level 2"
    assert [json.loads(one.payload)["ante"] for one in played.records if one.type == "RoundStarted"] == [0, 0, 0, 0, 1]
    for viewer in VIEWERS:
        assert played.found(played.records, viewer) == []
    assert page_finds(played.records, tmp_path) == []


def test_a_level_lasts_to_the_microsecond() -> None:
    played = Timed()
    played.turn(599.999999)
    played.service.go_on(played.game)
    play_to_the_pause(played.service, played.game)
    assert played.began == []
    played.turn(0.000001)
    played.service.go_on(played.game)
    assert played.began == [(2, 2)]


def test_a_level_that_is_due_waits_for_the_end_of_the_round() -> None:
    played = Timed()
    played.wait(9)
    played.service.go_on(played.game)
    played.wait(4)
    play_to_the_pause(played.service, played.game)
    assert played.began == []
    played.rounds(0)
    assert played.began == [(2, 2)]


def test_pauses_of_the_table_do_not_count() -> None:
    played = Timed()
    played.wait(9)
    played.service.table_act(played.game, PauseTable())
    played.wait(600)
    played.service.table_act(played.game, ResumeTable())
    played.rounds(0.5)
    assert played.began == []
    played.rounds(0.5)
    assert played.began == [(2, 2)]
    assert played.found(played.records) == []


def test_a_level_begins_with_the_one_that_begins_not_when_it_was_due() -> None:
    played = Timed()
    played.rounds(14)
    played.rounds(4)
    assert played.began == [(2, 1)], "four minutes at level 2"


def test_a_break_keeps_the_round_from_beginning() -> None:
    played = Timed()
    played.rest()
    assert (played.level, played.began[-1]) == (3, (3, 2))
    assert played.service.status(played.game).pausing, "the level has begun, and no round"
    ends = played.service.table(played.game).break_ends
    assert ends is not None
    assert (ends - played.now).total_seconds() == 180
    played.turn(179)
    with pytest.raises(IllegalAction, match=r"lasts for 1 second more\."):
        played.service.go_on(played.game)
    played.turn(1)
    played.service.go_on(played.game)
    play_to_the_pause(played.service, played.game)
    assert played.service.table(played.game).break_ends is None
    for viewer in VIEWERS:
        assert played.found(played.records, viewer) == []


def test_a_pause_in_a_break_makes_it_longer() -> None:
    played = Timed()
    played.rest()
    played.wait(1)
    played.service.table_act(played.game, PauseTable())
    assert played.service.table(played.game).break_ends is None
    played.wait(60)
    played.service.table_act(played.game, ResumeTable())
    played.wait(1.9)
    with pytest.raises(IllegalAction, match="break"):
        played.service.go_on(played.game)
    played.rounds(0.1)
    assert played.found(played.records) == []


def outlived(short: str, levels: Levels, stack: int) -> Timed:
    """Three people after a round, of whom somebody is out, or goes out as the next level begins."""
    rules = load_rules("no-limit")
    rules = rules.model_copy(update={"ante": rules.ante.model_copy(update={"short": short})})
    for seed in range(20):
        played = Timed(people=3, plays=False, seed=str(seed), rules=rules, levels=levels, stack=[str(stack)])
        played.wait(10)
        while not (now := played.service.status(played.game)).pausing and now.outcome is None:
            (seat,) = now.awaited
            legal = played.service.turn(played.game, seat).legal
            if legal.discard is not None:
                action: Any = Discard(seat, ())
            elif short == "sit_out":
                action = Fold(seat) if legal.fold else Check(seat)
            else:
                action = Raise(seat, stack) if legal.raise_to else Fold(seat) if seat == 3 else Call(seat)
            played.service.act(played.game, action)
        if now.outcome is None:
            return played
    raise AssertionError("nobody went out in twenty games")


@pytest.mark.parametrize(("short", "ante", "stack"), [("post", 0, 100), ("sit_out", 101, 101)])
def test_a_break_is_kept_where_somebody_goes_out_before_it_or_by_its_level(
    short: str, ante: int, stack: int, tmp_path: Path
) -> None:
    second = Level(ante=ante, big=2, minutes=5, rest=30, small=1)
    played = outlived(short, Levels(schedule=(Level(big=2, minutes=10, small=1), second)), stack)
    types = [one.type for one in played.records]
    assert ("PlayerLeft" in types) == (short == "post"), "who has lost all chips is out before the level begins"
    played.turn(5)
    recorded = [type(one.event).__name__ for one in played.service.go_on(played.game)]
    assert recorded == (["LevelBegan"] if short == "post" else ["LevelBegan", "PlayerLeft"])
    ends = played.service.table(played.game).break_ends
    assert ends is not None
    assert (ends - played.now).total_seconds() == 1800
    assert played.service.status(played.game).pausing
    played.wait(30)
    played.service.go_on(played.game)
    for viewer in VIEWERS:
        assert played.found(played.records, viewer) == []
        assert played.found(played.moved("RoundStarted", -1), viewer), "a round in the break is found"
    assert page_finds(played.records, tmp_path) == []


@pytest.mark.parametrize("asks", ["the next round", "a pause"])
def test_a_full_log_ends_the_game_in_a_break_too(asks: str) -> None:
    played = Timed()
    played.rest()
    full = Service(played.log, lambda: played.now, most_bytes=1)
    if asks == "the next round":
        full.go_on(played.game)
    else:
        with suppress(LogFull):
            full.table_act(played.game, PauseTable())
    assert full.status(played.game).outcome is not None
    assert played.found(played.records) == []


def test_a_log_that_is_full_as_a_break_begins_ends_the_game_at_once() -> None:
    played = Timed()
    played.rounds(10)
    played.wait(5)
    full = Service(played.log, lambda: played.now, most_bytes=sum(map(stored_bytes, played.records)) + 1)
    recorded = [type(one.event).__name__ for one in full.go_on(played.game)]
    assert recorded[:2] == ["LevelBegan", "GameClosed"]
    assert full.status(played.game).outcome is not None
    assert played.found(played.records) == []


def test_the_last_level_lasts_to_the_end() -> None:
    played = Timed()
    played.rest()
    played.rounds(3)
    played.rounds(100, 2)
    assert [level for level, _ in played.began] == [2, 3]


def test_bots_that_play_alone_have_levels_and_no_breaks() -> None:
    played = Timed(people=0)
    for _ in range(4):
        played.wait(6)
        played.service.play_round(played.game)
    assert [level for level, _ in played.began] == [2, 3]
    assert played.found(played.records) == []


def test_a_clock_for_choices_changes_nothing() -> None:
    played = Timed(seconds=3600)
    played.rounds(10)
    assert played.began == [(2, 1)]
    assert played.found(played.records) == []


# What is refused.


def test_a_game_without_a_table_has_no_levels_by_time() -> None:
    with pytest.raises(InvalidValue, match="need a table"):
        Played().service.start("draw", setup())


def test_only_the_service_begins_a_level() -> None:
    played = Timed()
    with pytest.raises(IllegalAction) as refused:
        played.service.act(played.game, BeginLevel())
    assert refused.value.code == "service_only"


# Forgeries.


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_level_that_begins_early_is_found(viewer: Viewer) -> None:
    played = Timed()
    played.rounds(10)
    early = played.found(played.moved("LevelBegan", -0.000001), viewer)
    at = next(one.seq for one in played.records if one.type == "LevelBegan")
    assert early == [Found(at, "clock", "one that begins in its time")]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_round_that_begins_before_the_level_that_is_due_is_found(viewer: Viewer) -> None:
    played = Timed()
    played.rounds(9)
    late = played.found(played.moved("RoundStarted", 61), viewer)
    assert [(one.check, one.expected) for one in late] == [("clock", "the next level before it")]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_round_in_a_break_is_found(viewer: Viewer) -> None:
    played = Timed()
    played.rest()
    played.rounds(3)
    found = played.found(played.moved("RoundStarted", -1), viewer)
    assert {(one.check, one.expected) for one in found} == {("clock", "a round once the break is over")}


@pytest.mark.parametrize("payload", ['{"level":1}', '{"level":3}', '{"level":9}'])
def test_a_level_out_of_order_is_found(payload: str, tmp_path: Path) -> None:
    played = Timed()
    played.rounds(10)
    records = [one._replace(payload=payload) if one.type == "LevelBegan" else one for one in played.records]
    at = next(one.seq for one in records if one.type == "LevelBegan")
    for viewer in VIEWERS:
        assert (at, "rules") in [(one.seq, one.check) for one in played.found(records, viewer)]
    assert page_finds(records, tmp_path)


def test_a_level_in_a_round_is_found(tmp_path: Path) -> None:
    played = Timed()
    played.wait(10)
    played.service.go_on(played.game)
    moved = [one for one in played.records if one.type != "LevelBegan"]
    began = next(one for one in played.records if one.type == "LevelBegan")
    forged = [*moved, began._replace(n=1, command_id="forged")]
    assert played.found(forged)
    assert page_finds(forged, tmp_path)
