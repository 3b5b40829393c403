"""Small chips that are raced off as a level begins: when, what becomes of the stacks, and what is found if forged."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pokersvc.betting.chip_race import raced_off
from pokersvc.core.books import LedgerPage
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.record import Record
from pokersvc.evidence.audit.audit import audit
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.levels import Level, Levels, levels_given
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.service import Service
from tests.audit.forged import forged, only, public
from tests.audit.played import in_one_file, tampering
from tests.audit.test_clock_changed import page_finds
from tests.audit.test_timed_levels import Timed
from tests.web.played import play

LEVELS = Levels(
    schedule=(
        Level(big=2, hands=3, small=1),
        Level(big=10, chip=5, hands=2, small=5),
        Level(ante=25, big=100, chip=25, hands=3, small=50),
    )
)


def setup(levels: Levels = LEVELS, seed: str = "race", **options: Any) -> Setup:
    seats = tuple(Seat("minimum", name) for name in ("Ann", "Bob", "Cy", "Dee"))
    given = {"rules": "no-limit", "levels": levels, "stack": "1003", **options}
    return Setup(seats, EntropySource.from_text(seed), 8, given)


def applied(records: list[Record]) -> Iterator[tuple[Event, DrawPokerState]]:
    """Yield each event after the start, once it is applied, with the state, which the next one changes."""
    started, *rest = [DRAW_POKER.codec.decode(one.type, one.version, one.payload, one.secret) for one in records]
    assert isinstance(started, events.GameStarted)
    state = DRAW_POKER.new(started)
    for event in rest:
        state.apply(event)
        yield event, state


def test_odd_chips_are_raced_off_once_as_each_level_begins(tmp_path: Path) -> None:
    records = play(tmp_path / "x.sqlite", "race", "draw", setup())
    before: tuple[int, ...] = ()
    seated, races, total = 0, [], 4012
    for event, state in applied(records):
        if isinstance(event, events.ChipsRacedOff):
            chip, stacks = event.chip, event.stacks
            races.append((state.round, chip))
            assert (0, *stacks) == raced_off(before, seated, chip)
            total += sum(stacks) - sum(before)
        if isinstance(event, events.GameEnded):
            assert sum(event.stacks) == total
        before, seated = tuple(state.stacks), state.seated
    assert races == [(3, 5), (5, 25)], "before the first round of each level that has larger chips, and never else"
    assert total < 4012


def test_it_is_told(tmp_path: Path) -> None:
    words = DrawPokerWords()
    for event, state in applied(play(tmp_path / "x.sqlite", "race", "draw", setup())):
        if isinstance(event, events.ChipsRacedOff):
            one, two, *_ = event.stacks
            said = words.tell(event, state)
            assert said.startswith(f"Chips below {event.chip} are raced off: Ann {one}, Bob {two}, Cy ")


def test_at_a_table_it_follows_the_level_and_the_round_begins_at_once(tmp_path: Path) -> None:
    timed = Levels(schedule=(Level(big=2, minutes=5, small=1), Level(big=10, chip=5, minutes=5, small=5)))
    played = Timed(levels=timed, stack="503")
    played.wait(5)
    recorded = [type(one.event).__name__ for one in played.service.go_on(played.game)]
    assert recorded[:3] == ["LevelBegan", "ChipsRacedOff", "RoundStarted"]
    assert played.found(played.records) == []
    assert page_finds(played.records, tmp_path) == []


# The start.


def test_a_file_says_the_smallest_chip_of_a_level(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('hands = 3\n[[level]]\nblinds = "5/10"\n[[level]]\nblinds = "50/100"\nchip = 25\n')
    levels = levels_given({"levels": str(file)})
    assert levels is not None
    assert [one.chip for one in levels.schedule] == [None, 25]


@pytest.mark.parametrize("chip", ["0", "-5", "2.5", "true", '"25"', "10000000000"])
def test_a_wrong_chip_is_refused(tmp_path: Path, chip: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'hands = 3\n[[level]]\nblinds = "5/10"\n[[level]]\nblinds = "50/100"\nchip = {chip}\n')
    with pytest.raises(InvalidValue, match=r"Level 2 of .* has chip = .*; it must be 1 to"):
        levels_given({"levels": str(file)})


@pytest.mark.parametrize(
    ("first", "second"),
    [({"chip": 1}, {}), ({}, {"ante": 3, "chip": 5}), ({}, {"chip": 10}), ({}, {"chip": 3})],
)
def test_chips_that_do_not_make_up_the_blinds_are_refused(first: dict[str, int], second: dict[str, int]) -> None:
    levels = Levels(schedule=(Level(big=2, hands=3, small=1, **first), Level(big=10, hands=3, small=5, **second)))
    with pytest.raises(InvalidValue, match="a chip divides"):
        DRAW_POKER.start(setup(levels))


@pytest.mark.parametrize(
    ("blinds", "chip"), [((10, 5), None), ((100, 50), 10), ((100, 50), 30)], ids=["blinds", "smaller", "no multiple"]
)
def test_later_levels_have_the_chips_of_earlier_ones(blinds: tuple[int, int], chip: int | None) -> None:
    big, small = blinds
    levels = Levels(
        schedule=(
            Level(big=2, hands=3, small=1),
            Level(big=100, chip=25, hands=3, small=50),
            Level(big=big, chip=chip, hands=3, small=small),
        )
    )
    with pytest.raises(InvalidValue, match="a chip divides"):
        DRAW_POKER.start(setup(levels))


def test_a_start_of_version_6_has_levels_without_a_race() -> None:
    payload = json.loads(DRAW_POKER.codec.encode(DRAW_POKER.start(setup())).payload)
    for level in payload["levels"]["schedule"]:
        del level["chip"]
    started = DRAW_POKER.codec.decode("GameStarted", 6, json.dumps(payload), None)
    assert isinstance(started, events.GameStarted)
    assert started.levels is not None
    assert [(one.big, one.chip) for one in started.levels.schedule] == [(2, None), (10, None), (100, None)]


# Doctored logs, with all hashes made anew.


def write(service: Service) -> None:
    service.start("draw", setup(), game_id="race")
    while service.status("race").outcome is None:
        service.play_round("race")


@pytest.fixture(scope="module")
def written() -> bytes:
    return in_one_file(write)


def test_the_audit_and_the_page_pass_it_as_it_was_played(written: bytes, tmp_path: Path) -> None:
    with tampering(written) as found:
        assert found.audit("race") == []
        assert page_finds(found.records("race"), tmp_path) == []


def other_stacks(stacks: list[int]) -> list[list[int]]:
    """Stacks that no race leaves: chips from nowhere, for another seat, none won, one seat too few."""
    first, second, *others = stacks
    return [[first + 5, second, *others], [first + 5, second - 5, *others], [first - 5, second, *others], [first]]


@pytest.mark.parametrize("which", range(4))
def test_another_result_is_found(written: bytes, which: int, tmp_path: Path) -> None:
    with tampering(written) as found:
        event = next(one for one in found.records("race") if one.type == "ChipsRacedOff")
        wrong = other_stacks(json.loads(event.payload)["stacks"])[which]
        seq = forged(found, "race", "ChipsRacedOff", public(stacks=wrong))
        assert [one.seq for one in only(found.audit("race"), "rules")][:1] == [seq]
        assert page_finds(found.records("race"), tmp_path)


def test_chips_from_nowhere_are_found_by_the_books_too(written: bytes) -> None:
    with tampering(written) as found:
        event = next(one for one in found.records("race") if one.type == "ChipsRacedOff")
        first, *others = json.loads(event.payload)["stacks"]
        forged(found, "race", "ChipsRacedOff", public(stacks=[first + 25, *others]))
        assert any("after the race" in one.found for one in only(found.audit("race"), "money"))


def test_a_race_left_out_is_found(written: bytes, tmp_path: Path) -> None:
    with tampering(written) as found:
        records = found.records("race")
        at = next(at for at, one in enumerate(records) if one.type == "ChipsRacedOff")
        found.rewrite("race", [*records[:at], *records[at + 1 :]])
        assert [one.seq for one in only(found.audit("race"), "rules")][:1] == [at + 1]
        assert page_finds(found.records("race"), tmp_path)


def test_the_ledger_says_what_each_seat_gained_and_lost(written: bytes) -> None:
    pages: list[LedgerPage] = []
    with tampering(written) as found:
        assert list(audit(found.database, ["race"], ledger=lambda _, page: pages.append(page)))
        (ended,) = [json.loads(one.payload) for one in found.records("race") if one.type == "GameEnded"]
    at = pages[-1].columns.index("raced off")
    _, total = pages[-1].rows[-1]
    assert total[at] == sum(ended["stacks"]) - 4012
    assert total[at] != 0
