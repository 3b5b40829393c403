"""Players that are asked about many tables at once; they are loaded from a file like users' players."""

import time
from random import Random
from typing import Any

from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, LegalActions
from pokersvc.games.draw_poker.view import DrawPokerView

Views = list[DrawPokerView]
Legals = list[LegalActions]


def chosen(view: DrawPokerView, legal: LegalActions, random: Random, most: int) -> Any:
    seat = view.to_act
    assert seat is not None
    if legal.discard is not None:
        return Discard(seat, ())
    if legal.bet is not None:
        return Bet(seat, legal.bet[0] + random.randrange(most))
    return Call(seat) if legal.call else Check(seat)


class Alone:
    """Has no `choose_many`."""

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        return chosen(view, legal, random, 40)


class Honest(Alone):
    """Answers in a batch what it answers alone."""

    def choose_many(self, views: Views, legals: Legals, randoms: list[Random]) -> list[Any]:
        return [self.choose(*one) for one in zip(views, legals, randoms, strict=True)]


class AnswersByOrder(Honest):
    """Bets one chip more for each view before this one."""

    def choose_many(self, views: Views, legals: Legals, randoms: list[Random]) -> list[Any]:
        found = super().choose_many(views, legals, randoms)
        return [Bet(one.seat, one.amount + place) if isinstance(one, Bet) else one for place, one in enumerate(found)]


class LearnsHabits(Honest):
    """Bets more where its opponents at the other tables have bet."""

    def choose_many(self, views: Views, legals: Legals, randoms: list[Random]) -> list[Any]:
        found = super().choose_many(views, legals, randoms)
        bold = sum(view.price > 50 for view in views)
        return [Bet(one.seat, one.amount + bold) if isinstance(one, Bet) else one for one in found]


class Forgets(Honest):
    """Returns no action wherever it may bet and has a heart first, in a batch and alone."""

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        assert view.to_act is not None
        cards = view.seat(view.to_act).cards
        assert cards is not None
        if legal.bet is not None and str(cards[0]).endswith(("h", "H", "♥")):
            return None
        return super().choose(view, legal, random)


class ReturnsTooFew(Honest):
    def choose_many(self, views: Views, legals: Legals, randoms: list[Random]) -> list[Any]:
        return super().choose_many(views, legals, randoms)[1:]


class ReturnsATuple(Honest):
    def choose_many(self, views: Views, legals: Legals, randoms: list[Random]) -> Any:
        return tuple(super().choose_many(views, legals, randoms))


class Raises(Honest):
    def choose_many(self, views: Views, legals: Legals, randoms: list[Random]) -> list[Any]:
        raise RuntimeError("bug")


class TakesItsTime(Honest):
    """Takes 0.2 seconds for each view."""

    def choose_many(self, views: Views, legals: Legals, randoms: list[Random]) -> list[Any]:
        time.sleep(0.2 * len(views))
        return super().choose_many(views, legals, randoms)


class Sleeps(Honest):
    def choose_many(self, views: Views, legals: Legals, randoms: list[Random]) -> list[Any]:
        time.sleep(60)
        return []


class AnswersAtLength(Honest):
    """Writes the longest answers that are read, which are not legal."""

    def choose_many(self, views: Views, legals: Legals, randoms: list[Random]) -> list[Any]:
        return [Bet(one.seat, 10**3900) for one in super().choose_many(views, legals, randoms)]


class RollsElsewhere(Honest):
    """Takes its chance from the library, whose numbers come one after another over a batch."""

    def choose_many(self, views: Views, legals: Legals, randoms: list[Random]) -> list[Any]:
        import random

        return [chosen(view, legal, Random(random.random()), 40) for view, legal in zip(views, legals, strict=True)]


class PreparesAnew(Honest):
    """Takes long to be made."""

    def __init__(self) -> None:
        began = time.process_time()
        while time.process_time() < began + 0.05:
            pass


class ImportsAnew(Honest):
    """Imports what takes long."""

    def choose_many(self, views: Views, legals: Legals, randoms: list[Random]) -> list[Any]:
        from tests.tournament import slow_to_import

        assert slow_to_import.BEGAN

        return super().choose_many(views, legals, randoms)
