"""Nim in words: its output for people, and the parsing of their input."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from pokersvc.core.actions import Action
from pokersvc.core.common_events import Forfeited, PlayerLeft
from pokersvc.core.event import Event
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Outcome
from pokersvc.core.words import InvalidAnswer, Words, not_understood
from pokersvc.text import does

from . import events
from .state import LegalActions, NimState, NimView, Take


class NimWords(Words[events.GameStarted, NimState, NimView, LegalActions]):
    def title(self, facts: Mapping[str, Any]) -> str:
        return f"Nim with {facts['piles']} piles"

    def tell(self, event: Event, state: NimState) -> str:
        return _TELL[type(event)](event, state)

    def show(self, view: NimView) -> list[str]:
        piles = " ".join(map(str, view.piles)) or "no piles yet"
        scores = [
            f"  {seat.name}: {score}" + (f", favourite pile {favourite}" if favourite else "")
            for seat, score, favourite in zip(view.seats, view.scores, view.favourites, strict=True)
        ]
        return [f"Round {view.round}: {piles}", *scores]

    def ask(self, view: NimView, legal: LegalActions) -> str:
        return f"STONES from PILE (1 to {len(legal.most)})"

    def explain(self, text: str, view: NimView, legal: LegalActions) -> list[str] | None:
        return [f"The piles are {view.piles}."] if text == "piles" else None

    def read(self, text: str, view: NimView, legal: LegalActions) -> Action:
        assert view.to_act is not None
        found = re.fullmatch(r"(\d+) from (\d+)", text.strip())
        if found is None:
            raise InvalidAnswer(f"{not_understood(text)} Say how many stones, such as: 2 from 1.")
        return Take(view.to_act, pile=int(found[2]), stones=int(found[1]))

    def line(self, entry: Entry) -> str:
        points = [f"{player['name']} {player['points']}" for player in entry.facts["players"]]
        return f"Round {entry.number} -- {', '.join(points)}"

    def details(self, entry: Entry) -> list[str]:
        return [f"{player['name']} favoured {player['favourite'] or '[hidden]'}" for player in entry.facts["players"]]

    def result(self, seats: tuple[Seat, ...], outcome: Outcome) -> str:
        names = " and ".join(seats[seat - 1].name for seat in outcome.winners)
        return f"Most points: {names}, {max(outcome.scores)}"

    def standings(self, seats: tuple[Seat, ...], scores: tuple[int, ...]) -> list[str]:
        return [f"{does(seat.name, 'has')} {score} points" for seat, score in zip(seats, scores, strict=True)]


def _named(event: events.FavouriteNamed, state: NimState) -> str:
    return (
        does(state.seats[event.seat - 1].name, "favours")
        + " "
        + ("a pile" if event.pile is None else f"pile {event.pile}")
    )


_TELL: Final[dict[type, Callable[[Any, NimState], str]]] = {
    events.GameStarted: lambda e, _: f"Nim with {e.piles} piles: {', '.join(seat.name for seat in e.seats)}",
    events.PilesLaid: lambda e, _: f"Round {e.round} starts: {' '.join(map(str, e.piles))}",
    events.FavouriteNamed: _named,
    events.StonesTaken: lambda e, s: f"{does(s.seats[e.seat - 1].name, 'takes')} {e.stones} from pile {e.pile}",
    Forfeited: lambda e, s: f"{does(s.seats[e.seat - 1].name, 'is')} out of the round",
    PlayerLeft: lambda e, s: f"{does(s.seats[e.seat - 1].name, 'leaves')} the game",
    events.RoundEnded: lambda e, _: f"Round {e.round} is over",
    events.GameEnded: lambda _, __: "The game is over",
}
