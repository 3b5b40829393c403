"""Advice before the draw, by what the house maximises: for people, and for the programs that draw by it.

NumPy and the tables are loaded when somebody first asks: who only reads a log never does.
"""

from random import Random
from typing import TYPE_CHECKING

from pokersvc.cards import Card
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.view import DrawPokerView

if TYPE_CHECKING:
    from pokersvc.cards.advice import Objective, RankedDiscard


def own_hand(view: DrawPokerView) -> tuple[int, tuple[Card, ...]]:
    """Return the seat that the view is for, and its cards."""
    seat = view.viewer
    assert isinstance(seat, int)
    return seat, tuple(card for card in view.seat(seat).cards if card is not None)


def objective_of(view: DrawPokerView, *, drew: bool) -> "Objective":
    """Return what the house has its players maximise, against the opponents still in.

    With ``drew``, also by how many cards those who have drawn before took.
    """
    from pokersvc.cards.advice import Objective

    others = [seat for seat in view.seats if seat.standing == "in" and seat.cards and seat.seat != view.viewer]
    known = tuple(seat.drew for seat in others if drew and seat.drew is not None)
    return Objective(view.rules.advice, max(1, len(others)), known)


def advised_discard(view: DrawPokerView, legal: LegalActions, random: Random) -> tuple[Card, ...]:
    """Return what a program throws away by the exact advice. It counts its opponents, and not what they drew."""
    from pokersvc.cards.advice import best_discard

    _, hand = own_hand(view)
    return best_discard(hand, objective_of(view, drew=False), legal.discard or 0)


def sampled_discard(view: DrawPokerView, legal: LegalActions, random: Random) -> tuple[Card, ...]:
    """Return what a program throws away by Monte Carlo, with as many samples as the house says."""
    import numpy as np

    from pokersvc.cards.advice import Sampling
    from pokersvc.cards.advice import sampled_discard as by_sampling

    _, hand = own_hand(view)
    sampling = Sampling(view.rules.samples, np.random.default_rng(random.getrandbits(128)))
    return by_sampling(hand, objective_of(view, drew=False), sampling, legal.discard or 0)


def best_for_person(view: DrawPokerView, legal: LegalActions) -> "RankedDiscard":
    """Return the discard that a person is advised to make."""
    return _ranked(view, legal)[0]


def say_worth(view: DrawPokerView, row: "RankedDiscard") -> str:
    """Return what a discard is worth, such as ``wins 36.0 %`` or ``linear 43.91``."""
    if view.rules.advice == "win":
        return f"wins {row.value:.1%}".replace("%", " %")
    from pokersvc.cards.advice import say_value

    return f"{view.rules.advice} {say_value(row, objective_of(view, drew=True))}"


def table_for_person(view: DrawPokerView, legal: LegalActions) -> list[str]:
    """Return every discard that is allowed, with what it is worth and what it may become, the best first."""
    from pokersvc.cards.advice import table_of

    return table_of(_ranked(view, legal), objective_of(view, drew=True))


def _ranked(view: DrawPokerView, legal: LegalActions) -> "list[RankedDiscard]":
    from pokersvc.cards.advice import advise

    _, hand = own_hand(view)
    return advise(hand, objective_of(view, drew=True), most=legal.discard or 0)
