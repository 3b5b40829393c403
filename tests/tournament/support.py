"""Small tournaments."""

from typing import Any

from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.game import Game, Seat
from pokersvc.players import Programs
from pokersvc.tournament import Tournament, plan
from pokersvc.tournament.play import Played, play

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")


def planned(*kinds: str, game: Game = DRAW_POKER, deals: int = 2, **others: Any) -> Tournament:
    return plan(game, {}, tuple(map(Seat, kinds, NAMES)), deals, **others)


def all_played(tournament: Tournament) -> dict[int, Played]:
    with Programs(tournament.limit, tournament.folder) as programs:
        return {index: play(tournament, index, programs)[0] for index in range(tournament.games)}


def made_up(tournament: Tournament, *gains: tuple[int, ...], rounds: tuple[int, ...] = ()) -> dict[int, Played]:
    """Results as if each game had brought these gains to its seats; ranks follow."""
    found = {}
    for number, gained in enumerate(gains):
        ranks = tuple(1 + sum(other > one for other in gained) for one in gained)
        found[number] = Played(number, gained, ranks, rounds[number] if rounds else 1, ({},) * len(gained))
    assert len(found) == tournament.games
    return found
