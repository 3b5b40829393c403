"""Hands at the edges of limits: the last that is allowed, and the first that is not."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from pokersvc.core.event import Event
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.events import GameStarted, HandMucked, PlayerLeft
from pokersvc.games.draw_poker.house.houses import preset
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.recorded_hands.recorded_events import (
    RecordedCardsDiscarded,
    RecordedCardsDrawn,
    RecordedHandDealt,
)
from pokersvc.histories import differences, learning
from pokersvc.histories.amounts import WrongAmount, amount_of, currency_of, paid_in
from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects.phh import Phh
from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import CHIPS, Currency
from pokersvc.histories.of_game import refuse_house
from pokersvc.histories.sessions import AtTable, HandAt, PlayedHands, played_hands, session_with, sessions, tables
from pokersvc.histories.statements import Posted
from pokersvc.histories.statistics import curves
from pokersvc.histories.statistics.discards import discards
from pokersvc.histories.tables import HandRows
from pokersvc.histories.timestamps import WallClock, WrongMoment, played
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.service import Service
from pokersvc.service.read_models.played_rounds import played_rounds
from tests.clock import FIRST

from .odd_hands import TEXTS
from .own_games import own_game
from .test_importing import HAND

USD = Currency("USD", 2)

# Amounts


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        ("9" * 15, CHIPS, 999_999_999_999_999),
        ("9" * 16, CHIPS, None),
        ("123,456,789,012,345", CHIPS, 123_456_789_012_345),
        ("1,123,456,789,012,345", CHIPS, None),
        ("1,23", CHIPS, None),
        ("1234,567", CHIPS, None),
        ("$1.5000", USD, 150),
        ("$1.50000", USD, None),
        ("$1.505", USD, None),
        ("1.0", CHIPS, 1),
        ("1.1", CHIPS, None),
        ("€1", Currency("play", 2), 100),
        ("£1", USD, None),
        ("$1", Currency("AUD", 2), 100),
        ("€1", Currency("CAD", 2), None),
    ],
)
def test_an_amount_is_of_its_currency_and_no_longer_than_is_counted(
    text: str, currency: Currency, amount: int | None
) -> None:
    if amount is None:
        with pytest.raises(WrongAmount):
            amount_of(text, currency)
    else:
        assert amount_of(text, currency) == amount


def test_a_tournament_is_paid_in_cents_or_in_whole_points() -> None:
    assert [paid_in(code) for code in ("FPP", "SC", "USD")] == [Currency("FPP", 0), Currency("SC", 0), USD]
    assert [currency_of("$1", code).code for code in ("USD", "CAD", "AUD")] == ["USD", "CAD", "AUD"]
    for amount, code in (("$1", "EUR"), ("€1", "USD"), ("£1", "CAD")):
        with pytest.raises(WrongAmount) as caught:
            currency_of(amount, code)
        assert str(caught.value) == f"'{amount}' is not an amount in {code}."


# Moments


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        ("GMT+2359", -23 - 59 / 60),
        ("GMT-2359", 23 + 59 / 60),
        ("UTC+00:30", -0.5),
        ("GMT+2400", None),
        ("GMT+2360", None),
        ("GMT+1", None),
        ("Europe/Paris", -1),
        ("Europe/Nowhere", None),
        ("/etc/passwd", None),
        ("../x", None),
        ("Paris", None),
    ],
)
def test_a_zone_is_less_than_a_day_from_utc(zone: str, hours: float | None) -> None:
    noon = FIRST.replace(tzinfo=None)
    if hours is None:
        with pytest.raises(WrongMoment, match="is not the name of a known time zone"):
            played(WallClock(noon, zone, "noon"))
    else:
        assert played(WallClock(noon, zone, "noon")).utc == FIRST + timedelta(hours=hours)


# Sessions

TABLE = AtTable("site", "table", None, "USD", 2)


def hand(moment: str, game_id: str, round_: int = 1, net: int | None = None, where: AtTable = TABLE) -> HandAt:
    return HandAt(f"2026-01-31T{moment}", game_id, round_, where, net)


EVENING = [
    hand("12:00:00", "a", 3, 5),
    hand("12:30:00", "b", 1, -2),  # as long as a break may be
    hand("13:00:01", "c"),  # a second longer
    hand("13:00:01", "d", 2, 1, TABLE._replace(table="other")),
    hand("13:02:00", "e", 1, 7, TABLE._replace(currency="EUR")),
]


def test_a_break_may_be_as_long_as_the_gap_and_no_longer() -> None:
    played_ = PlayedHands({("site", "Ann"): EVENING, ("site", None): [hand("12:45:00", "z")]}, [], [], {})
    found = sessions(played_)
    assert [(one.name, one.player, one.minutes, one.nets) for one in found] == [
        ("c", "Ann", 1, {("USD", 2): 1, ("EUR", 2): 7}),
        ("z", None, 0, {}),
        ("a:3", "Ann", 30, {("USD", 2): 3}),
    ]
    assert [[hand.game_id for hand in one.hands] for one in found] == [["c", "d", "e"], ["z"], ["a", "b"]]
    assert [[where.table for where in one.tables] for one in found] == [
        ["table", "other", "table"],
        ["table"],
        ["table"],
    ]
    assert len(sessions(played_, 31)) == 2
    assert [one.name for one in sessions(played_, 29)] == ["c", "z", "b", "a:3"]
    at_tables = [([hand.game_id for hand in one.hands], one.player) for one in tables(played_)]
    assert at_tables == [(["e"], "Ann"), (["d"], "Ann"), (["z"], None), (["a", "b", "c"], "Ann")]


@pytest.mark.parametrize(("gap", "right"), [(0, False), (1, True), (527_040, True), (527_041, False), (-1, False)])
def test_a_gap_is_from_a_minute_to_a_year(gap: int, right: bool) -> None:
    nothing = PlayedHands({}, [], [], {})
    if right:
        assert sessions(nothing, gap) == []
    else:
        with pytest.raises(InvalidValue) as caught:
            sessions(nothing, gap)
        assert str(caught.value) == f"--gap {gap} is not a gap between sessions; it must be from 1 to 527,040 minutes."


def test_the_session_of_a_hand_ends_at_the_same_breaks() -> None:
    with Database.for_writing(":memory:") as database:
        for number in range(1, 7):
            own_game(EventLog(database), number)
        games = [f"game-{number}" for number in range(1, 7)]
        with database.write() as connection:
            for game_id, minute in zip(games, (0, 30, 60, 91, 121, 152), strict=True):
                moment = (FIRST + timedelta(minutes=minute)).replace(tzinfo=None).isoformat()
                connection.execute(update(played_rounds).where(played_rounds.c.game_id == game_id).values(at=moment))
        listed = [list(dict.fromkeys(hand.game_id for hand in one.hands)) for one in sessions(played_hands(database))]
        assert listed == [["game-6"], ["game-4", "game-5"], ["game-1", "game-2", "game-3"]]
        for one in listed:
            for game_id in one:
                assert list(dict.fromkeys(hand.game_id for hand in session_with(database, game_id).hands)) == one
                assert session_with(database, game_id, gap=29).name == game_id


# What games and files say


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Event, ...]:
    """The game that a hand of three players becomes."""
    file = tmp_path_factory.mktemp("hand") / "hand.txt"
    file.write_text(HAND, "utf-8")
    (one,) = check([file])
    assert isinstance(one, CheckedHand)
    return one.events


def test_cards_are_told_by_the_line_that_has_them(told: tuple[Event, ...]) -> None:
    lines = HAND.splitlines()
    start = told[0]
    assert isinstance(start, GameStarted)
    for seat, player in enumerate(start.seats, 1):
        discards_at = next(at for at, line in enumerate(lines, 1) if line.startswith(f"{player.name}: discards"))
        dealt_at = next((at for at, line in enumerate(lines, 1) if line.startswith(f"Dealt to {player.name} [")), 1)
        assert learning.line_of(told, seat, RecordedCardsDiscarded) == discards_at
        assert learning.line_of(told, seat, RecordedHandDealt) == dealt_at
        assert learning.line_of(told, seat) == min(discards_at, dealt_at if dealt_at > 1 else discards_at)
        assert learning.line_of(told, seat, HandMucked) == 1
    assert learning.line_of(told, 9, RecordedCardsDrawn) == 1


@pytest.mark.parametrize("button", [None, 3])
def test_a_start_is_told_in_words(told: tuple[Event, ...], button: int | None) -> None:
    start = told[0]
    assert isinstance(start, GameStarted)
    assert start.table is not None
    table = start.table.model_copy(update={"button": button})
    start = replace(start, table=table)
    seats = zip(start.seats, table.numbers, table.stacks, strict=True)
    said = list(differences._start(start))
    assert said[: 3 + len(start.seats)] == [
        "that 3 players are dealt in",
        *(f"that {seat.name} sits at seat {number} with ${stack / 100:.2f}" for seat, number, stack in seats),
        "no button" if button is None else f"the button at seat {button}",
        "amounts in USD",
    ]
    rules = start.rules.model_dump()
    parts = sum(len(part) if isinstance(part, dict) else 1 for part in rules.values())
    assert len(said) == 3 + len(start.seats) + parts
    assert f"blinds big {start.rules.blinds.big}" in said if start.rules.blinds else "blinds None" in said


def changed(part: str, **fields: Any) -> DrawPokerRules:
    rules = preset("no-limit")
    if part:
        return rules.model_copy(update={part: getattr(rules, part).model_copy(update=fields)})
    return rules.model_copy(update=fields)


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (changed("", remainder="carry"), "chips that do not divide stay in the pot for the next round"),
        (changed("betting", opener="random"), "who opens is drawn at random"),
        (changed("", open_hands="after_draw"), "hands are shown before the final betting"),
        (changed("ante", short="surrender"), "a short stack surrenders its chips"),
        (changed("betting", raises="once"), "its betting is neither no limit nor pot limit nor fixed limit"),
        (changed("betting", final_minimum=4), "its minimum bet differs after the draw"),
        (changed("betting", final_minimum=4, raises="fixed_limit"), None),
        (changed("betting", maximum=100), "it has a highest bet"),
        (changed(""), None),
    ],
)
def test_a_house_that_no_format_can_say_is_refused_with_the_reason(rules: DrawPokerRules, why: str | None) -> None:
    if why is None:
        refuse_house(rules)
    else:
        with pytest.raises(CannotBeWritten) as caught:
            refuse_house(rules)
        assert str(caught.value) == f"A hand history cannot express this hand: in the house no-limit {why}."


def test_what_a_seat_does_before_the_first_round_makes_no_row(told: tuple[Event, ...]) -> None:
    start = told[0]
    assert isinstance(start, GameStarted)
    rows = HandRows(start, "game")
    assert rows.take(PlayerLeft(amount=0, reason="withdrew", seat=1), 2, FIRST) is None


def test_progress_is_told_after_each_game(tmp_path: Path) -> None:
    with Database.for_writing(":memory:") as database:
        service = Service(EventLog(database))
        for number in (2, 3):
            own_game(EventLog(database), number, service)
        seen: list[tuple[int, int]] = []
        list(discards(database, progress=lambda done, of: seen.append((done, of))))
        assert seen == [(1, 2), (2, 2)]


def test_a_hand_in_which_nobody_puts_in_anything_is_followed() -> None:
    text = TEXTS["PHH, nothing is put in"]
    found = follow(Phh().read(Block(1, text)), "0" * 64)
    assert found.contradictions == ()
    assert found.events


def test_where_nothing_says_what_is_put_in_a_bet_of_one_chip_is_enough() -> None:
    text = TEXTS["PHH, nothing is put in"].replace('"p1 cc", "p2 cc", "p1 sd"', '"p1 cbr 1", "p2 cc", "p1 sd"')
    assert "cbr" in text
    assert follow(Phh().read(Block(1, text)), "0" * 64).contradictions == ()


def test_a_hand_that_tells_its_big_blind_and_nothing_else_lacks_the_small_one() -> None:
    text = TEXTS["PHH, two players"].partition("actions = [")[0] + "actions = []\n"
    hand = Phh().read(Block(1, text))
    posts = tuple([one for one in hand.told if isinstance(one, Posted) and one.kind == "big"])
    found = follow(replace(hand, told=posts), "0" * 64).contradictions
    assert str(found[-1]) == (
        f"line {hand.last_line} says nothing of the small blind, and the lines before it imply that p2 posts it before"
    )


# Curves


@pytest.mark.parametrize(("count", "kept"), [(1, 1), (2, 2), (2_000, 2_000), (2_001, 2_000), (5_000, 2_000)])
def test_a_curve_has_no_more_points_than_a_picture_can_show(count: int, kept: int) -> None:
    sums = [(number, number * 1000, 0) for number in range(count)]
    found = curves.chosen(sums)
    assert len(found) <= kept
    assert found[0] == sums[0]
    assert found[-1] == sums[-1]
    assert found == sorted(set(found))
    assert count > curves.POINTS or found == sums
