"""Changes to the list of events, and to everything in an event except its payload."""

from collections.abc import Mapping
from typing import Final

from .hand import Change, Hand


def _removed(hand: Hand) -> bool:
    del hand.lines[hand.at]
    return bool(hand.lines)


def _doubled(hand: Hand) -> bool:
    hand.lines.insert(hand.at, dict(hand.line))
    return True


def _moved(hand: Hand) -> bool:
    hand.lines.insert(hand.random.randrange(len(hand.lines)), hand.lines.pop(hand.at))
    return True


def _cut(hand: Hand) -> bool:
    del hand.lines[hand.at + 1 :]
    return True


def _dated(hand: Hand) -> bool:
    """Change the time of one whole command."""
    command, seconds = hand.line["command_id"], hand.random.choice(["00", "59"])
    for line in hand.lines:
        if line["command_id"] == command:
            at = line["recorded_at"]
            line["recorded_at"] = f"{at[:17]}{seconds}.{hand.random.randrange(10**6):06}Z"
    return True


def _no_date(hand: Hand) -> bool:
    hand.line["recorded_at"] = hand.random.choice(
        ["2026-02-30T12:00:00.000000Z", "2026-01-31 12:00:00.000000Z", "2026-01-31T24:00:00.000000Z", "now", ""]
    )
    return True


def _command_split(hand: Hand) -> bool:
    command = hand.line["command_id"]
    if hand.at == 0 or hand.lines[hand.at - 1]["command_id"] != command:
        return False
    for line in hand.lines[hand.at :]:
        if line["command_id"] == command:
            line["command_id"] = f"{command}-2"
    return True


def _commands_joined(hand: Hand) -> bool:
    if hand.at == 0 or hand.lines[hand.at - 1]["command_id"] == hand.line["command_id"]:
        return False
    before, command = hand.lines[hand.at - 1], hand.line["command_id"]
    for line in hand.lines[hand.at :]:
        if line["command_id"] == command:
            line |= {"command_id": before["command_id"], "recorded_at": before["recorded_at"]}
    return True


def _type_changed(hand: Hand) -> bool:
    types = sorted({line["type"] for line in hand.lines if line["type"] != hand.line["type"]})
    hand.line["type"] = hand.random.choice([*types, "Folded", "NoSuchEvent"])
    return True


def _version_changed(hand: Hand) -> bool:
    hand.line["version"] += hand.random.choice([1, 2, 5])
    return True


def _secret_given(hand: Hand) -> bool:
    if hand.line["secret"] is not None:
        return False
    hand.line.update({"secret": hand.random.choice(["{}", '{"cards":["As"]}']), "salt": "00" * 16})
    return True


def _secret_taken(hand: Hand) -> bool:
    if hand.line["secret"] is None:
        return False
    hand.line.update({"secret": None, "salt": None})
    return True


_AT_TABLE: Final[tuple[tuple[str, str], ...]] = (
    ("TableSet", '{"advice":true,"bank":0,"opens_seeds":true,"seconds":10}'),
    ("TimedOut", '{"seat":1}'),
    ("CameBack", '{"seat":1}'),
    ("TablePaused", "{}"),
    ("TableResumed", "{}"),
    ("ClockRestarted", "{}"),
    ("SeatReplaced", '{"seat":2}'),
    ("SeatReplaced", '{"seat":9}'),
    ("SeatRemoved", '{"seat":1}'),
    ("RoundForgone", '{"seat":1}'),
    ("ShareMissed", '{"seat":1}'),
    ("SharesAwaited", '{"round":1,"seats":[1,2]}'),
    ("GameClosed", "{}"),
    ("DealingSet", '{"protocol":1,"seconds":20}'),
)


def _at_table(hand: Hand) -> bool:
    """Insert a table event as its own command."""
    type_, payload = hand.random.choice(_AT_TABLE)
    at = hand.line["recorded_at"]
    hand.lines.insert(
        hand.at + 1,
        {"type": type_, "version": 1, "recorded_at": at, "command_id": "put in", "payload": payload,
         "secret": None, "salt": None},
    )  # fmt: skip
    return True


EVENTS: Final[Mapping[str, Change]] = {
    "an event is removed": _removed,
    "an event comes twice": _doubled,
    "an event is moved": _moved,
    "the end is cut off": _cut,
    "a command is at another time": _dated,
    "a time is none": _no_date,
    "a command is two": _command_split,
    "two commands are one": _commands_joined,
    "an event is of another type": _type_changed,
    "an event is of another version": _version_changed,
    "a secret that should not be": _secret_given,
    "no secret where one should be": _secret_taken,
    "an event at the table is put in": _at_table,
}
