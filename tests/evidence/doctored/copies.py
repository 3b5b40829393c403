"""A game as an export for a viewer."""

import json

from pokersvc.core.event import AUDITOR, Viewer
from pokersvc.eventlog.record import GENESIS, event_hash, secret_digest
from pokersvc.evidence.export import FORMAT

from .games import Game, Line


def exported(game: Game, lines: list[Line], viewer: Viewer, *, opens: bool) -> list[Line]:
    """Return a game as the lines of an export, with every hash recomputed; ``opens`` includes the dealer's secrets."""
    head, written, opened = GENESIS, list[Line](), list[int]()
    command, n = "", 0
    for seq, line in enumerate(lines, 1):
        n = n + 1 if line["command_id"] == command else 1
        command = line["command_id"]
        secret, salt = line["secret"], line["salt"]
        digest = secret_digest(None if salt is None else bytes.fromhex(salt), secret)
        said = {name: line[name] for name in ("type", "version", "recorded_at", "command_id", "payload")}
        head = event_hash(head, seq=seq, n=n, game_id=game.game_id, digest=digest, **said)
        one = {**said, "hash": head.hex(), "n": n, "seq": seq}
        if digest:
            one["digest"] = digest.hex()
            own = viewer == AUDITOR or _seat(line) == viewer
            if own or (opens and _seat(line) is None):
                one |= {"salt": salt, "secret": secret}
                opened += [] if own else [seq]
        written.append(one)
    header = {
        "as": viewer, "count": len(written), "format": FORMAT, "game": game.game_id, "head": head.hex(),
        "kind": game.kind, "opened": opened,
    }  # fmt: skip
    return [header, *written]


def _seat(line: Line) -> object:
    """Return the seat that may see an event's secret; None for a secret of the dealer's."""
    try:
        said = json.loads(line["payload"])
    except ValueError:
        return None
    return said.get("seat") if isinstance(said, dict) else None
