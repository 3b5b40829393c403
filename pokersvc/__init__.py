"""pokersvc: a game service whose only source of truth is its event log.

The names in `__all__`, and in `pokersvc.testing.__all__`, are public: for notebooks, servers, games and players. Other
modules may change without notice. A name is imported when it is first used, so ``import pokersvc`` costs nothing.
"""

import sys
from typing import TYPE_CHECKING, Final

from pokersvc.core.version import __version__ as __version__
from pokersvc.system.lazy import MovedModules, imported_when_used

if TYPE_CHECKING:
    from pokersvc import service as service
    from pokersvc import tournament as tournament
    from pokersvc.cards import (
        CARDS,
        STRENGTHS,
        Card,
        Category,
        Deck,
        Hand,
        InvalidCard,
        InvalidDeck,
        InvalidHand,
        NotEnoughCards,
        category_of,
        parse_cards,
        shuffle,
        strength,
    )
    from pokersvc.cards.advice import Objective, RankedDiscard, advise
    from pokersvc.core.actions import (
        Action,
        BetweenRounds,
        CloseGame,
        Forfeit,
        ForgoRound,
        IllegalAction,
        Lapse,
        Leave,
        ServiceAction,
    )
    from pokersvc.core.books import Books, LedgerPage, Mismatch, NoBooks
    from pokersvc.core.bots.estimates import EnumeratedEstimate, Estimate
    from pokersvc.core.bots.player import Player
    from pokersvc.core.codec import EventTypes, UnreadableEvent
    from pokersvc.core.common_events import Forfeited, GameClosed, Number, PlayerLeft, RoundForgone, Started
    from pokersvc.core.drawing import Line, Piece, Room, Shortcut, Tone
    from pokersvc.core.event import AUDITOR, EVERYONE, Audience, Event, ImpossibleEvent, Viewer, may_see, redact
    from pokersvc.core.game import Game
    from pokersvc.core.randomness.chance import Entropy, EntropySource, Seed
    from pokersvc.core.randomness.common_shuffle import Dealing
    from pokersvc.core.randomness.share_events import (
        BindSeat,
        DealingSet,
        OpenShare,
        SeatBound,
        ShareMissed,
        ShareOpened,
        SharesAwaited,
    )
    from pokersvc.core.randomness.stream import Stream
    from pokersvc.core.record import Seen
    from pokersvc.core.registry import (
        GameKindTaken,
        GameShadowed,
        UnknownGameKind,
        UnusableGame,
        game_kinds,
        game_of,
        register,
    )
    from pokersvc.core.replay import CannotReplay, Replay, Step
    from pokersvc.core.rules import UnknownEngine
    from pokersvc.core.seated import SeatedState
    from pokersvc.core.seats import HUMAN, Seat, SeatSeen, say_seats
    from pokersvc.core.setup import House, Option, Options, Setup
    from pokersvc.core.state import Entry, Outcome, State, WithheldSecrets
    from pokersvc.core.tables.clock import Clock
    from pokersvc.core.tables.table import Table
    from pokersvc.core.tables.table_event import TableAction, TableEvent
    from pokersvc.core.tables.table_events import (
        CameBack,
        ChangeClock,
        ChangeDevice,
        ClockChanged,
        ClockRestarted,
        ComeBack,
        DeviceChanged,
        PauseTable,
        ReplaceSeat,
        RestartClock,
        ResumeTable,
        SeatRemoved,
        SeatReplaced,
        TablePaused,
        TableResumed,
        TableSet,
        TableSettings,
        TimedOut,
    )
    from pokersvc.core.words import InvalidAnswer, Words
    from pokersvc.errors import InvalidValue, PokersvcError
    from pokersvc.eventlog.database import Database
    from pokersvc.eventlog.errors import (
        DatabaseBusy,
        DatabaseDamaged,
        DatabaseMissing,
        DatabaseReadOnly,
        DatabaseUnreachable,
        DatabaseUnreadable,
        EventsLost,
        InvalidDatabase,
        NotADatabase,
        SchemaTooNew,
        SchemaTooOld,
        StorageFailed,
    )
    from pokersvc.eventlog.log import ConcurrentUpdate, EventLog
    from pokersvc.eventlog.record import ChainBroken, Record, SharedRecord
    from pokersvc.eventlog.snapshot import AmbiguousGame, Head, Snapshot, UnknownGame
    from pokersvc.evidence.audit import Audited, audit_in_processes
    from pokersvc.evidence.audit.audit import audit
    from pokersvc.evidence.checkpoint import Checkpoint, CheckpointEntry, CheckpointForged, Signature, check_signature
    from pokersvc.evidence.checkpoint import read as read_checkpoint
    from pokersvc.evidence.checkpoint import write as write_checkpoint
    from pokersvc.evidence.export import Export
    from pokersvc.evidence.export import write as write_export
    from pokersvc.evidence.findings import Fault, Finding
    from pokersvc.evidence.jsonl import FileExists, InvalidFile
    from pokersvc.evidence.keys import InvalidKey, Signer, public_key
    from pokersvc.evidence.keys import make as make_key
    from pokersvc.evidence.proof import Proof, proof_line, prove, read_proof
    from pokersvc.evidence.verification import Known
    from pokersvc.evidence.verified import Verified, verify_export
    from pokersvc.histories.exporting import write_hands
    from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
    from pokersvc.players import NoBox, Programs, UnusablePlayer, Walls
    from pokersvc.service import (
        Choose,
        CommandReused,
        LogFull,
        NotForAuditors,
        NothingShown,
        NothingToDo,
        NotOver,
        NotYourSeat,
        Opened,
        Over,
        Pause,
        Recorded,
        Service,
        Session,
        Shown,
        Status,
        Stopped,
        TableStatus,
        Turn,
        Waiting,
        WithSecrets,
    )
    from pokersvc.service.opening import open_database
    from pokersvc.service.read_models.history import GameSummary, NotRebuilt, ReadModelsDamaged
    from pokersvc.service.read_models.history import entries as history
    from pokersvc.service.read_models.history import games as list_games
    from pokersvc.service.read_models.history import rebuild as rebuild_lists
    from pokersvc.service.read_models.history import summary as game_summary
    from pokersvc.service.table_status import SharesStatus
    from pokersvc.system.files import FileNotWritten
    from pokersvc.text import does, whose

__all__ = [
    "AUDITOR", "CARDS", "EVERYONE", "HUMAN", "STRENGTHS", "Action", "AmbiguousGame", "Audience", "Audited",
    "BetweenRounds", "BindSeat", "Books", "CameBack", "CannotBeWritten", "CannotReplay", "Card", "Category",
    "ChainBroken", "ChangeClock", "ChangeDevice", "Checkpoint", "CheckpointEntry", "CheckpointForged", "Choose",
    "Clock", "ClockChanged", "ClockRestarted", "CloseGame", "ComeBack", "CommandReused", "ConcurrentUpdate",
    "Database", "DatabaseBusy", "DatabaseDamaged", "DatabaseMissing", "DatabaseReadOnly", "DatabaseUnreachable",
    "DatabaseUnreadable", "Dealing", "DealingSet", "Deck", "DeviceChanged", "Entropy", "EntropySource", "Entry",
    "EnumeratedEstimate", "Estimate",
    "Event", "EventLog", "EventTypes", "EventsLost", "Export", "Fault", "FileExists", "FileNotWritten", "Finding",
    "Forfeit", "Forfeited", "ForgoRound", "Game", "GameClosed", "GameKindTaken", "GameShadowed", "GameSummary",
    "Hand", "Head", "House", "IllegalAction", "ImpossibleEvent", "InvalidAnswer", "InvalidCard", "InvalidDatabase",
    "InvalidDeck", "InvalidFile", "InvalidHand", "InvalidKey", "InvalidValue", "Known", "Lapse", "Leave",
    "LedgerPage", "Line", "LogFull", "Mismatch", "NoBooks", "NoBox", "NotADatabase", "NotEnoughCards",
    "NotForAuditors", "NotOver", "NotRebuilt", "NotYourSeat", "NothingShown", "NothingToDo", "Number", "Objective",
    "OpenShare", "Opened", "Option", "Options", "Outcome", "Over", "Pause", "PauseTable", "Piece", "Player",
    "PlayerLeft", "PokersvcError", "Programs", "Proof", "RankedDiscard", "ReadModelsDamaged", "Record", "Recorded",
    "ReplaceSeat", "Replay", "RestartClock", "ResumeTable", "Room", "RoundForgone", "SchemaTooNew", "SchemaTooOld",
    "Seat", "SeatBound", "SeatRemoved", "SeatReplaced", "SeatSeen", "SeatedState", "Seed", "Seen", "Service",
    "ServiceAction", "Session", "Setup", "ShareMissed", "ShareOpened", "SharedRecord", "SharesAwaited",
    "SharesStatus", "Shortcut", "Shown", "Signature", "Signer", "Snapshot", "Started", "State", "Status", "Step",
    "Stopped", "StorageFailed", "Stream", "Table", "TableAction", "TableEvent", "TablePaused", "TableResumed",
    "TableSet", "TableSettings", "TableStatus", "TimedOut", "Tone", "Turn", "UnknownEngine", "UnknownGame",
    "UnknownGameKind", "UnreadableEvent", "UnusableGame", "UnusablePlayer", "Verified", "Viewer", "Waiting",
    "Walls", "WithSecrets", "WithheldSecrets", "Words", "advise", "audit", "audit_in_processes", "category_of",
    "check_signature", "does", "game_kinds", "game_of", "game_summary", "history", "list_games", "make_key",
    "may_see", "open_database", "parse_cards", "proof_line", "prove", "public_key", "read_checkpoint", "read_proof",
    "rebuild_lists", "redact", "register", "say_seats", "shuffle", "strength", "verify_export", "whose",
    "write_checkpoint", "write_export", "write_hands",
]  # fmt: skip

_HOMES: Final = {
    "pokersvc.cards": (
        "CARDS STRENGTHS Card Category Deck Hand InvalidCard InvalidDeck InvalidHand NotEnoughCards category_of "
        "parse_cards shuffle strength"
    ),
    "pokersvc.cards.advice": "Objective RankedDiscard advise",
    "pokersvc.core.actions": (
        "Action BetweenRounds CloseGame Forfeit ForgoRound IllegalAction Lapse Leave ServiceAction"
    ),
    "pokersvc.core.books": "Books LedgerPage Mismatch NoBooks",
    "pokersvc.core.randomness.chance": "Entropy EntropySource Seed",
    "pokersvc.core.tables.clock": "Clock",
    "pokersvc.core.codec": "EventTypes UnreadableEvent",
    "pokersvc.core.drawing": "Line Piece Room Shortcut Tone",
    "pokersvc.core.bots.estimates": "EnumeratedEstimate Estimate",
    "pokersvc.core.event": "AUDITOR EVERYONE Audience Event ImpossibleEvent Viewer may_see redact",
    "pokersvc.core.game": "Game",
    "pokersvc.core.common_events": "Forfeited GameClosed Number PlayerLeft RoundForgone Started",
    "pokersvc.core.bots.player": "Player",
    "pokersvc.core.record": "Seen",
    "pokersvc.core.registry": "GameKindTaken GameShadowed UnknownGameKind UnusableGame game_kinds game_of register",
    "pokersvc.core.replay": "CannotReplay Replay Step",
    "pokersvc.core.rules": "UnknownEngine",
    "pokersvc.core.seated": "SeatedState",
    "pokersvc.core.seats": "HUMAN Seat SeatSeen say_seats",
    "pokersvc.core.setup": "House Option Options Setup",
    "pokersvc.core.state": "Entry Outcome State WithheldSecrets",
    "pokersvc.core.randomness.stream": "Stream",
    "pokersvc.core.tables.table": "Table",
    "pokersvc.core.tables.table_event": "TableAction TableEvent",
    "pokersvc.core.tables.table_events": (
        "CameBack ChangeClock ChangeDevice ClockChanged ClockRestarted ComeBack DeviceChanged PauseTable ReplaceSeat "
        "RestartClock ResumeTable SeatRemoved SeatReplaced TablePaused TableResumed TableSet TableSettings TimedOut"
    ),
    "pokersvc.core.randomness.share_events": (
        "BindSeat DealingSet OpenShare SeatBound ShareMissed ShareOpened SharesAwaited"
    ),
    "pokersvc.core.randomness.common_shuffle": "Dealing",
    "pokersvc.core.words": "InvalidAnswer Words",
    "pokersvc.errors": "InvalidValue PokersvcError",
    "pokersvc.eventlog.database": "Database",
    "pokersvc.eventlog.errors": (
        "DatabaseBusy DatabaseDamaged DatabaseMissing DatabaseReadOnly DatabaseUnreachable DatabaseUnreadable "
        "EventsLost InvalidDatabase NotADatabase SchemaTooNew SchemaTooOld StorageFailed"
    ),
    "pokersvc.eventlog.log": "ConcurrentUpdate EventLog",
    "pokersvc.eventlog.record": "ChainBroken Record SharedRecord",
    "pokersvc.eventlog.snapshot": "AmbiguousGame Head Snapshot UnknownGame",
    "pokersvc.evidence.audit": "Audited audit_in_processes",
    "pokersvc.evidence.audit.audit": "audit",
    "pokersvc.evidence.checkpoint": "Checkpoint CheckpointEntry CheckpointForged Signature check_signature",
    "pokersvc.evidence.export": "Export",
    "pokersvc.evidence.findings": "Fault Finding",
    "pokersvc.evidence.jsonl": "FileExists InvalidFile",
    "pokersvc.evidence.keys": "InvalidKey Signer public_key",
    "pokersvc.evidence.proof": "Proof proof_line prove read_proof",
    "pokersvc.evidence.verification": "Known",
    "pokersvc.evidence.verified": "Verified verify_export",
    "pokersvc.histories.exporting": "write_hands",
    "pokersvc.histories.writers.cannot_be_written": "CannotBeWritten",
    "pokersvc.players": "NoBox Programs UnusablePlayer Walls",
    "pokersvc.service": (
        "Choose CommandReused LogFull NotForAuditors NotOver NotYourSeat NothingShown NothingToDo Opened Over Pause "
        "Recorded Service Session Shown Status Stopped TableStatus Turn Waiting WithSecrets"
    ),
    "pokersvc.service.read_models.history": "GameSummary NotRebuilt ReadModelsDamaged",
    "pokersvc.service.opening": "open_database",
    "pokersvc.service.table_status": "SharesStatus",
    "pokersvc.system.files": "FileNotWritten",
    "pokersvc.text": "does whose",
}
"""Module → the names that are imported from it."""

_RENAMED: Final = {
    "game_summary": ("pokersvc.service.read_models.history", "summary"),
    "history": ("pokersvc.service.read_models.history", "entries"),
    "list_games": ("pokersvc.service.read_models.history", "games"),
    "make_key": ("pokersvc.evidence.keys", "make"),
    "read_checkpoint": ("pokersvc.evidence.checkpoint", "read"),
    "rebuild_lists": ("pokersvc.service.read_models.history", "rebuild"),
    "write_checkpoint": ("pokersvc.evidence.checkpoint", "write"),
    "write_export": ("pokersvc.evidence.export", "write"),
}
"""Public name → its module, and its name there, which is short because it is read after the module's name."""

_BEFORE: Final = {
    "Covered": ("pokersvc.evidence.checkpoint", "CheckpointEntry"),
    "HiddenCards": ("pokersvc.core.state", "WithheldSecrets"),
    "Page": ("pokersvc.core.books", "LedgerPage"),
}
"""Former public name → the module and the name that replace it."""

_FOUND: Final = {name: (module, name) for module, names in _HOMES.items() for name in names.split()} | _RENAMED

sys.meta_path.append(MovedModules())

if not TYPE_CHECKING:  # a type checker finds the imports above, and no other names
    __getattr__ = imported_when_used(__name__, _FOUND | _BEFORE)

    def __dir__():
        """Return the public names, for completion at a Python prompt."""
        return sorted({*globals(), *__all__})
