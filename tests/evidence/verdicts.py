"""Verdicts on doctored files, stored as digests: ``python -m tests.evidence.verdicts``; see `tests.digested`."""

import json
import re
import sys
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Final

from pokersvc.core.event import AUDITOR
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseDamaged
from pokersvc.eventlog.tables import events as log_events
from pokersvc.eventlog.tables import games as log_games
from pokersvc.evidence.audit import audit
from pokersvc.evidence.jsonl import InvalidFile, lines_in
from pokersvc.evidence.verification import Known, Verification
from tests.digested import Digested, Texts, titled

from .doctored.corpus import KINDS, Doctored, doctored_one
from .doctored.games import Game, games
from .support import lines

SHARE: Final = 6
"""Each game gets every sixth of the changes."""
_OF_BEFORE: Final = ("engine-1/sown", "engine-1/traded", "engine-3/cash_game", "engine-3-newcomer/third")
_TRIES: Final = 20
_LINE_OF_CODE: Final = re.compile(r"(\.py):[0-9]+")
"""Line numbers of code in findings about exceptions, which change with the code."""


def _verdicts(game: Game) -> Iterator[tuple[str, str]]:
    """Yield doctored files of a game by their changes, each with its verdicts."""
    random = Random(game.name)
    offset = random.randrange(SHARE)
    for place, change in enumerate(KINDS):
        if place % SHARE == offset and (file := doctored_one(change, random, [game], _TRIES)) is not None:
            said = _LINE_OF_CODE.sub(r"\1", "\n".join([*_verified(file), *_audited(file)]))
            yield f"{change} | {file.where}", said


def _texts() -> dict[str, Texts]:
    """Return the verdicts on files of each current game, and of some games of earlier engines."""
    return {
        game.name: titled(partial(_verdicts, game))
        for game in games()
        if not game.name.startswith("engine-") or game.name in _OF_BEFORE
    }


def _verified(file: Doctored) -> Iterator[str]:
    """Yield all findings of verifying a copy, and the resulting facts."""
    known = [Known(bytes(32), "as nowhere"), Known(bytes(32), "as noted", "checkpoint", 3)]
    try:
        verification = Verification(lines_in(BytesIO(file.content), "file"), "file", known)
        yield str(verification.export)
        yield from map(str, verification.findings())
    except InvalidFile as error:
        yield str(error)
        return
    yield f"{verification.count} {verification.secrets} {verification.shown} {verification.met} {verification.place}"
    yield f"{verification.over} {verification.checked} {verification.fault} {verification.shuffled}"


def _audited(file: Doctored) -> Iterator[str]:
    """Yield an audit's findings in a log with the same lines, if a log can hold them."""
    if not file.change.startswith(("said", "payload", "secret")) or f" as {AUDITOR}," not in file.where:
        return
    header, *events = map(json.loads, lines(file.content))
    kept = ("seq", "type", "version", "recorded_at", "command_id", "n", "payload")
    with Database.for_writing(":memory:") as database:
        try:
            with database.append() as connection:
                row = {"game_id": header["game"], "kind": header["kind"], "count": header["count"]}
                connection.execute(log_games.insert().values(**row, head=bytes.fromhex(header["head"])))
                for event in events:
                    row = {name: event[name] for name in kept} | {"game_id": header["game"]}
                    salt = bytes.fromhex(event["salt"]) if "salt" in event else None
                    row |= {"hash": bytes.fromhex(event["hash"]), "salt": salt, "secret": event.get("secret")}
                    connection.execute(log_events.insert().values(**row))
        except DatabaseDamaged:
            return
        for one in audit(database):
            yield from map(str, one.findings)
            yield f"{one.game_id} {one.kind} {one.known} {one.only_chain} {one.over} {one.in_checkpoint} {one.events}"
            yield f"{one.shuffled} {one.missed_shares} {one.unchecked} {one.not_shown} {one.shown} {one.fault}"
            yield f"{one.checked} {one.passed} {one.count} {one.intact}"


VERDICTS: Final = Digested(Path(__file__).with_suffix(".json"), _texts)

if __name__ == "__main__":
    VERDICTS.main(sys.argv[1:])
