"""A stored game of draw poker written as hand histories."""

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Final

from pokersvc.core.event import EVERYONE, Viewer
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import EventLog
from pokersvc.histories.hand import ToldHand
from pokersvc.histories.of_game import hands_of
from pokersvc.histories.writers.ohh import ohhs
from pokersvc.histories.writers.phh import phhs
from pokersvc.histories.writers.pokerstars import pokerstars_file
from pokersvc.service import Service

WRITERS: Final[dict[str, Callable[[Iterable[ToldHand]], Iterator[str]]]] = {
    "phh": phhs,
    "ohh": ohhs,
    "pokerstars": pokerstars_file,
}
"""The formats that hands are written in."""


def write_hands(
    file: BinaryIO, log: EventLog, game_id: str, viewer: Viewer = EVERYONE, *, format_: str, force: bool = False
) -> int:
    """Write the rounds of a game that are over, each a hand as the viewer knows it, and return how many there are.

    `CannotBeWritten` for a house or a round that the format cannot say, `NotOver` for secrets of a game that is on
    without ``force``, `InvalidValue` for another format.
    """
    if format_ not in WRITERS:
        raise InvalidValue(f"{format_!r} is not a format of hands: {', '.join(WRITERS)}.")
    count = 0

    def hands() -> Iterator[ToldHand]:
        nonlocal count
        for hand in hands_of(Service(log).with_secrets.replay(game_id, viewer, force=force), viewer):
            count += 1
            yield hand

    file.writelines(text.encode() for text in WRITERS[format_](hands()))
    return count
