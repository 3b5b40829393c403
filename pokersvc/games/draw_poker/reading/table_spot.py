"""The knowledge of a modelling bot at a choice, and its manner of play."""

from typing import Final, NamedTuple

from pokersvc.games.draw_poker.reading.choices_seen import SeenInRound, seen_in
from pokersvc.games.draw_poker.reading.habits import OpponentsRead, read
from pokersvc.games.draw_poker.reading.hand_classes import Population, population
from pokersvc.games.draw_poker.view import DrawPokerView, SeatView


class Manner(NamedTuple):
    """The skills that a player has or lacks; the defaults are those of ``shark``."""

    reads: bool = True
    """Whether it reads from the record how the others play; if not, it takes them for average players."""
    narrows: float = 1.0
    """How much it infers from bets and calls in this hand: 1 for as much as they say, 0 for nothing."""
    calls: float = 0.0
    """What it pays out of curiosity to see more, as a fraction of the pot: a player who pays something calls too much.
    Curiosity shrinks with the share of the stack that is put in: half of it is left for half of the stack, and none for
    an all-in.
    """
    chases: float = 0.0
    """How often it counts on the better of two draws."""
    timid: float = 0.0
    """How much more a bet or a raise must win than an alternative, as a fraction of the pot including the bet."""
    position: bool = True
    """Whether it considers the players who act after it."""
    largest: float | None = None
    """The largest bet or raise that it thinks of, as a part of the pot after a call; None for any."""
    buys: bool = True
    """Whether it also thinks of larger bets that buy the pot, once it sees the hands of the others."""


SHARK: Final = Manner()


class TableSpot(NamedTuple):
    """The bot's knowledge at a choice in the betting."""

    view: DrawPokerView
    players: tuple[SeatView, ...]
    """The players who were dealt in."""
    me: int
    """The bot's place among them, from 0."""
    seen: SeenInRound
    reading: OpponentsRead
    hands: Population
    final: bool
    """Whether the draw is over."""
    manner: Manner


def spot_of(view: DrawPokerView, manner: Manner = SHARK) -> TableSpot:
    """Return the bot's knowledge."""
    players = tuple(seat for seat in view.seats if seat.cards)
    [me] = [place for place, seat in enumerate(players) if seat.seat == view.viewer]
    rivals = min(3, max(1, len(players) - 1))
    most = view.rules.discards
    reading = read(view.record.past if manner.reads else (), len(view.seats), rivals, most)
    hands, final = population(rivals, most), view.stage == "final betting"
    return TableSpot(view, players, me, seen_in(view.record.round), reading, hands, final, manner)
