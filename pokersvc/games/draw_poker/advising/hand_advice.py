"""Advice on a hand outside any game: for `pokersvc advise` and other programs."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from pokersvc.cards.advice import WIDTH, Aim, Objective, RankedDiscard, advise, say_chance, say_worth, table_of, within
from pokersvc.cards.card import Card, InvalidCard, parse_cards
from pokersvc.cards.hand import Hand
from pokersvc.cards.ranking import Category
from pokersvc.cards.sampling import Sampling
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.text import counted, ordinal

SAMPLES: Final = 20_000
"""The default number of draws that Monte Carlo takes for each discard, as in the founding document."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question for advice on a hand; what is left out comes from the house or, without a house, from defaults."""

    cards: str
    """Five cards, as people write them."""
    house: str | None = None
    """A preset or the path of a rules file; it gives the objective, the most discards and the number of samples."""
    aim: Aim | None = None
    opponents: int | None = None
    drew: Sequence[int] = ()
    """How many cards opponents drew, in the order of their draws."""
    seat: str | None = None
    """The player's turn to draw: ``first``, ``middle``, ``last`` or a number from 1; by default after known draws."""
    folded: int | None = None
    """The number of other players who were dealt a hand and folded it."""
    dead: str = ""
    monte_carlo: bool = False
    samples: int | None = None
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """All legal discards, best first, with the objective and the method by which they were judged."""

    hand: Hand
    objective: Objective
    dead: tuple[Card, ...]
    samples: int | None
    """The number of samples for each discard; None if the answer is exact."""
    seed: str | None
    """The seed of the draws, if one was given."""
    discards: list[RankedDiscard] = field(repr=False)

    def sentence(self) -> str:
        """Return the best discard in a sentence."""
        best = self.discards[0]
        what = f"Discard {' '.join(map(str, best.thrown))}" if best.thrown else "Keep all"
        if len(best.thrown) not in (0, 5):
            what += f" and keep {' '.join(map(str, best.kept))}"
        if self.objective.aim != "win":
            return f"{what}: that comes to {say_worth(best, self.objective)} on average."
        return f"{what}: it wins {say_chance(best, self.objective)} of the time against {self._against()}."

    def table(self, top: int | None = None, width: int = WIDTH) -> list[str]:
        """Return the discards, or the ``top`` best, as lines of plain text of at most ``width`` columns."""
        return table_of(self.discards[:top], self.objective, width)

    def document(self, top: int | None = None) -> dict[str, Any]:
        """Return the answer as plain JSON values; exact values also as numerator and denominator."""
        win = self.objective.aim == "win"
        return {
            "hand": _notations(self.hand.cards),
            "is": self.hand.describe(),
            "objective": self.objective.aim,
            "opponents": self.objective.opponents if win else None,
            "drew": list(self.objective.drew) if win else None,
            "seat": self.objective.draw.before + 1 if win else None,
            "folded": self.objective.folded if win else None,
            "dead": _notations(self.dead),
            "method": self._method(),
            "samples": self.samples,
            "seed": self.seed,
            "discards": [
                {
                    "discard": _notations(row.thrown),
                    "keep": _notations(row.kept),
                    "value": row.value,
                    "exact": None if row.exact is None else [row.exact.numerator, row.exact.denominator],
                    "error": None if row.exact is not None else row.error,
                    "within": within(row, self.objective),
                    "outcomes": row.outcomes,
                    "counts": {category.label: row.counts[category] for category in Category},
                }
                for row in self.discards[:top]
            ],
        }

    def _method(self) -> str:
        if self.samples is not None:
            return "monte-carlo"
        return "played" if self.objective.is_played(len(self.dead)) else "exact"

    def _against(self) -> str:
        return self._opponents() + (f", drawing {self._turn()}" if self._order_matters() else "")

    def _order_matters(self) -> bool:
        """Return whether the answer must name the player's turn to draw, since the opponents' draws do not show it."""
        objective = self.objective
        return objective.is_played(len(self.dead)) and (objective.earlier > 0 or not objective.drew)

    def _turn(self) -> str:
        draw = self.objective.draw
        if draw.before in (0, draw.opponents):
            return "last" if draw.before else "first"
        number = draw.before + 1
        return f"{ordinal(number)} of {draw.opponents + 1}"

    def _opponents(self) -> str:
        opponents, drew = self.objective.opponents, self.objective.drew
        said = counted(opponents, "opponent")
        if not drew:
            return f"{said} who draw well" if opponents > 1 else f"{said} who draws well"
        sizes = " and ".join(filter(None, [", ".join(map(str, drew[:-1])), str(drew[-1])]))
        if len(drew) == opponents:
            return f"{said} who drew {sizes}"
        return f"{said}, of whom {'one' if len(drew) == 1 else len(drew)} drew {sizes}"


def _notations(cards: Sequence[Card]) -> list[str]:
    return [card.notation for card in cards]


def answer(question: Question) -> Answer:
    """Return the answer to a question; raise `InvalidValue`, with the reason, if the question is invalid."""
    rules: DrawPokerRules | None = None
    if question.house is not None:
        rules = DRAW_POKER.options({"rules": question.house})["rules"]
    hand, dead = Hand.parse(question.cards), parse_cards(question.dead)
    if doubled := [card for card in dead if card in hand.cards]:
        raise InvalidCard(f"{doubled[0]} is in the hand and dead as well; it cannot be both.")
    aim: Aim = question.aim or (rules.advice if rules else "win")
    about_others = (question.opponents, question.seat, question.folded)
    if aim != "win" and (question.drew or any(given is not None for given in about_others)):
        raise InvalidValue(f"Opponents and what they drew matter to the objective win only, not to {aim}.")
    objective = _objective(question, aim)
    if not question.monte_carlo and (question.samples is not None or question.seed is not None):
        raise InvalidValue("Samples and a seed are for Monte Carlo; ask for that too, or leave them out.")
    samples = None
    sampling = None
    if question.monte_carlo:
        samples = question.samples if question.samples is not None else rules.samples if rules else SAMPLES
        sampling = Sampling(samples, np.random.default_rng(_seed(question.seed)))
    most = rules.discards if rules else 5
    found = advise(hand.cards, objective, most=most, dead=dead, sampling=sampling)
    return Answer(hand, objective, dead, samples, question.seed, found)


def _objective(question: Question, aim: Aim) -> Objective:
    drew = tuple(question.drew)
    opponents = len(drew) or 1 if question.opponents is None else question.opponents
    before = len(drew) if question.seat is None else _before(question.seat, opponents)
    return Objective(aim, opponents, drew, before - len(drew), question.folded or 0)


def _before(seat: str, opponents: int) -> int:
    """Return how many opponents draw before a seat in the order of draws."""
    named = {"first": 0, "middle": (opponents + 1) // 2, "last": opponents}
    if seat in named:
        return named[seat]
    if seat.isdecimal() and 1 <= int(seat) <= opponents + 1:
        return int(seat) - 1
    raise InvalidValue(
        f"There is no seat {seat!r} in the order of draws: it must be first, middle, last or 1 to {opponents + 1}."
    )


def _seed(text: str | None) -> int:
    return secrets.randbits(256) if text is None else int.from_bytes(hashlib.sha256(text.encode()).digest())
