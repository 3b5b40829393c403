"""Advice on a hand that nobody is playing: what `pokersvc advise` and other programs ask."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from pokersvc.cards.advice import Aim, Objective, RankedDiscard, Sampling, advise, say_value, table_of
from pokersvc.cards.card import Card, InvalidCard, parse_cards
from pokersvc.cards.hand import Hand
from pokersvc.cards.ranking import Category
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.rules import DrawPokerRules

SAMPLES: Final = 20_000
"""How many draws Monte Carlo takes for each discard where nobody says, as in the founding document."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked; where it leaves something open, the house decides, and without a house the defaults."""

    cards: str
    """Five cards, as people write them."""
    house: str | None = None
    """A preset or the path of a rules file: its objective, its limit on discards, its number of samples."""
    aim: Aim | None = None
    opponents: int | None = None
    drew: Sequence[int] = ()
    dead: str = ""
    monte_carlo: bool = False
    samples: int | None = None
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """All discards that are allowed, the best first, and what they were judged by."""

    hand: Hand
    objective: Objective
    dead: tuple[Card, ...]
    samples: int | None
    """None where the answer is exact."""
    seed: str | None
    """What the draws follow from, where that was said."""
    discards: list[RankedDiscard] = field(repr=False)

    def sentence(self) -> str:
        """Return the best discard in a sentence."""
        best = self.discards[0]
        what = f"Discard {' '.join(map(str, best.thrown))}" if best.thrown else "Keep all"
        if len(best.thrown) not in (0, 5):
            what += f" and keep {' '.join(map(str, best.kept))}"
        value = say_value(best, self.objective)
        if self.objective.aim != "win":
            return f"{what}: the mean {_SCALES[self.objective.aim]} is {value}."
        return f"{what}: it wins {value} % of the time against {self._against()}."

    def table(self, top: int | None = None) -> list[str]:
        """Return the discards, or so many of the best, as lines of plain text within 80 columns."""
        return table_of(self.discards[:top], self.objective)

    def document(self, top: int | None = None) -> dict[str, Any]:
        """Return everything as plain JSON values; exact values as numerator and denominator too."""
        win = self.objective.aim == "win"
        return {
            "hand": _notations(self.hand.cards),
            "is": self.hand.describe(),
            "objective": self.objective.aim,
            "opponents": self.objective.opponents if win else None,
            "drew": list(self.objective.drew) if win else None,
            "dead": _notations(self.dead),
            "method": "exact" if self.samples is None else "monte-carlo",
            "samples": self.samples,
            "seed": self.seed,
            "discards": [
                {
                    "discard": _notations(row.thrown),
                    "keep": _notations(row.kept),
                    "value": row.value,
                    "exact": None if row.exact is None else [row.exact.numerator, row.exact.denominator],
                    "error": None if self.samples is None else row.error,
                    "outcomes": row.outcomes,
                    "counts": {category.label: row.counts[category] for category in Category},
                }
                for row in self.discards[:top]
            ],
        }

    def _against(self) -> str:
        opponents, drew = self.objective.opponents, self.objective.drew
        said = "1 opponent" if opponents == 1 else f"{opponents} opponents"
        if not drew:
            return f"{said} who draw well" if opponents > 1 else f"{said} who draws well"
        sizes = " and ".join(filter(None, [", ".join(map(str, drew[:-1])), str(drew[-1])]))
        if len(drew) == opponents:
            return f"{said} who drew {sizes}"
        return f"{said}, of whom {'one' if len(drew) == 1 else len(drew)} drew {sizes}"


def _notations(cards: Sequence[Card]) -> list[str]:
    return [card.notation for card in cards]


_SCALES: Final = {"rank": "strength (1 to 7462)", "linear": "linear value", "code": "code"}


def answer(question: Question) -> Answer:
    """Return the answer; `InvalidValue` names what in the question will not do."""
    rules: DrawPokerRules | None = None
    if question.house is not None:
        rules = DRAW_POKER.options({"rules": question.house})["rules"]
    hand, dead = Hand.parse(question.cards), parse_cards(question.dead)
    if doubled := [card for card in dead if card in hand.cards]:
        raise InvalidCard(f"{doubled[0]} is in the hand and dead as well; it cannot be both.")
    aim: Aim = question.aim or (rules.advice if rules else "win")
    if aim != "win" and (question.opponents is not None or question.drew):
        raise InvalidValue(f"Opponents and what they drew matter to the objective win only, not to {aim}.")
    objective = Objective(aim, _opponents(question), tuple(question.drew))
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


def _opponents(question: Question) -> int:
    return len(question.drew) or 1 if question.opponents is None else question.opponents


def _seed(text: str | None) -> int:
    return secrets.randbits(256) if text is None else int.from_bytes(hashlib.sha256(text.encode()).digest())
