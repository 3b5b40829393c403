"""Write whole logs as this program writes them now: ``python tests/logs/write.py NAME``.

Run it before a release, with its version as the name, and before a change of what the dealer does or of what is
allowed. Commit the folder it makes. A folder that is there is never written again: what it holds is how that program
wrote its logs, with the state they made then.
"""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import Action, Leave
from pokersvc.core.event import AUDITOR, EVERYONE, Event
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import State
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.players import SteadyPlayer
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.games.kalah.view import KalahView
from pokersvc.games.poker_market.view import PokerMarketView
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
        seat = service.status(game_id).to_act
        assert seat is not None
        turn = service.turn(game_id, seat)
        service.act(game_id, _drawing(turn.view, turn.legal, seat))
    _play_out(service, game_id)
    return game_id


def left(service: Service) -> str:
    """A person wins nothing for two rounds and leaves; two programs play until one has it all."""
    game_id = _start(service, [HUMAN, "random", "steady"], "left", rounds=None)
    while service.view(game_id, EVERYONE).round < 3:
        status = service.status(game_id)
        if status.pausing:
            service.go_on(game_id)
        elif status.kind_to_act == HUMAN:
            legal: LegalActions = service.turn(game_id, 1).legal
            service.act(game_id, Fold(1) if legal.fold else Check(1) if legal.check else Discard(1, ()))
        else:
            service.step(game_id)
        if service.status(game_id).pausing and service.view(game_id, EVERYONE).round == 2:
            service.act(game_id, Leave(1))
    _play_out(service, game_id)
    return game_id


def short_price(service: Service) -> str:
    """In round 39 the big blind is all-in for 1, and the small blind of 1 must add one more for the full price."""
    game_id = _start(service, ["steady", "steady"], "ff46", rounds=39, rules="no-limit")
    _play_out(service, game_id)
    return game_id


def leader_left(service: Service) -> str:
    """A person who is ahead leaves, and two programs play the last rounds."""
    game_id = _start(service, [HUMAN, "minimum", "minimum"], "leader", rounds=8, rules="capped-raise")
    _play_persons(service, game_id, leaves=lambda view: view.round >= 2 and view.seat(1).stack > 60)
    return game_id


def without_chips(service: Service) -> str:
    """A person goes all in, loses it all, and says `leave` at the pause that follows."""
    game_id = _start(service, [HUMAN, "steady", "steady", "steady"], "broke 2", rounds=12, rules="no-limit")
    _play_persons(service, game_id, leaves=lambda view: view.seat(1).stack == 0, all_in=True)
    return game_id


def three_become_two(service: Service) -> str:
    """The next big blind is out, three players become two, and its neighbour has the big blind twice in a row."""
    game_id = _start(service, [HUMAN, "steady", "minimum"], "three", rounds=8, rules="fixed-limit")
    _play_persons(service, game_id, leaves=lambda view: view.round == 4)
    return game_id


def folded_rounds(service: Service) -> str:
    """Rounds of a rising ante in which hands are folded before and after the draw."""
    game_id = _start(service, ["steady", "random", "random"], "folded", rounds=12)
    _play_out(service, game_id)
    return game_id


def cash_game(service: Service) -> str:
    """A cash game with rake: a person sits out while the blinds pass, comes back, posts for both, and buys chips."""
    options: dict[str, object] = {"cash": True, "stack": "Bob=120", "rake": "5%", "rake_cap": "1,3"}
    kinds = [HUMAN, "steady", "minimum", "steady"]
    game_id = _start(service, kinds, "cash", rounds=9, rules="no-limit", options=options)
    _play_cash(service, game_id, {2: SitOut(1), 4: SitIn(1)})
    return game_id


def third(service: Service) -> str:
    """Two play a cash game; a third joins as the button moves to the last big blind."""
    options: dict[str, object] = {"cash": True, "open_seats": 1}
    game_id = _start(service, [HUMAN, "steady"], "third", rounds=7, rules="no-limit", options=options)
    _play_cash(service, game_id, {3: SitDown(3, 200, "Carl")})
    return game_id


def traded(service: Service) -> str:
    """Two markets of programs that propose, accept and decline."""
    seats = (Seat("greedy", "Ann"), Seat("random", "Bob"), Seat("rank", "Cy"))
    game_id, _ = service.start("market", Setup(seats, EntropySource.from_text("traded"), 3, {"markets": 2}))
    _play_out(service, game_id)
    return game_id


def sown(service: Service) -> str:
    """A game of Kalah between two programs."""
    seats = (Seat("smart/2", "Ann"), Seat("random", "Bob"))
    game_id, _ = service.start("kalah", Setup(seats, EntropySource.from_text("sown"), None, {"holes": 4, "beans": 3}))
    _play_out(service, game_id)
    return game_id


GAMES: Final[tuple[Callable[[Service], str], ...]] = (
    carried, reshuffled, left, short_price, leader_left, without_chips, three_become_two, folded_rounds, cash_game,
    third, traded, sown,
)  # fmt: skip


def _start(
    service: Service,
    kinds: list[str],
    text: str,
    rounds: int | None,
    rules: str = "rising-ante",
    options: Mapping[str, object] | None = None,
) -> str:
    seats = tuple(Seat(kind, name) for kind, name in zip(kinds, NAMES, strict=False))
    setup = Setup(seats, EntropySource.from_text(text), rounds, {"rules": rules, **(options or {})})
    game_id, _ = service.start("draw", setup)
    return game_id


def _play_cash(service: Service, game_id: str, between: dict[int, Action]) -> None:
    """Play with persons who choose like the bot `steady`; after some rounds somebody acts between rounds."""
    while (status := service.status(game_id)).outcome is None:
        if status.pausing:
            view = service.view(game_id, 1)
            if (action := between.pop(view.round, None)) is not None:
                service.act(game_id, action)
            if (lacks := view.rules.stack - view.seat(1).stack) > 0:
                service.act(game_id, BuyChips(1, lacks))
            service.go_on(game_id)
        elif status.kind_to_act == HUMAN:
            assert status.to_act is not None
            turn = service.turn(game_id, status.to_act)
            service.act(game_id, SteadyPlayer().choose(turn.view, turn.legal, Random(turn.count)))
        else:
            service.step(game_id)


def _play_persons(
    service: Service, game_id: str, *, leaves: Callable[[DrawPokerView], bool], all_in: bool = False
) -> None:
    """Play with a person at seat 1 who chooses like the bot `steady`, or always raises to the maximum."""
    while (status := service.status(game_id)).outcome is None:
        if status.pausing:
            if leaves(service.view(game_id, 1)):
                service.act(game_id, Leave(1))
            else:
                service.go_on(game_id)
        elif status.kind_to_act == HUMAN:
            turn = service.turn(game_id, 1)
            choose = _boldest if all_in else SteadyPlayer().choose
            service.act(game_id, choose(turn.view, turn.legal, Random(turn.count)))
        else:
            service.step(game_id)


def _boldest(view: DrawPokerView, legal: LegalActions, _: Random) -> Action:
    """Bet or raise the maximum, and stand pat."""
    if legal.discard is not None:
        return Discard(1, ())
    if legal.bet is not None:
        return Bet(1, legal.bet[1])
    return Raise(1, legal.raise_to[1]) if legal.raise_to is not None else Call(1) if legal.call else Check(1)


def _play_out(service: Service, game_id: str) -> None:
    while service.status(game_id).outcome is None:
        service.play_round(game_id)


def _drawing(view: DrawPokerView, legal: LegalActions, seat: int) -> Action:
    """Bet the least, call, and draw as many cards as may be drawn."""
    if legal.discard is not None:
        return Discard(seat, known_among(view.seat(seat).cards)[: legal.discard])
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
    """Return a log's results: the state after every event, the history for an auditor, and the outcome."""
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
    view = state.view(AUDITOR)
    if not isinstance(view, DrawPokerView):
        return _told(view)
    stacks = " ".join(str(seat.stack) for seat in view.seats)
    return f"round {view.round}, to act {view.to_act}, pot {view.pot}, stacks {stacks}"


def _told(view: Any) -> str:
    """Return the state of a game of the market or of Kalah."""
    if isinstance(view, KalahView):
        return f"to act {view.to_act}, holes {view.board.holes}, pots {view.board.pots}"
    assert isinstance(view, PokerMarketView)
    hands = " ".join("".join(card.notation for card in seat.cards) for seat in view.seats)
    return f"round {view.round}, to act {view.to_act}, points {[seat.points for seat in view.seats]}, hands {hands}"


def write(folder: Path) -> None:
    """Play the games, and write their logs and results to a new folder."""
    folder.mkdir()
    expected = {}
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        for play in GAMES:
            service = Service(log)
            table = service.with_secrets.open_game(play(service))
            records = list(log.read(table.game_id))
            events = [table.game.codec.decode(r.type, r.version, r.payload, r.secret) for r in records]
            (folder / f"{play.__name__}.jsonl").write_text("".join(encode(record) + "\n" for record in records))
            expected[play.__name__] = facts(table.game, records, events)
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/logs/write.py NAME")
    named = LOGS / sys.argv[1]
    if named.exists():
        sys.exit(f"{named} is there already: kept logs are never written again.")
    write(named)
