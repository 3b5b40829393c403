"""Converts the local time and the zone of a site to UTC.

Sites name the zone of a place rather than an offset: PokerStars writes ET in summer and in winter, and WET five hours
ahead of it in June, so summer time is included. Names of one offset (EEST, GMT+0100) are read as that offset. Names of
places (America/Toronto), as in PHH, are read too.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pokersvc.errors import InvalidValue
from pokersvc.histories.hand import WhenPlayed

_PLACES: Final = {
    "ACST": "Australia/Adelaide",
    "AEST": "Australia/Sydney",
    "AKT": "America/Anchorage",
    "ART": "America/Argentina/Buenos_Aires",
    "AT": "America/Halifax",
    "AWST": "Australia/Perth",
    "BRT": "America/Sao_Paulo",
    "CCT": "Asia/Shanghai",
    "CET": "Europe/Berlin",
    "CT": "America/Chicago",
    "EET": "Europe/Helsinki",
    "ET": "America/New_York",
    "HT": "Pacific/Honolulu",
    "IST": "Asia/Kolkata",
    "JST": "Asia/Tokyo",
    "MSK": "Europe/Moscow",
    "MT": "America/Denver",
    "NT": "America/St_Johns",
    "NZT": "Pacific/Auckland",
    "PT": "America/Los_Angeles",
    "WET": "Europe/Lisbon",
}
"""A zone's name at the sites → the place whose clocks it follows."""

_HOURS: Final = {
    "AEDT": 11,
    "BRST": -2,
    "BST": 1,
    "CDT": -5,
    "CEST": 2,
    "CST": -6,
    "EDT": -4,
    "EEST": 3,
    "EST": -5,
    "GMT": 0,
    "HKT": 8,
    "KST": 9,
    "MDT": -6,
    "MSD": 4,
    "MST": -7,
    "NZDT": 13,
    "NZST": 12,
    "PDT": -7,
    "PST": -8,
    "SAST": 2,
    "SGT": 8,
    "UTC": 0,
    "WEST": 1,
}
"""Names of zones that already say whether it is summer time → their hours ahead of UTC."""

_ZONES: Final = 256
"""The number of zones that are cached; a file has few."""

_OFFSET: Final = re.compile(r"(?:GMT|UTC)([+-])([0-9]{2}):?([0-9]{2})")


WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class WrongMoment(InvalidValue):
    """A date or time that does not exist, or a zone that is not known."""

    code = "wrong_moment"


class WallClock(NamedTuple):
    """A local time and its zone, with the text of the file."""

    local: datetime
    zone: str
    text: str


def clock(parts: Sequence[str], zone: str, text: str) -> WallClock:
    """Return a time from its year, month, day, hour, minute and second; raise `WrongMoment` if it does not exist."""
    try:
        local = datetime.fromisoformat("{:0>4}-{:0>2}-{:0>2}T{:0>2}:{:0>2}:{:0>2}".format(*parts))
    except ValueError as error:
        raise WrongMoment(f"{text[:60]!r} is not a date and a time.") from error
    return WallClock(local, zone, text)


def played(shown: WallClock, deciding: WallClock | None = None, *, text: str | None = None) -> WhenPlayed:
    """Return when a hand was played: at ``deciding``, if given; if that is ambiguous, ``shown`` may resolve it.

    >>> june = datetime(2011, 6, 26, 21, 35, 49)
    >>> said = played(WallClock(june, "WET", "21:35:49 WET"))
    >>> said.utc.isoformat(), said.ambiguous, said.contradicts
    ('2011-06-26T20:35:49+00:00', False, None)

    Raises `WrongMoment` for a zone that is not known, and for an hour that is skipped when summer time begins.
    """
    main = deciding or shown
    possible = _moments(main)
    contradicts = None
    if deciding is not None:
        agreeing = [moment for moment in possible if moment in _moments_if_any(shown)]
        contradicts = None if agreeing else shown.text
        possible = agreeing or possible
    return WhenPlayed(
        utc=possible[0],
        zone=main.zone,
        text=text or main.text,
        ambiguous=len(possible) > 1,
        contradicts=contradicts,
    )


def _moments_if_any(shown: WallClock) -> list[datetime]:
    try:
        return _moments(shown)
    except WrongMoment:
        return []


def _moments(shown: WallClock) -> list[datetime]:
    """Return the moments, in UTC, of a local time: one, or two at the end of summer time."""
    zone = _zone(shown.zone)
    moments: list[datetime] = []
    if isinstance(zone, timezone):  # a fixed offset has no summer time
        try:
            return [shown.local.replace(tzinfo=zone, fold=0).astimezone(UTC)]
        except OverflowError as error:
            raise WrongMoment(f"{shown.text[:60]!r} is not a date and a time.") from error
    for fold in (0, 1):
        moment = shown.local.replace(tzinfo=zone, fold=fold)
        try:
            utc = moment.astimezone(UTC)
        except OverflowError as error:
            raise WrongMoment(f"{shown.text[:60]!r} is not a date and a time.") from error
        if utc not in moments and utc.astimezone(zone).replace(tzinfo=None) == shown.local:
            moments.append(utc)
    if not moments:
        raise WrongMoment(f"{shown.text[:60]!r} is a time that did not exist: summer time began in that hour.")
    return moments


@cache
def _place(name: str) -> ZoneInfo:
    return ZoneInfo(name)


@lru_cache(_ZONES)
def _zone(name: str) -> tzinfo:
    if name in _PLACES:
        return _place(_PLACES[name])
    if name in _HOURS:
        return timezone(timedelta(hours=_HOURS[name]))
    if found := _OFFSET.fullmatch(name):
        sign, hours, minutes = found.groups()
        ahead = timedelta(hours=int(hours), minutes=int(minutes))
        if ahead < timedelta(hours=24):
            return timezone(-ahead if sign == "-" else ahead)
    if "/" in name:
        with suppress(ValueError, OSError, ZoneInfoNotFoundError):
            return ZoneInfo(name)
    raise WrongMoment(f"{name[:20]!r} is not the name of a known time zone: write it like ET, CET or GMT+0100.")
