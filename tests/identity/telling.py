"""Descriptions of stored games: every aspect of each game as text, of which digests are compared."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from sqlalchemy import select

from pokersvc.core.drawing import Room, plain
from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of
from pokersvc.core.state import State
from pokersvc.core.tables.table_events import TABLE_EVENTS
from pokersvc.core.words import Words
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.evidence.audit import audit
from pokersvc.evidence.audit.entropy import RecordedEntropy
from pokersvc.evidence.export import write
from pokersvc.evidence.jsonl import lines_in
from pokersvc.evidence.verification import Verification
from pokersvc.histories.exporting import WRITERS, write_hands
from pokersvc.service.read_models.projections import READ_MODELS
from pokersvc.service.read_models.tallies import counts_rounds, hands_of, tallies
from tests.cli.program import Program
from tests.histories.goldens import SAMPLES
from tests.identity.commands import refusals
from tests.identity.making import DATABASE, NAMES
from tests.identity.said import forget, of_state, of_view, said

EVERY_STATE: Final = 60
"""The number of events after each of which the state is described; later, only every `STEP`-th."""
STEP: Final = 7
DRAWN: Final = 5
"""Every so many described states, the state is also described in words and as the drawn table."""
ROOM: Final = Room(80, 20)
FAULT: Final = "fault"
"""The aspect that replaces those whose description failed."""
WHOLE: Final = "the whole database"
"""The name for the aspects that belong to no single game."""


class Told(NamedTuple):
    """One aspect of a game, described as text."""

    game: str
    aspect: str
    text: str

    @property
    def digest(self) -> str:
        """The SHA-256 of the text."""
        return sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


class _Walk:
    """A game that is replayed from its seeds and recorded commands, and described at each step."""

    def __init__(self, game: Game, records: list[Record]) -> None:
        self.game, self.lines = game, {name: list[str]() for name in _OF_STATES}
        decode = game.codec.decode
        started = decode(records[0].type, records[0].version, records[0].payload, records[0].secret)
        self.state: State = game.new(started)
        source = game.source(started)
        recorded = RecordedEntropy(game, None)
        entropy = source.entropy() if source is not None and source.text is not None else recorded
        self.viewers: tuple[Viewer, ...] = (EVERYONE, AUDITOR, *range(1, len(game.seats(started)) + 1))
        self.tell(0, None)
        for at, record in enumerate(records[1:], 1):
            event = decode(record.type, record.version, record.payload, record.secret)
            if event.__class__ in TABLE_EVENTS:
                continue
            recorded.record = record
            action = game.action_of(event)
            try:
                again = self.state.dealer_event(entropy) if action is None else self.state.decide(action)
                self.lines["decided"].append("nothing" if again is None else repr(tuple(game.codec.encode(again))))
            except PokersvcError as refused:
                self.lines["decided"].append(f"{refused.code}: {refused}")
            self.state.apply(event)
            self.tell(at, event)
        self.lines["views"] += [said(list(self.state.view(viewer).record)) for viewer in self.viewers]

    def tell(self, at: int, event: Any) -> None:
        state, lines = self.state, self.lines
        if event is not None and (entry := state.entry(event, EVERYONE)) is not None:
            entries = [state.entry(event, viewer) for viewer in self.viewers]
            lines["views"] += map(said, (entry, *entries, [one and (one.net, one.names) for one in entries]))
        if at > EVERY_STATE and at % STEP and state.outcome is None:
            return
        lines["refusals"] += refusals(state)
        lines["views"] += [of_view(state, viewer) for viewer in self.viewers]
        for seat in state.awaited:
            default = partial(state.default_action, seat, random=Random(at))
            lines["legal"].append(said((seat, state.legal(seat), default(away=True), default(away=False))))
        if at % DRAWN == 0:
            lines["words"] += _words(self.game, state)
        lines["states"].append(of_state(state))  # at last: what was asked must not have changed it


_OF_STATES: Final = ("decided", "legal", "refusals", "states", "views", "words")


def _words(game: Game, state: State) -> Iterator[str]:
    """Yield the words shown to a person in a state, and the results of some answers."""
    words, everyone = game.words, state.view(EVERYONE)
    yield from (*words.show(everyone), *plain(words.draw(everyone, ROOM)), *words.about(everyone))
    yield from (said(words.before_round(everyone, 1)), said(words.between_rounds(everyone, 1)))
    for seat in state.awaited:
        view, legal = state.view(seat), state.legal(seat)
        yield from (words.question(view, legal), words.ask_briefly(view, legal, advised=False))
        yield from (*plain(words.draw(view, ROOM)), *words.moment(view, legal), *words.completions(view, legal))
        yield said(words.shortcuts(view, legal))
        for text in ("check", "call", "bet 2", "raise 4", "fold", "discard", "1", "nonsense"):
            yield f"{text}: {_tried(partial(_answer, words, text, view, legal))}"
            yield said(words.why_not(text, view, legal))


def _answer(words: Words, text: str, view: object, legal: object) -> str:
    return said(words.read(text, view, legal))


def _tried(do: Callable[[], str]) -> str:
    try:
        return do()
    except PokersvcError as refused:
        return f"{refused.code}: {refused}"


def _verified(export: bytes) -> str:
    checked = Verification(lines_in(BytesIO(export), "export"), "export")
    findings = [str(finding) for finding in checked.findings()]
    verdict = checked.count, checked.over, checked.place, checked.secrets, checked.shown, checked.shuffled
    return said((findings, checked.fault, verdict))


class Teller:
    """Describes the games of a folder; the program runs in this folder."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.path = (folder / DATABASE).absolute()
        self.program = Program(folder)
        self.database, self.log = database, EventLog(database)
        self.names: dict[str, str] = json.loads((folder / NAMES).read_text("ascii"))

    def tell(self, only: str | None = None) -> Iterator[Told]:
        """Yield every aspect of every game, or of one game; then those of no single game."""
        for game_id, name in self.names.items():
            if only in (None, name):
                try:
                    for aspect, text in self._aspects(game_id):
                        yield Told(name, aspect, text)
                except Exception as error:  # a difference like any other, and the next game may have none
                    yield Told(name, FAULT, f"{type(error).__name__}: {error}")
        if only in (None, WHOLE):
            for aspect, text in self._of_all():
                yield Told(WHOLE, aspect, text)

    def _printed(self, *arguments: str) -> str:
        return said(tuple(self.program.ended("--db", self.path, *arguments)))

    def _aspects(self, game_id: str) -> Iterator[tuple[str, str]]:
        records = list(self.log.read(game_id))
        with self.log.snapshot() as snapshot:
            head = snapshot.head(game_id)
            assert head is not None
            counted = list(hands_of(snapshot, game_id, head.kind)) if counts_rounds(head.kind) else []
        yield "log", "\n".join(map(repr, map(tuple, records)))
        walk = _Walk(game_of(head.kind), records)
        for aspect, lines in walk.lines.items():
            yield aspect, "\n".join(lines)
        yield "counted", said(counted)
        yield "rows", self._rows(game_id)
        pages: list[object] = []
        (audited,) = audit(self.database, [game_id], ledger=lambda _, page: pages.append(page))
        found = (audited.findings, audited.fault, audited.over, audited.shuffled, audited.unchecked, audited.events)
        yield "audit", said((found, pages))
        for command in ("replay", "history --hands", "events --json"):
            yield command.split()[0], self._printed(*command.split(), game_id, "--as", "auditor", "--force")
        exports = [self._export(game_id, viewer) for viewer in walk.viewers]
        yield "exports", "\n".join(export.decode() for export in exports)
        yield "verified", "\n".join(map(_verified, exports[:3]))
        if head.kind == "draw":
            of = partial(self._hands, game_id)
            yield "hands", "\n".join(of(viewer, format_) for viewer in (AUDITOR, 1) for format_ in WRITERS)

    def _rows(self, game_id: str) -> str:
        with self.database.read() as connection:
            asked = [select(table).where(table.c.game_id == game_id) for table in READ_MODELS]
            return "\n".join(repr(sorted(map(tuple, connection.execute(one)), key=repr)) for one in asked)

    def _export(self, game_id: str, viewer: Viewer) -> bytes:
        file = BytesIO()
        write(file, self.log, game_id, viewer, force=True)
        return file.getvalue()

    def _hands(self, game_id: str, viewer: Viewer, format_: str) -> str:
        file = BytesIO()

        def written() -> str:
            write_hands(file, self.log, game_id, viewer, format_=format_, force=True)
            return file.getvalue().decode()

        return _tried(written)

    def _of_all(self) -> Iterator[tuple[str, str]]:
        with self.database.read() as connection:
            yield "tallies", "\n".join(sorted(map(repr, map(tuple, connection.execute(select(tallies))))))
        for command in ("stats", "stats --by position --json", "games --json", "sessions --json"):
            yield command, self._printed(*command.split())
        there = replace(self.program, home=SAMPLES)  # so that the files are named without a folder
        files = sorted(path.name for path in SAMPLES.iterdir())
        ended = there.ended("--db", self.path, "import", "--dry-run", "--json", "--processes", 1, *files)
        yield "import", said(tuple(ended))


def told(folder: Path, only: str | None = None) -> Iterator[Told]:
    """Yield the descriptions of the games in a folder, and of no single game."""
    forget()
    with Database.for_reading(str(folder / DATABASE)) as database:
        yield from Teller(folder, database).tell(only)
