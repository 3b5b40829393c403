"""Writes stored hands of draw poker as hand histories: a game played here, an imported hand, or a whole session."""

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Final

from pokersvc.core.event import EVERYONE, Viewer
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import EventLog
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.of_game import hands_of
from pokersvc.histories.sessions import HandGroup, games_of
from pokersvc.histories.viewed_hand import imported_hand
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.histories.writers.ohh import ohhs
from pokersvc.histories.writers.phh import phhs
from pokersvc.histories.writers.pokerstars import pokerstars_file
from pokersvc.service import Service

WRITERS: Final[dict[str, Callable[[Iterable[HandHistory]], Iterator[str]]]] = {
    "phh": phhs,
    "ohh": ohhs,
    "pokerstars": pokerstars_file,
}
"""Output format → the function that writes it."""


def write_hands(
    file: BinaryIO, log: EventLog, game_id: str, viewer: Viewer = EVERYONE, *, format_: str, force: bool = False
) -> int:
    """Write the finished rounds of a game as hands, as the viewer may know them; return the number of hands.

    Raise `CannotBeWritten` for a house or a round that the format cannot express, `NotOver` for secrets of an
    unfinished game without ``force``, and `InvalidValue` for an unknown format.
    """
    return _write(file, _hands_of_game(log, game_id, viewer, force=force), format_)


def write_session(
    file: BinaryIO,
    log: EventLog,
    session: HandGroup,
    viewer_of: Callable[[str], Viewer],
    *,
    format_: str,
    force: bool = False,
) -> int:
    """Write a session's hands in order, and return their number; ``viewer_of`` maps a game's ID to its hands' viewer.

    If the format cannot express one hand, the whole session is refused; the error names the hand.
    """

    def hands() -> Iterator[HandHistory]:
        for game_id, rounds in games_of(session):
            for round_, hand in enumerate(_hands_of_game(log, game_id, viewer_of(game_id), force=force), 1):
                if round_ in rounds:
                    yield hand

    return _write(file, hands(), format_, several=True)


def _hands_of_game(log: EventLog, game_id: str, viewer: Viewer, *, force: bool) -> Iterator[HandHistory]:
    imported = imported_hand(log, game_id, viewer)
    if imported is not None:
        yield imported
    else:
        yield from hands_of(Service(log).with_secrets.replay(game_id, viewer, force=force), viewer)


def _write(file: BinaryIO, hands: Iterable[HandHistory], format_: str, *, several: bool = False) -> int:
    if format_ not in WRITERS:
        raise InvalidValue(f"{format_!r} is not a format of hands: {', '.join(WRITERS)}.")
    count = 0
    writing: HandHistory | None = None

    def noted() -> Iterator[HandHistory]:
        nonlocal count, writing
        for hand in hands:
            writing = hand
            yield hand
            writing = None
            count += 1

    try:
        file.writelines(text.encode() for text in WRITERS[format_](noted()))
    except CannotBeWritten as error:
        if writing is None or not (several or count):
            raise
        raise CannotBeWritten(error.format, error.why, f"hand {writing.number} of {writing.site}") from error
    return count
