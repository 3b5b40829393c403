"""The output about stored hands, kept as digests: ``python -m tests.histories.stored_hands``; see `tests.digested`.

Hands are imported after others that are the same or nearly so, and games of ours are played; then they are told to each
viewer, written in each format, listed in sessions, as rows of tables and as curves, and their discards are judged.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.dry_run import audited, foreseen
from pokersvc.histories.exporting import WRITERS, write_hands, write_session
from pokersvc.histories.importing import Imported, store
from pokersvc.histories.of_game import hands_of
from pokersvc.histories.sessions import (
    HandGroup,
    played_hands,
    players_and_sites,
    session_with,
    sessions,
    stakes,
    tables,
)
from pokersvc.histories.sources import origin
from pokersvc.histories.statistics.curves import Winner, curves
from pokersvc.histories.statistics.discards import discards, sums
from pokersvc.histories.tables import HandRows
from pokersvc.histories.viewed_hand import imported_hand
from pokersvc.service import Service
from pokersvc.service.read_models.history import games
from pokersvc.service.read_models.statistics import hands
from tests.clock import ticking
from tests.digested import Digested, Texts, titled

from .goldens import SAMPLES, in_lines
from .own_games import STRADDLED, own_game
from .test_foreseeing import TELLINGS
from .test_importing import HAND, OF_DORA, SAME_OF_DORA

OWN: Final = (*range(1, 11), 17, STRADDLED, STRADDLED + 3)
FILES: Final = sorted(path for path in SAMPLES.iterdir() if path.suffix != ".told")
ORDERS: Final = {
    "three files": (HAND, SAME_OF_DORA, HAND),
    "another's first": (SAME_OF_DORA, HAND, OF_DORA),
    **{f"the hand and {number}": (HAND, telling) for number, telling in enumerate(TELLINGS, 1)},
    **{f"another's and {number}": (SAME_OF_DORA, telling) for number, telling in enumerate(TELLINGS, 1)},
    **{f"{number} and the hand": (TELLINGS[number - 1], HAND) for number in (5, 6, 7)},
}
"""Files of the same hands, in the order in which they are imported."""


def _texts() -> dict[str, Texts]:
    """Return the output about hands, by their origin."""
    return {
        **{f"imports of {name}": titled(partial(_imports, tellings)) for name, tellings in ORDERS.items()},
        **{f"the samples of {path.name}": titled(partial(_samples, path)) for path in FILES},
        **{f"game {number}": titled(partial(_own, number)) for number in OWN},
    }


def _imports(tellings: Iterable[str]) -> Iterator[tuple[str, str]]:
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.txt" for number, _ in enumerate(tellings)]
        for path, telling in zip(paths, tellings, strict=True):
            path.write_text(telling.strip("\n") + "\n", "utf-8")
        for keep in (False, True):
            with Database.for_writing(":memory:") as database:
                log = EventLog(database)
                yield f"foreseen {keep}", _became(foreseen(log, check(paths), keep=keep), folder)
                stored = list(store(Service(log, clock=ticking()), check(paths), keep=keep))
                yield f"stored {keep}", _became(stored, folder)
                yield f"again {keep}", _became(foreseen(log, check(paths), keep=keep), folder)
                for game_id in sorted(summary.game_id for summary in games(database)):
                    yield from _told(database, game_id)
        yield "audited", _became(audited(check(paths, events=False)), folder)


def _samples(path: Path) -> Iterator[tuple[str, str]]:
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        for one in store(Service(log, clock=ticking()), check([path])):
            assert isinstance(one.told, CheckedHand)
            yield from _told(database, one.told.game_id)
            yield from _rows(log, one.told.game_id)
        yield from _together(database)
        yield from _judged(database)


def _own(number: int) -> Iterator[tuple[str, str]]:
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        service = Service(log, clock=ticking())
        game_id = own_game(log, number, service)
        for viewer in (EVERYONE, 1, 2, AUDITOR):
            yield f"hands {viewer}", _or_why(partial(_hands, service, game_id), viewer)
            yield from _written(log, game_id, viewer)
        yield from _rows(log, game_id)
        yield from _judged(database)


def _hands(service: Service, game_id: str, viewer: Viewer) -> str:
    return "".join(map(in_lines, hands_of(service.with_secrets.replay(game_id, viewer), viewer)))


def _became(found: Iterable[Imported], folder: str) -> str:
    return "".join(f"{one.became} {[*map(str, one.contradictions)]} {_of(one)}\n".replace(folder, "") for one in found)


def _of(one: Imported) -> str:
    return f"{one.told.line} {one.told.game_id}" if isinstance(one.told, CheckedHand) else str(one.told)


def _told(database: Database, game_id: str) -> Iterator[tuple[str, str]]:
    """Yield an imported hand as each viewer may know it, and as it is written for everybody."""
    log = EventLog(database)
    with database.read() as connection:
        yield f"origin {game_id}", str(origin(connection, game_id))
    names = _start(log, game_id).seats
    for viewer in (EVERYONE, *range(1, len(names) + 1), AUDITOR):
        yield f"told {game_id} {viewer}", _or_why(partial(_imported, log, game_id), viewer)
    own: tuple[Viewer, ...] = (EVERYONE, AUDITOR)
    for viewer in own:
        yield from _written(log, game_id, viewer)


def _imported(log: EventLog, game_id: str, viewer: Viewer) -> str:
    hand = imported_hand(log, game_id, viewer)
    return "played here" if hand is None else in_lines(hand)


def _written(log: EventLog, game_id: str, viewer: Viewer) -> Iterator[tuple[str, str]]:
    for format_ in WRITERS:
        file = BytesIO()
        count = _or_why(partial(_count_written, file, log, game_id, format_), viewer)
        yield f"written {game_id} {viewer} {format_}", f"{count} {file.getvalue().decode()}"


def _count_written(file: BytesIO, log: EventLog, game_id: str, format_: str, viewer: Viewer) -> str:
    return str(write_hands(file, log, game_id, viewer, format_=format_))


def _or_why(say: Callable[[Viewer], str], viewer: Viewer) -> str:
    """Return the output for a viewer, or the message of the error."""
    try:
        return say(viewer)
    except PokersvcError as error:
        return f"{error.code}: {error}"


def _start(log: EventLog, game_id: str) -> GameStarted:
    record, *_ = log.read(game_id)
    event = DRAW_POKER.codec.decode(record.type, record.version, record.payload, record.secret)
    assert isinstance(event, GameStarted)
    return event


def _rows(log: EventLog, game_id: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of tables that a game's hands make."""
    made = HandRows(_start(log, game_id), game_id)
    for record in list(log.read(game_id))[1:]:
        event = DRAW_POKER.codec.decode(record.type, record.version, record.payload, None)
        rows = made.take(event, record.seq, datetime.fromisoformat(record.recorded_at.removesuffix("Z")))
        if rows is not None:
            yield f"rows {game_id} {record.seq}", "".join(f"{row}\n" for part in rows for row in part)


def _together(database: Database) -> Iterator[tuple[str, str]]:
    """Yield sessions and tables with their stakes, and whole sessions in written form."""
    played = played_hands(database)
    yield "players", str([sorted(names) for names in players_and_sites(database)])
    yield "undated", f"{played.undated} {played.unmade}"
    for gap in (None, 1, 24 * 60):
        for place, one in enumerate(sessions(played, gap)):
            yield f"sessions {gap} {place}", _said(database, one)
    for place, one in enumerate(tables(played)):
        yield f"tables {place}", _said(database, one)
    for (site, player), hands_there in played.hands.items():
        last = hands_there[-1]
        found = session_with(database, last.game_id, last.round, player)
        yield f"session {site} {player}", _said(database, found)
        for format_ in WRITERS:
            file = BytesIO()
            count = _or_why(partial(_count_of_session, file, database, found, format_), EVERYONE)
            yield f"session-written {site} {format_}", f"{count} {file.getvalue().decode()}"


def _count_of_session(file: BytesIO, database: Database, found: HandGroup, format_: str, viewer: Viewer) -> str:
    return str(write_session(file, EventLog(database), found, lambda _: viewer, format_=format_))


def _said(database: Database, one: HandGroup) -> str:
    money = "; ".join(stakes(database, one))
    return f"{one.site} {one.player} {one.name} {one.minutes} {one.nets} {money}\n{one.tables}\n{one.hands}"


def _judged(database: Database) -> Iterator[tuple[str, str]]:
    """Yield the cost of discards, and the curves of players' winnings."""
    for by in ("all", "opponents"):
        judged = list(discards(database, by))
        yield f"discards {by}", "".join(f"{one.seat.player} {one.value} {one.away} {one.points}\n" for one in judged)
        yield f"sums {by}", "".join(f"{key} {found} {found.per_discard}\n" for key, found in sums(judged, by).items())
    listed = list(hands(database))
    winners = {
        Winner(
            one.seat.player, one.played.hand.site, one.played.hand.currency, one.played.hand.exponent
        ): one.seat.player
        for one in listed
    }
    for curve in curves(listed, winners):
        yield f"curve {curve.name}", str(curve.points)


TOLD: Final = Digested(Path(__file__).with_suffix(".json"), _texts)

if __name__ == "__main__":
    TOLD.main(sys.argv[1:])
