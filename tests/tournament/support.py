"""Small tournaments."""

import ctypes
import os
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from pokersvc.core.actions import Action
from pokersvc.core.game import Game
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.players import Programs, Walls
from pokersvc.tournament import Tournament, plan
from pokersvc.tournament.play import Played, play

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")


class Mixes:
    """Mixes all legal actions in parts that depend on what its seat has seen."""

    def __init__(self, name: str) -> None:
        self.name = name

    def policy(self, view: Any, legal: Any) -> dict[Action, float]:
        random = Random(f"{self.name} {view.cards} {view.record.round} {getattr(view, 'public', None)}")
        weights = [random.random() for _ in legal]
        return {action: weight / sum(weights) for action, weight in zip(legal, weights, strict=True)}


def planned(*kinds: str, game: Game = DRAW_POKER, deals: int = 2, **others: Any) -> Tournament:
    return plan(game, {}, tuple(map(Seat, kinds, NAMES)), deals, **{"seed": "1"} | others)


def unboxed(*kinds: str, **others: Any) -> Tournament:
    """Plan a tournament whose players of the tests' own are in no box, which would take longer to make."""
    return replace(planned(*kinds, **others), walls=Walls(trusted=True))


def all_played(tournament: Tournament) -> dict[int, Played]:
    with Programs(tournament.limit, tournament.folder) as programs:
        return {index: play(tournament, index, programs)[0] for index in range(tournament.games)}


def made_up(tournament: Tournament, *gains: tuple[int, ...], rounds: tuple[int, ...] = ()) -> dict[int, Played]:
    """Return results in which the seats of each game gained the given amounts, with the ranks that follow."""
    found = {}
    for number, gained in enumerate(gains):
        ranks = tuple(1 + sum(other > one for other in gained) for one in gained)
        found[number] = Played(number, gained, ranks, rounds[number] if rounds else 1, ({},) * len(gained))
    assert len(found) == tournament.games
    return found


BETS = """from pokersvc.games.draw_poker.actions import Bet, Check, Discard
class Mine:
    def choose(self, view, legal, random):
        if legal.discard is not None:
            return Discard(view.to_act, ())
        return Bet(view.to_act, {amount}) if legal.bet else Check(view.to_act)
"""


def bets(folder: Path, amount: object, imported: str = "") -> str:
    """A player that always bets a fixed amount where it may, and otherwise checks, legal or not."""
    (folder / "mine.py").write_text(imported + BETS.format(amount=amount))
    return f"{folder}/mine.py:Mine"


def luck(folder: Path) -> str:
    """A player that no seed repeats."""
    return bets(folder, "50 + secrets.randbelow(60)", "import secrets\n")


def dumpable() -> int:
    """Return whether other processes of the same user may read this one's memory (1) or not (0), as Linux has it."""
    return int(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))


def closed_and_told() -> tuple[bool, str | None]:
    """Return whether this process is closed, and which database it was told of."""
    return not dumpable(), os.environ.get("POKERSVC_DATABASE_URL")
