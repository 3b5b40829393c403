"""The 500 games: of every engine, house, site and kind of table, the same in every process."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from functools import partial
from io import BytesIO
from itertools import count, product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from pokersvc.core.actions import FORFEIT_CODES, Forfeit
from pokersvc.core.codec import EncodedEvent, EventCodec
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import HUMAN
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.eventlog.tables import events as log_events
from pokersvc.eventlog.tables import games as log_games
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.house.houses import preset
from pokersvc.games.draw_poker.house.playable import first_refusal
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.versions import GameStarted5
from pokersvc.histories.checking import check
from pokersvc.histories.exporting import write_hands
from pokersvc.histories.importing import store
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.service import Service
from pokersvc.service.read_models.history import rebuild
from tests.audit.played import HOUSES, play, rehashed, seats
from tests.clock import ticking
from tests.histories.goldens import SAMPLES
from tests.histories.own_games import STRADDLED, own_game
from tests.logs.write import LOGS, decode
from tests.sending import send
from tests.web import at_table, shuffled, together, vectors
from tests.web.missed import play_missed
from tests.web.played import fingerprint, repeatable
from tests.web.played import play as play_programs

ALL: Final = 500
DATABASE: Final = "games.sqlite"
NAMES: Final = "names.json"
"""Game ID → the name in the digests."""


class StoredGame(NamedTuple):
    """A game as stored in its log."""

    name: str
    kind: str
    records: list[Record]


NEWEST: Final = 4
"""The newest engine of draw poker when these games were made: the later ones change none of them."""
RELEASED: Final = frozenset({"0.1.0", "engine-1", "engine-3", "engine-3-newcomer"})
"""The folders of logs that were kept then."""

Group = Callable[[Path], Iterator[StoredGame]]
"""A function that yields games of one group, given a folder for temporary files."""


@contextmanager
def _as_written(name: str, engine: int = NEWEST) -> Iterator[None]:
    """Make all random parts of a log follow from a name: IDs, salts, seeds, program and engine versions."""
    with ExitStack() as stack:
        stack.enter_context(repeatable(fingerprint(name)))
        stack.enter_context(_by(engine))
        for module in ("pokersvc.core.rules", "pokersvc.games.draw_poker.recorded_hands.recorded"):
            stack.enter_context(patch(f"{module}.__version__", "0"))
        yield


@contextmanager
def _by(engine: int) -> Iterator[None]:
    """Make games of draw poker by an engine, and write their starts as they were then."""
    with patch.object(type(DRAW_POKER), "engine", engine), patch.object(EventCodec, "encode", _encoded):
        yield


def _encoded(codec: EventCodec, event: Event) -> EncodedEvent:
    """Write an event; a start of draw poker as it was when these games were made."""
    if isinstance(event, GameStarted):
        said = {field.name: getattr(event, field.name) for field in fields(GameStarted5)}
        if event.rules.player == "regular":
            said["rules"] = event.rules.model_copy(update={"player": _BOTS.get(event.rules.name, "steady")})
        return DRAW_POKER.codec._forms["GameStarted", 5].encode(GameStarted5(**said))
    return _encode(codec, event)


_encode: Final = EventCodec.encode
_BOTS: Final = {"buy-the-pot": "house", "capped-raise": "table"}
"""House → the kind of bot that filled its seats when these games were made, if it was not ``steady``."""


def _all_of(log: EventLog) -> Iterator[tuple[str, list[Record]]]:
    with log.snapshot() as snapshot:
        for game_id, head in list(snapshot.games()):
            yield head.kind, list(snapshot.read(str(game_id)))


def _named(name: str, kind: str, records: list[Record]) -> StoredGame:
    """Return a game under another ID with every hash recomputed; it must contain no signatures."""
    return StoredGame(name, kind, rehashed([record._replace(game_id=name) for record in records]))


def _released(folder: Path) -> Iterator[StoredGame]:
    """The kept logs of the engines and programs of before."""
    for path in sorted(path for path in LOGS.glob("*/*.jsonl") if path.parent.name in RELEASED):
        kind = json.loads((path.parent / "expected.json").read_text())[path.stem]["kind"]
        name = f"{path.parent.name}-{path.stem}"
        yield StoredGame(name, kind, [decode(line) for line in path.read_text().splitlines()])


def _vectors(folder: Path) -> Iterator[StoredGame]:
    """Yield the verifiers' test games of bots, in some of which seats forgo rounds."""
    for vector in vectors.GAMES:
        name = f"vector-{vector.name}"
        with _as_written(name):
            source = EntropySource.fresh() if vector.text is None else EntropySource.from_text(vector.text)
            setup = Setup(vector.seats, source, vector.rounds, dict(vector.options))
            at = folder / name, name, vector.kind, setup
            records = play_programs(*at) if vector.missed is None else play_missed(*at, vector.missed)
        yield StoredGame(name, vector.kind, records)


def _shuffled(folder: Path) -> Iterator[StoredGame]:
    """Yield games with a common shuffle, which keep their IDs because they are signed."""
    for game in shuffled.SHUFFLED:
        with _as_written(game.name):
            yield StoredGame(game.name, game.kind, shuffled.whole(game, folder))
    made = together.games_together(folder, Random(1), ALL)
    while True:
        with _by(NEWEST):
            vector = next(made)
        with Database.for_reading(str(folder / f"{vector['name'].split()[0].removeprefix('together-')}.sqlite")) as one:
            for kind, records in _all_of(EventLog(one)):
                yield StoredGame(vector["game"], kind, records)


def _evenings(
    made: Callable[[Path, Random, int], Iterator[at_table.Evening]], engine: int, folder: Path
) -> Iterator[StoredGame]:
    """Yield games at tables, with people who are slow, sit out, leave, join and close the table."""
    evenings = made(folder, Random(200 + engine), ALL)
    for index in count():
        with _as_written(f"{made.__name__} {index} {engine}", engine):
            evening = next(evenings)
        yield _named(f"{evening.game_id}-by-{engine}", evening.kind, evening.records)


def _own(folder: Path) -> Iterator[StoredGame]:
    """Games at tables of all kinds: stacks, posts, rake, empty seats; with straddles from a number on."""
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        for number in range(0, ALL, 7):
            number += STRADDLED if number % 2 else 0
            with _as_written(f"own {number}"):
                records = list(log.read(own_game(log, number, Service(log, ticking()))))
            yield _named(f"own-{number}", "draw", records)


def _imported(folder: Path) -> Iterator[StoredGame]:
    """The hands of all sites that the tests have, and games of ours that were written in each format."""
    for name, paths in (("sites", _samples()), ("formats", list(_written(folder)))):
        with _as_written(name), Database.for_writing(":memory:") as database:
            log = EventLog(database)
            list(store(Service(log, ticking()), check(paths, processes=1), keep=True))
            found = list(_all_of(log))
        for kind, records in found:
            yield StoredGame(f"{name}-{records[0].game_id}", kind, records)


def _samples() -> list[Path]:
    return sorted(path for path in SAMPLES.iterdir() if path.suffix != ".told")


_ENDINGS: Final = {"phh": "phhs", "ohh": "ohh", "pokerstars": "txt"}


def _written(folder: Path) -> Iterator[Path]:
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        for number in range(2, 9):
            with _as_written(f"written {number}"):
                game_id = own_game(log, number, Service(log, ticking()))
            for viewer, (format_, ending) in product((1, 2), _ENDINGS.items()):  # the second is learned from
                file = BytesIO()
                try:
                    write_hands(file, log, game_id, viewer, format_=format_)
                except CannotBeWritten:
                    continue
                path = folder / f"{number}-{viewer}.{ending}"
                path.write_bytes(file.getvalue())
                yield path


def _played(
    database: Database, name: str, kind: str, setup: Setup, forfeits: str | None, engine: int = NEWEST
) -> list[Record]:
    """Return the log of a game that is played to its end; its first bot may forfeit a choice."""
    with _as_written(name, engine):
        log = EventLog(database)
        service = Service(log, ticking())
        service.start(kind, setup, game_id=name)
        first = service.status(name).to_act
        if forfeits is not None and first is not None and setup.seats[first - 1].kind != HUMAN:
            send(service, name, Forfeit(first, forfeits))
        play(service, name)
        return list(log.read(name))


_FORFEITS: Final = (*FORFEIT_CODES, *[None] * 12)


def _houses(folder: Path) -> Iterator[StoredGame]:
    """Every house by every engine, with other stacks, numbers and options; every fifth game is not over."""
    with Database.for_writing(":memory:") as database:
        yield from (_house(database, index) for index in count())


def _house(database: Database, index: int) -> StoredGame:
    engine, house = 1 + index % NEWEST, HOUSES[index // NEWEST % len(HOUSES)]
    name, random = f"house-{index}-{house}-by-{engine}", Random(index)
    rules = _changed(preset(house), random)
    people = random.choice((0, 1, 2))  # the first of them leaves
    bots = random.choices(("random", "random", "steady", "minimum"), k=random.choice((2, 2, 3, 4, 6, 10)) - people)
    options: dict[str, Any] = {"rules": rules}
    if rules.betting.most_bets is not None:
        options["uncapped"] = random.choice(("never", "two_dealt_in", "two_left"))
    if engine >= 3 and rules.blinds is not None:
        options |= random.choice(({}, {"straddle": 2 * rules.blinds.big}, {"stack": "Ann=7,Bob=30"}))
    kinds, rounds, hidden = [HUMAN] * people + bots, random.randint(1, 3), random.random() < 0.2
    if rules.blinds is not None and index % 3 == 0:  # one after the other loses all chips, and blinds come short
        kinds, rounds = random.choices(("random", "steady"), k=random.choice((3, 4))), 15
        options["rules"] = rules.model_copy(update={"stack": random.choice((7, 11))})
    setup = Setup(seats(*kinds), EntropySource.from_text(name), rounds, options, hidden_kinds=hidden)
    records = _played(database, name, "draw", setup, random.choice(_FORFEITS), engine)
    if index % 5 == 4:
        records = records[: random.choice([at for at, one in enumerate(records) if at and one.n == 1] or [None])]
    return StoredGame(name, "draw", records)


_CHANGES: Final[tuple[dict[str, Any], ...]] = (
    {}, {}, {"stack": 9}, {"stack": 60}, {"history": "all"}, {"draw": "together"}, {"reshuffle": "all"},
    {"discards": 2}, {"button_rule": "dead"}, {"shows_first": "left_of_button"}, {"muck_all_in": True},
    {"open_hands": "after_draw"},
)  # fmt: skip


def _changed(rules: DrawPokerRules, random: Random) -> DrawPokerRules:
    """Return a house with up to two changes, as far as it can be played."""
    for change in random.sample(_CHANGES, 2):
        changed = rules.model_copy(update=change)
        rules = changed if first_refusal(changed) is None else rules
    return rules


def _others(folder: Path) -> Iterator[StoredGame]:
    """The market and Kalah with all their options and bots."""
    with Database.for_writing(":memory:") as database:
        yield from (_other(database, index) for index in count())


def _other(database: Database, index: int) -> StoredGame:
    kind, random = sorted(set(game_kinds()) - {"draw"}, reverse=True)[index % 2], Random(index)
    options: dict[str, Any] = {"markets": random.randint(1, 3)}
    kinds = random.choices(("greedy", "rank", "random", "rollout/100"), k=random.choice((2, 3, 4, 6)))
    rounds: int | None = random.randint(1, 2)
    if kind == "kalah":
        options = {"holes": random.randint(1, 6), "beans": random.randint(0, 4), "empty_capture": index % 4 == 1}
        kinds, rounds = random.choices(("random", "bad", "smart/2"), k=2), None
    name = f"{kind}-{index // 2}"
    setup = Setup(seats(*kinds), EntropySource.from_text(name), rounds, game_of(kind).options(options))
    return StoredGame(name, kind, _played(database, name, kind, setup, random.choice(_FORFEITS)))


GROUPS: Final[tuple[tuple[int, Group], ...]] = (
    (len(list(LOGS.glob("*/*.jsonl"))), _released),
    (len(vectors.GAMES), _vectors),
    (10, _shuffled),
    (4, partial(_evenings, at_table.cash_evenings, 3)),
    (3, partial(_evenings, at_table.evenings_with_newcomers, 3)),
    (20, partial(_evenings, at_table.evenings_at_tables, 4)),
    (50, _own),
    (90, _imported),
    (60, _others),
    (ALL, _houses),
    (10, partial(_evenings, at_table.cash_evenings, 4)),
    (6, partial(_evenings, at_table.evenings_with_newcomers, 4)),
)
"""The maximum number of games of each group, and the group; games are taken from each in turn."""


def made(number: int, folder: Path) -> Iterator[StoredGame]:
    """Yield the given number of games; a smaller number gives the first of them."""
    groups = []
    for at, (most, group) in enumerate(GROUPS):
        own = folder / str(at)
        own.mkdir()
        groups.append((most, group(own)))
    for turn in count():
        for most, games in groups:
            if turn < most and number and (game := next(games, None)) is not None:
                number -= 1
                yield game
        if not number:
            return


def make(folder: Path, number: int = ALL) -> None:
    """Create the database of the given number of games in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    names = {}
    with TemporaryDirectory() as scratch, Database.for_writing(str(folder / DATABASE)) as database:
        for name, kind, records in made(number, Path(scratch)):
            game_id, last = records[0].game_id, records[-1]
            names[game_id] = name
            with database.append() as connection:
                head = {"game_id": game_id, "kind": kind, "count": last.seq, "head": last.hash}
                connection.execute(log_games.insert().values(head))
                connection.execute(log_events.insert(), [record._asdict() for record in records])
        rebuild(database)
    (folder / NAMES).write_text(json.dumps(names, indent=1) + "\n", encoding="ascii")
