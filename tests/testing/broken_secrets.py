"""Games that tell a secret, or mix up games, in ways that are hard to see: broken on purpose, each in one place."""

import sys
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any, ClassVar, Final

import kuhn
from kuhn import Card, Kuhn, KuhnState, KuhnView

from pokersvc import Action, Audience, Event, IllegalAction, Number, Viewer
from pokersvc.testing import Promise
from tests.sealed import checked as sealed
from tests.sealed.game import NumberSealed, Pick, Sealed, SealedState

from .broken import Broken, made, seen_otherwise

BROKEN: Final[dict[str, Broken]] = {}


@dataclass(frozen=True, slots=True)
class NumberTold(Event):
    number: Annotated[Number | None, Audience.SEAT]
    seat: Number
    told: Number


class TellsNumbers(SealedState):
    def choice(self, action: Action) -> Event:
        event = super().choice(action)
        assert isinstance(event, NumberSealed)
        assert event.number is not None
        return NumberTold(event.number, event.seat, event.number)

    def change(self, event: Event) -> None:
        super().change(NumberSealed(event.number, event.seat) if isinstance(event, NumberTold) else event)


class Told(Sealed):
    event_types = {**Sealed.event_types, ("NumberSealed", 1): NumberTold}  # noqa: RUF012 - as the contract declares it

    def begin(self, started: Any) -> SealedState:
        return TellsNumbers(started)

    def action_of(self, event: Event) -> Action | None:
        return Pick(event.seat, event.told) if isinstance(event, NumberTold) else super().action_of(event)


BROKEN["a public field repeats a hidden choice"] = Broken(Promise.MARKED, Told(), sealed.CHECKED)


class SharesWinners(KuhnState):
    won: ClassVar[dict[int, int]] = {}

    def change(self, event: Event) -> None:
        super().change(event)
        if isinstance(event, kuhn.RoundEnded):
            self.won[event.round] = event.winner

    def view(self, viewer: Viewer) -> KuhnView:
        return seen_otherwise(self, viewer, round=self.chips.round + 100 * len(self.won))


class SharesCards(KuhnState):
    def __deepcopy__(self, memo: dict[int, object]) -> "SharesCards":
        copy = type(self)(self.started)
        for name in ("bets", "cards", "ended", "seed", "shown"):
            setattr(copy, name, getattr(self, name))
        copy.chips, copy.record = deepcopy(self.chips), deepcopy(self.record)
        return copy


made(BROKEN, "a class holds what each state should", Promise.APART, SharesWinners)
made(BROKEN, "a copy of a state shares its cards", Promise.APART, SharesCards)
made(BROKEN, "two games have one state", Promise.APART, begin=lambda _, started: _ONE.setdefault(0, KuhnState(started)))
_ONE: dict[int, KuhnState] = {}


class TellsCards(KuhnState):
    def legal(self, seat: int) -> kuhn.Legal:
        if seat not in self.awaited:
            raise IllegalAction("not_your_turn", f"The other seat acts; its card is {self.cards.get(3 - seat)}.")
        return super().legal(seat)


made(BROKEN, "a refusal names a hidden card", Promise.REFUSING, TellsCards)


class LeaksLater(KuhnState):
    def view(self, viewer: Viewer) -> KuhnView:
        cards: tuple[Card | None, ...] = tuple(self.cards.get(seat) for seat in (1, 2))
        return seen_otherwise(self, viewer, cards=cards) if self.chips.round > 3 else super().view(viewer)


made(BROKEN, "a view shows another's card from round 4", Promise.VIEW_HIDES, LeaksLater)


class Quits:
    def choose(self, view: KuhnView, legal: kuhn.Legal, random: Random) -> Action:
        sys.exit(0)


made(BROKEN, "a bot ends the program", Promise.PLAYS, players={**Kuhn.players, "quits": Quits})
