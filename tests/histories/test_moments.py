"""The time of a hand: zones by place, hours that occur twice or never, and two times that disagree."""

import pytest

from pokersvc.histories.hand import WhenPlayed
from pokersvc.histories.timestamps import WallClock, WrongMoment, clock, played


def at(text: str, zone: str) -> WallClock:
    day, _, time = text.partition(" ")
    return clock((*day.split("/"), *time.split(":")), zone, f"{text} {zone}")


def utc(said: WhenPlayed) -> str:
    return said.utc.strftime("%Y-%m-%d %H:%M:%S")


@pytest.mark.parametrize(
    ("local", "zone", "in_utc"),
    [
        ("2011/01/26 16:35:49", "ET", "2011-01-26 21:35:49"),
        ("2011/06/26 16:35:49", "ET", "2011-06-26 20:35:49"),
        ("2011/06/26 21:35:49", "WET", "2011-06-26 20:35:49"),  # as the sample has it: five hours before ET in June
        ("2010/09/20 20:00:00", "PT", "2010-09-21 03:00:00"),
        ("2010/09/13 0:21:02", "GMT+0100", "2010-09-12 23:21:02"),
        ("2011/09/11 15:26:27", "EEST", "2011-09-11 12:26:27"),
        ("2011/12/11 15:26:27", "EEST", "2011-12-11 12:26:27"),  # a name that says that it is summer means one offset
        ("2011/12/11 15:26:27", "GMT-03:30", "2011-12-11 18:56:27"),
    ],
)
def test_a_zone_is_the_clocks_of_a_place_or_an_offset(local: str, zone: str, in_utc: str) -> None:
    said = played(at(local, zone))
    assert (utc(said), said.zone, said.ambiguous, said.contradicts) == (in_utc, zone, False, None)
    assert said.text == f"{local} {zone}"


def test_an_hour_that_comes_twice_is_told_and_the_first_is_taken() -> None:
    said = played(at("2010/11/07 01:30:00", "ET"))
    assert (utc(said), said.ambiguous) == ("2010-11-07 05:30:00", True)


def test_a_second_clock_says_which_of_the_two_hours_it_was() -> None:
    for local, in_utc in (
        ("2010/11/07 05:30:00", "2010-11-07 05:30:00"),
        ("2010/11/07 06:30:00", "2010-11-07 06:30:00"),
    ):
        said = played(at(local, "WET"), at("2010/11/07 01:30:00", "ET"))
        assert (utc(said), said.zone, said.ambiguous, said.contradicts) == (in_utc, "ET", False, None)


def test_of_two_times_that_disagree_the_second_decides_and_the_first_is_told() -> None:
    said = played(at("2010/09/20 20:00:00", "PT"), at("2010/09/20 20:00:00", "ET"), text="both")
    assert (utc(said), said.contradicts, said.text) == ("2010-09-21 00:00:00", "2010/09/20 20:00:00 PT", "both")


def test_a_first_time_in_an_unknown_zone_cannot_agree() -> None:
    said = played(at("2010/09/20 20:00:00", "XT"), at("2010/09/20 20:00:00", "ET"))
    assert said.contradicts == "2010/09/20 20:00:00 XT"


@pytest.mark.parametrize(
    ("local", "zone", "why"),
    [
        ("2010/03/14 02:30:00", "ET", "summer time began"),
        ("2010/03/32 02:30:00", "ET", "not a date"),
        ("2010/02/29 02:30:00", "ET", "not a date"),
        ("0001/01/01 00:00:00", "GMT+0100", "not a date"),
        ("9999/12/31 23:00:00", "ET", "not a date"),
        ("2010/03/01 02:30:00", "XYZ", "'XYZ' is not the name of a known time zone"),
        ("2010/03/01 02:30:00", "GMT+9900", "known time zone"),
    ],
)
def test_a_time_that_no_clock_showed_is_refused(local: str, zone: str, why: str) -> None:
    with pytest.raises(WrongMoment, match=why):
        played(at(local, zone))
