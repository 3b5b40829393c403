"""Levels by hands: each round has the blinds and the ante of its level, and the start records all of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.replay import Step
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.record import Record
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.counting import DrawPokerCounter
from pokersvc.games.draw_poker.display.stakes_words import say_level
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.houses import preset
from pokersvc.games.draw_poker.house.levels import Level, Levels, level_preset_names, levels_given, refused_levels
from pokersvc.games.draw_poker.house.rules import MAX_CHIPS
from pokersvc.histories.of_game import hands_of
from pokersvc.service import Service
from tests.audit.forged import forged, only, public
from tests.audit.played import in_one_file, tampering
from tests.web.node import WEB, node
from tests.web.played import opened, play, streamed

WORDS = DrawPokerWords()
SHORT = Levels(
    schedule=(Level(big=2, hands=2, small=1), Level(ante=1, big=4, hands=1, small=2), Level(big=10, hands=3, small=5))
)


def setup(levels: object = SHORT, rounds: int | None = 6, rules: object = "no-limit", **options: Any) -> Setup:
    seats = tuple(Seat("minimum", name) for name in ("Ann", "Bob", "Cy", "Dee"))
    given = {"rules": rules, "levels": levels, "stack": "1000", **options}
    return Setup(seats, EntropySource.from_text("levels"), rounds, given)


def steps(records: list[Record]) -> list[Step[Record]]:
    """Return the steps of a log, whose state is that of the moment only while it is read."""
    started, *rest = [DRAW_POKER.codec.decode(one.type, one.version, one.payload, one.secret) for one in records]
    assert isinstance(started, events.GameStarted)
    state = DRAW_POKER.new(started)
    found = [Step(records[0], started, state)]
    for record, event in zip(records[1:], rest, strict=True):
        state.apply(event)
        found.append(Step(record, event, state))
    return found


def forced(records: list[Record]) -> dict[int, tuple[int, int, int]]:
    """Return round → the ante, the small and the big blind that were posted."""
    found: dict[int, tuple[int, int, int]] = {}
    for step in steps(records):
        match step.event:
            case events.RoundStarted(ante=ante, round=round_):
                now, found[round_] = round_, (ante, 0, 0)
            case events.BlindPosted(amount=amount, blind=blind):
                ante, small, big = found[now]
                found[now] = (ante, amount, big) if blind == "small" else (ante, small, amount)
    return found


# The rounds.


def test_the_level_follows_from_the_round(tmp_path: Path) -> None:
    records = play(tmp_path / "x.sqlite", "levels", "draw", setup())
    assert forced(records) == {1: (0, 1, 2), 2: (0, 1, 2), 3: (1, 2, 4), 4: (0, 5, 10), 5: (0, 5, 10), 6: (0, 5, 10)}


@settings(max_examples=8, deadline=None)
@given(st.data())
def test_levels_come_when_they_are_due(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    big = st.integers(1, 40)
    level = st.builds(lambda ante, big, hands: Level(ante=ante, big=big, hands=hands, small=(big + 1) // 2),
                      st.integers(0, 3), big, st.integers(1, 3))  # fmt: skip
    levels = Levels(schedule=tuple(data.draw(st.lists(level, min_size=1, max_size=5))))
    house = data.draw(st.sampled_from(["no-limit", "pot-limit", "fixed-limit"]))
    path = tmp_path_factory.mktemp("levels") / "x.sqlite"
    records = play(path, "levels", "draw", setup(levels, data.draw(st.integers(1, 9)), house))
    started = DRAW_POKER.codec.decode(records[0].type, records[0].version, records[0].payload, None)
    assert isinstance(started, events.GameStarted)
    counter, due = DrawPokerCounter(started), [one for one in levels.schedule for _ in range(one.hands or 0)]
    for step in steps(records)[1:]:
        counter.take(step.event)
        match step.event:
            case events.RoundStarted(ante=ante, round=round_):
                now = due[min(round_, len(due)) - 1]
                assert (ante, counter.unit) == (now.ante, now.big)
            case events.BlindPosted(amount=amount, blind=blind):
                assert amount <= (now.big if blind == "big" else now.small)
            case events.GameEnded(stacks=stacks):
                assert sum(stacks) == 4000, "a level changes nobody's chips"


def test_each_exported_hand_has_its_own_blinds(tmp_path: Path) -> None:
    records = play(tmp_path / "x.sqlite", "levels", "draw", setup())
    state = None

    def live() -> Any:
        nonlocal state
        for record in records:
            event = DRAW_POKER.codec.decode(record.type, record.version, record.payload, record.secret)
            if isinstance(event, events.GameStarted):
                state = DRAW_POKER.new(event)
            else:
                assert state is not None
                state.apply(event)
            yield Step(record, event, state)

    hands = list(hands_of(live(), EVERYONE))
    assert [(one.small_blind, one.big_blind, one.ante) for one in hands[:4]] == [
        (1, 2, 0),
        (1, 2, 0),
        (2, 4, 1),
        (5, 10, 0),
    ]


def test_bets_stay_in_proportion_to_the_big_blind() -> None:
    started = DRAW_POKER.start(setup(rules="fixed-limit"))
    state = DRAW_POKER.new(started)
    assert (started.rules.betting.minimum, started.rules.betting.final_minimum) == (2, 4)
    assert state.stakes_level == 1
    assert say_level(state.view(EVERYONE)) == ("Level 1 of 3; the next one, 2/4 and an ante of 1, begins with round 3.")


def test_a_round_tells_that_a_level_begins(tmp_path: Path) -> None:
    records, state, told = play(tmp_path / "x.sqlite", "levels", "draw", setup()), None, []
    for record in records:
        event = DRAW_POKER.codec.decode(record.type, record.version, record.payload, record.secret)
        if isinstance(event, events.GameStarted):
            state = DRAW_POKER.new(event)
            continue
        assert state is not None
        state.apply(event)
        if isinstance(event, events.RoundStarted):
            told.append(WORDS.tell(event, state).partition(", the button")[0].partition(", Ann")[0].split(", ")[:2])
    assert told[2][0] == "Round 3 starts at level 2"
    assert told[2][1].startswith("blinds 2/4")
    assert not told[1][0].endswith("level 1")


# The start.


@pytest.mark.parametrize("name", level_preset_names())
def test_presets_can_be_played(name: str) -> None:
    started = DRAW_POKER.start(setup(name))
    assert not list(DRAW_POKER.unplayable(started))
    assert not list(DRAW_POKER.contradictions(started))
    assert started.levels is not None
    assert started.rules.blinds is not None
    assert started.rules.blinds.big == started.levels.schedule[0].big == 10


def test_a_file_of_levels(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('hands = 3\n[[level]]\nblinds = "1/2"\n[[level]]\nblinds = "2/4"\nante = 1\nhands = 8\n')
    levels = levels_given({"levels": str(file)})
    assert levels == Levels(schedule=(Level(big=2, hands=3, small=1), Level(ante=1, big=4, hands=8, small=2)))


@pytest.mark.parametrize(
    "text",
    [
        "", "hands = 3", "levels = 1", "[[level]]\nblinds = '1/2'", "hands = 0\n[[level]]\nblinds = '1/2'",
        "hands = 3\n[[level]]\nblinds = '4/2'", "hands = 3\n[[level]]\nblinds = 2", "hands = 3\nlevel = [1]",
        "hands = 3\n[[level]]\nblinds = '1/2'\nante = -1", "hands = 3\n[[level]]\nblinds = '1/2'\nminutes = 3",
        "hands =",
    ],
)  # fmt: skip
def test_a_file_with_a_mistake_is_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(InvalidValue, match=r"\.$"):
        levels_given({"levels": str(file)})


@pytest.mark.parametrize("source", ["fast", "missing.toml"])
def test_levels_that_there_are_not(source: str) -> None:
    with pytest.raises(InvalidValue, match=r"\.$"):
        levels_given({"levels": source})


@pytest.mark.parametrize(
    "options",
    [
        {"rules": "rising-ante"}, {"cash": True}, {"changeable": True}, {"straddle": 4},
        {"blinds": "5/10"}, {"ante": 3}, {"stack": "1"},
    ],
)  # fmt: skip
def test_options_that_do_not_go_with_levels(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue):
        DRAW_POKER.start(setup(**options))


def test_the_last_level_is_checked_too() -> None:
    house = preset("no-limit")
    rules = house.model_copy(update={"betting": house.betting.model_copy(update={"maximum": 9})})
    refused = refused_levels(rules, SHORT, cash=False, changeable=False)
    assert refused == ("levels, level 3, betting.maximum", "at least the minimum bet, 10")


def test_a_level_whose_bets_are_no_number_of_chips_is_refused() -> None:
    levels = Levels(schedule=(Level(big=2, hands=2, small=1), Level(big=MAX_CHIPS, hands=2, small=1)))
    with pytest.raises(InvalidValue, match="level 2 must be such that a bet after the draw is at most 1,000,000,000"):
        DRAW_POKER.start(setup(levels, rules="fixed-limit"))
    assert refused_levels(preset("no-limit"), levels, cash=False, changeable=False) is None


# Doctored logs, with all hashes made anew.


def write(service: Service) -> None:
    service.start("draw", setup(), game_id="levels")
    while service.status("levels").outcome is None:
        service.play_round("levels")


@pytest.fixture(scope="module")
def written() -> bytes:
    return in_one_file(write)


def test_it_passes_as_it_was_played(written: bytes) -> None:
    with tampering(written) as found:
        assert found.audit("levels") == []


@pytest.mark.parametrize(("which", "ante"), [(1, 1), (2, 0), (3, 1)])
def test_a_level_too_early_or_too_late_is_found(written: bytes, which: int, ante: int) -> None:
    with tampering(written) as found:
        seq = forged(found, "levels", "RoundStarted", public(ante=ante), which)
        assert [one.seq for one in only(found.audit("levels"), "rules")][:1] == [seq]


def test_blinds_of_another_level_are_found(written: bytes) -> None:
    with tampering(written) as found:
        seq = forged(found, "levels", "BlindPosted", public(amount=4), 1)
        assert [one.seq for one in only(found.audit("levels"), "rules")][:1] == [seq]


@pytest.mark.parametrize(
    "change",
    [{"big": 6, "small": 3}, {"ante": 1}, {"small": 4}, {"hands": 1}],
)
def test_another_schedule_than_that_of_the_rounds_is_found(written: bytes, change: dict[str, int]) -> None:
    with tampering(written) as found:
        levels = json.loads(found.records("levels")[0].payload)["levels"]
        levels["schedule"][0] |= change
        forged(found, "levels", "GameStarted", public(levels=levels))
        assert found.audit("levels")


def test_the_page_verifies_them(tmp_path: Path) -> None:
    games = []
    for index, house in enumerate(["no-limit", "pot-limit", "fixed-limit"]):
        levels = SHORT if index else "turbo"
        records = play(tmp_path / f"{index}.sqlite", f"levels-{index}", "draw", setup(levels, 8, house))
        games.append(
            {
                "name": house, "game": f"levels-{index}", "seat": 1, "records": streamed(records, "draw", 1),
                "opened": opened(records, "draw"), "head": records[-1].hash.hex(),
            }
        )  # fmt: skip
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(game) + "\n" for game in games), encoding="ascii")
    *not_good, total = node(WEB / "verify_games.js", file, timeout=120).stdout.splitlines()
    assert not_good == []
    assert json.loads(total)["games"] == 3
