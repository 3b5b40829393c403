"""The reading commands replay, history and events. They never write."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import chain, islice
from typing import Annotated

import typer

import pokersvc
from pokersvc import core, eventlog
from pokersvc.cli.arguments import MOST, GameArgument, JsonOption
from pokersvc.cli.database import opening as databases
from pokersvc.cli.drawing import room
from pokersvc.cli.output import print_json, stream_json, wrapped
from pokersvc.cli.replay.games import summary_json
from pokersvc.cli.replay.viewpoint import AsOption, ForceOption, viewer_of
from pokersvc.errors import InvalidValue, printable


@dataclass(slots=True)
class _Asked:
    """The game that a reading command shows, the viewer, and the services to read it with."""

    database: "pokersvc.Database"
    service: "pokersvc.Service"
    summary: "pokersvc.GameSummary"
    viewer: "pokersvc.Viewer"
    force: bool
    count: int
    """The number of events that the game had when it was looked up."""

    @property
    def game(self) -> "pokersvc.Game":
        return pokersvc.game_of(self.summary.kind)

    def steps(self, upto: int | None = None) -> "Iterator[pokersvc.service.Step]":
        return self.service.with_secrets.replay(self.summary.game_id, self.viewer, upto=upto, force=self.force)


def _asked(database: "pokersvc.Database", text: str, as_: str | None, force: bool) -> _Asked:

    log = pokersvc.EventLog(database)
    summary = pokersvc.game_summary(database, log.find(text))
    head = log.head(summary.game_id)
    if head is None:
        raise pokersvc.DatabaseDamaged(f"Game {summary.game_id} is not in the list of games; run `pokersvc db check`.")
    viewer = viewer_of(database, summary, as_, force=force)
    return _Asked(database, pokersvc.Service(log), summary, viewer, force, head.count)


def replay(
    context: typer.Context,
    game: GameArgument,
    round_: Annotated[
        int | None, typer.Option("--round", min=1, max=MOST, metavar="N", help="Show only this round.")
    ] = None,
    to: Annotated[
        int | None, typer.Option("--to", min=1, max=MOST, metavar="SEQ", help="Stop after this event.")
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each event.")] = False,
    as_: AsOption = None,
    force: ForceOption = False,
    plain: Annotated[bool, typer.Option("--plain", help="Print line by line, also at a terminal.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a game event by event.

    At a terminal, keys move forward and back, to rounds and events, and play
    at a speed; --round and --to say where to begin. Elsewhere, or with
    --plain, it prints a line for each event, then where the game stands.

    Example: pokersvc replay last --to 12
    """
    with databases.reading(context) as database:
        asked = _asked(database, game, as_, force)
        if room.is_drawn(plain or step or as_json):
            at_terminal = import_module("pokersvc.cli.replay.at_terminal").replay_at_terminal  # it loads prompt_toolkit
            at_terminal(database, asked.summary, asked.viewer, force=force, round_=round_, to=to)
            return
        sentences = _sentences(asked, round_, to)
        if as_json:
            stream_json(
                {"seq": step.record.seq, "type": step.record.type, "round": number, "text": text}
                for number, step, text in sentences
            )
            return
        last: pokersvc.service.Step | None = None
        for _, step_, text in sentences:
            if last is None:
                print(f"Game {printable(asked.summary.game_id)}")
            last = step_
            print(wrapped(f"{last.record.seq:>5}  {text}".replace("\n", f"\n{' ' * 5}"), " " * 7))
            if step and not _enter():
                break
        if last is not None:
            print()
            print("\n".join(_standing(asked, last)))


def _sentences(asked: _Asked, round_: int | None, to: int | None) -> "Iterator[tuple[int, pokersvc.service.Step, str]]":
    """Yield (round, step, sentence) for each requested event; events between rounds belong to the earlier round."""
    summary = asked.summary
    open_ = summary.outcome is not None or asked.viewer == pokersvc.AUDITOR
    if to is not None and to > asked.count:
        raise InvalidValue(f"Game {summary.game_id} has no event {to}; its events are 1 to {asked.count}.")
    number, seen, seats = 1, False, summary.seats
    for step in asked.steps(to):
        number = step.state.record.round
        if round_ is not None and number > round_:
            return
        if round_ is None or round_ == number:
            seen = True
            event = core.common_events.open_kinds(step.event) if open_ else step.event
            yield number, step, core.tables.table_words.event_words(asked.game, event, step.state, seats)
    if not seen and to is not None:
        raise InvalidValue(f"Up to event {to} there is no round {round_}; ask for an earlier round or a later event.")
    if not seen:
        raise InvalidValue(f"Game {summary.game_id} has no round {round_}; its last is {number}.")


def _standing(asked: _Asked, step: "pokersvc.service.Step") -> list[str]:
    words, seats, facts = asked.game.words, asked.summary.seats, asked.summary.facts or {}
    if (outcome := step.state.outcome) is not None:
        return [words.result_of(facts, seats, outcome), *words.standings_of(facts, seats, outcome.scores)]
    return words.show(step.state.view(asked.viewer))


def _enter() -> bool:
    try:
        input()
    except EOFError:
        return False
    return True


def history(
    context: typer.Context,
    game: GameArgument,
    hands: Annotated[bool, typer.Option("--hands", help="Also show the hands of each round.")] = False,
    as_: AsOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Print one line per round, such as `Round 1 -- Player2 won 210`.

    Example: pokersvc history last --hands
    """
    with databases.reading(context) as database:
        asked = _asked(database, game, as_, force)
        if as_json:
            print_json(_history_json(asked))
        else:
            for line in history_lines(asked.database, asked.summary, asked.viewer, hands=hands, force=force):
                # A market's entry has several lines; only a forger can add other line ends, and an audit finds those.
                print(wrapped("\n".join(map(printable, line.split("\n"))), "  "))


def history_lines(
    database: "pokersvc.Database",
    summary: "pokersvc.GameSummary",
    viewer: "pokersvc.Viewer",
    *,
    hands: bool,
    force: bool = False,
) -> Iterator[str]:
    """Yield a game's history, one line per round; with ``hands``, also the hands, as in the founding document."""
    words = core.registry.history_words_of(summary.kind)
    found = pokersvc.history(database, summary.game_id, viewer, force=force)
    first = list(islice(found, 1))  # secrets are refused before anything is printed
    if summary.result is None:
        yield f"Unfinished after round {summary.rounds}"
    elif hands:
        yield summary.result
    for entry in chain(first, found):
        yield words.line(entry)
        if hands:
            yield from words.details(entry)


def _history_json(asked: _Asked) -> dict[str, object]:
    places = pokersvc.service.places.places_of(asked.database, [asked.summary])[asked.summary.game_id]
    found = pokersvc.history(asked.database, asked.summary.game_id, asked.viewer, force=asked.force)
    words = core.registry.history_words_of(asked.summary.kind)
    rounds = [{"round": entry.number, "line": words.line(entry), **_by_place(entry.facts, places)} for entry in found]
    return {**summary_json(asked.summary, places), "history": rounds}


def _by_place(facts: "pokersvc.core.state.Facts", places: Sequence[int]) -> "pokersvc.core.state.Facts":
    """Return a round's facts, with the hands' seats numbered as the table shows them."""
    hands = facts.get("hands")
    if not isinstance(hands, list):
        return facts
    return {
        **facts,
        "hands": [{**hand, "seat": places[hand["seat"] - 1]} if "seat" in hand else hand for hand in hands],
    }


def events(
    context: typer.Context,
    game: GameArgument,
    as_: AsOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Print the events as they are stored.

    Their hash chain is verified. Secrets are printed if the point of view
    may see them; otherwise JSON has their digests.

    Example: pokersvc events last --json
    """
    with databases.reading(context) as database:
        asked = _asked(database, game, as_, force)
        if as_json:
            stream_json(_event_json(step.record) for step in asked.steps())
            return
        for step in asked.steps():
            record = step.record
            secret = "[hidden]" if isinstance(record.secret, eventlog.record.Withheld) else record.secret
            hidden = "" if secret is None else f" secret {secret}"
            version = "" if record.version == 1 else f" v{record.version}"
            print(printable(f"{record.seq:>5}  {record.type}{version} {record.payload}{hidden}"))


def _event_json(record: "pokersvc.Record | pokersvc.SharedRecord") -> dict[str, object]:

    shown: dict[str, object] = {
        "seq": record.seq,
        "type": record.type,
        "version": record.version,
        "recorded_at": record.recorded_at,
        "command_id": record.command_id,
        "n": record.n,
        "payload": json.loads(record.payload),
    }
    if digest := eventlog.record.digest_of(record):
        shown["digest"] = digest.hex()
    if record.secret is not None and record.salt is not None:  # the secret is not withheld
        shown |= {"secret": json.loads(record.secret), "salt": record.salt.hex()}
    return {**shown, "hash": record.hash.hex()}
