"""Advice before the draw, by the objective of the house: for people, and for the bots that follow it.

NumPy and the tables are loaded when advice is first needed; reading a log never needs them.
"""

from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Final

from pokersvc.cards import Card
from pokersvc.cards.unknown import known_among
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.display.hand_drawn import numbers_of
from pokersvc.games.draw_poker.view import DrawPokerView

if TYPE_CHECKING:
    from pokersvc.cards.advice import Objective, RankedDiscard
    from pokersvc.cards.sampling import Sampling

MONTE_CARLO: Final = "monte-carlo"
"""The suffix of kinds of bots that draw by Monte Carlo, the founding documents' method: ``house/monte-carlo``."""


def own_hand(view: DrawPokerView) -> tuple[int, tuple[Card, ...]]:
    """Return the viewer's seat and its known cards."""
    seat = view.viewer
    assert isinstance(seat, int)
    return seat, known_among(view.seat(seat).cards)


def objective_of(view: DrawPokerView, *, drew: bool) -> "Objective":
    """Return the aim by which advice judges discards: the house's objective, against the opponents still in.

    With ``drew``, it also takes into account the order of draws, how many cards opponents have drawn, and how many
    hands were folded.
    """
    from pokersvc.cards.advice import Objective

    dealt = [seat for seat in view.seats if seat.cards and seat.seat != view.viewer]
    others = [seat for seat in dealt if seat.standing == "in"]
    opponents = max(1, len(others))
    if not drew or view.rules.advice != "win":
        return Objective(view.rules.advice, opponents)
    assert isinstance(view.viewer, int)
    turns = len(view.seats)
    button = view.button or 0
    mine = (view.viewer - button - 1) % turns
    in_order = sorted(others, key=lambda seat: (seat.seat - button - 1) % turns)
    before = [seat for seat in in_order if (seat.seat - button - 1) % turns < mine]
    known = tuple(seat.drew for seat in before if seat.drew is not None)
    return Objective("win", opponents, known, len(before) - len(known), len(dealt) - len(others))


def advised_discard(view: DrawPokerView, legal: LegalActions, random: Random) -> tuple[Card, ...]:
    """Return a bot's discard by exact advice, which considers the number of opponents but not what they drew."""
    from pokersvc.cards.advice import best_discard

    _, hand = own_hand(view)
    return best_discard(hand, objective_of(view, drew=False), legal.discard or 0)


def sampled_discard(view: DrawPokerView, legal: LegalActions, random: Random) -> tuple[Card, ...]:
    """Return a bot's discard by Monte Carlo, with the house's number of samples."""
    import numpy as np

    from pokersvc.cards.advice import sampled_discard as by_sampling
    from pokersvc.cards.sampling import Sampling

    _, hand = own_hand(view)
    sampling = Sampling(view.rules.samples, np.random.default_rng(random.getrandbits(128)))
    return by_sampling(hand, objective_of(view, drew=False), sampling, legal.discard or 0)


def best_for_person(view: DrawPokerView, legal: LegalActions) -> "RankedDiscard":
    """Return the discard that is advised to a person."""
    return _ranked(view, legal)[0]


def say_advised(view: DrawPokerView, row: "RankedDiscard") -> str:
    """Return a discard in words, with the text to type for it and its value.

    For example ``keep the aces, draw three (3,4,5 or "ok"): wins 53 of 100``; numbers run from the left.
    """
    from pokersvc.cards.advice import say_choice, say_worth

    _, hand = own_hand(view)
    numbers = ",".join(numbers_of(row.thrown, hand))
    typed = f'{numbers} or "ok"' if numbers else '"ok"'
    return f"{say_choice(row)} ({typed}): {say_worth(row, objective_of(view, drew=True))}"


def table_for_person(view: DrawPokerView, legal: LegalActions, columns: int | None = None) -> list[str]:
    """Return a table of all legal discards, best first, with the value and the possible outcomes of each."""
    from pokersvc.cards.advice import WIDTH, table_of

    return table_of(_ranked(view, legal), objective_of(view, drew=True), columns or WIDTH)


def _ranked(view: DrawPokerView, legal: LegalActions) -> "list[RankedDiscard]":
    from pokersvc.cards.advice import advise

    _, hand = own_hand(view)
    return advise(hand, objective_of(view, drew=True), most=legal.discard or 0, sampling=_sampling_for_person(view))


def _sampling_for_person(view: DrawPokerView) -> "Sampling | None":
    """Return the sampler for a person's Monte Carlo advice; None (exact advice) if no known bot here uses Monte Carlo.

    If kinds are hidden, advice is exact; otherwise it would reveal the kinds of the bots.

    The random draws depend only on what the person sees. So they reveal nothing about the deck or the bots'
    randomness, and the advice stays the same when asked for again or in a resumed game.
    """
    if not any(seat.kind is not None and seat.kind.endswith(f"/{MONTE_CARLO}") for seat in view.seats):
        return None
    import numpy as np

    from pokersvc.cards.sampling import Sampling

    seat, hand = own_hand(view)
    seen = " ".join(["pokersvc/advice/1", str(view.round), str(seat), *(card.notation for card in hand)])
    return Sampling(view.rules.samples, np.random.default_rng(int.from_bytes(sha256(seen.encode()).digest())))
