"""Write the logs of a version that is about to be released: ``python tests/logs/write.py``.

Run it once for each new released version, and commit the folder it makes, named after the version. A folder that is
there is never written again: what it holds is how that version wrote its logs, with the state they made then.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from pokersvc import __version__
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.games.entropy import EntropySource
from pokersvc.games.event import AUDITOR, Event
from pokersvc.games.game import HUMAN, Action, Game, Leave, Seat, Setup, State
from pokersvc.service import Service

LOGS: Final = Path(__file__).parent
NAMES: Final = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus")


def carried(service: Service) -> str:
    """Round 1: two equal hands share 115 chips, 57 each, and 1 is carried. Then three programs play on."""
    game_id = _start(service, ["minimum", "minimum", "steady"], "carry 1207", rounds=5)
    for action in (Fold(1), Bet(2, 50), Call(3), Discard(2, ()), Discard(3, ()), Check(2), Check(3)):
        service.act(game_id, action)
    _play_out(service, game_id)
    return game_id


def reshuffled(service: Service) -> str:
    """Seven seats stay in and draw four cards each: the deck runs out, and what is out of play is dealt again."""
    game_id = _start(service, ["steady"] * len(NAMES), "reshuffled", rounds=3)
    for _ in range(3 * len(NAMES)):
        seat = service.table(game_id).state.to_act
        assert seat is not None
        service.act(game_id, _drawing(service.view(game_id, seat), service.table(game_id).state.legal(seat), seat))
    _play_out(service, game_id)
    return game_id


def left(service: Service) -> str:
    """A person wins nothing for two rounds and leaves; two programs play until one has it all."""
    game_id = _start(service, [HUMAN, "random", "steady"], "left", rounds=None)
    while service.table(game_id).state.view(AUDITOR).round < 3:
        table = service.table(game_id)
        if table.state.pausing:
            service.go_on(game_id)
        elif table.kind_to_act == HUMAN:
            legal: LegalActions = table.state.legal(1)
            service.act(game_id, Fold(1) if legal.fold else Check(1) if legal.check else Discard(1, ()))
        else:
            service.step(game_id)
        if table.state.pausing and table.state.view(AUDITOR).round == 2:
            service.act(game_id, Leave(1))
    _play_out(service, game_id)
    return game_id


GAMES: Final[tuple[Callable[[Service], str], ...]] = (carried, reshuffled, left)


def _start(service: Service, kinds: list[str], text: str, rounds: int | None) -> str:
    seats = tuple(Seat(kind, name) for kind, name in zip(kinds, NAMES, strict=False))
    game_id, _ = service.start("draw", Setup(seats, EntropySource.from_text(text), rounds))
    return game_id


def _play_out(service: Service, game_id: str) -> None:
    while service.table(game_id).state.outcome is None:
        service.play_round(game_id)


def _drawing(view: DrawPokerView, legal: LegalActions, seat: int) -> Action:
    """Bet the least, call, and draw as many cards as may be drawn."""
    if legal.discard is not None:
        cards = tuple(card for card in view.seat(seat).cards if card is not None)
        return Discard(seat, cards[: legal.discard])
    return Bet(seat, legal.bet[0]) if legal.bet is not None else Call(seat)


def encode(record: Record) -> str:
    """Return a record as a line of JSON: every column, bytes as hexadecimal."""
    fields = record._asdict()
    fields |= {name: value.hex() for name, value in fields.items() if isinstance(value, bytes)}
    return json.dumps(fields)


def decode(line: str) -> Record:
    """Return the record that `encode` wrote."""
    fields = json.loads(line)
    salt = fields["salt"]
    return Record(
        **{**fields, "hash": bytes.fromhex(fields["hash"]), "salt": None if salt is None else bytes.fromhex(salt)}
    )


def facts(game: Game, records: list[Record], events: list[Event]) -> dict[str, Any]:
    """Return what a whole log makes: the state after every event, the history as an auditor sees it, the end."""
    state: State = game.new(events[0])
    steps, history = [_step(state)], []
    for event in events[1:]:
        state.apply(event)
        steps.append(_step(state))
        if (entry := state.entry(event, AUDITOR)) is not None:
            history.append({"line": game.words.line(entry), **entry.facts})
    assert state.outcome is not None
    return {
        "events": len(records),
        "head": records[-1].hash.hex(),
        "history": history,
        "kind": game.kind,
        "ranks": list(state.outcome.ranks),
        "result": game.words.result(game.seats(events[0]), state.outcome),
        "scores": list(state.outcome.scores),
        "steps": steps,
    }


def _step(state: State) -> str:
    view: DrawPokerView = state.view(AUDITOR)
    stacks = " ".join(str(seat.stack) for seat in view.seats)
    return f"round {view.round}, to act {view.to_act}, pot {view.pot}, stacks {stacks}"


def write(folder: Path) -> None:
    """Play the games and write their logs, and what they make, to a new folder."""
    folder.mkdir()
    expected = {}
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        for play in GAMES:
            service = Service(log)
            table = service.table(play(service))
            records = list(log.read(table.game_id))
            events = [table.game.codec.decode(r.type, r.version, r.payload, r.secret) for r in records]
            (folder / f"{play.__name__}.jsonl").write_text("".join(encode(record) + "\n" for record in records))
            expected[play.__name__] = facts(table.game, records, events)
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    version = LOGS / __version__
    if version.exists():
        sys.exit(f"{version} is there already: a released version's logs are never written again.")
    write(version)
