"""The chances given away by players' discards, compared with the best ones, for `pokersvc stats --discards`."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from pokersvc import cli
from pokersvc.cards.card import Card
from pokersvc.cli.output import stream_json, wrapped
from pokersvc.cli.statistics.stats_tables import Named, Row, named, print_csv, who
from pokersvc.errors import printable
from pokersvc.eventlog.database import Database
from pokersvc.histories.statistics.discards import GivenAwaySum, JudgedDiscard, Progress, discards, sums
from pokersvc.service.read_models.tallies import Key
from pokersvc.text import counted

WORST: Final = 20
"""The number of discards that output for people shows by default."""


def judged(database: Database, by: str, players: Sequence[str], *, force: bool) -> list[JudgedDiscard]:
    """Judge the discards whose cards are known, and return them; show a progress bar at a terminal."""
    with _progress() as progress:
        return list(discards(database, by, players, force=force, progress=progress))


def by_row(found: Sequence[JudgedDiscard], by: str, rows: Sequence[Row]) -> list[GivenAwaySum]:
    """Return, for each row, the total given away by its discards, compared with the best discards."""
    of = sums(found, by)
    keys = [Key(by, row.player, row.site, row.value, row.currency, row.exponent) for row in rows]
    return [of.get(key, GivenAwaySum()) for key in keys]


@contextmanager
def _progress() -> Iterator[Progress | None]:
    if not sys.stderr.isatty():
        yield None
        return
    with cli.drawing.progress_bar.bar("Judging discards", None) as update:
        yield lambda done, games: update(completed=done, total=games)


def list_discards(found: Sequence[JudgedDiscard], *, top: int | None, as_json: bool, as_csv: bool) -> None:
    """Print discards, the costliest first, at most ``top``; by default all, but only `WORST` in output for people."""
    worst = sorted(found, key=lambda one: -one.points)
    if as_json:
        stream_json(map(_named, worst[:top]))
    elif as_csv:
        print_csv([{name: _flat(value) for name, value in _named(one).items()} for one in worst[:top]])
    else:
        _print(worst, WORST if top is None else top)


def _print(worst: Sequence[JudgedDiscard], most: int) -> None:
    wrong = [one for one in worst if one.points]
    for one in wrong[:most]:
        print(*[wrapped(line, " " * 8) for line in _lines(one)], sep="\n")
    best = len(worst) - len(wrong)
    shown = min(most, len(wrong))
    more = f"; {len(wrong) - shown:,} more gave something away" if len(wrong) > shown else ""
    print(wrapped(f"{counted(len(worst), 'discard')} judged: {best:,} best{more}."))


def _lines(one: JudgedDiscard) -> list[str]:
    played, seat, away = one.played, one.seat, one.away
    where = f"{played.game_id[:8]}  round {played.hand.round:>4}  {played.day}"
    beside = f"held {_said(one.hand)}, against {counted(one.opponents, 'opponent')}"
    return [
        printable(f"{one.points:6.2f}  {where}  {who(seat.player, played.hand.site)}  {seat.position}  {beside}"),
        f"        threw {_said(away.thrown)}: wins {100 * float(away.chance):.2f};"
        f" best is {_said(away.best)}: wins {100 * float(away.best_chance):.2f}",
    ]


def _said(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards)) or "none"


def _named(one: JudgedDiscard) -> Named:
    played, seat, away = one.played, one.seat, one.away
    return {
        **named(played, seat),
        "value": one.value,
        "position": seat.position,
        "opponents": one.opponents,
        "hand": [card.notation for card in one.hand],
        "thrown": [card.notation for card in away.thrown],
        "chance": float(away.chance),
        "best": [card.notation for card in away.best],
        "best_chance": float(away.best_chance),
        "points": one.points,
    }


def _flat(value: object) -> object:
    return " ".join(value) if isinstance(value, list) else value
